package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/internal/notetype"
	"quarry/search"
	"quarry/store"
)

// MaxHops is how many links away a question about links may go.
const MaxHops = 6

// Way is the direction in which hops follow links.
type Way string

// Ways of hops.
const (
	EitherWay Way = ""     // links from a note and links to it
	WayOut    Way = "out"  // links from a note alone
	WayBack   Way = "back" // links to it alone
)

// LinksRequest asks for what lies around a note.
type LinksRequest struct {
	// Note is a path, name, title, alias or "#docid"; a name that no note has, but links mean; or the address of a part of a note, as
	// Read takes it, such as "Note#Heading": then the links are those in its lines and those that lead to a heading or a block in
	// them.
	Note string
	// Kinds are those of the edges that are wanted, letter case aside; none: all that people wrote. Edges that the type of a
	// note implies are in the answer where their kind is named here.
	Kinds      []string
	Unresolved bool // of the links from the note those alone that lead nowhere, or not to all that they name; none to it
	Hops       int  // notes from 2 to this many links away go into NoteLinks.Reached; 0 and 1: none; at most MaxHops
	Way        Way  // that hops go; Out and Back do not go by it
	Related    int  // so many related notes at most go into NoteLinks.Related; 0: none
}

// NoteLinks are the links from and to a note. Its JSON form is part of the contract.
type NoteLinks struct {
	graph.Surroundings
	// AliasOf gives, for each target of an outgoing link whose state is "alias", the first note that has it as an alias.
	AliasOf map[string]string `json:"alias_of,omitempty"`
	// Reached are the notes that are further than one link away, up to LinksRequest.Hops, by hops, then path; nil unless that
	// is more than 1.
	Reached []ReachedNote `json:"reached,omitzero"`
	// LineStart and LineEnd are the lines of the part that was asked for, 0 where that was the whole note. Related and Reached
	// are those of the whole note.
	LineStart int `json:"line_start,omitempty"`
	LineEnd   int `json:"line_end,omitempty"`
	// Notices tell what bears on how far the answer can be relied on.
	Notices []string `json:"notices,omitempty"`
}

// Links gives the links around an indexed note, or to another file of the vault, by its path, name or "#docid". The state
// of each tells whether the heading or block is there, too.
func (e *Engine) Links(ctx context.Context, request LinksRequest) (_ NoteLinks, err error) {
	defer e.clean(&err)
	ctx = withOneLook(ctx)
	links, err := e.linksOf(ctx, request)
	if err != nil {
		return NoteLinks{}, fmt.Errorf("links of %s: %w", e.stored(request.Note), err)
	}
	for i := range links.Out {
		links.Out[i] = short(links.Out[i])
	}
	for i := range links.Back {
		links.Back[i].Link = short(links.Back[i].Link)
	}
	return links, nil
}

// linksOf looks for a part of a note, or for links that mean a note which nobody has written, where the address is no note's.
func (e *Engine) linksOf(ctx context.Context, request LinksRequest) (NoteLinks, error) {
	if _, ok := ways[request.Way]; !ok {
		return NoteLinks{}, fmt.Errorf("there is no way %q for hops to go", request.Way)
	}
	if err := checkHops(request.Hops); err != nil {
		return NoteLinks{}, err
	}
	links, err := e.linksAround(ctx, request, nil)
	var unknown *unknownNote
	if !errors.As(err, &unknown) {
		return links, err
	}
	part, partErr := e.partNamed(ctx, request.Note)
	switch {
	case partErr != nil:
		return NoteLinks{}, partErr
	case part == nil:
		return e.linksToUnwritten(ctx, request, e.butSecret(ctx, err))
	}
	request.Note = part.note.Path
	if links, err = e.linksAround(ctx, request, part); err == nil {
		part.keep(ctx, e, &links)
	}
	return links, err
}

// linksAround gives the links of a whole note; part is the one that they are for, nil where there is none.
func (e *Engine) linksAround(ctx context.Context, request LinksRequest, part *notePart) (NoteLinks, error) {
	v, err := e.snapshot(ctx)
	if err != nil {
		return NoteLinks{}, err
	}
	defer v.Close()
	names := &finder{engine: e, view: v}
	at, err := names.find(ctx, request.Note)
	if err != nil {
		return NoteLinks{}, err
	}
	resolver, err := names.names(ctx)
	if err != nil {
		return NoteLinks{}, err
	}
	outlines := newOutlineReader(v)
	resolver = resolver.WithOutlines(func(path string) *graph.Outline { return outlines.of(ctx, path) })
	near, err := names.linksNear(ctx, at)
	if err != nil {
		return NoteLinks{}, err
	}
	surroundings, err := graph.Around(at.path, near, resolver)
	if err := cmp.Or(err, outlines.err); err != nil {
		return NoteLinks{}, err
	}
	links := NoteLinks{Surroundings: surroundings}
	around := surrounds{finder: names, at: at, request: request, links: &links}
	if err := around.look(ctx); err != nil {
		return NoteLinks{}, err
	}
	links.AliasOf = aliasesOf(links.Surroundings, resolver)
	if links.Notices, err = names.noticesOf(ctx, request.Note, at, part); err != nil {
		return NoteLinks{}, err
	}
	return links, filterAgain(e, v.meta, &links)
}

// noticesOf tells what bears on the links of a note, or of a part of it, that was found by an address.
func (f *finder) noticesOf(ctx context.Context, address string, at found, part *notePart) ([]string, error) {
	general := f.engine.notices(f.view.meta)
	if !at.isNote {
		return general, nil
	}
	notices, err := f.noticesOfName(ctx, address, at.path)
	if err != nil {
		return nil, err
	}
	n, _, err := f.view.Note(ctx, at.path)
	if err != nil {
		return nil, err
	}
	switch f.engine.presence(ctx, f.view.meta)(n.File) {
	case search.Stale:
		if part != nil && !part.isWhole {
			notices = append(notices, fmt.Sprintf("%s changed since it was indexed: the lines of the part are those of now, its links those of then, and may not be of the part: run `quarry index`", at.path))
			break
		}
		notices = append(notices, fmt.Sprintf("%s changed since it was indexed, and its links are those of then: run `quarry index`", at.path))
	case search.Gone:
		notices = append(notices, fmt.Sprintf("%s is gone since it was indexed, and its links are those of then: run `quarry index`", at.path))
	}
	return append(notices, general...), nil
}

// manySources is from how many notes on it is faster to read the links of all than note by note.
const manySources = 64

// linksNear gives the links of the notes that have any to a file, and its own, by path; or those of all notes, where it is not
// known which ones have.
func (f *finder) linksNear(ctx context.Context, at found) (iter.Seq2[store.LinksOf, error], error) {
	if _, ok := f.engine.linkedOf(f.view); !ok || !at.isNote {
		return f.view.Links(ctx), nil
	}
	web, err := f.engine.webOf(ctx, f)
	if err != nil {
		return nil, err
	}
	near := append(web.near([]string{at.path}, graph.Backward, 1), at.path)
	if len(near) > manySources {
		return f.view.Links(ctx), nil
	}
	slices.Sort(near)
	return f.linksIn(ctx, near), nil
}

// linksIn gives the links of some notes.
func (f *finder) linksIn(ctx context.Context, paths []string) iter.Seq2[store.LinksOf, error] {
	return func(yield func(store.LinksOf, error) bool) {
		for _, path := range paths {
			n, ok, err := f.view.Note(ctx, path)
			if (ok || err != nil) && !yield(store.LinksOf{Path: n.Path, Links: n.Links}, err) {
				return
			}
		}
	}
}

// aliasesOf tells whose aliases the links name that no file resolves.
func aliasesOf(links graph.Surroundings, resolver *graph.Resolver) map[string]string {
	of := map[string]string{}
	for _, l := range links.Out {
		if l.State == graph.Alias {
			of[cutRunes(l.Target, maxShownRunes)] = resolver.Resolve(l.Target, "", links.Note).AliasOf
		}
	}
	return of
}

// keepAliases leaves the aliases that the outgoing links name.
func (l *NoteLinks) keepAliases() {
	isNamed := map[string]bool{}
	for i := range l.Out {
		if l.Out[i].State == graph.Alias {
			isNamed[cutRunes(l.Out[i].Target, maxShownRunes)] = true
		}
	}
	maps.DeleteFunc(l.AliasOf, func(target, _ string) bool { return !isNamed[target] })
}

// surrounds adds to the links around a note what else a request asks for, and takes out what it does not.
type surrounds struct {
	finder  *finder
	at      found
	request LinksRequest
	links   *NoteLinks
}

func (s *surrounds) look(ctx context.Context) error {
	if s.request.Related > 0 && s.at.isNote {
		related, err := s.related(ctx)
		if err != nil {
			return err
		}
		s.links.Related = related
	}
	kinds := kindsOf(s.request.Kinds)
	if s.request.Hops > 1 {
		reached, err := s.reached(ctx, kinds)
		if err != nil {
			return err
		}
		s.links.Reached = reached
	}
	if len(kinds) > 0 {
		if err := s.addImplied(ctx, kinds); err != nil {
			return err
		}
		s.links.Out = slices.DeleteFunc(s.links.Out, func(l graph.Link) bool { return !slices.Contains(kinds, l.Kind) })
		s.links.Back = slices.DeleteFunc(s.links.Back, func(l graph.Backlink) bool { return !slices.Contains(kinds, l.Kind) })
	}
	if s.request.Unresolved {
		dead, err := s.finder.deadOf(ctx, s.at.path, func(j *graph.Judgement) bool { return len(kinds) == 0 || slices.Contains(kinds, j.Kind) })
		if err != nil {
			return err
		}
		s.links.Out, s.links.Back = s.links.Out[:0], s.links.Back[:0]
		for i := range dead {
			s.links.Out = append(s.links.Out, dead[i].Link)
		}
	}
	return nil
}

// kindsOf gives the kinds as edges have them.
func kindsOf(asked []string) []string {
	var kinds []string
	for _, kind := range asked {
		if kind = strings.ToLower(strings.TrimSpace(kind)); kind != "" {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

var ways = map[Way]graph.Direction{EitherWay: graph.Both, WayOut: graph.Forward, WayBack: graph.Backward}

// reached lists the notes that are further than one link away, along edges of the kinds asked for, else along all that people
// wrote. Never nil.
func (s *surrounds) reached(ctx context.Context, kinds []string) ([]ReachedNote, error) {
	network, err := s.finder.networkBy(ctx, kinds)
	if err != nil {
		return nil, err
	}
	reached := network.Reach([]string{s.at.path}, ways[s.request.Way], s.request.Hops)
	return slices.DeleteFunc(reached, func(r ReachedNote) bool { return r.Hops < 2 }), nil
}

// networkBy is the network of the edges of some kinds, those that types imply and mirror images among them; none: of all that
// people wrote.
func (f *finder) networkBy(ctx context.Context, kinds []string) (*graph.Network, error) {
	if len(kinds) > 0 {
		return f.networkOf(ctx, kinds)
	}
	web, err := f.engine.webOf(ctx, f)
	if err != nil {
		return nil, err
	}
	return web.whole(), nil
}

// reference is a link of one note to another.
type reference struct {
	source, target string
	link           *graph.Link
}

// references are the links around a note that lead from a note to another one; isNote tells whether a path is that of a note.
func (l *NoteLinks) references(isNote func(path string) bool) []reference {
	var list []reference
	add := func(source, target string, link *graph.Link) {
		if source != target && isNote(target) {
			list = append(list, reference{source, target, link})
		}
	}
	for i := range l.Out {
		if l.Out[i].Resolved != nil {
			add(l.Note, *l.Out[i].Resolved, &l.Out[i])
		}
	}
	for i := range l.Back {
		add(l.Back[i].Source, l.Note, &l.Back[i].Link)
	}
	return list
}

// addImplied adds the edges of some kinds that the types of notes imply: who asks for a kind wants them, too. What a note says
// itself it does not imply.
func (s *surrounds) addImplied(ctx context.Context, kinds []string) error {
	if !s.at.isNote || s.finder.view.meta[store.MetaTypes] == "" {
		return nil
	}
	notes, err := s.notesAround(ctx)
	if err != nil {
		return err
	}
	around := make(map[string]bool, len(notes))
	for path := range notes {
		around[path] = true
	}
	implied, err := s.finder.impliedIn(ctx, around)
	if err != nil {
		return err
	}
	references := s.links.references(func(path string) bool { return around[path] })
	type edge struct{ source, target, kind string }
	isWritten := map[edge]bool{}
	for _, r := range references {
		isWritten[edge{r.source, r.target, r.link.Kind}] = true
	}
	type occurrence struct {
		edge
		line int
	}
	isThere := map[occurrence]bool{}
	for _, r := range references {
		source := notes[r.source]
		for _, kind := range implied.kinds(source) {
			e := edge{r.source, r.target, kind}
			at := occurrence{e, r.link.Line}
			isRepeated := graph.Repeats(kind, isWritten[e], isWritten[edge{r.target, r.source, kind}])
			if slices.Contains(kinds, kind) && !isRepeated && !isThere[at] {
				isThere[at] = true
				s.add(r, kind, graph.ImpliedRule(notetype.Key(source.Type), kind))
			}
		}
	}
	s.sort()
	return nil
}

// notesAround gives the note and those that a link joins to it.
func (s *surrounds) notesAround(ctx context.Context) (map[string]*store.Note, error) {
	paths := map[string]bool{s.links.Note: true}
	for i := range s.links.Out {
		if s.links.Out[i].Resolved != nil {
			paths[*s.links.Out[i].Resolved] = true
		}
	}
	for i := range s.links.Back {
		paths[s.links.Back[i].Source] = true
	}
	list, err := s.finder.view.Notes(ctx, store.NoteQuery{Filter: Filter{Among: paths}})
	notes := make(map[string]*store.Note, len(list))
	for i := range list {
		notes[list[i].Path] = &list[i]
	}
	return notes, err
}

// add adds what a reference implies.
func (s *surrounds) add(r reference, kind, rule string) {
	target := r.target
	link := graph.Link{
		Target: target, Kind: kind, Resolved: &target, State: graph.OK, Rule: rule, Confidence: graph.ImpliedConfidence, Line: r.link.Line,
	}
	if r.source == s.links.Note {
		s.links.Out = append(s.links.Out, link)
	} else {
		s.links.Back = append(s.links.Back, graph.Backlink{Source: r.source, Link: link})
	}
}

// sort brings what was added into the order of the lists.
func (s *surrounds) sort() {
	slices.SortStableFunc(s.links.Out, func(a, b graph.Link) int { return cmp.Compare(a.Line, b.Line) })
	slices.SortStableFunc(s.links.Back, func(a, b graph.Backlink) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line))
	})
}

package quarry

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/internal/notetype"
	"quarry/store"
)

// implied tells which kinds of edges the types of notes imply, by the types that the index was made with.
type implied struct {
	types *notetype.Types
	// own has the properties of the notes that may say so themselves, by path.
	own map[string]map[string]any
}

// impliedIn reads properties of those notes alone that have the one that matters; among are paths of notes, nil: of all.
func (f *finder) impliedIn(ctx context.Context, among map[string]bool) (*implied, error) {
	types, err := f.engine.indexedTypes(f.view.meta)
	if err != nil {
		return nil, err
	}
	i := &implied{types: types, own: map[string]map[string]any{}}
	if types == nil {
		return i, nil
	}
	overriding := Filter{Properties: []Property{{Key: notetype.OverrideEdgeDefaults}}, Among: among}
	notes, err := f.view.Notes(ctx, store.NoteQuery{Filter: overriding})
	if err != nil {
		return nil, err
	}
	for k := range notes {
		n, ok, err := f.view.Note(ctx, notes[k].Path)
		if err != nil {
			return nil, err
		}
		var properties map[string]any
		if ok && json.Unmarshal(n.Frontmatter, &properties) == nil { // what cannot be read says nothing
			i.own[n.Path] = properties
		}
	}
	return i, nil
}

// kinds are what each reference of a note to another one implies.
func (i *implied) kinds(n *store.Note) []string {
	if i.types == nil {
		return nil
	}
	settings, _ := i.types.Of(n.Type, i.own[n.Path])
	return settings.EdgeDefaults
}

// impliedConfidence is that of an edge which a type implies.
const impliedConfidence = .7

// impliedRule is the rule of an edge which a type implies.
func impliedRule(noteType, kind string) string {
	return graph.RuleDefaults + cmp.Or(notetype.Key(noteType), "default") + ":" + kind
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
			if slices.Contains(kinds, kind) && !isWritten[e] && !isThere[at] {
				isThere[at] = true
				s.add(r, kind, impliedRule(source.Type, kind))
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
		Target: target, Kind: kind, Resolved: &target, State: graph.OK, Rule: rule, Confidence: impliedConfidence, Line: r.link.Line,
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

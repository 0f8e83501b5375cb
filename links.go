package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/note"
	"quarry/store"
)

// NoteLinks are the links from and to a note. Its JSON form is part of the contract.
type NoteLinks struct {
	graph.Surroundings
	// AliasOf gives, for each target of an outgoing link whose state is "alias", the first note that has it as an alias.
	AliasOf map[string]string `json:"alias_of,omitempty"`
	// Reached are the notes further away, up to LinksRequest.Hops links.
	Reached []ReachedNote `json:"reached,omitempty"`
}

// Graph is the whole graph of the index. Its JSON form is part of the contract.
type Graph = graph.Graph

// Links gives the links around an indexed note, or to another file of the vault, by its path, name or "#docid". The state
// of each tells whether the heading or block is there, too.
func (e *Engine) Links(ctx context.Context, request LinksRequest) (_ NoteLinks, err error) {
	address := request.Note
	defer e.clean(&err)
	links, err := e.linksAround(ctx, address)
	if errors.Is(err, ErrNotFound) && !errors.Is(err, ErrLeftOut) {
		if secretErr := e.notFoundButSecret(ctx, address); secretErr != nil {
			err = secretErr
		}
	}
	if err != nil {
		return NoteLinks{}, fmt.Errorf("links of %s: %w", e.stored(address), err)
	}
	return links, nil
}

func (e *Engine) linksAround(ctx context.Context, address string) (NoteLinks, error) {
	snapshot, err := e.snapshot(ctx)
	if err != nil {
		return NoteLinks{}, err
	}
	defer snapshot.Close()
	notes, err := snapshot.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return NoteLinks{}, err
	}
	resolver, err := e.resolverOf(ctx, snapshot, notes)
	if err != nil {
		return NoteLinks{}, err
	}
	n, ok, err := snapshot.Note(ctx, address)
	if err != nil {
		return NoteLinks{}, err
	}
	around := n.Path
	if !ok {
		around, err = namedNote(notes, resolver, address)
	}
	if err != nil {
		return NoteLinks{}, err
	}
	outlines := newOutlineReader(snapshot, notes)
	resolver = resolver.WithOutlines(func(path string) *graph.Outline { return outlines.of(ctx, path) })
	surroundings, err := graph.Around(around, snapshot.Links(ctx), resolver)
	links := NoteLinks{Surroundings: surroundings, AliasOf: aliasesOf(surroundings, resolver)}
	return links, cmp.Or(err, outlines.err, filterAgain(e, snapshot.meta, &links))
}

// notFoundButSecret tells the owner of a note that is in no index since its class is secret; nil where there is none.
func (e *Engine) notFoundButSecret(ctx context.Context, address string) error {
	if _, err := e.Parse(ctx, address); errors.Is(err, ErrSecret) {
		return ErrSecret
	}
	return nil
}

// aliasesOf tells whose aliases the links name that no file resolves.
func aliasesOf(links graph.Surroundings, resolver *graph.Resolver) map[string]string {
	of := map[string]string{}
	for _, l := range links.Out {
		if l.State == graph.Alias {
			of[l.Target] = resolver.Resolve(l.Target, "", links.Note).AliasOf
		}
	}
	return of
}

// namedNote finds the note, or else the file, that a name means: as a link of that text would resolve, else by its title or
// alias.
func namedNote(notes []store.Note, resolver *graph.Resolver, address string) (string, error) {
	if address == "" {
		return "", ErrNotFound
	}
	indexed := map[string]bool{}
	for _, n := range notes {
		indexed[n.Path] = true
	}
	found := resolver.Resolve(address, "", "").Path
	if indexed[found] || found != "" && errors.Is(kindOfOther(found), ErrOtherFile) {
		return found, nil
	}
	if titled := called(notes, address); len(titled) > 0 {
		at, err := theOneCalled(titled, address)
		if err != nil {
			return "", err
		}
		return titled[at].Path, nil
	}
	if found != "" { // a note that was left out of the index: its links are not known
		return "", fmt.Errorf("%s: %w", found, ErrLeftOut)
	}
	near := make([]nameable, len(notes))
	for i := range notes {
		near[i] = nameable{notes[i].Path, titlesOf(&notes[i])}
	}
	return "", fmt.Errorf("%w%s", ErrNotFound, suggestion(address, near))
}

// resolverOf knows the names of all files and the aliases of the notes, and goes by the dialect of the index.
func (e *Engine) resolverOf(ctx context.Context, snapshot *view, notes []store.Note) (*graph.Resolver, error) {
	others, err := snapshot.OtherFiles(ctx)
	if err != nil {
		return nil, err
	}
	others = slices.DeleteFunc(others, e.isNoOther)
	paths, aliases, titles := make([]string, len(notes), len(notes)+len(others)), map[string][]string{}, map[string]string{}
	for i, n := range notes {
		paths[i] = n.Path
		titles[n.Path] = n.Title
		if len(n.Aliases) > 0 {
			aliases[n.Path] = n.Aliases
		}
	}
	resolver := graph.NewResolver(append(paths, others...)).WithAliases(aliases).WithDialect(dialect.Dialect(snapshot.meta[store.MetaDialect]), titles)
	if !resolver.NeedsBlocks() {
		return resolver, nil
	}
	return withBlocks(ctx, snapshot, resolver)
}

// withBlocks tells the resolver which note has which block, where a link names a block without its note.
func withBlocks(ctx context.Context, snapshot store.Snapshot, resolver *graph.Resolver) (*graph.Resolver, error) {
	noteOf := map[string]string{}
	for of, err := range snapshot.Outlines(ctx) {
		if err != nil {
			return nil, err
		}
		for _, id := range of.BlockIDs {
			if _, ok := noteOf[id]; !ok {
				noteOf[id] = of.Path
			}
		}
	}
	return resolver.WithBlocks(noteOf), nil
}

// singleOutlines is up to how many outlines are read one by one; then reading all of them is cheaper.
const singleOutlines = 32

// outlineReader reads the outlines that links ask for. It is not safe for concurrent use.
type outlineReader struct {
	snapshot store.Snapshot
	opaque   map[string]bool
	known    map[string]*graph.Outline // nil: the file has none
	all      bool                      // known holds every note
	err      error                     // the first fault; nothing is read after it
}

// newOutlineReader knows from the start that files which are no Markdown have no outline, and that drawings have none that
// is read: a subpath names an element of theirs.
func newOutlineReader(snapshot store.Snapshot, notes []store.Note) *outlineReader {
	r := &outlineReader{snapshot: snapshot, opaque: map[string]bool{}, known: map[string]*graph.Outline{}}
	for _, n := range notes {
		if kind := note.Kind(n.Kind); kind != note.Plain && kind != note.Kanban {
			r.opaque[n.Path] = true
		}
	}
	return r
}

func (r *outlineReader) of(ctx context.Context, path string) *graph.Outline {
	if r.opaque[path] {
		return nil
	}
	if outline, ok := r.known[path]; ok || r.all || r.err != nil {
		return outline
	}
	if len(r.known) >= singleOutlines {
		r.all = true
		for of, err := range r.snapshot.Outlines(ctx) {
			if err != nil {
				r.err = err
				return nil
			}
			r.known[of.Path] = newOutline(of.Headings, of.BlockIDs)
		}
		return r.known[path]
	}
	n, ok, err := r.snapshot.Note(ctx, path)
	r.err = err
	if ok && n.Path == path {
		r.known[path] = newOutline(n.Headings, n.BlockIDs)
	} else {
		r.known[path] = nil
	}
	return r.known[path]
}

func newOutline(stored []store.Heading, blocks []string) *graph.Outline {
	headings := make([]graph.Heading, len(stored))
	for i, h := range stored {
		headings[i] = graph.Heading(h)
	}
	return graph.NewOutline(headings, blocks)
}

// Graph gives the whole graph: notes with their weight, links between them, and the structure of their passages.
func (e *Engine) Graph(ctx context.Context) (_ Graph, err error) {
	defer e.clean(&err)
	built, err := e.buildGraph(ctx)
	if err != nil {
		return Graph{}, fmt.Errorf("build the graph: %w", err)
	}
	return built, nil
}

func (e *Engine) buildGraph(ctx context.Context) (Graph, error) {
	snapshot, err := e.snapshot(ctx)
	if err != nil {
		return Graph{}, err
	}
	defer snapshot.Close()
	notes, err := snapshot.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return Graph{}, err
	}
	resolver, err := e.resolverOf(ctx, snapshot, notes)
	if err != nil {
		return Graph{}, err
	}
	links := map[string][]store.Link{}
	for of, err := range snapshot.Links(ctx) {
		if err != nil {
			return Graph{}, err
		}
		links[of.Path] = of.Links
	}
	facts := make([]graph.Note, len(notes))
	for i, n := range notes {
		facts[i] = graph.Note{Path: n.Path, ID: n.NoteID, Title: n.Title, Type: n.Type, Passages: n.PassageCount, Links: links[n.Path]}
	}
	built := graph.Build(facts, resolver)
	return built, filterAgain(e, snapshot.meta, &built)
}

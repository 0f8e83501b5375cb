package quarry

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"quarry/graph"
	"quarry/store"
)

// Names of what the graph gives; each is explained where it is defined.
type (
	// Graph is the whole graph of the index. Its JSON form is part of the contract.
	Graph = graph.Graph
	// GraphStats are figures of the whole graph.
	GraphStats = graph.Stats
	// RelatedNote is a note that belongs to another without being linked with it.
	RelatedNote = graph.Related
	// ReachedNote is a note some links away from another.
	ReachedNote = graph.Reached
)

// MaxHops is how many links away a question about links may go.
const MaxHops = 6

// LinksRequest asks for what lies around a note.
type LinksRequest struct {
	Note string // path, name, title, alias or "#docid"
	// Kinds are those of the edges that are wanted, letter case aside; none: all that people wrote. Edges that the type of a
	// note implies are in the answer where their kind is named here.
	Kinds      []string
	Unresolved bool // of the links from the note those alone that lead nowhere, or not to all that they name; none to it
	Hops       int  // notes from 2 to this many links away, either way, go into NoteLinks.Reached; 0 and 1: none; at most MaxHops
	Related    int  // so many related notes at most go into NoteLinks.Related; 0: none
}

// eachLink visits the links of all notes, by source, then line, with what became of each.
func (f *finder) eachLink(ctx context.Context, visit func(source string, link graph.Link)) error {
	resolver, err := f.names(ctx)
	if err != nil {
		return err
	}
	outlines := newOutlineReader(f.view)
	resolver = resolver.WithOutlines(func(path string) *graph.Outline { return outlines.of(ctx, path) })
	for of, err := range f.view.Links(ctx) {
		if err != nil {
			return err
		}
		one := func(yield func(store.LinksOf, error) bool) { yield(of, nil) }
		around, err := graph.Around(of.Path, iter.Seq2[store.LinksOf, error](one), resolver)
		if err := cmp.Or(err, outlines.err); err != nil {
			return err
		}
		for i := range around.Out {
			visit(of.Path, around.Out[i])
		}
	}
	return nil
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
	v, err := e.snapshot(ctx)
	if err != nil {
		return Graph{}, err
	}
	defer v.Close()
	built, err := (&finder{engine: e, view: v}).graph(ctx)
	if err != nil {
		return Graph{}, err
	}
	return built, filterAgain(e, v.meta, &built)
}

// graph builds the graph of the view.
func (f *finder) graph(ctx context.Context) (Graph, error) {
	if f.isBuilt {
		return f.built, nil
	}
	notes, err := f.view.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return Graph{}, err
	}
	resolver, err := f.names(ctx)
	if err != nil {
		return Graph{}, err
	}
	links := map[string][]store.Link{}
	for of, err := range f.view.Links(ctx) {
		if err != nil {
			return Graph{}, err
		}
		links[of.Path] = of.Links
	}
	implied, err := impliedIn(ctx, f.view)
	if err != nil {
		return Graph{}, err
	}
	facts := make([]graph.Note, len(notes))
	for i := range notes {
		n := &notes[i]
		facts[i] = graph.Note{
			Path: n.Path, ID: n.NoteID, Title: n.Title, Type: n.Type, Passages: n.PassageCount, Links: links[n.Path], Defaults: implied.kinds(n),
		}
	}
	f.built = graph.Build(facts, resolver)
	f.isBuilt = true
	return f.built, nil
}

// GraphStats counts what the graph has.
func (e *Engine) GraphStats(ctx context.Context) (_ GraphStats, err error) {
	defer e.clean(&err)
	stats, err := e.graphStats(ctx)
	if err != nil {
		return GraphStats{}, fmt.Errorf("count the graph: %w", err)
	}
	return stats, nil
}

func (e *Engine) graphStats(ctx context.Context) (GraphStats, error) {
	v, err := e.snapshot(ctx)
	if err != nil {
		return GraphStats{}, err
	}
	defer v.Close()
	names := &finder{engine: e, view: v}
	built, err := names.graph(ctx)
	if err != nil {
		return GraphStats{}, err
	}
	links, dead := 0, 0
	err = names.eachLink(ctx, func(_ string, link graph.Link) {
		if link.State != graph.External {
			links++
		}
		if isDead(link.State) {
			dead++
		}
	})
	if err != nil {
		return GraphStats{}, err
	}
	stats := built.Stats(links, dead)
	return stats, filterAgain(e, v.meta, &stats)
}

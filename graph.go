package quarry

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

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

// GraphRequest says how the graph is written.
type GraphRequest struct {
	Format  string // one of GraphFormats; "": the first
	Written bool   // without the edges that types of notes imply, and without mirror images
}

// GraphFormats are the forms in which a graph can be written.
var GraphFormats = []string{"json", "dot", "graphml"}

// WriteGraph writes the whole graph, which is what Graph gives. A format that there is none of is an error, and nothing is written.
func (e *Engine) WriteGraph(ctx context.Context, w io.Writer, request GraphRequest) (err error) {
	defer e.clean(&err)
	if request.Format != "" && !slices.Contains(GraphFormats, request.Format) {
		return fmt.Errorf("write the graph: there is no format %q", request.Format)
	}
	built, err := e.buildGraph(ctx)
	if err != nil {
		return fmt.Errorf("write the graph: %w", err)
	}
	if request.Written {
		built.Edges = slices.DeleteFunc(built.Edges, func(edge graph.Edge) bool {
			return edge.Mirrored || strings.HasPrefix(edge.Rule, graph.RuleDefaults)
		})
	}
	switch request.Format {
	case "dot":
		return built.WriteDOT(w)
	case "graphml":
		return built.WriteGraphML(w)
	}
	return built.WriteJSON(w)
}

// eachLink visits the links of notes, by line within each, with what became of them.
func (f *finder) eachLink(ctx context.Context, sources iter.Seq2[store.LinksOf, error], visit func(source string, link graph.Link)) error {
	resolver, err := f.names(ctx)
	if err != nil {
		return err
	}
	outlines := newOutlineReader(f.view)
	resolver = resolver.WithOutlines(func(path string) *graph.Outline { return outlines.of(ctx, path) })
	for of, err := range sources {
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
	implied, err := f.impliedIn(ctx, nil)
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
	f.built.Edges = saidOnce(f.built.Edges)
	f.isBuilt = true
	return f.built, nil
}

// saidOnce leaves out of edges those of defaults where the note itself says the same.
func saidOnce(edges []graph.Edge) []graph.Edge {
	type said struct{ source, target, kind string }
	isDefault := func(e *graph.Edge) bool { return strings.HasPrefix(e.Rule, graph.RuleDefaults) }
	isWritten := map[said]bool{}
	for i := range edges {
		if e := &edges[i]; !isDefault(e) {
			isWritten[said{e.Source, e.Target, e.Kind}] = true
		}
	}
	return slices.DeleteFunc(edges, func(e graph.Edge) bool { return isDefault(&e) && isWritten[said{e.Source, e.Target, e.Kind}] })
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
	err = names.eachLink(ctx, v.Links(ctx), func(_ string, link graph.Link) {
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

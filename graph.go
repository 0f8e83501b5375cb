package quarry

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"quarry/graph"
	"quarry/internal/notetype"
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

// Graph gives the whole graph: notes with their weight, links between them, and the structure of their passages. Where it is to be
// written, WriteGraph needs a fraction of the memory.
func (e *Engine) Graph(ctx context.Context) (_ Graph, err error) {
	defer e.clean(&err)
	built, meta, err := e.assemble(ctx)
	if err != nil {
		return Graph{}, fmt.Errorf("build the graph: %w", err)
	}
	whole := built.Graph()
	return whole, filterAgain(e, meta, &whole)
}

// GraphRequest says how the graph is written.
type GraphRequest struct {
	Format  string // one of GraphFormats; "": the first
	Written bool   // without the edges that types of notes imply, and without mirror images
}

// GraphFormats are the forms in which a graph can be written.
var GraphFormats = []string{"json", "dot", "graphml"}

// WriteGraph writes the whole graph, edge by edge, which is what Graph gives; a picture, in DOT or GraphML, has no implied edge of a
// kind that is written between the two notes. Each text has been through Redactor. Nothing is written before the graph is known, and
// nothing where there is no such format.
func (e *Engine) WriteGraph(ctx context.Context, w io.Writer, request GraphRequest) (err error) {
	defer e.clean(&err)
	if request.Format != "" && !slices.Contains(GraphFormats, request.Format) {
		return fmt.Errorf("write the graph: there is no format %q", request.Format)
	}
	built, meta, err := e.assemble(ctx)
	if err != nil {
		return fmt.Errorf("write the graph: %w", err)
	}
	filter := e.ownFilter
	if !e.isOfNow(meta) {
		filter = e.filter
	}
	options := graph.WriteOptions{Written: request.Written, Clean: func(text string) string {
		clean, _ := filter.Redact(text)
		return clean
	}}
	switch request.Format {
	case "dot":
		return built.WriteDOT(w, options)
	case "graphml":
		return built.WriteGraphML(w, options)
	}
	return built.WriteJSON(w, options)
}

// assemble builds the graph, and gives the metadata of its index.
func (e *Engine) assemble(ctx context.Context) (*graph.Assembled, map[string]string, error) {
	v, err := e.snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer v.Close()
	built, err := (&finder{engine: e, view: v}).assemble(ctx)
	return built, v.meta, err
}

func (f *finder) assemble(ctx context.Context) (*graph.Assembled, error) {
	resolver, err := f.names(ctx)
	if err != nil {
		return nil, err
	}
	facts, err := f.graphNotes(ctx)
	if err != nil {
		return nil, err
	}
	return graph.AssembleFrom(facts, f.view.Links(ctx), resolver)
}

// graphNotes are what the graph takes from notes, but their links.
func (f *finder) graphNotes(ctx context.Context) ([]graph.Note, error) {
	implied, err := f.impliedIn(ctx, nil)
	if err != nil {
		return nil, err
	}
	notes, err := f.view.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return nil, err
	}
	facts := make([]graph.Note, len(notes))
	for i := range notes {
		n := &notes[i]
		facts[i] = graph.Note{
			Path: n.Path, ID: n.NoteID, Title: n.Title, Type: n.Type, TypeKey: notetype.Key(n.Type), Passages: n.PassageCount, Defaults: implied.kinds(n),
		}
	}
	return facts, nil
}

// implied tells which kinds of edges the types of notes imply, by the types that the index was made with.
type implied struct {
	types *notetype.Types
	// own has the properties of the notes that may say so themselves, by path.
	own map[string]map[string]any
}

// impliedIn reads properties of those notes alone that have the one that matters, where that may count; among are paths of notes, nil: of all.
func (f *finder) impliedIn(ctx context.Context, among map[string]bool) (*implied, error) {
	types, err := f.engine.indexedTypes(f.view.meta)
	if err != nil {
		return nil, err
	}
	i := &implied{types: types, own: map[string]map[string]any{}}
	if !types.Allows(notetype.OverrideEdgeDefaults) {
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

// GraphStats counts what the graph has. Dead links are those that DeadLinks lists.
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
	built, err := names.assemble(ctx)
	if err != nil {
		return GraphStats{}, err
	}
	_, tally, err := names.deadOfAll(ctx, func(*graph.Judgement) bool { return false })
	if err != nil {
		return GraphStats{}, err
	}
	stats := built.Stats(tally.Links, tally.Dead())
	return stats, filterAgain(e, v.meta, &stats)
}

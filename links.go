package quarry

import (
	"context"
	"fmt"

	"quarry/graph"
	"quarry/index"
	"quarry/store"
)

// NoteLinks are the links from and to a note. Its JSON form is part of the contract.
type NoteLinks = graph.Surroundings

// Graph is the whole graph of the index. Its JSON form is part of the contract.
type Graph = graph.Graph

// Links gives the links around an indexed note, by its path, name or "#docid".
func (e *Engine) Links(ctx context.Context, address string) (NoteLinks, error) {
	snapshot, err := e.snapshot(ctx)
	if err != nil {
		return NoteLinks{}, fmt.Errorf("links of %s: %w", index.StoredPath(address), err)
	}
	defer snapshot.Close()
	resolver, _, err := resolverOf(ctx, snapshot)
	if err != nil {
		return NoteLinks{}, fmt.Errorf("links of %s: %w", index.StoredPath(address), err)
	}
	path, err := indexedPath(ctx, snapshot, resolver, address)
	if err != nil {
		return NoteLinks{}, err
	}
	return graph.Around(path, snapshot.Links(ctx), resolver)
}

// indexedPath finds the note of the index that an address means.
func indexedPath(ctx context.Context, snapshot store.Snapshot, resolver *graph.Resolver, address string) (string, error) {
	n, ok, err := snapshot.Note(ctx, address)
	if err != nil {
		return "", fmt.Errorf("links of %s: %w", index.StoredPath(address), err)
	}
	if ok {
		return n.Path, nil
	}
	if resolution := resolver.Resolve(address, "", ""); address != "" && resolution.Path != "" {
		return resolution.Path, nil
	}
	return "", fmt.Errorf("links of %s: %w", index.StoredPath(address), ErrNotFound)
}

// resolverOf knows the names and aliases of all indexed notes.
func resolverOf(ctx context.Context, snapshot store.Snapshot) (*graph.Resolver, []store.Note, error) {
	notes, err := snapshot.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return nil, nil, err
	}
	paths, aliases := make([]string, len(notes)), map[string][]string{}
	for i, n := range notes {
		paths[i] = n.Path
		if len(n.Aliases) > 0 {
			aliases[n.Path] = n.Aliases
		}
	}
	return graph.NewResolver(paths).WithAliases(aliases), notes, nil
}

// Graph gives the whole graph: notes with their weight, links between them, and the structure of their passages.
func (e *Engine) Graph(ctx context.Context) (Graph, error) {
	snapshot, err := e.snapshot(ctx)
	if err != nil {
		return Graph{}, fmt.Errorf("build the graph: %w", err)
	}
	defer snapshot.Close()
	resolver, notes, err := resolverOf(ctx, snapshot)
	if err != nil {
		return Graph{}, fmt.Errorf("build the graph: %w", err)
	}
	links := map[string][]store.Link{}
	for of, err := range snapshot.Links(ctx) {
		if err != nil {
			return Graph{}, fmt.Errorf("build the graph: %w", err)
		}
		links[of.Path] = of.Links
	}
	facts := make([]graph.Note, len(notes))
	for i, n := range notes {
		facts[i] = graph.Note{Path: n.Path, ID: n.NoteID, Title: n.Title, Type: n.Type, Passages: n.PassageCount, Links: links[n.Path]}
	}
	return graph.Build(facts, resolver), nil
}

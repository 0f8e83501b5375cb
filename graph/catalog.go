package graph

import (
	"context"

	"quarry/internal/dialect"
	"quarry/store"
)

// ResolverOf makes a resolver of all names that a catalog has: notes with their titles and aliases, other files as far as keep
// lets them through (nil: all) and, where the dialect needs them, blocks.
func ResolverOf(ctx context.Context, catalog store.Catalog, of dialect.Dialect, keep func(other string) bool) (*Resolver, error) {
	notes, err := catalog.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return nil, err
	}
	paths, aliases, titles := make([]string, len(notes)), map[string][]string{}, map[string]string{}
	for i := range notes {
		n := &notes[i]
		paths[i] = n.Path
		if len(n.Aliases) > 0 {
			aliases[n.Path] = n.Aliases
		}
		titles[n.Path] = n.Title
	}
	if paths, err = withOthers(ctx, catalog, paths, keep); err != nil {
		return nil, err
	}
	resolver := NewResolver(paths).WithAliases(aliases).WithDialect(of, titles)
	if !resolver.NeedsBlocks() {
		return resolver, nil
	}
	return resolver.withStoredBlocks(ctx, catalog)
}

func withOthers(ctx context.Context, catalog store.Catalog, paths []string, keep func(string) bool) ([]string, error) {
	others, err := catalog.OtherFiles(ctx)
	for _, other := range others {
		if keep == nil || keep(other) {
			paths = append(paths, other)
		}
	}
	return paths, err
}

// withStoredBlocks tells the resolver which note has which block.
func (r *Resolver) withStoredBlocks(ctx context.Context, catalog store.Catalog) (*Resolver, error) {
	noteOf := map[string]string{}
	for of, err := range catalog.Outlines(ctx) {
		if err != nil {
			return nil, err
		}
		for _, id := range of.BlockIDs {
			if _, ok := noteOf[id]; !ok {
				noteOf[id] = of.Path
			}
		}
	}
	return r.WithBlocks(noteOf), nil
}

// Edges finds the links of a note, by its path, that lead to one of the notes: what store.Update.PutEdges takes. Embeds and
// links in comments count, headings and blocks do not: a link to a heading that is gone still leads to the note. nil if
// there are none.
func (r *Resolver) Edges(path string, links []store.Link, isNote func(path string) bool) []store.Edge {
	if r.outlines != nil {
		r = r.WithOutlines(nil)
	}
	var edges []store.Edge
	for i := range links {
		found := r.follow(&links[i], path)
		if found.resolution.Path != "" && isNote(found.resolution.Path) {
			edges = append(edges, store.Edge{Link: i, Target: found.resolution.Path, Kind: found.kind, Rule: found.rule})
		}
	}
	return edges
}

package quarry

import (
	"cmp"
	"context"
	"slices"

	"quarry/brief"
	"quarry/graph"
	"quarry/search"
	"quarry/store"
)

// Bounds of what is told of the place of a note.
const (
	maxMaps    = 8 // that are compared; of more, the first by path
	besideHits = 2 // notes of the map on each side
)

// addPlace tells where the note of a passage stands: the map of content that leads to it and few other notes, and those beside it.
func (b *block) addPlace(ctx context.Context, at int) error {
	path := b.parts[at].FilePath
	for i := range b.parts[:at] {
		if b.parts[i].FilePath == path {
			return nil
		}
	}
	place, err := b.placeOf(ctx, path)
	if err != nil || place == nil {
		return err
	}
	placed, before := b.parts[at].Passage, b.room()
	placed.Place = place
	if !b.replace(at, placed) {
		return nil
	}
	if grown := before - b.room(); grown <= b.place {
		b.place -= grown
		return nil
	}
	b.parts[at].Place = nil
	return nil
}

// placeOf finds the map that leads to a note, nil where none does or the note is one itself.
func (b *block) placeOf(ctx context.Context, path string) (*brief.Place, error) {
	web, err := b.finder.engine.webOf(ctx, b.finder)
	if err != nil {
		return nil, err
	}
	linking := map[string]bool{path: true}
	for _, source := range web.near([]string{path}, graph.Backward, 1) {
		linking[source] = true
	}
	notes, err := b.finder.view.Notes(ctx, store.NoteQuery{Filter: Filter{Among: linking}})
	if err != nil {
		return nil, err
	}
	var maps []string
	for i := range notes {
		switch isMap := graph.IsMap(notes[i].Path, notes[i].Type); {
		case isMap && notes[i].Path == path:
			return nil, nil
		case isMap && !graph.IsTemplate(notes[i].Path) && b.isThere(&notes[i]):
			maps = append(maps, notes[i].Path)
		}
	}
	edges, err := b.finder.edgesFrom(ctx, maps[:min(len(maps), maxMaps)])
	if err != nil || len(edges) == 0 {
		return nil, err
	}
	best := slices.MinFunc(edges, func(x, y store.EdgesOf) int {
		return cmp.Or(cmp.Compare(len(x.Edges), len(y.Edges)), cmp.Compare(x.Path, y.Path))
	})
	beside, err := b.beside(ctx, best, path)
	return &brief.Place{Map: best.Path, Beside: beside}, err
}

// beside lists the notes next to one in a map, in its order.
func (b *block) beside(ctx context.Context, of store.EdgesOf, path string) ([]string, error) {
	var order []string
	for i := range of.Edges {
		if target := of.Edges[i].Target; target != of.Path && !slices.Contains(order, target) {
			order = append(order, target)
		}
	}
	at := slices.Index(order, path)
	if at < 0 {
		return nil, nil
	}
	order = order[max(at-besideHits, 0):min(at+1+besideHits, len(order))]
	among := map[string]bool{}
	for _, other := range order {
		among[other] = other != path
	}
	notes, err := b.finder.view.Notes(ctx, store.NoteQuery{Filter: Filter{Among: among}})
	if err != nil {
		return nil, err
	}
	isThere := map[string]bool{}
	for i := range notes {
		isThere[notes[i].Path] = b.isThere(&notes[i])
	}
	return slices.DeleteFunc(slices.Clone(order), func(other string) bool { return other == path || !isThere[other] }), nil
}

// isThere tells whether the file of a note is one that may be named now.
func (b *block) isThere(n *store.Note) bool {
	presence := b.searcher.Presence(n.File)
	return presence == search.Fresh || presence == search.Stale
}

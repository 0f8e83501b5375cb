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
	note := b.parts[at].note
	if note == nil {
		return nil
	}
	for i := range b.parts[:at] {
		if of := b.parts[i].note; of != nil && of.Path == note.Path {
			return nil
		}
	}
	place, err := b.placeOf(ctx, note.Path)
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
	linking := web.near([]string{path}, graph.Backward, 1)
	if len(linking) == 0 {
		return nil, nil
	}
	isMap, err := web.mapsIn(ctx, b.finder)
	if err != nil || isMap[path] {
		return nil, err
	}
	maps := slices.DeleteFunc(linking, func(source string) bool { return !isMap[source] })
	slices.Sort(maps)
	maps, err = b.thoseThere(ctx, maps[:min(len(maps), maxMaps)])
	if err != nil {
		return nil, err
	}
	edges, err := b.finder.edgesFrom(ctx, maps)
	if err != nil || len(edges) == 0 {
		return nil, err
	}
	best := slices.MinFunc(edges, func(x, y store.EdgesOf) int {
		return cmp.Or(cmp.Compare(len(x.Edges), len(y.Edges)), cmp.Compare(x.Path, y.Path))
	})
	beside, err := b.beside(ctx, best, path)
	for i := range beside {
		beside[i] = b.finder.engine.shown(beside[i])
	}
	return &brief.Place{Map: b.finder.engine.shown(best.Path), Beside: beside}, err
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
	before, behind := order[max(at-besideHits, 0):at], order[at+1:min(at+1+besideHits, len(order))]
	return b.thoseThere(ctx, slices.Concat(before, behind))
}

// thoseThere leaves the notes whose files may be named now.
func (b *block) thoseThere(ctx context.Context, paths []string) ([]string, error) {
	var there []string
	for _, path := range paths {
		n, ok, err := b.finder.view.Note(ctx, path)
		switch {
		case err != nil:
			return nil, err
		case !ok:
			continue
		}
		if presence := b.searcher.Presence(n.File); presence == search.Fresh || presence == search.Stale {
			there = append(there, path)
		}
	}
	return there, nil
}

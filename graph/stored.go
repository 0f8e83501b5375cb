package graph

import (
	"iter"
	"slices"

	"quarry/store"
)

// StoredNetwork is the network of the notes that edges join, as an index keeps them: a note without any is not in it. It fails
// only where reading them does.
func StoredNetwork(edges iter.Seq2[store.EdgesOf, error]) (*Network, error) {
	b := &builder{nodes: map[string]int32{}}
	for of, err := range edges {
		if err != nil {
			return nil, err
		}
		for i := range of.Edges {
			if of.Edges[i].Target != of.Path {
				b.pairs = append(b.pairs, pair{b.node(of.Path), b.node(of.Edges[i].Target)})
			}
		}
	}
	return b.sorted().network(), nil
}

// node is the place of a note, which comes in if it is not there.
func (b *builder) node(path string) int32 {
	node, ok := b.nodes[path]
	if !ok {
		node = int32(len(b.paths))
		b.paths, b.nodes[path] = append(b.paths, path), node
	}
	return node
}

// sorted puts the notes in order.
func (b *builder) sorted() *builder {
	s := newBuilder(b.paths)
	for _, p := range b.pairs {
		s.pairs = append(s.pairs, pair{s.nodes[b.paths[p.from]], s.nodes[b.paths[p.to]]})
	}
	return s
}

// Kinds says of which edges KindNetwork is one.
type Kinds struct {
	Wanted []string // in lower case
	// Implied gives the kinds that each reference of a note to another implies; nil: none.
	Implied func(path string) []string
}

// KindNetwork is the network of some notes by edges of some kinds, as an index keeps them: written ones, implied ones, and the
// mirror images of both. It fails only where reading the edges does.
func KindNetwork(paths []string, edges iter.Seq2[store.EdgesOf, error], kinds Kinds) (*Network, error) {
	b := newBuilder(paths)
	isWanted := func(kind string) bool { return slices.Contains(kinds.Wanted, kind) }
	for of, err := range edges {
		if err != nil {
			return nil, err
		}
		implied, mirrored := false, false
		if kinds.Implied != nil {
			for _, kind := range kinds.Implied(of.Path) {
				implied = implied || isWanted(kind)
				mirrored = mirrored || isWanted(kind) && isSymmetric(kind)
			}
		}
		for i := range of.Edges {
			edge := &of.Edges[i]
			if implied || isWanted(edge.Kind) {
				b.join(of.Path, edge.Target)
			}
			if mirrored || isWanted(edge.Kind) && isSymmetric(edge.Kind) {
				b.join(edge.Target, of.Path)
			}
		}
	}
	return b.network(), nil
}

// Near lists the notes that are at most hops edges away from some, without these, in no order. It reads the edges once a hop,
// which is less than to make a network of them for one question.
func Near(edges []store.EdgesOf, from []string, way Direction, hops int) []string {
	seen := make(map[string]bool, len(from))
	for _, path := range from {
		seen[path] = true
	}
	var near []string
	for ; hops > 0 && len(from) > 0; hops-- {
		from = step(edges, from, seen, way)
		near = append(near, from...)
	}
	return near
}

// step lists the notes one edge away from some that were not seen yet.
func step(edges []store.EdgesOf, from []string, seen map[string]bool, way Direction) []string {
	isFrom := make(map[string]bool, len(from))
	for _, path := range from {
		isFrom[path] = true
	}
	var next []string
	see := func(path string) {
		if !seen[path] {
			seen[path] = true
			next = append(next, path)
		}
	}
	for i := range edges {
		of := &edges[i]
		if way == Forward && !isFrom[of.Path] {
			continue
		}
		for k := range of.Edges {
			target := of.Edges[k].Target
			if way != Backward && isFrom[of.Path] {
				see(target)
			}
			if way != Forward && isFrom[target] {
				see(of.Path)
			}
		}
	}
	return next
}

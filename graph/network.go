package graph

import (
	"context"
	"iter"

	"quarry/internal/dialect"
	"quarry/store"
)

// ResolverOf makes a resolver of all names that a catalog has: notes with their titles and aliases, other files as far as keep
// lets them through (nil: all), and, where the dialect needs them, blocks.
func ResolverOf(ctx context.Context, catalog store.Catalog, of dialect.Dialect, keep func(other string) bool) (*Resolver, error) {
	return nil, nil
}

// Edges finds the links of a note that lead to one of the notes: what store.Update.PutEdges takes.
func (r *Resolver) Edges(path string, links []store.Link, isNote func(path string) bool) []store.Edge {
	return nil
}

// Network tells who links to whom among some notes: each pair once, links to the note itself left out. It does not change and
// is safe for concurrent use.
type Network struct{}

// Direction is the way in which links are followed.
type Direction int

// Directions.
const (
	Forward  Direction = iota // from a note to those it links to
	Backward                  // from a note to those that link to it
	Both
)

// NewNetwork makes a network of notes (paths, in any order) and pairs of them, source first; a pair of which one is no note of
// the list is left out.
func NewNetwork(paths []string, pairs iter.Seq2[string, string]) *Network { return &Network{} }

// StoredNetwork makes one of the edges that an index keeps.
func StoredNetwork(ctx context.Context, paths []string, linked store.Linked) (*Network, error) {
	return &Network{}, nil
}

// Network is that of the edges between notes that are of some kinds; none: of all, but those of defaults.
func (g Graph) Network(kinds ...string) *Network { return &Network{} }

// Paths are the notes, sorted.
func (n *Network) Paths() []string { return nil }

// Figures are those of all notes in the order of Paths, Weight 0.
func (n *Network) Figures() []store.Figures { return nil }

// Reached is a note some links away.
type Reached struct {
	Path string `json:"path"`
	Hops int    `json:"hops"` // links on the shortest way, at least 1
	Via  string `json:"via"`  // the note before it on that way, the first in byte order
}

// Reach lists the notes that are at most hops links away from some, without these, by hops, then path.
func (n *Network) Reach(from []string, way Direction, hops int) []Reached { return nil }

// Related lists the notes that are near one by what they link to and what links to them, but not linked with it, nearest first,
// at most limit. Scores are 0 to 1.
func (n *Network) Related(path string, limit int) []Related { return nil }

// Components are the sets of notes that hang together, the directions of links left aside, largest first, paths sorted.
func (n *Network) Components() [][]string { return nil }

// Communities are sets of notes that link among themselves more than to others, largest first, paths sorted.
func (n *Network) Communities() [][]string { return nil }

package graph

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"quarry/store"
)

// Network tells who links to whom among some notes: each pair once, links to the note itself left out. It does not change and
// is safe for concurrent use.
type Network struct {
	paths []string // sorted, distinct; nodes are places in it
	out   adjacency
	in    adjacency
	// profiles are what Related compares with, made when first asked for.
	profiles func() []float64
}

// adjacency lists the neighbours of each node in ascending order, one list behind the other.
type adjacency struct {
	starts []int32 // of each node's list in nodes, and the end
	nodes  []int32
}

func (a *adjacency) of(node int32) []int32 { return a.nodes[a.starts[node]:a.starts[node+1]] }

func (a *adjacency) degree(node int32) int { return int(a.starts[node+1] - a.starts[node]) }

// pair is a link between nodes.
type pair struct{ from, to int32 }

func (p pair) compare(other pair) int {
	return cmp.Or(cmp.Compare(p.from, other.from), cmp.Compare(p.to, other.to))
}

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
func NewNetwork(paths []string, pairs iter.Seq2[string, string]) *Network {
	b := newBuilder(paths)
	for source, target := range pairs {
		b.join(source, target)
	}
	return b.network()
}

// builder gathers the pairs of a network.
type builder struct {
	paths []string
	nodes map[string]int32
	pairs []pair
}

func newBuilder(paths []string) *builder {
	b := &builder{paths: paths}
	if !slices.IsSorted(paths) {
		b.paths = slices.Sorted(slices.Values(paths))
	}
	b.paths = slices.Compact(slices.Clone(b.paths))
	b.nodes = make(map[string]int32, len(b.paths))
	for i, path := range b.paths {
		b.nodes[path] = int32(i)
	}
	return b
}

func (b *builder) join(source, target string) {
	from, isSource := b.nodes[source]
	if to, ok := b.nodes[target]; ok && isSource && to != from {
		b.pairs = append(b.pairs, pair{from, to})
	}
}

func (b *builder) network() *Network {
	n := &Network{paths: b.paths}
	// Two stable distributions, by target and then by source, sort the pairs.
	n.in = adjacent(len(b.paths), b.pairs, func(p pair) (int32, int32) { return p.to, p.from })
	n.out = n.in.turned()
	n.in = n.out.turned()
	n.profiles = sync.OnceValue(func() []float64 { return profilesOf(n) })
	return n
}

// adjacent lists, for each node, the others of its pairs, in the order of pairs.
func adjacent(nodes int, pairs []pair, split func(pair) (node, other int32)) adjacency {
	a := adjacency{starts: make([]int32, nodes+1), nodes: make([]int32, len(pairs))}
	for _, p := range pairs {
		node, _ := split(p)
		a.starts[node+1]++
	}
	for i := range nodes {
		a.starts[i+1] += a.starts[i]
	}
	next := slices.Clone(a.starts)
	for _, p := range pairs {
		node, other := split(p)
		a.nodes[next[node]] = other
		next[node]++
	}
	return a
}

// turned gives the same pairs seen from the other side, each once, neighbours ascending.
func (a *adjacency) turned() adjacency {
	nodes := len(a.starts) - 1
	t := adjacency{starts: make([]int32, nodes+1), nodes: make([]int32, len(a.nodes))}
	for _, other := range a.nodes {
		t.starts[other+1]++
	}
	for i := range nodes {
		t.starts[i+1] += t.starts[i]
	}
	ends := slices.Clone(t.starts[:nodes])
	for node := range int32(nodes) {
		for _, other := range a.of(node) {
			if last := ends[other]; last == t.starts[other] || t.nodes[last-1] != node {
				t.nodes[last] = node
				ends[other]++
			}
		}
	}
	kept := int32(0)
	for node := range nodes {
		start := kept
		kept += int32(copy(t.nodes[kept:], t.nodes[t.starts[node]:ends[node]]))
		t.starts[node] = start
	}
	t.starts[nodes], t.nodes = kept, t.nodes[:kept:kept]
	return t
}

// Figures are those of all notes, by path, Weight 0.
func (n *Network) Figures() []store.Figures {
	figures := make([]store.Figures, len(n.paths))
	for i, rank := range pageRank(&n.out) {
		node := int32(i)
		figures[i] = store.Figures{Path: n.paths[i], PageRank: rank, In: n.in.degree(node), Out: n.out.degree(node)}
	}
	return figures
}

// Reached is a note some links away.
type Reached struct {
	Path string `json:"path"`
	Hops int    `json:"hops"` // links on the shortest way, at least 1
	Via  string `json:"via"`  // the note before it on that way, the first in byte order
}

// Reach lists the notes that are at most hops links away from some, without these, by hops, then path. Never nil.
func (n *Network) Reach(from []string, way Direction, hops int) []Reached {
	reached, seen, edge := []Reached{}, make([]bool, len(n.paths)), []int32{}
	for _, path := range from {
		if node, ok := slices.BinarySearch(n.paths, path); ok && !seen[node] {
			seen[node] = true
			edge = append(edge, int32(node))
		}
	}
	for hop := 1; hop <= hops && len(edge) > 0; hop++ {
		slices.Sort(edge)
		first, before := len(reached), edge
		edge = nil
		for _, node := range before {
			for _, list := range n.followed(node, way) {
				for _, next := range list {
					if !seen[next] {
						seen[next] = true
						edge = append(edge, next)
						reached = append(reached, Reached{Path: n.paths[next], Hops: hop, Via: n.paths[node]})
					}
				}
			}
		}
		sortReached(reached[first:])
	}
	return reached
}

func (n *Network) followed(node int32, way Direction) [2][]int32 {
	var lists [2][]int32
	if way != Backward {
		lists[0] = n.out.of(node)
	}
	if way != Forward {
		lists[1] = n.in.of(node)
	}
	return lists
}

// named gives the paths of nodes, never nil.
func (n *Network) named(nodes []int32) []string {
	paths := make([]string, len(nodes))
	for i, node := range nodes {
		paths[i] = n.paths[node]
	}
	return paths
}

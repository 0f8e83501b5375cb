package graph

import "slices"

// Limits of the search for communities. Real networks are done after a handful of rounds and levels.
const (
	communityRounds = 32 // over all nodes, on one level
	communityLevels = 32
)

// Communities are sets of notes that link among themselves more than to others, largest first, then by their first path; paths
// sorted. Every note is in one, alone where it is not linked. Never nil.
//
// It is the method of Louvain (Blondel, Guillaume, Lambiotte and Lefebvre 2008) on Newman's modularity, the directions of
// links left aside, in the order of paths and in whole numbers, so that it tells the same on every machine; what no link
// holds together is taken apart at the end (Traag, Waltman and van Eck 2019). That of gonum (community.Modularize) took 2.8 s
// for 17,000 notes and 100,000 links.
func (n *Network) Communities() [][]string {
	w := n.weighted()
	member := make([]int32, len(n.paths)) // the node of w that stands for each note
	for i := range member {
		member[i] = int32(i)
	}
	for range communityLevels {
		label, count := w.settle()
		for i := range member {
			member[i] = label[member[i]]
		}
		if int(count) == len(w.own) {
			break
		}
		w = w.merged(label, count)
	}
	return n.sets(n.labelled(func(from, to int32) bool { return member[from] == member[to] }))
}

// weighted is a network without directions whose links have weights, and whose nodes may be sets of notes.
type weighted struct {
	adjacency
	weights []int64 // of the links in nodes
	own     []int64 // twice the weight of the links within each node
}

// weighted counts a link each way.
func (n *Network) weighted() *weighted {
	pairs := make([]pair, 0, len(n.out.nodes)+len(n.in.nodes))
	for node := range int32(len(n.paths)) {
		for _, list := range n.followed(node, Both) {
			for _, other := range list {
				pairs = append(pairs, pair{node, other})
			}
		}
	}
	w := &weighted{own: make([]int64, len(n.paths)), weights: make([]int64, len(pairs))}
	w.adjacency = adjacent(len(n.paths), pairs, func(p pair) (int32, int32) { return p.from, p.to })
	for i := range w.weights {
		w.weights[i] = 1 // two links between two notes stand side by side as two
	}
	return w
}

// community is the state of a search: nodes begin alone and move to where modularity grows most.
type community struct {
	*weighted
	label  []int32
	degree []int64 // weight of the links of each node, those within it twice
	total  []int64 // sum of degrees by label
	whole  int64   // sum of all
	near   []int64 // weight of the links from the node at hand, by label
	labels []int32 // of which near is not 0
}

// settle moves nodes until none gains by it, and numbers the sets that came about by their first node.
func (w *weighted) settle() (label []int32, count int32) {
	nodes := len(w.own)
	c := &community{
		weighted: w, label: make([]int32, nodes), degree: make([]int64, nodes), total: make([]int64, nodes), near: make([]int64, nodes),
	}
	for i := range c.label {
		c.label[i], c.degree[i] = int32(i), w.own[i]
		for _, weight := range w.weights[w.starts[i]:w.starts[i+1]] {
			c.degree[i] += weight
		}
		c.total[i] = c.degree[i]
		c.whole += c.degree[i]
	}
	for range communityRounds {
		moved := false
		for i := range c.label {
			moved = c.move(int32(i)) || moved
		}
		if !moved {
			break
		}
	}
	return numbered(c.label)
}

// move puts a node where it gains most; it stays where it is, or else goes to the first of them, where several are as good.
// The gain is that of modularity times half the square of the whole, which is a whole number.
func (c *community) move(node int32) bool {
	c.labels = c.labels[:0]
	for i := c.starts[node]; i < c.starts[node+1]; i++ {
		l := c.label[c.nodes[i]]
		if c.near[l] == 0 {
			c.labels = append(c.labels, l)
		}
		c.near[l] += c.weights[i]
	}
	from, degree := c.label[node], c.degree[node]
	c.total[from] -= degree
	gain := func(l int32) int64 { return c.near[l]*c.whole - degree*c.total[l] }
	best, most := from, gain(from)
	for _, l := range c.labels {
		if g := gain(l); g > most || g == most && best != from && l < best {
			best, most = l, g
		}
	}
	for _, l := range c.labels {
		c.near[l] = 0
	}
	c.label[node] = best
	c.total[best] += degree
	return best != from
}

// numbered gives labels without gaps, in the order in which they come first.
func numbered(label []int32) (numbers []int32, count int32) {
	number := make([]int32, len(label))
	for i := range number {
		number[i] = -1
	}
	for i, l := range label {
		if number[l] < 0 {
			number[l] = count
			count++
		}
		label[i] = number[l]
	}
	return label, count
}

// merged makes one node of each set.
func (w *weighted) merged(label []int32, count int32) *weighted {
	type link struct {
		pair
		weight int64
	}
	m := &weighted{own: make([]int64, count)}
	var links []link
	for i := range w.own {
		m.own[label[i]] += w.own[i]
		for at := w.starts[i]; at < w.starts[i+1]; at++ {
			from, to := label[i], label[w.nodes[at]]
			if from == to {
				m.own[from] += w.weights[at]
				continue
			}
			links = append(links, link{pair{from, to}, w.weights[at]})
		}
	}
	slices.SortFunc(links, func(a, b link) int { return a.compare(b.pair) })
	m.starts = make([]int32, count+1)
	for i, l := range links {
		if i > 0 && links[i-1].pair == l.pair {
			m.weights[len(m.weights)-1] += l.weight
			continue
		}
		m.nodes, m.weights = append(m.nodes, l.to), append(m.weights, l.weight)
		m.starts[l.from+1]++
	}
	for i := range count {
		m.starts[i+1] += m.starts[i]
	}
	return m
}

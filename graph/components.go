package graph

import (
	"cmp"
	"slices"
	"strings"
)

// Components are the sets of notes that hang together, the directions of links left aside, largest first, then by their first
// path; paths sorted. Every note is in one. Never nil.
func (n *Network) Components() [][]string {
	return n.sets(n.labelled(func(_, _ int32) bool { return true }))
}

// labelled labels the notes so that two have one label if links join them, on a way of which every step is good.
func (n *Network) labelled(good func(from, to int32) bool) (label []int32, count int32) {
	label = make([]int32, len(n.paths))
	for i := range label {
		label[i] = -1
	}
	var open []int32
	for i := range label {
		if label[i] >= 0 {
			continue
		}
		label[i], open = count, append(open[:0], int32(i))
		for len(open) > 0 {
			node := open[len(open)-1]
			open = open[:len(open)-1]
			for _, list := range n.followed(node, Both) {
				for _, next := range list {
					if label[next] < 0 && good(node, next) {
						label[next] = count
						open = append(open, next)
					}
				}
			}
		}
		count++
	}
	return label, count
}

// sets lists the notes by label, of which there are count.
func (n *Network) sets(label []int32, count int32) [][]string {
	sets := make([][]string, count)
	for i, l := range label {
		sets[l] = append(sets[l], n.paths[i])
	}
	slices.SortFunc(sets, func(a, b []string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a[0], b[0]))
	})
	return sets
}

// sortReached orders notes at one distance by path; each is there once.
func sortReached(reached []Reached) {
	slices.SortFunc(reached, func(a, b Reached) int { return strings.Compare(a.Path, b.Path) })
}

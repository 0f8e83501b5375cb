package graph

import (
	"math"
	"slices"
)

// Settings of PageRank: damping as in Brin and Page, "The Anatomy of a Large-Scale Hypertextual Web Search Engine" (1998).
// After pageRankRounds the error is below 0.85^100, under 1e-7 of the whole.
const (
	pageRankDamping   = 0.85
	pageRankRounds    = 100
	pageRankTolerance = 1e-10 // sum of the changes in one round, at which it is done
	pageRankUnit      = 1e-6  // of the published figures, wide enough to hide how a processor rounds
)

// pageRank weighs nodes by the links between them: targets lists, for each node, those it points to. Repeated targets
// count once, and a node's link to itself does not count. A node without links gives its weight to all alike.
func pageRank(targets [][]int) []float64 {
	n := len(targets)
	out := make([][]int, n)
	for i, list := range targets {
		own := slices.Sorted(slices.Values(list))
		out[i] = slices.DeleteFunc(slices.Compact(own), func(target int) bool { return target == i })
	}
	weights, next := make([]float64, n), make([]float64, n)
	for i := range weights {
		weights[i] = 1 / float64(n)
	}
	for range pageRankRounds {
		change := pageRankRound(out, weights, next)
		weights, next = next, weights
		if change < pageRankTolerance {
			break
		}
	}
	for i := range weights {
		weights[i] = math.Round(weights[i]/pageRankUnit) / math.Round(1/pageRankUnit)
	}
	return weights
}

// pageRankRound computes the weights after one more step, and the sum of the changes. Products are converted so that
// they are rounded before they are added, on every processor alike.
func pageRankRound(out [][]int, weights, next []float64) (change float64) {
	n, loose := float64(len(out)), 0.0
	clear(next)
	for i, list := range out {
		if len(list) == 0 {
			loose += weights[i]
			continue
		}
		share := weights[i] / float64(len(list))
		for _, target := range list {
			next[target] += share
		}
	}
	base := (1-pageRankDamping)/n + float64(pageRankDamping*loose)/n
	for i := range next {
		next[i] = base + float64(pageRankDamping*next[i])
		change += math.Abs(next[i] - weights[i])
	}
	return change
}

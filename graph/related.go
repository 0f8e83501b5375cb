package graph

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// relatedDamping keeps notes with a single link or two from being as near as those that share many: see Related.
const relatedDamping = 1

// Related lists the notes that are near one by what they link to and what links to them, but not linked with it, nearest
// first, then by path, at most limit. Scores are above 0 and below 1, multiples of 1e-6. Never nil.
//
// Two notes are near if others link to both (co-citation: Small 1973) or both link to others (bibliographic coupling: Kessler
// 1963). Each such note z counts w(z) = 1/ln(1+d), d being the links that it has on that side, so that hubs count less
// (Adamic and Adar 2003). With shared(a, b) the sum of w over the notes that a and b share, the score is
// shared(a, b) / (√(shared(a, a)·shared(b, b)) + 1): Salton's cosine, damped where little is known.
func (n *Network) Related(path string, limit int) []Related {
	related := []Related{}
	at, ok := slices.BinarySearch(n.paths, path)
	if !ok || limit <= 0 {
		return related
	}
	node, profiles := int32(at), n.profiles()
	for other, shared := range n.shared(node) {
		root := math.Sqrt(profiles[node] * profiles[other])
		if score := inUnits(shared / (root + relatedDamping)); score > 0 {
			related = append(related, Related{Path: n.paths[other], Score: score})
		}
	}
	slices.SortFunc(related, func(a, b Related) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path))
	})
	return related[:min(len(related), limit)]
}

// shared sums, for each note that is not linked with the given one, the weights of what they share, in a fixed order.
func (n *Network) shared(node int32) map[int32]float64 {
	shared := map[int32]float64{}
	for _, z := range n.out.of(node) {
		weight := sharedWeight(n.in.degree(z))
		for _, other := range n.in.of(z) {
			shared[other] += weight
		}
	}
	for _, z := range n.in.of(node) {
		weight := sharedWeight(n.out.degree(z))
		for _, other := range n.out.of(z) {
			shared[other] += weight
		}
	}
	delete(shared, node)
	for _, list := range n.followed(node, Both) {
		for _, neighbour := range list {
			delete(shared, neighbour)
		}
	}
	return shared
}

// profilesOf are what each note shares with itself: the weights of all that it links to, and of all that links to it.
func profilesOf(n *Network) []float64 {
	profiles := make([]float64, len(n.paths))
	for _, side := range [...][2]*adjacency{{&n.out, &n.in}, {&n.in, &n.out}} {
		weights := make([]float64, len(n.paths))
		for i := range weights {
			weights[i] = sharedWeight(side[1].degree(int32(i)))
		}
		for i := range profiles {
			for _, z := range side[0].of(int32(i)) {
				profiles[i] += weights[z]
			}
		}
	}
	return profiles
}

// sharedWeight is that of a note with so many links on the side of those that share it.
func sharedWeight(links int) float64 { return 1 / math.Log1p(float64(links)) }

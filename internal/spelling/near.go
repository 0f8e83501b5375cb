package spelling

import (
	"cmp"
	"slices"
	"strings"
)

const (
	maxNear       = 3   // names that a mistake may have meant
	leastNear     = .5  // share of letter pairs that they have in common with it
	shareOfSlip   = .7  // what a name counts that is one or two letters away, at least
	belowBest     = .2  // how much less that may be than of the nearest
	maxNearBytes  = 256 // a longer name is no slip of one that is there
	leastForSlips = 4   // bytes: of shorter names another one is always near
)

// Near gives the names of a list that come nearest to one that is not in it, the nearest first, three at most: by the pairs of letters
// that they share, or as one or two letters away from it. Letter case is left aside. A name of more than 256 bytes has none.
func Near(name string, known []string) []string {
	type candidate struct {
		name  string
		share float64
	}
	if len(name) > maxNearBytes {
		return nil
	}
	wanted := PairsOf(name)
	var found []candidate
	for _, one := range known {
		share := wanted.Likeness(PairsOf(one))
		if _, ok := Edits(strings.ToLower(name), strings.ToLower(one), 2); ok && len(name) >= leastForSlips {
			share = max(share, shareOfSlip)
		}
		if share > leastNear {
			found = append(found, candidate{one, share})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.name, b.name)) })
	var names []string
	for _, c := range found[:min(len(found), maxNear)] {
		if c.share >= found[0].share-belowBest {
			names = append(names, c.name)
		}
	}
	return names
}

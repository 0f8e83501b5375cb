package search

import (
	"math"
	"slices"
)

// What a passage loses that stands behind many of its note. It is a share of its score, so that it means the same in every form.
const (
	repeatStep = .1 // for each passage of its note before it, from Settings.PerNote on
	repeatMost = .4
)

// repeatsNote is the name of what a passage loses.
const repeatsNote = "repeats its note"

// spread takes from passages of a note that already has some before it, so that others stand before them that are nearly as good.
// One that is much better than those of other notes stays. Fused ranks are left as they are. What tells whether the vault speaks of
// the query at all stays, too.
func (s Searcher) spread(plan *Plan, candidates []candidate) []candidate {
	settings := s.settings()
	if plan.Fusion == string(RRF) || settings.PerNote <= 0 {
		return candidates
	}
	seen := map[string]int{}
	isChanged := false
	for i := range candidates {
		c := &candidates[i]
		before := seen[c.Note.Path]
		seen[c.Note.Path]++
		if before < settings.PerNote {
			continue
		}
		share := min(repeatStep*float64(before-settings.PerNote+1), repeatMost)
		c.add(repeatsNote, -float64(share*math.Abs(c.score)))
		c.sum()
		isChanged = true
	}
	if isChanged {
		slices.SortStableFunc(candidates, compareSums)
	}
	return candidates
}

// sum makes the score of the amounts, and tells what of it is a sign that the vault speaks of the query, and no preference.
func (c *candidate) sum() (evidence float64) {
	total := 0.0
	for _, a := range c.amounts {
		total += a.Amount
	}
	c.score = round(total, scoreUnit)
	return total - c.preferred
}

package search

import "slices"

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
func (s Searcher) spread(request Request, candidates []candidate) []candidate {
	settings := s.settings()
	fusion := request.Fusion
	if fusion == "" {
		fusion = settings.Fusion
	}
	if fusion == RRF || settings.PerNote <= 0 {
		return candidates
	}
	seen := map[string]int{}
	isChanged := false
	for i := range candidates {
		c := &candidates[i]
		before := seen[c.Note.Path]
		seen[c.Note.Path]++
		if before < settings.PerNote || c.score <= 0 {
			continue
		}
		share := min(repeatStep*float64(before-settings.PerNote+1), repeatMost)
		c.add(repeatsNote, -float64(share*c.score))
		c.sum()
		isChanged = true
	}
	if isChanged {
		slices.SortStableFunc(candidates, compareSums)
	}
	return candidates
}

// sum makes the score of the amounts.
func (c *candidate) sum() {
	total := 0.0
	for _, a := range c.amounts {
		total += a.Amount
	}
	c.score = round(total, scoreUnit)
}

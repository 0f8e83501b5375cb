package search

import (
	"math"
	"testing"

	"quarry/store"
)

// TestSpread holds that passages beyond those that a note may have lose a share, so that others that are nearly as good stand before
// them, that a note which alone answers fills the list, and that the amounts go on adding up.
func TestSpread(t *testing.T) {
	a, b := &store.Note{File: store.File{Path: "a"}}, &store.Note{File: store.File{Path: "b"}}
	listOf := func(other float64) (list []candidate) {
		for i, score := range []float64{2, 1.99, 1.98, 1.97, other} {
			note := a
			if i == 4 {
				note = b
			}
			c := candidate{Candidate: store.Candidate{Note: note, Index: i}, confidence: .9}
			c.add("words", score)
			c.sum()
			list = append(list, c)
		}
		return list
	}
	for name, test := range map[string]struct {
		perNote int
		other   float64
		fusion  Fusion
		want    []int // indexes
	}{
		"nearly as good":     {2, 1.85, Sum, []int{0, 1, 4, 2, 3}},
		"far behind":         {2, .5, Sum, []int{0, 1, 2, 3, 4}},
		"three may stand":    {3, 1.85, Sum, []int{0, 1, 2, 4, 3}},
		"any number":         {0, 1.96, Sum, []int{0, 1, 2, 3, 4}},
		"ranks are as fused": {1, 1.96, RRF, []int{0, 1, 2, 3, 4}},
	} {
		settings := DefaultSettings()
		settings.PerNote = test.perNote
		s := Searcher{Settings: &settings}
		got := s.spread(&Plan{Fusion: string(test.fusion)}, listOf(test.other))
		for i, c := range got {
			sum := 0.0
			for _, amount := range c.amounts {
				sum += amount.Amount
			}
			if c.Index != test.want[i] || math.Abs(sum-c.score) > 1e-9 || i > 0 && c.score > got[i-1].score || c.confidence != .9 {
				t.Errorf("%s: %d. is %d, want %d; score %v of %v, confidence %v", name, i+1, c.Index, test.want[i], c.score, sum, c.confidence)
			}
		}
	}
}

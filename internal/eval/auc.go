package eval

import (
	"cmp"
	"slices"
)

// AUC is how surely a score tells the answered queries from those that a vault has no answer to: the chance that one of the first
// has a higher score than one of the others, ties counting half (the area under the ROC curve, Mann and Whitney 1947). .5 is
// no better than guessing; 0 where there are none of a kind.
func AUC(answered, foreign []float64) float64 {
	if len(answered) == 0 || len(foreign) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(foreign))
	sum := 0.0
	for _, score := range answered {
		below, _ := slices.BinarySearch(sorted, score)
		equal, _ := slices.BinarySearchFunc(sorted, score, func(element, target float64) int {
			if element <= target {
				return -1
			}
			return cmp.Compare(element, target)
		})
		sum += float64(below) + float64(equal-below)/2
	}
	return sum / float64(len(answered)) / float64(len(foreign))
}

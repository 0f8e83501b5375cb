package health

import "strings"

// maxNameRunes bounds what of a name is compared.
const maxNameRunes = 200

// pairsOf are the pairs of neighbouring letters of a name.
func pairsOf(name string) map[[2]rune]bool {
	pairs := map[[2]rune]bool{}
	previous, count := ' ', 0
	for _, r := range strings.ToLower(name) {
		if count++; count > maxNameRunes {
			break
		}
		pairs[[2]rune{previous, r}] = true
		previous = r
	}
	return pairs
}

// dice is Dice's coefficient (1945) of two sets, 0 to 1.
func dice(a, b map[[2]rune]bool) float64 {
	common := 0
	for pair := range a {
		if b[pair] {
			common++
		}
	}
	return 2 * float64(common) / float64(max(len(a)+len(b), 1))
}

package spelling

import (
	"slices"
	"strings"
)

// maxPairRunes bounds what of a name has pairs.
const maxPairRunes = 200

// Pairs are the pairs of neighbouring letters of a name in lower case, the first letter after a space, each once. It does not
// change and is safe for concurrent use.
type Pairs struct{ sorted []uint64 }

// PairsOf gives those of the first 200 characters of a name.
func PairsOf(name string) Pairs {
	pairs := make([]uint64, 0, min(len(name), maxPairRunes))
	previous := ' '
	for _, r := range strings.ToLower(firstRunes(name, maxPairRunes)) {
		pairs = append(pairs, uint64(uint32(previous))<<32|uint64(uint32(r))) //nolint:gosec // runes are not negative
		previous = r
	}
	slices.Sort(pairs)
	return Pairs{slices.Compact(pairs)}
}

func firstRunes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	count := 0
	for i := range text {
		if count == most {
			return text[:i]
		}
		count++
	}
	return text
}

// Likeness is the share of pairs that two names have in common, 0 to 1: Dice's coefficient (1945).
func (p Pairs) Likeness(other Pairs) float64 {
	common := 0
	a, b := p.sorted, other.sorted
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			common++
			a, b = a[1:], b[1:]
		}
	}
	return 2 * float64(common) / float64(max(len(p.sorted)+len(other.sorted), 1))
}

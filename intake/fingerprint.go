package intake

import (
	"math/bits"
	"strings"
)

// Near-duplicate texts: SimHash (Charikar 2002) of 64 bits over pairs of words. Fingerprints of unrelated texts differ in 32 bits more
// or less, as a coin tossed 64 times does, so that one pair of a hundred million is near by mistake (measured and computed:
// docs/intake-rules.md).
const (
	// MaxDistance is how many of 64 bits two fingerprints of near texts differ in at most.
	MaxDistance = 10

	minFingerprintWords = 24
	maxFingerprintBytes = 1 << 20
)

// Fingerprint is the fingerprint of a text; 0 where it has too few words to tell by (24), which is near to nothing. Case, marks and
// Markdown make no difference. Of a text above 1 MiB the beginning counts.
func Fingerprint(text string) uint64 {
	words := fingerprintWords(cut(text, maxFingerprintBytes))
	if len(words) < minFingerprintWords {
		return 0
	}
	var weights [64]int
	for at := 1; at < len(words); at++ {
		hash := mixed(words[at-1], words[at])
		for bit := range weights {
			weights[bit] += int(hash>>bit&1)*2 - 1
		}
	}
	var fingerprint uint64
	for bit, weight := range weights {
		if weight > 0 {
			fingerprint |= 1 << bit
		}
	}
	return max(fingerprint, 1)
}

// fingerprintWords are the words of a text; a letter of a script without spaces is one.
func fingerprintWords(text string) []string {
	plain := plainLetters(text)
	if hasWide(plain) {
		var b strings.Builder
		for _, c := range plain {
			if isCJK(c) {
				b.WriteByte(' ')
				b.WriteRune(c)
				b.WriteByte(' ')
			} else {
				b.WriteRune(c)
			}
		}
		plain = b.String()
	}
	return strings.Fields(plain)
}

// mixed hashes two words by FNV-1a, then mixes it to the last bit (splitmix64).
func mixed(first, second string) uint64 {
	hash := uint64(14695981039346656037)
	for _, word := range [2]string{first, second} {
		for at := range len(word) {
			hash = (hash ^ uint64(word[at])) * 1099511628211
		}
		hash = (hash ^ ' ') * 1099511628211
	}
	hash = (hash ^ hash>>30) * 0xbf58476d1ce4e5b9
	hash = (hash ^ hash>>27) * 0x94d049bb133111eb
	return hash ^ hash>>31
}

// AreNear tells that two fingerprints are of texts that are nearly the same.
func AreNear(a, b uint64) bool {
	return a != 0 && b != 0 && bits.OnesCount64(a^b) <= MaxDistance
}

// Nearby finds near fingerprints among those added. It looks at each of them, which takes some microseconds for ten thousand: fewer
// than a table by parts of fingerprints would at this distance. It is not safe for concurrent use. Its zero value is empty.
type Nearby struct{ added []uint64 }

// Add adds a fingerprint, whose number is how many were added before; 0 counts but is never found.
func (n *Nearby) Add(fingerprint uint64) { n.added = append(n.added, fingerprint) }

// Find is the number of the nearest fingerprint, the earliest of several; -1 where none is near.
func (n *Nearby) Find(fingerprint uint64) int {
	best, distance := -1, MaxDistance+1
	for at, other := range n.added {
		if d := bits.OnesCount64(fingerprint ^ other); d < distance && AreNear(fingerprint, other) {
			best, distance = at, d
		}
	}
	return best
}

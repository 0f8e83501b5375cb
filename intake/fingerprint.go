package intake

import (
	"math/bits"
	"strings"
)

// Near-duplicate texts: SimHash (Charikar 2002) of 64 bits over runs of three words. Two texts are near where at most MaxDistance bits
// differ; docs/intake-rules.md says how many are missed and how many are taken for near by mistake.
const (
	// MaxDistance is how many of 64 bits two fingerprints of near texts differ in at most.
	MaxDistance = 7
	// BandCount is in how many bands a fingerprint is cut: one more than MaxDistance, so that near ones share one at least.
	BandCount = MaxDistance + 1

	minFingerprintWords = 24
	maxFingerprintBytes = 1 << 20
)

// Fingerprint is the fingerprint of a text; 0 where it has too few words to tell by (24), which is near to nothing. Case, marks and
// Markdown make no difference. Of a text above 1 MiB the beginning counts.
func Fingerprint(text string) uint64 {
	words := strings.Fields(plainLetters(text[:min(len(text), maxFingerprintBytes)]))
	if len(words) < minFingerprintWords {
		return 0
	}
	var weights [64]int
	for at := 2; at < len(words); at++ {
		hash := mixed(words[at-2], words[at-1], words[at])
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

// mixed hashes words by FNV-1a, then mixes it to the last bit (splitmix64).
func mixed(words ...string) uint64 {
	hash := uint64(14695981039346656037)
	for _, word := range words {
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

// Bands are the eight bytes of a fingerprint, each with its place in its upper bits: two near fingerprints share one at least, so that
// a table by band finds all of them. nil for 0.
func Bands(fingerprint uint64) []uint16 {
	if fingerprint == 0 {
		return nil
	}
	bands := make([]uint16, BandCount)
	for at := range bands {
		bands[at] = uint16(at)<<8 | uint16(fingerprint>>(8*at)&0xff)
	}
	return bands
}

// Nearby finds near fingerprints among those added. It is not safe for concurrent use. Its zero value is empty.
type Nearby struct {
	added  []uint64
	places [BandCount << 8][]int32
}

// Add adds a fingerprint, whose number is how many were added before; 0 counts but is never found.
func (n *Nearby) Add(fingerprint uint64) {
	for _, band := range Bands(fingerprint) {
		n.places[band] = append(n.places[band], int32(len(n.added)))
	}
	n.added = append(n.added, fingerprint)
}

// Find is the number of the nearest fingerprint, the earliest of several; -1 where none is near.
func (n *Nearby) Find(fingerprint uint64) int {
	best, distance := -1, MaxDistance+1
	for _, band := range Bands(fingerprint) {
		for _, place := range n.places[band] {
			d := bits.OnesCount64(fingerprint ^ n.added[place])
			if d < distance || d == distance && int(place) < best {
				best, distance = int(place), d
			}
		}
	}
	return best
}

package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what counts as the same text.
const (
	// shingleWords are compared at once.
	shingleWords = 3
	// nearJaccard is the share of shingles that two texts have in common from which one repeats the other.
	nearJaccard = .85
	// leastWords of a text that is told apart from others by its words alone: a shorter one ("See above.") is the same only under the
	// same title.
	leastWords = 12
	// maxShingles bounds what is compared of a text.
	maxShingles = 4096
	// nearKeys are the least shingles by which texts find each other: two of nearJaccard that share none of 8 are one of some millions.
	nearKeys = 8
	// maxPerKey bounds the texts that are compared for one shingle: what many begin with is a frame that tells nothing.
	maxPerKey = 8
)

// repeats finds passages that say the same as one before them.
type repeats struct {
	exact map[uint64]int   // by the text, blanks folded
	near  map[uint64][]int // by each of its least shingles
	kept  map[int]imprint
}

// imprint is what is compared of a text.
type imprint struct {
	exact    uint64
	shingles []uint64 // distinct, ascending; nil where the text is too short
	numbers  []string // words with digits, distinct, sorted: texts with other numbers say something else
}

func newRepeats() *repeats {
	return &repeats{exact: map[uint64]int{}, near: map[uint64][]int{}, kept: map[int]imprint{}}
}

// find gives the passage that was kept and says the same.
func (r *repeats) find(p *imprint) (kept int, ok bool) {
	if kept, ok = r.exact[p.exact]; ok {
		return kept, true
	}
	for _, key := range p.shingles[:min(nearKeys, len(p.shingles))] {
		for _, kept := range r.near[key] {
			other := r.kept[kept]
			if slices.Equal(p.numbers, other.numbers) && jaccard(p.shingles, other.shingles) >= nearJaccard {
				return kept, true
			}
		}
	}
	return 0, false
}

// keep remembers a passage.
func (r *repeats) keep(p *imprint, as int) {
	r.exact[p.exact], r.kept[as] = as, *p
	for _, key := range p.shingles[:min(nearKeys, len(p.shingles))] {
		if len(r.near[key]) < maxPerKey {
			r.near[key] = append(r.near[key], as)
		}
	}
}

// imprintOf makes the imprint of a passage's text.
func imprintOf(title, text string) imprint {
	words := foldedWords(text)
	p := imprint{exact: hashOf(words...)}
	if len(words) < leastWords {
		p.exact = hashOf(append(words, "", title)...)
		return p
	}
	for i, word := range words {
		if strings.ContainsFunc(word, unicode.IsDigit) {
			p.numbers = append(p.numbers, word)
		}
		if i+shingleWords <= len(words) && len(p.shingles) < maxShingles {
			p.shingles = append(p.shingles, hashOf(words[i:i+shingleWords]...))
		}
	}
	slices.Sort(p.numbers)
	slices.Sort(p.shingles)
	p.numbers, p.shingles = slices.Compact(p.numbers), slices.Compact(p.shingles)
	return p
}

// foldedWords splits a text at blanks, letter case aside, and runs of characters that are written without blanks into these.
func foldedWords(text string) []string {
	var words []string
	for field := range strings.FieldsSeq(strings.ToLower(text)) {
		start := 0
		for at, r := range field {
			if !isWrittenSolid(r) {
				continue
			}
			if start < at {
				words = append(words, field[start:at])
			}
			start = at + utf8.RuneLen(r)
			words = append(words, field[at:start])
		}
		if start < len(field) {
			words = append(words, field[start:])
		}
	}
	return words
}

// firstSolid is the first character of those scripts, of Thai: nearly all text is below.
const firstSolid = 0x0e00

// isWrittenSolid tells of characters of scripts without blanks between words.
func isWrittenSolid(r rune) bool {
	return r >= firstSolid && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// hashOf is FNV-1a of words, each with its end.
func hashOf(words ...string) uint64 {
	hash := uint64(14695981039346656037)
	for _, word := range words {
		for i := range len(word) {
			hash = (hash ^ uint64(word[i])) * 1099511628211
		}
		hash = (hash ^ 0xff) * 1099511628211 // no byte of a valid text
	}
	return hash
}

// jaccard is the share of two ascending sets that is common to both.
func jaccard(a, b []uint64) float64 {
	common := 0
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] < b[k]:
			i++
		case a[i] > b[k]:
			k++
		default:
			common, i, k = common+1, i+1, k+1
		}
	}
	return float64(common) / float64(max(len(a)+len(b)-common, 1))
}

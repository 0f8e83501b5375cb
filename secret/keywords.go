package secret

import (
	"cmp"
	"math/bits"
	"slices"
)

// keywords finds all of many words in one pass over a text, in any case of the letters of ASCII. At each byte it asks
// small tables, which stay in the nearest cache, whether a word may begin there: by a hash of four bytes and the class of
// the fifth. They say yes at one byte in twenty of a real note; there the words are looked up by their first bytes and
// compared. A table of states, as Aho and Corasick have it, takes 2 MB for as many words as there are, and each byte waits
// for the one before it: it needs half as long again.
type keywords struct {
	gate       [1 << gateBits]uint16  // hash of four bytes → classes of fifth bytes that go on in a word
	tripleGate [1 << tripleBits]uint8 // hash of three bytes → 1 where a word has only three
	pairGate   [1 << pairBits]uint8   // a byte and the lower half of the next → 1 where a word has only two

	words []string // in lower case
	// Words of two bytes, of three, and of four or more, by their first two, three and four bytes.
	pairs, triples, longer wordTable
}

const (
	gateBits   = 14
	tripleBits = 13
	pairBits   = 12

	anyClass = 1<<16 - 1
)

// classOf puts bytes into classes, a bit for each, without regard to case.
var classOf = func() (bits [256]uint16) {
	for c := range bits {
		bits[c] = 1 << (foldByte(byte(c)) % 16)
	}
	return bits
}()

// folded has each byte in lower case, moved to where the fourth byte of a group is.
var folded = func() (high [256]uint32) {
	for c := range high {
		high[c] = uint32(foldByte(byte(c))) << 24
	}
	return high
}()

const hashFactor = 0x9e3779b1 // of Knuth's multiplicative hash: 2³² by the golden ratio

func gateOf(group uint32) uint32       { return group * hashFactor >> (32 - gateBits) }
func tripleGateOf(group uint32) uint32 { return group << 8 * hashFactor >> (32 - tripleBits) }
func pairGateOf(group uint32) uint32   { return group % (1 << pairBits) }

// newKeywords takes words in lower case, each once; they are reported by their indexes.
func newKeywords(words []string) *keywords {
	k := &keywords{words: words}
	for index, word := range words {
		group := groupOf([]byte(word))
		switch len(word) {
		case 0, 1:
			panic("secret: a keyword of one byte") //nolint:forbidigo // the keywords are constants, or were checked
		case 2:
			k.pairGate[pairGateOf(group)] = 1
			k.pairs.list = append(k.pairs.list, uint16(index))
		case 3:
			k.tripleGate[tripleGateOf(group)] = 1
			k.triples.list = append(k.triples.list, uint16(index))
		case 4:
			k.gate[gateOf(group)] = anyClass
			k.longer.list = append(k.longer.list, uint16(index))
		default:
			k.gate[gateOf(group)] |= classOf[word[4]]
			k.longer.list = append(k.longer.list, uint16(index))
		}
	}
	k.pairs.build(words)
	k.triples.build(words)
	k.longer.build(words)
	return k
}

// groupOf puts the first four bytes together, in lower case; what is not there counts as 0.
func groupOf(text []byte) uint32 {
	group := uint32(0)
	for i := range 4 {
		group >>= 8
		if i < len(text) {
			group |= folded[text[i]]
		}
	}
	return group
}

// each calls hit with the index of each word that stands in text, its start and its end: in the order of the starts, and
// of the ends where several have one start. It stops when hit returns false.
func (k *keywords) each(text []byte, hit func(word uint16, start, end int) bool) {
	group := groupOf(text)
	for i := 4; i < len(text); i++ {
		c := text[i]
		if short := k.tripleGate[tripleGateOf(group)] | k.pairGate[pairGateOf(group)]; short != 0 && !k.short(text, i-4, group, hit) {
			return
		}
		if k.gate[gateOf(group)]&classOf[c] != 0 && !k.report(k.longer.find(group), text[i-4:], i-4, hit) {
			return
		}
		group = group>>8 | folded[c]
	}
	for start := max(0, len(text)-4); start < len(text); start++ {
		group := groupOf(text[start:])
		if !k.short(text, start, group, hit) || !k.report(k.longer.find(group), text[start:], start, hit) {
			return
		}
	}
}

// short reports the words of two and three bytes that start at an offset, where the group stands.
func (k *keywords) short(text []byte, start int, group uint32, hit func(word uint16, start, end int) bool) bool {
	if k.pairGate[pairGateOf(group)] != 0 && !k.report(k.pairs.find(group&0xffff), text[start:], start, hit) {
		return false
	}
	return k.tripleGate[tripleGateOf(group)] == 0 || k.report(k.triples.find(group&0xffffff), text[start:], start, hit)
}

// report calls hit for those of some words that text begins with, which lies at an offset. Its first bytes are known to be
// theirs, up to four.
func (k *keywords) report(words []uint16, text []byte, offset int, hit func(word uint16, start, end int) bool) bool {
	for _, index := range words {
		word := k.words[index]
		if last := len(word) - 1; last < len(text) && foldByte(text[last]) == word[last] &&
			(last <= 4 || equalFolded(text[4:last], word[4:last])) && !hit(index, offset, offset+len(word)) {
			return false
		}
	}
	return true
}

// equalFolded compares a text with a word in lower case of the same length.
func equalFolded(text []byte, word string) bool {
	for i, c := range text {
		if foldByte(c) != word[i] {
			return false
		}
	}
	return true
}

// find tells whether a word stands in text.
func (k *keywords) find(text []byte) bool {
	found := false
	k.each(text, func(uint16, int, int) bool {
		found = true
		return false
	})
	return found
}

// wordTable finds words by their first bytes: a hash table with open addressing, at most half full.
type wordTable struct {
	list  []uint16 // indexes of words: those of one group side by side, the shortest first
	slots []wordSlot
	shift int
}

// wordSlot is a stretch of the list; an empty one is free.
type wordSlot struct {
	group        uint32
	first, count uint16
}

// build makes the table of the words in the list.
func (t *wordTable) build(words []string) {
	group := func(index uint16) uint32 { return groupOf([]byte(words[index])) }
	slices.SortFunc(t.list, func(a, b uint16) int {
		return cmp.Or(cmp.Compare(group(a), group(b)), len(words[a])-len(words[b]))
	})
	bits := max(1, bits.Len(uint(2*len(t.list))))
	t.slots, t.shift = make([]wordSlot, 1<<bits), 32-bits
	for first := 0; first < len(t.list); {
		end := first + 1
		for end < len(t.list) && group(t.list[end]) == group(t.list[first]) {
			end++
		}
		*t.slot(group(t.list[first])) = wordSlot{group(t.list[first]), uint16(first), uint16(end - first)}
		first = end
	}
}

// slot is where a group is, or is to be put.
func (t *wordTable) slot(group uint32) *wordSlot {
	for at := group * hashFactor >> t.shift; ; at++ {
		if slot := &t.slots[at&uint32(len(t.slots)-1)]; slot.count == 0 || slot.group == group {
			return slot
		}
	}
}

func (t *wordTable) find(group uint32) []uint16 {
	slot := t.slot(group)
	return t.list[slot.first : slot.first+slot.count]
}

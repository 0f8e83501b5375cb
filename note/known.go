package note

import (
	"math/bits"
	"slices"
	"strings"

	"quarry/secret"
)

// knownSecrets finds the values of the secrets of a file in texts that were made of it, where the bytes of one stand
// elsewhere and without what told it. It does not change. Looking takes a bounded time for each byte of a text, however long and alike
// the values are: a text made to take longer is withheld as a whole.
type knownSecrets struct {
	values  []string // sorted, no two alike
	names   []string // of the rules
	parents []int32  // of each value: the longest other one that it begins with, -1 if none
	begins  [1 << 10]uint64
}

// maxLookupCost bounds what is looked at for each byte of a text, in words of eight bytes, and leastLookupCost is for any.
const (
	maxLookupCost   = 16
	leastLookupCost = 4 << 10
)

// newKnownSecrets takes values with the names of their rules, none empty; nil if there are none.
func newKnownSecrets(names map[string]string) *knownSecrets {
	if len(names) == 0 {
		return nil
	}
	k := &knownSecrets{values: make([]string, 0, len(names))}
	for value := range names {
		k.values = append(k.values, value)
	}
	slices.Sort(k.values)
	for i, value := range k.values {
		parent := int32(i) - 1
		for parent >= 0 && !strings.HasPrefix(value, k.values[parent]) {
			parent = k.parents[parent]
		}
		k.parents = append(k.parents, parent)
		k.names = append(k.names, names[value])
		k.begin(value)
	}
	return k
}

// begin notes the first two bytes of a value, any second one where it has no more than one.
func (k *knownSecrets) begin(value string) {
	if len(value) > 1 {
		pair := pairOf(value)
		k.begins[pair/64] |= 1 << (pair % 64)
		return
	}
	first := int(value[0]) << 8 / 64
	for i := range 256 / 64 {
		k.begins[first+i] = ^uint64(0)
	}
}

func pairOf(text string) int { return int(text[0])<<8 | int(text[1]) }

// mayBegin tells whether a value may stand at the start of a text that is not empty.
func (k *knownSecrets) mayBegin(text string) bool {
	if len(text) == 1 {
		return true
	}
	pair := pairOf(text)
	return k.begins[pair/64]&(1<<(pair%64)) != 0
}

// replace puts a marker in the place of every value in text. Values that overlap have one marker.
func (k *knownSecrets) replace(text string) string {
	if k == nil {
		return text
	}
	var out strings.Builder
	done := 0
	if !k.each(text, func(at, value int) {
		if at >= done {
			out.WriteString(text[done:at])
			out.WriteString(secret.Marker(k.names[value]))
		}
		done = max(done, at+len(k.values[value]))
	}) {
		return secret.Marker(secret.Unscanned)
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// each tells of the longest value at every place of text, from left to right; they may overlap. It is not ok where that would take
// too long.
func (k *knownSecrets) each(text string, visit func(at, value int)) (ok bool) {
	budget := maxLookupCost*len(text) + leastLookupCost
	for at := 0; at < len(text); at++ {
		if !k.mayBegin(text[at:]) {
			continue
		}
		value, cost := k.longest(text[at:])
		if budget -= cost; budget < 0 {
			return false
		}
		if value >= 0 {
			visit(at, value)
		}
	}
	return true
}

// longest gives the longest value that text begins with, -1 if none, and what it took. Of the values up to text in their order, the
// last begins with all that text begins with.
func (k *knownSecrets) longest(text string) (value, cost int) {
	low, high := 0, len(k.values)
	shared := 0 // bytes of text that the value before low begins with
	for low < high {
		middle := (low + high) / 2
		candidate := k.values[middle]
		common := commonPrefix(text, candidate)
		cost += 1 + common/8
		if common == len(candidate) || common < len(text) && candidate[common] < text[common] {
			low, shared = middle+1, common
		} else {
			high = middle
		}
	}
	for value = low - 1; value >= 0 && len(k.values[value]) > shared; cost++ {
		value = int(k.parents[value])
	}
	return value, cost
}

// commonPrefix counts the bytes that two texts begin with alike.
func commonPrefix(a, b string) int {
	length := min(len(a), len(b))
	at := 0
	for ; at+8 <= length; at += 8 {
		if differ := word(a, at) ^ word(b, at); differ != 0 {
			return at + bits.TrailingZeros64(differ)/8
		}
	}
	for at < length && a[at] == b[at] {
		at++
	}
	return at
}

func word(text string, at int) uint64 {
	t := text[at : at+8]
	return uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 | uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
}

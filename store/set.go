package store

import (
	"iter"
	"math/bits"
	"slices"
)

// Set is a set of passages as a bitmap, one bit an id. A nil *Set stands for all passages. It is not safe for concurrent change.
type Set struct{ words []uint64 }

// Add puts id into the set.
func (s *Set) Add(id PassageID) {
	word := int(id >> 6)
	if word >= len(s.words) {
		s.words = append(s.words, make([]uint64, word+1-len(s.words))...)
	}
	s.words[word] |= 1 << (id & 63)
}

// Has tells whether id is in the set; every id is in a nil set.
func (s *Set) Has(id PassageID) bool {
	if s == nil {
		return true
	}
	word := int(id >> 6)
	return id >= 0 && word < len(s.words) && s.words[word]&(1<<(id&63)) != 0
}

// Remove takes id out of the set, which is not nil.
func (s *Set) Remove(id PassageID) {
	if word := int(id >> 6); id >= 0 && word < len(s.words) {
		s.words[word] &^= 1 << (id & 63)
	}
}

// Intersect gives the ids that are in both sets; one of them where the other is nil.
func Intersect(a, b *Set) *Set {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	both := &Set{words: make([]uint64, min(len(a.words), len(b.words)))}
	for i := range both.words {
		both.words[i] = a.words[i] & b.words[i]
	}
	return both
}

// Len counts the ids. A nil set has no length of its own: 0.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// AnyWithin tells whether an id of first <= id < end is in the set; all are in a nil set.
func (s *Set) AnyWithin(first, end PassageID) bool {
	if s == nil {
		return true
	}
	for id := max(first, 0); id < end; {
		word := int(id >> 6)
		if word >= len(s.words) {
			return false
		}
		if s.words[word] == 0 {
			id = PassageID(word+1) << 6
			continue
		}
		if s.Has(id) {
			return true
		}
		id++
	}
	return false
}

// AddRange puts count ids from first on into the set.
func (s *Set) AddRange(first PassageID, count int) {
	if count <= 0 {
		return
	}
	last := first + PassageID(count) - 1
	s.Add(last) // makes room
	for id := first; id < last; {
		if id&63 == 0 && id+64 <= last {
			s.words[id>>6] = ^uint64(0)
			id += 64
			continue
		}
		s.words[id>>6] |= 1 << (id & 63)
		id++
	}
}

// All yields the ids in the set, ascending; those of a nil set are not known, and none is yielded.
func (s *Set) All() iter.Seq[PassageID] {
	return func(yield func(PassageID) bool) {
		if s == nil {
			return
		}
		for i, word := range s.words {
			for ; word != 0; word &= word - 1 {
				if !yield(PassageID(i<<6 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// Clone copies the set; nil stays nil.
func (s *Set) Clone() *Set {
	if s == nil {
		return nil
	}
	return &Set{words: slices.Clone(s.words)}
}

// Equal tells whether both sets hold the same ids. A nil set equals only another.
func (s *Set) Equal(other *Set) bool {
	if s == nil || other == nil {
		return s == other
	}
	short, long := s.words, other.words
	if len(short) > len(long) {
		short, long = long, short
	}
	return slices.Equal(short, long[:len(short)]) &&
		!slices.ContainsFunc(long[len(short):], func(word uint64) bool { return word != 0 })
}

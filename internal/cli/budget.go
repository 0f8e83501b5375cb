package cli

import (
	"bytes"
	"encoding/json"
	"math"
	"unicode/utf8"
)

// budget bounds the characters of lists. What comes first is taken first, and nothing behind what has no room.
type budget struct {
	left      int // characters
	isBounded bool
	isSpent   bool // something had no room
}

// newBudget is one of so many tokens, 0 for as much as there is.
func newBudget(maxTokens int) *budget {
	return &budget{left: charactersPerToken * min(maxTokens, math.MaxInt/charactersPerToken), isBounded: maxTokens > 0}
}

// takes tells whether an item of so many characters has room.
func (b *budget) takes(characters int) bool {
	if !b.isBounded {
		return true
	}
	b.isSpent = b.isSpent || characters > b.left
	if !b.isSpent {
		b.left -= characters
	}
	return !b.isSpent
}

// within gives the first items of a list that have room, by the size of their JSON.
func within[T any](b *budget, list []T) []T {
	if !b.isBounded {
		return list
	}
	for i := range list {
		if !b.takes(sizeOf(list[i])) {
			return list[:i]
		}
	}
	return list
}

// sizeOf is how many characters an item has in JSON, as many as there can be where it has no such form.
func sizeOf(item any) int {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(item) != nil {
		return math.MaxInt
	}
	return utf8.RuneCount(b.Bytes()) // with the line feed, for the comma
}

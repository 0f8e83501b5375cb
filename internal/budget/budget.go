// Package budget bounds lists by their characters, and holds what is asked of the links around a note, for all that hand lists out.
package budget

import (
	"bytes"
	"encoding/json"
	"math"
	"unicode/utf8"
)

// CharactersPerToken is the rule of thumb by which budgets are counted.
const CharactersPerToken = 4

// Budget bounds the characters of lists. What comes first is taken first, and nothing behind what has no room. It is not safe for
// concurrent use.
type Budget struct {
	left      int // characters
	isBounded bool
	isSpent   bool
}

// New is a budget of so many tokens, 0 or less for as much as there is.
func New(maxTokens int) *Budget {
	return &Budget{left: CharactersPerToken * min(max(maxTokens, 0), math.MaxInt/CharactersPerToken), isBounded: maxTokens > 0}
}

// Left is how many characters there is room for, 0 where there is no bound.
func (b *Budget) Left() int { return b.left }

// IsSpent tells that something had no room.
func (b *Budget) IsSpent() bool { return b.isSpent }

// Takes tells whether an item of so many characters has room, which it has then taken.
func (b *Budget) Takes(characters int) bool {
	if !b.isBounded {
		return true
	}
	b.isSpent = b.isSpent || characters > b.left
	if !b.isSpent {
		b.left -= characters
	}
	return !b.isSpent
}

// Within gives the first items of a list that have room, by the size of their JSON.
func Within[T any](b *Budget, list []T) []T {
	if !b.isBounded {
		return list
	}
	for i := range list {
		if !b.Takes(sizeOf(&list[i])) {
			return list[:i]
		}
	}
	return list
}

// sizeOf is how many characters an item has in JSON with a comma behind it, as many as there can be where it has no such form.
func sizeOf(item any) int {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(item) != nil {
		return math.MaxInt
	}
	return utf8.RuneCount(b.Bytes()) // with the line feed, for the comma
}

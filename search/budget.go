package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokens estimates the tokens of a text: CharactersPerToken characters a token, rounded down.
func Tokens(text string) int { return utf8.RuneCountInString(text) / CharactersPerToken }

// budget admits passages in order: whole ones, and the first cut rather than left out. It counts characters, so that the passages
// together are never longer than was asked for.
type budget struct {
	left int // characters
	used bool
}

// newBudget is one of so many tokens, as many as an int can count the characters of.
func newBudget(tokens int) budget { return budget{left: characters(tokens)} }

// characters is how many a number of tokens has.
func characters(tokens int) int {
	const most = int(^uint(0)>>1) / CharactersPerToken
	return min(tokens, most) * CharactersPerToken
}

// fits tells whether take would admit a text.
func (b *budget) fits(text string) bool {
	return b.left > 0 && (!b.used || utf8.RuneCountInString(text) <= b.left)
}

// take admits a passage that fits.
func (b *budget) take(r *Result) {
	length := utf8.RuneCountInString(r.ChunkText)
	if length > b.left {
		r.ChunkText, r.Truncated = cutAtSentence(r.ChunkText, b.left), true
		length = b.left
	}
	b.left -= length
	b.used = true
}

// CutToTokens shortens a text to a budget: at the end of a sentence where one ends in the last part of what fits, else between
// words, with "…" where it was cut. A text that fits is returned as it is.
func CutToTokens(text string, tokens int) string { return cutAtSentence(text, characters(tokens)) }

// A text is cut at a sentence's end, or at a space, that lies behind such a share of what fits.
const (
	sentenceShare = 0.6
	wordShare     = 0.9
)

// cutAtSentence shortens a text to so many characters, the mark of the cut among them.
func cutAtSentence(text string, limit int) string {
	end := byteOf(text, limit)
	if end == len(text) {
		return text
	}
	end = byteOf(text, max(limit-1, 0)) // room for the mark
	head := text[:end]
	if at := lastSentenceEnd(head); at >= byteOf(head, int(sentenceShare*float64(limit))) && at > 0 {
		return head[:at] + "…"
	}
	if at := strings.LastIndexFunc(head, unicode.IsSpace); at > 0 && at >= byteOf(head, int(wordShare*float64(limit))) {
		return strings.TrimRightFunc(head[:at], unicode.IsSpace) + "…"
	}
	return head + "…"
}

// byteOf is the place of the character with that number, the text's length where it has fewer.
func byteOf(text string, character int) int {
	if character >= len(text) {
		return len(text)
	}
	for at := range text {
		if character <= 0 {
			return at
		}
		character--
	}
	return len(text)
}

// lastSentenceEnd is the place behind the last sentence or line that ends in a text, 0 where none does. What the text ends with is
// no such end: it may go on.
func lastSentenceEnd(text string) int {
	for at := len(text); at > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		switch {
		case strings.ContainsRune("。！？｡।", r):
			return at
		case r == '\n':
			if kept := strings.TrimRightFunc(text[:at], unicode.IsSpace); kept != "" {
				return len(kept)
			}
			return 0
		case strings.ContainsRune(".!?…؟", r) && at < len(text) && startsWithSpace(text[at:]):
			return at
		}
		at -= size
	}
	return 0
}

func startsWithSpace(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsSpace(r)
}

package model2vec

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token that is found in the text itself, before any word is cut.
type addedToken struct {
	content                        string
	id                             int32
	leftStrip, rightStrip, oneWord bool // take the white space around; only where no letter is beside it
}

// addedTokens finds tokens leftmost first, of those the longest.
type addedTokens struct {
	tokens []addedToken // by length, longest first
	first  string       // the distinct first bytes
}

func newAddedTokens(tokens []addedToken) addedTokens {
	tokens = slices.DeleteFunc(slices.Clone(tokens), func(t addedToken) bool { return t.content == "" })
	slices.SortStableFunc(tokens, func(a, b addedToken) int { return len(b.content) - len(a.content) })
	var seen [256]bool
	var first []byte
	for _, t := range tokens {
		if b := t.content[0]; !seen[b] {
			seen[b] = true
			first = append(first, b)
		}
	}
	return addedTokens{tokens: tokens, first: string(first)}
}

// split calls each for the pieces of text in order: those between tokens with token nil, and the tokens.
// It ends when each returns false.
func (a *addedTokens) split(text string, each func(piece string, token *addedToken) bool) {
	done := 0
	for from := 0; ; {
		start, token := a.find(text, from)
		if token == nil {
			break
		}
		end := start + len(token.content)
		from = end
		if token.oneWord && (wordBefore(text[:start]) || wordAfter(text[end:])) {
			continue
		}
		if token.leftStrip {
			start = max(done, len(strings.TrimRightFunc(text[:start], unicode.IsSpace)))
		}
		if token.rightStrip {
			end = len(text) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		}
		if done < start && !each(text[done:start], nil) {
			return
		}
		if !each(text[start:end], token) {
			return
		}
		done = end
	}
	if done < len(text) {
		each(text[done:], nil)
	}
}

// find gives the next token at or after from; nil if there is none.
func (a *addedTokens) find(text string, from int) (start int, token *addedToken) {
	for from < len(text) {
		at := a.candidate(text[from:])
		if at < 0 {
			return 0, nil
		}
		from += at
		for i := range a.tokens {
			if strings.HasPrefix(text[from:], a.tokens[i].content) {
				return from, &a.tokens[i]
			}
		}
		from++
	}
	return 0, nil
}

// candidate is the index of the first byte with which a token may begin, -1 if there is none.
func (a *addedTokens) candidate(text string) int {
	if len(a.first) == 1 {
		return strings.IndexByte(text, a.first[0])
	}
	for i := range len(text) {
		if strings.IndexByte(a.first, text[i]) >= 0 {
			return i
		}
	}
	return -1
}

func wordBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && isWordRune(r)
}

func wordAfter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && isWordRune(r)
}

// isWordRune is \w of Unicode's regular expressions (technical standard 18, annex C).
func isWordRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}

package store

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Chinese, Japanese, Thai, Lao, Khmer and Burmese are written without spaces between the words, and Korean joins particles
// to them. The words of the full-text index would be whole clauses. So words with such scripts are also cut into
// overlapping pairs of characters, a query's as a passage's, and found by these.

// A character is a letter with the marks on it, of which maxMarks count.
const maxMarks = 4

// unspaced are the scripts that are cut into pairs.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// firstUnspaced is the lowest of their characters, and firstUnspacedByte where its UTF-8 begins.
const (
	firstUnspaced     = 0x0e00
	firstUnspacedByte = 0xe0
)

// isUnspaced tells whether a letter, number or mark is of those scripts.
func isUnspaced(r rune) bool {
	switch {
	case r < firstUnspaced, r >= 0x1800 && r < 0x3005: // among them are the signs that Latin text has
		return false
	case r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3: // most of them
		return true
	case r < 0x0f00, r >= 0x1000 && r < 0x10a0, r >= 0x3041 && r < 0x3100: // Thai, Lao, Burmese, Japanese syllables
		return IsWordCharacter(r)
	case r == 0x30fc || r == 0x3006: // the sign of a long vowel, and of closing: of no script
		return true
	}
	return unicode.In(r, unspaced...) && IsWordCharacter(r)
}

// isFullwidth tells whether a character is a letter or digit in the width of Chinese ones, or a Japanese one in half.
func isFullwidth(r rune) bool { return r >= 0xff10 && r <= 0xffdc && IsWordCharacter(r) }

// IsWordCharacter tells whether a character is part of words: letters, digits, marks and private-use characters, which is
// where the full-text index cuts too, marks of some scripts apart.
func IsWordCharacter(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Co)
}

// Piece is a part of a word by which the full-text index finds it.
type Piece struct {
	Text string // as it stands in the word, in the usual width
	Term string // as it stands in the index: in place of Text in a Term, alone or with others side by side
	// Alone is a character that has no pair in the word: it is in ColumnCharacters.
	Alone bool
}

// Segment cuts a word of such a script; nil where it holds none. Every passage that holds the word has the pieces that are
// not Alone side by side in ColumnPairs. Time is linear in the length of the word. Safe for concurrent use.
//
// "USB充电器" gives "USB", "充电" and "电器"; "第3章" gives "第", alone, "3" and "章", alone.
func Segment(word string) []Piece {
	if !holdsUnspaced(word) {
		return nil
	}
	var pieces []Piece
	eachRun(word, func(run string, cut bool) {
		if !cut {
			pieces = append(pieces, Piece{Text: run, Term: run})
			return
		}
		characters := charactersOf(run)
		if len(characters) == 1 {
			pieces = append(pieces, Piece{characters[0].written, characters[0].indexed, true})
		}
		for i := 1; i < len(characters); i++ {
			first, second := characters[i-1], characters[i]
			pieces = append(pieces, Piece{Text: first.written + second.written, Term: first.indexed + second.indexed})
		}
	})
	return pieces
}

func isCut(r rune) bool { return isUnspaced(r) || isFullwidth(r) }

// holdsUnspaced tells whether a text has something to cut. Most have not, and are gone through at a byte's pace.
func holdsUnspaced(text string) bool {
	for at := 0; at < len(text); at++ {
		if text[at] < firstUnspacedByte {
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if isCut(r) {
			return true
		}
		at += size - 1
	}
	return false
}

// segments gathers the pieces of texts.
type segments struct{ pairs, characters strings.Builder }

// add cuts the words of a text.
func (s *segments) add(text string) {
	if !holdsUnspaced(text) {
		return
	}
	start, cut := -1, false // of the present word
	end := func(at int) {
		if start >= 0 && cut {
			s.addWord(text[start:at])
		}
		start, cut = -1, false
	}
	for at, r := range text {
		switch {
		case r < utf8.RuneSelf && !isASCIIWord(byte(r)), !IsWordCharacter(r):
			end(at)
			continue
		case start < 0:
			start = at
		}
		cut = cut || isCut(r)
	}
	end(len(text))
}

func isASCIIWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func (s *segments) addWord(word string) {
	eachRun(word, func(run string, cut bool) {
		if !cut {
			write(&s.pairs, run, "")
			return
		}
		characters := charactersOf(run)
		for i, c := range characters {
			write(&s.characters, c.indexed, "")
			if i > 0 {
				write(&s.pairs, characters[i-1].indexed, c.indexed)
			}
		}
	})
}

func write(b *strings.Builder, first, second string) {
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(first)
	b.WriteString(second)
}

// eachRun visits the runs of a word that are to be cut, and those between, in their usual width and composed.
func eachRun(word string, visit func(run string, cut bool)) {
	word = norm.NFC.String(width.Fold.String(word))
	start, kind := 0, false
	for at, r := range word {
		is := isUnspaced(r) || at > start && kind && unicode.Is(unicode.M, r)
		if at > start && is != kind {
			visit(word[start:at], kind)
			start = at
		}
		kind = is
	}
	if start < len(word) {
		visit(word[start:], kind)
	}
}

// character is a letter with its marks.
type character struct{ written, indexed string }

// charactersOf gives the characters of a run. The full-text index takes marks of these scripts for the ends of words, so
// characters of private use stand for them there.
func charactersOf(run string) []character {
	list := make([]character, 0, len(run)/3+1)
	start, marks := 0, 0
	var standIn []rune // of a character with marks
	end := func(at int) {
		written := run[start:at]
		switch {
		case len(standIn) > 0:
			list = append(list, character{written, string(standIn)})
		case written != "":
			list = append(list, character{written, written})
		}
		start, marks, standIn = at, 0, standIn[:0]
	}
	for at, r := range run {
		if !unicode.Is(unicode.M, r) {
			end(at)
			continue
		}
		if len(standIn) == 0 {
			standIn = append(standIn, []rune(run[start:at])...)
		}
		if marks < maxMarks && !unicode.Is(unicode.Variation_Selector, r) { // these make another form of the same character
			standIn = append(standIn, 0xe000+r&0xfff) // the scripts have their marks at different places of 4,096
			marks++
		}
	}
	end(len(run))
	return list
}

package health

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner takes a text apart into words and tells which of them belong to a link or a heading.
type scanner struct {
	word  func(hash uint64, isOwn bool) // of each word, in order
	links int                           // that were met
}

// scan reads a passage. A fence that goes over into the next passage is not told from text: it has words either way.
func (s *scanner) scan(text string) {
	for line := range strings.Lines(text) {
		s.line(line)
	}
}

// line reads a line: what stands in [[…]], in [text](target) and in an address belongs to a link.
func (s *scanner) line(line string) {
	if trimmed := strings.TrimLeft(line, " \t>"); strings.HasPrefix(trimmed, "#") && strings.HasPrefix(strings.TrimLeft(trimmed, "#"), " ") {
		s.words(line, false)
		return
	}
	for line != "" {
		at, length := nextLink(line)
		if at < 0 {
			break
		}
		s.words(line[:at], true)
		s.words(line[at:at+length], false)
		if at == 0 || line[at-1] != '!' { // an embed shows what it names
			s.links++
		}
		line = line[at+length:]
	}
	s.words(line, true)
}

// nextLink finds the first link of a line, at < 0 if there is none.
func nextLink(line string) (at, length int) {
	for at := 0; at < len(line); at++ {
		rest := line[at:]
		switch c := line[at]; {
		case c == '[' && strings.HasPrefix(rest, "[["):
			if end := strings.Index(rest, "]]"); end >= 0 {
				return at, end + len("]]")
			}
			return -1, 0 // none of the rest is closed either
		case c == '[':
			if length := markdownLink(rest); length > 0 {
				return at, length
			}
		case c == 'h' && (strings.HasPrefix(rest, "https://") || strings.HasPrefix(rest, "http://")):
			if end := strings.IndexAny(rest, " \t\n\r>)"); end >= 0 {
				return at, end
			}
			return at, len(rest)
		}
	}
	return -1, 0
}

// maxLinkBytes bounds how far a link's end is looked for, which keeps a line of brackets from taking long.
const maxLinkBytes = 2000

// markdownLink is the length of a link [text](target) at the start of a text, 0 if there is none.
func markdownLink(text string) int {
	text = text[:min(len(text), maxLinkBytes)]
	middle := strings.Index(text, "](")
	if middle < 0 || strings.IndexByte(text[1:middle], '[') >= 0 {
		return 0
	}
	if end := strings.IndexByte(text[middle:], ')'); end >= 0 {
		return middle + end + 1
	}
	return 0
}

// FNV-1a (Fowler, Noll, Vo 1991), 64 bits.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// words hands on the words of a stretch: runs of letters and digits in any case; each character of a script without spaces is
// a word.
func (s *scanner) words(text string, isOwn bool) {
	hash, inWord := uint64(fnvOffset), false
	end := func() {
		if inWord {
			s.word(hash, isOwn)
			hash, inWord = fnvOffset, false
		}
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
				hash, inWord = (hash^uint64(c))*fnvPrime, true
				continue
			}
			end()
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			end()
			hash, inWord = (hash^uint64(r))*fnvPrime, true
			end()
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			hash, inWord = (hash^uint64(unicode.ToLower(r)))*fnvPrime, true
		default:
			end()
		}
	}
	end()
}

// mixed spreads a hash over all bits (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
func mixed(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

package source

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A scanner cuts XML, however broken, into tags and text. It expands nothing and knows no document type: the library that reads the
// elements gets each item alone, rewritten so that a fault in one never costs another, and so that nothing in it nests or grows.
type scanner struct {
	text []byte
	at   int
}

type tokenKind int

const (
	noToken     tokenKind = iota // the end
	textToken                    // character data with its references
	cdataToken                   // character data without
	openToken                    // a start tag
	closeToken                   // an end tag
	emptyToken                   // a tag that ends itself
	markToken                    // a comment, an instruction, a directive
	doctypeMark                  // of a document type
)

type token struct {
	kind tokenKind
	raw  []byte // as it stands; of CDATA what is in it
	name string // of a tag, as it is written
}

// maxTagBytes bounds a tag: a longer one is text.
const maxTagBytes = 256 << 10

func (s *scanner) next() token {
	if s.at >= len(s.text) {
		return token{}
	}
	rest := s.text[s.at:]
	if rest[0] != '<' {
		return s.take(textToken, upTo(rest, "<", 0))
	}
	switch {
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		end := bytes.Index(rest, []byte("]]>"))
		if end < 0 {
			s.at = len(s.text)
			return token{kind: cdataToken, raw: rest[9:]}
		}
		s.at += end + 3
		return token{kind: cdataToken, raw: rest[9:end]}
	case bytes.HasPrefix(rest, []byte("<!--")):
		return s.take(markToken, upTo(rest, "-->", 3))
	case bytes.HasPrefix(rest, []byte("<?")):
		return s.take(markToken, upTo(rest, "?>", 2))
	case len(rest) > 9 && strings.EqualFold(string(rest[:9]), "<!DOCTYPE"):
		return s.take(doctypeMark, upTo(rest, ">", 1))
	case bytes.HasPrefix(rest, []byte("<!")):
		return s.take(markToken, upTo(rest, ">", 1))
	}
	return s.tag(rest)
}

func (s *scanner) take(kind tokenKind, length int) token {
	raw := s.text[s.at : s.at+length]
	s.at += length
	return token{kind: kind, raw: raw}
}

// upTo is the length up to and with a mark; without the mark's own length where extra is 0, all where there is none.
func upTo(text []byte, mark string, extra int) int {
	at := bytes.Index(text, []byte(mark))
	switch {
	case at < 0:
		return len(text)
	case extra == 0:
		return at
	}
	return at + len(mark)
}

func (s *scanner) tag(rest []byte) token {
	start := 1
	if len(rest) > 1 && rest[1] == '/' {
		start = 2
	}
	end := start
	for end < len(rest) && end < 256 && isNameByte(rest[end], end == start) {
		end++
	}
	length := tagLength(rest[:min(len(rest), maxTagBytes)], end)
	if name := string(rest[start:end]); !isName(name) || length < 0 { // "a < b", or a tag that is cut
		return s.take(textToken, 1)
	}
	name, kind := string(rest[start:end]), openToken
	switch {
	case start == 2:
		kind = closeToken
	case rest[length-2] == '/':
		kind = emptyToken
	}
	t := s.take(kind, length)
	t.name = name
	return t
}

// tagLength is the length of a tag whose name ends at an offset, -1 where it does not end.
func tagLength(text []byte, at int) int {
	quote := byte(0)
	for ; at < len(text); at++ {
		c := text[at]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>':
			return at + 1
		case c == '<': // the next one begins
			return -1
		case (c == '"' || c == '\'') && text[at-1] == '=', (c == '"' || c == '\'') && isSpace(text[at-1]):
			quote = c
		}
	}
	return -1
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isNameByte(c byte, isFirst bool) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		return true
	}
	return !isFirst && (c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':')
}

// localName is a name without its prefix.
func localName(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

func prefixOf(name string) string { return name[:max(strings.LastIndexByte(name, ':'), 0)] }

// rootOf is the name of the first element, and whether a document type comes before it.
func rootOf(text []byte) (name string, hasDoctype bool) {
	s := scanner{text: text}
	for range 1000 {
		switch t := s.next(); t.kind {
		case openToken, emptyToken, closeToken:
			return t.name, hasDoctype
		case doctypeMark:
			hasDoctype = true
			s.skipSubset(t.raw)
		case noToken:
			return "", hasDoctype
		}
	}
	return "", hasDoctype
}

// skipSubset passes what a document type declares in brackets.
func (s *scanner) skipSubset(raw []byte) {
	if bytes.IndexByte(raw, '[') < 0 || bytes.IndexByte(raw, ']') >= 0 {
		return
	}
	if end := bytes.IndexByte(s.text[s.at:], ']'); end >= 0 {
		s.at += end + 1
		s.at += upTo(s.text[s.at:], ">", 1)
	}
}

// skipProlog is a text from its first tag or document type on.
func skipProlog(text []byte) []byte {
	s := scanner{text: text}
	for range 1000 {
		at := s.at
		switch t := s.next(); {
		case t.kind == markToken, t.kind == textToken && len(bytes.TrimSpace(t.raw)) == 0:
		default:
			return text[at:]
		}
	}
	return nil
}

// attributeOf is the value of a tag's attribute by its local name, in any case, with its references resolved.
func attributeOf(tag []byte, name string) string {
	for key, value := range attributes(tag) {
		if strings.EqualFold(localName(key), name) {
			return unescapeXML(value)
		}
	}
	return ""
}

// attributes are the names and values of a tag as they are written.
func attributes(tag []byte) func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		rest := bytes.TrimRight(bytes.TrimSuffix(bytes.TrimSuffix(tag, []byte(">")), []byte("/")), " \t\r\n")
		if at := bytes.IndexAny(rest, " \t\r\n"); at >= 0 {
			rest = rest[at:]
		} else {
			return
		}
		for {
			rest = bytes.TrimLeft(rest, " \t\r\n/")
			end := bytes.IndexAny(rest, "= \t\r\n")
			if end <= 0 {
				return
			}
			key := string(rest[:end])
			rest = bytes.TrimLeft(rest[end:], " \t\r\n")
			value := []byte{}
			if len(rest) > 0 && rest[0] == '=' {
				value, rest = attributeValue(bytes.TrimLeft(rest[1:], " \t\r\n"))
			}
			if !yield(key, string(value)) {
				return
			}
		}
	}
}

func attributeValue(text []byte) (value, rest []byte) {
	if len(text) > 0 && (text[0] == '"' || text[0] == '\'') {
		if end := bytes.IndexByte(text[1:], text[0]); end >= 0 {
			return text[1 : end+1], text[end+2:]
		}
		return text[1:], nil
	}
	end := bytes.IndexAny(text, " \t\r\n")
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:]
}

// escapes are of what means something in XML; ">" does in "]]>".
var escapes = map[byte]string{'<': "&lt;", '&': "&amp;", '>': "&gt;"}

// writeText writes character data so that every XML reader takes it: "<", ">" and a bare "&" escaped, characters that XML lacks left out.
// A reference stays one.
func writeText(b *bytes.Buffer, text []byte) {
	for len(text) > 0 {
		at := bytes.IndexAny(text, "<&>")
		if at < 0 {
			at = len(text)
		}
		writeCharacters(b, text[:at])
		if text = text[at:]; len(text) == 0 {
			return
		}
		length := referenceLength(text)
		switch {
		case text[0] != '&':
			b.WriteString(escapes[text[0]])
			length = 1
		case length > 0:
			b.Write(text[:length])
		case length < 0: // of a character that XML lacks
			length = -length
		default:
			b.WriteString("&amp;")
			length = 1
		}
		text = text[length:]
	}
}

// writeEscaped writes text of which nothing is a reference or a tag.
func writeEscaped(b *bytes.Buffer, text []byte) {
	for len(text) > 0 {
		at := bytes.IndexAny(text, "<&>")
		if at < 0 {
			at = len(text)
		}
		writeCharacters(b, text[:at])
		if text = text[at:]; len(text) > 0 {
			b.WriteString(escapes[text[0]])
			text = text[1:]
		}
	}
}

func writeCharacters(b *bytes.Buffer, text []byte) {
	for len(text) > 0 {
		c, width := utf8.DecodeRune(text)
		if isXML(c) && (c != utf8.RuneError || width > 1) {
			b.Write(text[:width])
		}
		text = text[width:]
	}
}

func isXML(c rune) bool {
	return c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000 && c <= 0x10FFFF
}

// referenceLength is the length of the reference that a text begins with, 0 where it begins with none, negative where it is one of a
// character that XML lacks.
func referenceLength(text []byte) int {
	end := bytes.IndexByte(text[:min(len(text), 40)], ';')
	if end < 2 {
		return 0
	}
	name := string(text[1:end])
	if name[0] != '#' {
		for i := range len(name) {
			if !isNameByte(name[i], i == 0) {
				return 0
			}
		}
		return end + 1
	}
	number, base := name[1:], 10
	if strings.HasPrefix(number, "x") || strings.HasPrefix(number, "X") {
		number, base = number[1:], 16
	}
	c, err := strconv.ParseUint(number, base, 32)
	switch {
	case err != nil:
		return 0
	case c > utf8.MaxRune || !isXML(rune(c)):
		return -(end + 1)
	}
	return end + 1
}

// closing is the end tag of a start tag's name.
func closing(name string) string { return fmt.Sprintf("</%s>", name) }

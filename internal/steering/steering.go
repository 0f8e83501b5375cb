// Package steering knows the characters that act where they are shown instead of showing: on a terminal, in a prompt, in a
// document that a model reads. It is pure.
package steering

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	lineSeparator, paragraphSeparator = '\u2028', '\u2029'

	firstTag, lastTag = 0xe0000, 0xe007f // ASCII that nobody sees
)

// Is tells of a character that steers, parts or hides text: control characters, tab and line feed among them, marks that
// reorder text (Unicode's Bidi_Control), separators of lines and paragraphs, and tags, which spell ASCII unseen.
func Is(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == lineSeparator || r == paragraphSeparator ||
		r >= firstTag && r <= lastTag
}

// Plain is text with "\uFFFD" in the place of each character that steers, other than tab and line feed, and of what is no
// UTF-8.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && Is(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// EscapeJSON writes the characters that steer in a JSON document, and that JSON lets stand, by their number (\u202e): a
// program reads them back, a terminal shows them, and a model sees that they are there. The result may share memory with
// document.
func EscapeJSON(document []byte) []byte {
	if !hasRaw(document) {
		return document
	}
	var b bytes.Buffer
	for _, r := range string(document) {
		switch {
		case !isRaw(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// hasRaw looks for a character that isRaw tells of. Nearly all of a document is ASCII, of which eight bytes are passed at a time.
func hasRaw(document []byte) bool {
	const ones, highest = 0x0101010101010101, 0x8080808080808080
	for at := 0; at < len(document); {
		if at+8 <= len(document) {
			eight := binary.LittleEndian.Uint64(document[at:])
			if (eight|(eight+ones))&highest == 0 { // each byte is below 0x7f
				at += 8
				continue
			}
		}
		r, size := utf8.DecodeRune(document[at:])
		if isRaw(r) {
			return true
		}
		at += size
	}
	return false
}

// isRaw leaves out what stands between the parts of a document, and what JSON escapes itself.
func isRaw(r rune) bool { return r >= 0x7f && Is(r) }

package note

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTagBytes bounds a tag: a longer run is text.
const maxTagBytes = 1024

// tagEnds marks the ASCII that ends a tag.
var tagEnds = func() (ends [utf8.RuneSelf]bool) {
	for _, c := range "'!\"#$%&()*+,.:;<=>?@^`{|}~[]\\" {
		ends[c] = true
	}
	for c := range 33 {
		ends[c] = true
	}
	return ends
}()

// tagLengthAt gives the length of the tag behind a "#", 0 if there is none: at least one character that is no digit.
func tagLengthAt(text string) int {
	plain, length := false, len(text)
	for i, r := range text {
		if r < utf8.RuneSelf && tagEnds[r] || r >= 0x2000 && r <= 0x206F || r >= 0x2E00 && r <= 0x2E7F || r >= utf8.RuneSelf && isWideSpace(r) {
			length = i
			break
		}
		if i > maxTagBytes {
			return 0
		}
		plain = plain || r < '0' || r > '9'
	}
	if !plain {
		return 0
	}
	return length
}

// isWideSpace knows the white space beyond ASCII, as JavaScript's \s does.
func isWideSpace(r rune) bool {
	return unicode.IsSpace(r) && r != 0x85 || r == 0xFEFF
}

// spaceBefore tells whether text[at] stands at the start or behind white space.
func spaceBefore(text string, at int) bool {
	if at == 0 || isSpace(text[at-1]) {
		return true
	}
	if text[at-1] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return isWideSpace(r)
}

// markerAtEnd finds a block id at the end of a line: " ^id", or "^id" alone. start is where its white space begins.
func markerAtEnd(line string) (id string, start int) {
	end := len(strings.TrimRight(line, " \t\r\n"))
	at := end
	for at > 0 && (isLetter(line[at-1]) || isDigit(line[at-1]) || line[at-1] == '-') {
		at--
	}
	if at == end || at == 0 || line[at-1] != '^' || at > 1 && !isSpace(line[at-2]) {
		return "", 0
	}
	return line[at:end], len(strings.TrimRight(line[:at-1], " \t"))
}

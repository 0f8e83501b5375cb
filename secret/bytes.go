package secret

import (
	"bytes"
	"slices"
	"strings"
)

// Kinds of bytes. All are of ASCII: a letter is one of English.

func isDigit(c byte) bool       { return '0' <= c && c <= '9' }
func isLower(c byte) bool       { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool       { return 'A' <= c && c <= 'Z' }
func isAlpha(c byte) bool       { return isLower(c) || isUpper(c) }
func isAlnum(c byte) bool       { return isAlpha(c) || isDigit(c) }
func isPunctuation(c byte) bool { return '!' <= c && c <= '~' && !isAlnum(c) }

func foldByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// foldASCII puts the letters of ASCII into lower case, and no others. Unlike bytes.ToLower it keeps every offset: that one
// writes three bytes for each that is no UTF-8.
func foldASCII[T string | []byte](text T) T {
	out := make([]byte, len(text))
	for i := range len(text) {
		out[i] = foldByte(text[i])
	}
	return T(out)
}

func hexValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// isNumber: a port, or nothing.
func isNumber(text []byte) bool {
	for _, c := range text {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// isName: an identifier of letters, digits and underlines.
func isName(value []byte) bool {
	for _, c := range value {
		if !isAlnum(c) && c != '_' {
			return false
		}
	}
	return len(value) > 0 && !isDigit(value[0])
}

var inToken = func() (set [256]bool) {
	for c := byte('!'); c < 0x7f; c++ {
		set[c] = true
	}
	for _, c := range []byte("\"'`()<>[]{}|,;*\\") {
		set[c] = false
	}
	return set
}()

// tokenEnd is the end of the bytes that may all belong to one token.
func tokenEnd(text []byte, start, most int) int {
	end, limit := start, min(len(text), start+most)
	for end < limit && inToken[text[end]] {
		end++
	}
	return end
}

// inRandom are the bytes of Base64 in both alphabets, without the "=" at its end.
var inRandom = func() (set [256]bool) {
	for c := range set {
		set[c] = isAlnum(byte(c)) || c == '+' || c == '/' || c == '_' || c == '-'
	}
	return set
}()

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

func byteWords(words string) [][]byte { return bytes.Fields([]byte(words)) }

func containsAny(text []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(word []byte) bool { return bytes.Contains(text, word) })
}

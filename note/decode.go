package note

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

var byteOrderMark = []byte{0xEF, 0xBB, 0xBF}

// Decode turns the bytes of a file into the UTF-8 text that the filter and Parse work on, and says in problem, "" if
// nothing, what had to be guessed or replaced. A byte order mark is taken off; UTF-16 with a mark, or plainly without
// one, is converted; bytes that are no UTF-8 and NULs become U+FFFD. Line ends stay as they are.
// Where nothing is to be done text is a part of raw itself.
func Decode(raw []byte) (text []byte, problem string) {
	switch {
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}):
		return replaceNUL(fromUTF16(raw[2:], binary.LittleEndian)), ""
	case bytes.HasPrefix(raw, []byte{0xFE, 0xFF}):
		return replaceNUL(fromUTF16(raw[2:], binary.BigEndian)), ""
	}
	text = bytes.TrimPrefix(raw, byteOrderMark)
	if order := guessUTF16(text); order != nil {
		return replaceNUL(fromUTF16(text, order)), "read as UTF-16 without a byte order mark"
	}
	if !utf8.Valid(text) {
		wrong := countInvalid(text)
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
		problem = fmt.Sprintf("not UTF-8: %d bytes replaced", wrong)
	}
	return replaceNUL(text), problem
}

func fromUTF16(raw []byte, order binary.ByteOrder) []byte {
	text := make([]byte, 0, len(raw)*3/4+4)
	for i := 0; i+1 < len(raw); i += 2 {
		r := rune(order.Uint16(raw[i:]))
		if utf16.IsSurrogate(r) {
			pair := rune(utf8.RuneError)
			if i+3 < len(raw) {
				pair = utf16.DecodeRune(r, rune(order.Uint16(raw[i+2:])))
			}
			if r = pair; r != utf8.RuneError {
				i += 2
			}
		}
		text = utf8.AppendRune(text, r)
	}
	if len(raw)%2 == 1 {
		text = utf8.AppendRune(text, utf8.RuneError)
	}
	return text
}

// guessUTF16 knows UTF-16 of mostly Latin text by its NULs: every other byte of the beginning, and none between.
func guessUTF16(raw []byte) binary.ByteOrder {
	head := raw[:min(len(raw), 512)]
	if bytes.IndexByte(head, 0) < 0 || len(head) < 8 {
		return nil
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch most := len(head) / 2 * 8 / 10; {
	case zeros[0] == 0 && zeros[1] >= most:
		return binary.LittleEndian
	case zeros[1] == 0 && zeros[0] >= most:
		return binary.BigEndian
	}
	return nil
}

func countInvalid(text []byte) int {
	wrong := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			wrong++
		}
		text = text[size:]
	}
	return wrong
}

func replaceNUL(text []byte) []byte {
	if bytes.IndexByte(text, 0) < 0 {
		return text
	}
	return bytes.ReplaceAll(text, []byte{0}, []byte("\uFFFD"))
}

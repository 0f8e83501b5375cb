package setup

import (
	"bytes"
	"slices"
	"strings"
)

// appendBlock adds lines, without the end of the last one, at the end of a text. nil stands for a file that is not there.
//
// The form tells what was there before: a file without a new line at its end has none behind the block either. So does an empty
// one; a file that is all block, with a new line behind it, is of our making.
func appendBlock(content []byte, lines []string) []byte {
	newline := newlineOf(content)
	body := strings.Join(lines, newline)
	text := bytes.TrimPrefix(content, byteOrderMark)
	switch {
	case content == nil:
		return []byte(body + newline)
	case len(text) == 0:
		return concat(content, []byte(body))
	case bytes.HasSuffix(text, []byte("\n")):
		return concat(content, []byte(newline+body+newline))
	}
	return concat(content, []byte(newline+newline+body))
}

// removeBlock is the reverse: start and end are those of the block's lines, without the end of the last one. isGone tells that
// nothing was there before.
func removeBlock(content []byte, start, end int) (rest []byte, isGone bool) {
	newline := []byte(newlineOf(content[start:end]))
	before := content[:start]
	after, isEnded := bytes.CutPrefix(content[end:], newline)
	switch shorter := bytes.TrimSuffix(before, newline); {
	case !isEnded: // both of the new lines before it came with it
		if both := slices.Concat(newline, newline); bytes.HasSuffix(before, both) {
			before = bytes.TrimSuffix(before, both)
		}
	case len(shorter) == 0, bytes.HasSuffix(shorter, []byte("\n")), bytes.Equal(shorter, byteOrderMark): // the empty line before it
		before = shorter
	}
	rest = concat(before, after)
	return rest, isEnded && len(rest) == 0
}

// replaceBlock puts other lines in the place of a block, with its line ends.
func replaceBlock(content []byte, start, end int, lines []string) []byte {
	body := strings.Join(lines, newlineOf(content[start:end]))
	return concat(content[:start], []byte(body), content[end:])
}

// concat joins texts into a new one, which is not nil: that would stand for a file that is not there.
func concat(texts ...[]byte) []byte { return append([]byte{}, bytes.Join(texts, nil)...) }

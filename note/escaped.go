package note

import (
	"bytes"
	"math"
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"quarry/secret"
)

// An escape can hide a secret: "glpat-…\nrest" in a file of JSON is one over the end of a line once it is read. So the lines that
// hold both a quote and an escape are looked at a second time, as the texts that they stand for. What is found there is withheld
// in the file, too: its text is shown as it stands.

// unescaped is what the lines of a file with escapes in them stand for, and where in the file that stands.
type unescaped struct {
	text  []byte
	lines []unescapedLines
	moves []move
}

// unescapedLines are neighbouring lines: no secret goes from one of them to another.
type unescapedLines struct{ start, end int } // in text

// move says that from the byte at on, a byte of the text is so much further in the file; the one there stands for width.
type move struct{ at, ahead, width int32 }

// escapedSpans gives the stretches of raw that stand for a secret. Line ends in them are those that an escape joins.
func escapedSpans(raw []byte, filter *secret.Filter) []secret.Span {
	if bytes.IndexByte(raw, '\\') < 0 || len(raw) > math.MaxInt32/2 {
		return nil
	}
	u := unescapeLines(raw)
	if len(u.moves) == 0 {
		return nil
	}
	var spans []secret.Span
	next := 0
	for _, span := range filter.Find(u.text) {
		for next < len(u.lines) && u.lines[next].end <= span.Start {
			next++
		}
		for i := next; i < len(u.lines) && u.lines[i].start < span.End; i++ {
			start, end := max(span.Start, u.lines[i].start), min(span.End, u.lines[i].end)
			if from, to := u.place(start, end); from < to {
				spans = append(spans, secret.Span{Start: from, End: to, Name: span.Name})
			}
		}
	}
	return spans
}

// unescapeLines reads the escapes of the lines that hold some.
func unescapeLines(raw []byte) *unescaped {
	u := &unescaped{}
	for at := 0; at < len(raw); {
		end := lineEnd(raw, at)
		if line := raw[at:end]; bytes.IndexByte(line, '\\') >= 0 && bytes.IndexByte(line, '"') >= 0 {
			end = joinedLines(raw, end)
			u.add(raw, at, end)
		}
		at = end
	}
	return u
}

// lineEnd gives the place behind the line at a byte.
func lineEnd(raw []byte, at int) int {
	if next := bytes.IndexByte(raw[at:], '\n'); next >= 0 {
		return at + next + 1
	}
	return len(raw)
}

// joinedLines gives the end of the lines that a backslash at the end of the one before joins to it.
func joinedLines(raw []byte, end int) int {
	for end < len(raw) {
		last := end - 1
		for last > 0 && (raw[last] == '\n' || raw[last] == '\r') {
			last--
		}
		if raw[last] != '\\' {
			break
		}
		end = lineEnd(raw, end)
	}
	return end
}

func (u *unescaped) add(raw []byte, at, end int) {
	start := len(u.text)
	u.move(at, 1)
	for at < end {
		next := bytes.IndexByte(raw[at:end], '\\')
		if next < 0 {
			break
		}
		u.text = append(u.text, raw[at:at+next]...)
		at += next
		width, r := readEscape(raw[at:end])
		if width == 0 {
			u.text = append(u.text, raw[at])
			at++
			continue
		}
		if r >= 0 {
			u.move(at, width)
			u.text = utf8.AppendRune(u.text, r)
		}
		at += width
		u.move(at, 1)
	}
	u.text = append(u.text, raw[at:end]...)
	u.lines = append(u.lines, unescapedLines{start, len(u.text)})
	u.text = append(u.text, "\n\n"...)
}

// move notes where in the file the next byte of the text stands. Of several at one place the last counts.
func (u *unescaped) move(raw, width int) {
	m := move{int32(len(u.text)), int32(raw - len(u.text)), int32(width)}
	if last := len(u.moves) - 1; last >= 0 && u.moves[last].at == m.at {
		u.moves[last] = m
		return
	}
	u.moves = append(u.moves, m)
}

// place gives the bytes of the file that a stretch of the text stands for.
func (u *unescaped) place(start, end int) (int, int) {
	from, _ := u.byteAt(start)
	_, to := u.byteAt(end - 1)
	return from, to
}

// byteAt gives the bytes of the file that one of the text stands for.
func (u *unescaped) byteAt(at int) (start, end int) {
	m := u.moves[sort.Search(len(u.moves), func(i int) bool { return int(u.moves[i].at) > at })-1]
	if m.width > 1 {
		start = int(m.at + m.ahead)
		return start, start + int(m.width)
	}
	start = at + int(m.ahead)
	return start, start + 1
}

// noRune stands for an escape that gives nothing.
const noRune = -1

// readEscape reads the escape that a text begins with, by the grammars of JSON, YAML and JavaScript together; width is 0 where it
// is none. Characters that steer stand as blanks: both end a token.
func readEscape(text []byte) (width int, r rune) {
	if len(text) < 2 {
		return 0, 0
	}
	switch c := text[1]; c {
	case '"', '\'', '\\', '/', ' ':
		return 2, rune(c)
	case 'n', 'N', 'L', 'P':
		return 2, '\n'
	case 'r':
		return 2, '\r'
	case 't', 'b', 'f', 'v', 'a', 'e', '0', '_', '\t':
		return 2, ' '
	case '\n', '\r':
		return len(text) - len(bytes.TrimLeft(text[1:], " \t\r\n")), noRune
	case 'x':
		return hexEscape(text, 2)
	case 'U':
		return hexEscape(text, 8)
	case 'u':
		return unicodeEscape(text)
	}
	return 0, 0
}

// unicodeEscape reads \u005f, two of them for one character, and \u{5f}.
func unicodeEscape(text []byte) (width int, r rune) {
	if len(text) > 2 && text[2] == '{' {
		digits := bytes.IndexByte(text[:min(len(text), 12)], '}') - 3
		if digits < 1 {
			return 0, 0
		}
		width, r = hexEscape(text[1:], digits)
		return width + 2*min(width, 1), r
	}
	width, r = hexEscape(text, 4)
	if width > 0 && utf16.IsSurrogate(r) && len(text) > width+1 && text[width] == '\\' && text[width+1] == 'u' {
		if further, low := hexEscape(text[width:], 4); further > 0 {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return width + further, pair
			}
		}
	}
	return width, r
}

// hexEscape reads so many digits behind the first two bytes.
func hexEscape(text []byte, digits int) (width int, r rune) {
	if len(text) < 2+digits {
		return 0, 0
	}
	for _, c := range text[2 : 2+digits] {
		value := unhex(c)
		if value < 0 || r > utf8.MaxRune {
			return 0, 0
		}
		r = r<<4 | rune(value)
	}
	if r < ' ' && r != '\n' && r != '\r' {
		r = ' '
	}
	return 2 + digits, r
}

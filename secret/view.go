package secret

import (
	"bytes"
	"math"
	"sort"
)

// view is a text as a reader, or the program that a secret is pasted into, would take it: without characters that
// cannot be seen and Markdown's backslashes, with %XX and full-width letters put into plain ones.
type view struct {
	text  []byte
	edits []edit // ascending; empty where the text is the raw one
}

// edit says that from the offset view on, a raw offset is so much further than one in the view. Where width is set, the
// byte there stands for so many.
type edit struct{ view, ahead, width int32 }

// newView returns the raw text itself where nothing is to change, which costs a few nanoseconds per kilobyte.
func newView(raw []byte) view {
	if !needsView(raw) || len(raw) > math.MaxInt32 {
		return view{text: raw}
	}
	v := view{text: make([]byte, 0, len(raw))}
	done := 0
	for i := 0; i < len(raw); {
		if !mayChange[raw[i]] {
			i++
			continue
		}
		width, plain := rewrite(raw[i:])
		if width == 0 {
			i++
			continue
		}
		v.text = append(v.text, raw[done:i]...)
		if plain != 0 {
			v.edit(i, width)
			v.text = append(v.text, plain)
		}
		i += width
		done = i
		v.edit(i, 0)
	}
	v.text = append(v.text, raw[done:]...)
	return v
}

// edit notes that the next byte of the view is the raw one at an offset. Of several edits at one place the last counts.
func (v *view) edit(raw, width int) {
	e := edit{view: int32(len(v.text)), ahead: int32(raw - len(v.text)), width: int32(width)}
	if last := len(v.edits) - 1; last >= 0 && v.edits[last].view == e.view {
		v.edits[last] = e
		return
	}
	v.edits = append(v.edits, e)
}

// raw gives the raw offsets of a stretch of the view that is not empty; what was left out beside it stays outside.
func (v view) raw(start, end int) (int, int) {
	rawStart, _ := v.at(start)
	rawLast, width := v.at(end - 1)
	return rawStart, rawLast + width
}

// at gives the raw offset of a byte of the view, and how many raw bytes it stands for.
func (v view) at(offset int) (raw, width int) {
	i := sort.Search(len(v.edits), func(i int) bool { return int(v.edits[i].view) > offset }) - 1
	if i < 0 {
		return offset, 1
	}
	e := v.edits[i]
	if int(e.view) == offset && e.width > 0 {
		return offset + int(e.ahead), int(e.width)
	}
	return offset + int(e.ahead), 1
}

var mayChange = func() (set [256]bool) {
	for _, c := range []byte{'\\', '%', 0xc2, 0xe2, 0xef} {
		set[c] = true
	}
	return set
}()

func needsView(raw []byte) bool {
	for _, c := range []byte{'\\', '%', 0xe2, 0xef} {
		if bytes.IndexByte(raw, c) >= 0 {
			return true
		}
	}
	return bytes.Contains(raw, []byte("\u00ad"))
}

// rewrite returns how many bytes at the start of text stand for one other, or for nothing (plain 0); width 0 if they
// stand for themselves.
func rewrite(text []byte) (width int, plain byte) {
	switch {
	case text[0] == '\\' && len(text) > 1 && isPunctuation(text[1]):
		return 2, text[1]
	case text[0] == '%' && len(text) > 2:
		high, low := hexValue(text[1]), hexValue(text[2])
		if c := byte(high<<4 | low); high >= 2 && low >= 0 && c < 0x7f && staysOnDecoding(c) {
			return 3, c
		}
	case text[0] == 0xc2 && len(text) > 1 && text[1] == 0xad: // soft hyphen
		return 2, 0
	case len(text) > 2 && text[0] == 0xe2 && unseen(text[1], text[2]):
		return 3, 0
	case len(text) > 2 && text[0] == 0xef:
		return 3 * boolInt(fullWidth(text) != 0 || isMark(text)), fullWidth(text)
	}
	return 0, 0
}

// staysOnDecoding leaves out what would end a token that its escape was to hold together.
func staysOnDecoding(c byte) bool {
	return c > ' ' && bytes.IndexByte([]byte("\"'`<>\\"), c) < 0
}

// unseen: zero-width and direction marks U+200B–200F and U+202A–202E, joiners and operators U+2060–2064.
func unseen(second, third byte) bool {
	return second == 0x80 && (0x8b <= third && third <= 0x8f || 0xaa <= third && third <= 0xae) ||
		second == 0x81 && 0xa0 <= third && third <= 0xa4
}

func isMark(text []byte) bool { return text[1] == 0xbb && text[2] == 0xbf } // U+FEFF

// fullWidth gives the ASCII form of U+FF01–FF5E, 0 for others.
func fullWidth(text []byte) byte {
	if text[1] != 0xbc && text[1] != 0xbd {
		return 0
	}
	r := 0xf000 | int(text[1]&0x3f)<<6 | int(text[2]&0x3f)
	if r < 0xff01 || r > 0xff5e {
		return 0
	}
	return byte(r - 0xfee0)
}

func isPunctuation(c byte) bool { return '!' <= c && c <= '~' && !isAlnum(c) }

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

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isAlpha(c byte) bool { return isLower(c) || isUpper(c) }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }

package secret

import (
	"bytes"
	"math"
	"sort"
)

// view is a text as a reader, or the program that a secret is pasted into, would take it: without characters that
// cannot be seen, Markdown's backslashes and the soft line ends of mail, with %XX, the escapes of HTML and JSON and
// full-width letters put into plain ones.
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
		width, plain := rewrite(raw, i)
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
	for _, c := range []byte{'\\', '%', '&', '=', 0xc2, 0xe2, 0xef} {
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
	return bytes.Contains(raw, []byte("\u00ad")) || bytes.IndexByte(raw, '&') >= 0 && hasEntity(raw) || bytes.Contains(raw, []byte("=\n")) || bytes.Contains(raw, []byte("=\r\n"))
}

// hasEntity tells "&amp;" from the "&" of most texts.
func hasEntity(raw []byte) bool {
	for at := 0; ; at++ {
		i := bytes.IndexByte(raw[at:], '&')
		if i < 0 {
			return false
		}
		at += i
		if width, _ := entity(raw[at:]); width > 0 {
			return true
		}
	}
}

// rewrite returns how many bytes at an offset of raw stand for one other, or for nothing (plain 0); width 0 if they stand
// for themselves.
func rewrite(raw []byte, at int) (width int, plain byte) {
	text := raw[at:]
	switch {
	case text[0] == '\\' && len(text) > 1:
		if isPunctuation(text[1]) {
			return 2, text[1]
		}
		return codeUnit(text)
	case text[0] == '%' && len(text) > 2:
		high, low := hexValue(text[1]), hexValue(text[2])
		if c := byte(high<<4 | low); high >= 2 && low >= 0 && c < 0x7f && staysOnDecoding(c) {
			return 3, c
		}
	case text[0] == '&':
		return entity(text)
	case text[0] == '=':
		return softBreak(raw, at), 0
	case text[0] == 0xc2 && len(text) > 1 && text[1] == 0xad: // soft hyphen
		return 2, 0
	case len(text) > 2 && text[0] == 0xe2 && unseen(text[1], text[2]):
		return 3, 0
	case len(text) > 2 && text[0] == 0xef:
		return 3 * boolInt(fullWidth(text) != 0 || isMark(text)), fullWidth(text)
	}
	return 0, 0
}

// codeUnit reads the escapes of JSON and JavaScript: \u005f, \u{5f}, \x5f.
func codeUnit(text []byte) (width int, plain byte) {
	digits, skipped := 0, 2
	switch {
	case text[1] == 'x':
		digits = 2
	case text[1] == 'u' && len(text) > 2 && text[2] == '{':
		digits, skipped = 2, 3
	case text[1] == 'u':
		digits = 4
	default:
		return 0, 0
	}
	end := skipped + digits
	if skipped == 3 {
		end++
	}
	if len(text) < end || skipped == 3 && text[end-1] != '}' {
		return 0, 0
	}
	code := 0
	for _, c := range text[skipped : skipped+digits] {
		value := hexValue(c)
		if value < 0 {
			return 0, 0
		}
		code = code<<4 | value
	}
	switch {
	case code > ' ' && code < 0x7f && staysOnDecoding(byte(code)):
		return end, byte(code)
	case code == 0xad || code >= 0x200b && code <= 0x200f || code == 0xfeff:
		return end, 0
	}
	return 0, 0
}

// namedEntities are those of HTML for what may be in a token or beside it.
var namedEntities = []struct {
	name  string
	plain byte
}{
	{"amp;", '&'},
	{"lowbar;", '_'},
	{"UnderBar;", '_'},
	{"colon;", ':'},
	{"equals;", '='},
	{"sol;", '/'},
	{"plus;", '+'},
	{"period;", '.'},
	{"commat;", '@'},
	{"num;", '#'},
	{"dollar;", '$'},
	{"percnt;", '%'},
	{"excl;", '!'},
	{"quest;", '?'},
	{"ast;", '*'},
	{"hyphen;", '-'},
	{"dash;", '-'},
	{"shy;", 0},
	{"ZeroWidthSpace;", 0},
	{"zwnj;", 0},
	{"zwj;", 0},
	{"NoBreak;", 0},
}

// entity reads a reference of HTML: &#95;, &#x5f;, &lowbar;.
func entity(text []byte) (width int, plain byte) {
	if len(text) < 4 {
		return 0, 0
	}
	if text[1] != '#' {
		for _, e := range namedEntities {
			if len(text) > len(e.name) && string(text[1:1+len(e.name)]) == e.name {
				return 1 + len(e.name), e.plain
			}
		}
		return 0, 0
	}
	at, base := 2, 10
	if text[2] == 'x' || text[2] == 'X' {
		at, base = 3, 16
	}
	code, first := 0, at
	for at < len(text) && at-first < 6 {
		value := hexValue(text[at])
		if value < 0 || value >= base {
			break
		}
		code = code*base + value
		at++
	}
	if at == first || at >= len(text) || text[at] != ';' {
		return 0, 0
	}
	switch {
	case code > ' ' && code < 0x7f && staysOnDecoding(byte(code)):
		return at + 1, byte(code)
	case code == 0xad || code >= 0x200b && code <= 0x200f || code == 0xfeff:
		return at + 1, 0
	}
	return 0, 0
}

const (
	leastMailLine = 60
	mostMailLine  = 76 // with the "=" at its end (RFC 2045)
)

// softBreak: the "=" at the end of a long line of mail whose word goes on in the next one. It gives the bytes that stand
// for nothing, 0 if it is none.
func softBreak(raw []byte, at int) int {
	end := at + 1
	if end < len(raw) && raw[end] == '\r' {
		end++
	}
	if end+1 >= len(raw) || raw[end] != '\n' || at == 0 || raw[at-1] == '=' || !inToken[raw[at-1]] || !inToken[raw[end+1]] || raw[end+1] == '=' {
		return 0
	}
	line := at
	for line > 0 && at-line < mostMailLine && raw[line-1] != '\n' {
		line--
	}
	if size := at + 1 - line; size < leastMailLine || size > mostMailLine || bytes.IndexByte(bytes.TrimLeft(raw[line:at], " \t>"), ' ') < 0 {
		return 0 // no mail, or a line of Base64
	}
	return end + 1 - at
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

package secret

import (
	"bytes"
	"encoding/binary"
	"math"
	"sort"
	"unicode/utf8"
)

// view is a text as a reader, or the program that a secret is pasted into, would take it: without characters that
// cannot be seen, the colours of terminals, backslashes and the soft line ends of mail, with %XX, the escapes of HTML and JSON and
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
	for i := 0; ; {
		for i < len(raw) && !mayChange[raw[i]] {
			i++
		}
		if i == len(raw) {
			break
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
	for _, c := range []byte{'\\', '%', '&', '=', '^', escape, 0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xef} {
		set[c] = true
	}
	return set
}()

func needsView(raw []byte) bool {
	for _, c := range []byte{'\\', '%', escape} {
		if bytes.IndexByte(raw, c) >= 0 {
			return true
		}
	}
	if !isASCII(raw) && (bytes.IndexByte(raw, 0xe2) >= 0 || bytes.IndexByte(raw, 0xef) >= 0 || containsAny(raw, rareInView)) {
		return true
	}
	return bytes.Contains(raw, []byte("^[[")) || bytes.IndexByte(raw, '&') >= 0 && hasEntity(raw) || bytes.Contains(raw, []byte("=\n")) || bytes.Contains(raw, []byte("=\r\n"))
}

// isASCII looks at eight bytes at once.
func isASCII(text []byte) bool {
	const high = 0x8080808080808080
	for len(text) >= 8 {
		if binary.LittleEndian.Uint64(text)&high != 0 {
			return false
		}
		text = text[8:]
	}
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
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
		return backslashed(text)
	case text[0] == '^' || text[0] == escape:
		return colour(text), 0
	case text[0] == '%' && len(text) > 2:
		return percent(text)
	case text[0] == '&':
		return entity(text)
	case text[0] == '=':
		return softBreak(raw, at), 0
	case len(text) > 2 && text[0] == 0xef && fullWidth(text) != 0:
		return 3, fullWidth(text)
	case text[0] == 0xe2 && len(text) > 2 && isDashOrQuote(text[1], text[2]): // most are
	case text[0] >= 0xc2:
		if r, size := utf8.DecodeRune(text); isUnseen(r) {
			return size, 0
		}
	}
	return 0, 0
}

// mostBackslashes is how many before one character are read as those of texts in texts, each of which doubles them.
const mostBackslashes = 8

// backslashed reads what a backslash, or several, make of the next character.
func backslashed(text []byte) (width int, plain byte) {
	extra := 0
	for extra < mostBackslashes && extra+2 < len(text) && text[extra+1] == '\\' {
		extra++
	}
	last := text[extra:]
	switch {
	case isPunctuation(last[1]):
		return extra + 2, last[1]
	case colour(last) > 0:
		return extra + colour(last), 0
	}
	if width, plain = codeUnit(last); width > 0 {
		return extra + width, plain
	}
	return extra, 0
}

// percent reads %41, and %2541 and %252541, as an address in an address has it.
func percent(text []byte) (width int, plain byte) {
	const mostNested = 3
	for nested := 0; ; nested++ {
		at := 1 + 2*nested
		if at+1 >= len(text) || nested > mostNested {
			return width, plain
		}
		high, low := hexValue(text[at]), hexValue(text[at+1])
		c := byte(high<<4 | low)
		if high < 2 || low < 0 || c >= 0x7f || !staysOnDecoding(c) {
			return width, plain
		}
		if width, plain = at+2, c; c != '%' {
			return width, plain
		}
	}
}

const escape = 0x1b

// escapeForms are the ways in which the escape of terminals is written out.
var escapeForms = byteWords(`\e \E \033 \x1b \x1B \u001b \u001B \u{1b} \u{1B} ^[`)

// colour is the size of a control sequence of ECMA-48, as terminals take it for colours, at the start of text; 0 for none.
func colour(text []byte) int {
	const mostParameters = 24
	at := 0
	switch {
	case text[0] == escape:
		at = 1
	case len(text) < 2 || bytes.IndexByte([]byte("eE0xu["), text[1]) < 0:
		return 0
	default:
		for _, form := range escapeForms {
			if bytes.HasPrefix(text, form) {
				at = len(form)
				break
			}
		}
	}
	if at == 0 || at >= len(text) || text[at] != '[' {
		return 0
	}
	for at++; at < len(text) && at < mostParameters; at++ {
		switch c := text[at]; {
		case isAlpha(c):
			return at + 1
		case !isDigit(c) && c != ';' && c != ':' && c != '?':
			return 0
		}
	}
	return 0
}

// codeUnit reads the escapes of JSON, JavaScript and C: \u005f, \u{5f}, \x5f, \137.
func codeUnit(text []byte) (width int, plain byte) {
	digits, skipped, base := 0, 2, 16
	switch {
	case text[1] == '0' || text[1] == '1':
		digits, skipped, base = 3, 1, 8
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
		if value < 0 || value >= base {
			return 0, 0
		}
		code = code*base + value
	}
	return spelledOut(code, end)
}

// spelledOut is the character that an escape of so many bytes stands for. A blank stays an escape.
func spelledOut(code, size int) (width int, plain byte) {
	switch {
	case code > ' ' && code < 0x7f && code != '\\':
		return size, byte(code)
	case isUnseen(rune(code)):
		return size, 0
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
	{"quot;", '"'},
	{"apos;", '\''},
	{"lt;", '<'},
	{"gt;", '>'},
	{"nbsp;", ' '},
	{"NewLine;", '\n'},
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
	if code == ' ' || code == 0xa0 {
		return at + 1, ' '
	}
	return spelledOut(code, at+1)
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

// isUnseen: soft hyphen, zero-width and direction marks, joiners, selectors of variants, the mark at the start of files.
func isUnseen(r rune) bool {
	switch {
	case r == 0xad, r == 0x034f, r == 0x061c, r == 0x180e, r == 0xfeff:
	case 0x200b <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f, 0xfe00 <= r && r <= 0xfe0f:
	default:
		return false
	}
	return true
}

// isDashOrQuote: U+2010 to U+2029.
func isDashOrQuote(second, third byte) bool { return second == 0x80 && 0x90 <= third && third < 0xaa }

// rareInView are those of isUnseen whose first bytes are in many texts.
var rareInView = [][]byte{[]byte("\u00ad"), []byte("\u034f"), []byte("\u061c"), []byte("\u180e")}

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

package note

import (
	"sort"
	"strings"
)

// scanner reads the text of one block, once, from left to right. Every look ahead that can fail is either bounded by
// the next opener of the same kind or remembered, so that the time is linear in the length of the block.
type scanner struct {
	*reader
	text   string
	pieces []piece // ascending; where the lines of text stand in raw
	cell   bool    // in a table cell, where "\|" is a pipe
	hidden bool    // in a comment

	openers    []opener
	activeFrom int     // below it in openers, "[" can no longer open a link: links do not nest
	quiet      []Range // code, math, HTML and links: no field begins there
	veiled     []Range // comments
	escapeEnd  int     // behind the last backslash escape
	ticks      map[int]int
	noComment  bool // no "-->" follows
	mathCloser int  // the next "$" that can close, len(text) if none; -1 unknown
	firstLink  int  // in note.Links, of this block
	linkRanges []Range
}

// piece says that the bytes of text from at on are those of raw from raw on, up to the next piece.
type piece struct {
	at, raw int
}

// opener is a "[" or "![" that may yet open a link.
type opener struct {
	at    int
	image bool
}

// special marks the bytes that mean something to scan.
var special = func() (table [256]bool) {
	for _, c := range "\\`<![]#%$" {
		table[c] = true
	}
	return table
}()

// reset makes the scanner ready for another block, keeping its memory.
func (c *scanner) reset(hidden bool) {
	c.text, c.pieces = "", c.pieces[:0]
	c.openers, c.activeFrom = c.openers[:0], 0
	c.quiet, c.veiled = c.quiet[:0], c.veiled[:0]
	c.hidden, c.cell = hidden, false
	c.escapeEnd, c.ticks, c.noComment, c.mathCloser = -1, nil, false, -1
	c.firstLink, c.linkRanges = len(c.note.Links), c.linkRanges[:0]
}

func (c *scanner) scan() {
	for i := 0; i < len(c.text); {
		if !special[c.text[i]] {
			i++
			continue
		}
		i = c.step(i)
	}
}

// step reads what begins at i and returns where to go on.
func (c *scanner) step(i int) int {
	switch c.text[i] {
	case '\\':
		if i+1 < len(c.text) && isPunctuation(c.text[i+1]) {
			c.escapeEnd = i + 2
			return i + 2
		}
	case '`':
		return c.codeSpan(i)
	case '<':
		return c.angle(i)
	case '!':
		if i+1 < len(c.text) && c.text[i+1] == '[' {
			return c.bracket(i, i+1)
		}
	case '[':
		return c.bracket(i, i)
	case ']':
		return c.closeBracket(i)
	case '#':
		return c.tag(i)
	case '%':
		return c.comment(i)
	case '$':
		return c.math(i)
	}
	return i + 1
}

func (c *scanner) codeSpan(i int) int {
	run := tickRun(c.text, i)
	if c.ticks == nil {
		c.ticks = map[int]int{}
		for at := i; at < len(c.text); {
			next := strings.IndexByte(c.text[at:], '`')
			if next < 0 {
				break
			}
			at += next
			length := tickRun(c.text, at)
			c.ticks[length] = at
			at += length
		}
	}
	if c.ticks[run] <= i {
		return i + run
	}
	for at := i + run; ; {
		at += strings.IndexByte(c.text[at:], '`')
		length := tickRun(c.text, at)
		at += length
		if length == run {
			c.quiet = append(c.quiet, Range{i, at})
			return at
		}
	}
}

func tickRun(text string, at int) int {
	start := at
	for at < len(text) && text[at] == '`' {
		at++
	}
	return at - start
}

// angle reads an autolink, a comment or a tag of HTML.
func (c *scanner) angle(i int) int {
	var end int
	switch rest := c.text[i:]; {
	case strings.HasPrefix(rest, "<!--"):
		if c.noComment {
			return i + 1
		}
		close := strings.Index(rest[4:], "-->")
		if close < 0 {
			c.noComment = true
			return i + 1
		}
		end = i + 4 + close + 3
	case autolinkLength(rest) > 0:
		end = i + autolinkLength(rest)
		c.addAutolink(i, end)
	default:
		end = i + max(1, tagLength(rest))
	}
	if end > i+1 {
		c.quiet = append(c.quiet, Range{i, end})
	}
	return end
}

// autolinkLength knows "<scheme:anything>" without white space.
func autolinkLength(text string) int {
	if len(text) < 4 || !isLetter(text[1]) || !isExternal(text[1:min(len(text), 40)]) {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '>':
			return i + 1
		case c <= ' ' || c == '<':
			return 0
		}
	}
	return 0
}

// bracket reads a wiki-link or an embed, or remembers the bracket for a Markdown link. start is the "!" of an embed.
func (c *scanner) bracket(start, at int) int {
	embed := start < at
	if strings.HasPrefix(c.text[at:], "[[") && !strings.HasPrefix(c.text[at+1:], "[[") {
		end := wikiEnd(c.text, at)
		if end >= 0 && c.addWikiLink(start, at, end) {
			return end + 2
		}
		if end < 0 {
			c.open(opener{at, embed})
			c.open(opener{at + 1, false})
			return at + 2
		}
	}
	c.open(opener{at, embed})
	return at + 1
}

// maxOpeners bounds the memory that brackets without an end can take.
const maxOpeners = 100_000

func (c *scanner) open(o opener) {
	if len(c.openers) < maxOpeners {
		c.openers = append(c.openers, o)
	}
}

// closeBracket makes a Markdown link of the last open bracket, if what follows allows it.
func (c *scanner) closeBracket(i int) int {
	if len(c.openers) == 0 {
		return i + 1
	}
	last := len(c.openers) - 1
	open := c.openers[last]
	c.openers = c.openers[:last]
	dead := !open.image && last < c.activeFrom
	c.activeFrom = min(c.activeFrom, last)
	if dead {
		return i + 1
	}
	place, end, ok := c.linkTail(open, i)
	if !ok {
		return i + 1
	}
	start := open.at
	if open.image {
		start--
	} else {
		c.activeFrom = len(c.openers)
	}
	c.addMarkdownLink(start, end, Range{open.at + 1, i}, place)
	return end
}

// linkTail reads what follows the text of a link: "(destination)", "[label]", "[]" or nothing. The destination comes as
// a range of text; one from a definition as a range of raw, marked by a negative start.
func (c *scanner) linkTail(open opener, i int) (place Range, end int, ok bool) {
	if i+1 < len(c.text) && c.text[i+1] == '(' {
		if place, end, ok = readTail(c.text, i+1); ok {
			return place, end, true
		}
	}
	if len(c.definitions) == 0 {
		return Range{}, 0, false
	}
	label, end := c.text[open.at+1:i], i+1
	if i+1 < len(c.text) && c.text[i+1] == '[' {
		if close := labelEnd(c.text, i+2); close >= 0 {
			if close > i+2 {
				label = c.text[i+2 : close]
			}
			end = close + 1
		}
	}
	if c.labelBytes += len(label); len(label) > 999 || c.labelBytes > maxLabelBytes {
		return Range{}, 0, false
	}
	target, known := c.definitions[normalLabel(label)]
	if !known {
		return Range{}, 0, false
	}
	return Range{-target.start - 1, target.end}, end, true
}

// maxLabelBytes bounds the work of looking up labels in one note: brackets in brackets are each looked up whole.
const maxLabelBytes = 16 << 20

func (c *scanner) tag(i int) int {
	if !spaceBefore(c.text, i) && c.escapeEnd != i {
		return i + 1
	}
	length := tagLengthAt(c.text[i+1:])
	if length == 0 {
		return i + 1
	}
	end := i + 1 + length
	if len(c.note.Tags) < maxFacts {
		line := c.source.line(c.raw(i))
		c.note.Tags = append(c.note.Tags, Tag{Tag: c.slice(i+1, end), Line: line, From: "body", Hidden: c.hidden})
	}
	return end
}

// comment opens or closes "%%"; one that nothing closes is text.
func (c *scanner) comment(i int) int {
	if !strings.HasPrefix(c.text[i:], "%%") {
		return i + 1
	}
	if last := len(c.veiled) - 1; c.hidden && last >= 0 && c.veiled[last].End > i {
		c.hidden = false
		c.veiled[last].End = i + 2
		c.omit(c.veiled[last])
		return i + 2
	}
	if c.hidden {
		return i + 2
	}
	if strings.Contains(c.text[i+2:], "%%") {
		c.hidden = true
		c.veiled = append(c.veiled, Range{i, len(c.text) + 1})
	}
	return i + 2
}

// omit keeps a range of text out of passages.
func (c *scanner) omit(r Range) {
	c.note.Omit = append(c.note.Omit, Range{c.raw(r.Start), c.raw(r.End)})
}

// math passes over "$…$" and "$$…$$", where nothing counts.
func (c *scanner) math(i int) int {
	if strings.HasPrefix(c.text[i:], "$$") {
		close := strings.Index(c.text[i+2:], "$$")
		if close <= 0 {
			return i + 2
		}
		end := i + 2 + close + 2
		c.quiet = append(c.quiet, Range{i, end})
		return end
	}
	if i+1 >= len(c.text) || isSpace(c.text[i+1]) {
		return i + 1
	}
	if c.mathCloser <= i {
		c.mathCloser = nextMathCloser(c.text, i+1)
	}
	if c.mathCloser >= len(c.text) || c.mathCloser == i+1 {
		return i + 1
	}
	end := c.mathCloser + 1
	c.quiet = append(c.quiet, Range{i, end})
	return end
}

// nextMathCloser finds a "$" behind something that is no white space and before something that is no digit.
func nextMathCloser(text string, at int) int {
	for i := at; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '$' && !isSpace(text[i-1]) && (i+1 == len(text) || !isDigit(text[i+1])):
			return i
		}
	}
	return len(text)
}

// raw gives the place in the file of a place in text.
func (c *scanner) raw(at int) int {
	last := len(c.pieces) - 1
	if last > 0 {
		last = sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].at > at }) - 1
	}
	return c.pieces[last].raw + at - c.pieces[last].at
}

// slice gives a redacted part of text on one line: line ends become spaces.
func (c *scanner) slice(start, end int) string {
	if len(c.pieces) == 1 {
		return oneLine(c.source.slice(c.raw(start), c.raw(end)))
	}
	first := sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].at > start }) - 1
	var parts []string
	for i := first; i < len(c.pieces) && start < end; i++ {
		stop := end
		if i+1 < len(c.pieces) {
			stop = min(end, c.pieces[i+1].at)
		}
		from := c.pieces[i].raw + start - c.pieces[i].at
		parts = append(parts, c.source.slice(from, from+stop-start))
		start = stop
	}
	if len(parts) == 1 {
		return oneLine(parts[0])
	}
	return oneLine(strings.Join(parts, ""))
}

func oneLine(text string) string {
	if strings.IndexByte(text, '\n') < 0 && strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineReader cuts a block that is too large at its lines, and long lines again. It follows fences and tables within lists and
// quotes as it does at the margin.
type lineReader struct {
	*document
	block
	add      func(atom)
	at       int    // where the next atom begins
	next     border // before it, where that is known already, else unknown
	base     int    // indentation of the first line
	previous string // the last line with text
	isBlank  bool   // the line before has no text
	fence    fence  // that is open
	table    table  // that is open
	isFine   bool   // items of lists are cut as well
}

const unknown border = -1

func newLineReader(d *document, b block, add func(atom)) *lineReader {
	r := &lineReader{document: d, block: b, add: add, at: b.start, next: b.border}
	r.base = readLine(r.lineText(d.lineAt(b.start))).indent
	r.fence.isOpen = b.kind == "math" || b.kind == "code"
	r.fence.around.isCut = b.kind == "math"
	return r
}

// read gives the atoms of the block.
func (r *lineReader) read() {
	for line := r.lineAt(r.at); r.at < r.end; line = r.lineAt(r.at) {
		end := min(r.lineStart(line+1), r.end)
		if last := r.itemEnd(line); last > 0 {
			end = last
			item := r.atomOf(r.at, end, r.border(readLine(r.lineText(line))))
			item.kind, item.isWhole = r.kind, true
			r.emit(item)
			r.follow(readLine(r.lineText(r.lineAt(end - 1))))
		} else {
			r.line(line, end)
		}
		r.at = end
	}
}

// lineText gives a line of the block without what nobody is to see.
func (r *lineReader) lineText(line int) string {
	start := max(r.start, r.lineStart(line))
	return r.shown(start, max(start, min(r.end, r.lineStart(line+1))))
}

// line gives the atoms of one line.
func (r *lineReader) line(number, end int) {
	l := readLine(r.shown(r.at, end))
	if r.fence.isOpen && r.fence.isLeft(l) {
		r.fence = fence{}
	}
	switch {
	case r.fence.isOpen:
		r.code(l, end)
	case l.content == "":
		r.table = table{}
		r.whole(end, r.border(l), around{})
	case r.openFence(l):
		r.whole(end, r.border(l), around{after: r.fence.around.after})
		r.next = nowhere
	case r.openTable(l, number) || r.table.isOpen && (r.kind == "table" || strings.Contains(l.content, "|")):
		r.row(l, end)
	default:
		r.table = table{}
		r.sentences(end, r.border(l))
	}
	r.follow(l)
}

// emit gives an atom. White space alone does not use up what is known of the next border.
func (r *lineReader) emit(a atom) {
	if a.length > a.tail {
		r.next = unknown
	}
	r.add(a)
}

// follow notes what the next line is to know of one.
func (r *lineReader) follow(l textLine) {
	if r.isBlank = l.content == ""; r.isBlank {
		return
	}
	r.previous = l.content
	if r.fence.isOpen || r.table.isOpen {
		return
	}
	if endsInColon(l.content) || isLabel(l.content) || r.isHeading(l) {
		r.next = nowhere
	}
}

// border tells how well the block is cut before a line.
func (r *lineReader) border(l textLine) border {
	switch {
	case r.next != unknown:
		return r.next
	case r.isHeading(l):
		return atHeading
	case markerLength(l.content) > 0 && l.indent <= r.base:
		return atItem
	case markerLength(l.content) > 0:
		return atInner
	case r.isBlank && r.kind == "":
		return atBlock
	case r.isBlank:
		return atInner
	case r.kind != "list" && isLabel(l.content):
		return atLabel
	case endsSentence(r.previous) || !continues(r.previous, l.content):
		return atSentence
	}
	return atLine
}

// isHeading knows a heading where the note does not say what kind a block is: in a card.
func (r *lineReader) isHeading(l textLine) bool {
	rest := strings.TrimLeft(l.content, "#")
	level := len(l.content) - len(rest)
	return r.kind == "" && level >= 1 && level <= 6 && strings.HasPrefix(rest, " ")
}

// maxLooseCharacters is how long a line may be that is no wrapped prose: a line of a poem, of an address.
const maxLooseCharacters = 60

// continues tells whether a line carries on the sentence of the one before it.
func continues(previous, line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return unicode.IsLower(first) || prefix(previous, maxLooseCharacters) < len(previous)
}

// itemEnd gives the end of the item of a list that begins with a line at the margin of the list, 0 if none begins there
// or it is too large for a passage.
func (r *lineReader) itemEnd(line int) int {
	if r.kind != "list" || r.isFine || !r.startsItem(line) {
		return 0
	}
	size, length := 0, 0
	for {
		text := r.lineText(line)
		length += utf8.RuneCountInString(text)
		if strings.Trim(text, blanks) != "" {
			size = length
		}
		line++
		switch end := min(r.lineStart(line), r.end); {
		case size > r.sizes.most:
			return 0
		case end == r.end || r.startsItem(line):
			return end
		}
	}
}

func (r *lineReader) startsItem(line int) bool {
	l := readLine(r.lineText(line))
	return l.indent <= r.base && markerLength(l.content) > 0
}

// around is what is repeated before and after a piece.
type around struct {
	before, after string
	isCut         bool // a piece that begins here is half of something all the same
}

// whole gives one atom up to a place, or several where it is too large.
func (r *lineReader) whole(end int, before border, a around) {
	one := r.atomOf(r.at, end, before)
	one.around = a
	if one.length-one.tail+utf8.RuneCountInString(a.before)+utf8.RuneCountInString(a.after) <= r.sizes.most {
		r.emit(one)
		return
	}
	r.words(r.at, end, before, a)
}

// sentences gives the sentences up to a place.
func (r *lineReader) sentences(end int, before border) {
	start := r.at
	for r.at = start; r.at < end; before = atSentence {
		next := r.at + sentenceLength(r.Text[r.at:end])
		r.whole(next, before, around{})
		r.at = next
	}
}

// words gives a sentence that is too large in stretches of some words.
func (r *lineReader) words(start, end int, before border, a around) {
	for start < end {
		length, next := stretchLength(r.Text[start:end])
		one := r.atomOf(start, start+length, before)
		one.around = a
		r.emit(one)
		start, before = start+length, next
	}
}

// textLine is a line, apart from its indentation and the marks of quotes.
type textLine struct {
	margin  string // what stands before the content
	content string // without white space at the ends
	indent  int    // of the content, behind the last mark of a quote
	quotes  int    // marks of quotes
}

func readLine(text string) textLine {
	content := strings.TrimLeft(text, " \t>")
	l := textLine{margin: text[:len(text)-len(content)], content: strings.TrimSpace(content)}
	l.quotes = strings.Count(l.margin, ">")
	for _, c := range l.margin[strings.LastIndexByte(l.margin, '>')+1:] {
		if l.indent++; c == '\t' {
			l.indent += 3
		}
	}
	return l
}

// markerLength gives the length of a list marker with the spaces behind it, 0 if there is none.
func markerLength(content string) int {
	rest := strings.TrimLeft(content, "0123456789")
	digits := len(content) - len(rest)
	switch {
	case rest == "" || digits > 9:
		return 0
	case digits == 0 && strings.IndexByte("-*+", rest[0]) < 0:
		return 0
	case digits > 0 && rest[0] != '.' && rest[0] != ')':
		return 0
	}
	behind := strings.TrimLeft(rest[1:], " \t")
	if behind == rest[1:] && behind != "" {
		return 0
	}
	return len(content) - len(behind)
}

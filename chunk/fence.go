package chunk

import (
	"strings"
	"unicode/utf8"
)

// maxFenceCharacters bounds the first line of a fence where it is repeated in every piece.
const maxFenceCharacters = 100

// fence is code that is open. The zero value is none.
type fence struct {
	isOpen bool
	run    string // its marks, "" where lines are code without them
	around around
	indent int
	quotes int
}

// openFence opens a fence that begins in a line, also behind the marker of a list.
func (r *lineReader) openFence(l textLine) bool {
	opened, ok := fenceOf(l)
	if ok {
		r.fence, r.table = opened, table{}
	}
	return ok
}

func fenceOf(l textLine) (fence, bool) {
	marker := markerLength(l.content)
	for _, at := range []int{0, marker} {
		content := l.content[at:]
		info := strings.TrimLeft(content, "`")
		if info == content {
			info = strings.TrimLeft(content, "~")
		}
		run := content[:len(content)-len(info)]
		if len(run) < 3 || run[0] == '`' && strings.Contains(info, "`") {
			continue
		}
		margin := blankOut(l.margin + l.content[:at])
		f := fence{isOpen: true, run: run, indent: l.indent + at, quotes: l.quotes, around: around{isCut: true}}
		if utf8.RuneCountInString(margin)+len(run) <= maxFenceCharacters/2 {
			f.around = around{before: margin + run + shortInfo(info) + "\n", after: "\n" + margin + run}
		}
		return f, true
	}
	return fence{}, false
}

// shortInfo gives what stands behind the marks of a fence, the first word of it where that is long.
func shortInfo(info string) string {
	if prefix(info, maxFenceCharacters/2) == len(info) {
		return info
	}
	if words := strings.Fields(info); prefix(words[0], maxFenceCharacters/2) == len(words[0]) {
		return words[0]
	}
	return ""
}

// blankOut gives the margin of the lines behind one that begins with a marker.
func blankOut(margin string) string {
	return strings.Map(func(c rune) rune {
		if c == '>' || c == '\t' {
			return c
		}
		return ' '
	}, margin)
}

// isLeft tells whether the list or quote that holds the fence has ended before a line.
func (f fence) isLeft(l textLine) bool {
	if l.content == "" && l.quotes >= f.quotes {
		return false
	}
	return l.quotes < f.quotes || f.indent > 0 && (l.indent == 0 || l.indent+3 < f.indent)
}

// isClosedBy tells whether a line is the last of the fence.
func (f fence) isClosedBy(l textLine) bool {
	return f.run != "" && len(l.content) >= len(f.run) && strings.Trim(l.content, f.run[:1]) == ""
}

// code gives the atoms of a line of code.
func (r *lineReader) code(l textLine, end int) {
	switch {
	case r.fence.run == "" && r.kind == "code" && r.at == r.start && r.openFence(l):
		r.whole(end, r.border(l), around{after: r.fence.around.after})
		r.next = nowhere
	case r.fence.isClosedBy(l):
		r.whole(end, nowhere, around{before: r.fence.around.before})
		r.fence = fence{}
	default:
		r.whole(end, r.codeBorder(l), r.fence.around)
	}
}

// codeBorder tells how well code is cut before a line: between functions, at a blank line, anywhere else.
func (r *lineReader) codeBorder(l textLine) border {
	isTop := l.indent <= r.fence.indent && l.content != "" && strings.IndexByte("})]", l.content[0]) < 0 && l.content != "end"
	switch {
	case r.next != unknown:
		return r.next
	case isTop && (r.isBlank || r.previous == "}" || r.previous == "};" || r.previous == "end"):
		return atItem
	case r.isBlank:
		return atInner
	}
	return atSentence
}

// table is a table that is open. The zero value is none.
type table struct {
	isOpen bool
	rows   int // of it that have been read, the header among them
	around around
}

// openTable opens a table whose header is a line.
func (r *lineReader) openTable(l textLine, line int) bool {
	if r.table.isOpen || r.kind != "table" && !strings.Contains(l.content, "|") {
		return false
	}
	second := r.lineText(line + 1)
	if rule := readLine(second).content; rule == "" || strings.Trim(rule, "|:- \t") != "" || !strings.Contains(rule, "-") {
		return false
	}
	header := strings.TrimRight(r.lineText(line)+second, blanks) + "\n"
	r.table = table{isOpen: true, around: around{isCut: true}}
	if prefix(header, r.sizes.header()) == len(header) {
		r.table.around = around{before: header}
	}
	return true
}

// row gives the atoms of a row of the open table. The first rows are not parted from the header.
func (r *lineReader) row(l textLine, end int) {
	before, a := atItem, around{}
	switch r.table.rows {
	case 0:
		before = r.border(l)
	case 1, 2:
		before = nowhere
	default:
		a = r.table.around
	}
	r.table.rows++
	r.whole(end, before, a)
}

package note

import (
	"strings"
)

// A page of Logseq is an outline: each bullet begins a block, which goes on to the next bullet. The reader finds the
// blocks by their first lines and reads each one; the text in them is scanned as that of other notes is.

// outline reads a page of Logseq.
type outline struct {
	*reader
	open      []openBlock // the blocks around the present one, outermost first
	lastLine  int         // of the block before
	vain      int         // lines that were read for the end of a region
	page      bool        // the present block holds the properties of the page
	section   Section     // the one that is growing
	depth     int         // of the block that began the section
	blockRefs []Range     // of the present block: references that say nothing by themselves
}

// openBlock is a block whose children may still come.
type openBlock struct {
	line, column int
	heading      bool
	bulleted     bool
	end          int // the last line of the block itself
	id           int // in note.Blocks, -1 if it has none
	outline      int // in note.Headings, from 1, 0 if it is no heading
}

// outlineBlock is the present block. Its children are not among its lines.
type outlineBlock struct {
	line, end int
	column    int // of the bullet
	text      int // in raw, behind the bullet
	bulleted  bool
	shown     bool // something of it is not omitted
	regions   []region
	head      blockHead
}

// readLogseq reads a page of Logseq.
func readLogseq(n *Note, s *source, name string) {
	properties, start, inner := readFrontmatter(n, s)
	r := newReader(n, s, start)
	if n.Kind != Plain { // a file of a plugin of Obsidian: it is no outline
		readBody(r, inner)
		namePage(n, s, name)
		return
	}
	o := &outline{reader: r}
	if inner.Start < inner.End {
		o.inline(inner.Start, inner.End, false)
	}
	o.adaptFrontmatter(properties)
	first := s.line(start)
	if start >= len(s.raw) {
		first = len(s.lines) + 1
	}
	if len(s.lines)-first >= maxLines {
		r.plain("more lines than are read as an outline")
	} else {
		o.read(first)
	}
	namePage(n, s, name)
}

// read reads the blocks from a line on.
func (o *outline) read(line int) {
	for first := true; line <= len(o.source.lines); {
		if o.source.blank(line) {
			line++
			continue
		}
		b := o.begin(line)
		next := o.extend(&b)
		o.page = first && o.isPageBlock(&b)
		o.enter(&b)
		o.block(&b)
		first, o.page = false, false
		o.lastLine = b.end
		line = next
	}
	o.leave(-1)
	o.flushSection()
}

// begin reads the bullet of a block.
func (o *outline) begin(line int) outlineBlock {
	start, end := o.source.lineRange(line)
	column, width := bulletOf(o.source.raw[start:end])
	b := outlineBlock{line: line, end: line, column: column, text: start + width, bulleted: width > 0}
	if !b.bulleted {
		b.column = 0
		b.text = skipBlank(o.source.raw, start, end)
	}
	return b
}

// bulletOf gives the column of the "-" that a line begins with, and the bytes up to the text behind it; 0 if there is none.
func bulletOf(line string) (column, width int) {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		if line[i] == '\t' {
			column += 4 - column%4
		} else {
			column++
		}
		i++
	}
	if i == len(line) || line[i] != '-' || i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\t' {
		return 0, 0
	}
	return column, skipBlank(line, i+1, len(line))
}

// skipBlank passes over spaces and tabs.
func skipBlank(text string, at, end int) int {
	for at < end && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

// extend finds the last line of a block and its regions, and returns the line where the next block may begin.
func (o *outline) extend(b *outlineBlock) int {
	s := o.source
	line, gap := b.line, false
	for ; line <= len(s.lines); line++ {
		start, end := s.lineRange(line)
		if line == b.line {
			start = b.text
		}
		text := s.raw[start:end]
		trimmed := strings.TrimLeft(text, " \t")
		if line > b.line {
			if trimmed == "" {
				gap = true
				continue
			}
			if o.startsBlock(b, text, gap) {
				break
			}
		}
		if found, ok := o.regionAt(b, line, trimmed); ok {
			b.regions = append(b.regions, found)
			line = found.last
		}
		b.end, gap = line, false
	}
	return line
}

// startsBlock tells whether a line below b is of another block: a bullet, a heading at the margin, or text behind a
// blank line that is not indented as the text of a bullet is.
func (o *outline) startsBlock(b *outlineBlock, line string, gap bool) bool {
	if _, width := bulletOf(line); width > 0 || headingLevel(line) > 0 {
		return true
	}
	return gap && (!b.bulleted || line[0] != ' ' && line[0] != '\t')
}

// enter makes a block the innermost one, and begins a section where the page may be cut: at every block at the margin,
// at headings and at what lies directly below them.
func (o *outline) enter(b *outlineBlock) {
	o.leave(b.column)
	b.head = o.readHead(b)
	depth := len(o.open)
	heading := b.head.level > 0
	below := depth > 0 && o.open[depth-1].heading
	if depth == 0 || heading || below || depth <= o.depth {
		kind := "list"
		switch {
		case heading:
			kind = "heading"
		case o.page:
			kind = "properties"
		case b.bulleted:
		case len(b.regions) > 0 && b.regions[0].first == b.line:
			kind = "code"
		default:
			kind = "paragraph"
		}
		o.beginSection(kind, b.line, depth)
	}
	o.open = append(o.open, openBlock{line: b.line, end: b.end, column: b.column, heading: heading, bulleted: b.bulleted, id: -1})
}

// leave closes the blocks that do not hold a bullet at a column. A block with an id reaches to the end of its children,
// and so does the section of a heading that has some.
func (o *outline) leave(column int) {
	for last := len(o.open) - 1; last >= 0 && o.open[last].column >= column; last-- {
		if id := o.open[last].id; id >= 0 {
			o.note.Blocks[id].LineEnd = max(o.note.Blocks[id].LineEnd, o.lastLine)
		}
		if at := o.open[last].outline; at > 0 && at <= len(o.note.Headings) && o.lastLine > o.open[last].end {
			o.note.Headings[at-1].ScopeEnd = o.lastLine
		}
		o.open = o.open[:last]
	}
}

func (o *outline) beginSection(kind string, line, depth int) {
	o.flushSection()
	o.section, o.depth = Section{Type: kind, LineStart: line}, depth
}

// flushSection ends the section at the last line that has been read.
func (o *outline) flushSection() {
	if o.section.LineStart > 0 {
		o.addSection(o.section.Type, o.section.LineStart, max(o.section.LineStart, o.lastLine))
		o.section.LineStart = 0
	}
}

// parentLine is the line of the bullet around the present block, nil if there is none.
func (o *outline) parentLine() *int {
	if len(o.open) < 2 || !o.open[len(o.open)-2].bulleted {
		return nil
	}
	line := o.open[len(o.open)-2].line
	return &line
}

package note

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// maxFacts bounds the links, tags, fields, headings and sections of one note, each: beyond it lies no note that a person
// wrote.
const maxFacts = 100_000

// reader walks through the body of a note and collects its facts.
type reader struct {
	note        *Note
	source      *source
	base        int // of the body in raw
	definitions map[string]definition
	direct      bool    // the tree has no nodes within blocks
	scanner     scanner // reused from block to block
}

// scanner is the text of one block, and the note that its facts go to.
type scanner struct {
	*reader
	lexer
}

// document reads the blocks at the top level, each of which is a section.
func (r *reader) document(root ast.Node) {
	_, r.direct = root.AttributeString(blocksOnly)
	r.scanner.targets = r.definitions
	for node := root.FirstChild(); node != nil; node = node.NextSibling() {
		r.addSection(r.sectionType(node), r.startLine(node), r.lastLine(node))
		r.block(node, nil)
	}
}

func (r *reader) addSection(kind string, start, end int) {
	if len(r.note.Sections) < maxFacts {
		r.note.Sections = append(r.note.Sections, Section{Type: kind, LineStart: start, LineEnd: end})
	}
}

func (r *reader) addHeading(h Heading) {
	if len(r.note.Headings) < maxFacts {
		h.Plain = withoutEncoded(h.Plain)
		r.note.Headings = append(r.note.Headings, h)
	}
}

// sectionType names a block as Obsidian does.
func (r *reader) sectionType(node ast.Node) string {
	switch node := node.(type) {
	case *ast.Heading:
		return "heading"
	case *ast.List:
		return "list"
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return "code"
	case *ast.HTMLBlock:
		return "html"
	case *ast.ThematicBreak:
		return "thematicBreak"
	case *ast.Blockquote:
		if _, ok := r.calloutOf(node); ok {
			return "callout"
		}
		return "blockquote"
	case *footnote:
		return "footnoteDefinition"
	case *leaf:
		switch node.kind {
		case kindTable:
			return "table"
		case kindComment:
			return "comment"
		case kindMath:
			return "math"
		case kindDefinition:
			return "definition"
		}
	}
	return "paragraph"
}

// block reads a block and what is in it. item is the line of the list item around it, nil if there is none.
func (r *reader) block(node ast.Node, item *int) {
	switch node := node.(type) {
	case *ast.Heading:
		r.heading(node)
	case *ast.Paragraph, *ast.TextBlock:
		r.paragraph(node)
	case *ast.ListItem:
		r.item(node, item)
	case *ast.Blockquote:
		r.quote(node, item)
	case *ast.List, *footnote:
		r.children(node, item)
	case *ast.HTMLBlock:
		r.html(node)
	case *leaf:
		switch node.kind {
		case kindTable:
			r.table(node)
		case kindComment:
			r.comment(node)
		}
	}
}

func (r *reader) children(node ast.Node, item *int) {
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		r.block(child, item)
	}
}

// heading reads the text of a heading; only at the top level of the note it is one of the outline.
func (r *reader) heading(node *ast.Heading) {
	line := r.startLine(node)
	end := line
	if node.Lines().Len() > 0 && !strings.HasPrefix(strings.TrimLeft(r.source.lineText(line), " "), "#") {
		end = r.source.line(r.base+node.Lines().At(node.Lines().Len()-1).Start) + 1
	}
	c := r.load(node)
	id := c.takeMarker()
	outline := node.Parent().Kind() == ast.KindDocument
	if outline {
		shown := c.whole()
		r.addHeading(Heading{Level: node.Level, Text: shown, Plain: r.source.withoutComments(shown), Line: line, LineEnd: end})
	}
	if id != "" {
		r.note.Blocks = append(r.note.Blocks, Block{ID: id, Line: line, LineEnd: end})
	}
	c.collect()
}

// paragraph reads a run of text that is neither a task nor the head of a callout.
func (r *reader) paragraph(node ast.Node) {
	c := r.load(node)
	r.markBlock(c, node)
	c.collect()
}

// item reads a list item. One with a box is a task; its parent is the item around it.
func (r *reader) item(node *ast.ListItem, parent *int) {
	line := r.startLine(node)
	first := node.FirstChild()
	if first != nil && (first.Kind() == ast.KindParagraph || first.Kind() == ast.KindTextBlock) {
		c := r.load(first)
		r.markBlock(c, first)
		status, at, isTask := taskBox(c.text)
		if isTask {
			end := at + lineLength(c.text[at:])
			r.note.Tasks = append(r.note.Tasks, Task{
				Status: status, Text: strings.TrimSpace(c.slice(at, end)), Line: line, ParentLine: parent,
			})
		}
		c.collect()
		first = first.NextSibling()
	}
	for child := first; child != nil; child = child.NextSibling() {
		r.block(child, &line)
	}
}

// taskBox reads "[x] " and returns the character in it and where the text begins.
func taskBox(text string) (status string, at int, ok bool) {
	if !strings.HasPrefix(text, "[") {
		return "", 0, false
	}
	for i, c := range text[1:] {
		if i > 0 {
			status, text = text[1:1+i], text[1+i:]
			break
		}
		if c == '\n' || c == '\r' || c == ']' {
			return "", 0, false
		}
	}
	if status == "" || text[0] != ']' || len(text) > 1 && strings.IndexByte("([:", text[1]) >= 0 {
		return "", 0, false
	}
	return status, len(status) + 2, true
}

func lineLength(text string) int {
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		return end
	}
	return len(text)
}

// table reads the rows of a table, cell by cell. A last row that is nothing but a block id names the table.
func (r *reader) table(node *leaf) {
	for cell := node.FirstChild(); cell != nil; cell = cell.NextSibling() {
		r.load(cell).collect()
	}
	lines := node.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		start := r.base + segment.Start
		row := r.source.raw[start : r.base+segment.Stop]
		if id, at := markerAtEnd(row); id != "" && at == 0 && i > 1 && i == lines.Len()-1 {
			first := r.startLine(node)
			name := start + strings.IndexByte(row, '^') + 1
			r.note.Blocks = append(r.note.Blocks, Block{ID: r.source.slice(name, name+len(id)), Line: first, LineEnd: first + i - 1})
			r.note.Omit = append(r.note.Omit, Range{start, start + len(strings.TrimRight(row, " \t\r\n"))})
			return
		}
		if i == 1 || !r.direct {
			continue
		}
		for _, cell := range splitRow(row) {
			c := r.loadRange(start+cell.Start, start+cell.End, false)
			c.cell = true
			c.readText()
		}
	}
}

// comment reads a block of comment. Its links and tags count, marked hidden; code in it does not, nor do its tasks.
func (r *reader) comment(node *leaf) {
	lines := node.Lines()
	last := lines.Len() - 1
	ending := lines.At(last)
	stop := ending.Stop
	lines.Set(last, ending.WithStop(node.end))
	r.note.Omit = append(r.note.Omit, Range{r.base + lines.At(0).Start, r.base + node.end})
	fence, run := "", 0
	for i := 0; i <= lines.Len(); i++ {
		before, words := fence, ""
		if i < lines.Len() {
			words = segmentText(r.source.raw[r.base:], lines.At(i))
			fence = nextFence(words, fence)
		}
		if before == "" && fence == "" && strings.TrimSpace(words) != "" {
			continue
		}
		if before == "" {
			r.hiddenLines(lines, run, i)
		}
		run = i + 1
	}
	if node.end < stop {
		r.loadRange(r.base+node.end, r.base+stop, false).readText()
	}
}

// hiddenLines reads some of the lines of a comment.
func (r *reader) hiddenLines(lines *text.Segments, from, to int) {
	if from < to {
		c := &r.scanner
		c.reset(true)
		c.blockText.load(r.source.raw[r.base:], segmentsFrom(lines, from, to))
		c.readText()
	}
}

// scanRuns scans raw[start:end] paragraph by paragraph, without fenced code.
func (r *reader) scanRuns(start, end int, hidden bool) {
	fence, run := "", start
	flush := func(to int) {
		if run < to {
			r.loadRange(run, to, hidden).readText()
		}
	}
	for line := r.source.line(start); line <= len(r.source.lines) && r.source.lines[line-1] < end; line++ {
		from, to := r.source.lineRange(line)
		text := r.source.raw[from:to]
		before := fence
		fence = nextFence(text, fence)
		if before != "" || fence != "" || strings.TrimSpace(text) == "" {
			if before == "" {
				flush(min(from, end))
			}
			run = to
		}
	}
	if fence == "" {
		flush(end)
	}
}

// startLine is the line in the file where a block begins.
func (r *reader) startLine(node ast.Node) int {
	at := node.Pos()
	switch node.(type) {
	case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
		if node.Lines().Len() > 0 {
			at = node.Lines().At(0).Start
		}
	}
	return r.source.line(r.base + at)
}

// lastLine is the last line of a block that is not blank: the one before whatever follows it.
func (r *reader) lastLine(node ast.Node) int {
	last := len(r.source.lines)
	for n := node; n != nil; n = n.Parent() {
		if next := n.NextSibling(); next != nil {
			last = r.startLine(next) - 1
			break
		}
	}
	first := r.startLine(node)
	marks := " \t"
	if isQuoted(node) {
		marks = " \t>"
	}
	for last > first && strings.Trim(r.source.lineText(last), marks) == "" {
		last--
	}
	return max(first, last)
}

// isQuoted tells whether a block lies in a quote.
func isQuoted(node ast.Node) bool {
	for n := node.Parent(); n != nil; n = n.Parent() {
		if n.Kind() == ast.KindBlockquote {
			return true
		}
	}
	return false
}

// firstLine is the first line of a block's text.
func (r *reader) firstLine(node ast.Node) string {
	if node.Lines().Len() == 0 {
		return ""
	}
	segment := node.Lines().At(0)
	return strings.TrimSpace(r.source.raw[r.base+segment.Start : r.base+segment.Stop])
}

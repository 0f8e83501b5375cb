package note

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// tableTransformer makes a table of the lines of a paragraph from the header above the first delimiter row on, with the
// cells as its children if there is to be a tree within blocks.
type tableTransformer struct{ cells bool }

func (t tableTransformer) Transform(node *ast.Paragraph, reader text.Reader, context parser.Context) {
	source := util.BytesToReadOnlyString(reader.Source())
	lines := node.Lines()
	for i := 1; i < lines.Len(); i++ {
		columns := delimiterColumns(segmentText(source, lines.At(i)))
		if columns == 0 {
			continue
		}
		if len(splitRow(segmentText(source, lines.At(i-1)))) != columns {
			return
		}
		table := &leaf{kind: kindTable}
		table.SetPos(lines.At(i - 1).Start)
		table.Lines().AppendAll(lines.Sliced(i-1, lines.Len()))
		if t.cells {
			addCells(table, source)
		}
		lines.SetSliced(0, i-1)
		node.Parent().InsertAfter(node.Parent(), node, table)
		if lines.Len() == 0 {
			node.Parent().RemoveChild(node.Parent(), node)
			return
		}
		below, _ := context.Get(tablesKey).([]*leaf)
		context.Set(tablesKey, append(below, table))
		return
	}
}

// tablesKey holds the tables that stand right below lines of the paragraph they were taken from.
var tablesKey = parser.NewContextKey()

// keepOrder puts right what a line of "=" or "-" below such a table makes: the parser takes the lines above the table for a
// heading, which it puts behind it. They are a paragraph, and three dashes are a rule.
func keepOrder(context parser.Context, source string) {
	tables, _ := context.Get(tablesKey).([]*leaf)
	for _, table := range tables {
		heading, ok := table.NextSibling().(*ast.Heading)
		if !ok || heading.Lines().Len() == 0 || heading.Lines().At(0).Start > table.Pos() {
			continue
		}
		paragraph := ast.NewParagraph()
		paragraph.SetPos(heading.Lines().At(0).Start)
		paragraph.SetLines(heading.Lines())
		for child := heading.FirstChild(); child != nil; child = heading.FirstChild() {
			paragraph.AppendChild(paragraph, child)
		}
		parent := table.Parent()
		parent.RemoveChild(parent, heading)
		parent.InsertBefore(parent, table, paragraph)
		lines := table.Lines()
		at := lines.At(lines.Len() - 1).Stop
		at += strings.IndexByte(source[at:], '\n') + 1
		if line := source[at : at+lineLength(source[at:])]; strings.Count(line, "-") >= 3 {
			rule := ast.NewThematicBreak()
			rule.SetPos(at + strings.IndexByte(line, '-'))
			parent.InsertAfter(parent, table, rule)
		}
	}
}

// addCells makes nodes of the cells, of all rows but that of dashes and one that names the table.
func addCells(table *leaf, source string) {
	lines := table.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		row := segmentText(source, segment)
		if i == 1 || i == lines.Len()-1 && namesTable(row, i) {
			continue
		}
		for _, cell := range splitRow(row) {
			node := &leaf{kind: kindTableCell}
			node.SetPos(segment.Start + cell.Start)
			node.Lines().Append(text.NewSegment(segment.Start+cell.Start, segment.Start+cell.End))
			table.AppendChild(table, node)
		}
	}
}

// namesTable tells whether a last row is nothing but a block id.
func namesTable(row string, index int) bool {
	id, at := markerAtEnd(row)
	return id != "" && at == 0 && index > 1
}

func segmentText(source string, segment text.Segment) string {
	return source[segment.Start:segment.Stop]
}

// delimiterColumns counts the columns of a row such as "|---|:-:|", 0 if the line is none.
func delimiterColumns(line string) int {
	line = strings.TrimSpace(line)
	if line == "" || strings.Trim(line, "|:- \t") != "" || !strings.ContainsAny(line, "|:") {
		return 0
	}
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	columns := 0
	for cell := range strings.SplitSeq(line, "|") {
		cell = strings.TrimSpace(cell)
		cell = strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":")
		if cell == "" || strings.Trim(cell, "-") != "" {
			return 0
		}
		columns++
	}
	return columns
}

// splitRow gives the cells of a table row as ranges of the row. A pipe behind a backslash divides nothing.
func splitRow(row string) []Range {
	start, end := 0, len(row)
	for start < end && isSpace(row[start]) {
		start++
	}
	for end > start && isSpace(row[end-1]) {
		end--
	}
	if start < end && row[start] == '|' {
		start++
	}
	var cells []Range
	for i := start; i < end; i++ {
		switch row[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, Range{start, i})
			start = i + 1
		}
	}
	if start < end || len(cells) == 0 {
		cells = append(cells, Range{start, end})
	}
	return cells
}

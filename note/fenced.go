package note

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// fencedParser reads a block between two marks: %% comments and $$ math. In lists and quotes, one that begins and ends on
// the same line is left to the text of its paragraph.
type fencedParser struct {
	mark string
	kind ast.NodeKind
}

func (p fencedParser) Trigger() []byte { return []byte{p.mark[0]} }

func (p fencedParser) Open(parent ast.Node, reader text.Reader, context parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	lead := len(line) - len(strings.TrimLeft(util.BytesToReadOnlyString(line), " "))
	rest := util.BytesToReadOnlyString(line[lead:])
	if segment.Padding != 0 || !strings.HasPrefix(rest, p.mark) {
		return nil, parser.NoChildren
	}
	if paragraph, ok := context.LastOpenedBlock().Node.(*ast.Paragraph); ok && p.kind == kindComment && searchOf(context).hasOpenComment(paragraph, reader.Source()) {
		return nil, parser.NoChildren // it ends what began in the line above
	}
	after := rest[len(p.mark):]
	end := segment.Start + lead
	if close := markOutsideCode(after, p.mark); close >= 0 {
		if strings.TrimSpace(after[close+len(p.mark):]) != "" || close == 0 || parent.Kind() != ast.KindDocument {
			return nil, parser.NoChildren // text goes on behind it: it is read within the paragraph
		}
		end += close + 2*len(p.mark)
	} else if end = p.findEnd(parent, reader, context); end < 0 {
		return nil, parser.NoChildren // never closed: text as any other
	}
	node := &leaf{kind: p.kind, end: end}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// findEnd gives the place behind the mark that ends a block whose first line the reader is at, -1 if there is none in
// the containers around it.
func (p fencedParser) findEnd(parent ast.Node, reader text.Reader, context parser.Context) int {
	_, segment := reader.PeekLine()
	source := util.BytesToReadOnlyString(reader.Source())
	search := searchOf(context)
	end := search.table(source, p.mark, segment.Stop, parent).after(segment.Stop)
	if end < 0 || parent.Kind() == ast.KindDocument || search.holds(parent, source, Range{segment.Stop, end}) {
		return end
	}
	return -1
}

func (p fencedParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	_, segment := reader.PeekLine()
	if segment.Start >= node.(*leaf).end {
		return parser.Close
	}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// Close makes text of a block that its list or quote ends before its mark does, for a reason that holds did not see.
func (p fencedParser) Close(node ast.Node, _ text.Reader, _ parser.Context) {
	block, lines := node.(*leaf), node.Lines()
	last := lines.At(lines.Len() - 1)
	if block.end <= last.Stop {
		return
	}
	paragraph := ast.NewParagraph()
	paragraph.SetPos(lines.At(0).Start)
	paragraph.SetLines(lines)
	node.Parent().ReplaceChild(node.Parent(), node, paragraph)
}

func (p fencedParser) CanInterruptParagraph() bool { return true }
func (p fencedParser) CanAcceptIndentedLine() bool { return false }

// markSearch is what is known in a run of the parser of where blocks between marks end.
type markSearch struct {
	tables map[tableKey]*markTable
	ends   map[ast.Node]int // where a container of many lines ends

	// The paragraph that was asked for last, how many of its lines were looked at, and whether a comment was open behind them.
	paragraph *ast.Paragraph
	looked    int
	open      bool
}

var searchKey = parser.NewContextKey()

func searchOf(context parser.Context) *markSearch {
	search, ok := context.Get(searchKey).(*markSearch)
	if !ok {
		search = &markSearch{tables: map[tableKey]*markTable{}, ends: map[ast.Node]int{}}
		context.Set(searchKey, search)
	}
	return search
}

// table gives the places of a mark from a line on, at the top level or in containers. Lines are asked for in order.
func (s *markSearch) table(source, mark string, from int, parent ast.Node) *markTable {
	key := tableKey{mark, parent.Kind() != ast.KindDocument}
	if s.tables[key] == nil {
		s.tables[key] = newMarkTable(source, key, from)
	}
	return s.tables[key]
}

// hasOpenComment tells whether a comment begins in a paragraph that has not ended in it so far. No line is looked at twice.
func (s *markSearch) hasOpenComment(paragraph *ast.Paragraph, source []byte) bool {
	if s.paragraph != paragraph {
		s.paragraph, s.looked, s.open = paragraph, 0, false
	}
	for ; s.looked < paragraph.Lines().Len(); s.looked++ {
		segment := paragraph.Lines().At(s.looked)
		if countMarks(util.BytesToReadOnlyString(segment.Value(source)), "%%")%2 == 1 {
			s.open = !s.open
		}
	}
	return s.open
}

// maxCodeMarks bounds the work on a line with marks and code.
const maxCodeMarks = 64

// countMarks counts the marks in a line outside code.
func countMarks(line, mark string) int {
	if strings.IndexByte(line, '`') < 0 {
		return strings.Count(line, mark)
	}
	count := 0
	for at := markOutsideCode(line, mark); at >= 0 && count < maxCodeMarks; at = markOutsideCode(line, mark) {
		count++
		line = line[at+len(mark):]
	}
	return count
}

// manyLines is from how many lines on the end of a container is remembered.
const manyLines = 16

// holds tells whether all lines of a range stand in the containers around it. Of each container no line is looked at
// twice, but for a few.
func (s *markSearch) holds(parent ast.Node, source string, lines Range) bool {
	if end, known := s.ends[parent]; known {
		return lines.End <= end
	}
	around := containersOf(parent)
	for at, count := lines.Start, 0; at < lines.End; count++ {
		line := source[at:]
		if next := strings.IndexByte(line, '\n'); next >= 0 {
			line = line[:next+1]
		}
		if !within(around, line) {
			if count >= manyLines {
				s.ends[parent] = at
			}
			return false
		}
		at += len(line)
	}
	return true
}

// containersOf gives the containers of a block that ask something of its lines, the outermost first.
func containersOf(node ast.Node) []ast.Node {
	var around []ast.Node
	for ; node != nil; node = node.Parent() {
		switch node.Kind() {
		case ast.KindListItem, ast.KindBlockquote, kindFootnote:
			around = append(around, node)
		}
	}
	slices.Reverse(around)
	return around
}

// within tells whether a line that is no lazy one goes on in all of the containers.
func within(around []ast.Node, line string) bool {
	at, column, indent := 0, 0, 0 // indent is the white space, in columns, that no container has taken
	for _, container := range around {
		for ; at < len(line) && isSpaceOrTab(line[at]); at++ {
			width := 1
			if line[at] == '\t' {
				width = 4 - column%4
			}
			column, indent = column+width, indent+width
		}
		blank := at == len(line) || line[at] == '\n' || line[at] == '\r'
		if container.Kind() == ast.KindBlockquote {
			if blank || line[at] != '>' || indent > 3 {
				return false
			}
			at, column, indent = at+1, column+1, 0
			if at < len(line) && isSpaceOrTab(line[at]) {
				indent = -1 // it belongs to the mark
			}
			continue
		}
		asked := 4 // of a footnote
		if item, ok := container.(*ast.ListItem); ok {
			asked = item.Offset
		}
		if !blank && indent < asked {
			return false
		}
		indent -= asked
	}
	return true
}

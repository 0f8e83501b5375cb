package note

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var kindFootnote = ast.NewNodeKind("QuarryFootnote")

// footnote is the block "[^label]: text", with further blocks in it that are indented.
type footnote struct {
	ast.BaseBlock
}

func (f *footnote) Kind() ast.NodeKind            { return kindFootnote }
func (f *footnote) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

// footnoteParser reads footnotes at the top level of the note and in quotes. One begins where a paragraph could, or
// behind another footnote.
type footnoteParser struct{}

func (footnoteParser) Trigger() []byte             { return []byte{'['} }
func (footnoteParser) CanInterruptParagraph() bool { return true }
func (footnoteParser) CanAcceptIndentedLine() bool { return false }

func (footnoteParser) Close(ast.Node, text.Reader, parser.Context) {}

func (footnoteParser) Open(parent ast.Node, reader text.Reader, context parser.Context) (ast.Node, parser.State) {
	if kind := parent.Kind(); kind != ast.KindDocument && kind != ast.KindBlockquote {
		return nil, parser.NoChildren
	}
	if last := context.LastOpenedBlock().Node; ast.IsParagraph(last) && last.Parent() != nil && last.Parent().Kind() != kindFootnote {
		return nil, parser.NoChildren
	}
	line, _ := reader.PeekLine()
	at := context.BlockOffset()
	length := footnoteLabel(util.BytesToReadOnlyString(line[at:]))
	if length == 0 {
		return nil, parser.NoChildren
	}
	reader.Advance(skipSpace(util.BytesToReadOnlyString(line[:trimmedLength(line)]), at+length))
	return &footnote{}, parser.HasChildren
}

func (footnoteParser) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	at, padding := util.IndentPosition(line, reader.LineOffset(), 4)
	if at < 0 {
		return parser.Close
	}
	reader.AdvanceAndSetPadding(at, padding)
	return parser.Continue | parser.HasChildren
}

// trimmedLength is the length of a line without its end.
func trimmedLength(line []byte) int {
	end := len(line)
	for end > 0 && (line[end-1] == '\n' || line[end-1] == '\r') {
		end--
	}
	return end
}

// footnoteLabel gives the length of "[^label]:" at the head of a text, 0 if there is none.
func footnoteLabel(text string) int {
	if !strings.HasPrefix(text, "[^") {
		return 0
	}
	end := labelEnd(text, 2)
	if end <= 2 || !strings.HasPrefix(text[end:], "]:") {
		return 0
	}
	return end + 2
}

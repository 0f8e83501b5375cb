package note

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// inlineSyntax is the extension of goldmark with all inline marks of the dialect. It stands alone: none of goldmark's own
// inline parsers is to run beside it for links, code and HTML, of which some are quadratic.
type inlineSyntax struct {
	mentions bool // those of Dendron
}

func (s inlineSyntax) Extend(m goldmark.Markdown) {
	if s.mentions {
		m.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(inlineParser{"@", (*lexer).mention}, 190)))
	}
	m.Parser().AddOptions(parser.WithInlineParsers(
		util.Prioritized(inlineParser{`\`, (*lexer).escape}, 50),
		util.Prioritized(inlineParser{"`", (*lexer).codeSpan}, 100),
		util.Prioritized(inlineParser{"<", (*lexer).angle}, 110),
		util.Prioritized(inlineParser{"![", (*lexer).openBracket}, 120),
		util.Prioritized(inlineParser{"]", (*lexer).closeBracket}, 130),
		util.Prioritized(inlineParser{"#", (*lexer).tag}, 140),
		util.Prioritized(inlineParser{"%", (*lexer).comment}, 150),
		util.Prioritized(inlineParser{"$", (*lexer).math}, 160),
		util.Prioritized(inlineParser{"^", (*lexer).blockID}, 170),
		util.Prioritized(inlineParser{"=", (*lexer).highlight}, 180),
		util.Prioritized(lineParser{}, 1000),
	))
}

var (
	lexerKey    = parser.NewContextKey()
	mentionsKey = parser.NewContextKey() // set where a body has those of Dendron
)

// lexerOf gives the lexer of a run of the parser.
func lexerOf(context parser.Context) *lexer {
	if l, ok := context.Get(lexerKey).(*lexer); ok {
		return l
	}
	l := &lexer{mentions: context.Get(mentionsKey) != nil}
	l.targets, _ = context.Get(definitionsKey).(map[string]definition)
	context.Set(lexerKey, l)
	return l
}

// inlineParser lets the lexer read one kind of mark. What the lexer knows to be no mark is left to goldmark as text.
type inlineParser struct {
	triggers string
	read     func(l *lexer, at int) (next int)
}

func (p inlineParser) Trigger() []byte { return []byte(p.triggers) }

func (p inlineParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	l := lexerOf(context)
	if l.within != parent {
		l.begin(parent, util.BytesToReadOnlyString(block.Source()))
		l.tree = true
	}
	line, segment := block.Position()
	at := segment.Start - l.pieces[0].place + l.pieces[0].at
	if len(l.pieces) > 1 {
		at = segment.Start - l.pieces[line].place + l.pieces[line].at
	}
	l.node = nil
	switch {
	case l.veil.open && at >= len(l.text):
		l.next = max(l.unveil(), at)
	case at < l.next || at >= len(l.text) && at != l.marker:
		return nil
	default:
		l.next = p.read(l, at)
	}
	if l.node == nil {
		return nil
	}
	l.advance(block, parent.Lines(), line)
	return l.node
}

// advance puts the reader behind the last byte that was read.
func (l *lexer) advance(block text.Reader, lines *text.Segments, line int) {
	place := l.place(l.next-1) + 1
	for line+1 < lines.Len() && lines.At(line+1).Start < place {
		line++
	}
	segment := lines.At(line)
	if place >= segment.Stop && line+1 < lines.Len() {
		line++
		block.SetPosition(line, lines.At(line))
		return
	}
	block.SetPosition(line, text.NewSegment(place, segment.Stop))
}

// begin makes ready the text of another block of the tree.
func (l *lexer) begin(block ast.Node, body string) {
	l.reset(false)
	l.load(body, block.Lines())
	l.within, l.cell = block, block.Kind() == kindTableCell
	if !l.cell {
		l.cutMarker()
	}
	_, _, box := taskBox(l.text)
	l.task = box && isItemText(block)
}

// isItemText tells whether a block is the text of a list item, at its head.
func isItemText(block ast.Node) bool {
	return isText(block) && block.PreviousSibling() == nil && block.Parent().Kind() == ast.KindListItem
}

func isText(block ast.Node) bool {
	return block.Kind() == ast.KindParagraph || block.Kind() == ast.KindTextBlock
}

// lineParser reads what fills lines, fields and relations, once all marks of a block are known.
type lineParser struct{}

func (lineParser) Trigger() []byte                                      { return nil }
func (lineParser) Parse(ast.Node, text.Reader, parser.Context) ast.Node { return nil }

func (lineParser) CloseBlock(block ast.Node, reader text.Reader, context parser.Context) {
	lines := block.Lines()
	if lines.Len() == 0 {
		return
	}
	l := lexerOf(context)
	if l.within != block {
		body := util.BytesToReadOnlyString(reader.Source())
		if !mayFillLine(body[lines.At(0).Start:lines.At(lines.Len()-1).Stop]) {
			return
		}
		l.begin(block, body)
		l.tree = true
	}
	l.finish()
	l.within = nil
}

func mayFillLine(text string) bool {
	return strings.Contains(text, "::") || strings.Contains(text, "rel:")
}

// finish looks at each line of a block for what fills a line, and at the title of a callout.
func (l *lexer) finish() {
	if l.veil.open { // its end was no mark for goldmark
		l.node = nil
		if l.unveil(); l.node != nil {
			l.within.AppendChild(l.within, l.node)
		}
	}
	edge, title := l.edge()
	if !l.task && !edge && !mayFillLine(l.text) {
		return
	}
	l.settle()
	for start := 0; start < len(l.text); {
		end := start + lineLength(l.text[start:])
		l.fields(start, end, l.task)
		if l.mayRelate(start) {
			l.relationLine(start, end)
		}
		start = end + 1
	}
	if edge {
		l.edgeTitle(title, lineLength(l.text))
	}
}

// mayRelate tells whether a line of the block may be one of relations: it begins with nothing but marks of lists and quotes, so that
// it is none of a heading or a table, nor the first of a footnote.
func (l *lexer) mayRelate(start int) bool {
	if l.within == nil {
		return true
	}
	switch l.within.Kind() {
	case ast.KindParagraph, ast.KindTextBlock:
		parent := l.within.Parent()
		return start > 0 || parent == nil || parent.Kind() != kindFootnote || l.within.PreviousSibling() != nil
	}
	return false
}

// edge tells whether the block is the head of an edge callout, and where its title begins.
func (l *lexer) edge() (ok bool, title int) {
	if l.within == nil || l.within.Kind() != ast.KindParagraph || l.within.PreviousSibling() != nil || l.within.Parent().Kind() != ast.KindBlockquote {
		return false, 0
	}
	end := lineLength(l.text)
	head, ok := readCallout(strings.TrimSpace(l.text[:end]))
	return ok && head.kind == "edge", min(head.title, end)
}

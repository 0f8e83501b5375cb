package note

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The block structure is goldmark's, with blocks of Obsidian's own. Goldmark's inline parsers are not used: they do not
// tell where a link ends, and are quadratic on repeated "[a](". Those of syntax.go read the text of a block once.

// Blocks beyond CommonMark. Their lines are their text, the fences included.
var (
	kindTable      = ast.NewNodeKind("QuarryTable")
	kindTableCell  = ast.NewNodeKind("QuarryTableCell") // child of a table
	kindComment    = ast.NewNodeKind("QuarryComment")
	kindMath       = ast.NewNodeKind("QuarryMath")
	kindDefinition = ast.NewNodeKind("QuarryDefinition")
)

// leaf is a block of lines.
type leaf struct {
	ast.BaseBlock
	kind ast.NodeKind
	end  int // of the block, in the parsed bytes; comments and math alone
}

func (l *leaf) Kind() ast.NodeKind            { return l.kind }
func (l *leaf) IsRaw() bool                   { return l.kind != kindTableCell }
func (l *leaf) Dump(source []byte, level int) { ast.DumpHelper(l, source, level, nil, nil) }

// blockSyntax is the extension of goldmark with all blocks of the dialect.
type blockSyntax struct {
	cells bool // table cells become nodes
}

func (b blockSyntax) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(
		parser.WithBlockParsers(
			util.Prioritized(fencedParser{mark: "%%", kind: kindComment}, 50),
			util.Prioritized(fencedParser{mark: "$$", kind: kindMath}, 60),
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(htmlParser{}, 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(definitionTransformer{}, 100),
			util.Prioritized(tableTransformer{b.cells}, 200),
		),
	)
}

// The parsers hold no state between runs and may be used by many goroutines at once. markdownBlocks makes no nodes within
// blocks: a note of very many marks is read without, since nodes take some hundred bytes each.
var (
	markdown       = newParser(blockSyntax{cells: true}, inlineSyntax{})
	markdownBlocks = newParser(blockSyntax{})
)

func newParser(extensions ...goldmark.Extender) parser.Parser {
	return goldmark.New(goldmark.WithParser(parser.NewParser()), goldmark.WithExtensions(extensions...)).Parser()
}

// maxMarks is how many inline marks a body may have for nodes to be made of them.
const maxMarks = 200_000

func hasManyMarks(body string) bool {
	if len(body) <= maxMarks {
		return false
	}
	count := strings.Count(body, "|")
	for i := range len(marks) {
		count += strings.Count(body, marks[i:i+1])
	}
	return count > maxMarks
}

// blocksOnly is the attribute of a document whose blocks have no nodes in them.
const blocksOnly = "blocksOnly"

var definitionsKey = parser.NewContextKey()

// parseBlocks gives the tree of the body and its link definitions by label. Offsets in the tree are those of body.
// It is not ok where the parser broke down: a fault in a library must not take the note with it.
func parseBlocks(body []byte) (root ast.Node, definitions map[string]definition, ok bool) {
	defer func() {
		if recover() != nil {
			root, definitions, ok = nil, nil, false
		}
	}()
	context := parser.NewContext()
	if hasManyMarks(util.BytesToReadOnlyString(body)) {
		root = markdownBlocks.Parse(text.NewReader(body), parser.WithContext(context))
		root.SetAttributeString(blocksOnly, true)
	} else {
		root = markdown.Parse(text.NewReader(body), parser.WithContext(context))
	}
	definitions, _ = context.Get(definitionsKey).(map[string]definition)
	return root, definitions, true
}

// fencedParser reads a block between two marks: %% comments and $$ math, at the top level of the note.
type fencedParser struct {
	mark string
	kind ast.NodeKind
}

func (p fencedParser) Trigger() []byte { return []byte{p.mark[0]} }

// unclosedKey counts the marks of a note that had no end: each took a look at all the rest, so that is done few times.
var unclosedKey = parser.NewContextKey()

const maxUnclosed = 8

func (p fencedParser) Open(parent ast.Node, reader text.Reader, context parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	lead := len(line) - len(strings.TrimLeft(util.BytesToReadOnlyString(line), " "))
	rest := util.BytesToReadOnlyString(line[lead:])
	if parent.Kind() != ast.KindDocument || segment.Padding != 0 || !strings.HasPrefix(rest, p.mark) {
		return nil, parser.NoChildren
	}
	after := rest[len(p.mark):]
	end := segment.Start + lead
	if close := strings.Index(after, p.mark); close >= 0 {
		if strings.TrimSpace(after[close+len(p.mark):]) != "" || close == 0 {
			return nil, parser.NoChildren // text goes on behind it: the scanner reads it within the paragraph
		}
		end += close + 2*len(p.mark)
	} else {
		unclosed, _ := context.Get(unclosedKey).(int)
		length := -1
		if unclosed < maxUnclosed {
			length = closingMark(util.BytesToReadOnlyString(reader.Source()[segment.Stop:]), p.mark)
		}
		if length < 0 {
			context.Set(unclosedKey, unclosed+1)
			return nil, parser.NoChildren // never closed: text as any other
		}
		end = segment.Stop + length
	}
	node := &leaf{kind: p.kind, end: end}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
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

func (p fencedParser) Close(ast.Node, text.Reader, parser.Context) {}
func (p fencedParser) CanInterruptParagraph() bool                 { return true }
func (p fencedParser) CanAcceptIndentedLine() bool                 { return false }

// closingMark gives the length of text up to and with the next mark outside code, -1 if there is none.
func closingMark(text, mark string) int {
	if !strings.Contains(text, mark) {
		return -1
	}
	var fence string
	for start := 0; start < len(text); {
		end := len(text)
		if next := strings.IndexByte(text[start:], '\n'); next >= 0 {
			end = start + next + 1
		}
		line := text[start:end]
		if toggled := nextFence(line, fence); toggled != fence {
			fence = toggled
		} else if fence == "" {
			if at := markOutsideCode(line, mark); at >= 0 {
				return start + at + len(mark)
			}
		}
		start = end
	}
	return -1
}

// nextFence gives the fence that is open after line, "" if none, where fence was open before it.
func nextFence(line, fence string) string {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 || trimmed == "" || trimmed[0] != '`' && trimmed[0] != '~' {
		return fence
	}
	run := len(trimmed) - len(strings.TrimLeft(trimmed, trimmed[:1]))
	rest := strings.TrimSpace(trimmed[run:])
	switch {
	case run < 3:
		return fence
	case fence == "" && (trimmed[0] == '~' || strings.IndexByte(rest, '`') < 0):
		return trimmed[:run]
	case fence != "" && strings.HasPrefix(trimmed[:run], fence) && rest == "":
		return ""
	}
	return fence
}

// markOutsideCode finds mark in a line, but not between backticks.
func markOutsideCode(line, mark string) int {
	for at := 0; at < len(line); {
		rest := line[at:]
		found := strings.Index(rest, mark)
		if found < 0 {
			return -1
		}
		tick := strings.IndexByte(rest[:found], '`')
		if tick < 0 {
			return at + found
		}
		run := len(rest[tick:]) - len(strings.TrimLeft(rest[tick:], "`"))
		after := tick + run
		if close := strings.Index(rest[after:], rest[tick:after]); close >= 0 {
			after += close + run
		}
		at += after
	}
	return -1
}

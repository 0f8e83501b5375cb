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
	end  int // of the block, in the parsed body; comments and math alone
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
			util.Prioritized(footnoteParser{}, 850),
			util.Prioritized(htmlParser{}, 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(definitionTransformer{}, 100),
			util.Prioritized(tableTransformer(b), 200),
		),
	)
}

// The parsers hold no state between runs and may be used by many goroutines at once. markdownBlocks makes no nodes within
// blocks, not even of their text: a note of very many marks is read without, since nodes take some hundred bytes each.
var (
	markdown       = newParser(blockSyntax{cells: true}, inlineSyntax{})
	markdownBlocks = newParser(blockSyntax{}, bareSyntax{})
	dendron        = newParser(blockSyntax{cells: true}, inlineSyntax{mentions: true})
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
	count := strings.Count(body, "|") + strings.Count(body, "=") + strings.Count(body, "@")
	for i := range len(marks) {
		count += strings.Count(body, marks[i:i+1])
	}
	return count > maxMarks
}

// blocksOnly is the attribute of a document whose blocks have no nodes in them.
const blocksOnly = "blocksOnly"

var definitionsKey = parser.NewContextKey()

// parseBlocks gives the tree of the body and its link definitions by label. Offsets in the tree are those of body.
// mentions are those of Dendron. It is not ok where the parser broke down: a fault in a library must not take the note with it.
func parseBlocks(body []byte, mentions bool) (root ast.Node, definitions map[string]definition, ok bool) {
	defer func() {
		if recover() != nil {
			root, definitions, ok = nil, nil, false
		}
	}()
	context := parser.NewContext()
	switch {
	case hasManyMarks(util.BytesToReadOnlyString(body)):
		root = markdownBlocks.Parse(text.NewReader(body), parser.WithContext(context))
		removeFiller(context)
		root.SetAttributeString(blocksOnly, true)
	case mentions:
		context.Set(mentionsKey, true)
		root = dendron.Parse(text.NewReader(body), parser.WithContext(context))
	default:
		root = markdown.Parse(text.NewReader(body), parser.WithContext(context))
	}
	keepOrder(context, util.BytesToReadOnlyString(body))
	keepLexer(root, context)
	definitions, _ = context.Get(definitionsKey).(map[string]definition)
	return root, definitions, true
}

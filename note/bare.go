package note

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// bareSyntax is the extension of goldmark that makes no nodes of what blocks hold. Goldmark asks for what begins at the
// first byte of a block, and is given one node for the whole, the filler, which moves from block to block.
type bareSyntax struct{}

func (bareSyntax) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(bareParser{}, 100)))
}

type bareParser struct{}

// Trigger gives all bytes that goldmark looks up at the start of a block: a letter counts as a space.
func (bareParser) Trigger() []byte { return []byte(" !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") }

var fillerKey = parser.NewContextKey()

func (bareParser) Parse(_ ast.Node, block text.Reader, context parser.Context) ast.Node {
	filler, ok := context.Get(fillerKey).(*inline)
	if !ok {
		filler = &inline{kind: kindField}
		context.Set(fillerKey, filler)
	}
	for line, _ := block.PeekLine(); line != nil; line, _ = block.PeekLine() {
		block.AdvanceLine()
	}
	return filler
}

// removeFiller takes the filler out of the last block.
func removeFiller(context parser.Context) {
	if filler, ok := context.Get(fillerKey).(*inline); ok && filler.Parent() != nil {
		filler.Parent().RemoveChild(filler.Parent(), filler)
	}
}

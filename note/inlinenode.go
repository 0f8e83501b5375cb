package note

import (
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Inline nodes beyond plain text.
var (
	kindWikiLink     = ast.NewNodeKind("QuarryWikiLink") // or an embed
	kindMarkdownLink = ast.NewNodeKind("QuarryMarkdownLink")
	kindAutolink     = ast.NewNodeKind("QuarryAutolink")
	kindTag          = ast.NewNodeKind("QuarryTag")
	kindMention      = ast.NewNodeKind("QuarryMention") // "@name", in Dendron alone
	kindInlineNote   = ast.NewNodeKind("QuarryInlineComment")
	kindCodeSpan     = ast.NewNodeKind("QuarryCodeSpan")
	kindMathSpan     = ast.NewNodeKind("QuarryMathSpan")
	kindInlineHTML   = ast.NewNodeKind("QuarryInlineHTML")
	kindBlockID      = ast.NewNodeKind("QuarryBlockID")
	kindField        = ast.NewNodeKind("QuarryField")
	kindHighlight    = ast.NewNodeKind("QuarryHighlight")
	kindFootnoteCall = ast.NewNodeKind("QuarryFootnoteCall")   // "[^label]"
	kindFootnoteText = ast.NewNodeKind("QuarryInlineFootnote") // "^[text]"
)

// inline is a node within a block. Its ranges are bytes of the parsed body; where the block has several lines, a range
// may hold the marks of the containers around it. Markdown links, comments, highlights and footnotes have what they hold
// as children; fields have none and stand at the end of their block, since a field may cut across other nodes.
type inline struct {
	ast.BaseInline
	kind       ast.NodeKind
	whole      Range
	inner      Range  // the text within the marks; the key of a field
	target     Range  // the destination of a Markdown link, the value of a field
	relation   Range  // the name of the relation that the line gives to a link
	name       string // the key of a field that a sign stands for
	embed      bool
	hidden     bool // in a comment
	cell       bool // in a table cell, where "\|" is a pipe
	definition bool // target is that of a definition
	taken      int  // the number of the link in the note, from 1; 0 as long as it is not there
}

func (n *inline) Kind() ast.NodeKind { return n.kind }

func (n *inline) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{
		"Whole": strconv.Quote(string(source[n.whole.Start:n.whole.End])), "Hidden": strconv.FormatBool(n.hidden),
	}, nil)
}

// adopt moves what stands in parent behind the opening mark of node into it. Each child is looked at once by the node
// that takes it, so that the time is linear.
func (n *inline) adopt(parent ast.Node) {
	var first ast.Node
	child := parent.LastChild()
	for ; child != nil && startOf(child) >= n.whole.Start; child = child.PreviousSibling() {
		first = child
	}
	if words, ok := child.(*ast.Text); ok && words.Segment.Stop > n.whole.Start {
		if words.Segment.Stop > n.inner.Start {
			behind := ast.NewTextSegment(words.Segment.WithStart(n.inner.Start))
			behind.SetSoftLineBreak(words.SoftLineBreak())
			behind.SetHardLineBreak(words.HardLineBreak())
			n.AppendChild(n, behind)
		}
		words.Segment = words.Segment.WithStop(n.whole.Start)
		words.SetSoftLineBreak(false)
		words.SetHardLineBreak(false)
	}
	for first != nil {
		next := first.NextSibling()
		if words, ok := first.(*ast.Text); ok {
			words.Segment = withoutHead(words.Segment, n.inner.Start)
			if words.Segment.IsEmpty() && !words.SoftLineBreak() && !words.HardLineBreak() {
				parent.RemoveChild(parent, first) // it was the mark alone
				first = next
				continue
			}
		}
		n.AppendChild(n, first)
		first = next
	}
}

// withoutHead cuts off what lies before a place.
func withoutHead(segment text.Segment, place int) text.Segment {
	if segment.Start >= place {
		return segment
	}
	return segment.WithStart(min(place, segment.Stop))
}

func startOf(node ast.Node) int {
	switch node := node.(type) {
	case *ast.Text:
		return node.Segment.Start
	case *inline:
		return node.whole.Start
	}
	return node.Pos()
}

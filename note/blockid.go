package note

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// cutMarker cuts a block id off the end of the text.
func (l *lexer) cutMarker() {
	if strings.LastIndexByte(l.text, '^') < 0 {
		return
	}
	last := strings.LastIndexAny(l.text, "\r\n") + 1
	id, at := markerAtEnd(l.text[last:])
	if id == "" {
		return
	}
	l.markerEnd = len(l.text)
	l.marker = l.markerEnd - len(id) - 1
	l.text = l.text[:last+at]
}

// blockID reads the block id that was cut off.
func (l *lexer) blockID(i int) int {
	if i != l.marker {
		return i + 1
	}
	l.add(kindBlockID, Range{i, l.markerEnd}, Range{i + 1, l.markerEnd})
	return l.markerEnd
}

// takeMarker gives the block id that was cut off the text, "" if there was none, and leaves it out of passages.
func (c *scanner) takeMarker() string {
	if c.marker < 0 {
		return ""
	}
	c.note.Omit = append(c.note.Omit, Range{c.raw(len(c.text)), c.raw(c.markerEnd)})
	return c.slice(c.marker+1, c.markerEnd)
}

// markBlock notes the block that a marker at the end of a paragraph names: the list item, quote or paragraph that it
// ends, or the block before where it stands alone.
func (r *reader) markBlock(c *scanner, node ast.Node) {
	id := c.takeMarker()
	if id == "" {
		return
	}
	alone := strings.TrimSpace(c.text) == ""
	named := node
	switch previous, parent := node.PreviousSibling(), node.Parent(); {
	case alone && previous != nil && previous.Kind() != ast.KindHeading:
		named = previous
	case parent.Kind() == ast.KindListItem:
		named = parent
	case parent.Kind() == ast.KindBlockquote:
		for named.Parent() != nil && named.Parent().Kind() == ast.KindBlockquote {
			named = named.Parent()
		}
	}
	block := Block{ID: id, Line: r.startLine(named), LineEnd: r.lastLine(named)}
	if named == node && strings.HasSuffix(c.text, "\n") && block.LineEnd > block.Line {
		block.LineEnd-- // the marker stands on a line of its own below the text
	}
	r.note.Blocks = append(r.note.Blocks, block)
}

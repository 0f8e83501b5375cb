package note

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// takeMarker cuts a block id off the end of the text and returns it, "" if there is none.
func (c *scanner) takeMarker() string {
	last := strings.LastIndexAny(c.text, "\r\n") + 1
	id, at := markerAtEnd(c.text[last:])
	if id == "" {
		return ""
	}
	name := last + strings.LastIndexByte(c.text[last:], '^') + 1
	id = c.slice(name, name+len(id))
	c.omit(Range{last + at, len(c.text)})
	c.text = c.text[:last+at]
	return id
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

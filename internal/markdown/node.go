package markdown

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// rawNamespace marks elements that Raw made: no document has any. They are images, which the library takes for a part of a line.
const rawNamespace = "markdown"

// Raw is an element for Prepare that becomes this Markdown within a line, as it is.
func Raw(markdown string) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: "img", DataAtom: atom.Img, Namespace: rawNamespace, Attr: []html.Attribute{{Key: "markdown", Val: markdown}}}
}

// Element is a new element that holds these, for Prepare.
func Element(kind atom.Atom, children ...*html.Node) *html.Node {
	made := &html.Node{Type: html.ElementNode, Data: kind.String(), DataAtom: kind}
	for _, child := range children {
		made.AppendChild(child)
	}
	return made
}

// TextNode is a new text, for Prepare.
func TextNode(text string) *html.Node { return &html.Node{Type: html.TextNode, Data: text} }

// Attribute is an attribute of an element without blanks around it, "" where it has none; n may be nil.
func Attribute(n *html.Node, name string) string { return attribute(n, name) }

// HasClass tells whether an element is of a class.
func HasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}

// NodeText is the text within a node, with white space as one blank.
func NodeText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode:
			b.WriteString(d.Data)
		case d.DataAtom == atom.Br || d.DataAtom == atom.P || d.DataAtom == atom.Div || d.DataAtom == atom.Li:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(plainText(b.String())), " ")
}

// TextOf is the Markdown of the words of a document alone, for one that FromHTML does not take. At most MaxHTMLBytes are read.
func TextOf(document string) string {
	words := html.NewTokenizer(strings.NewReader(document[:min(len(document), MaxHTMLBytes)]))
	var b strings.Builder
	skipped := ""
	for {
		switch words.Next() {
		case html.ErrorToken:
			return fromText(plainText(b.String()))
		case html.TextToken:
			if skipped == "" {
				b.Write(words.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := words.TagName()
			switch tag := string(name); tag {
			case "script", "style", "head", "title":
				skipped = tag
			case "p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote":
				b.WriteByte('\n')
			}
		case html.EndTagToken:
			if name, _ := words.TagName(); string(name) == skipped {
				skipped = ""
			}
		}
	}
}

// Unwrap leaves what is in an element in its place.
func Unwrap(n *html.Node) { unwrap(n) }

// Move puts all that is in one element at the end of another.
func Move(from, to *html.Node) {
	for from.FirstChild != nil {
		child := from.FirstChild
		from.RemoveChild(child)
		to.AppendChild(child)
	}
}

// text cleans a text of the document: a line separator in it is a line's end.
func (c *cleaner) text(n *html.Node) {
	c.lost.add("drawing", strings.Count(n.Data, "\ufffc"))
	if !strings.ContainsAny(n.Data, "\u2028\u2029") {
		n.Data = plainText(n.Data)
		return
	}
	lines := strings.FieldsFunc(n.Data, func(r rune) bool { return r == '\u2028' || r == '\u2029' })
	if isWithin(n, atom.Pre) {
		n.Data = plainText(strings.Join(lines, "\n"))
		return
	}
	for i, line := range lines {
		if i > 0 {
			n.Parent.InsertBefore(Element(atom.Br), n)
		}
		n.Parent.InsertBefore(TextNode(plainText(line)), n)
	}
	n.Data = ""
}

func (l Lost) add(what string, count int) {
	if count > 0 {
		l[what] += count
	}
}

func isWithin(n *html.Node, kind atom.Atom) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == kind {
			return true
		}
	}
	return false
}

// listInList puts a list that stands in another, between its items, into the item before it.
func listInList(n *html.Node) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		if child.DataAtom == atom.Ul || child.DataAtom == atom.Ol {
			before := child.PrevSibling
			for before != nil && before.Type == html.TextNode && strings.TrimSpace(before.Data) == "" {
				n.RemoveChild(before)
				before = child.PrevSibling
			}
			n.RemoveChild(child)
			if before == nil || before.DataAtom != atom.Li {
				before = Element(atom.Li)
				n.InsertBefore(before, next)
			}
			before.AppendChild(child)
		}
		child = next
	}
}

// boxIntoBlock puts a box into the block behind it, whose text belongs to it.
func boxIntoBlock(n *html.Node) {
	next := n.NextSibling
	for next != nil && next.Type == html.TextNode && strings.TrimSpace(next.Data) == "" {
		next = next.NextSibling
	}
	if next != nil && (next.DataAtom == atom.Div || next.DataAtom == atom.P) && n.Parent.DataAtom == atom.Li {
		n.Parent.RemoveChild(n)
		next.InsertBefore(n, next.FirstChild)
	}
}

var blocks = []atom.Atom{atom.P, atom.Div, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Pre, atom.Blockquote, atom.Table, atom.Hr}

func hasBlock(n *html.Node) bool {
	for child := range n.ChildNodes() {
		if isBlock(child) {
			return true
		}
	}
	return false
}

func isBlock(n *html.Node) bool { return slices.Contains(blocks, n.DataAtom) }

// markWithin moves a mark around blocks into them: Markdown has none around. Headings and lists go without.
func markWithin(n *html.Node) {
	if !hasBlock(n) {
		return
	}
	var run *html.Node // of what is no block
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		switch {
		case !isBlock(child):
			if run == nil {
				run = Element(n.DataAtom)
				n.InsertBefore(run, child)
			}
			n.RemoveChild(child)
			run.AppendChild(child)
		case (child.DataAtom == atom.P || child.DataAtom == atom.Div) && !hasBlock(child) && !isMarked(child, n.DataAtom):
			inner := Element(n.DataAtom)
			Move(child, inner)
			child.AppendChild(inner)
			run = nil
		default:
			run = nil
		}
		child = next
	}
	unwrap(n)
}

// isMarked tells whether all of a block has a mark of this kind already.
func isMarked(n *html.Node, kind atom.Atom) bool {
	for child := n.FirstChild; child != nil && child == n.LastChild; n, child = child, child.FirstChild {
		if child.DataAtom == kind {
			return true
		}
	}
	return false
}

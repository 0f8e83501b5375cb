package markdown

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"quarry/internal/lazyregexp"
)

// maxDepth bounds lists and quotations in each other: each level is written again before every line below it.
const maxDepth = 24

// cleaner takes out of a document what a reader did not see or a note must not hold, and prepares the rest.
type cleaner struct {
	options Options
	lost    Lost
	shift   int // of headings
}

// dropped are elements that go with all that is in them; the name is what a report calls them, "" is not worth a word.
var dropped = map[atom.Atom]string{
	atom.Head: "", atom.Script: "script", atom.Style: "", atom.Noscript: "", atom.Template: "", atom.Svg: "drawing", atom.Canvas: "drawing", atom.Link: "", atom.Meta: "",
	atom.Input: "", atom.Textarea: "", atom.Select: "", atom.Button: "", atom.Applet: "", atom.Frameset: "", atom.Math: "formula", atom.Dialog: "", atom.Base: "",
}

// framed are elements that show another address: its link stays.
var framed = map[atom.Atom]string{atom.Iframe: "src", atom.Embed: "src", atom.Frame: "src", atom.Video: "src", atom.Audio: "src"}

func (c *cleaner) clean(n *html.Node, depth int) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		switch child.Type {
		case html.TextNode:
			c.text(child)
		case html.ElementNode:
			if c.keeps(child) {
				c.clean(child, depth+nesting(child))
				c.prepare(child, depth)
			} else {
				n.RemoveChild(child)
			}
		case html.CommentNode, html.DoctypeNode:
			n.RemoveChild(child)
		}
		child = next
	}
}

func nesting(n *html.Node) int {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Blockquote, atom.Dl:
		return 1
	}
	return 0
}

// keeps tells whether an element stays; of one that shows another address a link to it is left before.
func (c *cleaner) keeps(n *html.Node) bool {
	if n.Namespace == rawNamespace {
		return true
	}
	if what, ok := dropped[n.DataAtom]; ok || n.Namespace != "" {
		if what != "" {
			c.lost[what]++
		}
		return n.DataAtom == atom.Input && attribute(n, "type") == "checkbox"
	}
	if n.DataAtom == atom.Form && c.options.IsMail || isHidden(n, c.options.IsMail) {
		return false
	}
	if name, ok := framed[n.DataAtom]; ok {
		source := attribute(n, name)
		if source == "" {
			source = attribute(childOf(n, atom.Source), "src")
		}
		if web(source) {
			n.Parent.InsertBefore(linkTo(source), n)
		}
		c.lost["frame"]++
		return false
	}
	return true
}

var (
	hiddenStyle = lazyregexp.New(`(?i)(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)`)
	hiddenMail  = lazyregexp.New(`(?i)(?:^|;)\s*(?:mso-hide\s*:\s*all|max-height\s*:\s*0(?:px)?\s*(?:;|$)|font-size\s*:\s*0(?:px)?\s*(?:;|$)|opacity\s*:\s*0\s*(?:;|$))`)
)

func isHidden(n *html.Node, isMail bool) bool {
	style := attribute(n, "style")
	return has(n, "hidden") || hiddenStyle.MatchString(style) || isMail && hiddenMail.MatchString(style)
}

// prepare changes an element that stays, once what is in it is clean.
func (c *cleaner) prepare(n *html.Node, depth int) {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		level := min(max(int(n.Data[1]-'0')+c.shift, 1), 6)
		n.Data = "h" + strconv.Itoa(level)
		n.DataAtom = atom.Lookup([]byte(n.Data))
		if n.FirstChild == nil {
			remove(n)
		}
	case atom.Form, atom.Fieldset, atom.Object, atom.Center, atom.Font, atom.Section, atom.Article, atom.U, atom.Label:
		unwrap(n)
	case atom.Ul, atom.Ol, atom.Blockquote, atom.Dl:
		if n.DataAtom == atom.Ul || n.DataAtom == atom.Ol {
			listInList(n)
		}
		if depth >= maxDepth {
			unwrap(n)
		}
	case atom.B, atom.Strong, atom.I, atom.Em, atom.Del, atom.S, atom.Mark:
		markWithin(n)
	case atom.Input:
		boxIntoBlock(n)
	case atom.Tt, atom.Kbd, atom.Samp:
		n.Data, n.DataAtom = "code", atom.Code
	case atom.Summary, atom.Dt:
		n.Data, n.DataAtom = "p", atom.P
		bold(n)
	case atom.Strike:
		n.Data, n.DataAtom = "del", atom.Del
	case atom.Table:
		c.table(n)
	case atom.Td, atom.Th:
		clampSpans(n)
	}
}

// table unwraps a table that only lays out what is in it.
func (c *cleaner) table(n *html.Node) {
	rows, widest, isNested, hasHeader := 0, 0, false, false
	for d := range n.Descendants() {
		switch d.DataAtom {
		case atom.Tr:
			rows++
			cells := 0
			for child := range d.ChildNodes() {
				if child.DataAtom == atom.Td || child.DataAtom == atom.Th {
					cells++
				}
			}
			widest = max(widest, cells)
		case atom.Table, atom.H1, atom.H2, atom.H3, atom.Ul, atom.Ol, atom.Pre, atom.Blockquote:
			isNested = true
		case atom.Th, atom.Thead, atom.Caption:
			hasHeader = true
		}
	}
	isLayout := attribute(n, "role") == "presentation" || attribute(n, "role") == "none" || widest <= 1 || isNested || c.options.IsMail && !hasHeader
	if !isLayout && rows > 0 {
		return
	}
	var inner []*html.Node
	for d := range n.Descendants() {
		if slices.Contains([]atom.Atom{atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Td, atom.Th, atom.Caption}, d.DataAtom) && tableOf(d) == n {
			inner = append(inner, d)
		}
	}
	for _, d := range append(inner, n) {
		d.Data, d.DataAtom, d.Attr = "div", atom.Div, nil
	}
}

func tableOf(n *html.Node) *html.Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == atom.Table {
			return p
		}
	}
	return nil
}

func clampSpans(n *html.Node) {
	for i, a := range n.Attr {
		if a.Key == "colspan" || a.Key == "rowspan" {
			if count, err := strconv.Atoi(a.Val); err != nil || count > 20 || count < 1 {
				n.Attr[i].Val = "1"
			}
		}
	}
}

// topHeading is the level of the highest heading, 0 where there is none.
func topHeading(root *html.Node) int {
	top := 0
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
			if level := int(n.Data[1] - '0'); top == 0 || level < top {
				top = level
			}
		}
	}
	return top
}

// plainText is a text without what steers or cannot be written: a no-break space is a space, a line separator a line's end.
func plainText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u00a0' || r == '\u2007' || r == '\u202f':
			return ' '
		case r == '\ufffc' || r == '\u200b' || r == '\ufeff' || r == '\u00ad' || r == '\u034f' || r >= '\ue000' && r <= '\uf8ff' || r < ' ' && r != '\n' && r != '\t':
			return -1
		}
		return r
	}, text)
}

func attribute(n *html.Node, name string) string {
	if n != nil {
		for _, a := range n.Attr {
			if a.Key == name {
				return strings.TrimSpace(a.Val)
			}
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func childOf(n *html.Node, kind atom.Atom) *html.Node {
	for child := range n.ChildNodes() {
		if child.DataAtom == kind {
			return child
		}
	}
	return nil
}

func linkTo(address string) *html.Node {
	paragraph := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
	link := &html.Node{Type: html.ElementNode, Data: "a", DataAtom: atom.A, Attr: []html.Attribute{{Key: "href", Val: address}}}
	link.AppendChild(&html.Node{Type: html.TextNode, Data: address})
	paragraph.AppendChild(link)
	return paragraph
}

// bold puts what is in an element into <strong>.
func bold(n *html.Node) {
	strong := &html.Node{Type: html.ElementNode, Data: "strong", DataAtom: atom.Strong}
	for n.FirstChild != nil {
		child := n.FirstChild
		n.RemoveChild(child)
		strong.AppendChild(child)
	}
	n.AppendChild(strong)
}

// unwrap leaves what is in an element in its place.
func unwrap(n *html.Node) {
	for n.FirstChild != nil {
		child := n.FirstChild
		n.RemoveChild(child)
		n.Parent.InsertBefore(child, n)
	}
	remove(n)
}

func remove(n *html.Node) { n.Parent.RemoveChild(n) }

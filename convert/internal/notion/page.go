package notion

import (
	stdhtml "html"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

var (
	titleTag = lazyregexp.New(`(?s)<h1[^>]*\bclass="page-title"[^>]*>(.*?)</h1>`)
	anyTag   = lazyregexp.New(`<[^>]*>`)
)

// htmlTitle is the title of a page of the HTML export, "" where it has none.
func htmlTitle(text string) string {
	m := titleTag.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return strings.Join(strings.Fields(stdhtml.UnescapeString(anyTag.ReplaceAllString(m[1], ""))), " ")
}

// convertHTML makes the note of a page of the HTML export.
func (r *reader) convertHTML(p *page) {
	var long string
	body, lost, err := markdown.FromHTML(p.text, markdown.Options{
		Prepare: func(root *html.Node) {
			dropIcons(root)
			long = r.header(p, root)
			for _, n := range elements(root) {
				if n.Parent != nil {
					r.block(p, n)
				}
			}
			mergeLists(root)
		},
		Link: func(address, text string) (string, bool) {
			otherwise := text
			if pageID(address) != "" {
				otherwise = "[" + text + "](" + address + ")"
			}
			return r.link(p, address, text, otherwise)
		},
	})
	for what, count := range lost {
		r.into.Lost[what] += count
	}
	if err != nil {
		r.into.Problem(p.file.Path, "%v", err)
		body = markdown.TextOf(p.text)
	}
	p.note.Body = strings.TrimSpace(long + body)
}

// elements are the elements below a node, in their order.
func elements(root *html.Node) []*html.Node {
	var all []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			all = append(all, n)
		}
	}
	return all
}

// find is the first element below a node of a class, nil for none.
func find(root *html.Node, class string) *html.Node {
	for n := range root.Descendants() {
		if markdown.HasClass(n, class) {
			return n
		}
	}
	return nil
}

func drop(n *html.Node) {
	if n != nil && n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// dropIcons takes out the pictures by which Notion shows kinds of properties and of pages.
func dropIcons(root *html.Node) {
	for _, n := range elements(root) {
		isLink := n.Parent != nil && n.Parent.DataAtom == atom.A
		if markdown.HasClass(n, "property-icon") || n.Data == "svg" || markdown.HasClass(n, "icon") && (isLink || n.DataAtom == atom.Img) || markdown.HasClass(n, "status-dot") || markdown.HasClass(n, "user-icon") {
			drop(n)
		}
	}
}

// header takes the head of a page out of its text: what is too long for a property is the text that is returned.
func (r *reader) header(p *page, root *html.Node) (long string) {
	var header *html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.Header {
			header = n
			break
		}
	}
	if header == nil {
		return ""
	}
	var lines []property
	for _, n := range elements(header) {
		if n.DataAtom == atom.Tr && markdown.HasClass(n, "property-row") {
			if line, ok := r.htmlProperty(p, n); ok {
				lines = append(lines, line)
			}
		}
	}
	if icon := find(header, "icon"); icon != nil {
		if text := markdown.NodeText(icon); text != "" && !strings.Contains(p.title, text) {
			lines = append(lines, property{name: "icon", value: text})
		}
	}
	long = r.setProperties(p, lines)
	description := find(header, "page-description")
	if description != nil && markdown.NodeText(description) != "" {
		drop(description)
		header.Parent.InsertBefore(description, header)
	}
	drop(header)
	return long
}

// htmlProperty is a property as a row of the head has it; ok is false for an empty one.
func (r *reader) htmlProperty(p *page, row *html.Node) (_ property, ok bool) {
	var name string
	var cell *html.Node
	for n := range row.ChildNodes() {
		switch n.DataAtom {
		case atom.Th:
			name = markdown.NodeText(n)
		case atom.Td:
			cell = n
		}
	}
	if name == "" || cell == nil {
		return property{}, false
	}
	line := property{name: name, value: markdown.NodeText(cell)}
	switch class := markdown.Attribute(row, "class"); {
	case strings.Contains(class, "row-multi_select"):
		line.list = texts(cell, "selected-value")
	case strings.Contains(class, "row-person"):
		line.list = texts(cell, "user")
	case strings.Contains(class, "row-created_time"): // in whatever language its name is
		line.name = createdNames[0]
	case strings.Contains(class, "row-last_edited_time"):
		line.name = updatedNames[0]
	case strings.Contains(class, "row-checkbox"):
		line.value = "No"
		if find(cell, "checkbox-on") != nil {
			line.value = "Yes"
		}
	case strings.Contains(class, "row-relation"), strings.Contains(class, "row-file"):
		line.list = r.cellLinks(p, cell)
	case strings.Contains(class, "row-text"), strings.Contains(class, "row-title"), strings.Contains(class, "row-select"), strings.Contains(class, "row-phone"), strings.Contains(class, "row-email"):
		line.isText = true
	}
	if line.list != nil {
		line.value = strings.Join(line.list, ", ")
	}
	return line, line.value != ""
}

func texts(root *html.Node, class string) []string {
	var found []string
	for n := range root.Descendants() {
		if markdown.HasClass(n, class) {
			if text := markdown.NodeText(n); text != "" {
				found = append(found, text)
			}
		}
	}
	return found
}

// cellLinks are the links in a property, written for a note.
func (r *reader) cellLinks(p *page, cell *html.Node) []string {
	var links []string
	seen := map[string]bool{}
	for n := range cell.Descendants() {
		address := markdown.Attribute(n, "href")
		if n.DataAtom == atom.Img {
			address = markdown.Attribute(n, "src")
		}
		if address == "" || seen[address] {
			continue
		}
		seen[address] = true
		text := markdown.NodeText(n)
		made, ok := r.link(p, address, text, text)
		if !ok {
			made = address
		}
		links = append(links, made)
	}
	return links
}

// block makes plain HTML of an element that only Notion writes.
func (r *reader) block(p *page, n *html.Node) {
	class := markdown.Attribute(n, "class")
	switch {
	case n.DataAtom == atom.Figure && markdown.HasClass(n, "callout"):
		callout(n)
	case n.DataAtom == atom.Nav:
		drop(n)
	case markdown.HasClass(n, "equation"), markdown.HasClass(n, "notion-text-equation-token"):
		equation(n)
	case strings.HasPrefix(class, "checkbox checkbox-"):
		checkbox(n, strings.Contains(class, "checkbox-on"))
	case markdown.HasClass(n, "selected-value"):
		if next := n.NextSibling; next != nil && markdown.HasClass(next, "selected-value") {
			n.Parent.InsertBefore(markdown.TextNode(", "), next)
		}
	case n.DataAtom == atom.Details:
		toggle(n)
	case n.DataAtom == atom.A && markdown.HasClass(n, "bookmark"):
		bookmark(n)
	case n.DataAtom == atom.Mark && !strings.Contains(class, "background"):
		markdown.Unwrap(n)
	case n.DataAtom == atom.Img:
		r.image(p, n)
	case n.DataAtom == atom.Figcaption:
		n.Data, n.DataAtom = "p", atom.P
	}
}

// callout makes a figure a callout of Obsidian, with its icon as its title.
func callout(n *html.Node) {
	head := "[!note]"
	if icon := find(n, "icon"); icon != nil {
		text := markdown.NodeText(icon)
		head = strings.TrimSpace("[!" + kindOfIcon(text) + "] " + markdown.Escape(text))
		drop(icon)
	}
	n.Data, n.DataAtom, n.Attr = "blockquote", atom.Blockquote, nil
	n.InsertBefore(markdown.Element(atom.P, markdown.Raw(head)), n.FirstChild)
}

// equation leaves the TeX of a formula.
func equation(n *html.Node) {
	for d := range n.Descendants() {
		if d.Data != "annotation" || markdown.Attribute(d, "encoding") != "application/x-tex" {
			continue
		}
		tex := strings.TrimSpace(textOf(d))
		if n.DataAtom == atom.Figure {
			n.Parent.InsertBefore(markdown.Element(atom.P, markdown.Raw("$$\n"+tex+"\n$$")), n)
		} else {
			n.Parent.InsertBefore(markdown.Raw("$"+strings.Join(strings.Fields(tex), " ")+"$"), n)
		}
		drop(n)
		return
	}
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// checkbox is a box before an item of a list, a word in a cell.
func checkbox(n *html.Node, isOn bool) {
	if n.Parent.DataAtom != atom.Li {
		word := "No"
		if isOn {
			word = "Yes"
		}
		n.Parent.InsertBefore(markdown.TextNode(word), n)
		drop(n)
		return
	}
	n.Data, n.DataAtom, n.Attr = "input", atom.Input, []html.Attribute{{Key: "type", Val: "checkbox"}}
	if isOn {
		n.Attr = append(n.Attr, html.Attribute{Key: "checked"})
	}
}

var headingSizes = map[string]atom.Atom{"1.875em": atom.H1, "1.5em": atom.H2, "1.25em": atom.H3}

// toggle leaves what is in a toggle: its first line is an item of a list, or a heading.
func toggle(n *html.Node) {
	for child := range n.ChildNodes() {
		if child.DataAtom != atom.Summary {
			continue
		}
		kind := atom.P
		for size, heading := range headingSizes {
			if strings.Contains(strings.ReplaceAll(markdown.Attribute(child, "style"), " ", ""), "font-size:"+size) {
				kind = heading
			}
		}
		child.Data, child.DataAtom = kind.String(), kind
	}
	markdown.Unwrap(n)
}

// bookmark is a link with its title, and what Notion had to say of it.
func bookmark(n *html.Node) {
	title, description := find(n, "bookmark-title"), find(n, "bookmark-description")
	text := markdown.Attribute(n, "href")
	if title != nil && markdown.NodeText(title) != "" {
		text = markdown.NodeText(title)
	}
	if description != nil && markdown.NodeText(description) != "" {
		said := markdown.Element(atom.P, markdown.TextNode(markdown.NodeText(description)))
		n.Parent.InsertBefore(said, n.NextSibling)
	}
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	n.AppendChild(markdown.TextNode(text))
}

var widthStyle = lazyregexp.New(`(?:^|;)\s*width:\s*(\d{1,4})(?:\.\d+)?px`)

// image shows a picture of the export; a link around it that only leads to itself goes.
func (r *reader) image(p *page, n *html.Node) {
	source := markdown.Attribute(n, "src")
	if a := n.Parent; a.DataAtom == atom.A && (markdown.Attribute(a, "href") == source || strings.HasPrefix(source, "data:")) {
		markdown.Unwrap(a)
	}
	size := ""
	if m := widthStyle.FindStringSubmatch(markdown.Attribute(n, "style")); m != nil {
		size = m[1]
	}
	if made, ok := r.embed(p, source, "", size); ok {
		n.Parent.InsertBefore(markdown.Raw(made), n)
		drop(n)
	}
}

var listClasses = []string{"bulleted-list", "numbered-list", "to-do-list", "toggle"}

// mergeLists puts lists together of which Notion writes one an item.
func mergeLists(root *html.Node) {
	for _, n := range elements(root) {
		kind := listKind(n)
		if kind == "" || n.Parent == nil {
			continue
		}
		before := n.PrevSibling
		for before != nil && before.Type == html.TextNode && strings.TrimSpace(before.Data) == "" {
			drop(before)
			before = n.PrevSibling
		}
		if before != nil && listKind(before) == kind {
			markdown.Move(n, before)
			drop(n)
		}
	}
}

func listKind(n *html.Node) string {
	at := slices.IndexFunc(listClasses, func(class string) bool { return markdown.HasClass(n, class) })
	if at < 0 || n.DataAtom != atom.Ul && n.DataAtom != atom.Ol {
		return ""
	}
	return listClasses[at]
}

package applenotes

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// html reads a note as Notes gives it to scripts.
func (r *reader) html(name, document string) found {
	var got found
	pictures, document := r.takePictures(name, document)
	options := markdown.Options{
		Prepare: func(root *html.Node) {
			got.created, got.updated = metaTimes(root)
			checklists(root)
			r.noteLinks(root)
			got.title = takeTitle(root)
			largeLines(root)
		},
		Link: func(address, text string) (string, bool) {
			if at, ok := r.local(name, address); ok {
				return r.file(at, text, false), true
			}
			return "", false
		},
		Image: func(address, alternative string) (string, bool) {
			if p, ok := pictures[address]; ok {
				return r.picture(p, got.title), true
			}
			if at, ok := r.local(name, address); ok {
				return r.file(at, alternative, true), true
			}
			return "", false
		},
	}
	body, lost, err := markdown.FromHTML(document, options)
	for what, count := range lost {
		r.into.Lost[what] += count
	}
	if err != nil {
		r.into.Problem(name, "%v", err)
		body = markdown.TextOf(document)
	}
	got.body, got.tags = withTags(body)
	return got
}

func metaTimes(root *html.Node) (created, updated time.Time) {
	for n := range root.Descendants() {
		if n.DataAtom != atom.Meta {
			continue
		}
		when := parseTime(markdown.Attribute(n, "content"))
		switch strings.ToLower(markdown.Attribute(n, "name")) {
		case "created", "creationdate", "creation-date", "dcterms.created":
			created = when
		case "modified", "updated", "modificationdate", "modification-date", "dcterms.modified":
			updated = when
		}
	}
	return created, updated
}

func parseTime(text string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "2006-01-02"} {
		if when, err := time.Parse(layout, text); err == nil && when.Year() > 1 {
			return when.UTC()
		}
	}
	return time.Time{}
}

// checklists gives the items of checklists their boxes.
func checklists(root *html.Node) {
	for n := range root.Descendants() {
		if n.DataAtom != atom.Li {
			continue
		}
		list := n.Parent
		isTask := markdown.HasClass(n, "checked") || markdown.HasClass(n, "unchecked") || markdown.HasClass(n, "checklist") || list != nil && markdown.HasClass(list, "checklist")
		if !isTask {
			continue
		}
		box := markdown.Element(atom.Input)
		box.Attr = []html.Attribute{{Key: "type", Val: "checkbox"}}
		if markdown.HasClass(n, "checked") || markdown.Attribute(n, "data-checked") == "true" {
			box.Attr = append(box.Attr, html.Attribute{Key: "checked"})
		}
		n.InsertBefore(box, n.FirstChild)
	}
}

// noteLinks makes links of Notes to other notes links by their titles.
func (r *reader) noteLinks(root *html.Node) {
	var links []*html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.A && isNoteLink(markdown.Attribute(n, "href")) {
			links = append(links, n)
		}
	}
	for _, n := range links {
		if title := markdown.NodeText(n); title != "" {
			n.Parent.InsertBefore(markdown.Raw(r.noteLink(title)), n)
			n.Parent.RemoveChild(n)
		}
	}
}

var (
	blocks = []atom.Atom{atom.Div, atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Li, atom.Ul, atom.Ol, atom.Td, atom.Th, atom.Table, atom.Pre, atom.Blockquote, atom.Body, atom.Object}
	fixed  = []atom.Atom{atom.Li, atom.Td, atom.Th, atom.Pre, atom.Blockquote, atom.A} // whose first line stays where it is
	unseen = []atom.Atom{atom.Head, atom.Title, atom.Style, atom.Script}
)

// takeTitle is the first line of a note, which is taken out of it where it stands for itself.
func takeTitle(root *html.Node) string {
	first := firstText(root)
	if first == nil {
		return ""
	}
	block, isFixed := first, false
	for p := first.Parent; p != nil; p = p.Parent {
		isFixed = isFixed || slices.Contains(fixed, p.DataAtom)
		if block == first && slices.Contains(blocks, p.DataAtom) {
			block = p
		}
	}
	line, isWhole := lineOf(block, first)
	var title strings.Builder
	for _, n := range line {
		title.WriteString(n.Data)
	}
	text, _, isCut := strings.Cut(title.String(), "\u2028")
	text = strings.Join(strings.Fields(text), " ")
	if isFixed || !isWhole || isCut && len(line) > 1 || utf8.RuneCountInString(text) > maxTitle {
		return text
	}
	for _, n := range line {
		_, n.Data, _ = strings.Cut(n.Data, "\u2028")
		prune(n)
	}
	return text
}

var fontSize = lazyregexp.New(`font-size:\s*(\d{2})(?:\.\d+)?px`)

// maxLarge bounds the lines of a note in large letters.
const maxLarge = 1000

// largeLines makes headings of lines in large letters, as older notes have them.
func largeLines(root *html.Node) {
	var found []*html.Node
	for n := range root.Descendants() {
		if m := fontSize.FindStringSubmatch(markdown.Attribute(n, "style")); n.DataAtom == atom.Span && m != nil && m[1] >= "18" && len(found) < maxLarge {
			found = append(found, n)
		}
	}
	for _, n := range found {
		line := n
		for line.Parent != nil && line.DataAtom != atom.Div && isAlone(line) {
			line = line.Parent
		}
		if line.DataAtom == atom.Div && isAlone(n) && markdown.NodeText(n) != "" && !hasBlock(line) {
			line.Data, line.DataAtom = "h2", atom.H2
			for p := n.Parent; p != line; p = n.Parent {
				markdown.Unwrap(p)
			}
		}
	}
}

// isAlone tells whether nothing but line ends and blanks stand beside an element.
func isAlone(n *html.Node) bool {
	for s := range n.Parent.ChildNodes() {
		if s != n && s.DataAtom != atom.Br && (s.Type != html.TextNode || strings.TrimSpace(s.Data) != "") {
			return false
		}
	}
	return true
}

func hasBlock(n *html.Node) bool {
	for d := range n.Descendants() {
		if slices.Contains(blocks, d.DataAtom) {
			return true
		}
	}
	return false
}

func firstText(root *html.Node) *html.Node {
	for n := range root.Descendants() {
		if n.Type == html.TextNode && strings.Trim(n.Data, " \t\r\n\u00a0\ufffc\u2028") != "" && !slices.Contains(unseen, n.Parent.DataAtom) {
			return n
		}
	}
	return nil
}

// lineOf gives the texts of a block from the first on to the end of its line; isWhole is false where the line holds more than text.
func lineOf(block, first *html.Node) (line []*html.Node, isWhole bool) {
	isIn := block == first
	for n := range block.Descendants() {
		isIn = isIn || n == first
		if !isIn {
			continue
		}
		switch {
		case n.DataAtom == atom.Br || slices.Contains(blocks, n.DataAtom):
			return line, true
		case n.Type == html.TextNode:
			line = append(line, n)
		case n.DataAtom == atom.A || n.DataAtom == atom.Img || n.Namespace != "":
			return line, false
		}
	}
	if block == first {
		line = append(line, first)
	}
	return line, true
}

// prune takes a text that is empty out, with all around it that holds nothing else.
func prune(n *html.Node) {
	for p := n.Parent; n.Type == html.ElementNode && n.DataAtom != atom.Body || n.Type == html.TextNode && strings.TrimSpace(n.Data) == ""; n, p = p, p.Parent {
		if p == nil || n.Type == html.ElementNode && !isEmpty(n) {
			return
		}
		p.RemoveChild(n)
	}
}

func isEmpty(n *html.Node) bool {
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode && strings.TrimSpace(d.Data) != "", d.DataAtom == atom.Img, d.DataAtom == atom.Object, d.DataAtom == atom.Input, d.Namespace != "":
			return false
		}
	}
	return true
}

package takeout

import (
	"mime"
	"net/url"
	"path"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// keepHTML takes a note of Keep of which there is only a page.
func (r *reader) keepHTML(f export.File, stem string) {
	text, ok := r.read(f)
	if !ok {
		return
	}
	made := export.Note{ID: f.Path, Names: []string{path.Base(stem)}}
	isTrashed, isFound, first := false, false, ""
	body, lost, err := markdown.FromHTML(text, markdown.Options{
		Prepare: func(root *html.Node) { first, isFound, isTrashed = preparePage(root, &made) },
		Image:   func(address, _ string) (string, bool) { return r.shown(f.Path, address, true) },
		Link:    func(address, _ string) (string, bool) { return r.shown(f.Path, address, false) },
	})
	r.lost(lost)
	switch {
	case err != nil:
		r.into.Problem(f.Path, "%v", err)
		made.Title, made.Body = path.Base(stem), markdown.TextOf(text)
		r.add(f, made, "")
	case !isFound:
		r.into.LeaveOut("Keep: no note", f.Path)
	case isTrashed:
		r.into.LeaveOut("Keep: in the trash", f.Path)
	default:
		made.Body = body
		r.add(f, made, first)
	}
}

// preparePage takes out of a page of Keep what is not the text of its note. First is the first line of its text.
func preparePage(root *html.Node, made *export.Note) (first string, isFound, isTrashed bool) {
	var taken, loose []*html.Node
	for n := range root.Descendants() {
		isFound = isFound || markdown.HasClass(n, "note")
		isTrashed = isTrashed || markdown.HasClass(n, "trashed")
		switch {
		case markdown.HasClass(n, "heading"):
			made.Updated = pageTime(markdown.NodeText(n))
			taken = append(taken, n)
		case markdown.HasClass(n, "title"):
			made.Title = markdown.NodeText(n)
			taken = append(taken, n)
		case markdown.HasClass(n, "content"):
			first = firstLine(markdown.NodeText(n))
		case markdown.HasClass(n, "label-name"):
			made.Tags = append(made.Tags, markdown.NodeText(n))
		case markdown.HasClass(n, "chips"), markdown.HasClass(n, "bullet"):
			taken = append(taken, n)
		case markdown.HasClass(n, "listitem"):
			n.InsertBefore(box(markdown.HasClass(n, "checked")), n.FirstChild)
		case markdown.HasClass(n, "archived"):
			made.Status = "archived"
		case markdown.HasClass(n, "pinned"):
			made.Properties = []draft.Property{{Name: "pinned", Value: true}}
		case n.DataAtom == atom.Ul && markdown.HasClass(n.Parent, "attachments"), n.DataAtom == atom.Li && markdown.HasClass(n.Parent.Parent, "attachments"):
			loose = append(loose, n)
		}
	}
	for _, n := range loose {
		n.Data, n.DataAtom = "div", atom.Div
	}
	remove(taken)
	return first, isFound, isTrashed
}

func remove(nodes []*html.Node) {
	for _, n := range nodes {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

func box(isChecked bool) *html.Node {
	made := markdown.Element(atom.Input)
	made.Attr = []html.Attribute{{Key: "type", Val: "checkbox"}}
	if isChecked {
		made.Attr = append(made.Attr, html.Attribute{Key: "checked"})
	}
	return made
}

func pageTime(text string) time.Time {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "\u202f", " ")), " ")
	for _, layout := range []string{"Jan 2, 2006, 3:04:05 PM", "Jan 2, 2006 3:04:05 PM", "2 Jan 2006, 15:04:05", "02.01.2006, 15:04:05"} {
		if when, err := time.Parse(layout, text); err == nil {
			return when
		}
	}
	return time.Time{}
}

// shown is a link to a file of the export beside a page, or shows it; ok is false for an address of another kind.
func (r *reader) shown(from, address string, isEmbed bool) (string, bool) {
	plain, err := url.PathUnescape(address)
	if err != nil {
		plain = address
	}
	if first, _, _ := strings.Cut(plain, "/"); plain == "" || strings.ContainsAny(first, ":#?") {
		return "", false
	}
	at := path.Join(path.Dir(from), plain)
	if !r.tree.Has(at) {
		if at = r.stems[strings.TrimSuffix(at, path.Ext(at))]; at == "" {
			return "", false
		}
	}
	return r.attach(at, "", isEmbed && isShown(mime.TypeByExtension(path.Ext(at)))), true
}

var (
	boldStyle   = lazyregexp.New(`(?i)font-weight:\s*(?:bold|[6-9]00)`)
	italicStyle = lazyregexp.New(`(?i)font-style:\s*italic`)
	struckStyle = lazyregexp.New(`(?i)text-decoration(?:-line)?:\s*line-through`)
	rule        = lazyregexp.New(`\.([A-Za-z][\w-]*)\s*\{([^{}]*)\}`)
)

// Bounds of the styles of a class, in bytes, and of the classes of an element.
const (
	maxStyle   = 2048
	maxClasses = 10
)

// styles makes elements of marks that are styles, written in an element or by the name of a class.
func styles(root *html.Node) {
	classes := map[string]string{}
	var spans []*html.Node
	for n := range root.Descendants() {
		switch n.DataAtom {
		case atom.Style:
			for _, m := range rule.FindAllStringSubmatch(textOf(n), -1) {
				if len(classes[m[1]])+len(m[2]) < maxStyle {
					classes[m[1]] += m[2] + ";"
				}
			}
		case atom.Span:
			spans = append(spans, n)
		}
	}
	for _, n := range spans {
		style := markdown.Attribute(n, "style")
		names := strings.Fields(markdown.Attribute(n, "class"))
		for _, class := range names[:min(len(names), maxClasses)] {
			style += ";" + classes[class]
		}
		isHeading := isInHeading(n)
		for _, mark := range []struct {
			kind atom.Atom
			is   bool
		}{{atom.Strong, boldStyle.MatchString(style) && !isHeading}, {atom.Em, italicStyle.MatchString(style)}, {atom.Del, struckStyle.MatchString(style)}} {
			if mark.is {
				inner := markdown.Element(mark.kind)
				markdown.Move(n, inner)
				n.AppendChild(inner)
			}
		}
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

func isInHeading(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		switch p.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return true
		}
	}
	return false
}

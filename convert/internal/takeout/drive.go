package takeout

import (
	"context"
	"net/url"
	"path"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"quarry/convert/export"
	"quarry/convert/internal/docx"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// driveFile takes a document of Drive; it is false for other files.
func (r *reader) driveFile(ctx context.Context, f export.File) bool {
	base := path.Base(f.Path)
	if r.product(f.Path) == "" && (base == "archive_browser.html" || r.root != "") {
		return false
	}
	stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	switch strings.ToLower(path.Ext(f.Path)) {
	case ".docx":
		return !strings.HasPrefix(base, "~$") && r.word(ctx, f)
	case ".html", ".htm":
		if r.tree.Has(stem + ".docx") {
			r.into.LeaveOut("the same document as .docx", f.Path)
			return true
		}
		r.document(f, stem)
	case ".md", ".txt":
		text, ok := r.read(f)
		if ok {
			if strings.EqualFold(path.Ext(f.Path), ".txt") {
				text = markdown.FromText(text)
			}
			r.add(f, export.Note{ID: f.Path, Note: draft.Note{Title: path.Base(stem), Body: text}}, "")
		}
	default:
		return false
	}
	return true
}

// word takes a document of Word, whose paths lie below the folder of all products then.
func (r *reader) word(ctx context.Context, f export.File) bool {
	notes, attachments := len(r.into.Notes), len(r.into.Attachments)
	if err := docx.ReadFile(ctx, r.tree, f, r.into); err != nil {
		r.into.Problem(f.Path, "%v", err)
	}
	for i := notes; i < len(r.into.Notes); i++ {
		r.into.Notes[i].Path = r.below(r.into.Notes[i].Path)
	}
	for i := attachments; i < len(r.into.Attachments); i++ {
		r.into.Attachments[i].Path = r.below(r.into.Attachments[i].Path)
	}
	return true
}

// document takes a document that Docs wrote as a page.
func (r *reader) document(f export.File, stem string) {
	text, ok := r.read(f)
	if !ok {
		return
	}
	title := path.Base(stem)
	body, lost, err := markdown.FromHTML(text, markdown.Options{
		Prepare: func(root *html.Node) {
			styles(root)
			title = documentTitle(root, title)
			footnotes(root)
			nestLists(root)
		},
		Image: func(address, _ string) (string, bool) { return r.shown(f.Path, address, true) },
		Link:  func(address, text string) (string, bool) { return plainLink(address, text) },
	})
	r.lost(lost)
	if err != nil {
		r.into.Problem(f.Path, "%v", err)
		body = markdown.TextOf(text)
	}
	r.add(f, export.Note{ID: f.Path, Names: []string{path.Base(stem)}, Note: draft.Note{Title: title, Body: body}}, "")
}

// documentTitle takes the title of a document out of it.
func documentTitle(root *html.Node, name string) string {
	for n := range root.Descendants() {
		if n.DataAtom == atom.P && markdown.HasClass(n, "title") {
			if title := markdown.NodeText(n); title != "" {
				n.Parent.RemoveChild(n)
				return title
			}
		}
	}
	return name
}

// plainLink is a link of Docs without the way around by Google.
func plainLink(address, text string) (string, bool) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Path != "/url" || !strings.HasSuffix(parsed.Host, "google.com") {
		return "", false
	}
	target := parsed.Query().Get("q")
	if !strings.HasPrefix(target, "https://") && !strings.HasPrefix(target, "http://") {
		return text, true
	}
	if text == markdown.Escape(target) {
		return target, true
	}
	return "[" + text + "](" + strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "\n", "").Replace(target) + ")", true
}

var (
	noteLink  = lazyregexp.New(`^#(ftnt|cmnt)(\d{1,5})$`)
	noteBack  = lazyregexp.New(`^#(ftnt|cmnt)_ref(\d{1,5})$`)
	listLevel = lazyregexp.New(`\blst-[\w-]+-(\d)\b`)
)

// footnotes makes footnotes of Docs' footnotes and comments.
func footnotes(root *html.Node) {
	var links []*html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.A {
			links = append(links, n)
		}
	}
	for _, n := range links {
		address := markdown.Attribute(n, "href")
		if m := noteLink.FindStringSubmatch(address); m != nil {
			n.Parent.InsertBefore(markdown.Raw("[^"+label(m)+"]"), n)
			n.Parent.RemoveChild(n)
		} else if m := noteBack.FindStringSubmatch(address); m != nil {
			n.Parent.InsertBefore(markdown.Raw("[^"+label(m)+"]:"), n)
			n.Parent.RemoveChild(n)
		}
	}
}

func label(m []string) string {
	if m[1] == "cmnt" {
		return "c" + m[2]
	}
	return m[2]
}

// nestLists puts lists into each other that stand one after another with their level in a class.
func nestLists(root *html.Node) {
	var lists []*html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.Ul || n.DataAtom == atom.Ol {
			lists = append(lists, n)
		}
	}
	var open []*html.Node // the last list of each level
	for _, n := range lists {
		m := listLevel.FindStringSubmatch(markdown.Attribute(n, "class"))
		if m == nil {
			open = nil
			continue
		}
		level, _ := strconv.Atoi(m[1])
		level = min(level, len(open))
		switch before := previous(n); {
		case len(open) == 0 || before != open[0] || level == 0 && open[0].DataAtom != n.DataAtom:
			open = []*html.Node{n}
		case level < len(open) && open[level].DataAtom == n.DataAtom:
			markdown.Move(n, open[level])
			n.Parent.RemoveChild(n)
			open = open[:level+1]
		default:
			n.Parent.RemoveChild(n)
			lastItem(open[level-1]).AppendChild(n)
			open = append(open[:level], n)
		}
	}
}

// lastItem is the last item of a list, a new one where it has none.
func lastItem(list *html.Node) *html.Node {
	item := list.LastChild
	for item != nil && item.DataAtom != atom.Li {
		item = item.PrevSibling
	}
	if item == nil {
		item = markdown.Element(atom.Li)
		list.AppendChild(item)
	}
	return item
}

func previous(n *html.Node) *html.Node {
	before := n.PrevSibling
	for before != nil && before.Type == html.TextNode && strings.TrimSpace(before.Data) == "" {
		n.Parent.RemoveChild(before)
		before = n.PrevSibling
	}
	return before
}

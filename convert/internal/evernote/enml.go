package evernote

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"quarry/convert/export"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// text makes Markdown of the text of one note.
type text struct {
	reader  *reader
	note    *note
	book    string
	where   string
	missing int              // files that it shows and does not hold
	groups  map[string]bool  // of tasks, that stand in the text
	files   map[string]*file // of the note, by hash
}

var (
	selfClosing = lazyregexp.New(`<([A-Za-z][A-Za-z0-9:-]*)([^<>]*)/>`)
	void        = map[string]bool{"br": true, "hr": true, "img": true, "input": true, "col": true, "area": true, "wbr": true}
)

// body is the Markdown of a note, with the files that its text does not show behind it.
func (r *reader) body(n *note, book, where string) (string, error) {
	t := &text{reader: r, note: n, book: book, where: where + titled(n.title), groups: map[string]bool{}, files: map[string]*file{}}
	for _, f := range n.files {
		if t.files[f.hash] == nil && f.hash != "" {
			t.files[f.hash] = f
		}
	}
	content := n.content
	if at := strings.Index(content, "<en-note"); at >= 0 { // what comes before only says what it is
		content = content[at:]
	}
	if len(content) > markdown.MaxHTMLBytes {
		return "", markdown.ErrTooLarge
	}
	content = selfClosing.ReplaceAllStringFunc(content, func(tag string) string {
		m := selfClosing.FindStringSubmatch(tag)
		if void[strings.ToLower(m[1])] {
			return tag
		}
		return "<" + m[1] + m[2] + "></" + m[1] + ">"
	})
	made, lost, err := markdown.FromHTML(content, markdown.Options{Prepare: t.prepare})
	for what, count := range lost {
		r.into.Lost[what] += count
	}
	if t.missing > 0 {
		r.into.Problem(t.where, "files that it shows are not in the export: %d", t.missing)
	}
	if err != nil {
		made = markdown.TextOf(content)
	}
	return strings.TrimSpace(tasks(made) + t.rest()), err
}

// rest is what a note holds and its text does not show.
func (t *text) rest() string {
	var b strings.Builder
	for _, task := range t.note.tasks {
		if !t.groups[task.group] {
			b.WriteString("\n" + task.markdown())
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	for _, f := range t.note.files {
		switch {
		case f.hash != "" && t.files[f.hash].isShown:
		case f.hash == "":
			t.reader.into.Problem(t.where, "the file %q in it cannot be read", f.name)
		default:
			b.WriteString("\n\n" + t.file(f, ""))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n\n" + strings.TrimLeft(b.String(), "\n")
}

// file is a link to a file of the note, or shows it.
func (t *text) file(f *file, size string) string {
	f.isShown = true
	kind, _, _ := strings.Cut(f.mediaType, "/")
	isEmbed := kind == "image" || kind == "audio" || kind == "video" || f.mediaType == "application/pdf"
	if kind != "image" {
		size = ""
	}
	return t.reader.into.Link(export.Target{ID: t.reader.attachment(f, t.book, t.note.title), IsEmbed: isEmbed, Size: size})
}

// prepare makes HTML of what only Evernote knows.
func (t *text) prepare(root *html.Node) {
	var all []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			all = append(all, n)
		}
	}
	for _, n := range all {
		if n.Parent != nil {
			t.element(n)
		}
	}
}

func (t *text) element(n *html.Node) {
	style := strings.ReplaceAll(markdown.Attribute(n, "style"), " ", "")
	switch {
	case n.Data == "en-note":
		n.Data, n.DataAtom, n.Attr = "div", atom.Div, nil
	case n.Data == "en-media":
		t.media(n)
	case n.Data == "en-todo":
		replace(n, box(markdown.Attribute(n, "checked") == "true"))
	case n.Data == "en-crypt":
		t.encrypted(n)
	case n.DataAtom == atom.Li && n.Parent.DataAtom == atom.Ul && (strings.Contains(style, "en-checked:") || strings.Contains(markdown.Attribute(n.Parent, "style"), "en-todo")):
		n.InsertBefore(box(strings.Contains(style, "en-checked:true")), n.FirstChild)
	case strings.Contains(style, "en-codeblock:true"):
		replace(n, markdown.Element(atom.Pre, markdown.Element(atom.Code, markdown.TextNode(code(n)))))
	case strings.Contains(style, "en-task-group:true"):
		t.taskGroup(n, style)
	case n.DataAtom == atom.A:
		t.link(n)
	case n.DataAtom == atom.Span || n.DataAtom == atom.Font:
		marks(n, style)
	}
}

// replace puts another element in place of one, and what a reader wrongly took into it behind it.
func replace(n, by *html.Node) {
	n.Parent.InsertBefore(by, n)
	n.Parent.RemoveChild(n)
}

func box(isChecked bool) *html.Node {
	made := markdown.Element(atom.Input)
	made.Attr = []html.Attribute{{Key: "type", Val: "checkbox"}}
	if isChecked {
		made.Attr = append(made.Attr, html.Attribute{Key: "checked"})
	}
	return made
}

var width = lazyregexp.New(`^(\d{1,4})(?:\.\d+)?(?:px)?$`)

func (t *text) media(n *html.Node) {
	hash := strings.ToLower(markdown.Attribute(n, "hash"))
	if f := t.files[hash]; f != nil {
		size := ""
		if m := width.FindStringSubmatch(markdown.Attribute(n, "width")); m != nil && m[1] != "0" {
			size = m[1]
		}
		replace(n, markdown.Raw(t.file(f, size)))
		return
	}
	t.missing++
	n.Parent.RemoveChild(n)
}

// encrypted tells that there is a text that only Evernote can open.
func (t *text) encrypted(n *html.Node) {
	t.reader.into.Lost["encrypted text"]++
	t.reader.into.Problem(t.where, "a part of it is encrypted: open it in Evernote and export it again")
	shown := "(encrypted text)"
	if hint := markdown.Attribute(n, "hint"); hint != "" {
		shown = "(encrypted text, hint: " + hint + ")"
	}
	replace(n, markdown.TextNode(shown))
}

var groupID = lazyregexp.New(`en-id:([A-Za-z0-9-]+)`)

func (t *text) taskGroup(n *html.Node, style string) {
	m := groupID.FindStringSubmatch(style)
	if m == nil {
		return
	}
	list := markdown.Element(atom.Ul)
	for _, task := range t.note.tasks {
		if task.group == m[1] {
			list.AppendChild(markdown.Element(atom.Li, markdown.Raw(strings.TrimPrefix(task.markdown(), "- "))))
			t.groups[m[1]] = true
		}
	}
	if list.FirstChild != nil {
		replace(n, list)
	}
}

// markdown is a task as a line.
func (i taskItem) markdown() string {
	line := "- [ ] "
	if i.status == "completed" {
		line = "- [x] "
	}
	line += markdown.Escape(strings.Join(strings.Fields(i.title), " "))
	if due := parseTime(i.due); !due.IsZero() {
		line += " (due " + due.Format("2006-01-02") + ")"
	}
	return line
}

var noteAddress = lazyregexp.New(`(?i)^(?:evernote:|https://(?:www\.|share\.)?evernote\.com/(?:shard|l|client/web|note)/)`)

// link makes a link to another note one by the title that it shows.
func (t *text) link(n *html.Node) {
	address, title := markdown.Attribute(n, "href"), markdown.NodeText(n)
	if !noteAddress.MatchString(address) || title == "" {
		return
	}
	otherwise := markdown.Escape(title)
	if strings.HasPrefix(address, "https:") {
		otherwise = "[" + otherwise + "](" + address + ")"
	}
	replace(n, markdown.Raw(t.reader.into.Link(export.Target{Name: title, Otherwise: otherwise})))
}

// marks makes elements of marks that are styles.
func marks(n *html.Node, style string) {
	for _, mark := range []struct {
		kind  atom.Atom
		style *lazyregexp.Regexp
	}{{atom.Strong, boldStyle}, {atom.Em, italicStyle}, {atom.Del, struckStyle}, {atom.Mark, markStyle}} {
		if mark.style.MatchString(style) {
			inner := markdown.Element(mark.kind)
			markdown.Move(n, inner)
			n.AppendChild(inner)
		}
	}
}

var (
	boldStyle   = lazyregexp.New(`font-weight:(?:bold|[6-9]00)`)
	italicStyle = lazyregexp.New(`font-style:italic`)
	struckStyle = lazyregexp.New(`text-decoration(?:-line)?:line-through`)
	markStyle   = lazyregexp.New(`en-highlight:\w|evernote-highlight:true`)
)

// code is the text of a block of code, whose lines are elements.
func code(n *html.Node) string {
	var b strings.Builder
	codeLines(&b, n)
	return strings.Trim(strings.ReplaceAll(b.String(), "\u00a0", " "), "\n")
}

func codeLines(b *strings.Builder, n *html.Node) {
	for child := range n.ChildNodes() {
		switch {
		case child.Type == html.TextNode:
			b.WriteString(child.Data)
		case child.DataAtom == atom.Br:
			b.WriteByte('\n')
		case child.DataAtom == atom.Div || child.DataAtom == atom.P || child.DataAtom == atom.Li:
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
			isBreak := child.FirstChild != nil && child.FirstChild == child.LastChild && child.FirstChild.DataAtom == atom.Br
			if !isBreak {
				codeLines(b, child)
			}
			b.WriteByte('\n')
		default:
			codeLines(b, child)
		}
	}
}

var (
	loneBox  = lazyregexp.New(`(?m)^((?:> ?)*[ ]*)(\[[ x]\]) +`)
	taskLine = lazyregexp.New(`^(?:> ?)*[ ]*- \[[ x]\] `)
)

// tasks makes list items of lines that begin with a box, without blank lines between.
func tasks(text string) string {
	hidden, code := markdown.HideCode(text)
	if !loneBox.MatchString(hidden) {
		return text
	}
	lines := strings.Split(loneBox.ReplaceAllString(hidden, "$1- $2 "), "\n")
	var out []string
	for i, line := range lines {
		isBetween := strings.Trim(line, "> ") == "" && i > 0 && i+1 < len(lines) && taskLine.MatchString(lines[i-1]) && taskLine.MatchString(lines[i+1])
		if !isBetween {
			out = append(out, line)
		}
	}
	return code.Show(strings.Join(out, "\n"))
}

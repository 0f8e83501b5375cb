package joplin

import (
	"strings"
	"unicode"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// maxFolders bounds notebooks in each other.
const maxFolders = 32

func (r *reader) note(it item) {
	n := export.Note{ID: it.id(), Path: r.folder(it) + strings.ReplaceAll(it.name(), "/", export.Slash)}
	n.Title, n.Type, n.Source, n.Tags = it.name(), "note", it.properties["source_url"], r.tags[it.id()]
	n.Created, n.Updated = it.time("user_created_time", "created_time"), it.time("user_updated_time", "updated_time")
	n.Body = r.body(it)
	if author := it.properties["author"]; author != "" {
		n.Properties = append(n.Properties, draft.Property{Name: "author", Value: author})
	}
	if latitude, longitude := it.properties["latitude"], it.properties["longitude"]; isSet(latitude) || isSet(longitude) {
		n.Properties = append(n.Properties, draft.Property{Name: "location", Value: latitude + ", " + longitude})
	}
	if it.properties["is_todo"] == "1" {
		task(&n, it)
	}
	r.into.Notes = append(r.into.Notes, n)
}

// task makes a task of a note: in its properties, and as a line that shows it.
func task(n *export.Note, it item) {
	n.Type, n.Status = "task", "open"
	box := "- [ ] "
	if done := it.time("todo_completed"); !done.IsZero() {
		n.Status, box = "done", "- [x] "
		n.Properties = append(n.Properties, draft.Property{Name: "completed", Value: done})
	}
	if due := it.time("todo_due"); !due.IsZero() {
		n.Properties = append(n.Properties, draft.Property{Name: "due", Value: due})
	}
	n.Body = strings.TrimRight(box+markdown.Escape(draft.TitleLine(it.name()))+"\n\n"+n.Body, "\n")
}

// folder is the path of a note's notebooks, with "/" behind each.
func (r *reader) folder(it item) string {
	var names []string
	seen := map[string]bool{}
	for id := it.properties["parent_id"]; id != "" && !seen[id]; {
		seen[id] = true
		notebook, ok := r.items[id]
		if !ok || notebook.kind() != kindNotebook || len(names) == maxFolders {
			break
		}
		names = append([]string{strings.ReplaceAll(notebook.name(), "/", export.Slash)}, names...)
		id = notebook.properties["parent_id"]
	}
	return strings.Join(append(names, ""), "/")
}

var (
	// An inline link or image whose address is an item; its text may hold brackets in pairs.
	link = lazyregexp.New(`(!?)\[((?:[^\[\]\\\n]|\\.|\[(?:[^\[\]\\\n]|\\.)*\])*)\]\(<?(?::/|joplin://x-callback-url/openNote\?id=)([0-9a-f]{32})(#[^)\s>"]*)?>?(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*\)`)
	own  = lazyregexp.New(`\[((?:[^\[\]\\\n]|\\.)*)\]\((#[^)\s]+)\)`)
	// HTML that points at an item.
	htmlImage = lazyregexp.New(`(?i)<img\b[^<>]*?\ssrc\s*=\s*["']?:/([0-9a-f]{32})[^<>]*>`)
	htmlLink  = lazyregexp.New(`(?is)<a\b[^<>]*?\shref\s*=\s*["']?:/([0-9a-f]{32})(#[^"'\s<>]*)?[^<>]*>(.*?)</a>`)
	htmlMedia = lazyregexp.New(`(?is)<(?:video|audio|iframe|embed|source)\b[^<>]*?\ssrc\s*=\s*["']?:/([0-9a-f]{32})[^<>]*>(?:\s*</(?:video|audio|iframe|embed)>)?`)
	htmlWidth = lazyregexp.New(`(?i)\swidth\s*=\s*["']?(\d{1,5})(?:px)?["'\s/>]`)
	htmlAlt   = lazyregexp.New(`(?i)\salt\s*=\s*(?:"([^"]*)"|'([^']*)')`)
	target    = lazyregexp.New(`^(?::/|joplin://x-callback-url/openNote\?id=)([0-9a-f]{32})(#.*)?$`)
)

// body is a note's text with all that points at items as links.
func (r *reader) body(it item) string {
	if it.properties["markup_language"] == "2" {
		return r.html(it)
	}
	text, code := markdown.HideCode(it.body)
	var write func(m []string) string
	write = func(m []string) string {
		if strings.Contains(m[2], "](") { // a picture as the text of a link, which stands before it
			return replace(link, m[2], write) + " " + r.link(m[3], m[4], "", m[1] != "", "")
		}
		return r.link(m[3], m[4], code.Show(m[2]), m[1] != "", "")
	}
	text = replace(link, text, write)
	text = replace(own, text, func(m []string) string {
		if heading := r.heading(it.id(), m[2]); heading != "" {
			return "[" + m[1] + "](#" + strings.ReplaceAll(heading, " ", "%20") + ")"
		}
		return m[0]
	})
	text = replace(htmlImage, text, func(m []string) string {
		alternative := htmlAlt.FindStringSubmatch(m[0])
		return r.link(m[1], "", markdown.Escape(strings.Join(tail(alternative), "")), true, first(htmlWidth.FindStringSubmatch(m[0])))
	})
	text = replace(htmlMedia, text, func(m []string) string { return r.link(m[1], "", "", true, "") })
	text = replace(htmlLink, text, func(m []string) string { return r.link(m[1], m[2], code.Show(m[3]), false, "") })
	return code.Show(text)
}

func (r *reader) html(it item) string {
	text, lost, err := markdown.FromHTML(it.body, markdown.Options{
		Link: func(address, text string) (string, bool) {
			m := target.FindStringSubmatch(address)
			if m == nil {
				return "", false
			}
			return r.link(m[1], m[2], text, false, ""), true
		},
		Image: func(address, alternative string) (string, bool) {
			m := target.FindStringSubmatch(address)
			if m == nil {
				return "", false
			}
			return r.link(m[1], "", alternative, true, ""), true
		},
	})
	if err != nil {
		r.into.Problem(it.name(), "%v; its text is taken as it is", err)
		return markdown.FromText(it.body[:min(len(it.body), markdown.MaxHTMLBytes)])
	}
	for what, count := range lost {
		r.into.Lost[what] += count
	}
	return text
}

// link is a link to an item, or an embed. Where there is none, its text and id stay.
func (r *reader) link(id, anchor, text string, isEmbed bool, size string) string {
	shown := strings.TrimSpace(text + " (:/" + id + ")")
	to := export.Target{ID: id, Text: text, IsEmbed: isEmbed, Size: size, Otherwise: shown}
	if it, ok := r.items[id]; ok {
		switch {
		case it.kind() == kindNote:
			to.IsEmbed = false
			to.Heading = r.heading(id, anchor)
			if anchor != "" && to.Heading == "" {
				r.into.Lost["place within a note that a link meant"]++
			}
		case it.kind() == kindResource && strings.HasPrefix(it.properties["mime"], "image/") && text == it.title:
			to.Text = "" // Joplin's own alternative text, which is the file's name
		}
	}
	return r.into.Link(to)
}

// heading is the heading of a note that an anchor ("#two-words") means, "" for none.
func (r *reader) heading(id, anchor string) string {
	if anchor == "" {
		return ""
	}
	known, ok := r.heads[id]
	if !ok {
		known = headings(r.items[id].body)
		r.heads[id] = known
	}
	return known[slug(strings.TrimPrefix(anchor, "#"))]
}

var headingLine = lazyregexp.New(`(?m)^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$`)

// headings gives the headings of a text by their anchors.
func headings(text string) map[string]string {
	found := map[string]string{}
	hidden, code := markdown.HideCode(text)
	for _, m := range headingLine.FindAllStringSubmatch(hidden, -1) {
		heading := code.Show(m[1])
		if anchor := slug(heading); found[anchor] == "" {
			found[anchor] = heading
		}
	}
	return found
}

// slug is a heading as an anchor: its letters and digits in lower case, with "-" for each gap.
func slug(heading string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }), "-")
}

// replace is a text with what write gives for each match of a pattern.
func replace(pattern *lazyregexp.Regexp, text string, write func(m []string) string) string {
	var b strings.Builder
	at := 0
	for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[at:m[0]])
		groups := make([]string, len(m)/2)
		for i := range groups {
			if m[2*i] >= 0 {
				groups[i] = text[m[2*i]:m[2*i+1]]
			}
		}
		b.WriteString(write(groups))
		at = m[1]
	}
	return b.String() + text[at:]
}

func tail(groups []string) []string { return groups[min(len(groups), 1):] }

func first(groups []string) string {
	if len(groups) < 2 {
		return ""
	}
	return groups[1]
}

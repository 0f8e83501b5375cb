package applenotes

import (
	"slices"
	"strings"
	"unicode/utf8"

	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// plain reads a note that is plain text: its first line is the title.
func (r *reader) plain(text string) found {
	if count := strings.Count(text, "\ufffc"); count > 0 {
		r.into.Lost["drawing"] += count
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\ufffc", "", "\u2028", "\n", "\u2029", "\n", "\ufeff", "").Replace(text)
	title, rest, _ := strings.Cut(strings.TrimLeft(text, "\n \t"), "\n")
	if utf8.RuneCountInString(title) > maxTitle {
		rest = title + "\n" + rest
	}
	got := found{title: strings.TrimSpace(title)}
	got.body, got.tags = withTags(markdown.FromText(rest))
	return got
}

// markdown reads a note that an exporter wrote as Markdown.
func (r *reader) markdown(name, text string) found {
	var got found
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\ufffc", "", "\u00a0", " ").Replace(text)
	text = strings.TrimLeft(got.frontmatter(text), "\n ")
	if title, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(title, "# ") {
		got.title, text = strings.TrimSpace(title[2:]), rest
	}
	hidden, code := markdown.HideCode(text)
	hidden = markdown.ReplaceLinks(hidden, func(l markdown.Link) (string, bool) {
		switch at, ok := r.local(name, l.Address); {
		case isNoteLink(l.Address) && l.Text != "":
			return r.noteLink(l.Text), true
		case ok:
			return r.file(at, l.Text, l.IsImage), true
		}
		return "", false
	})
	got.body = strings.TrimSpace(code.Show(hidden))
	for _, m := range plainTag.FindAllStringSubmatch(hidden, -1) {
		got.tag(m[2])
	}
	return got
}

// maxTags bounds the tags of a note.
const maxTags = 100

func (f *found) tag(tag string) {
	if len(f.tags) < maxTags && !slices.ContainsFunc(f.tags, func(other string) bool { return strings.EqualFold(other, tag) }) {
		f.tags = append(f.tags, tag)
	}
}

// frontmatter takes simple properties before a note.
func (f *found) frontmatter(text string) (rest string) {
	if !strings.HasPrefix(text, "---\n") {
		return text
	}
	head, rest, ends := strings.Cut(text[4:], "\n---\n")
	if !ends || strings.Contains(head, "\n\n") {
		return text
	}
	name := ""
	for line := range strings.SplitSeq(head, "\n") {
		value, isItem := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !isItem {
			name, value, _ = strings.Cut(line, ":")
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "title":
			f.title = value
		case "created", "date", "creation_date":
			f.created = parseTime(value)
		case "modified", "updated", "modification_date":
			f.updated = parseTime(value)
		case "tags":
			for tag := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
				if tag = strings.Trim(strings.TrimSpace(tag), `"'#`); tag != "" {
					f.tag(tag)
				}
			}
		}
	}
	return rest
}

var (
	plainTag   = lazyregexp.New(`(^|[\s(,;])#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)`)
	escapedTag = lazyregexp.New(`(^|[\s(,;])\\#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)`)
)

// withTags finds tags in a text whose "#" are all escaped, and makes tags of them again.
func withTags(text string) (string, []string) {
	var got found
	hidden, code := markdown.HideCode(text)
	for _, m := range escapedTag.FindAllStringSubmatch(hidden, -1) {
		got.tag(m[2])
	}
	return code.Show(escapedTag.ReplaceAllString(hidden, "$1#$2")), got.tags
}

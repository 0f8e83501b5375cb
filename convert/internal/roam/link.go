package roam

import (
	"strings"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/markdown"
)

// pageLink is a link to a page. Text "" shows its name.
func (r *reader) pageLink(title, text string) string {
	title = strings.TrimSpace(title)
	return r.into.Link(r.toPage(export.Target{Name: title, Text: text, Otherwise: otherwise(title, text)}))
}

// toPage is a link by name, with the id of the page where there is one of that very name.
func (r *reader) toPage(to export.Target) export.Target {
	if page := r.titles[to.Name]; page != nil {
		to.ID = page.uid
	}
	return to
}

// otherwise is what stands for a link to a page that is not in the export: a link that waits for it, as Roam has them too, where a
// note can be called so, else text.
func otherwise(title, text string) string {
	if day, ok := dayOf(title); ok {
		title = day
	}
	name := draft.FileName(title)
	shown := text
	if shown == "" && name != title {
		shown = title
	}
	switch {
	case name == "" || strings.Contains(title, "[[") || strings.ContainsAny(shown, "[]|\n"):
		if text != "" {
			return text
		}
		return markdown.Escape(title)
	case shown == "":
		return "[[" + name + "]]"
	}
	return "[[" + name + "|" + shown + "]]"
}

// blockLink is a link to a block or an embed of it. One that is not in the export stays as text and is reported.
func (r *reader) blockLink(uid, text string, isEmbed bool) string {
	to := r.byUID[uid]
	if to == nil {
		if len(uid) != 9 && len(uid) != len("03-03-2026") { // words in brackets
			return strings.TrimSpace(text + " ((" + uid + "))")
		}
		if !r.lost[uid] {
			r.lost[uid] = true
			r.into.Problem(r.page.title, "the block ((%s)) is not in the export", uid)
		}
		return strings.TrimSpace(text + " ((" + uid + "))")
	}
	target := export.Target{Text: text, IsEmbed: isEmbed, Otherwise: text, Block: r.ids[to]}
	page := to
	if to.page != nil {
		page = to.page
	}
	target.Name, target.ID = page.title, page.uid
	if to.isPlain {
		target.Block, target.IsEmbed = "", false
		if to.heading > 0 {
			target.Heading = strings.Join(strings.Fields(to.text), " ")
		}
	}
	return r.into.Link(target)
}

package logseq

import (
	"strings"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
)

var (
	item       = lazyregexp.New(`^([ \t]*)- ?(.*)$`)
	blockProp  = lazyregexp.New(`^[ \t]+(collapsed|id|background-color|heading|created-at|updated-at|logseq\.[^:]*):: ?(.*)$`)
	task       = lazyregexp.New(`^(TODO|DOING|NOW|LATER|WAITING|WAIT|IN-PROGRESS|DONE|CANCELED|CANCELLED) `)
	scheduled  = lazyregexp.New(`^[ \t]*(SCHEDULED|DEADLINE): <(\d{4}-\d{2}-\d{2})[^>]*>[ \t]*$`)
	logbook    = lazyregexp.New(`^[ \t]*(:LOGBOOK:|:END:|CLOCK: .*)$`)
	embedBlock = lazyregexp.New(`\{\{embed \(\(([0-9a-fA-F-]{36})\)\)\}\}`)
	embedPage  = lazyregexp.New(`\{\{embed \[\[([^\[\]]+)\]\]\}\}`)
	aliasBlock = lazyregexp.New(`\[([^\[\]]*)\]\(\(\(([0-9a-fA-F-]{36})\)\)\)`)
	refBlock   = lazyregexp.New(`\(\(([0-9a-fA-F-]{36})\)\)`)
	aliasPage  = lazyregexp.New(`\[([^\[\]]*)\]\(\[\[([^\[\]]+)\]\]\)`)
	tagWords   = lazyregexp.New(`#\[\[([^\[\]]+)\]\]`)
	refPage    = lazyregexp.New(`\[\[([^\[\]]+)\]\]`)
	asset      = lazyregexp.New(`(!?)\[([^\[\]]*)\]\((?:\.\./)?(?:assets/)([^()\s]+)\)(\{[^}]*\})?`)
	codeFence  = lazyregexp.New("^[ \t]*(?:- )?(```+|~~~+)")
	inlineCode = lazyregexp.New("`[^`]+`")
)

// body writes the blocks of a page as Obsidian reads them. Code stays as it is.
func (r *reader) body(text string) string {
	var lines []string
	fence, last := "", -1 // the line of the block that a property belongs to
	for line := range strings.SplitSeq(text, "\n") {
		if m := codeFence.FindStringSubmatch(line); m != nil {
			if fence == "" {
				fence = m[1]
			} else if strings.HasPrefix(strings.TrimSpace(line), fence) {
				fence = ""
			}
			lines = append(lines, line)
			continue
		}
		if fence != "" {
			lines = append(lines, line)
			continue
		}
		if m := blockProp.FindStringSubmatch(line); m != nil {
			if m[1] == "id" && last >= 0 {
				lines[last] += " ^" + strings.ToLower(strings.TrimSpace(m[2]))
			}
			continue
		}
		if logbook.MatchString(line) {
			r.into.Lost["times of work on a task"]++
			continue
		}
		if m := scheduled.FindStringSubmatch(line); m != nil && last >= 0 {
			mark := map[string]string{"SCHEDULED": " ⏳ ", "DEADLINE": " 📅 "}[m[1]]
			lines[last] += mark + m[2]
			continue
		}
		if m := item.FindStringSubmatch(line); m != nil {
			line = m[1] + "- " + r.task(r.inline(m[2]))
			last = len(lines)
		} else {
			line = r.inline(line)
		}
		lines = append(lines, strings.TrimRight(line, " \t"))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func (r *reader) task(text string) string {
	m := task.FindString(text)
	switch strings.TrimSpace(m) {
	case "":
		return text
	case "DONE":
		return "[x] " + text[len(m):]
	case "CANCELED", "CANCELLED":
		return "[-] " + text[len(m):]
	case "DOING", "NOW", "IN-PROGRESS":
		return "[/] " + text[len(m):]
	}
	return "[ ] " + text[len(m):]
}

// inline writes links, embeds, tags and assets of a line; code within it stays.
func (r *reader) inline(line string) string {
	var b strings.Builder
	for line != "" {
		at := inlineCode.FindStringIndex(line)
		if at == nil {
			at = []int{len(line), len(line)}
		}
		b.WriteString(r.words(line[:at[0]]))
		b.WriteString(line[at[0]:at[1]])
		line = line[at[1]:]
	}
	return b.String()
}

func (r *reader) words(text string) string {
	each := func(pattern *lazyregexp.Regexp, write func(m []string) string) {
		text = pattern.ReplaceAllStringFunc(text, func(whole string) string { return write(pattern.FindStringSubmatch(whole)) })
	}
	each(embedBlock, func(m []string) string { return r.block(m[1], "", m[0], true) })
	each(embedPage, func(m []string) string {
		return r.into.Link(export.Target{Name: m[1], IsEmbed: true, Otherwise: "![[" + m[1] + "]]"})
	})
	each(aliasBlock, func(m []string) string { return r.block(m[2], m[1], m[1], false) })
	each(refBlock, func(m []string) string { return r.block(m[1], "", m[0], false) })
	each(aliasPage, func(m []string) string {
		return r.into.Link(export.Target{Name: m[2], Text: m[1], Otherwise: "[[" + m[2] + "|" + m[1] + "]]"})
	})
	each(tagWords, func(m []string) string {
		if tag, ok := draft.Tag(m[1]); ok {
			return "#" + tag
		}
		return m[0]
	})
	each(refPage, func(m []string) string {
		return r.into.Link(export.Target{Name: m[1], Text: m[1], Otherwise: m[0]})
	})
	each(asset, func(m []string) string {
		return r.into.Link(export.Target{ID: "assets/" + m[3], Text: m[2], IsEmbed: m[1] == "!", Otherwise: m[0]})
	})
	return text
}

// block is a reference to a block, or the block itself where it is embedded.
func (r *reader) block(id, text, otherwise string, isEmbed bool) string {
	id = strings.ToLower(id)
	of, ok := r.blocks[id]
	if !ok {
		r.into.Problem("block "+id, "it is not in the export; its reference stays as text")
		return otherwise
	}
	return r.into.Link(export.Target{ID: of, Block: id, Text: text, IsEmbed: isEmbed, Otherwise: otherwise})
}

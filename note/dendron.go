package note

import (
	"slices"
	"strings"

	"quarry/internal/dialect"
)

// readDendron reads a note of Dendron.
func readDendron(n *Note, s *source, name string) {
	_, start, inner := readFrontmatter(n, s)
	r := newReader(n, s, start)
	r.scanner.mentions = true
	readBody(r, inner)
	adaptDendron(n, s, name)
}

// adaptDendron changes what was read of a note to what Dendron means by it.
func adaptDendron(n *Note, s *source, name string) {
	for i := range n.Links {
		adaptDendronLink(&n.Links[i])
	}
	n.Links = slices.DeleteFunc(n.Links, func(link Link) bool { return link.Target == "" && link.Subpath == "" && !link.Markdown })
	for _, date := range []*string{&n.Created, &n.Updated} {
		if day, ok := millisecondDate(*date); ok {
			*date = day
		}
	}
	if n.Title == "" {
		base := dialect.Stem(name)
		n.Title = s.clean(base[strings.LastIndexByte(base, '.')+1:])
	}
	addTagLinks(n, s)
}

// adaptDendronLink reads the text of a wiki-link anew: "[[Alias|note.name#heading]]".
func adaptDendronLink(link *Link) {
	inner, opened := strings.CutPrefix(strings.TrimPrefix(link.Raw, "!"), "[[")
	inner, closed := strings.CutSuffix(inner, "]]")
	if !opened || !closed || link.Markdown {
		return
	}
	inner = strings.ReplaceAll(inner, `\|`, "|")
	destination, display := inner, ""
	if alias, after, ok := strings.Cut(inner, "|"); ok {
		destination, display = after, strings.TrimSpace(alias)
	}
	relation, destination := cutRelation(strings.TrimSpace(destination))
	switch {
	case relation != "":
		link.Relation, link.RelationInside = relation, true
	case link.RelationInside: // it was read from the alias
		link.Relation, link.RelationInside = "", false
	}
	link.External = false
	if vault, ok := strings.CutPrefix(destination, "dendron://"); ok {
		_, destination, _ = strings.Cut(vault, "/")
	} else if isExternal(destination) && strings.Contains(destination, "://") {
		link.Target, link.Subpath, link.External = destination, "", true
	}
	if !link.External {
		target, sub, _ := strings.Cut(destination, "#")
		link.Target, link.Subpath = strings.TrimSpace(target), dendronAnchor(sub)
	}
	if link.Display = display; display == "" {
		link.Display = defaultDisplay(link.Target, link.Subpath)
	}
}

// dendronAnchor gives the start of what a note reference shows: of "head,1:#end" it is "#head". "*" is all of the note.
func dendronAnchor(sub string) string {
	sub, _, _ = strings.Cut(sub, ":#")
	if comma := strings.LastIndexByte(sub, ','); comma >= 0 && strings.Trim(sub[comma+1:], "0123456789") == "" {
		sub = sub[:comma]
	}
	if sub = strings.TrimSpace(sub); sub == "" || sub == "*" {
		return ""
	}
	return "#" + sub
}

// addTagLinks makes links of the tags in frontmatter.
func addTagLinks(n *Note, s *source) {
	line, at, end := 0, 0, 0
	for i := range n.Tags {
		tag := &n.Tags[i]
		if tag.From != "frontmatter" {
			continue
		}
		if tag.Line != line {
			line = tag.Line
			at, end = s.lineRange(line)
			if key, _, ok := strings.Cut(s.raw[at:end], ":"); ok && isTagsKey(key) {
				at += len(key)
			}
		}
		name := tag.Tag
		if found := strings.Index(s.raw[at:end], name); found >= 0 {
			at += found
		} else {
			end = at // it is not in the file as it is read
		}
		tag.Tag = strings.ReplaceAll(name, ".", "/")
		n.addLinkAt(s, Link{Raw: name, Target: "tags." + name, Display: name, Relation: "tags", InFrontmatter: true}, at)
		at = min(at+len(name), end)
	}
}

// mention reads "@name", which is a link to the note user.name.
func (l *lexer) mention(i int) int {
	if !spaceBefore(l.text, i) && l.text[i-1] != '(' && l.text[i-1] != '"' {
		return i + 1
	}
	end := dottedEnd(l.text, i+1)
	if end == i+1 || strings.IndexByte(l.text[i+1:end], '/') >= 0 || end < len(l.text) && l.text[end] == '@' {
		return end
	}
	l.add(kindMention, Range{i, end}, Range{i + 1, end})
	return end
}

// dottedEnd finds the end of a name of a tag or a user: runs of what tags are made of, joined by dots.
func dottedEnd(text string, at int) int {
	end := at
	for {
		next := end
		if end > at {
			if end == len(text) || text[end] != '.' {
				return end
			}
			next++
		}
		length := nameLength(text[next:])
		if length == 0 {
			return end
		}
		end = next + length
	}
}

// nameLength gives the length of a run of characters that a tag may hold, digits alone included.
func nameLength(text string) int {
	for i, r := range text {
		if r < 0x80 && tagEnds[r] || r >= 0x2000 && r <= 0x206F || r >= 0x2E00 && r <= 0x2E7F || r >= 0x80 && isWideSpace(r) || i > maxTagBytes {
			return i
		}
	}
	return len(text)
}

package note

import (
	"path"
	"slices"
	"strings"
)

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
		base := path.Base(name)
		if strings.HasSuffix(strings.ToLower(base), ".md") {
			base = base[:len(base)-len(".md")]
		}
		n.Title = s.clean(base[strings.LastIndexByte(base, '.')+1:])
	}
	m := mentions{note: n, source: s}
	m.properties()
	m.body()
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

// mentions finds "#tag.name" and "@name", which are links to the notes tags.tag.name and user.name.
type mentions struct {
	note   *Note
	source *source
	tags   map[int][]int // by line: places in note.Tags, in order
	places map[int]int   // of the next of them to be found
}

// properties makes links of the tags in frontmatter.
func (m *mentions) properties() {
	for i := range m.note.Tags {
		if tag := &m.note.Tags[i]; tag.From == "frontmatter" {
			name := tag.Tag
			tag.Tag = strings.ReplaceAll(name, ".", "/")
			m.link(Link{Raw: name, Target: "tags." + name, Display: name, Relation: "tags", InFrontmatter: true}, m.source.lines[tag.Line-1])
		}
	}
}

func (m *mentions) link(link Link, at int) {
	if len(m.note.Links) < maxFacts {
		link.Line, link.Column, link.Offset = m.source.place(at)
		m.note.Links = append(m.note.Links, link)
	}
}

// body looks at each line but those of code, comments and HTML.
func (m *mentions) body() {
	m.tags, m.places = map[int][]int{}, map[int]int{}
	for i, tag := range m.note.Tags {
		if tag.From == "body" {
			m.tags[tag.Line] = append(m.tags[tag.Line], i)
		}
	}
	fence, sections := "", m.note.Sections
	for line := m.note.BodyLine; line <= len(m.source.lines); line++ {
		for len(sections) > 0 && sections[0].LineEnd < line {
			sections, fence = sections[1:], "" // a fence ends with the list that it is in
		}
		if len(sections) > 0 && sections[0].LineStart <= line && isOpaque(sections[0].Type) {
			continue
		}
		before := fence
		fence = nextFence(strings.TrimLeft(m.source.lineText(line), " \t>"), fence)
		if before == "" && fence == "" {
			m.line(line)
		}
	}
}

func isOpaque(section string) bool {
	return section == "code" || section == "html" || section == "comment" || section == "math" || section == "yaml"
}

// line reads the mentions in a line, without code spans and links.
func (m *mentions) line(line int) {
	start, end := m.source.lineRange(line)
	text := m.source.raw[start:end]
	if strings.IndexByte(text, '#') < 0 && strings.IndexByte(text, '@') < 0 {
		return
	}
	noLink, ticks := false, map[int]int{}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\\':
			i += 2
		case c == '`':
			i = skipCode(text, i, ticks)
		case c == '[' && !noLink && strings.HasPrefix(text[i:], "[["):
			close := strings.Index(text[i:], "]]")
			noLink = close < 0
			i += max(2, close+2)
		case c == '#' && spaceBefore(text, i):
			i = m.tag(line, i, text)
		case c == '@' && mentionBefore(text, i):
			i = m.user(line, i, text)
		default:
			i++
		}
	}
}

// skipCode passes over a code span. last holds the place of the last run of backticks of each length in the line; it is
// filled on first use.
func skipCode(text string, i int, last map[int]int) int {
	if len(last) == 0 {
		for at := i; at < len(text); {
			if run := tickRun(text, at); run > 0 {
				last[run] = at
				at += run
			} else {
				at++
			}
		}
	}
	run := tickRun(text, i)
	if last[run] <= i {
		return i + run
	}
	for at := i + run; ; {
		at += strings.IndexByte(text[at:], '`')
		length := tickRun(text, at)
		if at += length; length == run {
			return at
		}
	}
}

func mentionBefore(text string, i int) bool {
	return spaceBefore(text, i) || text[i-1] == '(' || text[i-1] == '"'
}

// tag lengthens a tag that was read up to its first dot. What the scanner did not take for a tag is none.
func (m *mentions) tag(line, i int, text string) int {
	next := m.places[line]
	if next >= len(m.tags[line]) {
		return i + 1
	}
	tag := &m.note.Tags[m.tags[line][next]]
	if !strings.HasPrefix(text[i+1:], tag.Tag) {
		return i + 1
	}
	m.places[line]++
	end := dottedEnd(text, i+1)
	start := m.source.lines[line-1]
	name := m.source.slice(start+i+1, start+end)
	tag.Tag = strings.ReplaceAll(name, ".", "/")
	raw := m.source.slice(start+i, start+end)
	m.link(Link{Raw: raw, Target: "tags." + name, Display: raw, Hidden: tag.Hidden}, start+i)
	return end
}

func (m *mentions) user(line, i int, text string) int {
	end := dottedEnd(text, i+1)
	if end == i+1 || strings.IndexByte(text[i+1:end], '/') >= 0 || end < len(text) && text[end] == '@' {
		return max(end, i+1)
	}
	start := m.source.lines[line-1]
	name, raw := m.source.slice(start+i+1, start+end), m.source.slice(start+i, start+end)
	m.link(Link{Raw: raw, Target: "user." + name, Display: raw}, start+i)
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

package note

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// propertyLine reads "key:: value". The key comes in lower case with "-" for "_", as Logseq holds it; place is where the
// value begins. Of the value nothing but white space or the end of the line may touch the colons.
func propertyLine(line string) (key string, place int, ok bool) {
	colons := strings.Index(line[:min(len(line), maxKeyBytes)], "::")
	if colons <= 0 || isDigit(line[0]) || colons+2 < len(line) && !isSpace(line[colons+2]) {
		return "", 0, false
	}
	letters := false
	for i := range colons {
		switch c := line[i]; {
		case isLetter(c) || c >= utf8.RuneSelf:
			letters = true
		case !isDigit(c) && strings.IndexByte(".*+!-_?$%&=<>/", c) < 0:
			return "", 0, false
		}
	}
	if !letters {
		return "", 0, false
	}
	key = strings.ReplaceAll(strings.ToLower(line[:colons]), "_", "-")
	return key, skipBlank(line, colons+2, len(line)), true
}

// upkeep are the properties that Logseq and its cards, queries and marks of PDF files keep for themselves.
var upkeep = map[string]bool{
	"id": true, "collapsed": true, "heading": true, "created-at": true, "updated-at": true, "last-modified-at": true,
	"background-color": true, "background-image": true, "icon": true, "filters": true, "public": true,
	"exclude-from-graph-view": true, "template-including-parent": true, "include-parent": true, "query-table": true,
	"query-properties": true, "query-sort-by": true, "query-sort-desc": true, "hl-page": true, "hl-type": true,
	"hl-color": true, "hl-stamp": true, "ls-type": true, "todo": true, "doing": true, "now": true, "later": true,
	"done": true, "waiting": true, "wait": true, "canceled": true, "cancelled": true, "in-progress": true,
}

// pageUpkeep are the properties of a page that are shown with it, and need no place in its text.
var pageUpkeep = map[string]bool{
	"title": true, "alias": true, "aliases": true, "tags": true, "type": true, "created": true, "updated": true,
}

func isUpkeep(key string) bool {
	return upkeep[key] || strings.HasPrefix(key, "card-") || strings.HasPrefix(key, "logseq.")
}

// isPageBlock tells whether the first block of a page holds its properties: it begins with one and has no bullet, or is
// nothing else.
func (o *outline) isPageBlock(b *outlineBlock) bool {
	start, end := o.ownLine(b, b.line)
	if _, _, ok := propertyLine(o.source.raw[start:end]); !ok {
		return false
	}
	for line := b.line + 1; b.bulleted && line <= b.end; line++ {
		start, end := o.ownLine(b, line)
		if _, _, ok := propertyLine(o.source.raw[start:end]); !ok && start < end {
			return false
		}
	}
	return true
}

// property reads a property of the page or of the present block.
func (o *outline) property(b *outlineBlock, line int, key string, value Range) {
	for value.End > value.Start && isSpace(o.source.raw[value.End-1]) {
		value.End--
	}
	if value.Start >= value.End || isUpkeep(key) || o.page && pageUpkeep[key] {
		o.omitLines(b, line, line)
	} else {
		b.shown = true
	}
	if key == "id" {
		o.nameBlock(b, value)
	}
	key = o.source.clean(key)
	if o.page {
		o.pageProperty(line, key, value)
		return
	}
	if key != "id" && key != "collapsed" && key != "heading" && value.Start < value.End {
		o.pushField(key, o.source.slice(value.Start, value.End), line)
	}
	o.propertyValue(key, value)
}

// nameBlock gives the present block its id.
func (o *outline) nameBlock(b *outlineBlock, value Range) {
	id := strings.TrimSpace(o.source.slice(value.Start, value.End))
	if id == "" || strings.ContainsAny(id, " \t") {
		return
	}
	o.open[len(o.open)-1].id = len(o.note.Blocks)
	o.note.Blocks = append(o.note.Blocks, Block{ID: id, Line: b.line, LineEnd: b.end})
}

// propertyValue takes the links and tags in a value; a value in quotes has none. The relation is the key.
func (o *outline) propertyValue(key string, value Range) {
	text := o.source.raw[value.Start:value.End]
	if key == "id" || len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		return
	}
	first := len(o.note.Links)
	o.inline(value.Start, value.End, false)
	for i := first; i < len(o.note.Links); i++ {
		link := &o.note.Links[i]
		link.InFrontmatter = o.page
		if link.Relation == "" {
			link.Relation = key
		}
	}
}

// pageProperty makes a line a property of the page, as one in frontmatter is.
func (o *outline) pageProperty(line int, key string, place Range) {
	text := o.source.slice(place.Start, place.End)
	entry := property{key: key, line: line, value: &value{line: line, offset: place.Start, text: text}}
	switch key {
	case "alias", "aliases", "tags":
		o.pageNames(&entry, place)
	default:
		if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
			entry.value.text = text[1 : len(text)-1]
			entry.value.typed = entry.value.text
		} else {
			entry.value.typed = coreValue(text)
		}
		o.usePageValue(entry)
		o.pageList(&entry, place)
		if key != "title" {
			o.propertyValue(key, place)
		}
	}
	o.note.Frontmatter[key] = entry.value.typedTree()
	o.note.FrontmatterRaw[key] = entry.value.textTree()
}

// usePageValue fills the field of the note that a property of one value decides.
func (o *outline) usePageValue(entry property) {
	if entry.key == "id" {
		return // it names the block
	}
	known := *entry.value
	known.text = bareName(known.text)
	switch entry.key {
	case "created-at":
		entry.key = "created"
	case "updated-at", "last-modified-at":
		entry.key = "updated"
	}
	if entry.key == "created" || entry.key == "updated" {
		known.text = dateOf(known.text)
	}
	useProperty(o.note, property{key: entry.key, line: entry.line, value: &known})
}

// pageList makes a list of a value that is nothing but several pages and tags between commas, as frontmatter has them.
func (o *outline) pageList(entry *property, place Range) {
	parts := splitNames(o.source.raw[place.Start:place.End])
	if len(parts) < 2 {
		return
	}
	var items []*value
	for _, part := range parts {
		text := o.source.slice(place.Start+part.Start, place.Start+part.End)
		if !strings.HasPrefix(text, "[[") && !strings.HasPrefix(text, "#") {
			return
		}
		items = append(items, &value{line: entry.line, offset: place.Start + part.Start, text: text, typed: text})
	}
	entry.value.kind, entry.value.items = listValue, items
}

// pageNames reads the names in alias and tags: pages in brackets, tags, or words between commas.
func (o *outline) pageNames(entry *property, place Range) {
	entry.value.kind = listValue
	for _, part := range splitNames(o.source.raw[place.Start:place.End]) {
		part.Start, part.End = part.Start+place.Start, part.End+place.Start
		name := bareName(o.source.slice(part.Start, part.End))
		if name == "" {
			continue
		}
		entry.value.items = append(entry.value.items, &value{line: entry.line, offset: part.Start, text: name, typed: name})
		if entry.key == "tags" {
			tag := Tag{Tag: name, Line: entry.line, From: "frontmatter"}
			o.pageTag(tag, o.source.slice(part.Start, part.End), part.Start)
		} else {
			o.note.Aliases = append(o.note.Aliases, name)
		}
	}
}

// pageTag records a tag of the page, which is a link as well, written as raw at a place.
func (o *outline) pageTag(tag Tag, raw string, place int) {
	if len(o.note.Links) >= maxFacts || len(o.note.Tags) >= maxFacts {
		return
	}
	o.note.Tags = append(o.note.Tags, tag)
	link := Link{Raw: raw, Target: tag.Tag, Display: tag.Tag, Relation: "tags", InFrontmatter: true}
	link.Line, link.Column, link.Offset = o.source.place(place)
	o.note.Links = append(o.note.Links, link)
}

// splitNames finds the names in a list: "[[a b]], #c, #[[d e]], f g".
func splitNames(text string) []Range {
	var names []Range
	for at := 0; at < len(text); {
		if isSpace(text[at]) || text[at] == ',' {
			at++
			continue
		}
		end := len(text)
		switch rest := text[at:]; {
		case strings.HasPrefix(strings.TrimPrefix(rest, "#"), "[["):
			if close := strings.Index(rest, "]]"); close >= 0 {
				end = at + close + 2
			}
		case rest[0] == '#':
			if stop := strings.IndexAny(rest, ", \t"); stop >= 0 {
				end = at + stop
			}
		default:
			if stop := strings.IndexByte(rest, ','); stop >= 0 {
				end = at + stop
			}
		}
		names = append(names, Range{at, at + len(strings.TrimRight(text[at:end], " \t"))})
		at = end
	}
	return names
}

// bareName takes "#" and brackets, or quotes, off a name.
func bareName(text string) string {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(strings.TrimPrefix(text, "#"), "[["); ok && strings.HasSuffix(inner, "]]") {
		return strings.TrimSpace(inner[:len(inner)-2])
	}
	if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		return strings.TrimSpace(text[1 : len(text)-1])
	}
	if len(text) > 1 && text[0] == '#' && !strings.ContainsAny(text, " \t") {
		return text[1:]
	}
	return text
}

// adaptFrontmatter reads properties in YAML as Logseq does: names may be in brackets, and hold spaces.
func (o *outline) adaptFrontmatter(properties []property) {
	n := o.note
	for i, alias := range n.Aliases {
		n.Aliases[i] = bareName(alias)
	}
	n.Type, n.Created, n.Updated = bareName(n.Type), dateOf(n.Created), dateOf(n.Updated)
	tags := n.Tags
	n.Tags = nil
	for _, tag := range tags {
		if tag.From != "frontmatter" {
			n.Tags = append(n.Tags, tag)
		}
	}
	n.Links = slices.DeleteFunc(n.Links, func(link Link) bool { return link.InFrontmatter && isTagsKey(link.Relation) })
	for _, entry := range properties {
		if isTagsKey(entry.key) {
			o.yamlTags(entry.value)
		}
	}
}

// yamlTags takes the tags in a property in YAML: the items of a list, or the names that a text divides by commas.
func (o *outline) yamlTags(v *value) {
	for _, item := range v.items {
		o.yamlTags(item)
	}
	if v.kind != scalarValue {
		return
	}
	_, end := o.source.lineRange(v.line)
	at := min(v.offset, end)
	for _, part := range splitNames(v.text) {
		raw := v.text[part.Start:part.End]
		found := strings.Index(o.source.raw[at:end], raw)
		if found < 0 { // it is escaped or redacted, and so is what follows to be taken
			found, end = 0, at
		}
		if name := bareName(raw); name != "" {
			o.pageTag(Tag{Tag: name, Line: v.line, From: "frontmatter"}, raw, at+found)
		}
		at = min(at+found+len(raw), end)
	}
}

func isTagsKey(key string) bool {
	return strings.EqualFold(key, "tags") || strings.EqualFold(key, "tag")
}

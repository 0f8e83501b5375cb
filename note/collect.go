package note

import (
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// load makes ready the text of a block.
func (r *reader) load(node ast.Node) *scanner {
	r.scanner.begin(node, r.source.raw[r.base:])
	return &r.scanner
}

// loadRange makes ready a part of the file that is in no tree, or has no nodes there.
func (r *reader) loadRange(start, end int, hidden bool) *scanner {
	c := &r.scanner
	c.reset(hidden)
	c.text = r.source.raw[start:end]
	c.pieces = append(c.pieces, piece{0, start - r.base})
	return c
}

// collect takes the facts of a block that is loaded.
func (c *scanner) collect() {
	if c.direct {
		c.readText()
		return
	}
	for node := c.within.FirstChild(); node != nil; node = following(node, c.within) {
		if n, ok := node.(*inline); ok {
			c.addFact(n)
		}
	}
}

// following gives the next node below block, in the order of the text. It does not call itself: links may nest deep.
func following(node, block ast.Node) ast.Node {
	if child := node.FirstChild(); child != nil {
		return child
	}
	for ; node != block; node = node.Parent() {
		if next := node.NextSibling(); next != nil {
			return next
		}
	}
	return nil
}

// readText reads the text without a tree and takes its facts.
func (c *scanner) readText() {
	c.lexer.scan()
	c.finish()
	c.takeNodes()
}

// scan reads the marks of the text without a tree and takes their facts.
func (c *scanner) scan() {
	c.lexer.scan()
	c.takeNodes()
}

func (c *scanner) takeNodes() {
	for _, n := range c.nodes {
		c.addFact(n)
	}
	c.nodes = c.nodes[:0]
	for _, veil := range c.veiled {
		if veil.End > len(c.text) {
			continue
		}
		if c.text[veil.Start] == '<' {
			places := c.places(veil.Start, veil.End)
			c.omitComment(c.base+places.Start, c.base+places.End)
		} else {
			c.omit(veil)
		}
	}
}

// add records a link that a dialect has read by itself.
func (c *scanner) add(link Link, start, end int) {
	whole := Range{start, end}
	n := &inline{kind: kindWikiLink, whole: c.places(start, end), embed: link.Embed, hidden: c.hidden}
	c.quiet, c.links, c.linkRanges = append(c.quiet, whole), append(c.links, n), append(c.linkRanges, whole)
	c.pushLink(n, link)
}

// relationLine reads a line of relations for links that the note has already.
func (c *scanner) relationLine(start, end int) {
	c.lexer.relationLine(start, end)
	for _, n := range c.linksWithin(Range{start, end}) {
		if n.taken > 0 {
			c.setRelation(&c.note.Links[n.taken-1], n)
		}
	}
}

func (c *scanner) setRelation(link *Link, n *inline) {
	if link.Relation == "" && n.relation.Start < n.relation.End {
		link.Relation = fieldKey(c.part(n.relation))
	}
}

// omit keeps a range of text out of passages.
func (c *scanner) omit(r Range) {
	c.note.Omit = append(c.note.Omit, Range{c.raw(r.Start), c.raw(r.End)})
}

// addFact takes what a note keeps of a node.
func (c *scanner) addFact(n *inline) {
	switch n.kind {
	case kindWikiLink:
		c.addWikiLink(n)
	case kindMarkdownLink:
		c.addMarkdownLink(n)
	case kindAutolink:
		address := c.part(n.inner)
		c.pushLink(n, Link{Target: address, Display: address, Markdown: true, External: true})
	case kindTag:
		c.addTag(n)
	case kindMention:
		c.pushLink(n, Link{Target: "user." + c.part(n.inner), Display: c.part(n.whole)})
	case kindField:
		c.pushField(n)
	case kindInlineNote:
		c.note.Omit = append(c.note.Omit, Range{c.base + n.whole.Start, c.base + n.whole.End})
	case kindInlineHTML:
		if strings.HasPrefix(c.source.raw[c.base+n.whole.Start:], "<!--") {
			c.omitComment(c.base+n.whole.Start, c.base+n.whole.End)
		}
	}
}

// addTag takes a tag. In Dendron a dot divides its parts, and it is a link to a note, too.
func (c *scanner) addTag(n *inline) {
	name := c.part(n.inner)
	if c.mentions {
		c.pushLink(n, Link{Target: "tags." + name, Display: c.part(n.whole)})
		name = strings.ReplaceAll(name, ".", "/")
	}
	if len(c.note.Tags) < maxFacts {
		line := c.source.line(c.base + n.whole.Start)
		c.note.Tags = append(c.note.Tags, Tag{Tag: name, Line: line, From: "body", Hidden: n.hidden})
	}
}

func (c *scanner) addWikiLink(n *inline) {
	parse := parseWikiText
	if n.cell {
		parse = parseWikiCell
	}
	if link, ok := parse(c.part(n.inner)); ok {
		c.pushLink(n, link)
	}
}

func (c *scanner) addMarkdownLink(n *inline) {
	link := Link{Display: c.part(n.inner), Markdown: true}
	if n.definition {
		link.setDestination(c.source, c.source.slice(c.base+n.target.Start, c.base+n.target.End))
	} else {
		link.setDestination(c.source, c.part(n.target))
	}
	c.pushLink(n, link)
}

func (c *scanner) pushLink(n *inline, link Link) {
	if len(c.note.Links) >= maxFacts {
		return
	}
	link.Raw, link.Embed, link.Hidden = c.part(n.whole), n.embed, n.hidden
	c.setRelation(&link, n)
	link.Line, link.Column, link.Offset = c.source.place(c.base + n.whole.Start)
	c.note.Links = append(c.note.Links, link)
	n.taken = len(c.note.Links)
}

func (c *scanner) pushField(n *inline) {
	if len(c.note.Fields) >= maxFacts {
		return
	}
	key := n.name
	if key == "" {
		key = fieldKey(c.part(n.inner))
	}
	line := c.source.line(c.base + n.whole.Start)
	c.note.Fields = append(c.note.Fields, Field{Key: key, Value: strings.TrimSpace(c.part(n.target)), Line: line, Hidden: n.hidden})
}

// fieldKey is a key, or the name of a relation, as it is compared: lowercased, "-" for white space.
func fieldKey(written string) string {
	return strings.ToLower(strings.Join(strings.Fields(written), "-"))
}

// whole is all of the text on one line.
func (c *scanner) whole() string {
	return strings.TrimSpace(c.slice(0, len(c.text)))
}

// raw gives the place in the file of a place in text.
func (c *scanner) raw(at int) int { return c.base + c.place(at) }

// part gives a redacted part of the body on one line.
func (c *scanner) part(places Range) string {
	if len(c.pieces) == 1 || places.Start == places.End {
		return oneLine(c.source.slice(c.base+places.Start, c.base+places.End))
	}
	return c.slice(c.at(places.Start), c.at(places.End-1)+1)
}

// slice gives a redacted part of text on one line: line ends become spaces.
func (c *scanner) slice(start, end int) string {
	if len(c.pieces) == 1 {
		return oneLine(c.source.slice(c.raw(start), c.raw(end)))
	}
	first := sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].at > start }) - 1
	var parts []string
	for i := first; i < len(c.pieces) && start < end; i++ {
		stop := end
		if i+1 < len(c.pieces) {
			stop = min(end, c.pieces[i+1].at)
		}
		from := c.base + c.pieces[i].place + start - c.pieces[i].at
		parts = append(parts, c.source.slice(from, from+stop-start))
		start = stop
	}
	if len(parts) == 1 {
		return oneLine(parts[0])
	}
	return oneLine(strings.Join(parts, ""))
}

func oneLine(text string) string {
	if strings.IndexByte(text, '\n') < 0 && strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

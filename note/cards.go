package note

import (
	"sort"
	"strings"
	"unicode/utf8"

	"quarry/internal/dialect"
)

// index finds the nodes by their ids; of one given twice the first counts.
func (c *canvasReader) index() {
	c.byID = make(map[string]int, len(c.nodes))
	for i := len(c.nodes) - 1; i >= 0; i-- {
		if id := c.nodes[i].id; id != "" {
			c.byID[id] = i
		}
	}
}

// addNodes puts in what each node holds. What lies in a group stands together, under its label; what is in none is first.
func (c *canvasReader) addNodes() {
	around, named := c.groups()
	order := make([]int, len(c.nodes))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return around[order[i]] < around[order[j]] })
	for _, i := range order {
		node := &c.nodes[i]
		heading := ""
		if around[i] >= 0 {
			heading = c.name(&c.nodes[around[i]])
		}
		if node.form() != "group" {
			c.addNode(node, heading)
		} else if label := c.source.textOf(node.label); label != "" && !named[i] {
			c.addWords(heading, label, c.source.line(node.label.start))
		}
	}
}

// form is the type of a node, or what its fields make it.
func (n *canvasNode) form() string {
	switch {
	case n.kind == "text" || n.kind == "file" || n.kind == "link" || n.kind == "group":
		return n.kind
	case n.file != span{}:
		return "file"
	case n.url != span{}:
		return "link"
	case n.text == span{}:
		return "group"
	}
	return "text"
}

func (c *canvasReader) addNode(node *canvasNode, heading string) {
	switch node.form() {
	case "file":
		c.addFile(node, heading)
	case "link":
		if url := c.source.textOf(node.url); url != "" {
			c.note.addLinkAt(c.source, Link{Raw: url, Target: url, Display: url, External: true}, node.url.start+1)
			c.addWords(heading, url, c.source.line(node.url.start))
		}
	case "text":
		c.note.addCard(c.source, node.text, heading)
	}
}

func (c *canvasReader) addFile(node *canvasNode, heading string) {
	file, subpath := c.source.textOf(node.file), c.source.textOf(node.subpath)
	if file == "" {
		return
	}
	c.note.addLinkAt(c.source, Link{Raw: file, Target: file, Subpath: subpath, Display: file, Embed: true}, node.file.start+1)
	c.addWords(heading, strings.Join(append([]string{dialect.Stem(file)}, subpathNames(subpath)...), " > "), c.source.line(node.file.start))
}

func subpathNames(subpath string) []string {
	return strings.FieldsFunc(subpath, func(r rune) bool { return r == '#' })
}

func (c *canvasReader) addWords(heading, text string, line int) {
	c.note.addFragment(Fragment{Heading: heading, Text: text, LineStart: line, LineEnd: line})
}

// addFragment keeps a fragment that has any words.
func (n *Note) addFragment(fragment Fragment) {
	if isBlank(fragment.Text) {
		return
	}
	if n.Fragments = append(n.Fragments, fragment); len(n.Fragments) > maxFacts {
		n.Fragments = n.Fragments[:maxFacts]
	}
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// addLinkAt adds a link that begins at a byte of the file.
func (n *Note) addLinkAt(s *source, link Link, at int) {
	if len(n.Links) < maxFacts {
		link.Line, link.Column, link.Offset = s.place(at)
		n.Links = append(n.Links, link)
	}
}

// addCard reads the Markdown in a text of a JSON file: its facts are those of the note, in the place of the text.
func (n *Note) addCard(s *source, place span, heading string) {
	text := s.textOf(place)
	if isBlank(text) {
		return
	}
	card := s.readCard(text)
	line := s.line(place.start)
	n.addCardLinks(s, card, place)
	for _, tag := range card.Tags {
		if tag.Line = line; len(n.Tags) < maxFacts {
			n.Tags = append(n.Tags, tag)
		}
	}
	for _, task := range card.Tasks {
		if task.Line = line; task.ParentLine != nil {
			task.ParentLine = &line
		}
		n.Tasks = append(n.Tasks, task)
	}
	for _, field := range card.Fields {
		if field.Line = line; len(n.Fields) < maxFacts {
			n.Fields = append(n.Fields, field)
		}
	}
	for _, problem := range card.Problems {
		n.addProblem(line, problem.Reason)
	}
	n.addFragment(Fragment{Heading: heading, Text: strings.TrimSpace(s.clean(card.visible())), LineStart: line, LineEnd: line})
}

// readCard reads Markdown that is no file, and so has no properties.
func (s *source) readCard(text string) *Note {
	s = newSource([]byte(text), nil, s.filter)
	card := &Note{Kind: Plain, Text: s.text, LineOffsets: s.lines, BodyLine: 1}
	readBody(newReader(card, s, 0), Range{})
	finish(card, s, "")
	return card
}

// addCardLinks adds the links of a card, each in its place in the file.
func (n *Note) addCardLinks(s *source, card *Note, place span) {
	cursor := jsonCursor{text: s.raw[place.start:place.end]}
	for _, link := range card.Links {
		n.addLinkAt(s, link, place.start+cursor.advance(link.Offset))
	}
}

// visible is the text without what no reader is to see.
func (n *Note) visible() string {
	var out strings.Builder
	at := 0
	for _, r := range n.Omit {
		out.WriteString(n.Text[at:r.Start])
		at = r.End
	}
	out.WriteString(n.Text[at:])
	return out.String()
}

// jsonCursor goes through a token in quotes and tells where in it a place of its decoded text lies.
type jsonCursor struct {
	text      string
	at, units int
}

// advance gives the byte of the token at which the decoded text has so many UTF-16 units behind it. It goes forward only.
func (c *jsonCursor) advance(units int) int {
	if c.at == 0 && len(c.text) > 0 && c.text[0] == '"' {
		c.at = 1
	}
	for c.units < units && c.at < len(c.text) {
		size, r := 1, rune(c.text[c.at])
		if r == '\\' {
			size, r = escapeJSON(c.text[c.at:])
		} else if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(c.text[c.at:])
		}
		c.at += size
		c.units++
		if r > 0xFFFF {
			c.units++
		}
	}
	return min(c.at, len(c.text)-1)
}

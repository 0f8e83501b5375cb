package chunk

import (
	"strings"
	"unicode/utf8"
)

// skipped are the names of sections that only list links.
var skipped = map[string]bool{"related": true, "see also": true, "links": true, "references": true}

// minProseCharacters is how much prose keeps a section of such a name.
const minProseCharacters = 200

// linkLists tells of every heading whether its own text, up to the next heading of any level, is a list of links that is
// left out. At levels 1 and 2 a section of such a name is one if there is a link in it and it is no prose, or nothing, deeper and below
// another one only where most of its lines are links. One with code, a table or a task is none.
func (d *document) linkLists() []bool {
	lists := make([]bool, len(d.Headings))
	below := make([]bool, len(d.Headings)) // such a name stands at the heading or above it
	for i, heading := range d.Headings {
		isNamed := skipped[strings.ToLower(strings.TrimRight(strings.TrimSpace(heading.Plain), " :："))]
		below[i] = isNamed || d.parents[i] >= 0 && below[d.parents[i]]
		if !below[i] || heading.Line < d.BodyLine {
			continue
		}
		start, end := d.partOf(i).start, len(d.Text)
		if i+1 < len(d.Headings) {
			end = d.lineStart(d.Headings[i+1].Line)
		}
		if d.ends[i] > 0 {
			end = min(end, d.lineStart(d.ends[i]+1))
		}
		c := contentOf(d.shown(min(start, end), end))
		if isNamed && heading.Level <= 2 {
			lists[i] = c.lines == 0 || c.linked && !c.held && (c.prose < minProseCharacters || c.prose <= c.characters/2)
		} else {
			lists[i] = c.lines > 0 && !c.held && 2*c.links >= c.lines
		}
	}
	return lists
}

// content counts what a section is made of.
type content struct {
	lines, links int  // lines with text; those that are mostly a link
	linked       bool // there is a link
	held         bool // there is code, a table or a task, which no list of references has
	characters   int
	prose        int // of them in lines without a link that are no items of a list: what no list of references has
}

func contentOf(text string) content {
	var c content
	for line := range strings.Lines(text) {
		l := readLine(line)
		content := l.content
		if content == "" {
			continue
		}
		_, opens := fenceOf(l)
		c.held = c.held || opens || isTask(content) || isTableRule(content)
		size := utf8.RuneCountInString(content)
		marker := markerLength(content)
		linked := linkedBytes(content)
		c.lines++
		c.linked = c.linked || linked > 0
		c.characters += size
		if linked == 0 && marker == 0 && strings.IndexByte("[|", content[0]) < 0 {
			c.prose += size
		}
		if 2*linked >= len(content)-marker {
			c.links++
		}
	}
	return c
}

// isTask tells whether an item of a list has a box.
func isTask(content string) bool {
	box := content[markerLength(content):]
	return len(box) < len(content) && len(box) > 3 && box[0] == '[' && box[2] == ']' && box[3] == ' '
}

// isTableRule tells whether a line is the second of a table.
func isTableRule(content string) bool {
	return strings.Trim(content, "|:- \t") == "" && strings.Contains(content, "|") && strings.Contains(content, "-")
}

// linkedBytes gives how much of a line is links.
func linkedBytes(line string) int {
	linked := 0
	for at := 0; at < len(line); {
		length := linkLength(line[at:])
		linked += length
		at += max(1, length)
	}
	return linked
}

// maxLinkBytes is how far the end of a link is looked for.
const maxLinkBytes = 400

// linkLength gives the length of a link at the start of a text, 0 if there is none.
func linkLength(text string) int {
	end := -1
	text = text[:min(len(text), maxLinkBytes)]
	switch {
	case strings.HasPrefix(text, "[["):
		if end = strings.Index(text, "]]"); end >= 0 {
			end += 2
		}
	case text[0] == '[':
		middle := strings.IndexByte(text, ']')
		if middle < 0 || !strings.HasPrefix(text[middle:], "](") {
			return 0
		}
		if end = strings.IndexByte(text[middle:], ')'); end >= 0 {
			end += middle + 1
		}
	case strings.HasPrefix(text, "{{"): // a link by a macro, as site generators have them
		if end = strings.Index(text, "}}"); end >= 0 {
			end += 2
		}
	case strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://"):
		if end = strings.IndexAny(text, " \t>)"); end < 0 {
			end = len(text)
		}
	}
	return max(0, end)
}

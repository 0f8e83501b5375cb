package note

import "strings"

// A drawing of Excalidraw is a note with sections that the plugin writes, or a file of JSON. Of the sections the texts are
// words, the links count, and the drawing itself is no text at all. Over the years their headings had one or two marks,
// a heading above them all came later, and lines of %% stand before or behind one or the other.

// drawingPart is a section that the plugin wrote, in lines from that of its heading to that before the next part.
type drawingPart struct {
	name        string // excalidraw data, text elements, element links, embedded files or drawing
	first, last int
}

type drawing struct {
	parts []drawingPart
	end   int // the byte of the file where the data of the drawing begins
}

// drawingBody gives what of a drawing is read as Markdown. Lines that would turn its texts into a comment are blank.
func drawingBody(n *Note, s *source, start int) bodyPart {
	d := findDrawing(s, start)
	part := bodyPart{end: d.end, finish: func() { d.finish(n, s) }}
	if len(d.parts) == 0 {
		return part
	}
	first := d.parts[0].first
	for first > 1 && s.lines[first-2] >= start && commentFence(s.lineText(first-1)) {
		first--
	}
	for line := first; line <= d.parts[len(d.parts)-1].last; line++ {
		if text := s.lineText(line); commentFence(text) && text != "" {
			part.blank = append(part.blank, line)
			n.omitLines(s, line, line)
		}
	}
	return part
}

// findDrawing looks for the parts of a drawing in the lines behind the byte start.
func findDrawing(s *source, start int) drawing {
	d := drawing{end: len(s.raw)}
	fence := ""
	lastLine := len(s.lines)
	for line := s.line(start); line <= len(s.lines) && start < len(s.raw); line++ {
		text := s.lineText(line)
		before := fence
		if fence = nextFence(text, fence); before != "" || fence != "" {
			continue
		}
		name := partName(text)
		if name == "drawing" && !d.has("text elements") && !d.has("excalidraw data") && !dataFollows(s, line) {
			name = "" // a heading of the user's own
		}
		if name == "" && strings.HasPrefix(text, `{"type":"excalidraw"`) {
			name = "drawing"
		}
		if name == "drawing" {
			for line > 1 && s.lines[line-1] > start && commentFence(s.lineText(line-1)) {
				line--
			}
			d.end, lastLine = s.lines[line-1], line-1
			break
		}
		if name != "" {
			d.parts = append(d.parts, drawingPart{name: name, first: line})
		}
	}
	for i := range d.parts {
		d.parts[i].last = lastLine
		if i+1 < len(d.parts) {
			d.parts[i].last = d.parts[i+1].first - 1
		}
	}
	return d
}

func (d *drawing) has(name string) bool {
	for _, part := range d.parts {
		if part.name == name {
			return true
		}
	}
	return false
}

// partName gives the name of the part that a line is the heading of, "" if none.
func partName(line string) string {
	if len(line) > 40 || line == "" || line[0] != '#' {
		return ""
	}
	switch name := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#"))); name {
	case "excalidraw data", "text elements", "element links", "embedded files", "drawing":
		return name
	}
	return ""
}

// commentFence tells whether a line holds nothing but the mark of a comment, or nothing.
func commentFence(line string) bool {
	line = strings.TrimSpace(line)
	return line == "%%" || line == ""
}

// dataFollows tells whether the next line with text begins the data of a drawing.
func dataFollows(s *source, line int) bool {
	for line++; line <= len(s.lines); line++ {
		text := strings.TrimSpace(s.lineText(line))
		if text != "" {
			return strings.HasPrefix(text, "```json") || strings.HasPrefix(text, "```compressed-json") || text[0] == '{'
		}
	}
	return false
}

// finish keeps out of passages what the plugin wrote for itself, and takes its headings out of the outline. The heading
// of the texts stays where there are any.
func (d *drawing) finish(n *Note, s *source) {
	for line := 1; line <= min(len(s.lines), maxWarningLines+n.BodyLine); line++ {
		if strings.HasPrefix(s.lineText(line), "==⚠") {
			n.omitLines(s, line, line)
		}
	}
	dropped := map[int]bool{}
	for _, part := range d.parts {
		last := part.last
		if part.name == "text elements" {
			for last > part.first && commentFence(s.lineText(last)) {
				last--
			}
			if last > part.first {
				continue
			}
			last = part.last
		}
		dropped[part.first] = true
		n.omitLines(s, part.first, last)
	}
	n.dropHeadings(dropped)
	if d.end < len(s.raw) {
		n.Omit = append(n.Omit, Range{d.end, len(s.raw)})
		n.Sections = append(n.Sections, Section{Type: "code", LineStart: s.line(d.end), LineEnd: len(s.lines)})
	}
}

func (n *Note) omitLines(s *source, first, last int) {
	if _, end := s.lineRange(last); end > s.lines[first-1] {
		n.Omit = append(n.Omit, Range{s.lines[first-1], end})
	}
}

// maxWarningLines is how far behind the properties the line is looked for that tells how to show the drawing.
const maxWarningLines = 1000

func (n *Note) dropHeadings(lines map[int]bool) {
	kept := n.Headings[:0]
	for _, heading := range n.Headings {
		if !lines[heading.Line] {
			kept = append(kept, heading)
		}
	}
	n.Headings = kept
}

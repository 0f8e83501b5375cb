package note

import (
	"slices"
	"strings"

	"quarry/secret"
)

// A drawing of Excalidraw is a note with sections that the plugin writes, or a file of JSON. Of the sections the texts are
// words, the links count, and the drawing itself is no text at all. Over the years their headings had one or two marks,
// a heading above them all came later, and lines of %% stand before or behind one or the other. The sections are no
// Markdown: a text in them begins no code, no list and no comment.

// drawingPart is a section that the plugin wrote, in lines from that of its heading to that before the next part.
type drawingPart struct {
	name        string // excalidraw data, text elements, element links or embedded files
	first, last int
}

type drawing struct {
	parts   []drawingPart
	bodyEnd int // the byte of the file where the plugin's parts begin
	end     int // the byte where the data of the drawing begins
	hasData bool
}

// drawingBody gives what of a drawing is read as Markdown: what stands before the plugin's parts.
func drawingBody(s *source, start int) bodyPart {
	d := findDrawing(s, start)
	return bodyPart{end: d.bodyEnd, finish: d.finish}
}

// isUnmarkedDrawing tells whether a note is a drawing whose property was lost: it has the heading that the plugin writes
// above its texts, outside code, and ends in data.
func isUnmarkedDrawing(s *source, start int) bool {
	if !strings.Contains(s.raw[start:], "# Excalidraw Data") && !strings.Contains(s.raw[start:], "# Text Elements") {
		return false
	}
	d := findDrawing(s, start)
	if len(d.parts) == 0 || !d.hasData {
		return false
	}
	fence := ""
	for line := s.line(start); line < d.parts[0].first; line++ {
		fence = nextFence(s.lineText(line), fence)
	}
	if fence != "" {
		return false
	}
	end := strings.TrimRight(s.raw[d.end:], "% \t\r\n")
	return strings.HasSuffix(end, "```") || strings.HasSuffix(end, "}")
}

// findDrawing looks for the parts of a drawing in the lines behind the byte start.
func findDrawing(s *source, start int) *drawing {
	d := &drawing{bodyEnd: len(s.raw), end: len(s.raw)}
	if start >= len(s.raw) {
		return d
	}
	first, last := s.line(start), len(s.lines)
	data := dataLine(s, first)
	d.hasData = data > 0
	if data > 0 {
		last = data - 1
	}
	d.findParts(s, first, last)
	for line := last; data == 0 && len(d.parts) > 0 && line > d.parts[0].first; line-- {
		if partName(s.lineText(line)) == "drawing" {
			data = line
		}
	}
	if data > 0 {
		for data > first && commentFence(s.lineText(data-1)) {
			data--
		}
		d.end = s.lines[data-1]
		last = data - 1
	}
	for i := range d.parts {
		d.parts[i].last = last
		if i > 0 {
			d.parts[i-1].last = d.parts[i].first - 1
		}
	}
	if d.bodyEnd = d.end; len(d.parts) > 0 {
		d.bodyEnd = s.lines[bodyLines(s, first, d.parts[0].first)-1]
	}
	return d
}

// dataLine finds the last heading that data follows, or else data without a heading; 0 if there is none. A text may hold
// such a heading, too, but the data comes behind all texts.
func dataLine(s *source, first int) int {
	for line := len(s.lines); line >= first; line-- {
		if partName(s.lineText(line)) == "drawing" && dataFollows(s, line) {
			return line
		}
	}
	fence := ""
	for line := first; line <= len(s.lines); line++ {
		text := s.lineText(line)
		if fence = nextFence(text, fence); fence == "" && strings.HasPrefix(text, `{"type":"excalidraw"`) {
			return line
		}
	}
	return 0
}

// findParts looks for the headings of parts. Those before the texts are the user's own, and so are those in code, unless
// that has no end.
func (d *drawing) findParts(s *source, first, last int) {
	fence, code := "", 0
	for line := first; line <= last; line++ {
		text := s.lineText(line)
		if len(d.parts) == 0 && code >= 0 {
			before := fence
			fence = nextFence(text, fence)
			if before == "" && fence != "" {
				code = line
			}
			if fence != "" && line == last {
				line, code, fence = code, -1, ""
			}
			if before != "" || fence != "" {
				continue
			}
		}
		switch name := partName(text); name {
		case "element links", "embedded files":
			if len(d.parts) > 0 && !d.has(name) {
				d.parts = append(d.parts, drawingPart{name: name, first: line})
			}
		case "excalidraw data", "text elements":
			if !d.has("text elements") {
				d.parts = append(d.parts, drawingPart{name: name, first: line})
			}
		}
	}
}

func (d *drawing) has(name string) bool {
	for _, part := range d.parts {
		if part.name == name {
			return true
		}
	}
	return false
}

// bodyLines gives the line before which the user's own text ends: that of the first part, or of the mark of a comment
// that the plugin opened before it. A mark that closes a comment is the user's own.
func bodyLines(s *source, first, part int) int {
	open, last := false, part
	for line := first; line < part; line++ {
		if text := s.lineText(line); text != "" && commentFence(text) {
			open, last = !open, line
		} else if !commentFence(text) {
			last = part
		}
	}
	if open {
		return last
	}
	return part
}

// partName gives the name of the part that a line is the heading of, "" if none.
func partName(line string) string {
	if len(line) > 40 || headingLevel(line) == 0 {
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

// finish reads the plugin's parts, and keeps out of passages what the plugin wrote for itself.
func (d *drawing) finish(r *reader) {
	n, s := r.note, r.source
	for line := 1; line <= min(len(s.lines), maxWarningLines+n.BodyLine); line++ {
		if strings.HasPrefix(s.lineText(line), "==⚠") {
			n.omitLines(s, line, line)
		}
	}
	if len(d.parts) > 0 {
		n.omit(Range{d.bodyEnd, s.lines[d.parts[0].first-1]})
	}
	for _, part := range d.parts {
		if part.name == "text elements" && r.readElements(part) {
			continue
		}
		n.omitLines(s, part.first, part.last)
		for line := part.first + 1; line <= part.last; line++ {
			start, end := s.lineRange(line)
			r.loadRange(start, end, false).readText()
		}
	}
	if n.omit(Range{d.end, len(s.raw)}); d.end < len(s.raw) {
		r.addSection("code", s.line(d.end), len(s.lines))
		s.releaseDrawing(d.end)
	}
}

// releaseDrawing lets through what looks random, and is nothing else, in the compressed data of a drawing that begins at a byte.
func (s *source) releaseDrawing(start int) {
	const rule = "high-entropy"
	at := strings.Index(s.raw[start:], "```compressed-json")
	if at < 0 {
		return
	}
	end := len(s.raw)
	if length := strings.Index(s.raw[start+at+1:], "\n```"); length >= 0 {
		end = start + at + 1 + length
	}
	kept := slices.DeleteFunc(slices.Clone(s.spans), func(span secret.Span) bool {
		return span.Name == rule && span.Start > start+at && span.End <= end
	})
	if len(kept) < len(s.spans) {
		s.setSpans(kept)
	}
}

// readElements reads the texts of a drawing, each of which ends in its id, and tells whether there are any.
func (r *reader) readElements(part drawingPart) bool {
	s := r.source
	for part.last > part.first && commentFence(s.lineText(part.last)) {
		part.last--
	}
	if part.last == part.first {
		return false
	}
	r.plainHeading(part.first, headingLevel(s.lineText(part.first)))
	element, run := 0, 0 // the lines where the present text and its run of lines begin
	for line := part.first + 1; line <= part.last; line++ {
		if text := s.lineText(line); commentFence(text) {
			if run > 0 {
				r.addSection("paragraph", run, line-1)
			}
			if run = 0; text != "" {
				r.note.omitLines(s, line, line)
			}
			continue
		}
		if run == 0 {
			run = line
		}
		if element == 0 {
			element = line
		}
		if r.elementLine(element, line) {
			element = 0
		}
	}
	r.addSection("paragraph", run, part.last)
	return true
}

// elementLine reads a line of a text that began in line first, and tells whether its id stands there.
func (r *reader) elementLine(first, line int) (last bool) {
	s := r.source
	start, end := s.lineRange(line)
	id, at := markerAtEnd(s.raw[start:end])
	if id != "" {
		behind := start + len(strings.TrimRight(s.raw[start:end], " \t"))
		if len(r.note.Blocks) < maxFacts {
			r.note.Blocks = append(r.note.Blocks, Block{ID: s.slice(behind-len(id), behind), Line: first, LineEnd: line})
		}
		r.note.omit(Range{start + at, end})
		end = start + at
	}
	r.loadRange(start, end, false).readText()
	return id != ""
}

func (n *Note) omitLines(s *source, first, last int) {
	_, end := s.lineRange(last)
	n.omit(Range{s.lines[first-1], end})
}

// omit keeps bytes of the file out of passages.
func (n *Note) omit(r Range) {
	if r.Start < r.End {
		n.Omit = append(n.Omit, r)
	}
}

// maxWarningLines is how far behind the properties the line is looked for that tells how to show the drawing.
const maxWarningLines = 1000

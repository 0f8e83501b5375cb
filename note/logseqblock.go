package note

import (
	"slices"
	"strings"
)

// region is a run of lines that is not text of the block: code, a query, a drawer.
type region struct {
	kind        regionKind
	first, last int
}

type regionKind int

const (
	codeRegion    regionKind = iota // seen, but nothing in it counts
	orgCodeRegion                   // the same, between two lines that are not seen
	commentRegion                   // not seen; what is in it counts as hidden
	lostRegion                      // not seen: what the app computes from, or keeps for itself
)

// orgRegions are the blocks of Org mode in which nothing is text of the page, by their names in lower case.
var orgRegions = map[string]regionKind{
	"src": orgCodeRegion, "example": orgCodeRegion, "export": orgCodeRegion, "comment": commentRegion, "query": lostRegion,
}

// orgCallouts are the blocks of Org mode that stand out from the text.
var orgCallouts = map[string]bool{"note": true, "tip": true, "important": true, "caution": true, "warning": true, "pinned": true}

// regionAt finds the region that begins in a line.
func (o *outline) regionAt(b *outlineBlock, line int, text string) (region, bool) {
	if name, ok := orgMark(text, "#+begin_"); ok {
		kind, known := orgRegions[name]
		if !known {
			return region{}, false
		}
		return o.closeRegion(b, region{kind: kind, first: line}, func(text string) bool {
			end, ok := orgMark(text, "#+end_")
			return ok && end == name
		})
	}
	if isDrawer(text) {
		return o.closeRegion(b, region{kind: lostRegion, first: line}, func(text string) bool {
			return strings.EqualFold(strings.TrimSpace(text), ":end:")
		})
	}
	if fence := nextFence(text, ""); fence != "" {
		return o.closeRegion(b, region{kind: codeRegion, first: line}, func(text string) bool { return nextFence(text, fence) == "" })
	}
	return region{}, false
}

// closeRegion looks for the last line of a region. It lies within its block: Logseq indents what a bullet holds. A look
// that fails has read lines in vain, of which there may be few.
func (o *outline) closeRegion(b *outlineBlock, r region, closes func(string) bool) (region, bool) {
	for line := r.first + 1; line <= len(o.source.lines) && o.vain <= maxUnclosed*len(o.source.lines); line++ {
		text := o.source.lineText(line)
		if column, width := bulletOf(text); width > 0 && b.bulleted && column <= b.column {
			break
		}
		if closes(strings.TrimLeft(text, " \t")) {
			r.last = line
			return r, true
		}
		o.vain++
	}
	return region{}, false
}

// orgMark reads the name in "#+BEGIN_NAME" or "#+END_NAME", in lower case.
func orgMark(text, prefix string) (name string, ok bool) {
	if len(text) <= len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return "", false
	}
	name = text[len(prefix):]
	if end := strings.IndexAny(name, " \t"); end >= 0 {
		name = name[:end]
	}
	if name == "" || len(name) > 30 {
		return "", false
	}
	return strings.ToLower(name), true
}

// isDrawer knows ":LOGBOOK:" and ":PROPERTIES:".
func isDrawer(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case ":logbook:", ":properties:":
		return true
	}
	return false
}

// blockHead is what the first words of a block say. The first words are those behind its properties.
type blockHead struct {
	line     int // 0 if the block has no words
	level    int // of a heading, 0 if it is none
	text     int // in raw, behind the marks
	status   string
	priority string
}

// markers are the states of a task, as the character between the brackets of a checkbox.
var markers = map[string]string{
	"TODO": " ", "LATER": " ", "WAIT": " ", "WAITING": " ", "DOING": "/", "NOW": "/", "IN-PROGRESS": "/", "STARTED": "/",
	"DONE": "x", "CANCELED": "-", "CANCELLED": "-",
}

// readHead reads the marks of a heading and of a task, in the order in which Logseq writes them.
func (o *outline) readHead(b *outlineBlock) blockHead {
	var head blockHead
	level := 0
	for line := b.line; line <= b.end; line++ {
		start, end := o.ownLine(b, line)
		text := o.source.raw[start:end]
		if key, place, ok := propertyLine(text); ok {
			if key == "heading" {
				level = o.headingProperty(strings.TrimSpace(text[place:]))
			}
			continue
		}
		if head.line > 0 {
			break
		}
		if text == "" || inRegion(b.regions, line) {
			if text != "" {
				break
			}
			continue
		}
		head.line, head.text = line, start
		head.read(text, start)
	}
	if head.line > 0 && head.level == 0 {
		head.level = level
	}
	return head
}

// headingProperty is the level that "heading:: true" or "heading:: 2" gives.
func (o *outline) headingProperty(value string) int {
	switch {
	case value == "true":
		return min(len(o.open)+1, 6)
	case len(value) == 1 && value[0] >= '1' && value[0] <= '6':
		return int(value[0] - '0')
	}
	return 0
}

func (h *blockHead) read(text string, start int) {
	at := 0
	if level := headingLevel(text); level > 0 {
		h.level = level
		at = skipBlank(text, level, len(text))
	}
	word := text[at:]
	if end := strings.IndexAny(word, " \t"); end >= 0 {
		word = word[:end]
	}
	if status, ok := markers[word]; ok {
		h.status = status
		at = skipBlank(text, at+len(word), len(text))
	} else if status, box, ok := taskBox(text[at:]); ok && (at+box == len(text) || isSpace(text[at+box])) {
		h.status = status
		at = skipBlank(text, at+box, len(text))
	}
	if rest := text[at:]; len(rest) >= 4 && strings.HasPrefix(rest, "[#") && isLetter(rest[2]) && rest[3] == ']' {
		h.priority = rest[2:3]
		at = skipBlank(text, at+4, len(text))
	}
	h.text = start + at
}

// ownLine gives the text of a line of a block: behind the bullet and the indentation.
func (o *outline) ownLine(b *outlineBlock, line int) (start, end int) {
	start, end = o.source.lineRange(line)
	if line == b.line {
		start = b.text
	}
	return skipBlank(o.source.raw, start, end), end
}

func inRegion(regions []region, line int) bool {
	for _, r := range regions {
		if r.first <= line && line <= r.last {
			return true
		}
	}
	return false
}

// block reads the lines of the present block.
func (o *outline) block(b *outlineBlock) {
	omitted := len(o.note.Omit)
	o.blockRefs = o.blockRefs[:0]
	o.useHead(b)
	run := Range{-1, -1}
	flush := func() {
		if run.Start >= 0 {
			o.inline(run.Start, run.End, false)
		}
		run.Start = -1
	}
	regions := b.regions
	for line := b.line; line <= b.end; line++ {
		if len(regions) > 0 && regions[0].first == line {
			flush()
			o.region(b, regions[0])
			line, regions = regions[0].last, regions[1:]
			continue
		}
		start, end := o.ownLine(b, line)
		if start == end || o.special(b, line, start, end) {
			flush()
			continue
		}
		if run.Start < 0 {
			run.Start = start
			if line == b.head.line {
				run.Start = b.head.text
			}
		}
		run.End = end
		b.shown = true
	}
	flush()
	o.hideEmpty(b, omitted)
	if b.head.level > 0 && b.end > b.head.line {
		o.lastLine = b.head.line
		o.beginSection("paragraph", b.head.line+1, len(o.open)-1)
	}
}

// useHead records what the first words of a block make of it.
func (o *outline) useHead(b *outlineBlock) {
	head := b.head
	if head.line == 0 {
		return
	}
	_, end := o.source.lineRange(head.line)
	text := func() string { return strings.TrimSpace(o.source.slice(head.text, end)) }
	if head.level > 0 {
		shown := text()
		if bare := strings.TrimRight(shown, "#"); strings.HasSuffix(bare, " ") {
			shown = strings.TrimSpace(bare)
		}
		o.open[len(o.open)-1].outline = len(o.note.Headings) + 1
		o.addHeading(Heading{Level: head.level, Text: shown, Plain: o.source.withoutHTMLComments(shown), Line: b.line, LineEnd: head.line})
	}
	if head.status != "" {
		o.note.Tasks = append(o.note.Tasks, Task{Status: head.status, Text: text(), Line: b.line, ParentLine: o.parentLine()})
	}
	if head.priority != "" {
		o.pushField("priority", head.priority, head.line)
	}
}

// pushField records a field of a block.
func (o *outline) pushField(key, value string, line int) {
	if len(o.note.Fields) < maxFacts {
		o.note.Fields = append(o.note.Fields, Field{Key: key, Value: value, Line: line})
	}
}

// special reads a line that is more than text: a property, a date, a mark of Org mode.
func (o *outline) special(b *outlineBlock, line, start, end int) bool {
	text := o.source.raw[start:end]
	if key, place, ok := propertyLine(text); ok {
		o.property(b, line, key, Range{start + place, end})
		return true
	}
	if o.stamps(line, start, end) {
		if strings.HasPrefix(text, "CLOCK") { // the hours spent, for the app to add up
			o.omitLines(b, line, line)
			return true
		}
		return false
	}
	if depth, at := quoteMarks(text); depth > 0 {
		if head, ok := readCallout(text[at:]); ok && depth > o.quotesAbove(b, line) {
			o.addCallout(head, start+at, end)
		}
		return false
	}
	if name, ok := orgMark(text, "#+begin_"); ok {
		if orgCallouts[name] {
			o.note.Callouts = append(o.note.Callouts, Callout{Type: name, Line: line})
		}
		o.omitLines(b, line, line)
		return true
	}
	if _, ok := orgMark(text, "#+end_"); ok {
		o.omitLines(b, line, line)
		return true
	}
	return false
}

// quoteMarks counts the marks of quotes that a line begins with, and tells where its text begins.
func quoteMarks(line string) (depth, at int) {
	for at < len(line) && line[at] == '>' {
		depth++
		at = skipBlank(line, at+1, len(line))
	}
	return depth, at
}

// quotesAbove is how deep the quotes nest in which the line above stands: a callout begins with its quote.
func (o *outline) quotesAbove(b *outlineBlock, line int) int {
	if line == b.line {
		return 0
	}
	start, end := o.ownLine(b, line-1)
	depth, _ := quoteMarks(o.source.raw[start:end])
	return depth
}

// stampNames are the fields that the dates of a block become: those of the signs that Obsidian's tasks have.
var stampNames = map[string]string{"SCHEDULED": "scheduled", "DEADLINE": "due", "CLOSED": "done", "CLOCK": ""}

// stamps reads a line of dates, "SCHEDULED: <2031-05-26 Wed .+1d>", and tells whether it is one.
func (o *outline) stamps(line, start, end int) bool {
	found := false
	for rest := o.source.raw[start:end]; ; {
		rest = strings.TrimLeft(rest, " \t")
		name, after, ok := strings.Cut(rest, ":")
		field, known := stampNames[name]
		after = strings.TrimLeft(after, " \t")
		if !ok || !known || after == "" || after[0] != '<' && after[0] != '[' {
			return found
		}
		found = true
		if len(after) > 10 && isDate(after[1:11]) && field != "" {
			o.pushField(field, after[1:11], line)
		}
		close := strings.IndexAny(after, ">]")
		if close < 0 {
			return true
		}
		rest = after[close+1:]
	}
}

// region reads a region of the present block.
func (o *outline) region(b *outlineBlock, r region) {
	switch r.kind {
	case codeRegion:
		b.shown = true
	case orgCodeRegion:
		o.omitLines(b, r.first, r.first)
		b.shown = true
		o.omitLines(b, r.last, r.last)
	case commentRegion:
		start, _ := o.source.lineRange(r.first + 1)
		_, end := o.source.lineRange(r.last - 1)
		o.inline(start, end, true)
		o.omitLines(b, r.first, r.last)
	case lostRegion:
		o.omitLines(b, r.first, r.last)
	}
}

// omitLines keeps lines of a block out of passages. While nothing of the block has been seen its bullet stays, and the
// text below moves up to it.
func (o *outline) omitLines(b *outlineBlock, first, last int) {
	s := o.source
	hidden := s.wholeLines(first, last)
	if !b.shown {
		if first == b.line {
			hidden.Start = b.text
		}
		if last < b.end {
			hidden.End, _ = o.ownLine(b, last+1)
		} else {
			_, hidden.End = s.lineRange(last)
		}
	}
	o.note.Omit = append(o.note.Omit, hidden)
}

// hideEmpty keeps a block out of passages of which nothing is seen, nor of what is below it: a bullet without words, or
// with a reference to another block alone.
func (o *outline) hideEmpty(b *outlineBlock, omitted int) {
	s := o.source
	_, end := s.lineRange(b.end)
	hidden := mergeRanges(append(slices.Clone(o.note.Omit[omitted:]), o.blockRefs...))
	at := b.text
	for _, r := range append(hidden, Range{end, end}) {
		if r.Start > at && strings.TrimSpace(s.raw[at:min(r.Start, end)]) != "" {
			return
		}
		at = max(at, r.End)
	}
	if o.hasChildren(b) {
		return
	}
	o.note.Omit = append(o.note.Omit, s.wholeLines(b.line, b.end))
}

// hasChildren looks at the next line with text.
func (o *outline) hasChildren(b *outlineBlock) bool {
	for line := b.end + 1; line <= len(o.source.lines); line++ {
		if !o.source.blank(line) {
			column, width := bulletOf(o.source.lineText(line))
			return width > 0 && column > b.column
		}
	}
	return false
}

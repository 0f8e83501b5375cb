package chunk

import (
	"slices"
	"strings"
	"unicode/utf8"

	"quarry/note"
)

// part is a stretch of the note that may become a passage.
type part struct {
	heading    int // in Headings, that gives the section; -1 if none
	lead       int // where the line of that heading begins; equal to start where there is none, or it is in the text
	start, end int
	own        int    // where what the part before it does not have begins, 0 where that is at start
	before     string // repeated before the text of a piece: the header of a table, the first line of a fence
	after      string // and behind it
	size       int    // characters of all that, without the white space at the ends
	length     int    // characters from start to end, with it
	tail       int    // characters of white space at the end
	isBare     bool   // it has nothing but headings
	isJoined   bool   // it was more than one
}

// measure counts the characters of a part.
func (d *document) measure(p *part) {
	text := d.shown(p.start, p.end)
	p.length, p.tail = sizeOf(text)
	p.size = utf8.RuneCountInString(p.before) + utf8.RuneCountInString(trimBlank(text)) + utf8.RuneCountInString(p.after)
	p.isBare = p.size == 0
}

// hasText tells whether there is anything but headings.
func hasText(parts []part) bool {
	return slices.ContainsFunc(parts, func(p part) bool { return !p.isBare })
}

func (d *document) passages(parts []part) []Passage {
	var list []Passage
	context := Context(d.Note)
	isBoard := d.Kind == note.Kanban && hasText(parts)
	for _, p := range parts {
		if isBoard && p.isBare {
			continue
		}
		text := d.visible(p.start, p.end)
		if isUnseen(text) {
			p.start = p.lead
			text = d.visible(p.start, p.end)
		}
		if isUnseen(text) {
			continue
		}
		text = p.before + text + p.after
		passage := Passage{Index: len(list), HeadingPath: d.path(p.heading), HeadingContext: context, Text: text}
		if last := len(passage.HeadingPath) - 1; last >= 0 {
			passage.Section = passage.HeadingPath[last]
		}
		passage.LineStart, passage.LineEnd = d.lines(p)
		passage.stretch = stretch{lead: p.lead, start: p.start, end: p.end, before: p.before, after: p.after, line: passage.LineStart}
		if p.own > 0 {
			passage.repeated = trimFront(d.shown(p.start, p.own))
			passage.stretch.line = d.lineAt(d.firstVisible(p.own, p.end))
		}
		list = append(list, passage)
	}
	d.addData(list)
	return list
}

// isUnseen tells of a text that is white space of any script.
func isUnseen(text string) bool { return strings.TrimSpace(text) == "" }

// lines gives the first and last line of a part of which something is seen.
func (d *document) lines(p part) (first, last int) {
	first = d.lineAt(d.firstVisible(p.lead, p.end))
	return first, max(first, d.lineAt(d.lastVisible(p.lead, p.end)))
}

// parts cuts the body at headings of levels 1 and 2, and what is too large again. With skip, lists of links are left out,
// wherever they stand.
func (d *document) parts(skip bool) []part {
	lists := make([]bool, len(d.Headings))
	if skip {
		lists = d.linkLists()
	}
	var list []part
	cut := part{heading: -1, lead: d.body, start: d.body}
	emit := func(end int) {
		isList := cut.heading >= 0 && lists[cut.heading]
		if cut.end = end; isList || d.visible(cut.lead, cut.end) == "" {
			return
		}
		d.measure(&cut)
		list = d.divide(list, cut)
	}
	for i, heading := range d.Headings {
		isBehindList := cut.heading >= 0 && lists[cut.heading]
		if heading.Line < d.BodyLine || heading.Level > 2 && !lists[i] && !isBehindList {
			continue
		}
		d.endSections(&cut, d.lineStart(heading.Line), emit)
		cut = d.partOf(i)
	}
	d.endSections(&cut, len(d.Text), emit)
	return list
}

// endSections emits what there is up to a place: the part that is being cut, and, where its section ends before, what lies behind
// that, which belongs to the heading above.
func (d *document) endSections(cut *part, end int, emit func(end int)) {
	for cut.heading >= 0 && d.ends[cut.heading] > 0 {
		line := d.ends[cut.heading] + 1
		at := d.lineStart(line)
		if at >= end {
			break
		}
		emit(at)
		*cut = part{heading: d.headingAt(line), lead: at, start: at}
		if cut.heading >= 0 && d.Headings[cut.heading].Line == line {
			*cut = d.partOf(cut.heading)
		}
	}
	emit(end)
}

// partOf begins a part at a heading. One that is too long to name a passage, or whose line would be larger than one, is text as well.
func (d *document) partOf(heading int) part {
	h := d.Headings[heading]
	lead, body := d.lineStart(h.Line), d.lineStart(max(h.Line, h.LineEnd)+1)
	if prefix(h.Plain, MaxHeadingCharacters) < len(h.Plain) || prefix(d.Text[lead:body], d.sizes.most) < body-lead {
		return part{heading: heading, lead: lead, start: lead}
	}
	return part{heading: heading, lead: lead, start: body}
}

// divide adds a section to list: whole, or cut between blocks, for ByHeading at headings of level 3 before that.
func (d *document) divide(list []part, section part) []part {
	switch {
	case section.size <= d.sizes.most:
		return append(list, section)
	case d.sizes.overlap > 0:
		return d.pack(list, section)
	}
	cut := section
	emit := func(end int) {
		if cut.end = end; d.visible(cut.lead, cut.end) == "" {
			return
		}
		if d.measure(&cut); cut.size <= d.sizes.most {
			list = append(list, cut)
			return
		}
		list = d.pack(list, cut)
	}
	for i := section.heading + 1; i < len(d.Headings); i++ {
		h := d.Headings[i]
		if d.lineStart(h.Line) >= section.end {
			break
		}
		if h.Level == 3 && d.lineStart(h.Line) >= section.start {
			d.endSections(&cut, d.lineStart(h.Line), emit)
			cut = d.partOf(i)
		}
	}
	d.endSections(&cut, section.end, emit)
	return list
}

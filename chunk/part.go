package chunk

import (
	"slices"
	"unicode/utf8"
)

// part is a stretch of the note that may become a passage.
type part struct {
	heading    int // in Headings, that gives the section; -1 if none
	lead       int // where the line of that heading begins; equal to start where there is none, or it is in the text
	start, end int
	before     string // repeated before the text of a piece: the header of a table, the first line of a fence
	after      string // and behind it
	size       int    // characters of all that, without the white space at the ends
	length     int    // characters from start to end, with it
	tail       int    // characters of white space at the end
}

// measure counts the characters of a part.
func (d *document) measure(p *part) {
	text := d.shown(p.start, p.end)
	p.length, p.tail = sizeOf(text)
	p.size = utf8.RuneCountInString(p.before) + utf8.RuneCountInString(trimBlank(text)) + utf8.RuneCountInString(p.after)
}

// hasText tells whether there is anything but headings.
func hasText(parts []part) bool {
	return slices.ContainsFunc(parts, func(p part) bool { return p.size > 0 })
}

func (d *document) passages(parts []part) []Passage {
	var list []Passage
	context := Context(d.Note)
	for _, p := range parts {
		text := d.visible(p.start, p.end)
		if text == "" {
			p.start = p.lead
			text = d.visible(p.start, p.end)
		}
		if text == "" {
			continue
		}
		text = p.before + text + p.after
		passage := Passage{Index: len(list), HeadingPath: d.path(p.heading), HeadingContext: context, Text: text}
		if p.heading >= 0 {
			passage.Section = shorten(d.Headings[p.heading].Text, MaxHeadingCharacters)
		}
		passage.LineStart, passage.LineEnd = d.lines(p)
		list = append(list, passage)
	}
	d.addData(list)
	return list
}

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
		emit(d.lineStart(heading.Line))
		cut = d.partOf(i)
	}
	emit(len(d.Text))
	return list
}

// partOf begins a part at a heading. One that is too long to name a passage is text as well.
func (d *document) partOf(heading int) part {
	h := d.Headings[heading]
	if prefix(h.Text, MaxHeadingCharacters) < len(h.Text) {
		return part{heading: heading, lead: d.lineStart(h.Line), start: d.lineStart(h.Line)}
	}
	return part{heading: heading, lead: d.lineStart(h.Line), start: d.lineStart(max(h.Line, h.LineEnd) + 1)}
}

// divide adds a section to list: whole, or cut at headings of level 3, or between blocks.
func (d *document) divide(list []part, section part) []part {
	if section.size <= MaxCharacters {
		return append(list, section)
	}
	cut := section
	emit := func(end int) {
		if cut.end = end; d.visible(cut.lead, cut.end) == "" {
			return
		}
		if d.measure(&cut); cut.size <= MaxCharacters {
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
			emit(d.lineStart(h.Line))
			cut = d.partOf(i)
		}
	}
	emit(section.end)
	return list
}

// join lets every part that is too short join a neighbour: the next one if that lies under the same heading, else the
// one before. What would grow too large stays alone. Text between two parts that was skipped keeps them apart.
func (d *document) join(parts []part) []part {
	var list []part
	for i, p := range parts {
		if last := len(list) - 1; last >= 0 && list[last].end == p.lead && isPending(list[last], p, d) {
			p = d.joined(list[last], p, p.heading)
			list = list[:last]
		}
		last := len(list) - 1
		forward := i+1 < len(parts) && d.under(parts[i+1], p)
		if p.size < MinCharacters && !forward && last >= 0 && list[last].end == p.lead {
			if whole := d.joined(list[last], p, list[last].heading); whole.size <= roomFor(list[last], p) {
				list[last] = whole
				continue
			}
		}
		list = append(list, p)
	}
	return list
}

// isPending tells whether a part is too short and can still join the one behind it.
func isPending(p, next part, d *document) bool {
	return p.size < MinCharacters && d.joined(p, next, next.heading).size <= roomFor(p, next)
}

// maxJoined is how large a passage may grow by joining sections: a heading and its few words had better go with a
// large neighbour than be a passage of their own.
const maxJoined = MaxCharacters + 200

// roomFor gives the greatest size of two parts joined. Pieces of one section have been filled to the brim already.
func roomFor(a, b part) int {
	if a.heading == b.heading {
		return MaxCharacters
	}
	return maxJoined
}

// joined makes one part of two that follow each other. The line of the heading that does not name the section is text.
// Its size is an upper bound, the blank lines before a being counted: counting the characters anew for every short section
// would be quadratic.
func (d *document) joined(a, b part, heading int) part {
	whole := part{heading: heading, lead: a.lead, start: a.start, end: b.end, before: a.before, after: b.after}
	before := a.length + b.start - b.lead
	if heading != a.heading {
		whole.start = a.lead
		before += a.start - a.lead
	}
	whole.length, whole.tail = before+b.length, b.tail
	whole.size = utf8.RuneCountInString(a.before) + whole.length - whole.tail + utf8.RuneCountInString(b.after)
	return whole
}

// under tells whether a part lies below the heading of another.
func (d *document) under(p, above part) bool {
	for i := p.heading; i >= 0; i = d.parents[i] {
		if i == above.heading {
			return true
		}
	}
	return above.heading < 0
}

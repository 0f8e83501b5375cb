package chunk

import (
	"unicode/utf8"

	"quarry/note"
)

// join lets every part that is too short join a neighbour: the next one if that lies under the same heading, else the
// one before. What would grow too large stays alone. Text between two parts that was skipped keeps them apart.
func (d *document) join(parts []part) []part {
	var list []part
	for i, p := range parts {
		if last := len(list) - 1; last >= 0 && list[last].size < MinCharacters && d.fits(list[last], p) {
			p = d.joined(list[last], p)
			list = list[:last]
		}
		last := len(list) - 1
		forward := i+1 < len(parts) && d.under(parts[i+1], p) && d.mayJoin(p, parts[i+1])
		if p.size < MinCharacters && !forward && last >= 0 && d.fits(list[last], p) {
			list[last] = d.joined(list[last], p)
			continue
		}
		list = append(list, p)
	}
	return list
}

// fits tells whether two parts may become one and there is room for both.
func (d *document) fits(a, b part) bool {
	return a.end == b.lead && d.mayJoin(a, b) && d.joined(a, b).size <= d.roomFor(a, b)
}

// mayJoin tells whether two parts that follow each other may share a passage: lanes of a board never do, and a heading of
// level 1 parts what is not the opening of the note. Headings with nothing below them say nothing of their neighbours.
func (d *document) mayJoin(a, b part) bool {
	switch {
	case a.heading == b.heading:
		return true
	case d.Kind == note.Kanban:
		return a.isBare && b.isBare
	case a.isBare || b.isBare || !d.beginsAtTop(b):
		return true
	}
	return d.isOpening(a) && (a.heading >= 0 || d.isTitle(b))
}

// beginsAtTop tells whether a part begins with a heading of level 1.
func (d *document) beginsAtTop(p part) bool {
	return p.heading >= 0 && d.Headings[p.heading].Level == 1 && d.lineStart(d.Headings[p.heading].Line) == p.lead
}

// isOpening tells whether a part is a few words at the top of a note: before the first heading, or below it where that is
// of level 1.
func (d *document) isOpening(p part) bool {
	return !p.isJoined && p.size < MinCharacters && (p.heading < 0 || d.beginsAtTop(p)) && d.opens == d.firstVisible(p.lead, p.end)
}

// isTitle tells whether a part begins with the only heading of level 1 of a note.
func (d *document) isTitle(p part) bool {
	return d.beginsAtTop(p) && d.topHeadings == 1
}

// roomFor gives the greatest size of two parts joined. Pieces of one section have been filled to the brim already.
func (d *document) roomFor(a, b part) int {
	if a.heading == b.heading {
		return d.sizes.most
	}
	return d.sizes.joined()
}

// joined makes one part of two that follow each other. The lines of headings that do not name it are text.
// Its size is an upper bound, the blank lines before a being counted: counting the characters anew for every short section
// would be quadratic.
func (d *document) joined(a, b part) part {
	whole := part{heading: d.label(a, b), lead: a.lead, start: a.start, end: b.end, own: a.own, before: a.before, after: b.after, isJoined: true}
	before := a.length + b.start - b.lead
	if whole.heading != a.heading {
		whole.start = a.lead
		before += a.start - a.lead
	}
	whole.isBare = a.isBare && b.isBare
	whole.length, whole.tail = before+b.length, b.tail
	whole.size = utf8.RuneCountInString(a.before) + whole.length - whole.tail + utf8.RuneCountInString(b.after)
	return whole
}

// label gives the heading that is true of two parts: the nearest one above both, or that of the one that has any text.
func (d *document) label(a, b part) int {
	switch {
	case a.heading < 0 && b.heading >= 0 && d.isTitle(b) && d.isOpening(a):
		return b.heading
	case b.isBare && !a.isBare:
		return a.heading
	case a.isBare && !b.isBare:
		return b.heading
	}
	return d.common(a.heading, b.heading)
}

// common gives the nearest heading above two, which may be one of them; -1 if there is none.
func (d *document) common(a, b int) int {
	for a != b {
		if a > b {
			a = d.parents[a]
		} else {
			b = d.parents[b]
		}
	}
	return a
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

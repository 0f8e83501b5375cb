package chunk

import "unicode/utf8"

// border says what lies before a stretch of text: how well a part is cut there. It is a cost in thousandths of the even
// size of the pieces, to be held against how far from that size a cut there is. The costs leave gaps where one border is
// to go before another at any distance: a lead-in is parted from its list only where nothing else is left, a sentence is cut only
// where it is too long for a passage, a word only where there is no space.
type border int

const (
	atHeading  border = 0
	atLabel    border = 50  // a line that is bold or ends in a colon, and names what follows
	atBlock    border = 100 // a paragraph, a list, a table
	atItem     border = 250 // an item of a list, a row of a table, a function in code
	atInner    border = 400 // an item or paragraph within an item, a blank line in code
	atSentence border = 500 // a sentence, a line that stands alone
	nowhere    border = 1600
	atLine     border = 2700 // within a sentence
	atClause   border = 3300
	atWord     border = 3800
	atRune     border = 5000 // within a word
)

// atom is a stretch that is not cut.
type atom struct {
	start, end   int
	length, tail int // characters, and those of white space at its end
	border       border
	around              // a piece that begins or ends with this atom: the header of a table, the fences of code
	kind         string // of its block
	isWhole      bool   // it is a block or an item of a list, that could be cut
}

// atomOf gives a stretch as an atom.
func (d *document) atomOf(start, end int, before border) atom {
	length, tail := sizeOf(d.shown(start, end))
	return atom{start: start, end: end, length: length, tail: tail, border: before}
}

// packer cuts a part that is too large into pieces of about even size, lists into as few as may be.
type packer struct {
	*document
	whole   part
	list    []part
	lead    int    // where the next piece begins
	pending []atom // from there on; as many as are known to fit, and one more
	length  int    // of them, in characters
	rest    int    // characters of the part from lead on
	overlap overlap
}

// pack adds a part that is too large to list, in pieces.
func (d *document) pack(list []part, whole part) []part {
	p := packer{document: d, whole: whole, list: list, lead: whole.lead, rest: whole.length}
	known := len(list)
	d.blocks(whole.start, whole.end, p.add)
	if len(p.pending) > 0 {
		p.flush(len(p.pending))
	}
	if len(p.list) > known {
		last := &p.list[len(p.list)-1]
		last.end = whole.end
		d.measure(last)
	}
	return p.list
}

// appendAtom adds an atom to a list. White space alone goes with what stands before it, and is left out where that is nothing.
func appendAtom(list []atom, a atom) []atom {
	last := len(list) - 1
	switch {
	case a.length > a.tail:
		return append(list, a)
	case last >= 0:
		list[last].end = a.end
		list[last].length += a.length
		list[last].tail += a.length
	}
	return list
}

// add takes the next atom.
func (p *packer) add(a atom) {
	if p.pending = appendAtom(p.pending, a); len(p.pending) > 0 {
		p.length += a.length
	} else {
		p.rest -= a.length
	}
	for len(p.pending) > 1 && p.size(len(p.pending), p.length) > p.sizes.most {
		p.flush(p.best())
	}
}

// size gives the characters of a piece of the first count atoms, which have length characters, with what it repeats.
func (p *packer) size(count, length int) int {
	before, last := p.pending[0].before, p.pending[count-1]
	if p.overlap.length > 0 {
		before = p.overlap.before
	}
	return utf8.RuneCountInString(before) + p.overlap.length + length - last.tail + utf8.RuneCountInString(last.after)
}

// best gives the number of atoms that make the best piece.
func (p *packer) best() int {
	room := p.sizes.most - p.overlap.length
	even := max(p.sizes.least(room), p.rest/p.sizes.pieces(p.rest, room))
	if p.isList() {
		even = room
	}
	best, least, length := 1, 0, 0
	for count := 1; count < len(p.pending); count++ {
		length += p.pending[count-1].length
		size := p.size(count, length)
		if size > p.sizes.most {
			break
		}
		size -= p.overlap.length
		cost := max(even-size, size-even)*1000/even + int(p.pending[count].border)
		if count == 1 || cost < least {
			best, least = count, cost
		}
	}
	return best
}

// isList tells whether most of what is pending are items of a list or rows of a table. Each of these stands for itself, so
// that the pieces need not be even, and the fewer the better.
func (p *packer) isList() bool {
	items := 0
	for _, a := range p.pending {
		if a.border == atItem {
			items++
		}
	}
	return 4*items >= 3*len(p.pending)
}

// flush makes a piece of the first atoms.
func (p *packer) flush(count int) {
	first, last := p.pending[0], p.pending[count-1]
	piece := part{heading: p.whole.heading, lead: p.lead, start: first.start, end: last.end, before: first.before, after: last.after}
	p.place(&piece)
	if p.overlap.length > 0 {
		piece.own, piece.before = piece.start, p.overlap.before
		piece.lead, piece.start = p.overlap.start, p.overlap.start
	}
	p.measure(&piece)
	p.list = append(p.list, piece)
	p.lead = piece.end
	p.overlap = p.overlapOf(p.pending[:count], p.pending[count:])
	for _, a := range p.pending[:count] {
		p.length -= a.length
		p.rest -= a.length
	}
	p.pending = append(p.pending[:0], p.pending[count:]...)
}

// place puts a piece under the nearest heading, whose line is not text of it where it begins with that.
func (p *packer) place(piece *part) {
	line := p.lineAt(piece.start)
	next := p.headingAt(line)
	if next <= p.whole.heading {
		return
	}
	piece.heading = next
	if p.lineStart(p.Headings[next].Line) == piece.start {
		piece.start = min(p.partOf(next).start, piece.end)
	}
}

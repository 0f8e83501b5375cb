package note

import (
	"sort"
	"strings"

	"github.com/yuin/goldmark/text"
)

// blockText is the text of one block without the marks of the containers around it.
type blockText struct {
	text   string
	pieces []piece // ascending; where the lines of text stand in the body
}

// piece says that the bytes of text from at on are those of the body from place on, up to the next piece.
type piece struct {
	at, place int
}

// load takes the lines of a block. It is one piece where nothing but white space lies between them.
func (b *blockText) load(body string, lines *text.Segments) {
	b.text, b.pieces = "", b.pieces[:0]
	if lines.Len() == 0 {
		b.pieces = append(b.pieces, piece{})
		return
	}
	first, last := lines.At(0), lines.At(lines.Len()-1)
	if joined(body, lines) {
		b.pieces = append(b.pieces, piece{0, first.Start})
		b.text = body[first.Start:last.Stop]
	} else {
		var text strings.Builder
		for i := range lines.Len() {
			segment := lines.At(i)
			b.pieces = append(b.pieces, piece{text.Len(), segment.Start})
			text.WriteString(body[segment.Start:segment.Stop])
		}
		b.text = text.String()
	}
	lead, end := 0, len(b.text)
	for lead < end && isSpaceOrTab(b.text[lead]) {
		lead++
	}
	for end > lead && (isSpaceOrTab(b.text[end-1]) || b.text[end-1] == '\n' || b.text[end-1] == '\r') {
		end--
	}
	b.text = b.text[lead:end]
	for i := range b.pieces {
		b.pieces[i].at -= lead
	}
}

func joined(body string, lines *text.Segments) bool {
	for i := 1; i < lines.Len(); i++ {
		for at := lines.At(i - 1).Stop; at < lines.At(i).Start; at++ {
			if !isSpaceOrTab(body[at]) {
				return false
			}
		}
	}
	return true
}

func isSpaceOrTab(c byte) bool { return c == ' ' || c == '\t' }

// place gives the place in the body of a place in the text.
func (b *blockText) place(at int) int {
	last := len(b.pieces) - 1
	if last > 0 {
		last = sort.Search(len(b.pieces), func(i int) bool { return b.pieces[i].at > at }) - 1
	}
	return b.pieces[last].place + at - b.pieces[last].at
}

// at gives the place in the text of a place in the body.
func (b *blockText) at(place int) int {
	last := len(b.pieces) - 1
	if last > 0 {
		last = max(0, sort.Search(len(b.pieces), func(i int) bool { return b.pieces[i].place > place })-1)
	}
	return b.pieces[last].at + place - b.pieces[last].place
}

// places is place for a range; its end stands behind its last byte.
func (b *blockText) places(start, end int) Range {
	if len(b.pieces) == 1 || start == end {
		from := b.place(start)
		return Range{from, from + end - start}
	}
	return Range{b.place(start), b.place(end-1) + 1}
}

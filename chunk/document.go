package chunk

import (
	"sort"
	"strings"
	"unicode/utf8"

	"quarry/note"
)

// document is a note with what cutting needs. Places are bytes in Text.
type document struct {
	*note.Note
	parents     []int // of each heading: the place in Headings of the one above it, -1 if none
	body        int   // where it begins
	topHeadings int   // how many are of level 1
}

func newDocument(n *note.Note) *document {
	d := &document{Note: n, parents: make([]int, len(n.Headings))}
	d.body = d.lineStart(n.BodyLine)
	var above []int
	for i, heading := range n.Headings {
		for len(above) > 0 && n.Headings[above[len(above)-1]].Level >= heading.Level {
			above = above[:len(above)-1]
		}
		d.parents[i] = -1
		if len(above) > 0 {
			d.parents[i] = above[len(above)-1]
		}
		above = append(above, i)
		if heading.Level == 1 {
			d.topHeadings++
		}
	}
	return d
}

// lineStart gives the place where a line begins; behind the last line it is the end of the text.
func (d *document) lineStart(line int) int {
	if line > len(d.LineOffsets) {
		return len(d.Text)
	}
	return d.LineOffsets[max(line, 1)-1]
}

// lineAt gives the line that holds a place.
func (d *document) lineAt(at int) int {
	return max(1, sort.SearchInts(d.LineOffsets, at+1))
}

// path gives the headings above a heading and itself, outermost first.
func (d *document) path(heading int) []string {
	path := []string{}
	for i := heading; i >= 0; i = d.parents[i] {
		path = append(path, shorten(d.Headings[i].Text, MaxHeadingCharacters))
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// visible gives the text of a stretch without what nobody is to see, without blank lines before it and white space
// behind it.
func (d *document) visible(start, end int) string {
	return trimBlank(d.shown(start, end))
}

// shown gives the text of a stretch without what nobody is to see.
func (d *document) shown(start, end int) string {
	text := d.Text[start:end]
	if first := d.firstOmit(start); first < len(d.Omit) && d.Omit[first].Start < end {
		var out strings.Builder
		at := start
		for _, omit := range d.Omit[first:] {
			if omit.Start >= end {
				break
			}
			out.WriteString(d.Text[at:max(at, omit.Start)])
			at = min(max(at, omit.End), end)
		}
		out.WriteString(d.Text[at:end])
		return out.String()
	}
	return text
}

// blanks is white space as it is trimmed off the ends of a passage.
const blanks = " \t\r\n\v\f"

// firstVisible gives the place of the first character in a stretch that is neither white space nor omitted, its start if
// there is none.
func (d *document) firstVisible(start, end int) int {
	next := d.firstOmit(start)
	for at := start; at < end; {
		switch {
		case next < len(d.Omit) && d.Omit[next].Start <= at:
			at = max(at, d.Omit[next].End)
			next++
		case strings.IndexByte(blanks, d.Text[at]) >= 0:
			at++
		default:
			return at
		}
	}
	return start
}

// lastVisible gives the place of the last byte of such a character, start if there is none.
func (d *document) lastVisible(start, end int) int {
	last := sort.Search(len(d.Omit), func(i int) bool { return d.Omit[i].Start >= end }) - 1
	for at := end; at > start; {
		switch {
		case last >= 0 && d.Omit[last].End >= at:
			at = min(at, d.Omit[last].Start)
			last--
		case strings.IndexByte(blanks, d.Text[at-1]) >= 0:
			at--
		default:
			return at - 1
		}
	}
	return start
}

// firstOmit gives the first omitted stretch that ends behind a place.
func (d *document) firstOmit(at int) int {
	return sort.Search(len(d.Omit), func(i int) bool { return d.Omit[i].End > at })
}

// sizeOf counts the characters of a text, and those of white space at its end.
func sizeOf(text string) (length, tail int) {
	bare := strings.TrimRight(text, blanks)
	tail = len(text) - len(bare) // blanks are a byte each
	return utf8.RuneCountInString(bare) + tail, tail
}

// trimBlank takes blank lines off the front and white space off the end: the indentation of the first line stays.
func trimBlank(text string) string {
	text = strings.TrimRight(text, blanks)
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n', '\r':
			text = text[i+1:]
			i = -1
		case ' ', '\t', '\v', '\f':
		default:
			return text
		}
	}
	return text
}

package chunk

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/note"
)

// document is a note with what cutting needs. Places are bytes in Text.
type document struct {
	*note.Note
	sizes       sizes
	hidden      []hidden // of Text, ascending and apart
	ends        []int    // of each heading: the last line of its section where a ScopeEnd tells, else 0
	parents     []int    // of each heading: the place in Headings of the one above it, -1 if none
	body        int      // where it begins
	topHeadings int      // how many are of level 1
	opens       int      // the place of the first character of the body that is seen
}

// maxHeadingDepth is how many headings may stand above each other; those in between are left out of deeper ones.
const maxHeadingDepth = 32

func newDocument(n *note.Note, by sizes) *document {
	d := &document{Note: n, sizes: by, parents: make([]int, len(n.Headings)), ends: make([]int, len(n.Headings))}
	d.body = d.lineStart(n.BodyLine)
	d.hidden = hiddenOf(n, min(d.body, len(n.Text)))
	d.opens = d.firstVisible(min(d.body, len(n.Text)), len(n.Text))
	var above []int
	for i, heading := range n.Headings {
		for len(above) > 0 && !d.covers(above[len(above)-1], heading) {
			above = above[:len(above)-1]
		}
		above = above[:min(len(above), maxHeadingDepth)]
		d.parents[i], d.ends[i] = -1, heading.ScopeEnd
		if len(above) > 0 {
			d.parents[i] = above[len(above)-1]
			if end := d.ends[d.parents[i]]; end > 0 && (d.ends[i] == 0 || d.ends[i] > end) {
				d.ends[i] = end
			}
		}
		above = append(above, i)
		if heading.Level == 1 {
			d.topHeadings++
		}
	}
	return d
}

// covers tells whether a heading lies in the section of one before it that was not ended between them.
func (d *document) covers(above int, heading note.Heading) bool {
	if d.ends[above] > 0 && heading.Line > d.ends[above] {
		return false
	}
	return d.Headings[above].ScopeEnd > 0 || d.Headings[above].Level < heading.Level
}

// headingAt gives the nearest heading whose section holds a line, the line of the heading included; -1 if none does.
func (d *document) headingAt(line int) int {
	at := sort.Search(len(d.Headings), func(i int) bool { return d.Headings[i].Line > line }) - 1
	for at >= 0 && d.ends[at] > 0 && d.ends[at] < line {
		at = d.parents[at]
	}
	return at
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

// path gives the headings above a heading and itself, outermost first, but those of which nobody sees a word.
func (d *document) path(heading int) []string {
	path := []string{}
	for i := heading; i >= 0; i = d.parents[i] {
		if name := d.Headings[i].Plain; name != "" {
			path = append(path, shorten(name, MaxHeadingCharacters))
		}
	}
	slices.Reverse(path)
	return path
}

// visible gives the text of a stretch without what nobody is to see, without blank lines before it and white space
// behind it.
func (d *document) visible(start, end int) string {
	return trimBlank(d.shown(start, end))
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
		default:
			c, width := utf8.DecodeRuneInString(d.Text[at:])
			if !unicode.IsSpace(c) {
				return at
			}
			at += width
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
		default:
			c, width := utf8.DecodeLastRuneInString(d.Text[:at])
			if !unicode.IsSpace(c) {
				return at - 1
			}
			at -= width
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
func trimBlank(text string) string { return trimFront(strings.TrimRight(text, blanks)) }

func trimFront(text string) string {
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

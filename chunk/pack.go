package chunk

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// pack adds a part that is too large to list, in pieces of whole blocks as large as may be.
func (d *document) pack(list []part, whole part) []part {
	current := part{heading: whole.heading, lead: whole.lead, start: whole.start, end: whole.start}
	length := 0 // characters from current.start to current.end, white space at the ends included
	flush := func() {
		if d.visible(current.lead, current.end) != "" {
			d.measure(&current)
			list = append(list, current)
		}
		current, length = d.piece(whole, current.end), 0
	}
	for _, end := range d.borders(whole) {
		if length > 0 && length+d.characters(current.end, end) > MaxCharacters {
			flush()
		}
		rest := d.length(current.end, end)
		for rest > MaxCharacters && current.end < end {
			from := current.end
			current.end = d.cutPlace(from, end)
			rest -= d.length(from, current.end) // counting the rest anew would be quadratic
			flush()
		}
		current.end = end
		length += rest
	}
	flush()
	return list
}

// piece begins a piece of a part at a place, under the nearest heading.
func (d *document) piece(whole part, at int) part {
	p := part{heading: whole.heading, lead: at, start: at, end: at}
	line := d.lineAt(at)
	next := sort.Search(len(d.Headings), func(i int) bool { return d.Headings[i].Line > line })
	if next--; next > whole.heading {
		p.heading = next
		if d.lineStart(d.Headings[next].Line) == at {
			p.start = d.partOf(next).start
			p.end = p.start
		}
	}
	return p
}

// borders gives the ends of the blocks of a part. A heading is not parted from the block below it.
func (d *document) borders(whole part) []int {
	var ends []int
	line := d.lineAt(whole.start)
	first := sort.Search(len(d.Sections), func(i int) bool { return d.Sections[i].LineStart >= line })
	heading := true
	for _, section := range d.Sections[first:] {
		at := d.lineStart(section.LineStart)
		if at >= whole.end {
			break
		}
		if at > whole.start && !heading {
			ends = append(ends, at)
		}
		heading = section.Type == "heading"
	}
	return append(ends, whole.end)
}

// cutPlace finds where to cut a block that is too large: the farthest place that leaves at most MaxCharacters before it,
// at a blank line, an item or a row at the margin, at any line, behind a sentence, at a space, or between two runes.
func (d *document) cutPlace(start, end int) int {
	window := d.Text[start:end]
	count := 0
	for i := range window {
		if count == MaxCharacters {
			window = window[:i]
			break
		}
		count++
	}
	least := len(window) / 4 // no crumbs for the sake of a better border
	for _, border := range []func(string, int) bool{isBlockBorder, isLineBorder, isSentenceBorder, isWordBorder} {
		for at := len(window); at > least; at-- {
			if border(window, at) {
				return start + at
			}
		}
	}
	return start + len(window)
}

func isLineBorder(text string, at int) bool {
	return text[at-1] == '\n' || text[at-1] == '\r' && at < len(text) && text[at] != '\n'
}

// isBlockBorder knows the start of a line behind a blank one, or of one that begins with a list marker at the margin.
func isBlockBorder(text string, at int) bool {
	if !isLineBorder(text, at) {
		return false
	}
	before := strings.TrimRight(text[:at], " \t\r")
	if strings.HasSuffix(strings.TrimRight(strings.TrimSuffix(before, "\n"), " \t\r"), "\n") {
		return true
	}
	line := text[at:]
	marker := strings.TrimLeft(line, "0123456789")
	if digits := len(line) - len(marker); digits > 0 {
		return digits < 10 && (strings.HasPrefix(marker, ". ") || strings.HasPrefix(marker, ") "))
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}

func isSentenceBorder(text string, at int) bool {
	if at >= 2 && text[at-1] == ' ' {
		return strings.IndexByte(".!?:;", text[at-2]) >= 0
	}
	if text[at-1] < utf8.RuneSelf || at < len(text) && !utf8.RuneStart(text[at]) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(text[:at])
	return last == '。' || last == '！' || last == '？'
}

func isWordBorder(text string, at int) bool {
	if text[at-1] < utf8.RuneSelf {
		return text[at-1] == ' ' || text[at-1] == '\t'
	}
	if at < len(text) && !utf8.RuneStart(text[at]) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.IsSpace(last)
}

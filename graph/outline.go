package graph

import (
	"sort"
	"strings"
	"unicode"
)

// Heading is a heading of a note, in reading order.
type Heading struct {
	Level int    // 1 to 6
	Text  string // as written
}

// Outline is what subpaths of links can name in a note. It does not change and is safe for concurrent use; nil is an
// outline that is not known.
type Outline struct {
	byText map[string][]int // normalised text → positions, ascending
	ends   []int            // for each heading, the position after its section
	blocks map[string]bool  // lower case
}

// NewOutline makes an outline of the headings of a note, in reading order, and its block ids, without "^".
func NewOutline(headings []Heading, blocks []string) *Outline {
	o := &Outline{
		byText: make(map[string][]int, len(headings)),
		ends:   make([]int, len(headings)),
		blocks: make(map[string]bool, len(blocks)),
	}
	var open []int // headings whose section goes on
	for i, heading := range headings {
		for len(open) > 0 && headings[open[len(open)-1]].Level >= heading.Level {
			o.ends[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
		open = append(open, i)
		text := PlainHeading(heading.Text)
		o.byText[text] = append(o.byText[text], i)
	}
	for _, i := range open {
		o.ends[i] = len(headings)
	}
	for _, id := range blocks {
		o.blocks[strings.ToLower(id)] = true
	}
	return o
}

// state looks a subpath up: OK, HeadingMissing or BlockMissing. In a chain each heading lies in the section of the one
// before; of equal headings the first counts.
func (o *Outline) state(subpath string) State {
	if o == nil {
		return OK
	}
	from, to := 0, len(o.ends)
	for part := range strings.SplitSeq(subpath, "#") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if id, ok := strings.CutPrefix(part, "^"); ok {
			if !o.blocks[strings.ToLower(id)] {
				return BlockMissing
			}
			return OK
		}
		places := o.byText[PlainHeading(part)]
		i := sort.SearchInts(places, from)
		if i == len(places) || places[i] >= to {
			return HeadingMissing
		}
		from, to = places[i]+1, o.ends[places[i]]
	}
	return OK
}

// headingMarks are the characters that do not count when a link's heading is compared with a note's.
const headingMarks = "!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\"

// PlainHeading is a heading's text as links compare it: two headings are the same to a link where this is. Marks count as
// spaces, runs of spaces as one, outer ones not at all; letters are lower case and composed (NFC). It is "" for marks alone.
func PlainHeading(text string) string {
	words := strings.FieldsFunc(fold(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(headingMarks, r) })
	return strings.Join(words, " ")
}

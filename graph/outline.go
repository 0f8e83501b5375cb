package graph

import (
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"quarry/internal/filename"
	"quarry/internal/lazyregexp"
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
	slugs  func() map[string]bool
	// letters are those of the headings, see lettersOf.
	letters func() map[string]bool
}

// NewOutline makes an outline of the headings of a note, in reading order, and its block ids, without "^".
func NewOutline(headings []Heading, blocks []string) *Outline {
	o := &Outline{
		byText: make(map[string][]int, len(headings)),
		ends:   make([]int, len(headings)),
		blocks: make(map[string]bool, len(blocks)),
		slugs:  sync.OnceValue(func() map[string]bool { return slugsOf(headings) }),
	}
	o.letters = sync.OnceValue(func() map[string]bool {
		letters := make(map[string]bool, len(headings))
		for i := range headings {
			letters[lettersOf(headings[i].Text)] = true
		}
		return letters
	})
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

// state looks a subpath up by the rules of a dialect: OK, HeadingMissing or BlockMissing.
func (o *Outline) state(subpath string, by *rules) State {
	if o == nil {
		return OK
	}
	return by.part(o, subpath)
}

// chainState looks up a chain of headings, each in the section of the one before, or a block at its end; of equal headings
// the first counts.
func (o *Outline) chainState(subpath string) State {
	return o.chain(subpath, func(string) bool { return false })
}

// chainOrSlugState is chainState where a heading may also be named by its anchor.
func (o *Outline) chainOrSlugState(subpath string) State {
	return o.chain(subpath, func(part string) bool { return o.slugs()[slug(part)] })
}

func (o *Outline) chain(subpath string, isAnchor func(part string) bool) State {
	from, to := 0, len(o.ends)
	for part := range strings.SplitSeq(subpath, "#") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if id, ok := strings.CutPrefix(part, "^"); ok {
			return o.blockState(id)
		}
		places := o.byText[PlainHeading(part)]
		i := sort.SearchInts(places, from)
		if i < len(places) && places[i] < to {
			from, to = places[i]+1, o.ends[places[i]]
			continue
		}
		if !isAnchor(part) {
			return HeadingMissing
		}
	}
	return OK
}

func (o *Outline) blockState(id string) State {
	if !o.blocks[strings.ToLower(id)] {
		return BlockMissing
	}
	return OK
}

// rangeState looks up both ends of a Dendron reference, "#from,1:#to". An end is the slug of a heading or a block; the
// number leaves out the first lines, "*" is the next heading, "^begin" and "^end" are the ends of the note.
func (o *Outline) rangeState(subpath string) State {
	for end := range strings.SplitSeq(strings.TrimSuffix(subpath, ":"), ":#") {
		end = strings.TrimSpace(strings.TrimPrefix(end, "#"))
		if comma := strings.LastIndexByte(end, ','); comma >= 0 && strings.Trim(end[comma+1:], "0123456789") == "" {
			end = end[:comma]
		}
		id, isBlock := strings.CutPrefix(end, "^")
		switch {
		case end == "", end == "*", end == "^begin", end == "^end":
		case isBlock:
			if state := o.blockState(id); state != OK {
				return state
			}
		case !o.slugs()[slug(end)]:
			return HeadingMissing
		}
	}
	return OK
}

// slugsOf gives the anchors of headings as GitHub makes them: see slug; one that is taken already gets "-1", "-2", ….
func slugsOf(headings []Heading) map[string]bool {
	slugs, times := make(map[string]bool, len(headings)), make(map[string]int, len(headings))
	for _, heading := range headings {
		anchor := slug(heading.Text)
		if n := times[anchor]; n > 0 {
			slugs[anchor+"-"+strconv.Itoa(n)] = true
		}
		slugs[anchor] = true
		times[anchor]++
	}
	return slugs
}

// markdownLink is a link or an image in a heading: its anchor has the text alone.
var markdownLink = lazyregexp.New(`!?\[([^\[\]]*)\]\([^()]*\)`)

// slug writes a heading as an anchor: lower case, without punctuation, each space a hyphen.
func slug(text string) string {
	if strings.Contains(text, "](") {
		text = markdownLink.ReplaceAllString(text, "$1")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '-':
			return '-'
		case unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc):
			return r
		}
		return -1
	}, strings.TrimSpace(filename.Fold(text)))
}

// headingMarks are the characters that do not count when a link's heading is compared with a note's.
const headingMarks = "!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\"

// PlainHeading is a heading's text as links compare it: two headings are the same to a link where this is. Marks count as
// spaces, runs of spaces as one, outer ones not at all; letters are lower case and composed (NFC). It is "" for marks alone.
func PlainHeading(text string) string {
	words := strings.FieldsFunc(filename.Fold(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(headingMarks, r) })
	return strings.Join(words, " ")
}

// SameName tells whether links take two names for one: without regard to letter case, to the composition of accents, to
// no-break or plain spaces, and to the direction of slashes.
func SameName(a, b string) bool { return filename.Fold(a) == filename.Fold(b) }

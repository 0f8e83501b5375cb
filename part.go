package quarry

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"quarry/graph"
	"quarry/index"
	"quarry/internal/dialect"
	"quarry/internal/notetype"
	"quarry/note"
)

// lines cuts lines from..to out of a note, both 1-based, to inclusive, held within the note.
func lines(n *note.Note, from, to int) Excerpt {
	count := len(n.LineOffsets)
	from, to = max(from, 1), min(to, count)
	if to == count && to > 1 && n.LineOffsets[count-1] == len(n.Text) {
		to-- // what follows the last line break is no line
	}
	e := Excerpt{FilePath: n.Path, LineStart: from, LineEnd: max(to, from)}
	if from > to || count == 0 {
		return e
	}
	end := len(n.Text)
	if to < count {
		end = n.LineOffsets[to]
	}
	e.Text = n.Text[n.LineOffsets[from-1]:end]
	return e
}

// partOf is part by the dialect of the vault and the types that the index was made with, or those of now without an index. No view
// may be open.
func (e *Engine) partOf(ctx context.Context, n *note.Note, subpath string) (Excerpt, error) {
	return part(n, subpath, e.dialect(ctx), func() *notetype.Types {
		types, ok := e.typesOfIndex(ctx)
		if !ok {
			types, _ = e.types(ctx)
		}
		return types
	})
}

// part cuts a section or a block out of a note, by what a link of the dialect could name: a block, a passage, a heading
// that holds a "#" itself, a chain of headings, a range of Dendron, or the anchor of a heading. The types are asked for where the
// address may be that of a passage.
func part(n *note.Note, subpath string, by dialect.Dialect, types func() *notetype.Types) (Excerpt, error) {
	if by == dialect.Dendron {
		if excerpt, ok := rangeOf(n, subpath); ok {
			return excerpt, nil
		}
	}
	if at := strings.LastIndex(subpath, "#^"); at >= 0 {
		if b := blockOf(n, subpath[at+2:]); b != nil {
			return lines(n, b.Line, b.LineEnd), nil
		}
		return Excerpt{}, fmt.Errorf("read %s%s: %w", n.Path, subpath, errNoBlock)
	}
	if excerpt, ok := passage(n, subpath[1:], types); ok {
		return excerpt, nil
	}
	if strings.Trim(subpath, "# ") == "" {
		return lines(n, 1, len(n.LineOffsets)), nil
	}
	at := wholeHeading(n, subpath[1:])
	if at < 0 {
		at = chainedHeading(n, subpath[1:])
	}
	if at < 0 && (by == dialect.Foam || by == dialect.Dendron) {
		at = anchoredHeading(n, subpath, by)
	}
	if at < 0 {
		return Excerpt{}, fmt.Errorf("read %s%s: %w; it has %s", n.Path, subpath, errNoHeading, headingsOf(n))
	}
	return section(n, at), nil
}

// section is a heading with what stands below it.
func section(n *note.Note, at int) Excerpt {
	excerpt := lines(n, n.Headings[at].Line, sectionEnd(n, at))
	excerpt.Section = n.Headings[at].Plain
	return excerpt
}

// sectionEnd is the last line of a heading's section.
func sectionEnd(n *note.Note, at int) int {
	last := len(n.LineOffsets)
	if end := headingAfter(n, at); end < len(n.Headings) {
		last = n.Headings[end].Line - 1
	}
	if scope := n.Headings[at].ScopeEnd; scope > 0 {
		return min(last, scope)
	}
	return last
}

// headingAfter is the position of the heading that ends a section, the count of headings where none does.
func headingAfter(n *note.Note, at int) int {
	for i := at + 1; i < len(n.Headings); i++ {
		if scope := n.Headings[at].ScopeEnd; n.Headings[i].Level <= n.Headings[at].Level || scope > 0 && n.Headings[i].Line > scope {
			return i
		}
	}
	return len(n.Headings)
}

func blockOf(n *note.Note, id string) *note.Block {
	for i := range n.Blocks {
		if strings.EqualFold(n.Blocks[i].ID, strings.TrimSpace(id)) {
			return &n.Blocks[i]
		}
	}
	return nil
}

// wholeHeading finds the heading with a "#" in it that the text is as a whole, -1 if there is none.
func wholeHeading(n *note.Note, text string) int {
	if !strings.Contains(text, "#") {
		return -1
	}
	wanted := graph.PlainHeading(text)
	for i, h := range n.Headings {
		if strings.Contains(h.Text, "#") && graph.PlainHeading(h.Text) == wanted {
			return i
		}
	}
	return -1
}

// chainedHeading finds the last of a chain of headings, each in the section of the one before; -1 if there is none.
func chainedHeading(n *note.Note, chain string) int {
	at, from, to := -1, 0, len(n.Headings)
	for part := range strings.SplitSeq(chain, "#") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		wanted := graph.PlainHeading(part)
		for at = from; at < to && graph.PlainHeading(n.Headings[at].Text) != wanted; {
			at++
		}
		if at == to {
			return -1
		}
		from, to = at+1, headingAfter(n, at)
	}
	return at
}

// maxAnchors bounds the headings among which an anchor is looked for.
const maxAnchors = 1 << 14

// anchoredHeading finds the heading that a link of the dialect leads to: the last of the fewest headings of the note with
// which the link is good. It is -1 if there is none.
func anchoredHeading(n *note.Note, subpath string, by dialect.Dialect) int {
	headings := make([]graph.Heading, min(len(n.Headings), maxAnchors))
	for i, h := range n.Headings[:len(headings)] {
		headings[i] = graph.Heading{Level: h.Level, Text: h.Text}
	}
	resolver := graph.NewResolver([]string{n.Path}).WithDialect(by, nil)
	isGood := func(count int) bool {
		outline := graph.NewOutline(headings[:count], nil)
		with := resolver.WithOutlines(func(string) *graph.Outline { return outline })
		return with.Resolve("", subpath, n.Path).State == graph.OK
	}
	if !isGood(len(headings)) {
		return -1
	}
	return sort.Search(len(headings)-1, func(i int) bool { return isGood(i + 1) })
}

// rangeOf reads a reference of Dendron to the lines from one heading or block up to another, "#from:#to"; "*" is the next
// heading, "^begin" and "^end" are the ends of the note.
func rangeOf(n *note.Note, subpath string) (Excerpt, bool) {
	start, end, ok := strings.Cut(strings.TrimPrefix(subpath, "#"), ":#")
	if !ok {
		return Excerpt{}, false
	}
	first, last := rangeStart(n, start), 0
	switch at := anchoredHeading(n, "#"+end, dialect.Dendron); {
	case first == 0:
		return Excerpt{}, false
	case end == "^end":
		last = len(n.LineOffsets)
	case end == "*":
		last = linesToHeading(n, first)
	case strings.HasPrefix(end, "^"):
		if b := blockOf(n, end[1:]); b != nil {
			last = b.LineEnd
		}
	case at >= 0:
		last = n.Headings[at].Line - 1
	}
	return lines(n, first, last), last >= first
}

// rangeStart is the first line of a range, 0 where the note has no such place.
func rangeStart(n *note.Note, start string) int {
	start, _, _ = strings.Cut(start, ",") // so many lines are left out when it is shown
	id, isBlock := strings.CutPrefix(start, "^")
	switch {
	case start == "", start == "^begin":
		return 1
	case isBlock:
		if b := blockOf(n, id); b != nil {
			return b.Line
		}
		return 0
	}
	if at := anchoredHeading(n, "#"+start, dialect.Dendron); at >= 0 {
		return n.Headings[at].Line
	}
	return 0
}

// linesToHeading is the last line before the next heading.
func linesToHeading(n *note.Note, line int) int {
	for _, h := range n.Headings {
		if h.Line > line {
			return h.Line - 1
		}
	}
	return len(n.LineOffsets)
}

// A note is there, but not the part of it that was asked for.
var (
	errNoHeading = &kindError{"the note has no such heading", ErrNoPart}
	errNoBlock   = &kindError{"the note has no such block", ErrNoPart}
)

// shownHeadings is how many headings an error names.
const shownHeadings = 8

func headingsOf(n *note.Note) string {
	var names []string
	for i, h := range n.Headings {
		if i == shownHeadings {
			names = append(names, "…")
			break
		}
		names = append(names, strconv.Quote(h.Plain))
	}
	if len(names) == 0 {
		return "no headings"
	}
	return strings.Join(names, ", ")
}

// passage cuts out the passage that a chunk id names, unless the note has a heading of that text.
func passage(n *note.Note, name string, types func() *notetype.Types) (Excerpt, bool) {
	m := passageAddress().FindStringSubmatch(name)
	if m == nil {
		return Excerpt{}, false
	}
	for _, h := range n.Headings {
		if graph.PlainHeading(h.Text) == name {
			return Excerpt{}, false
		}
	}
	wanted, err := strconv.Atoi(m[1])
	pieces := slices.DeleteFunc(index.Cut(n, types()), func(p index.Piece) bool { return p.Withheld })
	if err != nil || wanted >= len(pieces) {
		return Excerpt{}, false
	}
	excerpt := lines(n, pieces[wanted].LineStart, pieces[wanted].LineEnd)
	if !strings.Contains(excerpt.Text, pieces[wanted].Text) { // a cut table with its header, a canvas, hidden lines
		excerpt.Text = pieces[wanted].Text
	}
	excerpt.Section = pieces[wanted].Section
	return excerpt, true
}

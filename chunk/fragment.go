package chunk

import (
	"strings"
	"unicode/utf8"

	"quarry/note"
)

// fragments gives the passages of a file that is no Markdown: the fragments of one heading together, as many as fit. One
// heading with little under it joins the passage before it, and its heading is text then.
func fragments(n *note.Note, by sizes) []Passage {
	g := gatherer{context: Context(n), sizes: by}
	for _, f := range n.Fragments {
		if f.Text = trimBlank(f.Text); isUnseen(f.Text) {
			continue
		}
		f.LineStart = max(f.LineStart, 1)
		f.LineEnd = max(f.LineEnd, f.LineStart)
		for _, piece := range cutFragment(f, by) {
			g.add(piece)
		}
	}
	g.flush()
	return g.list
}

// gatherer puts fragments together.
type gatherer struct {
	sizes   sizes
	context string
	list    []Passage
	heading string
	open    strings.Builder // the text of the passage that is being filled
	size    int             // of it, in characters
	first   int             // line
	last    int
	piece   fragmentPiece // that the passage begins with
}

// fragmentPiece is a fragment, or a piece of one, which may begin with what the piece before it ends with.
type fragmentPiece struct {
	note.Fragment
	before, repeated string // as those of a Passage
}

func (g *gatherer) add(f fragmentPiece) {
	size := utf8.RuneCountInString(f.Text)
	gap := "\n\n"
	if !strings.ContainsAny(f.Text, "\r\n") && g.first > 0 && g.last <= f.LineStart && f.LineStart-g.last <= 1 {
		gap = "\n"
	}
	if g.size > 0 && (g.heading != f.Heading || f.repeated != "" || g.size+len(gap)+size > g.sizes.most) {
		g.flush()
	}
	if g.size == 0 {
		g.heading, g.first, g.last, g.piece = f.Heading, f.LineStart, f.LineEnd, f
	} else {
		g.open.WriteString(gap)
		g.size += len(gap)
	}
	g.open.WriteString(f.Text)
	g.size += size
	g.first, g.last = min(g.first, f.LineStart), max(g.last, f.LineEnd)
}

// flush ends a passage. A small one joins the one before it.
func (g *gatherer) flush() {
	if g.size == 0 {
		return
	}
	text, small := g.open.String(), g.size < MinCharacters
	g.open.Reset()
	g.size = 0
	last := len(g.list) - 1
	if last >= 0 && g.piece.repeated == "" && (small || utf8.RuneCountInString(g.list[last].Text) < MinCharacters) && g.join(&g.list[last], text) {
		return
	}
	p := Passage{
		Index: len(g.list), Section: shorten(g.heading, MaxHeadingCharacters), HeadingPath: []string{}, HeadingContext: g.context,
		Text: text, LineStart: g.first, LineEnd: g.last, repeated: g.piece.repeated, stretch: stretch{before: g.piece.before},
	}
	if p.Section != "" {
		p.HeadingPath = []string{p.Section}
	}
	g.list = append(g.list, p)
}

// join adds a text to a passage where there is room.
func (g *gatherer) join(to *Passage, text string) bool {
	if heading := shorten(g.heading, MaxHeadingCharacters); heading != "" && heading != to.Section {
		text = heading + "\n" + text
	}
	if utf8.RuneCountInString(to.Text)+utf8.RuneCountInString(text)+2 > g.sizes.most {
		return false
	}
	to.Text += "\n\n" + text
	to.LineStart, to.LineEnd = min(to.LineStart, g.first), max(to.LineEnd, g.last)
	return true
}

// cutFragment gives a fragment in pieces that fit.
func cutFragment(f note.Fragment, by sizes) []fragmentPiece {
	if prefix(f.Text, by.most) == len(f.Text) {
		return []fragmentPiece{{Fragment: f}}
	}
	text := &note.Note{Text: f.Text, LineOffsets: lineOffsets(f.Text), BodyLine: 1}
	d := newDocument(text, by)
	whole := part{heading: -1, end: len(f.Text)}
	d.measure(&whole)
	parts := d.pack(nil, whole)
	pieces := make([]fragmentPiece, 0, len(parts))
	for _, p := range parts {
		piece := fragmentPiece{Fragment: f}
		own := d.visible(p.start, p.end)
		if isUnseen(own) {
			continue
		}
		piece.Text = p.before + own + p.after
		if p.own > 0 {
			piece.before, piece.repeated = p.before, trimFront(d.shown(p.start, p.own))
		}
		if f.LineEnd-f.LineStart+1 == len(text.LineOffsets) { // the lines of the fragment are those of the file
			first, last := d.lines(p)
			piece.LineStart, piece.LineEnd = f.LineStart+first-1, f.LineStart+last-1
		}
		pieces = append(pieces, piece)
	}
	return pieces
}

// lineOffsets gives the place where each line of a text begins.
func lineOffsets(text string) []int {
	offsets := []int{0}
	for at := 0; at < len(text)-1; at++ {
		if text[at] == '\n' || text[at] == '\r' && text[at+1] != '\n' {
			offsets = append(offsets, at+1)
		}
	}
	return offsets
}

package quarry

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/brief"
	"quarry/chunk"
	"quarry/search"
	"quarry/store"
)

// span is which passages of a note stand in a part of a block.
type span struct {
	note        *store.Note // nil where it is not known
	first, last int         // places among its passages
}

// spanOf finds the passage of a hit in its note.
func (b *block) spanOf(ctx context.Context, hit *SearchResult) (span, error) {
	path, err := b.pathOf(ctx, hit.FilePath)
	if err != nil || path == "" {
		return span{}, err
	}
	n, ok, err := b.finder.view.Note(ctx, path)
	if err != nil || !ok {
		return span{}, err
	}
	at := slices.IndexFunc(n.Passages, func(p store.Passage) bool {
		return b.finder.engine.shown(chunk.ID(n.NoteID, p.Index)) == hit.ChunkID
	})
	if at < 0 {
		return span{}, nil
	}
	return span{&n, at, at}, nil
}

// isQuoted tells of a passage that was taken in as a whole with one before it.
func (b *block) isQuoted(at span) bool {
	return at.note != nil && slices.ContainsFunc(b.parts, func(p quoted) bool {
		return p.note != nil && p.note.Path == at.note.Path && p.first <= at.first && at.last <= p.last
	})
}

// joinHit puts a hit into a part of the block that it goes on with, or that goes on with it, and tells whether there is one: what
// there is no room for stays as it is then.
func (b *block) joinHit(at span) bool {
	for i := range b.parts {
		p := &b.parts[i]
		if at.note == nil || p.note == nil || p.note.Path != at.note.Path || b.parts[i].hit.Truncated {
			continue
		}
		passages := p.note.Passages
		isNext := at.first == p.last+1 && goesOn(&passages[p.last], &passages[at.first])
		if isNext || at.last == p.first-1 && goesOn(&passages[at.last], &passages[p.first]) {
			b.takeWhole(i, at.first)
			return true
		}
	}
	return false
}

// widenPart takes in what a section goes on with behind a passage that was cut out of it, and what it begins with before that: one
// passage each, as a whole or, if that does not fit, the sentences next to it.
func (b *block) widenPart(at int) {
	p := &b.parts[at]
	if p.note == nil {
		return
	}
	if next := p.last + 1; next < len(p.note.Passages) && goesOn(&p.note.Passages[p.last], &p.note.Passages[next]) {
		b.takeIn(at, next)
	}
	if before := p.first - 1; before >= 0 && goesOn(&p.note.Passages[before], &p.note.Passages[p.first]) {
		b.takeIn(at, before)
	}
}

// goesOn tells whether a passage goes on in the one behind it: they are of one section, or of one line.
func goesOn(p, next *store.Passage) bool {
	return slices.Equal(p.HeadingPath, next.HeadingPath) || next.LineStart <= p.LineEnd
}

// takeIn joins a passage beside a part of the block to it, as far as there is room for what goes on.
func (b *block) takeIn(at, neighbour int) {
	extra := b.neighbour(at, neighbour)
	if grown := b.grownBy(at, b.joined(b.parts[at].whole, at, extra)); grown <= b.widen && b.takeWhole(at, neighbour) {
		b.widen -= grown
		return
	}
	if !b.shorten(&extra, neighbour > b.parts[at].last) {
		return
	}
	joined := b.joined(b.parts[at].Passage, at, extra)
	if grown := b.grownBy(at, joined); grown <= b.widen && b.replace(at, joined) {
		b.widen -= grown
	}
}

// takeWhole joins the whole of a passage beside a part to it if the block has the room. Sentences that were taken in go.
func (b *block) takeWhole(at, neighbour int) bool {
	p := &b.parts[at]
	extra := b.neighbour(at, neighbour)
	whole := b.joined(p.whole, at, extra)
	whole.Place = p.Place
	if !b.replace(at, whole) {
		return false
	}
	p.whole, p.first, p.last = whole, min(p.first, neighbour), max(p.last, neighbour)
	return true
}

// neighbour gives a passage of the note of a part.
func (b *block) neighbour(at, place int) store.Passage {
	passage := b.parts[at].note.Passages[place]
	passage.Text = b.finder.engine.shown(passage.Text)
	return passage
}

// joined is a passage of a part with what stands before or behind it.
func (b *block) joined(p brief.Passage, at int, extra store.Passage) brief.Passage {
	if extra.Index > b.parts[at].note.Passages[b.parts[at].last].Index {
		p.Text, p.LineEnd = joinTexts(p.Text, extra.Text, extra.LineStart-p.LineEnd), max(p.LineEnd, extra.LineEnd)
	} else {
		p.Text, p.LineStart = joinTexts(extra.Text, p.Text, p.LineStart-extra.LineEnd), min(p.LineStart, extra.LineStart)
	}
	return p
}

func (b *block) grownBy(at int, by brief.Passage) int {
	return utf8.RuneCountInString(by.Text) - utf8.RuneCountInString(b.parts[at].Text)
}

// replace puts another passage in the place of one if the block has the room.
func (b *block) replace(at int, by brief.Passage) bool {
	old := b.parts[at].Passage
	b.parts[at].Passage = by
	if b.room() < 0 {
		b.parts[at].Passage = old
		return false
	}
	return true
}

// shorten leaves of a neighbour what there is room for beside a passage, and the lines that it is of.
func (b *block) shorten(p *store.Passage, isNext bool) bool {
	room := min(b.widen, b.room()) - 2 // for what joins them
	if room < leastWidening {
		return false
	}
	lines := strings.Count(p.Text, "\n")
	if isNext {
		p.Text = search.CutToTokens(p.Text, room/search.CharactersPerToken)
		p.LineEnd = max(p.LineStart, p.LineEnd-(lines-strings.Count(p.Text, "\n")))
		return true
	}
	p.Text = lastSentences(p.Text, room)
	p.LineStart = min(p.LineEnd, p.LineStart+(lines-strings.Count(p.Text, "\n")))
	return p.Text != ""
}

// lastSentences gives the end of a text, from the begin of a sentence or a line on, with "…" before it; "" where none of so many
// characters begins there.
func lastSentences(text string, limit int) string {
	start := len(text)
	for n := 0; n < limit-1 && start > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	rest := text[start:]
	for at, r := range rest {
		_, size := utf8.DecodeRuneInString(rest[at:])
		behind := rest[at+size:]
		isEnd := strings.ContainsRune("\n。！？", r) || strings.ContainsRune(".!?", r) && strings.IndexFunc(behind, unicode.IsSpace) == 0
		if behind = strings.TrimLeftFunc(behind, unicode.IsSpace); isEnd && behind != "" {
			return "…" + behind
		}
	}
	return ""
}

// Bounds of what two passages beside each other both hold, in bytes: less is chance.
const (
	leastRepeated = 16
	maxRepeated   = 4096
)

// joinTexts puts two texts behind each other that are so many lines apart, 0 being the same line. What the first ends and the second
// begins with stands once.
func joinTexts(first, second string, lines int) string {
	if lines <= 0 {
		for length := min(len(first), len(second), maxRepeated); length >= leastRepeated; length-- {
			if first[len(first)-length:] == second[:length] {
				return first + second[length:]
			}
		}
	}
	return first + []string{" ", "\n", "\n\n"}[min(max(lines, 0), 2)] + second
}

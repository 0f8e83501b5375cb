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
	n, ok, err := b.finder.view.Note(ctx, hit.FilePath)
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

// isQuoted tells of a passage that was taken in with one before it.
func (b *block) isQuoted(at span) bool {
	return at.note != nil && slices.ContainsFunc(b.spans, func(s span) bool {
		return s.note != nil && s.note.Path == at.note.Path && s.first <= at.first && at.last <= s.last
	})
}

// widenPassage takes in what a section goes on with behind a passage that was cut out of it, and what it begins with before that:
// one passage each, as a whole or, if that does not fit, the sentences next to it.
func (b *block) widenPassage(at int) {
	s := &b.spans[at]
	if s.note == nil {
		return
	}
	if next := s.last + 1; next < len(s.note.Passages) && goesOn(&s.note.Passages[s.last], &s.note.Passages[next]) {
		b.takeIn(at, next)
	}
	if before := s.first - 1; before >= 0 && goesOn(&s.note.Passages[before], &s.note.Passages[s.first]) {
		b.takeIn(at, before)
	}
}

// goesOn tells whether a passage goes on in the one behind it: they are of one section, or of one line.
func goesOn(p, next *store.Passage) bool {
	return slices.Equal(p.HeadingPath, next.HeadingPath) || next.LineStart <= p.LineEnd
}

// takeIn joins a passage beside a part of the block to it, as far as there is room.
func (b *block) takeIn(at, neighbour int) {
	part, s := b.passages[at], b.spans[at]
	extra := s.note.Passages[neighbour]
	extra.Text = b.finder.engine.shown(extra.Text)
	isNext := neighbour > s.last
	for try := range 2 {
		joined := part
		if try > 0 && !b.shorten(&extra, isNext) {
			return
		}
		if isNext {
			joined.Text, joined.LineEnd = joinTexts(part.Text, extra.Text, extra.LineStart-part.LineEnd), max(part.LineEnd, extra.LineEnd)
		} else {
			joined.Text, joined.LineStart = joinTexts(extra.Text, part.Text, part.LineStart-extra.LineEnd), min(part.LineStart, extra.LineStart)
		}
		grown := utf8.RuneCountInString(joined.Text) - utf8.RuneCountInString(part.Text)
		if grown > b.widen || !b.replace(at, joined) {
			continue
		}
		b.widen -= grown
		if isNext && try == 0 {
			b.spans[at].last = neighbour
		} else if try == 0 {
			b.spans[at].first = neighbour
		}
		return
	}
}

// replace puts another passage in the place of one if the block has the room.
func (b *block) replace(at int, by brief.Passage) bool {
	old := b.passages[at]
	b.passages[at] = by
	if b.room() < 0 {
		b.passages[at] = old
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

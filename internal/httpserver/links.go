package httpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"unicode/utf8"

	"quarry"
)

// linksAnswer is the document of the links around a note.
type linksAnswer struct {
	quarry.NoteLinks
	Truncated bool `json:"truncated,omitempty"` // to the budget
}

// deadLinksAnswer is that of dead links, without what is known of a note where none is named.
type deadLinksAnswer struct {
	*quarry.NoteLinks
	Unresolved []quarry.DeadLink `json:"unresolved"`
	Truncated  bool              `json:"truncated,omitempty"`
}

// linksFlags are what is asked of the links.
type linksFlags struct {
	note                           string
	kinds                          []string
	out, back, related, unresolved bool
	hops, maxTokens                int
}

func linksOf(ctx context.Context, engine *quarry.Engine, v *values) (any, error) {
	f := linksFlags{
		note: v.text("note"), kinds: v.list("kind"), out: v.boolean("out", false), back: v.boolean("back", false), related: v.boolean("related", false),
		unresolved: v.boolean("unresolved", false), hops: v.integer("hops", 1), maxTokens: v.integer("max_tokens", 0),
	}
	switch {
	case f.note == "" && !f.unresolved:
		v.fail("note", "is missing")
	case f.unresolved && (f.back || f.related || f.hops > 1):
		v.fail("unresolved", "lists links from notes, and goes with neither back, related nor hops")
	}
	switch err := v.err(); {
	case err != nil:
		return nil, err
	case f.unresolved:
		return f.dead(ctx, engine)
	}
	return f.around(ctx, engine)
}

func (f linksFlags) all() bool { return !f.out && !f.back && !f.related }

func (f linksFlags) around(ctx context.Context, engine *quarry.Engine) (any, error) {
	request := quarry.LinksRequest{Note: f.note, Kinds: f.kinds, Hops: f.hops}
	switch {
	case f.out && !f.back:
		request.Way = quarry.WayOut
	case f.back && !f.out:
		request.Way = quarry.WayBack
	}
	if f.related || f.all() && len(f.kinds) == 0 { // what is near has no kind
		request.Related = mostRelated
	}
	links, err := engine.Links(ctx, request)
	if err != nil {
		return nil, err
	}
	answer := linksAnswer{NoteLinks: links}
	answer.leave(f)
	answer.cut(f.maxTokens)
	return answer, nil
}

// leave takes out what was not asked for.
func (l *linksAnswer) leave(f linksFlags) {
	if l.LineStart > 0 && !f.related || !f.all() && !f.related { // what is near a part is not known
		l.Related = l.Related[:0]
	}
	if f.all() {
		return
	}
	if !f.out {
		l.Out, l.AliasOf = l.Out[:0], nil
	}
	if !f.back {
		l.Back = l.Back[:0]
	}
}

// cut leaves the first items of the lists that the budget has room for, and of the aliases those of links that are left.
func (l *linksAnswer) cut(maxTokens int) {
	b, aliases, kept := newBudget(maxTokens), map[string]string{}, 0
	for i := range l.Out {
		link := &l.Out[i]
		size := sizeOf(link)
		note, isAlias := l.AliasOf[link.Target]
		if _, known := aliases[link.Target]; isAlias && !known {
			size += sizeOf(link.Target) + sizeOf(note)
		}
		if !b.takes(size) {
			break
		}
		if isAlias {
			aliases[link.Target] = note
		}
		kept++
	}
	l.Out, l.AliasOf = l.Out[:kept], aliases
	l.Back, l.Related, l.Reached = within(b, l.Back), within(b, l.Related), within(b, l.Reached)
	l.Truncated = b.isSpent
}

func (f linksFlags) dead(ctx context.Context, engine *quarry.Engine) (any, error) {
	var answer deadLinksAnswer
	if f.note != "" {
		links, err := engine.Links(ctx, quarry.LinksRequest{Note: f.note})
		if err != nil {
			return nil, err
		}
		links.Out, links.Back, links.AliasOf = links.Out[:0], links.Back[:0], nil // which of them are dead comes next
		answer.NoteLinks = &links
	}
	dead, err := engine.DeadLinks(ctx, quarry.DeadLinksRequest{Note: f.note, Kinds: f.kinds})
	if err != nil {
		return nil, err
	}
	b, kept := newBudget(f.maxTokens), 0
	for i := range dead {
		size := sizeOf(&dead[i])
		if answer.NoteLinks != nil {
			size += sizeOf(&dead[i].Link)
		}
		if !b.takes(size) {
			break
		}
		kept++
	}
	answer.Unresolved, answer.Truncated = dead[:kept], b.isSpent
	if answer.NoteLinks != nil {
		for i := range answer.Unresolved {
			answer.Out = append(answer.Out, answer.Unresolved[i].Link)
		}
	}
	return answer, nil
}

const charactersPerToken = 4

// budget bounds the characters of lists. What comes first is taken first, and nothing behind what has no room.
type budget struct {
	left      int // characters
	isBounded bool
	isSpent   bool // something had no room
}

// newBudget is one of so many tokens, 0 for as much as there is.
func newBudget(maxTokens int) *budget {
	return &budget{left: charactersPerToken * maxTokens, isBounded: maxTokens > 0}
}

func (b *budget) takes(characters int) bool {
	if !b.isBounded {
		return true
	}
	b.isSpent = b.isSpent || characters > b.left
	if !b.isSpent {
		b.left -= characters
	}
	return !b.isSpent
}

// within gives the first items of a list that have room, by the size of their JSON.
func within[T any](b *budget, list []T) []T {
	if !b.isBounded {
		return list
	}
	for i := range list {
		if !b.takes(sizeOf(&list[i])) {
			return list[:i]
		}
	}
	return list
}

// sizeOf is how many characters an item has in JSON, with a comma behind it.
func sizeOf(item any) int {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(item) != nil {
		return math.MaxInt
	}
	return utf8.RuneCount(b.Bytes())
}

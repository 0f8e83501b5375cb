package mcpserver

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quarry"
	"quarry/internal/budget"
)

// linksAnswer is the document of obsidian_links.
type linksAnswer struct {
	*quarry.NoteLinks
	// Unresolved are dead links with what may be meant; nil where they were not asked for.
	Unresolved []quarry.DeadLink `json:"unresolved,omitzero"`
	Truncated  bool              `json:"truncated,omitempty"` // something is left out
	Notices    []string          `json:"notices,omitempty"`   // those of the links
}

// linksAsked is what a call of obsidian_links asks for.
type linksAsked struct {
	budget.Links
	note            string
	unresolved      bool
	hops, maxTokens int
}

func (a arguments) linksAsked() linksAsked {
	asked := linksAsked{
		Links: budget.Links{Out: a.boolean("out"), Back: a.boolean("back"), Related: a.boolean("related"), Kinds: a.list("kind")},
		note:  a.text("note"), unresolved: a.boolean("unresolved"), hops: a.integer("hops", 1), maxTokens: a.integer("max_tokens", defaultMaxTokens),
	}
	switch {
	case isBlank(asked.note) && !asked.unresolved:
		a.fail("note", "is missing; unresolved alone does without, and lists the dead links of all notes")
	case asked.unresolved && (asked.Back || asked.Related || asked.hops > 1):
		a.fail("unresolved", "lists links from notes, and goes with neither back, related nor hops")
	}
	return asked
}

// linksOf gives the document of the links around a note, or of dead ones.
func linksOf(ctx context.Context, engine *quarry.Engine, a arguments) ([]byte, error) {
	asked := a.linksAsked()
	if err := a.err(); err != nil {
		return nil, err
	}
	look := around
	if asked.unresolved {
		look = dead
	}
	answer, err := look(ctx, engine, asked)
	if err != nil {
		return nil, err
	}
	return answer.document(engine.Redactor(), budget.CharactersPerToken*asked.maxTokens)
}

func around(ctx context.Context, engine *quarry.Engine, asked linksAsked) (linksAnswer, error) {
	links, err := engine.Links(ctx, asked.Request(asked.note, asked.hops, budget.MostRelated))
	if err != nil {
		return linksAnswer{}, err
	}
	asked.Leave(&links)
	if len(asked.Kinds) > 0 && len(links.Out)+len(links.Back)+len(links.Reached) == 0 {
		links.Notices = append(links.Notices, otherKinds(ctx, engine, asked)...)
	}
	return linksAnswer{NoteLinks: &links, Notices: links.Notices}, nil
}

// otherKinds tells which kinds of links there are where none is of those that were asked for.
func otherKinds(ctx context.Context, engine *quarry.Engine, asked linksAsked) []string {
	every, err := engine.Links(ctx, quarry.LinksRequest{Note: asked.note})
	if err != nil {
		return nil // the answer is as good without
	}
	kinds := map[string]bool{}
	for i := range every.Out {
		kinds[every.Out[i].Kind] = true
	}
	for i := range every.Back {
		kinds[every.Back[i].Kind] = true
	}
	if len(kinds) == 0 {
		return nil
	}
	return []string{"no link is of this kind; there are: " + strings.Join(slices.Sorted(maps.Keys(kinds)), ", ")}
}

func dead(ctx context.Context, engine *quarry.Engine, asked linksAsked) (linksAnswer, error) {
	var answer linksAnswer
	if !isBlank(asked.note) {
		links, err := engine.Links(ctx, quarry.LinksRequest{Note: asked.note})
		if err != nil {
			return linksAnswer{}, err
		}
		links.Out, links.Back, links.AliasOf = links.Out[:0], links.Back[:0], nil // the dead ones are in their own list
		answer.NoteLinks, answer.Notices = &links, links.Notices
	}
	var err error
	answer.Unresolved, err = engine.DeadLinks(ctx, quarry.DeadLinksRequest{Note: asked.note, Kinds: asked.Kinds})
	return answer, err
}

// document is the answer, as much of it as there is room for: the lists take turns.
func (l linksAnswer) document(filter *quarry.Redactor, maxCharacters int) ([]byte, error) {
	document, surplus, err := bounded(l, filter, maxCharacters)
	for room := maxCharacters; err == nil && surplus > 0 && room > 0; room -= surplus {
		document, surplus, err = bounded(l.within(room), filter, maxCharacters)
	}
	return document, err
}

// within leaves of each list what the room has place for when they take turns, and says how much of each is left out.
func (l linksAnswer) within(room int) linksAnswer {
	lists := l.lists()
	const cut = "the lists are cut to max_tokens: "
	said := append(slices.Clip(l.Notices), cut+tally(lists, nil))
	if sizeOf(l.bare(said)) > room {
		l.Notices, said = nil, []string{cut + tally(lists, nil)}
	}
	kept := takeTurns(lists, room-sizeOf(l.bare(said)))
	short := l.bare(append(slices.Clip(l.Notices), cut+tally(lists, kept)))
	if l.NoteLinks != nil {
		short.Out, short.Back, short.Related = l.Out[:kept[0]], l.Back[:kept[1]], l.Related[:kept[2]]
		if l.Reached != nil {
			short.Reached = l.Reached[:kept[3]]
		}
		short.AliasOf = short.aliases(l.AliasOf)
	}
	if l.Unresolved != nil {
		short.Unresolved = l.Unresolved[:kept[4]]
	}
	return short
}

// lists are those of the answer, in the order in which they take turns.
func (l linksAnswer) lists() []linkList {
	whole := quarry.NoteLinks{}
	if l.NoteLinks != nil {
		whole = *l.NoteLinks
	}
	return []linkList{
		{"out", len(whole.Out), func(i int) any { return []any{&whole.Out[i], whole.Out[i].Target, whole.AliasOf[whole.Out[i].Target]} }},
		{"back", len(whole.Back), func(i int) any { return &whole.Back[i] }},
		{"related", len(whole.Related), func(i int) any { return &whole.Related[i] }},
		{"reached", len(whole.Reached), func(i int) any { return &whole.Reached[i] }},
		{"unresolved", len(l.Unresolved), func(i int) any { return &l.Unresolved[i] }},
	}
}

// bare is the answer without links, that says so much beside them.
func (l linksAnswer) bare(notices []string) linksAnswer {
	short := linksAnswer{Truncated: true, Notices: notices}
	if l.NoteLinks != nil {
		short.NoteLinks = &quarry.NoteLinks{LineStart: l.LineStart, LineEnd: l.LineEnd}
		short.Note = l.Note
		short.Out, short.Back, short.Related = l.Out[:0], l.Back[:0], l.Related[:0]
	}
	if l.Unresolved != nil {
		short.Unresolved = l.Unresolved[:0]
	}
	return short
}

// linkList is one of the lists of an answer.
type linkList struct {
	name  string
	count int
	item  func(int) any
}

// aliases are those that the links of an answer go by.
func (l linksAnswer) aliases(all map[string]string) map[string]string {
	aliases := map[string]string{}
	for i := range l.Out {
		if note, ok := all[l.Out[i].Target]; ok {
			aliases[l.Out[i].Target] = note
		}
	}
	return aliases
}

// takeTurns is how many items of each list have room when the lists take one after the other.
func takeTurns(lists []linkList, left int) []int {
	kept := make([]int, len(lists))
	isFull := make([]bool, len(lists))
	for isTaken := true; isTaken; {
		isTaken = false
		for i, list := range lists {
			if isFull[i] || kept[i] == list.count {
				continue
			}
			if size := sizeOf(list.item(kept[i])) + 1; size <= left { // with the comma
				left -= size
				kept[i]++
				isTaken = true
			} else {
				isFull[i] = true
			}
		}
	}
	return kept
}

// tally says how many of each list are shown; nil: all of them.
func tally(lists []linkList, kept []int) string {
	var words []string
	for i, list := range lists {
		if list.count == 0 {
			continue
		}
		shown := list.count
		if kept != nil {
			shown = kept[i]
		}
		words = append(words, fmt.Sprintf("%s %d of %d", list.name, shown, list.count))
	}
	return strings.Join(words, ", ")
}

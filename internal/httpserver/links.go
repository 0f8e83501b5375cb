package httpserver

import (
	"context"

	"quarry"
	"quarry/internal/budget"
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
	budget.Links
	note            string
	unresolved      bool
	hops, maxTokens int
}

func linksOf(ctx context.Context, engine *quarry.Engine, v *values) (any, error) {
	f := linksFlags{
		Links: budget.Links{Out: v.boolean("out", false), Back: v.boolean("back", false), Related: v.boolean("related", false), Kinds: v.list("kind")},
		note:  v.text("note"), unresolved: v.boolean("unresolved", false), hops: v.integer("hops", 1), maxTokens: v.integer("max_tokens", 0),
	}
	switch {
	case f.note == "" && !f.unresolved:
		v.fail("note", "is missing")
	case f.unresolved && (f.Back || f.Related || f.hops > 1):
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

func (f linksFlags) around(ctx context.Context, engine *quarry.Engine) (any, error) {
	links, err := engine.Links(ctx, f.Request(f.note, f.hops, budget.MostRelated))
	if err != nil {
		return nil, err
	}
	f.Leave(&links)
	isCut := budget.CutLinks(&links, f.maxTokens)
	return linksAnswer{links, isCut}, nil
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
	dead, err := engine.DeadLinks(ctx, quarry.DeadLinksRequest{Note: f.note, Kinds: f.Kinds})
	if err != nil {
		return nil, err
	}
	answer.Unresolved, answer.Truncated = budget.CutDeadLinks(dead, answer.NoteLinks != nil, f.maxTokens)
	if answer.NoteLinks != nil {
		for i := range answer.Unresolved {
			answer.Out = append(answer.Out, answer.Unresolved[i].Link)
		}
	}
	return answer, nil
}

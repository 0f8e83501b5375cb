package mcpserver

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"quarry"
	"quarry/internal/budget"
	"quarry/internal/failure"
)

const (
	defaultListLimit = 20
	maxListLimit     = 1000
)

// listAnswer is the document of obsidian_list_notes.
type listAnswer struct {
	Notes     []quarry.NoteSummary `json:"notes"`
	Truncated bool                 `json:"truncated,omitempty"` // more notes match than are listed
	Notices   []string             `json:"notices,omitempty"`
}

// sorts are the orders that a list can have.
var sorts = []string{"path", "updated", "created", "title"}

// listNotes gives the document of a list.
func listNotes(ctx context.Context, engine *quarry.Engine, a arguments) ([]byte, error) {
	limit, maxTokens := a.integer("limit", defaultListLimit), a.integer("max_tokens", defaultMaxTokens)
	request := quarry.ListRequest{Filter: a.filter(time.Now()), Sort: a.text("sort"), Limit: limit + 1}
	a.oneOf("sort", sorts)
	if err := a.err(); err != nil {
		return nil, err
	}
	notes, err := engine.List(ctx, request)
	if err != nil {
		return nil, err
	}
	answer := listAnswer{Notes: notes}
	switch {
	case len(notes) > limit:
		answer = listAnswer{notes[:limit], true, []string{moreNotes(limit)}}
	case len(notes) == 0:
		if answer, err = emptyList(ctx, engine, request.Filter); err != nil {
			return nil, err
		}
	}
	return answer.document(engine.Redactor(), maxTokens)
}

// moreNotes says how to see what a list leaves out.
func moreNotes(limit int) string {
	if limit == maxListLimit {
		return fmt.Sprintf("more notes match than these %d, and no list has more: narrow the filters", limit)
	}
	return fmt.Sprintf("more notes match than these %d: narrow the filters, or raise limit (up to %d)", limit, maxListLimit)
}

// emptyList says why a list may be empty.
func emptyList(ctx context.Context, engine *quarry.Engine, filter quarry.Filter) (listAnswer, error) {
	if isFilling(ctx, engine) || !filter.Narrows() && engine.IsIndexing() {
		return listAnswer{}, failure.ErrBuilding
	}
	notices, err := engine.UnknownFilters(ctx, filter)
	if err != nil {
		return listAnswer{}, err
	}
	answer := listAnswer{Notes: []quarry.NoteSummary{}, Notices: notices}
	if len(answer.Notices) == 0 {
		answer.Notices = []string{"no note passes the filters; archived ones need include_archived"}
	}
	if engine.IsIndexing() {
		answer.Notices = append(answer.Notices, "the index is being brought up to date: call again in a few seconds")
	}
	return answer, nil
}

// document is the list, as much of it as there is room for.
func (l listAnswer) document(filter *quarry.Redactor, maxTokens int) ([]byte, error) {
	maxCharacters := budget.CharactersPerToken * maxTokens
	document, surplus, err := bounded(l, filter, maxCharacters)
	for room := maxCharacters; err == nil && surplus > 0 && room > 0; room -= surplus {
		document, surplus, err = bounded(l.within(room, maxTokens), filter, maxCharacters)
	}
	return document, err
}

// within are the first notes that have room, and what is said of the others. Of a list without notes the first notices stay.
func (l listAnswer) within(room, maxTokens int) listAnswer {
	short := listAnswer{Notes: l.Notes[:0], Notices: []string{noNoticesNotice}}
	if len(l.Notes) == 0 {
		for i := range l.Notices {
			some := listAnswer{Notes: l.Notes, Notices: append(slices.Clip(l.Notices[:i+1]), noNoticesNotice)}
			if sizeOf(some) > room {
				break
			}
			short = some
		}
		return short
	}
	short.Truncated, short.Notices = true, append(slices.Clip(l.Notices), cutList(maxTokens))
	if sizeOf(short) > room {
		short.Notices = []string{"max_tokens is too small for the list"}
	}
	left := room - sizeOf(short)
	for i := range l.Notes {
		if left -= sizeOf(l.Notes[i]) + 1; left < 0 { // with the comma
			break
		}
		short.Notes = l.Notes[:i+1]
	}
	return short
}

// cutList says how to see what max_tokens leaves out.
func cutList(maxTokens int) string {
	if maxTokens == maxMaxTokens {
		return "the list is cut to max_tokens, which is the largest: narrow the filters"
	}
	return "the list is cut to max_tokens: narrow the filters, or raise it"
}

// sizeOf is how many characters something has in JSON, as many as there can be where it has no such form.
func sizeOf(item any) int {
	encoded, err := encode(item)
	if err != nil {
		return math.MaxInt32
	}
	return utf8.RuneCount(encoded)
}

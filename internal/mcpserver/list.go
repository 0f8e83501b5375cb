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
	limit, maxTokens := min(a.integer("limit", defaultListLimit), maxListLimit), min(a.integer("max_tokens", defaultMaxTokens), maxMaxTokens)
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
		answer = listAnswer{notes[:limit], true, []string{fmt.Sprintf("more notes match than these %d: narrow the filters, or raise limit", limit)}}
	case len(notes) == 0:
		if answer, err = emptyList(ctx, engine, request.Filter); err != nil {
			return nil, err
		}
	}
	return answer.document(engine.Redactor(), budget.CharactersPerToken*maxTokens)
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
func (l listAnswer) document(filter *quarry.Redactor, maxCharacters int) ([]byte, error) {
	document, surplus, err := bounded(l, filter, maxCharacters)
	notes, notices := l.Notes, l.Notices
	for room := maxCharacters; err == nil && surplus > 0 && room > 0; room -= surplus {
		l.Truncated, l.Notices = true, append(slices.Clip(notices), "the list is cut to max_tokens: narrow the filters, or raise it")
		if l.Notes = notes[:0]; sizeOf(l) > room {
			l.Notices = []string{"max_tokens is too small for the list"}
		}
		left := room - sizeOf(l)
		for i := range notes {
			if left -= sizeOf(notes[i]) + 1; left < 0 { // with the comma
				break
			}
			l.Notes = notes[:i+1]
		}
		document, surplus, err = bounded(l, filter, maxCharacters)
	}
	return document, err
}

// sizeOf is how many characters something has in JSON, as many as there can be where it has no such form.
func sizeOf(item any) int {
	encoded, err := encode(item)
	if err != nil {
		return math.MaxInt32
	}
	return utf8.RuneCount(encoded)
}

package mcpserver

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"quarry"
	"quarry/internal/budget"
	"quarry/internal/failure"
)

// searchNotes gives the document of an answer.
func searchNotes(ctx context.Context, engine *quarry.Engine, a arguments) ([]byte, error) {
	request := quarry.SearchRequest{
		Query: a.text("query"), Limit: a.integer("limit", defaultLimit),
		MaxTokens: a.integer("max_tokens", defaultMaxTokens), Mode: quarry.Mode(a.text("mode")), MinScore: a.number("min_score"),
		Like: a.text("like"), Expand: a.boolean("expand"), All: a.boolean("all"), Fusion: quarry.Fusion(a.text("fusion")), Explain: a.boolean("explain"),
		Filter: a.filter(time.Now()),
	}
	a.oneOf("mode", modes)
	a.oneOf("fusion", fusions)
	if isBlank(request.Query) && isBlank(request.Like) && !request.Filter.Narrows() {
		a.fail("query", "is missing")
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	answer, err := engine.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	if answer.Status == quarry.StatusEmptyIndex && engine.IsIndexing() {
		return nil, failure.ErrBuilding
	}
	if said := saidOf(answer.Status, len(answer.Results) > 0); said != "" {
		answer.Notices = append(answer.Notices, said)
	}
	return documentOf(answer, engine.Redactor(), budget.CharactersPerToken*request.MaxTokens)
}

// saidOf is what a client is told to make of a status, "" where that is plain.
func saidOf(status quarry.SearchStatus, isListed bool) string {
	switch {
	case status == quarry.StatusWeak:
		return "the notes may not speak of this; tell the user so"
	case status == quarry.StatusNothingRelevant && isListed:
		return "these are the nearest passages, and the notes do not seem to speak of this; tell the user so"
	case status == quarry.StatusNothingRelevant:
		return "the notes do not seem to speak of this; tell the user so, or try other words"
	case status == quarry.StatusNoResults:
		return "nothing passes the filters and the words that are required; try fewer of them"
	}
	return ""
}

// contextOf gives the document of a block. The engine bounds the text of the block alone: where its document has no room, a shorter
// block is asked for, once.
func contextOf(ctx context.Context, engine *quarry.Engine, a arguments) ([]byte, error) {
	request := quarry.ContextRequest{
		Topic: a.text("topic"), MaxTokens: a.integer("max_tokens", defaultMaxTokens), Format: a.text("format"), Filter: a.filter(time.Now()), All: a.boolean("all"),
		HitsAlone: a.has("expand") && !a.boolean("expand"),
	}
	a.oneOf("format", formats)
	if isBlank(request.Topic) {
		a.fail("topic", "is missing")
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	maxCharacters := budget.CharactersPerToken * request.MaxTokens
	var answer quarry.ContextAnswer
	for range 2 {
		var err error
		if answer, err = engine.Context(ctx, request); err != nil {
			return nil, err
		}
		if answer.Status == string(quarry.StatusEmptyIndex) && engine.IsIndexing() {
			return nil, failure.ErrBuilding
		}
		status, isQuoted := quarry.SearchStatus(answer.Status), len(answer.Sources) > 0
		if said := saidOf(status, isQuoted); said != "" && status != quarry.StatusWeak { // which the block says
			answer.Notices = append(answer.Notices, said)
		}
		if answer.Text == "" { // not even the best passage has room
			break
		}
		document, surplus, err := bounded(answer, engine.Redactor(), maxCharacters)
		if err != nil || surplus <= 0 {
			return document, err
		}
		if request.MaxTokens, err = shorterBlock(answer.Text, utf8.RuneCount(document), maxCharacters); err != nil {
			return nil, err
		}
		if request.MaxTokens <= 0 {
			break
		}
	}
	return withoutBlock(answer, engine.Redactor(), maxCharacters)
}

// withoutBlock is the document of an answer whose block has no room; its notices stay as far as they have.
func withoutBlock(answer quarry.ContextAnswer, filter *quarry.Redactor, maxCharacters int) ([]byte, error) {
	tooSmall := []string{"max_tokens is too small for a block"}
	others := slices.DeleteFunc(slices.Clone(answer.Notices), func(notice string) bool {
		return strings.HasSuffix(notice, "too few for a context block") // of a bound that no client has given
	})
	answer.Text, answer.Sources, answer.Notices = "", []quarry.ContextSource{}, slices.Concat(tooSmall, others)
	document, surplus, err := bounded(answer, filter, maxCharacters)
	if err != nil || surplus <= 0 {
		return document, err
	}
	answer.Topic, answer.Notices = "", tooSmall
	document, _, err = bounded(answer, filter, maxCharacters)
	return document, err
}

// shorterShare is how much of the room a second block is to fill: another text may hold more that is written longer in JSON.
const shorterShare = .9

// shorterBlock is the bound, in tokens, of a block whose document has room where that of another, with a text, is so long.
func shorterBlock(text string, documentCharacters, maxCharacters int) (maxTokens int, err error) {
	encoded, err := encode(text)
	if err != nil || text == "" {
		return 0, err
	}
	written := utf8.RuneCount(encoded)
	room := maxCharacters - (documentCharacters - written)
	return int(shorterShare * float64(room) * float64(utf8.RuneCountInString(text)) / float64(written*budget.CharactersPerToken)), nil
}

package hook

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"quarry"
	"quarry/brief"
)

// Bounds of a piece of context. The first passage is given room to answer, those behind it to tell what they are about: they can be
// read by their place.
const (
	maxPassages        = 3
	maxPerNote         = 2
	maxFirstCharacters = 1200
	maxOtherCharacters = 500
	leastCharacters    = 80
	tokensPerPassage   = 200 // so many make room for a further one
	searchedPassages   = 8
	searchedTokens     = 16000 // whole passages
)

// passage is what may be given.
type passage struct {
	result    *quarry.SearchResult
	relevance float64
	key       string
}

// inject looks for passages and gives those that are worth it and that the session has not got yet.
func (a *answering) inject(ctx context.Context, asked query) Outcome {
	if asked.missing != "" {
		if asked.dropped != "" {
			a.say("words that name no matter: %s", asked.dropped)
		}
		return a.silent(asked.missing)
	}
	a.say("looked for: %s", asked.text)
	if asked.dropped != "" {
		a.say("words that name no matter: %s", asked.dropped)
	}
	engine, why := a.open(ctx)
	if engine == nil {
		return a.silent(why)
	}
	defer engine.Close()
	memory := memoryOf(engine, a.event, a.Now())
	if a.event.session != "" && !a.DryRun {
		defer memory.tidy(ctx)()
	}
	answer, err := engine.Search(ctx, quarry.SearchRequest{
		Query: asked.text, Limit: searchedPassages, MaxTokens: searchedTokens, Explain: true,
		Filter: quarry.Filter{ExcludeArchived: true}, NoHints: true, // hints would compare the whole vault
	})
	switch {
	case err != nil:
		return a.silent(failure(err))
	case answer.Status != quarry.StatusOK:
		return a.silent("the notes may not speak of it")
	}
	found := a.worthGiving(&answer, asked)
	if len(found) == 0 {
		a.say("a passage needs a relevance of %.2f: min_score in [hooks]", a.Settings.MinScore)
		return a.silent("no passage is relevant enough")
	}
	if ctx.Err() != nil {
		return a.silent("too late")
	}
	if found = a.unknown(memory, found); len(found) == 0 {
		return a.silent("the session has it already")
	}
	text, given := a.written(asked, found)
	if len(given) == 0 {
		return a.silent("nothing fits in")
	}
	for _, p := range given {
		a.say("given: %s", placeOf(p.result))
	}
	outcome := a.context(text, len(given))
	if a.event.session != "" && !a.DryRun {
		outcome.claim = &claim{memory: memory, passages: given, asked: asked}
	}
	return outcome
}

// claim is what a session gets with an outcome: passages for a query, or a text as a whole. It is remembered when the outcome is
// handed out, not before: one that comes too late was not given.
type claim struct {
	memory   memory
	passages []passage
	asked    query
	whole    string // the key of a text
}

func (c *claim) keys() []string {
	if c.whole != "" {
		return []string{c.whole}
	}
	keys := make([]string, len(c.passages))
	for i := range c.passages {
		keys[i] = c.passages[i].key
	}
	return keys
}

// settled is an outcome that is handed out before the context ends: the session has it from here on. What another call has given
// meanwhile is left out.
func (a *answering) settled(ctx context.Context, outcome Outcome) Outcome {
	c := outcome.claim
	if c == nil {
		return outcome
	}
	patience := lockPatience
	if end, isLimited := ctx.Deadline(); isLimited {
		patience = min(patience, time.Until(end)-writeTime)
	}
	fresh, err := c.memory.claim(ctx, c.keys(), patience)
	if err != nil {
		return a.unsettled(outcome, forgotten(err))
	}
	if len(fresh) == len(c.keys()) {
		outcome.isSettled = true
		return outcome
	}
	left := slices.DeleteFunc(slices.Clone(c.passages), func(p passage) bool { return !fresh[p.key] })
	text, given := a.written(c.asked, left)
	if len(given) == 0 {
		return a.unsettled(outcome, "the session has it already")
	}
	next := a.contextOf(text, len(given))
	next.Steps, next.Record.Captured = outcome.Steps, outcome.Record.Captured
	next.claim, next.isSettled = &claim{memory: c.memory, passages: given, asked: c.asked}, true
	return next
}

// unsettled is what is left of an outcome that is not given in the end.
func (a *answering) unsettled(outcome Outcome, reason string) Outcome {
	record := a.record(Silent, reason)
	record.Captured = outcome.Record.Captured
	return Outcome{Record: record, Steps: append(slices.Clone(outcome.Steps), "nothing is given in the end: "+reason)}
}

// forgotten says in a word why something could not be remembered.
func forgotten(err error) string {
	switch {
	case errors.Is(err, errBusy):
		return errBusy.Error()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "too late"
	}
	return "the memory of sessions cannot be written"
}

// Withdraw tells that the reply could not be handed to the client, so that the session gets what is in it another time.
func (o Outcome) Withdraw() {
	if o.isSettled {
		o.claim.memory.withdraw(o.claim.keys())
	}
}

// worthGiving are the relevant passages of an answer, in its order.
func (a *answering) worthGiving(answer *quarry.SearchAnswer, asked query) []passage {
	weigh := newWeighing(answer, asked)
	perNote := map[string]int{}
	var all, found []passage
	for i := range answer.Results {
		r := &answer.Results[i]
		p := passage{result: r, relevance: weigh.relevance(r), key: keyOf(r)}
		all = append(all, p)
		if p.relevance >= a.Settings.MinScore && perNote[r.FilePath] < maxPerNote {
			perNote[r.FilePath]++
			found = append(found, p)
		}
	}
	slices.SortStableFunc(all, func(a, b passage) int { return cmp.Compare(b.relevance, a.relevance) })
	for _, p := range all {
		a.say("%.2f %s", p.relevance, placeOf(p.result))
	}
	return found
}

func placeOf(r *quarry.SearchResult) string {
	return fmt.Sprintf("%s:%d-%d %s", r.FilePath, r.LineStart, r.LineEnd, r.Section)
}

// keyOf identifies a passage with its text: one that changed is another.
func keyOf(r *quarry.SearchResult) string { return keyOfText(r.ChunkID + "\x00" + r.ChunkText) }

func keyOfText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// unknown leaves the first passages that the session has not got.
func (a *answering) unknown(m memory, found []passage) []passage {
	most := min(maxPassages, 1+a.Settings.MaxTokens/tokensPerPassage)
	if a.event.session == "" {
		return found[:min(len(found), most)]
	}
	keys := make([]string, len(found))
	for i := range found {
		keys[i] = found[i].key
	}
	isNew, _ := m.fresh(keys, most)
	return slices.DeleteFunc(slices.Clone(found), func(p passage) bool { return !isNew[p.key] })
}

// written is the context, and the passages that are in it: as many as fit in.
func (a *answering) written(asked query, found []passage) (text string, given []passage) {
	block := brief.Block{Topic: asked.text}
	for i, p := range found {
		limit := maxOtherCharacters
		if i == 0 {
			limit = maxFirstCharacters
		}
		for ; limit >= leastCharacters; limit = limit * 2 / 3 {
			r := p.result
			next := block
			next.Passages = append(block.Passages[:len(block.Passages):len(block.Passages)], brief.Passage{
				FilePath: r.FilePath, Title: r.Title, Section: r.Section, Text: cutAtSentence(r.ChunkText, limit),
				LineStart: r.LineStart, LineEnd: r.LineEnd, IsStale: r.Stale,
			})
			longer, err := brief.Format("markdown", next)
			if err == nil && tokensOf(longer) <= a.Settings.MaxTokens && a.event.fits(longer) {
				block, text, given = next, longer, append(given, p)
				break
			}
		}
	}
	return text, given
}

// cutAtSentence shortens a text to so many characters: at the end of a sentence or a line where one ends in the second half, else
// between words, with "…" where it was cut. Code that is cut in its fence has the end of the fence.
func cutAtSentence(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	runes := []rune(text)[:limit]
	head := string(runes)
	at := -1
	for _, end := range []string{". ", ".\n", "! ", "? ", "\n\n", "。", "！", "？", "\n"} {
		if found := strings.LastIndex(head, end); found >= len(head)/2 {
			at = max(at, found+len(strings.TrimRight(end, " \n")))
		}
	}
	mark := "…"
	if at > 0 && strings.ContainsAny(head[at-1:at], ".!?") {
		mark = " …" // what was left out is more than the sentence's end
	}
	if at < 0 {
		at = len(head)
		if space := strings.LastIndexAny(head, " \n\t"); space > len(head)*3/4 {
			at = space
		}
	}
	head = strings.TrimRight(head[:at], " \n\t") + mark
	if strings.Count(head, "```")%2 == 1 {
		head += "\n```"
	}
	return head
}

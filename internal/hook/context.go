package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
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
		return a.silent(asked.missing)
	}
	a.say("looked for: %s", asked.text)
	engine, why := a.open(ctx)
	if engine == nil {
		return a.silent(why)
	}
	defer engine.Close()
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
	found := a.worthGiving(&answer)
	if len(found) == 0 {
		a.say("a passage needs a relevance of %.2f: min_score in [hooks]", a.Settings.MinScore)
		return a.silent("no passage is relevant enough")
	}
	if ctx.Err() != nil {
		return a.silent("too late")
	}
	if found = a.unknown(engine, found); len(found) == 0 {
		return a.silent("the session has it already")
	}
	text, count := a.written(asked, found)
	if count == 0 {
		return a.silent("nothing fits in")
	}
	return a.context(text, count)
}

// worthGiving are the relevant passages of an answer, in its order.
func (a *answering) worthGiving(answer *quarry.SearchAnswer) []passage {
	terms := termsOf(answer.Plan)
	perNote := map[string]int{}
	var found []passage
	for i := range answer.Results {
		r := &answer.Results[i]
		value := relevance(terms, r)
		a.say("%.2f %s:%d-%d %s", value, r.FilePath, r.LineStart, r.LineEnd, r.Section)
		if value < a.Settings.MinScore || perNote[r.FilePath] == maxPerNote {
			continue
		}
		perNote[r.FilePath]++
		found = append(found, passage{result: r, relevance: value, key: keyOf(r)})
	}
	return found
}

// keyOf identifies a passage with its text: one that changed is another.
func keyOf(r *quarry.SearchResult) string { return keyOfText(r.ChunkID + "\x00" + r.ChunkText) }

func keyOfText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// unknown leaves the first passages that the session has not got, and remembers them as given.
func (a *answering) unknown(engine *quarry.Engine, found []passage) []passage {
	most := min(maxPassages, 1+a.Settings.MaxTokens/tokensPerPassage)
	if a.event.session == "" {
		return found[:min(len(found), most)]
	}
	keys := make([]string, len(found))
	for i := range found {
		keys[i] = found[i].key
	}
	memory := memoryOf(engine, a.event, a.Now())
	isNew := memory.claim(keys, most, a.DryRun)
	var left []passage
	for _, p := range found {
		if isNew[p.key] {
			left = append(left, p)
		}
	}
	return left
}

// written is the context, and how many passages are in it: as many as fit in.
func (a *answering) written(asked query, found []passage) (string, int) {
	block := brief.Block{Topic: asked.text}
	text := ""
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
				block, text = next, longer
				break
			}
		}
	}
	return text, len(block.Passages)
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

package search

import (
	"context"
	"math"
	"slices"
	"unicode/utf8"

	"quarry/store"
)

// Explain tells how a result came by its place. Contributions add up to the fused score, in order.
type Explain struct {
	BM25          *float64       `json:"bm25"`   // raw, higher is better; null where the lexical leg did not bring it
	Cosine        *float64       `json:"cosine"` // -1 to 1; null where the vector leg did not bring it
	Contributions []Contribution `json:"contributions"`
	Score         float64        `json:"score"` // the sum
}

// Contribution is one amount of the score.
type Contribution struct {
	Name   string  `json:"name"`
	Amount float64 `json:"amount"`
}

// Passages fetched at once; more only if some of them are gone from the vault.
const fetchExtra = 4

// fill turns the best candidates into results until the limit or the budget is met.
func (s Searcher) fill(ctx context.Context, request Request, candidates []candidate, answer *Answer) error {
	budget := budget{left: request.MaxTokens}
	gone := 0
	defer func() {
		if gone > 0 {
			answer.notice("%d passages of files that are no longer there were left out; run `quarry index`", gone)
		}
	}()
	for len(candidates) > 0 {
		take := min(len(candidates), request.Limit-len(answer.Results)+fetchExtra)
		found, err := s.fetch(ctx, candidates[:take])
		if err != nil {
			return err
		}
		for i, f := range found {
			if len(answer.Results) == request.Limit {
				return nil
			}
			if candidates[i].confidence < request.MinScore {
				continue
			}
			presence := s.presence(f)
			if presence == Gone {
				gone++
			}
			if presence == Gone || presence == Withheld {
				continue
			}
			result := s.result(candidates[i], f, request.Explain)
			s.redact(&result)
			result.Stale = presence == Stale
			if !budget.admit(&result) {
				return nil
			}
			answer.Results = append(answer.Results, result)
		}
		candidates = candidates[take:]
	}
	return nil
}

func (s Searcher) fetch(ctx context.Context, candidates []candidate) ([]store.Found, error) {
	ids := make([]store.PassageID, len(candidates))
	for i, c := range candidates {
		ids[i] = c.id
	}
	return s.Snapshot.Passages(ctx, ids)
}

func (s Searcher) presence(f store.Found) Presence {
	if s.Presence == nil {
		return Fresh
	}
	return s.Presence(f.Note.File)
}

func (s Searcher) result(c candidate, f store.Found, explain bool) Result {
	r := Result{
		FilePath: f.Note.Path, Title: f.Note.Title, Section: nearestHeading(f.HeadingPath), HeadingPath: notNil(f.HeadingPath),
		ChunkID: s.ChunkID(f.Note.NoteID, f.Index), DocID: f.Note.DocID, ChunkText: f.Text,
		LineStart: f.LineStart, LineEnd: f.LineEnd, Score: c.confidence, RRFScore: math.Round(c.rrf*1e6) / 1e6,
		BM25Rank: rankOrNil(c.lexicalRank), VecRank: rankOrNil(c.vectorRank),
		Type: f.Note.Type, Tags: notNil(f.Note.Tags), Updated: f.Note.Updated, Source: f.Note.Source,
	}
	if explain {
		r.Explain = c.explain()
	}
	return r
}

// redact takes secrets out of a result that the index holds since it knew fewer of them.
func (s Searcher) redact(r *Result) {
	if s.Redact == nil {
		return
	}
	for _, text := range []*string{&r.FilePath, &r.Title, &r.Section, &r.ChunkID, &r.ChunkText, &r.Type, &r.Updated, &r.Source} {
		*text = s.Redact(*text)
	}
	for _, list := range []*[]string{&r.HeadingPath, &r.Tags} {
		*list = slices.Clone(*list) // the store's own is not to be changed
		for i, text := range *list {
			(*list)[i] = s.Redact(text)
		}
	}
}

func nearestHeading(path []string) string {
	if len(path) == 0 {
		return ""
	}
	return path[len(path)-1]
}

func (c candidate) explain() *Explain {
	e := &Explain{Contributions: []Contribution{}, Score: c.rrf}
	if c.lexicalRank > 0 {
		e.BM25 = &c.bm25
		e.Contributions = append(e.Contributions, Contribution{"lexical rank", c.lexicalShare})
	}
	if c.vectorRank > 0 {
		e.Cosine = &c.cosine
		e.Contributions = append(e.Contributions, Contribution{"vector rank", c.vectorShare})
	}
	return e
}

func rankOrNil(rank int) *int {
	if rank == 0 {
		return nil
	}
	return &rank
}

func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// budget admits passages in order while they fit; the first is cut rather than left out.
type budget struct {
	left int // tokens
	used bool
}

func (b *budget) admit(r *Result) bool {
	tokens := Tokens(r.ChunkText)
	if tokens > b.left {
		if b.used || b.left <= 0 {
			return false
		}
		r.ChunkText, r.Truncated = CutToTokens(r.ChunkText, b.left), true
		tokens = b.left
	}
	b.left -= tokens
	b.used = true
	return true
}

// Tokens estimates the tokens of a text: CharactersPerToken characters a token, rounded down.
func Tokens(text string) int { return utf8.RuneCountInString(text) / CharactersPerToken }

// CutToTokens shortens a text to a budget, with "…" where it was cut. A text that fits is returned as it is.
func CutToTokens(text string, tokens int) string {
	limit := tokens * CharactersPerToken
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	count := 0
	for at := range text {
		if count == max(limit-1, 0) {
			return text[:at] + "…"
		}
		count++
	}
	return text
}

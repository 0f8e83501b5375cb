package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"quarry/store"
)

// Passages fetched at once; more only if some of them are left out.
const fetchExtra = 4

// filling turns candidates into results until the limit or the budget is met.
type filling struct {
	Searcher
	request Request
	answer  *Answer
	budget  budget
	repeats *repeats // nil where the answer is a list of notes
	listed  []listed // with those that gave way to a twin
	count   int      // of them without those
	gone    int      // passages whose files are no longer there
	skipped int      // passages that the budget had no room for
}

// listed is a result with the score that it stands by.
type listed struct {
	Result
	order   float64
	gaveWay bool
}

// fill turns the best candidates into results. Of passages that say the same one stands; one that the budget has no room for
// makes room for smaller ones behind it.
func (s Searcher) fill(ctx context.Context, request Request, candidates []candidate, answer *Answer) error {
	f := filling{Searcher: s, request: request, answer: answer, budget: newBudget(request.MaxTokens)}
	if len(candidates) > 0 && candidates[0].amounts != nil {
		f.repeats = newRepeats()
		candidates = s.spread(request, candidates)
	}
	for len(candidates) > 0 && !f.isFull() {
		take := min(len(candidates), request.Limit-f.count+fetchExtra)
		found, err := s.fetch(ctx, candidates[:take])
		if err != nil {
			return err
		}
		for i := range found {
			if f.isFull() {
				break
			}
			if candidates[i].confidence >= request.MinScore {
				f.add(candidates[i], found[i])
			}
		}
		candidates = candidates[take:]
	}
	for _, l := range f.listed {
		if !l.gaveWay {
			answer.Results = append(answer.Results, l.Result)
		}
	}
	if f.gone > 0 {
		answer.notice("%d passages of files that are no longer there were left out; run `quarry index`", f.gone)
	}
	return nil
}

// isFull tells that nothing more is looked at: behind what has no room, as many passages are as were asked for.
func (f *filling) isFull() bool {
	return f.count >= f.request.Limit || f.budget.left <= 0 || f.skipped > f.request.Limit
}

// add lists a passage, or says of one that stands already that it is repeated.
func (f *filling) add(c candidate, found store.Found) {
	result := f.result(c, found, f.request.Explain)
	f.redact(&result)
	text := imprintOf(result.Title, result.ChunkText)
	kept, isRepeat := -1, false
	if f.repeats != nil {
		kept, isRepeat = f.repeats.find(&text)
	}
	if !isRepeat && !f.budget.fits(result.ChunkText) {
		f.skipped++
		return
	}
	presence := f.presence(found)
	switch {
	case presence == Gone:
		f.gone++
		return
	case presence == Withheld:
		return
	}
	result.Stale = presence == Stale
	if isRepeat && !f.giveWay(kept, &result, c.score) {
		f.listed[kept].addDuplicate(result.FilePath)
		return
	}
	f.budget.take(&result)
	if f.repeats != nil {
		f.repeats.keep(&text, len(f.listed))
	}
	f.listed = append(f.listed, listed{Result: result, order: c.score})
	f.count++
}

// twinShare is the share of its score by which a passage may be better than its twin and yet give way to it.
const twinShare = .05

// giveWay takes a passage out for its twin in another note, where they are as good as each other and the other note has the
// shorter path, or the first: which of two copies stands must not hang on how near the name of one is to the query by chance.
func (f *filling) giveWay(kept int, twin *Result, order float64) bool {
	l := &f.listed[kept]
	if l.Truncated || l.ChunkText != twin.ChunkText || order < float64((1-twinShare)*l.order) ||
		cmp.Or(cmp.Compare(len(twin.FilePath), len(l.FilePath)), cmp.Compare(twin.FilePath, l.FilePath)) >= 0 {
		return false
	}
	f.budget.giveBack(&l.Result)
	l.gaveWay = true
	f.count--
	twin.Duplicates = l.Duplicates
	twin.addDuplicate(l.FilePath)
	return true
}

// addDuplicate notes another note that says the same.
func (r *Result) addDuplicate(path string) {
	if at, isThere := slices.BinarySearch(r.Duplicates, path); !isThere && path != r.FilePath {
		r.Duplicates = slices.Insert(r.Duplicates, at, path)
	}
}

func (s Searcher) fetch(ctx context.Context, candidates []candidate) ([]store.Found, error) {
	ids := make([]store.PassageID, len(candidates))
	for i, c := range candidates {
		ids[i] = c.ID
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
		BM25Rank: rankOrNil(c.LexicalRank), VecRank: rankOrNil(c.VectorRank),
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

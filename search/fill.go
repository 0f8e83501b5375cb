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

// maxDuplicates are named of the notes that say the same as a result: a paragraph that each daily note has would be a longer list than
// all else that is answered.
const maxDuplicates = 50

// filling turns candidates into results until the limit or the budget is met.
type filling struct {
	Searcher
	request    Request
	answer     *Answer
	candidates []candidate
	budget     budget
	repeats    *repeats // nil where the answer is a list of notes
	presences  *presences
	listed     []listed
	least      float64          // the lowest order of them
	windows    map[float64]bool // their cosines with the best window, which twins share; 0 where there is none
	lost       map[int]bool     // candidates whose files are no longer there, or withheld
	gone       int              // the former
	skipped    int              // passages that the budget had no room for
	leftOut    legCounts        // candidates that repeat others, or are lost, before the list was full
}

// listed is a result with the place of its candidate, or of its twin that came first, and the score that it stands by.
type listed struct {
	Result
	text      string // whole
	place     int
	order     float64
	repeating []string // paths of others that say the same
}

// legCounts are numbers of candidates by the leg that brought them.
type legCounts struct{ lexical, vector int }

func (l *legCounts) add(c *candidate) {
	if c.LexicalRank > 0 {
		l.lexical++
	}
	if c.VectorRank > 0 {
		l.vector++
	}
}

// fill turns the best candidates into results. Of passages that say the same one stands; one that the budget has no room for
// makes room for smaller ones behind it. The answer's best is that of all candidates but those found gone or withheld. It tells of an answer
// that deeper legs would make better.
func (s Searcher) fill(ctx context.Context, request Request, plan *Plan, candidates []candidate, answer *Answer) (isShort bool, err error) {
	f := newFilling(s, request, answer)
	if !plan.filterOnly {
		f.repeats = newRepeats()
		candidates = s.spread(plan, candidates)
	}
	f.candidates = candidates
	showConfidences(candidates)
	under := 0
	for under < len(candidates) && candidates[len(candidates)-1-under].shown < request.MinScore {
		under++
	}
	if err := f.list(ctx, len(candidates)-under); err != nil {
		return false, err
	}
	f.finish()
	if f.gone > 0 {
		answer.notice("%d passages of files that are no longer there were left out; run `quarry index`", f.gone)
	}
	if under > 0 && len(answer.Results) < request.Limit {
		answer.notice("%d passages are under the score asked for", under)
	}
	return f.isShort(plan.Depth), nil
}

func newFilling(s Searcher, request Request, answer *Answer) *filling {
	return &filling{
		Searcher: s, request: request, answer: answer, budget: newBudget(request.MaxTokens), least: math.Inf(1),
		lost: map[int]bool{}, windows: map[float64]bool{}, presences: newPresences(s.Presence),
	}
}

// isShort tells whether a leg brought as many passages as it was asked for, and fewer of them are left than there is room for in the
// answer: what it would have brought behind them may be better than what is listed.
func (f *filling) isShort(depth int) bool {
	if f.repeats == nil || f.leftOut == (legCounts{}) { // a list of notes comes from no leg
		return false
	}
	room := f.request.Limit
	if len(f.listed) < room && f.isFull() { // the budget is
		room = len(f.listed)
	}
	var brought legCounts
	for i := range f.candidates {
		brought.add(&f.candidates[i])
	}
	return brought.lexical >= depth && brought.lexical-f.leftOut.lexical < room ||
		brought.vector >= depth && brought.vector-f.leftOut.vector < room
}

// list goes through the first so many candidates.
func (f *filling) list(ctx context.Context, count int) error {
	next := 0
	for next < count && !f.isFull() {
		take := min(count-next, f.request.Limit-len(f.listed)+fetchExtra)
		if err := f.addAll(ctx, placesFrom(next, take)); err != nil {
			return err
		}
		next += take
	}
	if f.repeats == nil {
		return nil
	}
	return f.addAll(ctx, f.twinsFrom(next, count))
}

// twinsFrom gives the places of candidates behind those that were looked at that may be twins of what is listed: which of these stands
// must not hang on how many were asked for.
func (f *filling) twinsFrom(next, count int) []int {
	var places []int
	for ; next < count && f.candidates[next].score >= lessTwinShare(f.least); next++ {
		if f.windows[f.candidates[next].nearness.Window] {
			places = append(places, next)
		}
	}
	return places
}

func placesFrom(first, count int) []int {
	places := make([]int, count)
	for i := range places {
		places[i] = first + i
	}
	return places
}

// addAll fetches candidates and adds them in their order.
func (f *filling) addAll(ctx context.Context, places []int) error {
	if len(places) == 0 {
		return nil
	}
	ids := make([]store.PassageID, len(places))
	for i, place := range places {
		ids[i] = f.candidates[place].ID
	}
	found, err := f.Snapshot.Passages(ctx, ids)
	if err != nil {
		return err
	}
	for i, p := range f.prepared(places, found) {
		f.add(places[i], found[i], p)
	}
	return nil
}

// isFull tells that no more is listed: behind what has no room, as many passages were looked at as were asked for.
func (f *filling) isFull() bool {
	return len(f.listed) >= f.request.Limit || f.budget.left <= 0 || f.skipped > f.request.Limit
}

// add lists a passage, or says of one that is listed that it is repeated.
func (f *filling) add(place int, found store.Found, p *prepared) {
	c, result, text := &f.candidates[place], p.result, p.text
	kept, isRepeat := -1, false
	if f.repeats != nil {
		kept, isRepeat = f.repeats.find(&text)
	}
	isFull := f.isFull()
	if !isRepeat && isFull {
		return
	}
	presence := f.presences.of(found)
	isLost := presence == Gone || presence == Withheld
	if !isFull && (isLost || isRepeat) {
		f.leftOut.add(c)
	}
	if isLost {
		f.lost[place] = true
		if presence == Gone {
			f.gone++
		}
		return
	}
	result.Stale = presence == Stale
	switch {
	case isRepeat:
		f.listed[kept].repeatedBy(result, c)
	case !f.budget.fits(result.ChunkText):
		f.skipped++
	default:
		if f.repeats != nil {
			f.repeats.keep(&text, len(f.listed))
		}
		l := listed{Result: result, text: result.ChunkText, place: place, order: c.score}
		f.budget.take(&l.Result)
		f.least = min(c.score, f.least)
		f.listed = append(f.listed, l)
		f.windows[c.nearness.Window] = true
	}
}

// twinShare is the share of its score by which a passage may be better than its twin and yet give way to it: so near to the notes of two
// vaults were 95 to 100 of 100 copies of them under names of up to four words more.
const twinShare = .05

func lessTwinShare(score float64) float64 { return score - float64(twinShare*math.Abs(score)) }

// sameTextName is the name of what a passage has above its own score that stands in the place of its twin.
const sameTextName = "same text"

// repeatedBy notes another passage that says the same. One that is its twin takes its place, where they are nearly as good as each
// other and the twin's note has the shorter path, or the first: which of two copies stands must not hang on how near the name of one
// is to the query by chance.
func (l *listed) repeatedBy(r Result, c *candidate) {
	if l.text != r.ChunkText || c.score < lessTwinShare(l.order) ||
		cmp.Or(cmp.Compare(len(r.FilePath), len(l.FilePath)), cmp.Compare(r.FilePath, l.FilePath)) >= 0 {
		l.repeating = append(l.repeating, r.FilePath)
		return
	}
	l.repeating = append(l.repeating, l.FilePath)
	r.ChunkText, r.Truncated = l.ChunkText, l.Truncated
	if r.Explain != nil {
		r.Explain.MoveTo(max(l.order, r.Explain.Score), sameTextName)
	}
	l.Result = r
}

// finish hands the results over, with the scores that they have without what is not there.
func (f *filling) finish() {
	for i := range f.candidates {
		if f.lost[i] {
			f.candidates[i].confidence = 0
		}
	}
	showConfidences(f.candidates)
	if len(f.candidates) > 0 {
		f.answer.best = f.candidates[0].shown
	}
	unnamed := 0
	for _, l := range f.listed {
		slices.Sort(l.repeating)
		others := slices.DeleteFunc(slices.Compact(l.repeating), func(path string) bool { return path == l.FilePath })
		named := others[:min(len(others), maxDuplicates)]
		l.Duplicates = slices.Clip(named)
		if l.Score = f.candidates[l.place].shown; l.Score >= f.request.MinScore {
			f.answer.Results = append(f.answer.Results, l.Result)
			unnamed += len(others) - len(named)
		}
	}
	if unnamed > 0 {
		f.answer.notice("%d more notes say the same as what is listed, and are not named", unnamed)
	}
}

func (f *filling) result(c *candidate, found store.Found) Result {
	note := found.Note
	r := Result{
		FilePath: note.Path, Title: note.Title, Section: nearestHeading(found.HeadingPath), HeadingPath: notNil(found.HeadingPath),
		ChunkID: f.ChunkID(note.NoteID, found.Index), DocID: note.DocID, ChunkText: found.Text,
		LineStart: found.LineStart, LineEnd: found.LineEnd, RRFScore: math.Round(c.rrf*1e6) / 1e6,
		BM25Rank: rankOrNil(c.LexicalRank), VecRank: rankOrNil(c.VectorRank),
		Type: note.Type, Tags: notNil(note.Tags), Updated: note.Updated, Source: note.Source,
	}
	if f.request.Explain {
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

package search

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"quarry/store"
)

// prefer notes an amount that prefers a note to others, and is no sign that it speaks of the query.
func (c *candidate) prefer(name string, amount float64) {
	c.preferred += c.add(name, amount)
}

// Bounds of signals that no set tells of, chosen to move a note among those nearly as good: between the best hit and the tenth lies .94,
// the median of five sets.
const (
	// weightScale is what a type of endless weight adds, and one of weight 0 loses.
	weightScale = 0.25
	// topRank is the PageRank, in units of an average note's, that gets the full amount; the amount grows with its logarithm.
	topRank = 100
)

// signals are those of one query.
type signals struct {
	Signals
	plan           *Plan
	titleShares    map[string]float64 // by path: how much of the title, or of an alias, the query is
	first          map[string]int     // by path: the first passage of a note among the candidates
	bestIdentifier float64
	tagTerms       []PlanTerm
	tagTotal       float64   // Σ idf of the terms
	newest         time.Time // zero where age does not count
	notes          float64
}

func (s Searcher) signalsFor(ctx context.Context, plan *Plan, candidates []candidate) (*signals, error) {
	g := &signals{Signals: s.settings().Signals, plan: plan, first: map[string]int{}}
	for _, c := range candidates {
		g.bestIdentifier = max(g.bestIdentifier, c.Identifier)
		if at, isKnown := g.first[c.Note.Path]; !isKnown || c.Index < at {
			g.first[c.Note.Path] = c.Index
		}
	}
	for _, t := range plan.Terms {
		if !t.isJoined() {
			g.tagTerms = append(g.tagTerms, t)
			g.tagTotal += t.IDF
		}
	}
	if g.Title != 0 && plan.Form != FormVector {
		var err error
		if g.titleShares, err = s.titleShares(ctx, plan, candidates); err != nil {
			return nil, err
		}
	}
	if g.Links != 0 {
		notes, _, err := s.Snapshot.Counts(ctx)
		if err != nil {
			return nil, err
		}
		g.notes = float64(notes)
	}
	if plan.AsksNewest && g.Decay != 0 {
		var err error
		if g.newest, err = s.newestDay(ctx); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// add notes the amounts of all signals.
func (g *signals) add(c *candidate, form Form) {
	if form != FormVector {
		c.isNamed = g.titleShares[c.Note.Path] == 1
		if g.first[c.Note.Path] == c.Index { // who asks for a note by its name is shown its head
			share := g.titleShares[c.Note.Path]
			c.add("title", g.Title*share*share)
		}
		if g.bestIdentifier > 0 {
			c.add("identifier", g.Identifier*c.Identifier/g.bestIdentifier)
		}
		c.add("tag", g.Tag*g.tagShare(c.Note.Tags))
	}
	c.prefer("age", -g.Decay*g.age(c.Note))
	if g.Links != 0 && c.PageRank > 0 {
		c.prefer("links", g.Links*min(math.Log1p(float64(c.PageRank*g.notes))/math.Log1p(topRank), 1))
	}
	c.prefer("type weight", weightScale*g.TypeWeight*(c.Weight-1)/(c.Weight+1))
	if form != FormVector {
		g.addList(c)
	}
	switch strings.ToLower(c.Note.Status) {
	case "archived":
		c.prefer("status", -g.Status)
	case "draft":
		c.prefer("status", -g.Status/2)
	}
}

// tagShare is the share of the query, by idf, that is the name of a tag, or of a part of a nested one.
func (g *signals) tagShare(tags []string) float64 {
	if g.Tag == 0 || len(tags) == 0 || g.tagTotal <= 0 {
		return 0
	}
	sum := 0.0
	for _, t := range g.tagTerms {
		if slices.ContainsFunc(tags, func(tag string) bool { return isPartOfTag(tag, t.Text) }) {
			sum += t.IDF
		}
	}
	return sum / g.tagTotal
}

func isPartOfTag(tag, word string) bool {
	for part := range strings.SplitSeq(tag, "/") {
		if strings.EqualFold(part, word) {
			return true
		}
	}
	return false
}

// defaultHalfLifeDays is that of settings which name none: half a year, for no set has dates to fit it to.
const defaultHalfLifeDays = 180

// age is 0 for the newest note of the index and goes to 1: 1 - 2^(-days/half-life). A note of no date is of middle age.
func (g *signals) age(n *store.Note) float64 {
	if g.newest.IsZero() {
		return 0
	}
	day, ok := dayOf(n)
	if !ok {
		return 0.5
	}
	halfLife := g.HalfLifeDays[strings.ToLower(n.Type)]
	if halfLife <= 0 {
		halfLife = g.HalfLifeDays[""]
	}
	if halfLife <= 0 {
		halfLife = defaultHalfLifeDays
	}
	days := max(g.newest.Sub(day).Hours()/24, 0)
	return 1 - math.Exp2(-days/halfLife)
}

// dayOf reads the day that a note's own date begins with.
func dayOf(n *store.Note) (time.Time, bool) {
	for _, text := range []string{n.Updated, n.Created} {
		if len(text) < len(time.DateOnly) {
			continue
		}
		if day, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)]); err == nil {
			return day, true
		}
	}
	return time.Time{}, false
}

// newestDay is the day of the newest note that has one, notes of days to come aside; zero if none has.
func (s Searcher) newestDay(ctx context.Context) (newest time.Time, err error) {
	today, err := time.Parse(time.DateOnly, s.Today)
	isKnown := err == nil
	for looked := 64; ; looked *= 16 {
		query := store.NoteQuery{Filter: store.Filter{Until: s.Today}, Sort: store.ByUpdated, Limit: looked}
		notes, err := s.Snapshot.Notes(ctx, query)
		if err != nil {
			return newest, err
		}
		for i := range notes {
			if day, ok := dayOf(&notes[i]); ok && day.After(newest) && (!isKnown || !day.After(today)) {
				newest = day
			}
		}
		if !newest.IsZero() || len(notes) < looked {
			return newest, nil
		}
	}
}

// titleShares gives the notes whose title, or one of whose aliases, holds all words of the query, with the share of it that these are
// by number: 1 where it has no other. Words are stems, in any order, and function words are none, unless there are no others.
func (s Searcher) titleShares(ctx context.Context, plan *Plan, candidates []candidate) (map[string]float64, error) {
	texts, owners := []string{plan.content}, []string{""}
	seen := map[string]bool{}
	starts := startsOf(plan.content)
	for _, c := range candidates {
		if seen[c.Note.Path] {
			continue
		}
		seen[c.Note.Path] = true
		for _, name := range append([]string{c.Note.Title}, c.Note.Aliases...) {
			if startsOf(name).mayHold(starts) { // few pass, and stems are not cheap
				texts, owners = append(texts, functionsOf(name).without(name)), append(owners, c.Note.Path)
			}
		}
	}
	if len(texts) == 1 {
		return nil, nil
	}
	words, err := s.Snapshot.Words(ctx, texts)
	if err != nil {
		return nil, err
	}
	asked := asSet(words[0])
	if len(asked) == 0 {
		return nil, nil
	}
	shares := map[string]float64{}
	for i, owner := range owners[1:] {
		if name := asSet(words[i+1]); isSubset(asked, name) {
			shares[owner] = max(shares[owner], float64(len(asked))/float64(len(name)))
		}
	}
	return shares, nil
}

func asSet(words []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(words)))
}

// isSubset tells whether all of a sorted list are in another.
func isSubset(of, all []string) bool {
	return len(of) <= len(all) && !slices.ContainsFunc(of, func(word string) bool {
		_, isThere := slices.BinarySearch(all, word)
		return !isThere
	})
}

// starts are the different first letters of a text's words: those of ASCII, and whether there are others, which an index may take for
// one of ASCII ("Élan" for "elan").
type starts struct {
	letters [2]uint64
	others  bool
}

func startsOf(text string) (s starts) {
	text = strings.ToLower(text)
	for _, w := range wordsOf(text) {
		if r, _ := utf8.DecodeRuneInString(text[w.start:w.end]); r < utf8.RuneSelf {
			s.letters[r>>6] |= 1 << (r & 63)
		} else {
			s.others = true
		}
	}
	return s
}

// mayHold tells whether a text may have all stems of another.
func (s starts) mayHold(other starts) bool {
	for i := range s.letters {
		if other.letters[i]&^s.letters[i] != 0 && !s.others {
			return false
		}
	}
	return !other.others || s.others || s.letters != [2]uint64{}
}

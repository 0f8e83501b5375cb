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

// Names of the contributions that prefer a note to others and are no sign that it speaks of the query.
const (
	decayName, linksName, weightName, statusName, shallowName = "age", "links", "type weight", "status", "shallow"
)

func isPreference(name string) bool {
	switch name {
	case decayName, linksName, weightName, statusName, shallowName:
		return true
	}
	return false
}

const (
	// weightScale is what a type of endless weight adds, and one of weight 0 loses.
	weightScale = 0.25
	// topRank is the PageRank, in units of an average note's, that gets the full amount.
	topRank = 100
)

// signals are those of one query.
type signals struct {
	Signals
	plan           *Plan
	named          map[*store.Note]bool // the query is the title or an alias
	bestIdentifier float64
	tagTerms       []PlanTerm
	tagTotal       float64   // Σ idf of the terms
	newest         time.Time // zero where age does not count
	notes          float64
}

func (s Searcher) signalsFor(ctx context.Context, plan *Plan, candidates []candidate) (*signals, error) {
	g := &signals{Signals: s.settings().Signals, plan: plan}
	for _, c := range candidates {
		g.bestIdentifier = max(g.bestIdentifier, c.Identifier)
	}
	for _, t := range plan.Terms {
		if !t.isJoined() {
			g.tagTerms = append(g.tagTerms, t)
			g.tagTotal += t.IDF
		}
	}
	if g.Title != 0 && plan.Form != FormVector {
		var err error
		if g.named, err = s.namedBy(ctx, plan.text, candidates); err != nil {
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
		if g.named[c.Note] {
			c.add("title", g.Title)
		}
		if g.bestIdentifier > 0 {
			c.add("identifier", g.Identifier*c.Identifier/g.bestIdentifier)
		}
		c.add("tag", g.Tag*g.tagShare(c.Note.Tags))
	}
	c.add(decayName, -g.Decay*g.age(c.Note))
	if g.Links != 0 && c.PageRank > 0 {
		c.add(linksName, g.Links*min(math.Log1p(float64(c.PageRank*g.notes))/math.Log1p(topRank), 1))
	}
	c.add(weightName, weightScale*g.TypeWeight*(c.Weight-1)/(c.Weight+1))
	switch strings.ToLower(c.Note.Status) {
	case "archived":
		c.add(statusName, -g.Status)
	case "draft":
		c.add(statusName, -g.Status/2)
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

// defaultHalfLifeDays is that of settings which name none.
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

// newestDay is the day of the newest note that has one, zero if none of the first few does.
func (s Searcher) newestDay(ctx context.Context) (time.Time, error) {
	const looked = 16
	notes, err := s.Snapshot.Notes(ctx, store.NoteQuery{Sort: store.ByUpdated, Limit: looked})
	if err != nil {
		return time.Time{}, err
	}
	for i := range notes {
		if day, ok := dayOf(&notes[i]); ok {
			return day, nil
		}
	}
	return time.Time{}, nil
}

// namedBy gives the notes whose title, or one of whose aliases, has the same words as the query: stems, in any order.
func (s Searcher) namedBy(ctx context.Context, query string, candidates []candidate) (map[*store.Note]bool, error) {
	texts, owners := []string{query}, []*store.Note{nil}
	seen := map[*store.Note]bool{}
	starts := startsOf(query)
	for _, c := range candidates {
		if seen[c.Note] {
			continue
		}
		seen[c.Note] = true
		for _, name := range append([]string{c.Note.Title}, c.Note.Aliases...) {
			if startsOf(name) == starts { // few pass, and stems are not cheap
				texts, owners = append(texts, name), append(owners, c.Note)
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
	named := map[*store.Note]bool{}
	asked := asSet(words[0])
	for i, owner := range owners {
		if owner != nil && len(asked) > 0 && slices.Equal(asSet(words[i]), asked) {
			named[owner] = true
		}
	}
	return named, nil
}

func asSet(words []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(words)))
}

// startsOf gives the different first letters of a text's words, those of ASCII alone: texts of the same stems have the same.
func startsOf(text string) [4]uint64 {
	var starts [4]uint64
	text = strings.ToLower(text)
	for _, w := range wordsOf(text) {
		if r, _ := utf8.DecodeRuneInString(text[w.start:w.end]); r < utf8.RuneSelf {
			starts[r>>6] |= 1 << (r & 63)
		}
	}
	return starts
}

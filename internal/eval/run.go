package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// Way is one way to search that is measured.
type Way struct {
	Name   string // hybrid, lexical, vector; sum, rrf
	Mode   string // of the search: hybrid, lexical, vector
	Fusion string // of the two legs: sum, rrf; "": as it is configured
}

// ways are those that are measured. The first that the engine has is the one that the figures at the top of a report speak of.
var ways = [...]Way{
	{"hybrid", "hybrid", ""},
	{"lexical", "lexical", ""},
	{"vector", "vector", ""},
	{"sum", "hybrid", "sum"},
	{"rrf", "hybrid", "rrf"},
}

// ErrNoMode is what an Ask gives for a mode that its engine does not have; the report leaves the way out.
var ErrNoMode = errors.New("the engine does not have this mode")

// DefaultPassages is the number of passages that is asked for where none is given.
const DefaultPassages = 10

// Answer is what an engine answered.
type Answer struct {
	Passages []Passage // best first
	Status   string    // as search says it: ok, weak, nothing_relevant, no_results
	Fusion   string    // by which it was ranked: sum, rrf; "": not known
}

// Passage is one of an answer; a note may have several.
type Passage struct {
	Path     string   // of its note
	Headings []string // those above it and in it, which are the sections that it counts for
}

// Ask puts a query to an engine, in one way, and gives at most n passages.
type Ask func(ctx context.Context, query string, way Way, n int) (Answer, error)

// Report is what was measured: the figures of the hybrid mode (of the lexical one, without a model) at the top, by intent and by
// query, and each mode's. Figures are rounded to 1e-6.
type Report struct {
	Queries int `json:"queries"`
	Figures
	ByIntent map[string]IntentFigures `json:"by_intent"`
	ByMode   map[string]ModeFigures   `json:"by_mode"`   // hybrid, lexical, vector, as far as the engine has them
	ByFusion map[string]ModeFigures   `json:"by_fusion"` // of the hybrid mode: sum, rrf
	// Differences of nDCG@10 between what stands at the top and the other ways, without the fusion that it was ranked by.
	Differences []Difference   `json:"differences"`
	PerQuery    []QueryFigures `json:"per_query"`
	Worst       []QueryFigures `json:"worst,omitempty"` // those that Lowest gave, where they are asked for
	Diff        *Diff          `json:"diff,omitempty"`  // against an earlier run, where there is one
}

// IntentFigures are the means over the queries of one intent.
type IntentFigures struct {
	Queries int `json:"queries"`
	Figures
}

// ModeFigures are the means of one way to search.
type ModeFigures struct {
	Figures
	// SectionHit10 is the share of the queries with an expected section of which one is among the first 10 passages; nil where no
	// query has one.
	SectionHit10 *float64 `json:"section_hit_10,omitempty"`
	// Statuses count what the answers said of themselves: all queries are answerable, so all but ok is a doubt in vain.
	Statuses map[string]int `json:"statuses"`
}

// QueryFigures tell of one query.
type QueryFigures struct {
	ID        string             `json:"id"`
	NDCG10    float64            `json:"ndcg_10"`
	RankFirst *int               `json:"rank_first"` // 1-based rank of the first expected note, nil if it was not found
	Query     string             `json:"query"`
	Intent    string             `json:"intent"`
	Status    string             `json:"status"`
	First     string             `json:"first"`   // path of the note that stood first, "" without results
	ByMode    map[string]float64 `json:"by_mode"` // nDCG@10 of each way that was measured
}

// Run asks each query in each way for n passages (DefaultPassages if n < 1), one after the other, and measures the
// answers note by note, a note standing where its best passage stands. The fusion by which all answers of the hybrid mode say that
// they were ranked is not asked again. An error of ask, or of ctx, ends it.
func Run(ctx context.Context, queries []Query, ask Ask, n int) (Report, error) {
	if n < 1 {
		n = DefaultPassages
	}
	report := Report{
		Queries: len(queries), ByIntent: map[string]IntentFigures{}, ByMode: map[string]ModeFigures{}, ByFusion: map[string]ModeFigures{},
		Differences: []Difference{}, PerQuery: []QueryFigures{},
	}
	var main, hybrid []answered
	for _, way := range ways {
		ranked := hybrid
		if way.Fusion == "" || fusionOf(hybrid) != way.Fusion {
			var err error
			ranked, err = runWay(ctx, queries, way, func(query string) (Answer, error) { return ask(ctx, query, way, n) })
			if errors.Is(err, ErrNoMode) {
				continue
			}
			if err != nil {
				return Report{}, err
			}
			if main == nil {
				main = ranked
				report.describe(queries, ranked)
			} else {
				report.Differences = append(report.Differences, difference(way.Name, main, ranked))
			}
		}
		if way == ways[0] {
			hybrid = ranked
		}
		report.add(way, queries, ranked)
	}
	if len(report.ByMode) == 0 {
		return Report{}, fmt.Errorf("evaluate: %w", ErrNoMode)
	}
	return report, nil
}

// add takes the figures of a way in.
func (r *Report) add(way Way, queries []Query, ranked []answered) {
	figures := r.ByMode
	if way.Fusion != "" {
		figures = r.ByFusion
	}
	figures[way.Name] = meanOfWay(queries, ranked)
	for i := range ranked {
		r.PerQuery[i].ByMode[way.Name] = round(ranked[i].NDCG10)
	}
}

// fusionOf is the one by which all were ranked; "" where they differ or none says.
func fusionOf(ranked []answered) string {
	for _, r := range ranked {
		if r.fusion != ranked[0].fusion {
			return ""
		}
	}
	if len(ranked) == 0 {
		return ""
	}
	return ranked[0].fusion
}

// answered is the outcome of one query in one way.
type answered struct {
	Figures
	first   int    // rank of the first expected note, 0 if it was not found
	section bool   // an expected section was found
	status  string // of the answer
	fusion  string // by which it was ranked
	top     string // the note that stood first
}

// runWay measures all queries in one way.
func runWay(ctx context.Context, queries []Query, way Way, ask func(string) (Answer, error)) ([]answered, error) {
	ranked := make([]answered, len(queries))
	for i, query := range queries {
		err := ctx.Err()
		var answer Answer
		if err == nil {
			answer, err = ask(query.Text)
		}
		if err != nil {
			return nil, fmt.Errorf("evaluate query %s, mode %s: %w", query.ID, way.Name, err)
		}
		notes := foldToNotes(answer.Passages)
		ranked[i].Figures, ranked[i].first = measure(notes, query.Grades)
		ranked[i].section = hitsSection(answer.Passages, query.Sections)
		ranked[i].status, ranked[i].fusion = answer.Status, answer.Fusion
		if len(notes) > 0 {
			ranked[i].top = notes[0]
		}
	}
	return ranked, nil
}

// meanOfWay sums up what one way brought.
func meanOfWay(queries []Query, ranked []answered) ModeFigures {
	all := make([]Figures, len(ranked))
	out := ModeFigures{Statuses: map[string]int{}}
	expected, hit := 0, 0
	for i, r := range ranked {
		all[i] = r.Figures
		if r.status != "" {
			out.Statuses[r.status]++
		}
		if len(queries[i].Sections) > 0 {
			expected++
			if r.section {
				hit++
			}
		}
	}
	out.Figures = mean(all)
	if expected > 0 {
		share := round(float64(hit) / float64(expected))
		out.SectionHit10 = &share
	}
	return out
}

// describe fills in the figures of the way that stands at the top: those of all, by intent and by query.
func (r *Report) describe(queries []Query, ranked []answered) {
	r.Figures = meanOfWay(queries, ranked).Figures
	byIntent := map[string][]Figures{}
	for i, query := range queries {
		byIntent[query.Intent] = append(byIntent[query.Intent], ranked[i].Figures)
		row := QueryFigures{
			ID: query.ID, NDCG10: round(ranked[i].NDCG10), Query: query.Text, Intent: query.Intent,
			Status: ranked[i].status, First: ranked[i].top, ByMode: map[string]float64{},
		}
		if first := ranked[i].first; first > 0 {
			row.RankFirst = &first
		}
		r.PerQuery = append(r.PerQuery, row)
	}
	for intent, figures := range byIntent {
		r.ByIntent[intent] = IntentFigures{Queries: len(figures), Figures: mean(figures)}
	}
}

// Lowest gives the n queries with the lowest nDCG@10, lowest first; those that are equal as they stand in the file. Queries
// without a fault are not among them.
func (r Report) Lowest(n int) []QueryFigures {
	var list []QueryFigures
	for _, q := range r.PerQuery {
		if q.NDCG10 < 1 {
			list = append(list, q)
		}
	}
	slices.SortStableFunc(list, func(a, b QueryFigures) int { return cmp.Compare(a.NDCG10, b.NDCG10) })
	return list[:min(max(n, 0), len(list))]
}

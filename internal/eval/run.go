package eval

import (
	"context"
	"errors"
	"fmt"
)

// Modes of search that are measured; the first that the engine has is the one that the figures at the top of a report speak of.
var modes = [...]string{"hybrid", "lexical", "vector"}

// ErrNoMode is what an Ask gives for a mode that its engine does not have; the report leaves the mode out.
var ErrNoMode = errors.New("the engine does not have this mode")

// DefaultPassages is the number of passages that is asked for where none is given.
const DefaultPassages = 10

// Report is what was measured: the figures of the hybrid mode (of the lexical one, without a model) at the top, by intent and by query, and each mode's. Figures
// are rounded to 1e-6.
type Report struct {
	Queries int `json:"queries"`
	Figures
	ByIntent map[string]IntentFigures `json:"by_intent"`
	ByMode   map[string]Figures       `json:"by_mode"` // hybrid, lexical, vector, as far as the engine has them
	PerQuery []QueryFigures           `json:"per_query"`
}

// IntentFigures are the means over the queries of one intent.
type IntentFigures struct {
	Queries int `json:"queries"`
	Figures
}

// QueryFigures tell of one query.
type QueryFigures struct {
	ID        string  `json:"id"`
	NDCG10    float64 `json:"ndcg_10"`
	RankFirst *int    `json:"rank_first"` // 1-based rank of the first expected note, nil if it was not found
}

// Ask puts a query to an engine, in mode hybrid, lexical or vector, and gives the paths of the notes of at most n
// passages, best first; a note may come more than once.
type Ask func(ctx context.Context, query, mode string, n int) ([]string, error)

// Run asks each query in each mode for n passages (DefaultPassages if n < 1), one after the other, and measures the
// answers note by note, a note standing where its best passage stands. An error of ask, or of ctx, ends it.
func Run(ctx context.Context, queries []Query, ask Ask, n int) (Report, error) {
	if n < 1 {
		n = DefaultPassages
	}
	report := Report{
		Queries: len(queries), ByIntent: map[string]IntentFigures{}, ByMode: map[string]Figures{}, PerQuery: []QueryFigures{},
	}
	for _, mode := range modes {
		ranked, err := runMode(ctx, queries, mode, func(query string) ([]string, error) { return ask(ctx, query, mode, n) })
		if errors.Is(err, ErrNoMode) {
			continue
		}
		if err != nil {
			return Report{}, err
		}
		all := make([]Figures, len(ranked))
		for j := range ranked {
			all[j] = ranked[j].Figures
		}
		report.ByMode[mode] = mean(all)
		if len(report.ByMode) == 1 {
			report.Figures = report.ByMode[mode]
			report.describe(queries, ranked)
		}
	}
	if len(report.ByMode) == 0 {
		return Report{}, fmt.Errorf("evaluate: %w", ErrNoMode)
	}
	return report, nil
}

// answered is the outcome of one query in one mode.
type answered struct {
	Figures
	first int // rank of the first expected note, 0 if it was not found
}

// runMode measures all queries in one mode.
func runMode(ctx context.Context, queries []Query, mode string, ask func(string) ([]string, error)) ([]answered, error) {
	ranked := make([]answered, len(queries))
	for i, query := range queries {
		err := ctx.Err()
		var paths []string
		if err == nil {
			paths, err = ask(query.Text)
		}
		if err != nil {
			return nil, fmt.Errorf("evaluate query %s, mode %s: %w", query.ID, mode, err)
		}
		ranked[i].Figures, ranked[i].first = measure(foldToNotes(paths), query.Grades)
	}
	return ranked, nil
}

// describe fills in the figures by intent and by query.
func (r *Report) describe(queries []Query, ranked []answered) {
	byIntent := map[string][]Figures{}
	for i, query := range queries {
		byIntent[query.Intent] = append(byIntent[query.Intent], ranked[i].Figures)
		row := QueryFigures{ID: query.ID, NDCG10: round(ranked[i].NDCG10)}
		if first := ranked[i].first; first > 0 {
			row.RankFirst = &first
		}
		r.PerQuery = append(r.PerQuery, row)
	}
	for intent, figures := range byIntent {
		r.ByIntent[intent] = IntentFigures{Queries: len(figures), Figures: mean(figures)}
	}
}

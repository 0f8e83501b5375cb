package eval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Difference is that of the mean nDCG@10 between two rankings of the same queries.
type Difference struct {
	Against string `json:"against"` // the other one; above 0 it is worse
	Interval
}

// Interval is a mean of differences with its 95 % interval. Where Low is above 0 or High below it, chance alone hardly explains
// the difference. It speaks of these queries: how vaults differ is not in it.
type Interval struct {
	Mean float64 `json:"ndcg_10"` // -1 to 1
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Bounds of the bootstrap: so many samples, or fewer where more numbers would have to be drawn, 0.2 s at most.
const (
	resamples      = 10_000
	leastResamples = 100
	maxDraws       = 20_000_000
)

// bootstrap gives the mean of paired differences and its percentile interval from samples drawn with replacement (Efron 1979),
// by a fixed seed. None give zero.
func bootstrap(differences []float64) Interval {
	n := len(differences)
	if n == 0 {
		return Interval{}
	}
	random := rand.New(rand.NewPCG(20260301, 95)) //nolint:gosec // the same samples each time are wanted
	means := make([]float64, min(resamples, max(leastResamples, maxDraws/n)))
	for i := range means {
		sum := 0.0
		for range n {
			sum += differences[random.Uint64N(uint64(n))]
		}
		means[i] = sum / float64(n)
	}
	slices.Sort(means)
	sum := 0.0
	for _, d := range differences {
		sum += d
	}
	last := float64(len(means) - 1)
	return Interval{Mean: round(sum / float64(n)), Low: round(means[int(.025*last)]), High: round(means[int(.975*last+.5)])}
}

// difference compares the first ranking with another one of the same queries.
func difference(against string, main, other []answered) Difference {
	list := make([]float64, len(main))
	for i := range main {
		list[i] = main[i].NDCG10 - other[i].NDCG10
	}
	return Difference{against, bootstrap(list)}
}

// Diff is what changed between two runs, over the queries that both have.
type Diff struct {
	Queries int `json:"queries"` // that both runs have, by id and words
	// Before and Now are their means of nDCG@10.
	Before float64 `json:"before"`
	Now    float64 `json:"now"`
	Interval
	// Gains and Losses are the queries whose nDCG@10 changed, the greatest change first.
	Gains  []Change `json:"gains"`
	Losses []Change `json:"losses"`
	// OnlyBefore and OnlyNow are the ids of the queries that one run alone has, or that have other words there.
	OnlyBefore []string `json:"only_before"`
	OnlyNow    []string `json:"only_now"`
}

// Change is what became of one query.
type Change struct {
	ID         string  `json:"id"`
	Query      string  `json:"query"`
	Before     float64 `json:"before"` // nDCG@10
	Now        float64 `json:"now"`
	RankBefore *int    `json:"rank_before"` // of the first expected note, nil if it was not found
	RankNow    *int    `json:"rank_now"`
}

// ReadReport reads the JSON form of an earlier report.
func ReadReport(document []byte) (Report, error) {
	var report Report
	if err := json.Unmarshal(document, &report); err != nil {
		return Report{}, fmt.Errorf("read a saved run: %w", err)
	}
	if report.PerQuery == nil || report.ByMode == nil {
		return Report{}, errors.New("read a saved run: there are no figures by query in it")
	}
	return report, nil
}

// Compare tells what changed from an earlier run to a later one.
func Compare(before, now Report) Diff {
	diff := Diff{Gains: []Change{}, Losses: []Change{}, OnlyBefore: []string{}, OnlyNow: []string{}}
	earlier := map[string]QueryFigures{}
	for _, q := range before.PerQuery {
		earlier[q.ID] = q
	}
	both := map[string]bool{}
	var differences []float64
	for _, q := range now.PerQuery {
		old, ok := earlier[q.ID]
		if !ok || old.Query != "" && old.Query != q.Query {
			diff.OnlyNow = append(diff.OnlyNow, q.ID)
			continue
		}
		both[q.ID] = true
		diff.add(old, q)
		differences = append(differences, q.NDCG10-old.NDCG10)
		diff.Before, diff.Now = diff.Before+old.NDCG10, diff.Now+q.NDCG10
	}
	for _, q := range before.PerQuery {
		if !both[q.ID] {
			diff.OnlyBefore = append(diff.OnlyBefore, q.ID)
		}
	}
	diff.Queries = len(differences)
	count := float64(max(diff.Queries, 1))
	diff.Before, diff.Now, diff.Interval = round(diff.Before/count), round(diff.Now/count), bootstrap(differences)
	byChange := func(a, b Change) int { return cmp.Compare(math.Abs(b.Now-b.Before), math.Abs(a.Now-a.Before)) }
	slices.SortStableFunc(diff.Gains, byChange)
	slices.SortStableFunc(diff.Losses, byChange)
	return diff
}

// add takes a query in whose figure changed.
func (d *Diff) add(before, now QueryFigures) {
	change := Change{now.ID, now.Query, before.NDCG10, now.NDCG10, before.RankFirst, now.RankFirst}
	switch {
	case now.NDCG10 > before.NDCG10:
		d.Gains = append(d.Gains, change)
	case now.NDCG10 < before.NDCG10:
		d.Losses = append(d.Losses, change)
	}
}

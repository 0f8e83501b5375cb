package eval_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/eval"
)

// better answers every query right in hybrid mode and, in the lexical one, only each third.
func better(t *testing.T, n int, wrong func(i int) bool) eval.Report {
	t.Helper()
	queries, answers := make([]eval.Query, n), fixed{}
	for i := range queries {
		text := fmt.Sprintf("query %d", i)
		queries[i] = eval.Query{ID: fmt.Sprint(i), Text: text, Intent: "mixed", Grades: map[string]int{"a": 2}}
		answers[text] = []string{"a"}
		if wrong(i) {
			answers[text+"/lexical"] = []string{"x", "a"}
		}
	}
	report, err := eval.Run(t.Context(), queries, answers.ask, 10)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestDifferences(t *testing.T) {
	const loss = 1 - 0.63093
	for name, test := range map[string]struct {
		queries int
		wrong   func(int) bool
		mean    float64
		sure    bool
	}{
		"all alike":       {30, func(int) bool { return false }, 0, false},
		"one of thirty":   {30, func(i int) bool { return i == 7 }, loss / 30, false},
		"each third":      {90, func(i int) bool { return i%3 == 0 }, loss / 3, true},
		"one query alone": {1, func(int) bool { return true }, loss, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := better(t, test.queries, test.wrong).Differences[0]
			if d.Against != "lexical" || math.Abs(d.Mean-test.mean) > 1e-6 || d.Low > d.Mean || d.High < d.Mean || (d.Low > 0) != test.sure {
				t.Errorf("got %+v, want %.4f", d, test.mean)
			}
			// The normal interval of a share p of n queries, which a percentile interval is near to when n is large.
			if p := test.mean / loss; test.queries == 90 {
				half := 1.96 * loss * math.Sqrt(p*(1-p)/90)
				if math.Abs(d.High-d.Mean-half) > .01 || math.Abs(d.Mean-d.Low-half) > .01 {
					t.Errorf("got %+v, want %.4f ± %.4f", d, test.mean, half)
				}
			}
			if again := better(t, test.queries, test.wrong).Differences[0]; again != d {
				t.Errorf("the same run gave %+v, then %+v", d, again)
			}
		})
	}
}

// The time of the bootstrap is bounded, whatever the number of queries.
func TestManyQueries(t *testing.T) {
	begun := time.Now()
	report := better(t, 50_000, func(i int) bool { return i%2 == 0 })
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	if d := report.Differences[0]; d.Low <= 0 || d.High-d.Low > .02 {
		t.Errorf("got %+v", d)
	}
}

func TestSectionsAndStatuses(t *testing.T) {
	queries := []eval.Query{
		{ID: "1", Text: "one", Grades: map[string]int{"a": 2}, Sections: []eval.Section{{Path: "a", Heading: "The  Check"}}},
		{ID: "2", Text: "two", Grades: map[string]int{"a": 2}, Sections: []eval.Section{{Path: "a", Heading: "Elsewhere"}}},
		{ID: "3", Text: "three", Grades: map[string]int{"b": 2}},
	}
	ask := func(_ context.Context, query string, _ eval.Way, _ int) (eval.Answer, error) {
		switch query {
		case "one":
			return passages("b#The check", "a#the check"), nil
		case "two":
			return passages("b#Elsewhere", "a#the check"), nil
		}
		return eval.Answer{Status: "nothing_relevant"}, nil
	}
	report, err := eval.Run(t.Context(), queries, ask, 10)
	if err != nil {
		t.Fatal(err)
	}
	hybrid := report.ByMode["hybrid"]
	if hybrid.SectionHit10 == nil || *hybrid.SectionHit10 != .5 {
		t.Errorf("section hit: got %v, want .5", hybrid.SectionHit10)
	}
	if diff := cmp.Diff(map[string]int{"ok": 2, "nothing_relevant": 1}, hybrid.Statuses); diff != "" {
		t.Error(diff)
	}
	var ids []string
	for _, q := range report.Lowest(2) {
		ids = append(ids, q.ID+q.First)
	}
	if diff := cmp.Diff([]string{"3", "1b"}, ids); diff != "" {
		t.Error(diff)
	}
	if got := len(report.Lowest(99)); got != 3 {
		t.Errorf("%d queries at fault, want 3", got)
	}
}

func TestCompare(t *testing.T) {
	rank := func(n int) *int { return &n }
	before := eval.Report{PerQuery: []eval.QueryFigures{
		{ID: "a", Query: "A", NDCG10: 1, RankFirst: rank(1)},
		{ID: "b", Query: "B", NDCG10: .5, RankFirst: rank(3)},
		{ID: "c", Query: "C", NDCG10: .4},
		{ID: "d", Query: "old words", NDCG10: 1},
		{ID: "gone", Query: "G", NDCG10: 1},
		{ID: "e", NDCG10: .2},
	}}
	now := eval.Report{PerQuery: []eval.QueryFigures{
		{ID: "a", Query: "A", NDCG10: .9, RankFirst: rank(2)},
		{ID: "b", Query: "B", NDCG10: 0},
		{ID: "c", Query: "C", NDCG10: .4},
		{ID: "d", Query: "new words", NDCG10: 0},
		{ID: "new", Query: "N", NDCG10: 0},
		{ID: "e", Query: "E", NDCG10: 1, RankFirst: rank(1)},
	}}
	got := eval.Compare(before, now)
	want := eval.Diff{
		Queries: 4, Before: .525, Now: .575, Interval: eval.Interval{Mean: .05, Low: got.Low, High: got.High},
		Gains: []eval.Change{{"e", "E", .2, 1, nil, rank(1)}},
		Losses: []eval.Change{
			{"b", "B", .5, 0, rank(3), nil}, {"a", "A", 1, .9, rank(1), rank(2)},
		},
		OnlyBefore: []string{"d", "gone"}, OnlyNow: []string{"d", "new"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
	if got.Low >= 0 || got.High <= 0 {
		t.Errorf("interval %v to %v", got.Low, got.High)
	}
	if empty := eval.Compare(eval.Report{}, eval.Report{}); empty.Queries != 0 || empty.Before != 0 {
		t.Errorf("nothing against nothing: %+v", empty)
	}
}

// A saved run reads back as it was.
func TestReadReport(t *testing.T) {
	report := better(t, 3, func(i int) bool { return i == 1 })
	document, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	again, err := eval.ReadReport(document)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(report, again); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"", "{}", "[]", `{"queries":1}`, `{"id":"a","query":"q","expected":[]}`} {
		if _, err := eval.ReadReport([]byte(text)); err == nil {
			t.Errorf("%q was taken for a run", text)
		}
	}
}

func TestEntries(t *testing.T) {
	queries := []eval.Query{{ID: "a", Text: "Pool  size"}}
	if found, ok := eval.Find(queries, " pool size"); !ok || found.ID != "a" {
		t.Error("another spelling was not found")
	}
	if _, ok := eval.Find(queries, "pool sizes"); ok {
		t.Error("other words were found")
	}
	id := eval.NewID("pool <size>", queries)
	if again := eval.NewID("pool <size>", append(queries, eval.Query{ID: id})); id == again || !strings.HasPrefix(again, id) {
		t.Errorf("%q, then %q", id, again)
	}
	entry := eval.Entry{ID: id, Query: "pool <size>", Intent: eval.Lookup, Expected: []eval.Expected{{"a.md", "S", 2}, {"b.md", "", 1}}}
	line, err := entry.Line()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := eval.Load(strings.NewReader(string(line)))
	if err != nil || loaded[0].Text != entry.Query || loaded[0].Grades["b.md"] != 1 || !strings.Contains(string(line), "<size>") || strings.Count(string(line), "\n") != 1 {
		t.Errorf("%s: %+v, %v", line, loaded, err)
	}
	if _, err := (eval.Entry{ID: "a", Query: "q"}).Line(); err == nil {
		t.Error("an entry without expectations was taken")
	}
	for share, want := range map[float64]string{1: eval.Lookup, .96: eval.Lookup, .6: eval.Mixed, .3: eval.Concept, 0: eval.Concept} {
		if got := eval.GuessIntent(share); got != want {
			t.Errorf("%v: got %s, want %s", share, got, want)
		}
	}
}

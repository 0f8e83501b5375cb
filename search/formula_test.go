package search_test

import (
	"math"
	"testing"

	"quarry/search"
)

// TestFormulas works the score of each form out of what the explanation shows: the raw values, and the idf of the terms.
func TestFormulas(t *testing.T) {
	s := library(t, others()...)
	cyrillic := library(t, append(others(), written{title: "Хлеб", parts: []string{"Закваска для хлеба, мука и вода."}})...)
	plain := searcher(pottery(t))
	lexical := func(e *search.Explain, most float64) float64 {
		if e.BM25 == nil {
			return 0
		}
		return *e.BM25 / most
	}
	words := func(e *search.Explain, most float64) float64 { return 2 * lexical(e, most) }
	for _, test := range []struct {
		name     string
		searcher search.Searcher
		request  search.Request
		form     search.Form
		score    func(e *search.Explain, most float64) float64 // most is 2.2·Σ idf
	}{
		{"S", s, search.Request{Query: "kiln glazes with a starter"}, search.FormSum, func(e *search.Explain, most float64) float64 {
			window := .7**e.Window + .2**e.Title + .1**e.Headings
			return 2*lexical(e, most) + .6*window + .7**e.Note + .6**e.Tokens
		}},
		{"S1", plain, search.Request{Query: "clay shrinks"}, search.FormSimpleSum, func(e *search.Explain, most float64) float64 {
			return 2*lexical(e, most) + *e.Cosine
		}},
		{"L", s, search.Request{Query: "kiln glazes with a starter", Mode: search.Lexical}, search.FormLexical, words},
		{"Lg", cyrillic, search.Request{Query: "закваска хлеба"}, search.FormGuarded, words},
		{"D", s, search.Request{Query: "kiln glazes with a starter", Mode: search.Vector}, search.FormVector, func(e *search.Explain, _ float64) float64 {
			return *e.Cosine
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			settings := search.DefaultSettings()
			settings.Signals = search.Signals{}
			test.searcher.Settings = &settings
			test.request.Explain, test.request.All = true, true
			answer := ask(t, test.searcher, test.request)
			if answer.Plan.Form != test.form || len(answer.Results) == 0 {
				t.Fatalf("form %s, %d results", answer.Plan.Form, len(answer.Results))
			}
			most := 0.0
			for _, term := range answer.Plan.Terms {
				most += 2.2 * term.IDF
			}
			for _, r := range answer.Results {
				if want := test.score(r.Explain, most); math.Abs(want-r.Explain.Score) > 1e-5 {
					t.Errorf("%s: score %v, of its raw values %v: %+v", r.Title, r.Explain.Score, want, r.Explain.Contributions)
				}
			}
		})
	}
}

// TestRRFFormula works fused ranks out of the ranks and the plan.
func TestRRFFormula(t *testing.T) {
	s := library(t, others()...)
	settings := search.DefaultSettings()
	settings.K, settings.LexicalWeight, settings.VectorWeight = 20, 2, .5
	s.Settings = &settings
	answer := ask(t, s, search.Request{Query: "kiln glazes", Fusion: search.RRF, Explain: true, All: true})
	if p := answer.Plan; p.K != 20 || p.LexicalWeight != 2 || p.VectorWeight != .5 {
		t.Fatalf("k %v, weights %v and %v", p.K, p.LexicalWeight, p.VectorWeight)
	}
	share := func(weight, k float64, rank *int) float64 {
		if rank == nil {
			return 0
		}
		return weight / (k + float64(*rank))
	}
	for _, r := range answer.Results {
		if want := share(2, 20, r.BM25Rank) + share(.5, 20, r.VecRank); math.Abs(want-r.Explain.Score) > 1e-9 {
			t.Errorf("%s: score %v, of its ranks %v", r.Title, r.Explain.Score, want)
		}
		if want := share(1, 60, r.BM25Rank) + share(1, 60, r.VecRank); math.Abs(want-r.RRFScore) > 1e-6 {
			t.Errorf("%s: rrf_score %v, of its ranks %v", r.Title, r.RRFScore, want)
		}
	}
}

// TestScoresNeverRise: the score that is shown is the highest confidence of a passage and of all behind it, however many are listed;
// its own is in the explanation.
func TestScoresNeverRise(t *testing.T) {
	draft := written{title: "Kiln", status: "archived", parts: []string{"The kiln is fired to cone six; glazes with much iron turn brown."}}
	s := library(t, append(others(), draft)...)
	settings := search.DefaultSettings()
	settings.Signals.Status = 1
	s.Settings = &settings
	request := search.Request{Query: "kiln fired cone glazes iron", Explain: true, All: true}
	answer := ask(t, s, request)
	highest := 0.0
	rises := false
	for i := len(answer.Results) - 1; i >= 0; i-- {
		r := answer.Results[i]
		rises = rises || r.Explain.Confidence < highest
		if highest = max(highest, r.Explain.Confidence); r.Score != highest {
			t.Errorf("%s: score %v, want %v", r.Title, r.Score, highest)
		}
	}
	if !rises {
		t.Error("no passage is surer than one before it: nothing was tested")
	}
	request.Limit = 1
	if first := ask(t, s, request); first.Results[0].Score != answer.Results[0].Score || first.Status != answer.Status {
		t.Errorf("alone: score %v and status %s, among others %v and %s", first.Results[0].Score, first.Status, answer.Results[0].Score, answer.Status)
	}
}

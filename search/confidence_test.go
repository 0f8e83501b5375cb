package search_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"quarry/embedding"
	"quarry/search"
	"quarry/store"
)

// TestConfidence: what the notes speak of is surer than what they do not, in every form that a user may ask for.
func TestConfidence(t *testing.T) {
	s := library(t, others()...)
	for _, mode := range []search.Mode{search.Hybrid, search.Lexical, search.Vector} {
		best := func(query string) float64 {
			top := 0.0
			for _, r := range ask(t, s, search.Request{Query: query, Mode: mode, All: true}).Results {
				top = max(top, r.Score)
			}
			return top
		}
		known, unknown := best("sourdough starter and strong flour"), best("quantum chromodynamics of hadrons and flour")
		if known <= unknown || known < .5 || unknown > .5 {
			t.Errorf("%s: %v for what is there, %v for what is not", mode, known, unknown)
		}
	}
}

// TestNothingRelevant: far-off passages are listed for who asks for all, and the answer says how. Among few passages nothing is
// hidden.
func TestNothingRelevant(t *testing.T) {
	notes := others()
	for len(notes) < 64 {
		notes = append(notes, written{title: fmt.Sprint("Log ", len(notes)), parts: []string{fmt.Sprint("Weather log, page ", len(notes))}})
	}
	testNothingRelevant(t, library(t, notes...))
	few := library(t, notes[:63]...)
	settings := search.DefaultSettings()
	settings.Nothing = .4
	few.Settings = &settings
	if got := ask(t, few, search.Request{Query: "quantum chromodynamics of hadrons"}); got.Status != search.Weak || len(got.Results) == 0 {
		t.Errorf("among few: status %s, %d results", got.Status, len(got.Results))
	}
}

// TestNothingRelevantByDefault: the threshold that holds without settings hides what has nothing to do with the notes, whichever way it
// is asked, and no more.
func TestNothingRelevantByDefault(t *testing.T) {
	notes := others()
	for len(notes) < 300 {
		notes = append(notes, written{title: fmt.Sprint("Log ", len(notes)), parts: []string{fmt.Sprint("Weather log, page ", len(notes))}})
	}
	s := library(t, notes...)
	for query, want := range map[string]search.Status{
		"quantum chromodynamics hadrons": search.NothingRelevant,
		"kubernetes ingress controller":  search.NothingRelevant,
		"sourdough starter strong flour": search.OK,
		"kiln cone six glazes":           search.OK,
	} {
		for _, request := range []search.Request{{}, {Limit: 1}, {MaxTokens: 5}, {Fusion: search.RRF}} {
			request.Query = query
			if got := ask(t, s, request); got.Status != want || (len(got.Results) == 0) != (want == search.NothingRelevant) {
				t.Errorf("%+v: %s, %d results", request, got.Status, len(got.Results))
			}
		}
		testFarOff(t, s, query)
	}
}

// testFarOff: of what is under the threshold, no passage is listed behind a good one either, which the answer says.
func testFarOff(t *testing.T, s search.Searcher, query string) {
	t.Helper()
	some, all := ask(t, s, search.Request{Query: query}), ask(t, s, search.Request{Query: query, All: true})
	near := 0
	for _, r := range all.Results {
		if r.Score >= search.DefaultSettings().Nothing {
			near++
		}
	}
	if len(some.Results) != near || near == len(all.Results) || len(some.Notices) != len(all.Notices)+1 {
		t.Errorf("%q: %d results, %d of %d are near; notices %q", query, len(some.Results), near, len(all.Results), some.Notices)
	}
}

func testNothingRelevant(t *testing.T, s search.Searcher) {
	t.Helper()
	settings := search.DefaultSettings()
	settings.Nothing = .4
	s.Settings = &settings
	const query = "quantum chromodynamics of hadrons"
	answer := ask(t, s, search.Request{Query: query})
	if answer.Status != search.NothingRelevant || len(answer.Results) > 0 || !slices.ContainsFunc(answer.Notices, func(n string) bool { return strings.Contains(n, "nothing relevant") }) {
		t.Errorf("status %s, %d results, notices %q", answer.Status, len(answer.Results), answer.Notices)
	}
	all := ask(t, s, search.Request{Query: query, All: true})
	if all.Status != search.NothingRelevant || len(all.Results) == 0 {
		t.Errorf("of all: status %s, %d results", all.Status, len(all.Results))
	}
	// Forms that were not fitted to enough never hide: another script, meaning alone.
	for _, request := range []search.Request{{Query: "квантовая хромодинамика 6"}, {Query: "第6章量子"}, {Query: query, Mode: search.Vector}} {
		request.Explain = true
		if got := ask(t, s, request); got.Status == search.NothingRelevant {
			t.Errorf("%q, form %s: %s", request.Query, got.Plan.Form, got.Status)
		}
	}
}

// TestForms: mode, model, script and index decide what the score is the sum of.
func TestForms(t *testing.T) {
	tokens, plain := library(t, others()...), searcher(pottery(t))
	none := plain
	none.Embedder = nil
	for _, test := range []struct {
		searcher search.Searcher
		request  search.Request
		want     search.Form
	}{
		{tokens, search.Request{Query: "starter"}, search.FormSum},
		{tokens, search.Request{Query: "starter", Fusion: search.RRF}, search.FormSum},
		{tokens, search.Request{Query: "2026 ?"}, search.FormSum},
		{tokens, search.Request{Query: "starter", Mode: search.Lexical}, search.FormLexical},
		{tokens, search.Request{Query: "starter", Mode: search.Vector}, search.FormVector},
		{tokens, search.Request{Query: "закваска хлеба USB"}, search.FormGuarded},
		{tokens, search.Request{Query: "закваска", Mode: search.Lexical}, search.FormGuarded},
		{tokens, search.Request{Query: "面包发酵"}, search.FormUnspaced},
		{tokens, search.Request{Query: "sourdough 面包"}, search.FormSum},
		{tokens, search.Request{Query: "Kiln将什么用作牙齿？"}, search.FormUnspaced},
		{plain, search.Request{Query: "clay"}, search.FormSimpleSum},
		{none, search.Request{Query: "clay"}, search.FormLexical},
	} {
		test.request.Explain = true
		if got := ask(t, test.searcher, test.request).Plan.Form; got != test.want {
			t.Errorf("%+v: form %s, want %s", test.request.Query, got, test.want)
		}
	}
}

// TestSumsAddUp: every form and fusion is the sum of its amounts, and in that order.
func TestSumsAddUp(t *testing.T) {
	s := library(t, others()...)
	for _, request := range []search.Request{
		{Query: "latest kiln and glazes"},
		{Query: "kiln and glazes", Fusion: search.RRF},
		{Query: "kiln", Mode: search.Lexical},
		{Query: "kiln", Mode: search.Vector},
		{Query: "面包 kiln 发酵"},
	} {
		request.Explain, request.All = true, true
		before, shown := 1e9, 1.0
		for _, r := range ask(t, s, request).Results {
			sum := 0.0
			for _, c := range r.Explain.Contributions {
				sum += c.Amount
			}
			if diff := sum - r.Explain.Score; diff > 1e-6 || diff < -1e-6 || r.Explain.Score > before+1e-12 {
				t.Errorf("%+v: %s: sum %v, score %v after %v", request, r.FilePath, sum, r.Explain.Score, before)
			}
			if r.Score < r.Explain.Confidence || r.Score > shown {
				t.Errorf("%s: score %v after %v, confidence %v", r.FilePath, r.Score, shown, r.Explain.Confidence)
			}
			before, shown = r.Explain.Score, r.Score
		}
	}
}

// polyglot is the built-in model with a token for each word of other scripts.
type polyglot struct{ embedding.TokenModel }

func (p polyglot) AppendTokens(ids []int32, text string) []int32 {
	for word := range strings.FieldsSeq(text) {
		if word[0] < utf8.RuneSelf {
			ids = p.TokenModel.AppendTokens(ids, word)
		} else {
			ids = append(ids, int32(len(word)))
		}
	}
	return ids
}

// TestModelsOfManyLanguages: one that knows words of other scripts is asked for them.
func TestModelsOfManyLanguages(t *testing.T) {
	s := library(t, others()...)
	s.Embedder = polyglot{builtIn(t)}
	for query, want := range map[string]search.Form{"закваска хлеба": search.FormSum, "面包发酵": search.FormSum, "starter": search.FormSum} {
		if got := ask(t, s, search.Request{Query: query, Explain: true}).Plan.Form; got != want {
			t.Errorf("%q: form %s, want %s", query, got, want)
		}
	}
}

// damagedData is a snapshot whose tokens of passages cannot be read.
type damagedData struct{ store.Snapshot }

func (damagedData) RankData(_ context.Context, ids []store.PassageID) ([][]byte, error) {
	data := make([][]byte, len(ids))
	data[len(data)-1] = []byte{0xff, 0xff, 0xff}
	return data, nil
}

// TestDamagedPassage: an error names the note, without secrets.
func TestDamagedPassage(t *testing.T) {
	s := library(t, written{title: "clay hush", parts: []string{"Clay shrinks.", "Clay cracks."}})
	s.Snapshot = damagedData{s.Snapshot}
	s.Redact = func(text string) string { return strings.ReplaceAll(text, "hush", "…") }
	_, err := s.Search(t.Context(), search.Request{Query: "clay"})
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "passage 2 of clay ….md") {
		t.Errorf("error %v", err)
	}
}

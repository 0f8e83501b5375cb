package search_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"quarry/search"
	"quarry/store"
	"quarry/store/memory"
)

// amount gives what a contribution of that name is in a result, 0 where there is none.
func amount(r search.Result, name string) float64 {
	for _, c := range r.Explain.Contributions {
		if c.Name == name {
			return c.Amount
		}
	}
	return 0
}

func byTitle(t *testing.T, answer search.Answer, title string) search.Result {
	t.Helper()
	for _, r := range answer.Results {
		if r.Title == title {
			return r
		}
	}
	t.Fatalf("%q: %s is not in the answer", answer.Query, title)
	return search.Result{}
}

// TestSignals asks for two notes of the same words, which differ in what the signal looks at: the first is to stand before the
// second, by that amount.
func TestSignals(t *testing.T) {
	const text = "The mixer of the glaze runs at forty turns a minute and is cleaned with warm water."
	const other = "Whoever stirs by hand is slow: a glaze mixer on the wall saves half of the morning, says the potter."
	for _, test := range []struct {
		name, query   string
		first, second written
		signals       search.Signals
		signal        string
		amounts       [2]float64
	}{
		{
			"title", "mixers of glazes",
			written{title: "Glaze of mixer"},
			written{title: "Glaze of mixing"},
			search.Signals{Title: .3},
			"title",
			[2]float64{.3, 0},
		},
		{
			"tag", "glaze mixer",
			written{title: "One", tags: []string{"workshop/glaze"}},
			written{title: "Two", tags: []string{"glazed"}},
			search.Signals{Tag: 1},
			"tag",
			[2]float64{.399, 0},
		},
		{
			"draft", "glaze mixer",
			written{title: "One"},
			written{title: "Two", status: "draft"},
			search.Signals{Status: .2},
			"status",
			[2]float64{0, -.1},
		},
		{
			"archived", "glaze mixer",
			written{title: "One", status: "draft"},
			written{title: "Two", status: "Archived"},
			search.Signals{Status: .2},
			"status",
			[2]float64{-.1, -.2},
		},
		{
			"age", "latest glaze mixer",
			written{title: "One", day: "2026-03-01"},
			written{title: "Two", day: "2025-03-01T10:00:00Z"},
			search.Signals{Decay: .4, HalfLifeDays: map[string]float64{"": 365}},
			"age",
			[2]float64{0, -.2},
		},
		{
			"age by type", "neueste glaze mixer",
			written{title: "One", day: "2025-03-01"},
			written{title: "Two", day: "2025-03-01", kind: "Daily"},
			search.Signals{Decay: .4, HalfLifeDays: map[string]float64{"": 365, "daily": 73}},
			"age",
			[2]float64{-.2, -.3875},
		},
		{
			"no date", "最新 glaze mixer",
			written{title: "One", day: "2026-03-01"},
			written{title: "Two", day: "spring"},
			search.Signals{Decay: .4},
			"age",
			[2]float64{0, -.2},
		},
		{
			"age does not count", "glaze mixer",
			written{title: "One", day: "2026-03-01"},
			written{title: "Two", day: "1999-03-01"},
			search.Signals{Decay: .4},
			"age",
			[2]float64{0, 0},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.first.parts, test.second.parts = []string{text}, []string{other}
			newest := written{title: "Newest", day: "2026-03-01", parts: []string{"Nothing of interest to anybody was written here today."}}
			s := library(t, append(others(), newest, test.second, test.first)...)
			settings := search.DefaultSettings()
			settings.Signals = test.signals
			s.Settings = &settings
			answer := ask(t, s, search.Request{Query: test.query, Explain: true, MaxTokens: 1 << 20})
			for i, title := range []string{test.first.title, test.second.title} {
				if got := amount(byTitle(t, answer, title), test.signal); math.Abs(got-test.amounts[i]) > .001 {
					t.Errorf("%s: %v, want %v", title, got, test.amounts[i])
				}
			}
			if answer.Plan.AsksNewest != (test.signals.Decay > 0 && test.amounts[1] < 0) {
				t.Errorf("asks for the newest: %v", answer.Plan.AsksNewest)
			}
		})
	}
}

// TestPreferencesAreNoEvidence: what prefers a note moves it, and leaves its confidence alone.
func TestPreferencesAreNoEvidence(t *testing.T) {
	draft := written{title: "Mixer", status: "draft", day: "2020-01-01", parts: []string{"The mixer of the glaze runs at forty turns a minute."}}
	s := library(t, append(others(), draft)...)
	request := search.Request{Query: "newest glaze turns", Explain: true}
	with := byTitle(t, ask(t, s, request), "Mixer")
	none := search.DefaultSettings()
	none.Signals = search.Signals{}
	s.Settings = &none
	without := byTitle(t, ask(t, s, request), "Mixer")
	if with.Explain.Score >= without.Explain.Score || with.Score != without.Score {
		t.Errorf("score %v and %v, confidence %v and %v", with.Explain.Score, without.Explain.Score, with.Score, without.Score)
	}
}

// TestWeightsOfTypes: a note of low weight stands behind, is not hidden, and one of any weight counts within bounds.
func TestWeightsOfTypes(t *testing.T) {
	weights := map[string]float64{"a.md": 0, "b.md": 1, "c.md": 1e6}
	s := memory.New()
	update, err := s.Begin(t.Context(), store.Full)
	if err != nil {
		t.Fatal(err)
	}
	var notes []store.Note
	var figures []store.Figures
	for path, weight := range weights {
		notes = append(notes, store.Note{File: store.File{Path: path}, Title: path, Passages: []store.Passage{
			{Path: path, Text: "clay in " + strings.Repeat("many words ", 5) + path, LineStart: 1, LineEnd: 1, Vector: at(10)},
		}})
		figures = append(figures, store.Figures{Path: path, Weight: weight, PageRank: .25})
	}
	if err := update.Put(t.Context(), notes); err != nil {
		t.Fatal(err)
	}
	if err := update.PutFigures(t.Context(), figures); err != nil {
		t.Fatal(err)
	}
	if err := update.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	answer := ask(t, searcher(snapshot), search.Request{Query: "clay", Explain: true})
	if paths(answer) != "c.md b.md a.md" {
		t.Fatalf("order: %s", paths(answer))
	}
	for i, want := range []float64{.25, 0, -.25} {
		if got := amount(answer.Results[i], "type weight"); math.Abs(got-want) > .001 {
			t.Errorf("%s: %v, want %v", answer.Results[i].FilePath, got, want)
		}
	}
	settings := search.DefaultSettings()
	settings.Signals.Links = .1
	linked := searcher(snapshot)
	linked.Settings = &settings
	if got := amount(ask(t, linked, search.Request{Query: "clay", Explain: true}).Results[0], "links"); got <= 0 || got > .1 {
		t.Errorf("links: %v", got)
	}
}

// TestIntent: the kind of a query sets the weights of the legs where ranks are fused.
func TestIntent(t *testing.T) {
	s := searcher(pottery(t))
	for query, want := range map[string]string{
		"glaze_v2": "identifier", "DEC-0054": "identifier", "parseQuery": "identifier", "src/main.go": "identifier", "--amend": "identifier",
		"clay body": "mixed", "": "mixed", "clay": "mixed", "clay, glaze": "mixed",
		"how does clay shrink": "question", "clay?": "question", "warum reißt der Ton": "question", "如何烧制陶土": "question",
		"come back stack": "mixed", "dove tailed joints": "mixed", "can bus": "mixed", "can i fire clay twice": "question",
		"the clay that my neighbour dug out of the pond": "question",
	} {
		plan := ask(t, s, search.Request{Query: query, Explain: true, Fusion: search.RRF}).Plan
		if plan.Intent != want {
			t.Errorf("%q: %s, want %s", query, plan.Intent, want)
		}
		order := map[string]bool{"identifier": plan.LexicalWeight > plan.VectorWeight, "question": plan.LexicalWeight < plan.VectorWeight, "mixed": plan.LexicalWeight == plan.VectorWeight}
		if !order[plan.Intent] {
			t.Errorf("%q: weights %v and %v", query, plan.LexicalWeight, plan.VectorWeight)
		}
	}
}

// TestNewestDay: age counts from the newest note that is not of a day to come, whatever other dates look like.
func TestNewestDay(t *testing.T) {
	notes := append(others(), written{title: "Plan", day: "2099-01-01", parts: []string{"What is planned for the years to come."}})
	for i := range 80 {
		notes = append(notes, written{title: fmt.Sprint("Undated ", i), day: "some day", parts: []string{"A note of no date."}})
	}
	notes = append(
		notes,
		written{title: "One", day: "2026-03-01", parts: []string{"The mixer of the glaze runs at forty turns a minute."}},
		written{title: "Two", day: "2025-03-01", parts: []string{"By hand, a glaze mixer is slow, says the potter."}},
	)
	s := library(t, notes...)
	s.Today = "2026-04-01"
	settings := search.DefaultSettings()
	settings.Signals = search.Signals{Decay: .4, HalfLifeDays: map[string]float64{"": 365}}
	s.Settings = &settings
	answer := ask(t, s, search.Request{Query: "newest glaze mixer", Explain: true})
	for title, want := range map[string]float64{"One": 0, "Two": -.2} {
		if got := amount(byTitle(t, answer, title), "age"); math.Abs(got-want) > .001 {
			t.Errorf("%s: %v, want %v", title, got, want)
		}
	}
}

// TestAsksNewest: what asks for the newest, and what only holds a word that may.
func TestAsksNewest(t *testing.T) {
	s := searcher(pottery(t))
	for query, want := range map[string]bool{
		"latest clay": true, "most recent glaze": true, "current state of the kiln": true, "aktueller Stand Ofen": true, "kiln 最近": true,
		"dernière version du four": true, "what are we currently firing": true, "последняя версия": true,
		"current directory": false, "alternating current": false, "actual size": false, "recent files": false, "the last chapter dernier": false,
		"today": false, "keep notes up to date": false, "当前目录": false, "clay": false,
	} {
		if got := ask(t, s, search.Request{Query: query, Explain: true}).Plan.AsksNewest; got != want {
			t.Errorf("%q: %v", query, got)
		}
	}
}

// TestTitles: the first passage of a note gets the square of the share that the query has of its title, or of an alias.
func TestTitles(t *testing.T) {
	notes := append(others(), written{title: "Élan vital of the potter's kilns", parts: []string{"It is fired to cone six.", "Clay, potter and kiln, élan vital: the potter's kiln."}})
	s := library(t, notes...)
	settings := search.DefaultSettings()
	settings.Signals = search.Signals{Title: .36}
	s.Settings = &settings
	for query, want := range map[string]float64{
		"elan vital of the potter's kiln": .36, "Kiln, potter's: the ÉLAN of vital": .36, "elan vital kiln": .36 * 9 / 16, "what is an elan vital": .36 * 4 / 16, "élan cone": 0, "kiln": .36 / 16, "": 0,
	} {
		answer := ask(t, s, search.Request{Query: query, Explain: true, All: true, MaxTokens: 1 << 20})
		for _, r := range answer.Results {
			got := amount(r, "title")
			if isHead := strings.HasPrefix(r.Title, "Élan") && r.LineStart == 1; isHead && math.Abs(got-want) > 1e-5 || !isHead && got != 0 {
				t.Errorf("%q: %s#%d: %v, want %v", query, r.Title, r.LineStart, got, want)
			}
		}
	}
}

// TestListsOfLinks: a note that links to many others by each of its passages stands behind one that speaks of the query as well.
func TestListsOfLinks(t *testing.T) {
	for _, test := range []struct {
		links int
		want  float64
	}{{15, 0}, {16, -.2}} {
		s := memory.New()
		update, err := s.Begin(t.Context(), store.Full)
		if err != nil {
			t.Fatal(err)
		}
		one := func(path string, count int) store.Note {
			n := store.Note{File: store.File{Path: path}, Title: path}
			for i := range count {
				n.Passages = append(n.Passages, store.Passage{Path: path, Index: i, Text: "clay", LineStart: i + 1, LineEnd: i + 1, Vector: at(10)})
			}
			return n
		}
		list := one("a.md", 2)
		for i := range test.links {
			list.Links = append(list.Links, store.Link{Target: fmt.Sprint("note ", i), Line: 1}, store.Link{Target: "https://example.org", External: true, Line: 1})
		}
		err = errors.Join(update.Put(t.Context(), []store.Note{list, one("b.md", 1)}), update.Commit(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		snapshot, err := s.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer snapshot.Close()
		answer := ask(t, searcher(snapshot), search.Request{Query: "clay", Explain: true})
		got := amount(byTitle(t, answer, "a.md"), "list of links")
		if words := amount(byTitle(t, answer, "a.md"), "words"); math.Abs(got-test.want*words/2) > 1e-5 {
			t.Errorf("%d links: %v of words %v", test.links, got, words)
		}
		if first := answer.Results[0].FilePath; (first == "b.md") != (test.want < 0) {
			t.Errorf("%d links: %s comes first", test.links, first)
		}
	}
}

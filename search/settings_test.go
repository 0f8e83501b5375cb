package search_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/search"
)

// listing gives paths and scores of an answer.
func listing(answer search.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", answer.Status)
	for _, r := range answer.Results {
		fmt.Fprintf(&b, " %s#%d %.4f", r.Title, r.LineStart, r.Explain.Score)
	}
	return b.String()
}

// TestEachSettingCounts changes one setting at a time: the answer is another, in what the setting is for.
func TestEachSettingCounts(t *testing.T) {
	const stirred = "The mixer of the glaze runs at forty turns a minute and is cleaned with warm water"
	notes := append(
		others(),
		written{title: "Mixer", day: "2026-03-01", parts: []string{stirred + ".", "A glaze mixer on the wall saves the potter half of the morning.", "Of the glaze, the mixer and forty turns."}},
		written{title: "Old", day: "2020-03-01", tags: []string{"glaze"}, parts: []string{stirred + ", says the old note."}},
		written{title: "Filed", day: "2026-02-01", status: "archived", parts: []string{stirred + ", says glaze_mixer."}},
		written{title: "Idea", tags: []string{"glaze", "mixer"}, parts: []string{"Glaze mixer, newest glaze mixer. Mixer of glaze turns."}},
		written{title: "Deep", parts: []string{
			"A mixer keeps the glaze from settling. Ours has a motor of a windscreen wiper, a paddle out of stainless sheet, and a switch that " +
				"stops it when the lid is lifted; forty turns a minute are enough, as anything faster beats air into the bucket.",
		}},
	)
	for len(notes) < 64 {
		notes = append(notes, written{title: fmt.Sprint("Log ", len(notes)), parts: []string{fmt.Sprint("Weather log, page ", len(notes))}})
	}
	s := library(t, notes...)
	for name, test := range map[string]struct {
		query  string
		fusion search.Fusion
		change func(*search.Settings)
	}{
		"fusion":         {"glaze mixer", "", func(s *search.Settings) { s.Fusion = search.RRF }},
		"k":              {"glaze mixer", search.RRF, func(s *search.Settings) { s.K = 5 }},
		"lexical weight": {"glaze mixer", search.RRF, func(s *search.Settings) { s.LexicalWeight = .5 }},
		"vector weight":  {"glaze mixer", search.RRF, func(s *search.Settings) { s.VectorWeight = .5 }},
		"weak":           {"glaze mixer", "", func(s *search.Settings) { s.Weak = 1 }},
		"per note":       {"glaze mixer", "", func(s *search.Settings) { s.PerNote = 0 }},
		"title":          {"mixer", "", func(s *search.Settings) { s.Signals.Title = 0 }},
		"identifier":     {"Glaze_Mixer", "", func(s *search.Settings) { s.Signals.Identifier = 0 }},
		"tag":            {"glaze mixer", "", func(s *search.Settings) { s.Signals.Tag = .2 }},
		"decay":          {"newest glaze mixer", "", func(s *search.Settings) { s.Signals.Decay = 0 }},
		"half-life":      {"newest glaze mixer", "", func(s *search.Settings) { s.Signals.HalfLifeDays = map[string]float64{"": 3000} }},
		"status":         {"glaze mixer", "", func(s *search.Settings) { s.Signals.Status = 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			s := s
			request := search.Request{Query: test.query, Fusion: test.fusion, Explain: true}
			before := listing(ask(t, s, request))
			settings := search.DefaultSettings()
			test.change(&settings)
			s.Settings = &settings
			if after := listing(ask(t, s, request)); after == before {
				t.Errorf("nothing changes: %s", after)
			}
		})
	}
}

// TestNothing: of one answer that is weak in any case, Nothing alone decides whether it is listed.
func TestNothing(t *testing.T) {
	notes := append(others(), written{title: "Mixer", parts: []string{"The mixer of the glaze runs at forty turns a minute."}})
	for len(notes) < 64 {
		notes = append(notes, written{title: fmt.Sprint("Log ", len(notes)), parts: []string{fmt.Sprint("Weather log, page ", len(notes))}})
	}
	s := library(t, notes...)
	for nothing, want := range map[float64]search.Status{0: search.Weak, 1: search.NothingRelevant} {
		settings := search.DefaultSettings()
		settings.Weak, settings.Nothing = 1, nothing
		s.Settings = &settings
		answer := ask(t, s, search.Request{Query: "glaze mixer"})
		if answer.Status != want || (len(answer.Results) > 0) != (want == search.Weak) {
			t.Errorf("nothing under %v: %s with %d results, want %s", nothing, answer.Status, len(answer.Results), want)
		}
	}
}

// TestDepth: where ranks are fused, each leg brings so many passages, and as many as are asked for in any case.
func TestDepth(t *testing.T) {
	var notes []written
	for i := range 80 {
		notes = append(notes, written{title: fmt.Sprint("Kiln ", i), parts: []string{fmt.Sprintf("The kiln of workshop %d is fired to cone six.", i)}})
	}
	s := library(t, notes...)
	settings := search.DefaultSettings()
	settings.Fusion, settings.Depth = search.RRF, 45
	s.Settings = &settings
	for limit, want := range map[int]int{5: 45, 60: 80} {
		answer := ask(t, s, search.Request{Query: "kiln workshop", Limit: limit, MaxTokens: 1 << 20, Explain: true})
		if answer.Plan.Depth != want {
			t.Errorf("of %d asked for: depth %d, want %d", limit, answer.Plan.Depth, want)
		}
		for _, r := range answer.Results {
			if r.BM25Rank != nil && *r.BM25Rank > want {
				t.Errorf("of %d asked for: rank %d", limit, *r.BM25Rank)
			}
		}
	}
}

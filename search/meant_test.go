package search_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"quarry/search"
)

// A day is told as it was written, with the one that was meant.
func TestWrittenDays(t *testing.T) {
	s := searcher(index(t, passage{"a.md", "clay", 0, ""}))
	s.Today = "2026-11-25"
	for query, want := range map[string]string{
		"clay since:2026-11-23":    "since:2026-11-23",
		"clay since:yesterday":     "since:yesterday (2026-11-24)",
		`clay since:"last monday"`: `since:"last monday" (2026-11-23)`,
		"clay since:last monday":   `since:"last monday" (2026-11-23)`,
		"clay until:2026-10":       "until:2026-10 (2026-10-31)",
		"clay -until:2026-10":      "-until:2026-10 (2026-10-31)",
	} {
		answer := ask(t, s, search.Request{Query: query, Explain: true, Mode: search.Lexical})
		if got := answer.Plan.Filters; len(got) != 1 || got[0] != want {
			t.Errorf("%s: filters %q, want %q", query, got, want)
		}
		isOut := slices.ContainsFunc(answer.Notices, func(n string) bool { return strings.HasSuffix(n, "passes the filters: "+want) })
		if isOut != (len(answer.Results) == 0) {
			t.Errorf("%s: %d results, notices %q", query, len(answer.Results), answer.Notices)
		}
	}
}

// The weights of a fusion of ranks are null where scores are added.
func TestPlanAsJSON(t *testing.T) {
	s := searcher(index(t, passage{"a.md", "clay", 0, ""}))
	for fusion, want := range map[search.Fusion]string{search.Sum: "null null null clay", search.RRF: "60 1 1 clay"} {
		data, err := json.Marshal(ask(t, s, search.Request{Query: "clay", Explain: true, Fusion: fusion}))
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Plan struct {
				K       json.RawMessage `json:"k"`
				Lexical json.RawMessage `json:"lexical_weight"`
				Vector  json.RawMessage `json:"vector_weight"`
				Terms   []struct{ Text string }
			}
		}
		if err := json.Unmarshal(data, &answer); err != nil {
			t.Fatal(err)
		}
		p := answer.Plan
		if got := strings.Join([]string{string(p.K), string(p.Lexical), string(p.Vector), p.Terms[0].Text}, " "); got != want {
			t.Errorf("%s: %s, want %s", fusion, got, want)
		}
	}
}

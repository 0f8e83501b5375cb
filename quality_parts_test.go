package quarry_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
	"quarry/internal/eval"
	"quarry/search"
)

// answersFile holds what stands first for each golden query of the example vault, and by how much. Any change of the ranking shows
// here, also one that changes no figure.
var answersFile = filepath.Join("testdata", "quality", "example-answers.txt")

// TestAnswers holds the first three passages of each query of the example vault.
func TestAnswers(t *testing.T) {
	vault, queries := qualitySets()[0].load(t, t.TempDir())
	got := firstThree(t, indexed(t, quarry.Config{VaultDir: vault}), queries)
	if *update {
		if err := os.WriteFile(answersFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(answersFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the ranking changed; `go test -run TestAnswers -update .` takes it over:\n%s", diff)
	}
}

// firstThree lists queries with what their first three passages have in the ranking, "*" before those of notes that are right.
func firstThree(t *testing.T, engine *quarry.Engine, queries []eval.Query) string {
	t.Helper()
	const shown = 3
	var b strings.Builder
	for _, q := range queries {
		answer, err := engine.Search(t.Context(), quarry.SearchRequest{
			Query: q.Text, Limit: shown, MaxTokens: 1 << 20, Explain: true, All: true, Filter: quarry.Filter{ExcludeArchived: true},
		})
		if err != nil {
			t.Fatalf("%q: %v", q.Text, err)
		}
		fmt.Fprintf(&b, "%s  %s  (%s, %s, %s)\n", q.ID, q.Text, answer.Plan.Form, answer.Plan.Intent, answer.Status)
		for _, r := range answer.Results {
			mark := " "
			if q.Grades[r.FilePath] > 0 {
				mark = "*"
			}
			fmt.Fprintf(&b, "%s %.3f  %.2f  %s#%s\n", mark, r.Explain.Score, r.Score, r.FilePath, r.Section)
		}
	}
	return b.String()
}

// TestQualityNoticesLosses turns parts of the ranking off, one at a time, and expects the golden files of the example vault to differ:
// whoever breaks a part sees it there. The vault is always at hand.
func TestQualityNoticesLosses(t *testing.T) {
	if testing.Short() {
		t.Skip("one call after another: nothing in it can race that shorter tests do not")
	}
	vault, queries := qualitySets()[0].load(t, t.TempDir())
	whole := quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db")}
	engine := indexed(t, whole)
	wanted := evaluate(t, engine, queries)
	asked := append(slices.Clone(queries), eval.Query{ID: "newest", Text: "newest decision about retries"})
	golden := firstThree(t, engine, asked)
	for name, part := range map[string]struct {
		change       func(*search.Settings)
		showsFigures bool // in the means, too
	}{
		"title":          {func(s *search.Settings) { s.Signals.Title = 0 }, false},
		"identifier":     {func(s *search.Settings) { s.Signals.Identifier = 0 }, false},
		"sum":            {func(s *search.Settings) { s.Fusion = search.RRF }, true},
		"lexical weight": {func(s *search.Settings) { s.Fusion, s.LexicalWeight = search.RRF, 0 }, true},
		"vector weight":  {func(s *search.Settings) { s.Fusion, s.VectorWeight = search.RRF, 0 }, true},
		"weak":           {func(s *search.Settings) { s.Weak, s.Nothing = 0, 0 }, true},
		"k":              {func(s *search.Settings) { s.Fusion, s.K = search.RRF, 1 }, true},
		"depth":          {func(s *search.Settings) { s.Fusion, s.Depth = search.RRF, 1 }, true},
		"nothing":        {func(s *search.Settings) { s.Nothing = s.Weak }, true},
		"per note":       {func(s *search.Settings) { s.PerNote = 0 }, true},
		"decay":          {func(s *search.Settings) { s.Signals.Decay = 0 }, false},
		"half-life":      {func(s *search.Settings) { s.Signals.HalfLifeDays = map[string]float64{"": 1} }, false},
		"status":         {func(s *search.Settings) { s.Signals.Status = 0 }, false},
		"type weight":    {func(s *search.Settings) { s.Signals.TypeWeight = 0 }, false},
		"links":          {func(s *search.Settings) { s.Signals.Links = .1 }, false},
		"tag":            {func(s *search.Settings) { s.Signals.Tag = .3 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			settings := search.DefaultSettings()
			part.change(&settings)
			config := whole
			config.Ranking = &settings
			engine := indexed(t, config)
			if firstThree(t, engine, asked) == golden {
				t.Error("without it the answers stay the same")
			}
			if part.showsFigures && figures(evaluate(t, engine, queries)) == figures(wanted) {
				t.Error("without it the figures stay the same")
			}
		})
	}
	t.Run("legs", func(t *testing.T) { checkLegs(t, wanted) })
	t.Run("model", func(t *testing.T) {
		engine := indexed(t, quarry.Config{VaultDir: vault, NoModel: true})
		if firstThree(t, engine, asked) == golden || figures(evaluate(t, engine, queries)) == figures(wanted) {
			t.Error("without vectors nothing changes")
		}
	})
}

// checkLegs expects both legs to tell something of their own: the whole is better than either.
func checkLegs(t *testing.T, report eval.Report) {
	t.Helper()
	for _, leg := range []string{"lexical", "vector"} {
		if alone, hybrid := report.ByMode[leg].NDCG10, report.ByMode["hybrid"].NDCG10; alone >= hybrid {
			t.Errorf("%s alone has %.3f, both together %.3f", leg, alone, hybrid)
		}
	}
}

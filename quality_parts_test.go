package quarry_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quarry"
	"quarry/internal/eval"
	"quarry/search"
)

// TestQualityNoticesLosses turns parts of the ranking off, one at a time, and expects the figures of the example vault to differ
// from the golden file: whoever breaks a part sees it there. The vault is always at hand.
func TestQualityNoticesLosses(t *testing.T) {
	golden, err := os.ReadFile(filepath.Join("testdata", "quality", "example.txt"))
	if err != nil {
		t.Fatal(err)
	}
	vault, queries := qualitySets()[0].load(t, t.TempDir())
	whole := quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db")}
	wanted := evaluate(t, indexed(t, whole), queries)
	if string(golden) != figures(wanted) {
		t.Skip("TestQuality has changes to tell of first")
	}
	for name, change := range map[string]func(*search.Settings){
		"title":             func(s *search.Settings) { s.Signals.Title = 0 },
		"identifier":        func(s *search.Settings) { s.Signals.Identifier = 0 },
		"fusion by sum":     func(s *search.Settings) { s.Fusion = search.RRF },
		"nothing hidden":    func(s *search.Settings) { s.Nothing = 0 },
		"weak told":         func(s *search.Settings) { s.Weak, s.Nothing = 0, 0 },
		"lexical leg (rrf)": func(s *search.Settings) { s.LexicalWeight = 0 },
		"vector leg (rrf)":  func(s *search.Settings) { s.VectorWeight = 0 },
		"deep legs (rrf)":   func(s *search.Settings) { s.Depth = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			settings := search.DefaultSettings()
			change(&settings)
			config := whole
			config.Ranking = &settings
			if got := figures(evaluate(t, indexed(t, config), queries)); got == string(golden) {
				t.Errorf("without it the golden file stays the same")
			}
		})
	}
	t.Run("legs", func(t *testing.T) { checkLegs(t, wanted) })
	t.Run("no model", func(t *testing.T) {
		if got := figures(evaluate(t, indexed(t, quarry.Config{VaultDir: vault, NoModel: true}), queries)); got == string(golden) {
			t.Error("without vectors the golden file stays the same")
		}
	})
}

// checkLegs expects both legs to tell something of their own, and the whole to be better than either.
func checkLegs(t *testing.T, report eval.Report) {
	t.Helper()
	hybrid := report.ByMode["hybrid"].NDCG10
	for _, leg := range []string{"lexical", "vector"} {
		if alone := report.ByMode[leg].NDCG10; alone >= hybrid {
			t.Errorf("%s alone has %.3f, both together %.3f", leg, alone, hybrid)
		}
		at := slices.IndexFunc(report.Differences, func(d eval.Difference) bool { return d.Against == leg })
		if at < 0 || report.Differences[at].Interval == (eval.Interval{}) {
			t.Errorf("dropping to %s alone changes no figure", leg)
		}
	}
}

package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// Both files say something of the ranking, key by key, the vault's before the user's.
func TestRankingOfBothFiles(t *testing.T) {
	for _, test := range []struct {
		name, user, own string
		change          func(*quarry.RankingSettings) // of the defaults; nil: nothing is told
	}{
		{"nothing", "", "", nil},
		{"an empty table", "[search]\n", "", nil},
		{"whole numbers and others", "[search]\nfusion = \"rrf\"\nk = 10\nweak = 1\nvector_weight = 0.5\n[search.signals]\ntitle = 0\nlinks = 0.1", "", func(s *quarry.RankingSettings) {
			s.Fusion, s.K, s.Weak, s.VectorWeight, s.Signals.Title, s.Signals.Links = quarry.FusionRRF, 10, 1, .5, 0, .1
		}},
		{"the vault's before the user's", "[search]\nk = 10\nper_note = 5", "[search]\nk = 20", func(s *quarry.RankingSettings) { s.K, s.PerNote = 20, 5 }},
		{"half-lives", "[search.half_life_days]\ndefault = 90\nProject = 30", "[search.half_life_days]\nproject = 14.5\n\"a.b\" = 7", func(s *quarry.RankingSettings) {
			lives := map[string]float64{}
			for name, days := range s.Signals.HalfLifeDays {
				lives[name] = days
			}
			lives[""], lives["project"], lives["a.b"] = 90, 14.5, 7
			s.Signals.HalfLifeDays = lives
		}},
		{"a low weak takes nothing along", "[search]\nweak = 0.05", "", func(s *quarry.RankingSettings) { s.Weak, s.Nothing = .05, .05 }},
		{"a high nothing takes weak along", "", "[search]\nnothing = 0.9", func(s *quarry.RankingSettings) { s.Weak, s.Nothing = .9, .9 }},
		{"dotted keys", "search.signals.decay = 0.2", "", func(s *quarry.RankingSettings) { s.Signals.Decay = .2 }},
	} {
		var want *quarry.RankingSettings
		if test.change != nil {
			settings := quarry.DefaultRanking()
			test.change(&settings)
			want = &settings
		}
		config, talk, err := configured(t, test.user, test.own)
		if diff := cmp.Diff(want, config.Ranking); err != nil || diff != "" || talk != "" {
			t.Errorf("%s: error %v, said %q (-want +got): %s", test.name, err, talk, diff)
		}
	}
	if diff := cmp.Diff(quarry.DefaultRanking(), *(settings{Search: rankingSettings{"k": int64(quarry.DefaultRanking().K)}}).ranking()); diff != "" {
		t.Errorf("the defaults were changed: %s", diff)
	}
}

// Each mistake is told with its line and what would be right.
func TestMistakesInTheRanking(t *testing.T) {
	for _, test := range []struct{ text, want, hint string }{
		{"search = 1", "user.toml:1: search takes a table", ""},
		{"[search]\nfusion = \"sums\"", `user.toml:2: search.fusion: there is no fusion "sums"`, `fusion takes "sum" (scores are added) or "rrf" (ranks are fused)`},
		{"[search]\nfusion = 1", `user.toml:2: search.fusion: there is no fusion "1"`, ""},
		{"[search]\n\nfusoin = \"sum\"", "user.toml:3: search.fusoin: there is no such key", "did you mean fusion?"},
		{"[search]\nk = 0", "user.toml:2: search.k: 0 is out of range", "k takes a whole number from 1 to 10000"},
		{"[search]\nk = 1.5", "user.toml:2: search.k: it takes a whole number", ""},
		{"[search]\nweak = \"0.5\"", "user.toml:2: search.weak: it takes a number", "weak takes a number from 0 to 1"},
		{"[search]\nweak = nan", "user.toml:2: search.weak: NaN is out of range", ""},
		{"[search]\nlexical_weight = inf", "user.toml:2: search.lexical_weight: +Inf is out of range", ""},
		{"[search]\nnothing = 0.6\nweak = 0.5", "user.toml:2: search.nothing: 0.6 is more than weak (0.5)", "nothing is at most weak"},
		{"[search]\nlexical_weight = 0\nvector_weight = 0.0", "user.toml:3: search.vector_weight: with both weights at 0 nothing is ranked", ""},
		{"[search]\nsignals = 1", "user.toml:2: search.signals: it takes a table", ""},
		{"[search.signals]\ntitel = 1", "user.toml:2: search.signals.titel: there is no such key", "did you mean title?"},
		{"[search.signals]\ndecay = 2", "user.toml:2: search.signals.decay: 2 is out of range", "decay takes a number from 0 to 1"},
		{"[search]\ndecay = 0.2", "user.toml:2: search.decay: there is no such key", "decay stands in the table [search.signals]"},
		{"[search]\nrecency_window = 0.2", "user.toml:2: search.recency_window: there is no such key", "docs/configuration.md lists"},
		{"[redaction]\nrecency_window = 0.2", "user.toml:2: redaction.recency_window: there is no such key", "docs/configuration.md lists"},
		{"title = 0.2", "user.toml:1: title: there is no such key", "title stands in the table [search.signals]"},
		{"[search.half_life_days]\nproject = 0", "user.toml:2: search.half_life_days.project: 0 is out of range", "1 to 36500"},
		{"[search.half_life_days]\nproject = [1]", "user.toml:2: search.half_life_days.project: [1] is out of range", ""},
		{"[search.half_life_days.project]\na = 1", "user.toml:1: search.half_life_days.project: map[a:1] is out of range", ""},
		{"[[search]]\nk = 1", "user.toml:1: search takes a table", ""},
	} {
		_, _, err := configured(t, test.text, "")
		var hinted *hinted
		if !errors.As(err, &hinted) || !strings.Contains(err.Error(), test.want) || !strings.Contains(hinted.hint, test.hint) || strings.Contains(hinted.hint, " ;") {
			t.Errorf("%q: got %v, %+v, want %s, hint %s", test.text, err, hinted, test.want, test.hint)
		}
	}
}

// The table of docs/configuration.md has every key, with its default and its bounds.
func TestRankingOfTheDocs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	defaults := quarry.DefaultRanking()
	rows := []string{fmt.Sprintf("| `fusion` | %s | sum, rrf |", defaults.Fusion)}
	for _, key := range rankingKeys {
		rows = append(rows, fmt.Sprintf("| `%s` | %g | %g to %g |", key.Name, key.Of(&defaults), key.Least, key.Most))
	}
	for _, row := range rows {
		if !strings.Contains(string(text), "\n"+row+" ") {
			t.Errorf("docs/configuration.md has no row %s", row)
		}
	}
	for _, row := range []string{"per_note     " + strconv.Itoa(defaults.PerNote), "title        " + fmt.Sprintf("%g", defaults.Signals.Title), "default      " + fmt.Sprintf("%g", defaults.Signals.HalfLifeDays[""])} {
		if !strings.Contains(configurationHelp, "\n  "+row+":") {
			t.Errorf("the help of the configuration does not say %s", row)
		}
	}
	if line := fmt.Sprintf("\ndefault = %g\n", defaults.Signals.HalfLifeDays[""]); !strings.Contains(string(text), line) {
		t.Errorf("docs/configuration.md does not show%s", line)
	}
}

// A weight of 0 in the vault's file does not count where the user's other one is 0, which is told.
func TestWeightsOfBothFiles(t *testing.T) {
	for _, test := range []struct {
		user, own       string
		lexical, vector float64
		notice          string
	}{
		{"lexical_weight = 0", "vector_weight = 0", 0, 1, "search.vector_weight = 0 is ignored: with the other weight, which is 0 in your configuration, nothing would be ranked\n"},
		{"vector_weight = 0", "lexical_weight = 0.0", 1, 0, "search.lexical_weight = 0 is ignored: "},
		{"lexical_weight = 0", "lexical_weight = 0.5\nvector_weight = 0", .5, 0, ""},
		{"lexical_weight = 0", "vector_weight = 0.5", 0, .5, ""},
		{"lexical_weight = 2\nvector_weight = 3", "vector_weight = 0", 2, 0, ""},
	} {
		config, talk, err := configured(t, "[search]\n"+test.user, "[search]\n"+test.own)
		if err != nil || config.Ranking == nil {
			t.Errorf("%s, %s: error %v", test.user, test.own, err)
			continue
		}
		if r := config.Ranking; r.LexicalWeight != test.lexical || r.VectorWeight != test.vector {
			t.Errorf("%s, %s: weights %v and %v", test.user, test.own, r.LexicalWeight, r.VectorWeight)
		}
		if !strings.Contains(talk, test.notice) || (talk == "") != (test.notice == "") || !strings.Contains(talk, ".quarry.toml: ") && talk != "" {
			t.Errorf("%s, %s: said %q", test.user, test.own, talk)
		}
	}
}

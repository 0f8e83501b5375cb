package quarry_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"quarry"
)

// workshop has two notes on each of two topics; the first of each topic has two sections, of which the second is on the other topic.
var workshop = map[string]string{
	"kiln.md":    "---\ntags: [fire]\n---\n# Kiln\n\n## Firing\n\nThe kiln is fired slowly with pine until the glaze melts on the clay pots.\n\n## Mooring\n\nA boat is moored in the harbour with two ropes and an anchor that holds in mud.\n",
	"glaze.md":   "---\ntags: [fire]\n---\n# Glaze\n\nAsh glaze melts in a kiln that is fired with pine, and runs down the clay pots.\n",
	"harbour.md": "# Harbour\n\nIn the harbour a boat lies moored with ropes, and its anchor is sunk into the mud.\n",
	"bread.md":   "---\ntags: [fire]\n---\n# Bread\n\nSourdough is kneaded, rested overnight and baked on a stone.\n",
}

func likePaths(t *testing.T, e *quarry.Engine, request quarry.SearchRequest) string {
	t.Helper()
	answer, err := e.Search(t.Context(), request)
	if err != nil {
		t.Fatalf("like %s: %v", request.Like, err)
	}
	var paths []string
	for i, r := range answer.Results {
		paths = append(paths, strings.TrimSuffix(r.FilePath, ".md"))
		if r.Score < 0 || r.Score > 1 {
			t.Errorf("%s: score %v", r.FilePath, r.Score)
		}
		if r.Explain == nil {
			continue
		}
		sum := 0.0
		for _, c := range r.Explain.Contributions {
			sum += c.Amount
		}
		if math.Abs(sum-r.Explain.Score) > 1e-6 || i > 0 && r.Explain.Score > answer.Results[i-1].Explain.Score {
			t.Errorf("%s: score %v of %v", r.FilePath, r.Explain.Score, sum)
		}
	}
	if answer.Status == quarry.StatusNothingRelevant {
		t.Errorf("like %s: %s", request.Like, answer.Status)
	}
	return strings.Join(paths, " ")
}

// TestLike holds that passages near to a note come first, its own are left out, and filters and modes act as in any search.
func TestLike(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, workshop)) {
		for _, c := range []struct{ address, query, mode, want string }{
			{"glaze", "", "", "kiln"},
			{"glaze.md", "", "vector", "kiln"},
			{"[[glaze]]", "", "lexical", "kiln"},
			{"kiln#Firing", "", "", "glaze"},
			{"kiln.md#Mooring", "", "", "harbour"},
			{"harbour", "", "", "kiln"},
			{"harbour", "-tag:fire", "", ""},
		} {
			request := quarry.SearchRequest{Like: c.address, Query: c.query, Mode: quarry.Mode(c.mode), Explain: true}
			got := likePaths(t, e, request)
			if strings.Contains(got+" ", strings.Trim(strings.SplitN(c.address, "#", 2)[0], "[].md")+" ") {
				t.Errorf("%s: like %s: its own passages are in %s", who, c.address, got)
			}
			if c.query == "" && !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: like %s, %s: %s, want %s first", who, c.address, c.mode, got, c.want)
			}
			if c.query != "" && got != "" {
				t.Errorf("%s: like %s %s: %s", who, c.address, c.query, got)
			}
		}
		filtered := quarry.SearchRequest{Like: "harbour", Filter: quarry.Filter{Tags: []string{"fire"}}, Limit: 1}
		if got := likePaths(t, e, filtered); got != "kiln" {
			t.Errorf("%s: filtered: %s", who, got)
		}
		for address, want := range map[string]error{"nosuch": quarry.ErrNotFound, "kiln#nosuch": quarry.ErrNoPart} {
			if _, err := e.Search(t.Context(), quarry.SearchRequest{Like: address}); !errors.Is(err, want) {
				t.Errorf("%s: like %s: %v, want %v", who, address, err, want)
			}
		}
	}
}

// TestLikeTellsWhatItDoesNotDo holds that what a search for what is like a note does not do is told where it is asked for, and else not.
func TestLikeTellsWhatItDoesNotDo(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, workshop)) {
		plain := quarry.SearchRequest{Like: "glaze"}
		expanded, fused, query := plain, plain, quarry.SearchRequest{Query: "kiln", Expand: true, Fusion: quarry.FusionRRF}
		expanded.Expand, fused.Fusion = true, quarry.FusionRRF
		for name, c := range map[string]struct {
			request           quarry.SearchRequest
			ofLinks, ofFusion bool
		}{"plain": {plain, false, false}, "expanded": {expanded, true, false}, "fused": {fused, false, true}, "no like": {query, false, false}} {
			_, got := noticesOf(t, e, c.request)
			if strings.Contains(got, "without what links lead to") != c.ofLinks || strings.Contains(got, "the fusion of ranks was not used") != c.ofFusion {
				t.Errorf("%s, %s: %q", who, name, got)
			}
		}
	}
}

// TestRankingIsChecked holds that settings out of range are refused before anything is opened.
func TestRankingIsChecked(t *testing.T) {
	for name, change := range map[string]func(*quarry.RankingSettings){
		"fusion":        func(s *quarry.RankingSettings) { s.Fusion = "best" },
		"k":             func(s *quarry.RankingSettings) { s.K = 0 },
		"depth":         func(s *quarry.RankingSettings) { s.Depth = -1 },
		"per note":      func(s *quarry.RankingSettings) { s.PerNote = -1 },
		"weak":          func(s *quarry.RankingSettings) { s.Weak = math.NaN() },
		"nothing":       func(s *quarry.RankingSettings) { s.Nothing = 1.01 },
		"order":         func(s *quarry.RankingSettings) { s.Weak, s.Nothing = .2, .3 },
		"weights":       func(s *quarry.RankingSettings) { s.LexicalWeight, s.VectorWeight = 0, 0 },
		"infinite":      func(s *quarry.RankingSettings) { s.LexicalWeight = math.Inf(1) },
		"signal":        func(s *quarry.RankingSettings) { s.Signals.Links = -.1 },
		"half-life":     func(s *quarry.RankingSettings) { s.Signals.HalfLifeDays = map[string]float64{"daily": 0} },
		"half-life NaN": func(s *quarry.RankingSettings) { s.Signals.HalfLifeDays = map[string]float64{"": math.NaN()} },
	} {
		ranking := quarry.DefaultRanking()
		config := quarry.Config{VaultDir: "v", DatabasePath: "d", Ranking: &ranking}
		if err := config.Validate(); err != nil {
			t.Fatalf("the defaults: %v", err)
		}
		change(&ranking)
		if err := config.Validate(); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

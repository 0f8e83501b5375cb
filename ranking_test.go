package quarry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// TestRankingBounds holds that every number of the ranking has bounds, that an engine keeps to them, and that the defaults do.
func TestRankingBounds(t *testing.T) {
	numbers := 0
	var count func(reflect.Type)
	count = func(of reflect.Type) {
		for i := range of.NumField() {
			switch field := of.Field(i).Type; field.Kind() {
			case reflect.Int, reflect.Float64:
				numbers++
			case reflect.Struct:
				count(field)
			}
		}
	}
	count(reflect.TypeFor[quarry.RankingSettings]())
	bounds := quarry.RankingBounds()
	if len(bounds) != numbers {
		t.Errorf("%d bounds of %d numbers", len(bounds), numbers)
	}
	check := func(change func(*quarry.RankingSettings)) error {
		settings := quarry.DefaultRanking()
		settings.Nothing = 0
		change(&settings)
		return quarry.Config{VaultDir: "v", DatabasePath: "d", Ranking: &settings}.Validate()
	}
	for _, b := range bounds {
		defaults := quarry.DefaultRanking()
		if !b.Holds(b.Of(&defaults)) {
			t.Errorf("%s: the default is %v", b.Name, b.Of(&defaults))
		}
		wrong := []float64{b.Least - 1, b.Most + 1}
		if !b.IsWhole() {
			wrong = append(wrong, math.NaN(), math.Inf(1))
		}
		for _, value := range wrong {
			if err := check(func(s *quarry.RankingSettings) { b.Set(s, value) }); err == nil || !strings.Contains(err.Error(), b.Name+" is ") {
				t.Errorf("%s = %v: %v", b.Name, value, err)
			}
		}
		if b.Name == "nothing" {
			continue // above weak it is none
		}
		for _, value := range []float64{b.Least, b.Most} {
			if err := check(func(s *quarry.RankingSettings) { b.Set(s, value) }); err != nil {
				t.Errorf("%s = %v: %v", b.Name, value, err)
			}
		}
	}
	for days, isRight := range map[float64]bool{0: false, .5: false, 1: true, 36_500: true, 36_501: false, math.NaN(): false, math.Inf(1): false} {
		if err := check(func(s *quarry.RankingSettings) { s.Signals.HalfLifeDays = map[string]float64{"log": days} }); (err == nil) != isRight {
			t.Errorf("a half-life of %v days: %v", days, err)
		}
	}
	for what, change := range map[string]func(*quarry.RankingSettings){
		"nothing above weak": func(s *quarry.RankingSettings) { s.Weak, s.Nothing = .2, .3 },
		"no leg":             func(s *quarry.RankingSettings) { s.LexicalWeight, s.VectorWeight = 0, 0 },
		"no such fusion":     func(s *quarry.RankingSettings) { s.Fusion = "max" },
	} {
		if err := check(change); err == nil {
			t.Errorf("%s is let through", what)
		}
	}
}

// TestLinksOfClients holds that scores tell a client nothing of whether notes are hidden, where links count: they count for the owner.
func TestLinksOfClients(t *testing.T) {
	ranking := quarry.DefaultRanking()
	ranking.Signals.Links = .1
	answers := map[string]string{}
	for _, isWhole := range []bool{true, false} {
		vault, db := t.TempDir(), filepath.Join(t.TempDir(), "index.db")
		writeVault(t, vault, workshop, map[string]string{"hub.md": "# Hub\n\n[[kiln]] and [[harbour]], and [[kiln]] again.\n"})
		if isWhole {
			writeVault(t, vault, map[string]string{"own.md": "---\nsensitivity: private\n---\n# Own\n\n[[kiln]] of my own.\n"})
		}
		config := quarry.Config{VaultDir: vault, DatabasePath: db, Ranking: &ranking}
		owner := openConfig(t, config)
		mustIndex(t, owner, quarry.IndexOptions{})
		config.Audience = quarry.Client
		for who, e := range map[string]*quarry.Engine{"owner": owner, "client": openConfig(t, config)} {
			for _, fusion := range []quarry.Fusion{"", quarry.FusionRRF} {
				answer, err := askedFor(e.Search(t.Context(), quarry.SearchRequest{Query: "kiln fired with pine", Fusion: fusion, Explain: true, All: true}))
				encoded, jsonErr := json.Marshal(answer)
				if err = errors.Join(err, jsonErr); err != nil {
					t.Fatal(err)
				}
				answers[fmt.Sprint(who, isWhole)] += string(encoded)
			}
		}
	}
	if diff := cmp.Diff(answers["clientfalse"], answers["clienttrue"]); diff != "" {
		t.Errorf("a client can tell that a note is hidden:\n%s", diff)
	}
	const links = `"name":"links"`
	if !strings.Contains(answers["ownertrue"], links) || strings.Contains(answers["clientfalse"], links) {
		t.Errorf("links count for the client, or not for the owner: %s", answers["ownertrue"])
	}
	if ranking.Signals.Links != .1 {
		t.Error("the settings of the caller were changed")
	}
}

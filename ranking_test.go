package quarry_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

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

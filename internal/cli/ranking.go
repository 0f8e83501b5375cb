package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quarry"
)

// halfLives is the table of half-lives by type, whose key defaultType is for types without one of their own.
const (
	halfLives   = "half_life_days"
	defaultType = "default"
)

// rankingKeys are all numbers of the table [search] but the half-lives.
var rankingKeys = quarry.RankingBounds()

var fusions = []string{string(quarry.FusionSum), string(quarry.FusionRRF)}

// rankingNames are the keys of [search], or of [search.signals] for the prefix "signals.".
func rankingNames(prefix string) []string {
	var names []string
	if prefix == "" {
		names = append(names, "fusion", "signals", halfLives)
	}
	for _, key := range rankingKeys {
		if rest, isBelow := strings.CutPrefix(key.Name, prefix); isBelow && !strings.Contains(rest, ".") {
			names = append(names, rest)
		}
	}
	return names
}

// rankingSettings is the table [search] as it stands in a file. Its numbers may be written as whole ones.
type rankingSettings map[string]any

// at is the value of a dotted key, nil where the table has none.
func (t rankingSettings) at(name string) any {
	table, key, isInside := cutLast(name, ".")
	if !isInside {
		return t[name]
	}
	inner, _ := t[table].(map[string]any)
	return inner[key]
}

// numberOf is a value of TOML as a number.
func numberOf(value any) (number float64, isWhole, isNumber bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true, true
	case float64:
		return v, false, true
	}
	return 0, false, false
}

// wrongRanking finds the first mistake in the table of the ranking, in the order of rankingKeys.
func wrongRanking(s settings, _ map[string]int) *misplaced {
	for _, table := range []string{"signals", halfLives} {
		if _, isTable := s.Search[table].(map[string]any); !isTable && s.Search[table] != nil {
			return &misplaced{"search." + table, listsKeys, errors.New("it takes a table")}
		}
	}
	if fusion := s.Search["fusion"]; fusion != nil && !slices.Contains(fusions, fmt.Sprint(fusion)) {
		return &misplaced{"search.fusion", `fusion takes "sum" (scores are added) or "rrf" (ranks are fused)`, fmt.Errorf("there is no fusion %q", fmt.Sprint(fusion))}
	}
	for _, key := range rankingKeys {
		if mistake := wrongNumber(key, s.Search.at(key.Name)); mistake != nil {
			return mistake
		}
	}
	lives := s.Search.halfLives()
	for _, name := range slices.Sorted(maps.Keys(lives)) {
		days, _, isNumber := numberOf(lives[name])
		if !isNumber || !(days >= quarry.LeastHalfLifeDays && days <= quarry.MostHalfLifeDays) {
			hint := fmt.Sprintf("a half-life is a number of days, %d to %d; signals.decay = 0 turns them off", quarry.LeastHalfLifeDays, quarry.MostHalfLifeDays)
			return &misplaced{"search." + halfLives + "." + name, hint, fmt.Errorf("%v is out of range", lives[name])}
		}
	}
	return s.Search.wrongTogether()
}

// wrongNumber tells what is amiss with a value of a key.
func wrongNumber(key quarry.RankingBound, value any) *misplaced {
	if value == nil {
		return nil
	}
	number, isWhole, isNumber := numberOf(value)
	kind := "a number"
	if key.IsWhole() {
		kind = "a whole number"
	}
	_, name, _ := cutLast("."+key.Name, ".")
	hint := fmt.Sprintf("%s takes %s from %g to %g", name, kind, key.Least, key.Most)
	switch {
	case !isNumber, key.IsWhole() && !isWhole:
		return &misplaced{"search." + key.Name, hint, fmt.Errorf("it takes %s", kind)}
	case !key.Holds(number):
		return &misplaced{"search." + key.Name, hint, fmt.Errorf("%v is out of range", value)}
	}
	return nil
}

// wrongTogether finds values of one file that cannot both hold.
func (t rankingSettings) wrongTogether() *misplaced {
	weak, _, hasWeak := numberOf(t["weak"])
	nothing, _, hasNothing := numberOf(t["nothing"])
	if hasWeak && hasNothing && nothing > weak {
		return &misplaced{"search.nothing", "what has nothing relevant is weak, too: nothing is at most weak", fmt.Errorf("%g is more than weak (%g)", nothing, weak)}
	}
	lexical, _, hasLexical := numberOf(t["lexical_weight"])
	byMeaning, _, hasVector := numberOf(t["vector_weight"])
	if hasLexical && hasVector && lexical == 0 && byMeaning == 0 {
		return &misplaced{"search.vector_weight", "one of lexical_weight and vector_weight is above 0", errors.New("with both weights at 0 nothing is ranked")}
	}
	return nil
}

func (t rankingSettings) halfLives() map[string]any {
	lives, _ := t[halfLives].(map[string]any)
	return lives
}

// legWeights are the weights of words and of meaning, of which one has to be above 0.
var legWeights = []string{"lexical_weight", "vector_weight"}

// ranking lays the vault's table over the user's, key by key: it is data, of which the explanation of a search tells. A weight of 0
// beside one of the user's does not count, since then nothing would be ranked.
func (o *vaultOverlay) ranking() {
	o.user.vaultSearch = maps.Clone(o.own.Search)
	both := o.user.ranking()
	if both == nil || both.LexicalWeight > 0 || both.VectorWeight > 0 {
		return
	}
	for _, key := range legWeights {
		if _, isOwn := o.own.Search[key]; isOwn {
			o.ignored("search."+key+" = 0", "with the other weight, which is 0 in your configuration, nothing would be ranked")
			delete(o.user.vaultSearch, key)
		}
	}
}

// ranking is what the engine is told, nil where no file says anything.
func (s settings) ranking() *quarry.RankingSettings {
	if len(s.Search) == 0 && len(s.vaultSearch) == 0 {
		return nil
	}
	out := quarry.DefaultRanking()
	out.Signals.HalfLifeDays = maps.Clone(out.Signals.HalfLifeDays)
	for _, table := range []rankingSettings{s.Search, s.vaultSearch} {
		table.lay(&out)
	}
	return &out
}

// lay puts the values of a table, which is right, into settings. A threshold that the other file or the default has gives way to
// one that is named.
func (t rankingSettings) lay(out *quarry.RankingSettings) {
	if fusion, isText := t["fusion"].(string); isText {
		out.Fusion = quarry.Fusion(fusion)
	}
	for _, key := range rankingKeys {
		if number, _, isNumber := numberOf(t.at(key.Name)); isNumber {
			key.Set(out, number)
		}
	}
	switch _, _, hasNothing := numberOf(t["nothing"]); {
	case out.Nothing <= out.Weak:
	case hasNothing:
		out.Weak = out.Nothing
	default:
		out.Nothing = out.Weak
	}
	for name, days := range t.halfLives() {
		if out.Signals.HalfLifeDays == nil {
			out.Signals.HalfLifeDays = map[string]float64{}
		}
		number, _, _ := numberOf(days)
		name = strings.ToLower(strings.TrimSpace(name))
		if name == defaultType {
			name = ""
		}
		out.Signals.HalfLifeDays[name] = number
	}
}

package quarry

import (
	"errors"
	"fmt"
	"math"

	"quarry/search"
)

// Bounds of RankingSettings.
const (
	maxFusionK    = 10_000
	maxLegWeight  = 10
	maxSignal     = 1
	maxHalfLife   = 36_500 // days
	maxPerNote    = 1000
	maxLegDepth   = 1000
	rankingPrefix = "configuration: ranking: "
)

// checkRanking tells what of the settings of the ranking is out of range.
func checkRanking(s *RankingSettings) error {
	if s == nil {
		return nil
	}
	if s.Fusion != search.Sum && s.Fusion != search.RRF && s.Fusion != "" {
		return fmt.Errorf(rankingPrefix+"there is no fusion %q", s.Fusion)
	}
	numbers := []struct {
		name        string
		value       float64
		least, most float64
	}{
		{"k", float64(s.K), 1, maxFusionK},
		{"depth", float64(s.Depth), 1, maxLegDepth},
		{"per note", float64(s.PerNote), 0, maxPerNote},
		{"lexical weight", s.LexicalWeight, 0, maxLegWeight},
		{"vector weight", s.VectorWeight, 0, maxLegWeight},
		{"weak", s.Weak, 0, 1},
		{"nothing", s.Nothing, 0, 1},
		{"title", s.Signals.Title, 0, maxSignal},
		{"identifier", s.Signals.Identifier, 0, maxSignal},
		{"tag", s.Signals.Tag, 0, maxSignal},
		{"decay", s.Signals.Decay, 0, maxSignal},
		{"links", s.Signals.Links, 0, maxSignal},
		{"type weight", s.Signals.TypeWeight, 0, maxSignal},
		{"status", s.Signals.Status, 0, maxSignal},
		{"shallow", s.Signals.Shallow, 0, maxSignal},
	}
	for _, n := range numbers {
		if !(n.value >= n.least && n.value <= n.most) { // what is no number is not
			return fmt.Errorf(rankingPrefix+"%s is %v, and takes %v to %v", n.name, n.value, n.least, n.most)
		}
	}
	for noteType, days := range s.Signals.HalfLifeDays {
		if math.IsNaN(days) || days <= 0 || days > maxHalfLife {
			return fmt.Errorf(rankingPrefix+"the half-life of the type %q is %v days, and takes more than 0 to %d", noteType, days, maxHalfLife)
		}
	}
	switch {
	case s.Nothing > s.Weak:
		return errors.New(rankingPrefix + "nothing is above weak: an answer with nothing relevant is weak, too")
	case s.LexicalWeight == 0 && s.VectorWeight == 0:
		return errors.New(rankingPrefix + "no leg has a weight")
	}
	return nil
}

package quarry

import (
	"errors"
	"fmt"
	"slices"

	"quarry/search"
)

// RankingBound is a number among the RankingSettings and the range that it takes. It is immutable.
type RankingBound struct {
	Name        string  // as a configuration has it: "k", "signals.title"
	Least, Most float64 // inclusive

	value func(*RankingSettings) any // *int or *float64
}

// IsWhole tells of a number that takes whole values alone.
func (b RankingBound) IsWhole() bool {
	_, isWhole := b.value(&RankingSettings{}).(*int)
	return isWhole
}

// Holds tells whether a value is in the range, which what is no number is not.
func (b RankingBound) Holds(value float64) bool { return value >= b.Least && value <= b.Most }

// Of gives the number in some settings.
func (b RankingBound) Of(settings *RankingSettings) float64 {
	switch value := b.value(settings).(type) {
	case *int:
		return float64(*value)
	case *float64:
		return *value
	}
	return 0
}

// Set changes the number in some settings. The value is in the range, and whole where IsWhole says so.
func (b RankingBound) Set(settings *RankingSettings, value float64) {
	switch number := b.value(settings).(type) {
	case *int:
		*number = int(value)
	case *float64:
		*number = value
	}
}

// Bounds of RankingSettings.Signals.HalfLifeDays, inclusive.
const (
	LeastHalfLifeDays = 1
	MostHalfLifeDays  = 36_500
)

// Bounds of several settings. A signal that adds as much as all words of a query together is the largest that is one.
const (
	mostLegWeight = 10
	mostSignal    = 1
)

var rankingBounds = []RankingBound{
	{"k", 1, 10_000, func(s *RankingSettings) any { return &s.K }},
	{"lexical_weight", 0, mostLegWeight, func(s *RankingSettings) any { return &s.LexicalWeight }},
	{"vector_weight", 0, mostLegWeight, func(s *RankingSettings) any { return &s.VectorWeight }},
	{"depth", 1, 1000, func(s *RankingSettings) any { return &s.Depth }},
	{"weak", 0, 1, func(s *RankingSettings) any { return &s.Weak }},
	{"nothing", 0, 1, func(s *RankingSettings) any { return &s.Nothing }},
	{"per_note", 0, 1000, func(s *RankingSettings) any { return &s.PerNote }},
	{"signals.title", 0, mostSignal, func(s *RankingSettings) any { return &s.Signals.Title }},
	{"signals.identifier", 0, mostSignal, func(s *RankingSettings) any { return &s.Signals.Identifier }},
	{"signals.tag", 0, mostSignal, func(s *RankingSettings) any { return &s.Signals.Tag }},
	{"signals.decay", 0, mostSignal, func(s *RankingSettings) any { return &s.Signals.Decay }},
	{"signals.links", 0, mostSignal, func(s *RankingSettings) any { return &s.Signals.Links }},
	{"signals.type_weight", 0, mostSignal, func(s *RankingSettings) any { return &s.Signals.TypeWeight }},
	{"signals.status", 0, mostSignal, func(s *RankingSettings) any { return &s.Signals.Status }},
	{"signals.shallow", 0, mostSignal, func(s *RankingSettings) any { return &s.Signals.Shallow }},
}

// RankingBounds are all numbers among the RankingSettings but the half-lives, in the order in which mistakes are told.
func RankingBounds() []RankingBound { return slices.Clone(rankingBounds) }

const rankingPrefix = "configuration: ranking: "

// checkRanking tells what of the settings of the ranking is out of range.
func checkRanking(s *RankingSettings) error {
	if s == nil {
		return nil
	}
	if s.Fusion != search.Sum && s.Fusion != search.RRF && s.Fusion != "" {
		return fmt.Errorf(rankingPrefix+"there is no fusion %q", s.Fusion)
	}
	for _, b := range rankingBounds {
		if value := b.Of(s); !b.Holds(value) {
			return fmt.Errorf(rankingPrefix+"%s is %v, and takes %v to %v", b.Name, value, b.Least, b.Most)
		}
	}
	for noteType, days := range s.Signals.HalfLifeDays {
		if !(days >= LeastHalfLifeDays && days <= MostHalfLifeDays) { // what is no number is not
			return fmt.Errorf(rankingPrefix+"the half-life of the type %q is %v days, and takes %d to %d", noteType, days, LeastHalfLifeDays, MostHalfLifeDays)
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

// rankingFor gives the settings of an audience; nil stands for the defaults. A client's are without links: the view of an index that
// hides notes has no figures of them, and a score must not tell whether there are any.
func rankingFor(audience Audience, settings *RankingSettings) *RankingSettings {
	if settings == nil {
		ranking := DefaultRanking()
		settings = &ranking
	}
	if audience != Client {
		return settings
	}
	of := *settings
	of.Signals.Links = 0
	return &of
}

package intake

// Rules are what a vault wants: its interests, domains, trusted sources, weights and thresholds. The zero value is not usable.
type Rules struct {
	Weights             [4]float64 // of relevance, actionability, depth and authority
	RouteFrom, ReviewAt float64    // thresholds of the composite
	Interests           []Interest
	Domains             []Domain
	Authority           map[string]float64 // by host or origin, 0 to 1
	Adjustments         Adjustments        // what was learnt
}

// Interest is a word or phrase that the vault is about, and how much.
type Interest struct {
	Phrase string
	Weight float64 // 1 is usual, at most 3
}

// Domain is where signals go, and what tells that one belongs there.
type Domain struct {
	Name     string
	Keywords map[string]float64 // word or phrase, and its weight
	Hosts    []string           // sources of which everything belongs there
}

// Adjustments are learnt from what the user accepts and drops, each within ±.2, and can be looked at and reset.
type Adjustments struct {
	Authority map[string]float64
	Keywords  map[string]float64
}

// DefaultRules are the built-in ones.
func DefaultRules() Rules {
	return Rules{Weights: [4]float64{.35, .25, .25, .15}, RouteFrom: .55, ReviewAt: .40}
}

// Scorer scores signals by rules. It is safe for concurrent use.
type Scorer struct{ rules Rules }

// NewScorer prepares rules; an error names what is wrong with them.
func NewScorer(rules Rules) (*Scorer, error) { return &Scorer{rules}, nil }

package intake

import "time"

// Rules are what a vault wants: its interests, domains, trusted sources, weights and thresholds. The zero value is not usable; begin
// with DefaultRules.
type Rules struct {
	Weights             [4]float64 // of relevance, actionability, depth and authority; all 0 in an overlay that says nothing of them
	RouteFrom, ReviewAt float64    // thresholds of the composite, 0 to 1; 0 in an overlay that says nothing of them
	Interests           []Interest
	Domains             []Domain           // further keywords and hosts of the built-in domains, and further domains
	Authority           map[string]float64 // by host or origin, 0 to 1; a host's counts for its subdomains
	Adjustments         Adjustments        // what was learnt
	Now                 time.Time          // what the age of a signal counts to; zero: age does not count
}

// Interest is a word or phrase that the vault is about, and how much.
type Interest struct {
	Phrase string
	Weight float64 // 1 is usual, at most 3
}

// Domain is where signals go, and what tells that one belongs there.
type Domain struct {
	Name     string             // a folder's name: lower-case letters, digits and hyphens
	Keywords map[string]float64 // word or phrase, and its weight, above 0 and at most 5; 2 is usual
	Hosts    []string           // sources of which everything belongs there
}

// Fault is something of a rules file that cannot be used. The rest counts all the same.
type Fault struct {
	Line    int    `json:"line"` // from 1
	Message string `json:"message"`
}

// DefaultRules are the built-in ones. Their vocabularies and hosts count in every Scorer, and are not listed.
func DefaultRules() Rules {
	return Rules{Weights: [4]float64{.35, .25, .25, .15}, RouteFrom: .55, ReviewAt: .40}
}

// With gives the rules with what an overlay says of its own on top: its figures where they are not 0, its interests, domains and hosts
// behind the others, and of the same names in their place.
func (r Rules) With(overlay Rules) Rules {
	return r
}

// ParseRules reads intake.yaml. What it gives is an overlay for Rules.With.
func ParseRules(content []byte) (Rules, []Fault) { return Rules{}, nil }

// ParseInterests reads interests.md.
func ParseInterests(markdown []byte) []Interest { return nil }

// Scorer scores signals by rules. It is safe for concurrent use.
type Scorer struct{ rules Rules }

// NewScorer prepares rules; an error names what is wrong with them.
func NewScorer(rules Rules) (*Scorer, error) { return &Scorer{rules}, nil }

// Score scores a signal. The same rules and signal give the same score.
func (s *Scorer) Score(signal Signal) Score { return Score{Decision: Review, Domain: "other"} }

package intake

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

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

// With gives the rules with what an overlay says on top: its figures where they are not 0, its interests behind the others, its
// keywords and hosts of a domain beside those of the same name, its authorities in place of the same ones. Neither changes.
func (r Rules) With(overlay Rules) Rules {
	for at, weight := range overlay.Weights {
		if weight != 0 {
			r.Weights[at] = weight
		}
	}
	r.RouteFrom, r.ReviewAt = cmp.Or(overlay.RouteFrom, r.RouteFrom), cmp.Or(overlay.ReviewAt, r.ReviewAt)
	r.ReviewAt = min(r.ReviewAt, r.RouteFrom) // one of the two may have been said alone
	r.Interests = slices.Concat(r.Interests, overlay.Interests)
	r.Domains = slices.Clone(r.Domains)
	for _, domain := range overlay.Domains {
		at := slices.IndexFunc(r.Domains, func(d Domain) bool { return d.Name == domain.Name })
		if at < 0 {
			r.Domains = append(r.Domains, domain)
			continue
		}
		keywords := map[string]float64{}
		maps.Copy(keywords, r.Domains[at].Keywords)
		maps.Copy(keywords, domain.Keywords)
		r.Domains[at] = Domain{domain.Name, keywords, slices.Concat(r.Domains[at].Hosts, domain.Hosts)}
	}
	authority := map[string]float64{}
	maps.Copy(authority, r.Authority)
	maps.Copy(authority, overlay.Authority)
	r.Authority = authority
	if !overlay.Adjustments.IsEmpty() {
		r.Adjustments = overlay.Adjustments
	}
	if !overlay.Now.IsZero() {
		r.Now = overlay.Now
	}
	return r
}

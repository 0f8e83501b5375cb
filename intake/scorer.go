package intake

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Scorer scores signals by rules. It is safe for concurrent use.
type Scorer struct {
	rules     Rules
	builtIn   *builtIn
	domains   []string // built-in ones, then the further ones
	keywords  matcher
	belongs   [][]belonging // by term of keywords
	interests matcher
	weights   []float64 // by term of interests
	hosts     map[string]string
}

// belonging is how much a keyword speaks for a domain.
type belonging struct {
	domain int // of Scorer.domains
	weight float64
}

// Bounds of rules.
const (
	maxInterests   = 2000
	maxDomains     = 100
	maxKeywords    = 20000
	maxPhraseBytes = 200
)

// NewScorer prepares rules; an error names what is wrong with them: a weight or threshold that is no figure from 0 to 1, weights that
// add up to nothing, a threshold of review above that of routing, a domain whose name is no folder's, or too much of anything.
func NewScorer(rules Rules) (*Scorer, error) {
	if err := rules.validate(); err != nil {
		return nil, err
	}
	s := &Scorer{rules: rules, builtIn: loadBuiltIn(), domains: slices.Clone(Domains), hosts: map[string]string{}, interests: matcher{isAll: true}}
	for domain, name := range Domains {
		for _, text := range slices.Sorted(maps.Keys(s.builtIn.domains[name])) {
			s.addKeyword(text, domain, s.builtIn.domains[name][text])
		}
	}
	for _, domain := range rules.Domains {
		place := slices.Index(s.domains, domain.Name)
		if place < 0 {
			place = len(s.domains)
			s.domains = append(s.domains, domain.Name)
		}
		for _, text := range slices.Sorted(maps.Keys(domain.Keywords)) {
			s.addKeyword(text, place, domain.Keywords[text])
		}
		for _, host := range domain.Hosts {
			s.hosts[plainHost(host)] = domain.Name
		}
	}
	for _, interest := range rules.Interests {
		if number := s.interests.add(interest.Phrase); number >= 0 {
			for number >= len(s.weights) {
				s.weights = append(s.weights, 0)
			}
			s.weights[number] = max(s.weights[number], interest.Weight)
		}
	}
	s.addRouting()
	return s, nil
}

// addKeyword gives a keyword to a domain; what the rules say of one that is built in holds.
func (s *Scorer) addKeyword(text string, domain int, weight float64) {
	number := s.keywords.add(text)
	if number < 0 {
		return
	}
	for number >= len(s.belongs) {
		s.belongs = append(s.belongs, nil)
	}
	if at := slices.IndexFunc(s.belongs[number], func(b belonging) bool { return b.domain == domain }); at >= 0 {
		s.belongs[number][at].weight = weight
		return
	}
	s.belongs[number] = append(s.belongs[number], belonging{domain, weight})
}

// addRouting makes keywords speak for the domains that the user moved signals to.
func (s *Scorer) addRouting() {
	for _, name := range slices.Sorted(maps.Keys(s.rules.Adjustments.Routing)) {
		domain := slices.Index(s.domains, name)
		for _, keyword := range slices.Sorted(maps.Keys(s.rules.Adjustments.Routing[name])) {
			number := -1
			if domain >= 0 && !strings.HasPrefix(keyword, "host:") {
				number = s.keywords.add(keyword)
			}
			if number < 0 || number >= len(s.belongs) {
				continue
			}
			shift := 10 * s.rules.Adjustments.Routing[name][keyword].Adjustment() // ±2, as much as a usual keyword weighs
			at := slices.IndexFunc(s.belongs[number], func(b belonging) bool { return b.domain == domain })
			if at < 0 {
				s.belongs[number] = append(s.belongs[number], belonging{domain, 0})
				at = len(s.belongs[number]) - 1
			}
			s.belongs[number][at].weight = max(0, s.belongs[number][at].weight+shift)
		}
	}
}

func (r Rules) validate() error {
	total := 0.0
	for _, weight := range r.Weights {
		if !isShare(weight) {
			return fmt.Errorf("weight %v: want a figure from 0 to 1", weight)
		}
		total += weight
	}
	switch {
	case total == 0:
		return fmt.Errorf("weights %v: one at least must be above 0", r.Weights)
	case !isShare(r.RouteFrom) || !isShare(r.ReviewAt):
		return fmt.Errorf("thresholds %v and %v: want figures from 0 to 1", r.RouteFrom, r.ReviewAt)
	case r.ReviewAt > r.RouteFrom:
		return fmt.Errorf("threshold of review %v is above that of routing %v", r.ReviewAt, r.RouteFrom)
	case len(r.Interests) > maxInterests:
		return fmt.Errorf("%d interests: at most %d are taken", len(r.Interests), maxInterests)
	case len(r.Domains) > maxDomains:
		return fmt.Errorf("%d domains: at most %d are taken", len(r.Domains), maxDomains)
	}
	for _, domain := range r.Domains {
		if !isFolderName(domain.Name) {
			return fmt.Errorf("domain %q: its name is a folder's, of lower-case letters, digits and hyphens", cut(domain.Name, maxPhraseBytes))
		}
		if len(domain.Keywords) > maxKeywords {
			return fmt.Errorf("domain %q: %d keywords, at most %d are taken", domain.Name, len(domain.Keywords), maxKeywords)
		}
	}
	return nil
}

func isShare(value float64) bool { return value >= 0 && value <= 1 }

func isFolderName(name string) bool {
	return name != "" && len(name) <= 60 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && name[0] != '-'
}

func plainHost(host string) string {
	host = strings.ToLower(strings.TrimSpace(host))
	if known := hostOf(host); known != "" {
		return known
	}
	return strings.TrimPrefix(strings.TrimSuffix(host, "/"), "www.")
}

// Score scores a signal. The same rules and signal give the same score, in time that grows with at most 64 KiB of its body.
func (s *Scorer) Score(signal Signal) Score {
	form := formOf(signal)
	places := placesOf(signal, form)
	read := &reading{scorer: s, signal: signal, form: form, places: places, cues: s.readCues(places)}
	read.noise()
	choice := read.choose()
	score := Score{Domain: choice.domain, DomainReasons: choice.reasons}
	score.Relevance = read.relevance(choice)
	score.Actionability = read.actionability()
	score.Depth = read.depth()
	score.Authority = read.authority()
	score.Keywords = read.keywordsFound(choice)
	weights, total := s.rules.Weights, 0.0
	for at, dimension := range []Dimension{score.Relevance, score.Actionability, score.Depth, score.Authority} {
		score.Composite += weights[at] * dimension.Value
		total += weights[at]
	}
	score.Composite = rounded(score.Composite / total)
	switch {
	case score.Composite >= s.rules.RouteFrom:
		score.Decision = Route
	case score.Composite >= s.rules.ReviewAt:
		score.Decision = Review
	default:
		score.Decision = Drop
	}
	return score
}

func rounded(value float64) float64 {
	return math.Round(min(max(value, 0), 1)*100+1e-9) / 100
}

// reading is a signal while it is scored.
type reading struct {
	scorer *Scorer
	signal Signal
	form   *form
	places *places
	cues   []cueCount // by cueKinds

	noiseShare   float64 // 0 to 1
	noiseReasons []string
	interests    []found
}

// found is a term with how much it counts.
type found struct {
	text  string
	value float64
	where string
}

// heaviest sorts by value, then text.
func heaviest(all []found) []found {
	slices.SortFunc(all, func(a, b found) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.text, b.text)) })
	return all
}

func named(all []found, most int) string {
	names := []string{}
	for _, f := range all[:min(len(all), most)] {
		names = append(names, f.text+" ("+f.where+")")
	}
	return strings.Join(names, ", ")
}

func (h hits) where() string {
	switch {
	case h.title > 0:
		return "title"
	case h.tag > 0:
		return "tag"
	case h.body > 1:
		return fmt.Sprintf("%d times", h.body)
	}
	return "text"
}

// keywordsFound are interests and the weightiest keywords of the chosen domain: what feedback is about.
func (r *reading) keywordsFound(choice choice) []string {
	keywords := []string{}
	for _, f := range slices.Concat(r.interests, choice.found[:min(len(choice.found), 8)]) {
		if keyword := strings.ToLower(f.text); !slices.Contains(keywords, keyword) {
			keywords = append(keywords, keyword)
		}
	}
	return keywords
}

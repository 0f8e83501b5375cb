package intake

import (
	"fmt"
	"math"
	"strings"
)

// choice is the domain of a signal, and why.
type choice struct {
	domain  string
	points  float64 // of the domain, or of the best one where it is other
	found   []found // keywords of the domain, the weightiest first
	reasons []string
}

// Points of what speaks for a domain besides its keywords, whose weight w counts w²÷3 in the body and three times as much in the title.
const (
	titlePoints = 3.0
	tagPoints   = 2.5
	hostPoints  = 6.0
	ownHost     = 1000.0 // the user's word
	leastPoints = 2.0    // below, nothing is sure
)

// choose finds the domain that most speaks for.
func (r *reading) choose() choice {
	s := r.scorer
	points := make([]float64, len(s.domains))
	all := make([][]found, len(s.domains))
	scale := 1 / math.Sqrt(1+float64(r.form.words)/500)
	hitsOf := r.places.find(&s.keywords)
	if r.form.words == 0 && r.signal.Address != "" {
		slug := slugWords(r.signal.Address)
		s.keywords.find(tokensOf(slug, nil), "", true, func(number int) { h := hitsOf[number]; h.body++; hitsOf[number] = h })
	}
	for number, h := range hitsOf {
		value := 0.0
		if h.title > 0 {
			value = titlePoints
		}
		if h.tag > 0 {
			value = max(value, tagPoints) + .5
		}
		if h.body > 0 {
			value += (1 + math.Log(float64(h.body))) * scale
		}
		text := s.keywords.terms[number].text
		value *= 1 + s.rules.Adjustments.Keywords[strings.ToLower(text)].Adjustment()
		for _, b := range s.belongs[number] {
			all[b.domain] = append(all[b.domain], found{text, value * b.weight * b.weight / 3, h.where()})
		}
	}
	for domain := range all {
		for _, f := range heaviest(all[domain]) { // in this order, so that sums are the same
			points[domain] += f.value
		}
	}
	extra := make([][]string, len(s.domains))
	r.topics(func(domain string, more float64, reason string) {
		for at, name := range s.domains {
			if name == domain {
				points[at] += more
				extra[at] = append(extra[at], reason)
			}
		}
	})
	return r.best(points, all, extra)
}

func (r *reading) best(points []float64, all [][]found, extra [][]string) choice {
	best, other := 0, 0
	for domain, name := range r.scorer.domains {
		if name == "other" {
			other = domain
		}
		if points[domain] > points[best] {
			best = domain
		}
	}
	if best == other || points[best] < leastPoints {
		second := 0.0
		for domain := range points {
			if domain != other {
				second = max(second, points[domain])
			}
		}
		c := choice{domain: "other", points: second, found: all[other], reasons: extra[other]}
		if len(c.found) > 0 {
			c.reasons = append(c.reasons, "of everyday life: "+named(c.found, 5))
		} else {
			c.reasons = append(c.reasons, "nothing is sure: no domain has words enough")
		}
		return c
	}
	c := choice{domain: r.scorer.domains[best], points: points[best], found: all[best], reasons: extra[best]}
	if len(c.found) > 0 {
		c.reasons = append(c.reasons, "keywords: "+named(c.found, 6))
	}
	if second := runnerUp(points, best, other); second >= 0 && points[second] > points[best]/2 {
		c.reasons = append(c.reasons, fmt.Sprintf("next: %s, with %.0f %% of the points", r.scorer.domains[second], 100*points[second]/points[best]))
	}
	return c
}

func runnerUp(points []float64, best, other int) int {
	second := -1
	for domain := range points {
		if domain != best && domain != other && (second < 0 || points[domain] > points[second]) {
			second = domain
		}
	}
	return second
}

// topics are what speaks for a domain besides words: hosts, numbers of vulnerabilities, the form of a paper, what was learnt.
func (r *reading) topics(add func(domain string, points float64, reason string)) {
	key := AuthorityKey(r.signal)
	if domain, host := lookUp(r.scorer.hosts, key); host != "" {
		add(domain, ownHost, "your rules send "+host+" there")
	}
	if known, host := lookUp(r.scorer.builtIn.hosts, key); known.domain != "" {
		add(known.domain, hostPoints, host+" writes of it")
	}
	for _, domain := range r.scorer.domains {
		if tally, isThere := r.scorer.rules.Adjustments.Routing[domain]["host:"+key]; isThere {
			add(domain, 30*tally.Adjustment(), "learnt: you moved signals of "+key)
		}
	}
	if namesVulnerability(r.places.titleText) {
		add("security", 10, "the title names a vulnerability")
	} else if r.form.namesVulnerability {
		add("security", 5, "the text names a vulnerability")
	}
	if cues := r.cues[kindJob]; cues.isStrong() {
		add("career", 12, "it is a job advert: "+cues.named())
	}
	if reason := r.paper(); reason != "" {
		add("research", 12, reason)
	}
}

// paperPhrases are what a paper says of itself, mostly in its abstract.
var paperPhrases = []string{"we propose", "we present", "we introduce", "we show that", "we prove", "we study", "we evaluate", "in this paper", "this paper", "our experiments", "our method", "our results", "state-of-the-art", "abstract:", "et al", "preprint", "arxiv:", "doi:", "peer-reviewed", "statistically significant", "wir stellen vor", "dans cet article, nous", "nous proposons", "本論文", "本研究", "提案する"}

func (r *reading) paper() string {
	text := strings.ToLower(r.places.titleText + "\n" + cut(r.places.bodyText, 6000))
	names := []string{}
	for _, phrase := range paperPhrases {
		if strings.Contains(text, phrase) {
			names = append(names, "“"+phrase+"”")
		}
	}
	if host := hostOf(r.signal.Address); len(names) >= 2 || len(names) == 1 && (host == "arxiv.org" || host == "doi.org") {
		return "it has the form of a paper: " + strings.Join(names[:min(len(names), 3)], ", ")
	}
	if host := hostOf(r.signal.Address); host == "arxiv.org" || host == "doi.org" {
		return "its address is that of a paper"
	}
	return ""
}

const maxHostBytes = 253 // of a name of the network (RFC 1035)

// lookUp finds what is kept for a host or for one that it lies below, and for which.
func lookUp[V any](kept map[string]V, host string) (value V, name string) {
	for name := cut(host, maxHostBytes); name != ""; {
		if value, isThere := kept[name]; isThere {
			return value, name
		}
		_, rest, isMore := strings.Cut(name, ".")
		if !isMore {
			break
		}
		name = rest
	}
	return value, ""
}

package intake

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// part is what a figure is made of: an amount and why.
type part struct {
	amount float64
	reason string
}

// dimension adds up parts, the weightiest reason first, and takes off what noise costs: .65 of it at most.
func (r *reading) dimension(parts []part) Dimension {
	value := 0.0
	for _, p := range parts {
		value += p.amount
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(math.Abs(b.amount), math.Abs(a.amount)) })
	d := Dimension{Value: min(max(value, 0), 1), Reasons: []string{}}
	for _, p := range parts {
		if p.reason != "" && math.Abs(p.amount) >= .005 {
			d.Reasons = append(d.Reasons, fmt.Sprintf("%+.2f %s", p.amount, p.reason))
		}
	}
	if lost := d.Value * noiseCost * r.noiseShare; lost >= .005 {
		d.Value -= lost
		d.Reasons = append(d.Reasons, fmt.Sprintf("-%.2f %s", lost, strings.Join(r.noiseReasons, "; ")))
	}
	if len(d.Reasons) == 0 && len(parts) > 0 {
		d.Reasons = append(d.Reasons, "+0.00 "+parts[0].reason)
	}
	d.Value = rounded(d.Value)
	return d
}

const noiseCost = .65

// relevance is how much a signal is about what the vault is about. Without interests the words of its domain tell.
func (r *reading) relevance(c choice) Dimension {
	words := .95 * (1 - math.Exp(-c.points/6.5))
	reason := "words of " + c.domain
	if len(c.found) > 0 {
		reason += ": " + named(c.found, 5)
	}
	if c.domain == "other" {
		words *= .4
		reason = "a few words of the domains"
	}
	parts := []part{}
	if len(r.scorer.weights) == 0 {
		parts = append(parts, part{words, reason})
	} else if share := r.interest(); share > 0 {
		own := max(.9*share, .45*words)
		parts = append(parts, part{own, "your interests: " + named(r.interests, 5)}, part{(1 - own) * .35 * words, reason})
	} else {
		parts = append(parts, part{.5 * words, reason + "; none of your interests"})
	}
	if shift, keyword := r.learntShift(c); shift != 0 {
		parts = append(parts, part{shift, "learnt of what you accept and drop, “" + keyword + "” above all"})
	}
	if age := r.age(); age > 2*365*24*time.Hour && r.signal.Channel != Bookmark {
		parts = append(parts, part{-.05, fmt.Sprintf("it is %d years old", int(age.Hours()/24/365))})
	}
	return r.dimension(parts)
}

// interest is how much of the vault's interests a signal has, 0 to 1: each hit is evidence, which adds up as probabilities do.
func (r *reading) interest() float64 {
	without := 1.0
	for number, h := range r.places.find(&r.scorer.interests) {
		strength := 0.0
		switch {
		case h.title > 0:
			strength = .75
		case h.tag > 0:
			strength = .65
		}
		if h.body > 0 {
			inBody := min(.6, .3+.15*math.Log2(float64(h.body)))
			if r.form.words > 800 {
				inBody *= .8
			}
			strength = 1 - (1-strength)*(1-inBody)
		}
		text := r.scorer.interests.terms[number].text
		weight := r.scorer.weights[number] * (1 + r.scorer.rules.Adjustments.Keywords[strings.ToLower(text)].Adjustment())
		r.interests = append(r.interests, found{text, strength * weight, h.where()})
	}
	for _, f := range heaviest(r.interests) {
		without *= math.Exp(-1.6 * f.value)
	}
	return 1 - without
}

// learntShift is by how much what was learnt of the keywords moves the relevance, and the keyword it is most due to.
func (r *reading) learntShift(c choice) (shift float64, keyword string) {
	count, most := 0, 0.0
	for _, name := range r.keywordsFound(c) {
		adjustment := r.scorer.rules.Adjustments.Keywords[name].Adjustment()
		if adjustment == 0 {
			continue
		}
		shift += adjustment
		count++
		if math.Abs(adjustment) > most {
			most, keyword = math.Abs(adjustment), name
		}
	}
	if count > 0 {
		shift /= float64(count)
	}
	return shift, keyword
}

// age is how old a signal is, 0 where nobody knows.
func (r *reading) age() time.Duration {
	latest := r.signal.Created
	if r.signal.Updated.After(latest) {
		latest = r.signal.Updated
	}
	if r.scorer.rules.Now.IsZero() || latest.IsZero() {
		return 0
	}
	return max(0, r.scorer.rules.Now.Sub(latest))
}

// actionability is how much there is to do or to apply, against what is only to be known.
func (r *reading) actionability() Dimension {
	f := r.form
	parts := []part{{.25, "to begin with"}}
	add := func(amount float64, reason string) { parts = append(parts, part{amount, reason}) }
	howto, release, advisory := r.cues[kindHowto], r.cues[kindRelease], r.cues[kindAdvisory]
	if howto.title > 0 {
		add(min(.3, .1*howto.title), "the title promises how: "+howto.named())
	}
	if howto.body > 0 {
		add(min(.25, .035*howto.body), "it tells how: "+howto.named())
	}
	if f.fences > 0 || f.codeLines > 1 {
		add(.15, "code")
	}
	if f.commands > 0 {
		add(.08, "commands")
	}
	if f.spans > 1 {
		add(.06, "names of code")
	}
	if f.measures > 0 {
		add(min(.12, .04*float64(f.measures)), "what was measured")
	}
	if f.steps+f.tasks > 1 {
		add(.12, fmt.Sprintf("%d steps", f.steps+f.tasks))
	}
	if release.title > 0 || release.body > 2 {
		add(min(.15, .05*release.title+.02*release.body), "a release: "+release.named())
	}
	if f.versions > 0 {
		add(.05, "versions")
	}
	if isVulnerable := namesVulnerability(r.places.titleText) || r.form.namesVulnerability; isVulnerable || advisory.total() > 3 {
		add(min(.3, .1+.04*advisory.total()), "what is affected and what helps: "+advisory.named())
	}
	r.subtract(add, kindOpinion, .2, "an opinion: ")
	r.subtract(add, kindNews, .15, "an announcement: ")
	r.subtract(add, kindRoundup, .15, "a roundup: ")
	return r.dimension(parts)
}

func (r *reading) subtract(add func(amount float64, reason string), kind int, most float64, reason string) {
	if c := r.cues[kind]; c.title+c.body > 1 {
		add(-min(most, .05*c.title+.02*c.body), reason+c.named())
	}
}

// lengths are words, and the depth that as many can have.
var lengths = [][2]float64{{0, .02}, {12, .15}, {30, .35}, {60, .5}, {120, .62}, {250, .72}, {600, .82}, {1500, .88}, {4000, .92}}

func depthOfLength(words float64) float64 {
	for at := 1; at < len(lengths); at++ {
		if from, to := lengths[at-1], lengths[at]; words < to[0] {
			return from[1] + (to[1]-from[1])*(words-from[0])/(to[0]-from[0])
		}
	}
	return lengths[len(lengths)-1][1]
}

// depth is how much there is to a signal.
func (r *reading) depth() Dimension {
	f := r.form
	if f.words+f.codeLines == 0 && r.signal.Channel == Bookmark {
		return r.dimension([]part{{.3, "a bookmark: its page was not read"}})
	}
	length := depthOfLength(float64(f.words) + 6*float64(f.codeLines))
	parts := []part{{length, fmt.Sprintf("%d words and %d lines of code", f.words, f.codeLines)}}
	add := func(amount float64, reason string) { parts = append(parts, part{amount, reason}) }
	if r.signal.Channel == Capture && length < .4 {
		add(.4-length, "a thought of your own may be short")
	}
	if f.fences > 0 || f.spans > 2 {
		add(.08, "code")
	}
	if f.headings > 1 {
		add(.06, fmt.Sprintf("%d headings", f.headings))
	}
	if f.tables > 2 {
		add(.05, "a table")
	}
	if f.figures > 0 {
		add(.03, "figures")
	}
	if f.measures+f.versions > 1 {
		add(min(.1, .03*float64(f.measures+f.versions)), "figures and versions")
	}
	if source := r.cues[kindSource]; source.total() > 0 {
		add(min(.1, .02*source.total()), "it goes to the source: "+source.named())
	}
	switch {
	case f.isLinkList():
		add(-.4*length, "mostly a list of links")
	case len(f.hosts) > 1:
		add(.05, fmt.Sprintf("links to %d other sites", len(f.hosts)))
	}
	return r.dimension(parts)
}

// authority is how far the source can be relied on.
func (r *reading) authority() Dimension {
	key := AuthorityKey(r.signal)
	parts := []part{}
	known, host := lookUp(r.scorer.builtIn.hosts, key)
	own, ownHost := lookUp(r.scorer.rules.Authority, key)
	switch {
	case ownHost != "":
		parts = append(parts, part{own, "your rules for " + ownHost})
	case host != "":
		parts = append(parts, part{known.authority, host + ": " + known.why})
	case r.signal.Channel == Capture:
		parts = append(parts, part{.8, "you noted it yourself"})
	default:
		parts = append(parts, part{.5, "nothing is known of " + cmp.Or(key, "its source")})
	}
	if strings.TrimSpace(r.signal.Author) != "" && ownHost == "" {
		parts = append(parts, part{.03, "it names its author"})
	}
	if tally, learntOf := lookUp(r.scorer.rules.Adjustments.Authority, key); learntOf != "" {
		parts = append(parts, part{tally.Adjustment(), fmt.Sprintf("learnt of %s: %d accepted, %d dropped", learntOf, tally.Accepted, tally.Dropped)})
	}
	return r.dimension(parts)
}

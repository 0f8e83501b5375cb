package intake

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// The kinds of cues, by their place in cueKinds.
const (
	kindHowto = iota
	kindRelease
	kindAdvisory
	kindOpinion
	kindNews
	kindRoundup
	kindAd
	kindJob
	kindPress
	kindChaff
	kindTeaser
	kindTransaction
	kindSource
)

// cueCount is how much of one kind a signal has.
type cueCount struct {
	title, body float64 // sums of weights; that of the body by its length
	found       []found
}

func (c cueCount) total() float64 { return c.title + c.body }

// strength is above 0 where there is more of a kind than a word in passing: 1 for two telling phrases in the title, or one there and
// one in the text.
func (c cueCount) strength() float64 { return min(1, max(0, (1.5*c.title+c.body-2.5)/5)) }

func (c cueCount) isStrong() bool { return c.strength() >= .5 }

func (c cueCount) named() string {
	if len(c.found) == 0 {
		return "in small words"
	}
	names := []string{}
	for _, f := range c.found[:min(len(c.found), 4)] {
		names = append(names, "“"+f.text+"”")
	}
	return strings.Join(names, ", ")
}

func (s *Scorer) readCues(p *places) []cueCount {
	counts := make([]cueCount, len(cueKinds))
	scale := min(1, math.Sqrt(150/float64(max(p.bodyWords, 1))))
	hitsOf := p.find(&s.builtIn.cues)
	numbers := []int{}
	for number := range hitsOf {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers) // so that sums are the same
	for _, number := range numbers {
		h := hitsOf[number]
		for _, c := range s.builtIn.kinds[number] {
			count := &counts[c.kind]
			inBody := c.weight * math.Sqrt(float64(min(h.body, 3))) * scale
			inTitle := 0.0
			if h.title > 0 && c.weight > 1 {
				inTitle = c.weight
			}
			if c.weight > 1 && h.title+h.body > 0 {
				count.found = append(count.found, found{text: s.builtIn.cues.terms[number].text, value: inTitle*2 + inBody})
			}
			count.title += inTitle
			count.body += inBody
		}
	}
	for kind := range counts {
		heaviest(counts[kind].found)
	}
	return counts
}

// noise finds what is not worth anybody's time whatever it is about: adverts, press releases, teasers and the like.
func (r *reading) noise() {
	add := func(share float64, reason string) {
		if share < .05 {
			return
		}
		r.noiseShare = min(1, r.noiseShare+share)
		r.noiseReasons = append(r.noiseReasons, reason)
	}
	ad := r.cues[kindAd]
	if off := discount(r.places.titleText); off != "" {
		ad.title += 3
		ad.found = append([]found{{text: off}}, ad.found...)
	} else if off := discount(cut(r.places.bodyText, 4000)); off != "" {
		ad.body += 2
		ad.found = append(ad.found, found{text: off})
	}
	add(ad.strength(), "reads as an advert: "+ad.named())
	add(r.cues[kindJob].strength(), "reads as a job advert: "+r.cues[kindJob].named())
	add(r.cues[kindPress].strength(), "reads as a press release: "+r.cues[kindPress].named())
	chaff := r.cues[kindChaff]
	add(min(1, max(0, (1.5*chaff.title+chaff.body-1)/3)), "reads as chaff: "+chaff.named())
	if transaction := r.cues[kindTransaction]; r.signal.Channel == Mail || transaction.title > 2 {
		add(transaction.strength(), "a mail of an account, nothing to keep: "+transaction.named())
	}
	r.teaser(add)
}

// teaser finds what only leads elsewhere: a feed's item or a mail with next to no text.
func (r *reading) teaser(add func(share float64, reason string)) {
	words := r.form.words + 6*r.form.codeLines
	if r.signal.Channel == Bookmark || r.signal.Channel == Capture || r.signal.Channel == Tool {
		return
	}
	switch cues := r.cues[kindTeaser]; {
	case words < 8:
		add(.75, "an empty teaser: next to no text")
	case words < 70 && (cues.body > 2 || cues.title > 0):
		add(min(1, .4+.6*(70-float64(words))/50), "a teaser: "+cues.named())
	case words < 40 && endsOpen(r.signal.Body):
		add(.5, "a teaser: the text breaks off")
	case words < 12:
		add(.3, "next to no text")
	}
}

func endsOpen(body string) bool {
	body = strings.TrimSpace(body)
	return cmp.Or(strings.HasSuffix(body, "…"), strings.HasSuffix(body, "..."), strings.HasSuffix(body, "[…]"), strings.HasSuffix(body, "[...]"))
}

// discount is what is taken off a price, "" where nothing is.
func discount(text string) string {
	for rest := text; ; {
		at := strings.IndexAny(rest, "%％")
		if at < 0 {
			at = strings.Index(rest, "ercent")
		}
		if at < 0 {
			at = strings.Index(rest, "rozent")
		}
		if at < 0 {
			return ""
		}
		if off := percentOff.FindString(strings.ToValidUTF8(rest[max(0, at-8):min(len(rest), at+24)], "")); off != "" {
			return off
		}
		rest = rest[min(len(rest), at+3):]
	}
}

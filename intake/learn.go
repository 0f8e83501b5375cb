package intake

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MaxAdjustment bounds what is learnt: the authority of a host and the weight of a keyword move by at most this much.
const MaxAdjustment = .2

// Adjustments are what was learnt from what the user accepted and dropped. They are counts, so that the order in which things were
// decided means nothing and each decision can be taken back. The zero value has learnt nothing; to reset is to put it in place.
type Adjustments struct {
	Authority map[string]Tally `json:"authority,omitempty"` // by host, or origin where there is no host
	Keywords  map[string]Tally `json:"keywords,omitempty"`  // by keyword as the rules write it, in lower case
	// Routing counts, by domain and then by keyword or "host:" and a host, what the user moved there (accepted) and away (dropped).
	Routing map[string]map[string]Tally `json:"routing,omitempty"`
}

// Tally counts decisions for and against something, each at least 0.
type Tally struct {
	Accepted int `json:"accepted"`
	Dropped  int `json:"dropped"`
}

// Adjustment is from -.2 to .2: the share of what speaks for it, drawn to 0 while little is known: .2 × (a − d) ÷ (a + d + 3).
func (t Tally) Adjustment() float64 {
	accepted, dropped := float64(max(t.Accepted, 0)), float64(max(t.Dropped, 0))
	return MaxAdjustment * (accepted - dropped) / (accepted + dropped + 3)
}

// Verdict is what a user made of a signal.
type Verdict string

// The verdicts.
const (
	Accepted Verdict = "accept"
	Dropped  Verdict = "drop"
	Moved    Verdict = "move" // accepted, but into another domain
)

// Feedback is one decision of the user, with what it is about.
type Feedback struct {
	Verdict  Verdict  `json:"verdict"`
	Host     string   `json:"host,omitempty"`
	Keywords []string `json:"keywords,omitempty"`
	From     string   `json:"from,omitempty"` // the domain that the rules chose
	To       string   `json:"to,omitempty"`   // the domain that the user chose; only of Moved
	// Undo takes the same feedback back.
	Undo bool `json:"undo,omitempty"`
}

// FeedbackOf is the feedback that a verdict on a scored signal gives. The domain to is that of Moved alone.
func FeedbackOf(signal Signal, score Score, verdict Verdict, to string) Feedback {
	feedback := Feedback{Verdict: verdict, Host: AuthorityKey(signal), Keywords: score.Keywords, From: score.Domain}
	if verdict == Moved {
		feedback.To = to
	}
	return feedback
}

// AuthorityKey is the host that a signal's authority is kept by: that of its address, else that of its origin, else the origin's text
// in lower case. "" where a signal names neither.
func AuthorityKey(signal Signal) string {
	if host := hostOf(signal.Address); host != "" && signal.Channel != Mail {
		return host
	}
	if host := hostOf(signal.Origin); host != "" {
		return host
	}
	origin := strings.ToLower(strings.Join(strings.Fields(cut(signal.Origin, maxPhraseBytes)), " "))
	if _, host, isMail := strings.Cut(origin, "@"); isMail && signal.Channel == Mail {
		return strings.Trim(host, "<> ")
	}
	return origin
}

// Learn gives the adjustments with one decision more, or one less where it is undone; the given ones do not change. The order of
// decisions means nothing.
func Learn(adjustments Adjustments, feedback Feedback) Adjustments {
	learnt := Adjustments{maps.Clone(adjustments.Authority), maps.Clone(adjustments.Keywords), map[string]map[string]Tally{}}
	for domain, tallies := range adjustments.Routing {
		learnt.Routing[domain] = maps.Clone(tallies)
	}
	isFor := feedback.Verdict == Accepted || feedback.Verdict == Moved
	step := 1
	if feedback.Undo {
		step = -1
	}
	learnt.Authority = counted(learnt.Authority, feedback.Host, isFor, step)
	keywords := slices.Compact(slices.Sorted(slices.Values(feedback.Keywords)))
	for _, keyword := range keywords {
		learnt.Keywords = counted(learnt.Keywords, strings.ToLower(keyword), isFor, step)
	}
	if feedback.Verdict == Moved && feedback.To != "" && feedback.To != feedback.From {
		if feedback.Host != "" {
			keywords = append(keywords, "host:"+feedback.Host)
		}
		for _, keyword := range keywords {
			learnt.Routing[feedback.To] = counted(learnt.Routing[feedback.To], strings.ToLower(keyword), true, step)
			learnt.Routing[feedback.From] = counted(learnt.Routing[feedback.From], strings.ToLower(keyword), false, step)
		}
	}
	maps.DeleteFunc(learnt.Routing, func(_ string, tallies map[string]Tally) bool { return len(tallies) == 0 })
	return learnt
}

func counted(tallies map[string]Tally, name string, isFor bool, step int) map[string]Tally {
	if name == "" {
		return tallies
	}
	if tallies == nil {
		tallies = map[string]Tally{}
	}
	tally := tallies[name]
	if isFor {
		tally.Accepted += step
	} else {
		tally.Dropped += step
	}
	if tally == (Tally{}) {
		delete(tallies, name)
	} else {
		tallies[name] = tally
	}
	return tallies
}

// IsEmpty tells that nothing was learnt.
func (a Adjustments) IsEmpty() bool {
	return len(a.Authority) == 0 && len(a.Keywords) == 0 && len(a.Routing) == 0
}

// Words say what was learnt, a line each, hosts first, then keywords, then domains, each in the order of the alphabet.
func (a Adjustments) Words() []string {
	lines := []string{}
	for _, host := range slices.Sorted(maps.Keys(a.Authority)) {
		lines = append(lines, "authority of "+host+" "+a.Authority[host].words())
	}
	for _, keyword := range slices.Sorted(maps.Keys(a.Keywords)) {
		lines = append(lines, "weight of “"+keyword+"” "+a.Keywords[keyword].words())
	}
	for _, domain := range slices.Sorted(maps.Keys(a.Routing)) {
		for _, keyword := range slices.Sorted(maps.Keys(a.Routing[domain])) {
			tally := a.Routing[domain][keyword]
			lines = append(lines, fmt.Sprintf("“%s” for %s %+.2f (%d moved there, %d away)", keyword, domain, tally.Adjustment(), tally.Accepted, tally.Dropped))
		}
	}
	return lines
}

func (t Tally) words() string {
	return fmt.Sprintf("%+.2f (%d accepted, %d dropped)", t.Adjustment(), t.Accepted, t.Dropped)
}

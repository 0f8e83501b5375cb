package intake_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/intake"
)

var article = intake.Signal{
	Channel: intake.Feed, Origin: "https://tides.example/feed", Title: "How to read a tide clock", Address: "https://tides.example/clock", Author: "Ilse Moorhen",
	Created: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
	Body: `A tide clock turns once in 12 hours and 25 minutes. Set it at high water of a spring tide, then check it after a week.

1. Find the time of high water in the table.
2. Turn the hand to the mark.
3. Check after a week: 6 minutes off is usual, 30 are not.

The cause of a slow clock is mostly the battery: we measured 1.42 V in one that lost 9 minutes a day, and 1.55 V in a new one. Replace it twice a year. What helped as well: keep the clock away from the window, since heat of the sun slows the quartz.`,
}

func with(change func(r *intake.Rules)) intake.Rules {
	rules := intake.DefaultRules()
	change(&rules)
	return rules
}

func TestInterests(t *testing.T) {
	plain := newScorer(t, intake.DefaultRules()).Score(article)
	if plain.Relevance.Value > .5 {
		t.Errorf("without interests %+v", plain)
	}
	wanted := newScorer(t, with(func(r *intake.Rules) { r.Interests = []intake.Interest{{"tide clocks", 1}} })).Score(article)
	if wanted.Decision != intake.Route || !strings.Contains(wanted.Relevance.Reasons[0], "tide clocks (title)") || !slices.Contains(wanted.Keywords, "tide clocks") {
		t.Errorf("with interests %+v", wanted)
	}
	heavier := newScorer(t, with(func(r *intake.Rules) { r.Interests = []intake.Interest{{"tide clocks", 3}} })).Score(article)
	if heavier.Relevance.Value <= wanted.Relevance.Value {
		t.Errorf("weight 3 gives %v, weight 1 %v", heavier.Relevance.Value, wanted.Relevance.Value)
	}
	kubernetes := intake.Signal{Channel: intake.Feed, Title: "How to drain Kubernetes nodes", Body: strings.Repeat("Run kubectl drain, wait until the pods are gone, then upgrade the node. ", 9)}
	rules := with(func(r *intake.Rules) { r.Interests = []intake.Interest{{"tide clocks", 1}} })
	if of := newScorer(t, rules).Score(kubernetes); of.Relevance.Value > .5 || newScorer(t, intake.DefaultRules()).Score(kubernetes).Relevance.Value < .7 {
		t.Errorf("what is no interest: %+v", of.Relevance)
	}
}

func TestWordBoundariesAndInflection(t *testing.T) {
	scorer := newScorer(t, with(func(r *intake.Rules) {
		r.Interests = []intake.Interest{{"cat", 1}, {"Datenbank", 1}, {"cache", 1}, {"Go", 1}, {"分散", 1}}
	}))
	for title, want := range map[string]string{
		"Concatenate": "", "Cats": "cat", "Die Datenbanken": "datenbank", "Caching": "cache", "To go there": "", "Written in Go": "go", "分散システム": "分散", "Rustの分散": "分散",
	} {
		score := scorer.Score(intake.Signal{Channel: intake.Bookmark, Title: title})
		if slices.Contains(score.Keywords, want) != (want != "") {
			t.Errorf("%s: %q", title, score.Keywords)
		}
	}
	if score := scorer.Score(intake.Signal{Title: "x", Tags: []string{"go"}}); !slices.Contains(score.Keywords, "go") {
		t.Errorf("a tag: %q", score.Keywords)
	}
}

// TestNoise holds that what is worth nobody's time stays out, however much it is about the vault's interests.
func TestNoise(t *testing.T) {
	scorer := newScorer(t, with(func(r *intake.Rules) { r.Interests = []intake.Interest{{"kubernetes", 3}, {"security", 3}} }))
	for title, body := range map[string]string{
		"Kubernetes hosting, 50% off":                     "Sponsored: the best Kubernetes security. Use code K8S before Friday. Buy now, limited time offer!",
		"Win a Kubernetes book":                           "Giveaway! Enter to win a book on Kubernetes security.",
		"Acme today announced Kubernetes security":        "FOR IMMEDIATE RELEASE. Acme, a leading provider of security, today announced a partnership. Media contact: press@acme.example",
		"Kubernetes security: what nobody tells you":      "",
		"Kubernetes security, part 2":                     "Read more…",
		"We're hiring a Kubernetes security engineer":     "Join our team! Requirements: 5 years of experience. We offer equity. Apply now.",
		"Kubernetes-Ingenieur (m/w/d)":                    "Wir suchen Verstärkung für Security. Wir bieten 30 Tage Urlaub. Jetzt bewerben!",
		"Horoscope for Kubernetes admins":                 "Your daily horoscope: Aries finds security. Lucky number 7.",
		"Kubernetes Sicherheit: Rabatt nur heute":         "Anzeige: Jetzt kaufen und sparen, Gutscheincode K8S.",
		"Offre exclusive : formation Kubernetes security": "Profitez de notre code promo. Offre limitée, achetez avant minuit.",
	} {
		if score := scorer.Score(intake.Signal{Channel: intake.Feed, Title: title, Body: body}); score.Decision != intake.Drop {
			t.Errorf("%s: %+v", title, score)
		}
	}
}

func TestUsersRules(t *testing.T) {
	rules := with(func(r *intake.Rules) {
		r.Domains = []intake.Domain{{Name: "boats", Keywords: map[string]float64{"tide clock": 3}}, {Name: "data", Hosts: []string{"https://www.pinned.example"}}}
		r.Authority = map[string]float64{"tides.example": .95}
	})
	scorer := newScorer(t, rules)
	if score := scorer.Score(article); score.Domain != "boats" || score.Authority.Value != .95 || !strings.Contains(score.Authority.Reasons[0], "your rules for tides.example") {
		t.Errorf("%+v", score)
	}
	pinned := intake.Signal{Channel: intake.Page, Title: "Kubernetes and Docker", Address: "https://blog.pinned.example/1"}
	if score := scorer.Score(pinned); score.Domain != "data" {
		t.Errorf("%+v", score)
	}
	strict := newScorer(t, with(func(r *intake.Rules) { r.RouteFrom, r.ReviewAt = 1, 1 }))
	if score := strict.Score(article); score.Decision != intake.Drop {
		t.Errorf("%+v", score)
	}
	depth := newScorer(t, with(func(r *intake.Rules) { r.Weights = [4]float64{0, 0, 1, 0} })).Score(article)
	if depth.Composite != depth.Depth.Value {
		t.Errorf("%+v", depth)
	}
}

func TestCompositeIsOfWhatIsShown(t *testing.T) {
	scorer := newScorer(t, intake.DefaultRules())
	for _, l := range readLabelled(t) {
		s := scorer.Score(l.signal)
		want := .35*s.Relevance.Value + .25*s.Actionability.Value + .25*s.Depth.Value + .15*s.Authority.Value
		if math.Abs(s.Composite-want) > .0051 {
			t.Errorf("%s: %v of %v", l.signal.Title, s.Composite, want)
		}
		for name, d := range map[string]intake.Dimension{"relevance": s.Relevance, "actionability": s.Actionability, "depth": s.Depth, "authority": s.Authority} {
			if len(d.Reasons) == 0 || slices.Contains(d.Reasons, "") {
				t.Errorf("%s: %s has no reason: %+v", l.signal.Title, name, d)
			}
		}
		if len(s.DomainReasons) == 0 {
			t.Errorf("%s: no reason for %s", l.signal.Title, s.Domain)
		}
		if diff := cmp.Diff(s, newScorerOnce(t).Score(l.signal)); diff != "" {
			t.Fatal(diff)
		}
	}
}

var second *intake.Scorer

func newScorerOnce(t *testing.T) *intake.Scorer {
	if second == nil {
		second = newScorer(t, intake.DefaultRules())
	}
	return second
}

func TestAge(t *testing.T) {
	old := article
	old.Created = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	rules := with(func(r *intake.Rules) { r.Interests = []intake.Interest{{"tide clocks", 1}} })
	undated := newScorer(t, rules).Score(old)
	rules.Now = time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	dated := newScorer(t, rules).Score(old)
	if dated.Relevance.Value >= undated.Relevance.Value || !strings.Contains(strings.Join(dated.Relevance.Reasons, "\n"), "6 years old") {
		t.Errorf("%+v, undated %+v", dated.Relevance, undated.Relevance)
	}
}

func TestLearn(t *testing.T) {
	signal := intake.Signal{Channel: intake.Feed, Origin: "https://ducks.example/feed", Address: "https://ducks.example/1", Title: "DuckDB on a laptop", Body: "Joins of Parquet files that do not fit into memory work on a laptop, since only the columns that are asked for are read from disk."}
	score := newScorer(t, intake.DefaultRules()).Score(signal)
	accept, drop := intake.FeedbackOf(signal, score, intake.Accepted, ""), intake.FeedbackOf(signal, score, intake.Dropped, "")
	none := intake.Adjustments{}
	learnt := none
	for range 50 {
		learnt = intake.Learn(learnt, accept)
	}
	more := newScorer(t, with(func(r *intake.Rules) { r.Adjustments = learnt })).Score(signal)
	if gained := more.Authority.Value - score.Authority.Value; gained <= .15 || gained > intake.MaxAdjustment || more.Relevance.Value < score.Relevance.Value {
		t.Errorf("after 50 accepted: %+v", more)
	}
	if !strings.Contains(strings.Join(more.Authority.Reasons, "\n"), "learnt of ducks.example: 50 accepted, 0 dropped") {
		t.Errorf("reasons %q", more.Authority.Reasons)
	}
	if a, b := intake.Learn(intake.Learn(none, accept), drop), intake.Learn(intake.Learn(none, drop), accept); !cmp.Equal(a, b) {
		t.Error(cmp.Diff(a, b))
	}
	undone := drop
	undone.Undo = true
	if back := intake.Learn(intake.Learn(none, drop), undone); !back.IsEmpty() {
		t.Errorf("undone: %+v", back)
	}
	if len(none.Authority) != 0 || len(learnt.Words()) < 2 || !strings.HasPrefix(learnt.Words()[0], "authority of ducks.example +0.19") {
		t.Errorf("words %q", learnt.Words())
	}
}

func TestLearnOfMoves(t *testing.T) {
	signal := intake.Signal{Channel: intake.Feed, Origin: "https://gulls.example/feed", Address: "https://gulls.example/1", Title: "Queues in practice", Body: "A queue and its server."}
	rules := intake.DefaultRules()
	first := newScorer(t, rules).Score(signal)
	for range 6 {
		rules.Adjustments = intake.Learn(rules.Adjustments, intake.FeedbackOf(signal, first, intake.Moved, "data"))
	}
	if after := newScorer(t, rules).Score(signal); first.Domain == "data" || after.Domain != "data" || !strings.Contains(strings.Join(after.DomainReasons, "\n"), "you moved signals of gulls.example") {
		t.Errorf("from %s to %+v", first.Domain, after)
	}
}

// TestHostileSignals holds bounds of time and memory: each within two seconds.
func TestHostileSignals(t *testing.T) {
	scorer := newScorer(t, intake.DefaultRules())
	for name, body := range map[string]string{
		"one line": strings.Repeat("word ", 2<<20), "one word": strings.Repeat("a", 16<<20), "marks": strings.Repeat("[](http://a)`%", 1<<20), "digits": strings.Repeat("1.", 4<<20),
		"invalid": strings.Repeat("\xff\x00", 4<<20), "fences": strings.Repeat("```\n", 1<<20), "wide": strings.Repeat("分", 1<<20), "hyphens": strings.Repeat("cve-1", 1<<20), "percent": strings.Repeat("%percent", 1<<20),
	} {
		started := time.Now()
		checkScore(t, scorer.Score(intake.Signal{Channel: intake.Feed, Title: body, Body: body, Tags: []string{body}, Address: "https://a.example/" + body, Origin: body}))
		if took := time.Since(started); took > 2*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

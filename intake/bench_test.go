package intake_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/intake"
)

// bulk are signals of about 3 KB, all different.
func bulk(t testing.TB, count int) []intake.Signal {
	set := readLabelled(t)
	signals := make([]intake.Signal, count)
	for at := range signals {
		signal := set[at%len(set)].signal
		signal.Identity = fmt.Sprint(at)
		signal.Address = fmt.Sprintf("https://n%d.example/%d", at%97, at)
		var body strings.Builder
		for next := at; body.Len() < 3000; next++ {
			body.WriteString(set[(next*7+at/len(set))%len(set)].signal.Body + "\n\n")
		}
		signal.Body = body.String()[:3000]
		signals[at] = signal
	}
	return signals
}

func BenchmarkScore(b *testing.B) {
	rules := intake.DefaultRules()
	for _, phrase := range []string{"sqlite", "kubernetes", "prompt injection", "tide clocks", "design tokens"} {
		rules.Interests = append(rules.Interests, intake.Interest{Phrase: phrase, Weight: 1})
	}
	scorer := newScorer(b, rules)
	signals := bulk(b, 1000)
	b.SetBytes(3000)
	b.ReportAllocs()
	for at := 0; b.Loop(); at++ {
		scorer.Score(signals[at%len(signals)])
	}
}

func BenchmarkFingerprint(b *testing.B) {
	signals := bulk(b, 1000)
	b.SetBytes(3000)
	for at := 0; b.Loop(); at++ {
		intake.Fingerprint(signals[at%len(signals)].Body)
	}
}

package intake_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/intake"
)

func TestParseRules(t *testing.T) {
	rules, faults := intake.ParseRules([]byte(`# what this vault wants
thresholds:
  route: 0.6
  review: 2
weights: {relevance: 0.5, depth: 0}
domains:
  data:
    keywords: [duckdb, "write-ahead log", [nested]]
    hosts: [https://WWW.sqlite.org/]
    colour: blue
  boats:
    keywords:
      tide clock: 3
      mast:
      sail: -1
  Not A Folder:
    keywords: x
authority:
  lwn.net: 0.9
  bad.example: much
interests: [sqlite, "tide clocks (3)"]
extra: 1
weights: {authority: 1}
`))
	want := intake.Rules{
		RouteFrom: .6, Weights: [4]float64{.5, 0, 1e-9, 0},
		Domains: []intake.Domain{
			{Name: "data", Keywords: map[string]float64{"duckdb": 2, "write-ahead log": 2}, Hosts: []string{"sqlite.org"}},
			{Name: "boats", Keywords: map[string]float64{"tide clock": 3, "mast": 2}},
		},
		Authority: map[string]float64{"lwn.net": .9},
		Interests: []intake.Interest{{"sqlite", 1}, {"tide clocks", 3}},
	}
	if diff := cmp.Diff(want, rules); diff != "" {
		t.Error(diff)
	}
	lines := []int{}
	for _, fault := range faults {
		lines = append(lines, fault.Line)
		if fault.Message == "" || strings.Contains(fault.Message, "\n") {
			t.Errorf("fault %+v", fault)
		}
	}
	if diff := cmp.Diff([]int{4, 8, 10, 15, 16, 20, 22, 23}, lines); diff != "" {
		t.Errorf("%s%+v", diff, faults)
	}
	if _, err := intake.NewScorer(intake.DefaultRules().With(rules)); err != nil {
		t.Error(err)
	}
}

func TestParseRulesThatAreNone(t *testing.T) {
	for _, c := range []struct {
		content string
		faults  int
	}{
		{"", 0},
		{"# nothing\n", 0},
		{"---\n", 0},
		{"thresholds:\n", 0},
		{"- a\n", 1},
		{"a: [\n", 1},
		{"\tthresholds: 1\n", 1},
		{"\xff", 1},
		{"thresholds: {route: 0.3, review: 0.5}\n", 1},
		{"domains: [a]\n", 1},
		{"domains: {a: {keywords: *x}}\n", 1},
		{strings.Repeat("#", 2<<20), 1},
	} {
		rules, faults := intake.ParseRules([]byte(c.content))
		if len(faults) != c.faults {
			t.Errorf("%.40q: %+v", c.content, faults)
		}
		if _, err := intake.NewScorer(intake.DefaultRules().With(rules)); err != nil {
			t.Errorf("%.40q: %v", c.content, err)
		}
	}
}

func TestParseInterests(t *testing.T) {
	got := intake.ParseInterests([]byte("\ufeff---\ntitle: interests\ntags:\n- vault\n---\n# Interests\n\nWhat counts: text.\n\n```markdown\n- example\n```\n\n## Databases (2)\n\n- sqlite\n- **Tide clocks** (3)\n* [[Notes/Brass|brass finishes]]\n1. Prompt injection: attacks through text\n- [x] [Go](https://go.dev) (0,5)\n- ~~blockchain~~\n-\n- SQLite (2)\n- C++\r\n- 分散システム\n-no item\n"))
	want := []intake.Interest{{"Databases", 2}, {"sqlite", 2}, {"Tide clocks", 3}, {"brass finishes", 1}, {"Prompt injection", 1}, {"Go", .5}, {"C++", 1}, {"分散システム", 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNewScorerRefuses(t *testing.T) {
	for name, change := range map[string]func(r *intake.Rules){
		"zero":       func(r *intake.Rules) { *r = intake.Rules{} },
		"weight":     func(r *intake.Rules) { r.Weights[0] = -1 },
		"threshold":  func(r *intake.Rules) { r.RouteFrom = 2 },
		"thresholds": func(r *intake.Rules) { r.ReviewAt = .9 },
		"domain":     func(r *intake.Rules) { r.Domains = []intake.Domain{{Name: "../etc"}} },
	} {
		rules := intake.DefaultRules()
		change(&rules)
		if _, err := intake.NewScorer(rules); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func FuzzParseRules(f *testing.F) {
	f.Add([]byte("thresholds: {route: .6}\ndomains: {a: {keywords: {b: 2}, hosts: c}}\n"))
	f.Add([]byte("a: &a [*a]\nweights: {relevance: NaN, depth: +.inf}\n? [x]\n: y\n"))
	f.Add([]byte("authority: {\"\": 1, x: 1e-400}\ninterests: [\"(\", \"a (9)\", \"\\x00\"]\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		rules, faults := intake.ParseRules(content)
		for at, fault := range faults {
			if fault.Line < 1 || fault.Message == "" || at > 0 && fault.Line < faults[at-1].Line {
				t.Errorf("fault %+v", fault)
			}
		}
		if len(content)%64 != 0 {
			return // to prepare rules takes long
		}
		scorer, err := intake.NewScorer(intake.DefaultRules().With(rules))
		if err != nil {
			t.Fatal(err)
		}
		checkScore(t, scorer.Score(intake.Signal{Channel: intake.Feed, Title: "b", Body: string(content)}))
	})
}

func FuzzParseInterests(f *testing.F) {
	f.Add([]byte("# a\n## b (2)\n- c (9)\n- [[d|e]] (x2)\n"))
	f.Add([]byte("---\n- a\n---\n```\n- b\n```\n- \xff (1e9)\n1) c: d\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		rules := intake.DefaultRules()
		rules.Interests = intake.ParseInterests(content)
		for _, interest := range rules.Interests {
			if strings.TrimSpace(interest.Phrase) == "" || interest.Weight < .1 || interest.Weight > 3 || len(interest.Phrase) > 200 {
				t.Errorf("%+v", interest)
			}
		}
		if len(content)%64 != 0 {
			return // to prepare rules takes long
		}
		scorer, err := intake.NewScorer(rules)
		if err != nil {
			t.Fatal(err)
		}
		checkScore(t, scorer.Score(intake.Signal{Channel: intake.Bookmark, Title: string(content), Tags: []string{string(content)}}))
	})
}

func checkScore(t *testing.T, score intake.Score) {
	t.Helper()
	for _, value := range []float64{score.Composite, score.Relevance.Value, score.Actionability.Value, score.Depth.Value, score.Authority.Value} {
		if !(value >= 0 && value <= 1) {
			t.Fatalf("%+v", score)
		}
	}
	if score.Domain == "" || score.Decision == "" || score.DomainReasons == nil {
		t.Fatalf("%+v", score)
	}
}

func FuzzScore(f *testing.F) {
	scorer := newScorer(f, intake.DefaultRules())
	f.Add("feed", "A title, 50 % off", "text\n```\ncode\n", "https://a.example/b", "c")
	f.Add("mail", "\xff percent off %", "- [a](http://b)\n1. x\n| a |\n    code", "::", "")
	f.Add("bookmark", "CVE-", "-1 GHSA-xxxx %\xe3\x81 1.2.3.4 …", "https://arxiv.org/abs/1", "et al")
	f.Fuzz(func(t *testing.T, channel, title, body, address, tag string) {
		signal := intake.Signal{Channel: intake.Channel(channel), Title: title, Body: body, Address: address, Tags: []string{tag}, Origin: tag}
		score := scorer.Score(signal)
		checkScore(t, score)
		if diff := cmp.Diff(score, scorer.Score(signal)); diff != "" {
			t.Fatal(diff)
		}
		if len(intake.Keys(signal)) == 0 {
			t.Fatal("no key")
		}
		intake.Fingerprint(body)
	})
}

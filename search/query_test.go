package search_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/search"
	"quarry/store"
)

// planned gives the terms of a query's plan: quoted phrases in brackets, words that belong together in braces.
func planned(t *testing.T, query string) string {
	t.Helper()
	passages := []passage{{"all.md", query, 0, ""}}
	for i := range 5 {
		passages = append(passages, passage{fmt.Sprintf("%d.md", i), "nothing of this", 90, ""})
	}
	answer := ask(t, searcher(index(t, passages...)), search.Request{Query: query, Mode: search.Lexical, Explain: true})
	var list []string
	for _, term := range answer.Plan.Terms {
		switch {
		case term.Required:
			list = append(list, "["+term.Text+"]")
		case term.Phrase:
			list = append(list, "{"+term.Text+"}")
		default:
			list = append(list, term.Text)
		}
	}
	return strings.Join(list, " ")
}

func TestTermsOfAQuery(t *testing.T) {
	for query, want := range map[string]string{
		"Kiln glaze kiln":           "kiln glaze",
		"A-Frame":                   "a frame {a-frame}",
		`"A-Frame"`:                 "[a-frame]",
		`"A-Frame" A-Frame`:         "[a-frame] a frame",
		"glaze_v2.final-cut, don't": "glaze v2 final cut {glaze_v2.final-cut}",
		`say "wet clay" "kiln"`:     "say [wet clay] [kiln]",
		`an "open quote`:            "open quote",
		`5" pots and 7" bowls`:      "5 pots 7 bowls",
		`“wet clay” «dry clay»`:     "[wet clay] [dry clay]",
		`"" "!!" x ""`:              "x",
		`"wet "clay" kiln"`:         "[wet] clay [kiln]",
		"陶土":                        "陶土",
		"USB充电器":                    "usb 充电 电器",
		`"USB充电器"`:                  "[usb充电器]",
		`"red 陶土 blue 第"`:           "[red] [陶土] [blue] [第]",
		"第3章":                       "第 3 章",
		"clay陶-土":                   "clay 陶 土",
		"हिन्दी":                    "हिन्दी",
		"ที่นี่":                    "ที่นี่",
		"a.b.c.d.e.f.g.h.i":         "a b c d e f g h i",
		"==marked==":                "marked",
		"https://x.org/a":           "https x org a {x.org/a}",
		"-a word":                   "a word",
		"note:a/b [p](v) #1":        "note a b {note:a/b} p v 1",
		"kilns kiln":                "kilns",
		`kiln "kilns"`:              "[kiln]",
	} {
		if got := planned(t, query); got != want {
			t.Errorf("%s gives %s, want %s", query, got, want)
		}
	}
}

// TestWordsWithoutSpaces: a Chinese word is found anywhere in a sentence, and weakness of the model does not hide it.
func TestWordsWithoutSpaces(t *testing.T) {
	s := searcher(index(t, passage{"m.md", "今天去市场买菜。", 90, ""}, passage{"n.md", "- [ ] 今天在作坊里用陶土做了一个茶杯，然后上釉。", 90, ""}))
	for query, want := range map[string]string{"陶土": "n.md", "茶杯": "n.md", "今天": "m.md n.md", "釉": "n.md", "市场": "m.md", `"陶土做"`: "n.md", `"土陶"`: "", "买菜": "m.md"} {
		answer := ask(t, s, search.Request{Query: query, Mode: search.Lexical})
		if got := paths(answer); got != want || answer.Status == search.NothingRelevant {
			t.Errorf("%s: %s, %s, want %s", query, got, answer.Status, want)
		}
	}
}

func TestJoinedWords(t *testing.T) {
	s := searcher(index(t, passage{"a.md", "The A-Frame rack stands here.", 90, ""}, passage{"b.md", "A big frame, a rack, a shelf.", 90, ""},
		passage{"c.md", "glaze_v2.final-cut notes", 90, ""}))
	for query, want := range map[string]string{
		"A-Frame": "a.md b.md", `"A-Frame"`: "a.md", "frame": "a.md b.md", "glaze_v2": "c.md", "final-cut": "c.md", `"big a"`: "", `"a rack" "big frame"`: "b.md",
	} {
		if got := paths(ask(t, s, search.Request{Query: query, Mode: search.Lexical})); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

func TestWordsOfAnAnswer(t *testing.T) {
	answer := ask(t, searcher(pottery(t)), search.Request{Query: `"clay is" earth again-nothing is 陶土器`})
	if got := strings.Join(answer.Terms, " "); got != "clay is earth again nothing 陶土 土器" {
		t.Errorf("the words are %s", got)
	}
}

// TestPhrasesActInBothLegs: what lacks the phrase does not come by its meaning either, and does not take up places.
func TestPhrasesActInBothLegs(t *testing.T) {
	var passages []passage
	for i := range 100 {
		passages = append(passages, passage{fmt.Sprintf("many/%03d.md", i), "clay clay clay and its body", 0, ""})
	}
	passages = append(passages, passage{"x.md", "wet clay", 170, ""}, passage{"y.md", "wet clay", 175, "archived"}, passage{"z.md", "wet. Then clay", 0, ""})
	s := searcher(index(t, passages...))
	for _, test := range []struct {
		query string
		mode  search.Mode
		want  string
	}{
		{`"wet clay"`, search.Hybrid, "x.md"},
		{`"wet clay"`, search.Lexical, "x.md"},
		{`clay "wet clay"`, search.Vector, "x.md"},
		{`"wet clay" "body"`, search.Hybrid, ""},
		{`"wet then" clay`, search.Hybrid, "z.md"},
	} {
		answer := ask(t, s, search.Request{Query: test.query, Mode: test.mode, Filter: store.Filter{ExcludeArchived: true}, Explain: true, All: true})
		if got := paths(answer); got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.query, test.mode, got, test.want)
		}
		if selected := answer.Plan.Selected; selected == nil || *selected != len(answer.Results) {
			t.Errorf("%s, %s: the plan says %v of %d", test.query, test.mode, selected, len(answer.Results))
		}
	}
	if answer := ask(t, s, search.Request{Query: `"clay wet"`}); answer.Status != search.NoResults || len(answer.Notices) != 1 {
		t.Errorf("a phrase that is nowhere: %s, %q", answer.Status, answer.Notices)
	}
}

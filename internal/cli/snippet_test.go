package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"

	"quarry"
	"quarry/internal/budget"
)

// terminal is an invocation at a terminal of so many columns.
func terminal(columns int) (*app, *bytes.Buffer) {
	var out bytes.Buffer
	return &app{io: IO{Out: &out, Err: &bytes.Buffer{}, Env: func(string) string { return "" }, OutTerminal: true, Width: func() int { return columns }}, flags: globalFlags{noColor: true}}, &out
}

// wordsLike are words of a query, as they are looked for, of one weight.
func wordsLike(list ...string) []queryWord {
	var words []queryWord
	for _, word := range list {
		words = append(words, queryWord{markedForm(word), 1})
	}
	return words
}

func TestSnippetShowsTheHit(t *testing.T) {
	filler := strings.Repeat("The kiln is hot.\n\n", 6)
	for name, test := range map[string]struct {
		text  string
		words []string
		want  []string
		line  int
	}{
		"a rare word beats one that every row has": {filler + "Slip is thin clay.\n" + filler, []string{"kiln", "slip"}, []string{"Slip is thin clay.", "The kiln is hot.", "The kiln is hot. …"}, 12},
		"words of two characters":                  {filler + "Fire to 06 in GB.\n", []string{"gb", "06"}, []string{"The kiln is hot.", "The kiln is hot.", "Fire to 06 in GB."}, 12},
		"no part of another word":                  {"A bug in a rug.\n" + filler + "The ug of it.\n", []string{"ug"}, []string{"The kiln is hot.", "The kiln is hot.", "The ug of it."}, 13},
		"scripts without spaces":                   {filler + "我们学习陶土的处理。\n", []string{"陶土"}, []string{"The kiln is hot.", "The kiln is hot.", "我们学习陶土的处理。"}, 12},
		"accents and letter case":                  {filler + "Le CAFÉ est ouvert.\n", []string{"cafe"}, []string{"The kiln is hot.", "The kiln is hot.", "Le CAFÉ est ouvert."}, 12},
		"a longer word":                            {filler + "Glazes run.\n", []string{"glaze"}, []string{"The kiln is hot.", "The kiln is hot.", "Glazes run."}, 12},
		"another ending":                           {filler + "It rotates.\n", []string{"rotating"}, []string{"The kiln is hot.", "The kiln is hot.", "It rotates."}, 12},
		"headings above the hit":                   {"# Kiln\n\n## Firing\n\nFirst.\n\nFire the kiln.\n", []string{"kiln"}, []string{"First.", "Fire the kiln."}, 6},
		"headings alone":                           {"# Kiln\n\nFirst.\n", []string{"kiln"}, []string{"# Kiln", "First."}, 0},
		"no word at all":                           {"# Kiln\n\nFirst.\n", []string{"glaze"}, []string{"First."}, 2},
		"the sentence around":                      {"a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f slip", []string{"slip"}, []string{"a b c d e f g h i j k l m n o p q r s t u v w x y z a b", "c d e f slip"}, 0},
		"nothing":                                  {"", []string{"x"}, nil, -1},
	} {
		a, _ := terminal(narrowColumns + 2)
		got := a.snippet(test.text, wordsLike(test.words...))
		if diff := cmp.Diff(test.want, got.rows); diff != "" || got.hitLine != test.line {
			t.Errorf("%s: line %d, want %d (-want +got):\n%s", name, got.hitLine, test.line, diff)
		}
	}
}

func TestHeadOfAResult(t *testing.T) {
	for _, test := range []struct {
		title    string
		headings []string
		want     string
	}{
		{"Kiln", nil, "Kiln"},
		{"Kiln", []string{"Kiln"}, "Kiln"},
		{"Kiln", []string{"kiln", "Firing", "First firing"}, "Kiln › Firing › First firing"},
		{"Kiln", []string{"Kiln", "Everything about firing", "The first firing"}, "Kiln › … › The first firing"},
		{"Kiln", []string{"One heading", "Another heading", "A third heading", "Last"}, "Kiln › … › A third heading › Last"},
		{"A long title of a note", []string{"Some", "A long heading of it, too"}, "A long title of a not…g heading of it, too"},
	} {
		a, _ := terminal(48)
		got := a.head(quarry.SearchResult{Title: test.title, HeadingPath: test.headings})
		if got != test.want && runewidth.StringWidth(test.want) <= 42 || runewidth.StringWidth(got) > 42 {
			t.Errorf("%s, %q: got %q, want %q", test.title, test.headings, got, test.want)
		}
		a.io.OutTerminal = false
		if whole := a.head(quarry.SearchResult{Title: test.title, HeadingPath: test.headings}); strings.Contains(whole, "…") {
			t.Errorf("not at a terminal: %q", whole)
		}
	}
}

// What is written at a terminal keeps to its width; elsewhere nothing is cut.
func TestRowsOfTheTerminal(t *testing.T) {
	long := strings.Repeat("folder name/", 8) + "陶土 note.md"
	line, heading := 3, "#"+strings.Repeat("A heading ", 12)
	links := quarry.NoteLinks{}
	links.AliasOf = map[string]string{long: long}
	document := fmt.Sprintf(`{"source":%q,"target":%[1]q,"subpath":%q,"kind":"references","resolved":%[1]q,"state":"%%s","line":7}`, long, heading)
	var list []string
	for _, state := range []string{"ok", "unresolved", "alias", "heading_missing"} {
		list = append(list, fmt.Sprintf(document, state))
	}
	all := "[" + strings.Join(list, ",") + "]"
	if err := json.Unmarshal([]byte(`{"note":"n.md","out":`+all+`,"back":`+all+`}`), &links); err != nil {
		t.Fatal(err)
	}
	for _, columns := range []int{50, 80, 120} {
		a, out := terminal(columns)
		a.printLinks(links, linksFlags{}, nil)
		a.printNotes([]quarry.NoteSummary{{FilePath: long, Title: strings.Repeat("Title ", 20), Updated: "2026-01-01"}, {FilePath: "a.md", Title: "A", Updated: "2026-01-01"}}, budget.New(0))
		a.printProblems([]quarry.Problem{{Path: long, State: "warning", Reason: strings.Repeat("a reason ", 20), Line: &line}}, 3)
		for row := range strings.SplitSeq(out.String(), "\n") {
			if runewidth.StringWidth(row) > columns {
				t.Errorf("%d columns: %d in %q", columns, runewidth.StringWidth(row), row)
			}
		}
		a.io.OutTerminal = false
		out.Reset()
		a.printLinks(links, linksFlags{}, nil)
		if strings.Contains(out.String(), "…") || strings.Count(out.String(), long) < 8 || strings.Count(out.String(), "\n") != 9 {
			t.Errorf("not at a terminal:\n%s", out.String())
		}
	}
}

func TestLinksInComments(t *testing.T) {
	links := quarry.NoteLinks{}
	if err := json.Unmarshal([]byte(`{"note":"n.md","out":[{"target":"a","resolved":"a.md","kind":"references","state":"ok","line":7,"hidden":true}],`+
		`"back":[{"source":"b.md","target":"n","resolved":"n.md","kind":"references","state":"ok","line":2,"hidden":true}]}`), &links); err != nil {
		t.Fatal(err)
	}
	a, out := terminal(80)
	a.io.OutTerminal = false
	a.printLinks(links, linksFlags{}, nil)
	want := "n.md\n→ a  a.md  line 7, references, in a comment\n← b.md  line 2, references, in a comment\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestCutMiddle(t *testing.T) {
	for _, test := range []struct {
		text    string
		columns int
		want    string
	}{
		{"abcdefgh", 8, "abcdefgh"}, {"abcdefgh", 7, "abc…fgh"}, {"abcdefgh", 6, "abc…gh"}, {"陶土陶土陶土", 7, "陶…土"}, {"abcdefgh", 0, "a…h"},
	} {
		if got := cutMiddle(test.text, test.columns); got != test.want {
			t.Errorf("%s to %d: got %q, want %q", test.text, test.columns, got, test.want)
		}
	}
	begun := time.Now()
	if got := cutMiddle(strings.Repeat("long heading ", 1<<20), 40); runewidth.StringWidth(got) > 40 || time.Since(begun) > 10*time.Second {
		t.Errorf("a long text: %q after %v", got, time.Since(begun))
	}
}

func TestCounted(t *testing.T) {
	for want, got := range map[string]string{
		"0 files": counted(0, "file"), "1 file": counted(1, "file"), "2 files": counted(2, "file"), "1 query": counted(1, "query"), "3 queries": counted(3, "query"),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// Words weigh what the plan says of their rarity, those of a phrase as the phrase; without a plan longer ones weigh more.
func TestWordsOfAQuery(t *testing.T) {
	for _, test := range []struct {
		name, query, plan string
		terms             []string
		want              []queryWord
	}{
		{"by the plan", "how are kilns fired", `{"terms":[{"text":"kilns","idf":3},{"text":"fired","idf":0.000001}]}`, []string{"kilns", "fired"}, []queryWord{{"kiln", 3}, {"fired", .1}}},
		{"side by side", "x", `{"terms":[{"text":"salt glaze","idf":5},{"text":"salt","idf":2}]}`, []string{"salt", "glaze"}, []queryWord{{"salt", 5}, {"glaz", 5}}},
		{"without terms", "what is in a stoneware 06", `{"terms":[]}`, nil, []queryWord{{"what", .5}, {"stonewar", 1}, {"06", .25}}},
		{"without a plan", "kiln", "null", []string{"kiln"}, []queryWord{{"kiln", .5}}},
	} {
		answer := quarry.SearchAnswer{Query: test.query, Terms: test.terms}
		if err := json.Unmarshal([]byte(test.plan), &answer.Plan); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, markedWords(answer), cmp.AllowUnexported(queryWord{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// A passage is shown by its rarest words, and prose before code.
func TestSnippetPrefers(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		words []queryWord
		want  []string
	}{
		"the rarest word": {
			"How do we do it?\n\nx\n\ny\n\nz\n\nA token.\n\nu\n\nv\n", []queryWord{{"how", 1}, {"do", 1}, {"token", 3}}, []string{"A token.", "u", "v"},
		},
		"prose before the tail of code": {
			"First.\n\n```sql\nBEGIN;\nCOMMIT;\n```\n\nTokens live for ten minutes.\nThey rotate.\n", wordsLike("tokens", "rotate"), []string{"Tokens live for ten minutes.", "They rotate."},
		},
		"code that has the words": {
			"First.\n\n```sql\nBEGIN;\nCOMMIT;\n```\n\nThen.\n", wordsLike("commit"), []string{"BEGIN;", "COMMIT;", "Then."},
		},
		"prose before code with the same words": {
			"A kiln.\n\nx\n\ny\n\n~~~\nz\nkiln()\n~~~\n", wordsLike("kiln"), []string{"A kiln.", "x", "y …"},
		},
		"fences of a list and of four marks": {
			"- One:\n  ````md\n  ```\n  # kiln\n  ```\n  ````\n- Two.\n", wordsLike("kiln"), []string{"- One:", "  # kiln", "- Two."},
		},
	} {
		a, _ := terminal(80)
		if diff := cmp.Diff(test.want, a.snippet(test.text, test.words).rows); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// file is a note on disk, of which passages are parts.
const file = `---
tags: [clay]
---
# Kiln

## Firing

First, slowly.

Then hot.
%% a remark %%
## Cooling ##

Open it late.

### In winter

` + "```sh\n# not a heading\nwait\n```" + `

Wait a day.

| a | b |
|---|---|
| 1 | 2 |
| 3 | 4 |
`

// The place of a passage is that of the row which is shown, with the headings above it, where the file holds it as it stands.
func TestPlaceOfAHit(t *testing.T) {
	firing := "First, slowly.\n\nThen hot."
	cooling := "Open it late.\n\n### In winter\n\n```sh\n# not a heading\nwait\n```\n\nWait a day."
	for _, test := range []struct {
		name     string
		text     string
		path     []string
		from, to int
		at       int
		want     int
		wantPath []string
	}{
		{"below the heading", firing, []string{"Kiln", "Firing"}, 6, 10, 2, 10, []string{"Kiln", "Firing"}},
		{"a heading within", cooling, []string{"Kiln", "Cooling"}, 12, 23, 9, 23, []string{"Kiln", "Cooling", "In winter"}},
		{"before that", cooling, []string{"Kiln", "Cooling"}, 12, 23, 0, 14, []string{"Kiln", "Cooling"}},
		{"that heading itself", cooling, []string{"Cooling"}, 12, 23, 2, 16, []string{"Cooling", "In winter"}},
		{"sections that were joined, and a comment that is left out", firing + "\n## Cooling ##\n\nOpen it late.", []string{"Kiln", "Firing"}, 6, 14, 5, 14, []string{"Kiln", "Cooling"}},
		{"above what is left out", firing + "\n## Cooling ##\n\nOpen it late.", []string{"Kiln", "Firing"}, 6, 14, 0, 8, []string{"Kiln", "Firing"}},
		{"a piece of a table", "| a | b |\n|---|---|\n| 3 | 4 |", []string{"Cooling"}, 28, 28, 2, 28, []string{"Cooling"}},
		{"the header of such a piece", "| a | b |\n|---|---|\n| 3 | 4 |", []string{"Cooling"}, 28, 28, 0, 28, []string{"Cooling"}},
		{"the end of a line", "slowly.\n\nThen hot.", []string{"Firing"}, 8, 10, 0, 8, []string{"Firing"}},
		{"another text", "Something else.", []string{"Firing"}, 6, 10, 0, 6, []string{"Firing"}},
		{"beyond the file", firing, []string{"Firing"}, 90, 95, 0, 90, []string{"Firing"}},
		{"no row", firing, []string{"Firing"}, 6, 10, -1, 6, []string{"Firing"}},
	} {
		reads := 0
		lines := &noteLines{known: map[string][]string{}, read: func(string) string { reads++; return file }}
		result := quarry.SearchResult{FilePath: "a.md", ChunkText: test.text, LineStart: test.from, LineEnd: test.to, HeadingPath: test.path}
		got := lines.placed(result, test.at)
		lines.placed(result, test.at)
		if diff := cmp.Diff(test.wantPath, got.HeadingPath); diff != "" || got.LineStart != test.want || reads > 1 {
			t.Errorf("%s: line %d, want %d, after %d reads (-want +got):\n%s", test.name, got.LineStart, test.want, reads, diff)
		}
		stale, drawn, unknown := result, result, result
		stale.Stale, drawn.FilePath = true, "plan.canvas"
		for i, other := range []quarry.SearchResult{stale, drawn, unknown} {
			from := lines
			if i == 2 {
				from = nil
			}
			if got := from.placed(other, test.at); got.LineStart != test.from {
				t.Errorf("%s, %d: line %d", test.name, i, got.LineStart)
			}
		}
	}
}

// Of many notes some are read.
func TestNotesAreReadWithinBounds(t *testing.T) {
	reads := 0
	lines := &noteLines{known: map[string][]string{}, read: func(string) string { reads++; return "a\n" }}
	for i := range 3 * maxRead {
		lines.of(fmt.Sprint(i % (2 * maxRead)))
	}
	if reads != maxRead {
		t.Errorf("%d notes were read", reads)
	}
}

func TestHeadingText(t *testing.T) {
	for line, want := range map[string]string{"## C#": "C#", "# A #": "A", "### B ##": "B", "## ##": "", "#": "", "# One two": "One two"} {
		if got := headingText(line); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

// Where a place has no room for what else is known, that stands in a row of its own, and the path stays whole.
func TestPlaceInANarrowTerminal(t *testing.T) {
	r := quarry.SearchResult{FilePath: "01-projects/Tidebook/Refresh token rotation.md", LineStart: 12, Score: .97, DocID: "0cc19e", BM25Rank: new(int)}
	for columns, want := range map[int]string{
		100: "    " + r.FilePath + ":12 · score 0.97 · #0cc19e\n",
		50:  "    " + r.FilePath + ":12\n    score 0.97 · #0cc19e\n",
	} {
		a, out := terminal(columns)
		a.printPlace(r)
		if out.String() != want {
			t.Errorf("%d columns: got %q, want %q", columns, out.String(), want)
		}
	}
	var out bytes.Buffer
	a, _ := terminal(50)
	a.io.Out, a.io.OutTerminal = &out, false
	if a.printPlace(r); strings.Count(out.String(), "\n") != 1 {
		t.Errorf("not at a terminal: %q", out.String())
	}
}

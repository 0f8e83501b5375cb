package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/tools/secretbench/sample"
)

// fake finds a word.
func fake(name, word string) *filter {
	return &filter{name: name, scan: func(text string) ([][2]int, time.Duration, error) {
		var found [][2]int
		for from := 0; ; {
			at := strings.Index(text[from:], word)
			if at < 0 {
				return found, time.Millisecond, nil
			}
			from += at + len(word)
			found = append(found, [2]int{from - len(word), from})
		}
	}}
}

func TestBoard(t *testing.T) {
	notes := t.TempDir()
	for name, text := range map[string]string{"a.md": "one one", "b.md": "two", "c.txt": "one"} {
		if err := os.WriteFile(filepath.Join(notes, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table := &board{filters: []*filter{fake("first", "one"), fake("second", "two")}}
	err := table.addSamples("set", []sample.Sample{
		{Rule: "r", Text: "a one", Secret: "one", Positive: true},
		{Rule: "r", Text: "a two", Secret: "two", Positive: true},
		{Rule: "s", Text: "one", Secret: "three", Positive: true},
		{Rule: "s", Text: "one"},
	})
	if err == nil {
		err = table.addNotes("vault", notes)
	}
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	table.rows = table.rows[:3] // without the time
	table.print(&out)
	table.printRules(&out)
	want := `|  | first | second |
|---|---|---|
| recall: set (3) | 33.3 % | 33.3 % |
| alarms: set (1) | 1 | 0 |
| findings per 1,000 notes: vault (2) | 1000.0 (2) | 500.0 (1) |

## set

rule: missed by first of all; of those found by the others

- r: 1 of 2; second 1
- s: 1 of 1
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnite(t *testing.T) {
	got := unite([][2]int{{5, 9}, {0, 3}, {2, 4}, {9, 10}})
	if diff := cmp.Diff([][2]int{{0, 4}, {5, 9}, {9, 10}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOwnFilters(t *testing.T) {
	leaks, err := newGitleaks()
	if err != nil {
		t.Fatal(err)
	}
	token := "gh" + "p_" + strings.Join([]string{"16C7e42F29", "2c6912E771", "0c838347Ae", "178B4a"}, "")
	for _, one := range []*filter{newQuarry(), leaks} {
		found, _, err := one.scan("it is " + token + " and " + token + "\n")
		if err != nil || len(found) != 2 || found[0][0] > found[1][0] {
			t.Errorf("%s found %v, %v", one.name, found, err)
		}
	}
}

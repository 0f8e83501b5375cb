package mcpserver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry"
)

// pageThrough reads all pages of a list that changes between them, and tells how often each note was given.
func pageThrough(t *testing.T, notes []quarry.NoteSummary, change func([]quarry.NoteSummary) []quarry.NoteSummary) map[string]int {
	t.Helper()
	given, from := map[string]int{}, place{}
	for pages := 0; ; pages++ {
		if pages > 20 {
			t.Fatal("the pages do not end")
		}
		result := &mcp.ListResourcesResult{}
		if err := addPage(result, notes, from); err != nil {
			t.Fatal(err)
		}
		for _, resource := range result.Resources {
			given[strings.TrimPrefix(resource.URI, noteURI)]++
		}
		if result.NextCursor == "" {
			return given
		}
		var err error
		if from, err = readCursor(result.NextCursor); err != nil {
			t.Fatal(err)
		}
		notes = change(slices.Clone(notes))
	}
}

func notesOfOneDay(count int) []quarry.NoteSummary {
	notes := make([]quarry.NoteSummary, count)
	for i := range notes {
		notes[i] = quarry.NoteSummary{FilePath: fmt.Sprintf("%03d.md", i), DocID: fmt.Sprintf("%06x", i), Updated: "2026-01-31"}
	}
	return notes
}

// Notes of one day have an order that the day does not tell: a page begins behind the one before all the same, when notes have changed.
func TestPagesSkipNothing(t *testing.T) {
	toTop := func(notes []quarry.NoteSummary, at int) []quarry.NoteSummary {
		moved := notes[at]
		return append([]quarry.NoteSummary{moved}, slices.Delete(notes, at, at+1)...)
	}
	for what, change := range map[string]func([]quarry.NoteSummary) []quarry.NoteSummary{
		"nothing":        func(notes []quarry.NoteSummary) []quarry.NoteSummary { return notes },
		"the last moved": func(notes []quarry.NoteSummary) []quarry.NoteSummary { return toTop(notes, 49) },
		"the last gone":  func(notes []quarry.NoteSummary) []quarry.NoteSummary { return slices.Delete(notes, 49, 50) },
		"the next moved": func(notes []quarry.NoteSummary) []quarry.NoteSummary { return toTop(notes, 60) },
		"all known gone": func(notes []quarry.NoteSummary) []quarry.NoteSummary {
			if len(notes) < 120 { // once
				return notes
			}
			return slices.Delete(notes, 42, 50)
		},
		"another day now": func(notes []quarry.NoteSummary) []quarry.NoteSummary {
			notes[49].Updated = "2026-02-01"
			return toTop(notes, 49)
		},
	} {
		notes := notesOfOneDay(120)
		given := pageThrough(t, notes, change)
		most := 1
		if what == "all known gone" { // then the day begins anew, rather than to leave something out
			most = 2
		}
		for _, n := range notes {
			isMoved := what == "the next moved" && n.FilePath >= "060.md"
			if count := given[n.FilePath]; count < 1 && !isMoved || count > most {
				t.Errorf("%s: %s was given %d times", what, n.FilePath, count)
			}
		}
	}
}

func TestPagesOfAListThatChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		notes, touched := notesOfOneDay(300), map[string]bool{}
		given := pageThrough(t, notes, func(notes []quarry.NoteSummary) []quarry.NoteSummary {
			for range random.IntN(4) {
				at := random.IntN(len(notes))
				moved := notes[at]
				touched[moved.FilePath] = true
				notes = slices.Delete(notes, at, at+1)
				if random.IntN(2) == 0 {
					notes = append([]quarry.NoteSummary{moved}, notes...)
				}
			}
			return notes
		})
		for _, n := range notes {
			if count := given[n.FilePath]; !touched[n.FilePath] && count != 1 {
				t.Fatalf("%s was given %d times", n.FilePath, count)
			}
		}
	}
}

func TestCursorsOfOthers(t *testing.T) {
	for _, cursor := range []string{"", "x", "e30", "bnVsbA", "eyJuIjotMSwiZCI6WyJhIl19", "eyJuIjo5OTk5OTk5OSwiZCI6WyJhIl19", "eyJ1IjoiMjAyNiIsInAiOiJhLm1kIn0"} {
		if p, err := readCursor(cursor); err == nil {
			t.Errorf("%q is %+v", cursor, p)
		}
	}
}

// Of several mistakes in the arguments of a prompt the same is told each time.
func TestPromptTellsTheSameMistake(t *testing.T) {
	given := map[string]string{"topic": "x"}
	for i := range 50 {
		given[fmt.Sprintf("wrong%02d", i)] = "x"
	}
	for range 50 {
		if _, err := prompts[0].values(given); err == nil || !strings.Contains(err.Error(), "wrong00") {
			t.Fatal(err)
		}
	}
}

package source_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/intake"
	"quarry/intake/source"
)

// now is the time of the run, for what has no date of its own.
var now = time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)

func fixture(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "intake", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// read reads a file of the fixtures under a name that tells nothing of it.
func read(t testing.TB, path string) source.Batch {
	t.Helper()
	batch, err := source.Read(t.Context(), source.Input{Name: "file", Content: fixture(t, path), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func readText(t testing.TB, text string) source.Batch {
	t.Helper()
	batch, err := source.Read(t.Context(), source.Input{Name: "file", Content: []byte(text), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

// row is what EXPECT.md says of a signal; a time of "now" is that of the run.
type row struct {
	Title, Address, Created, Updated, Author string
	Tags                                     []string
}

func rowsOf(batch source.Batch) []row {
	var rows []row
	for _, s := range batch.Signals {
		one := row{Title: s.Title, Address: s.Address, Created: s.Created.Format(time.RFC3339), Author: s.Author, Tags: s.Tags}
		if s.Created.Equal(now) {
			one.Created = "now"
		}
		if !s.Updated.IsZero() {
			one.Updated = s.Updated.Format(time.RFC3339)
		}
		rows = append(rows, one)
	}
	return rows
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// holds checks what a text must and must not contain.
func holds(t *testing.T, text string, must, mustNot []string) {
	t.Helper()
	for _, piece := range must {
		if !strings.Contains(text, piece) {
			t.Errorf("%q is missing in:\n%s", piece, text)
		}
	}
	for _, piece := range mustNot {
		if strings.Contains(text, piece) {
			t.Errorf("%q is in:\n%s", piece, text)
		}
	}
}

func bodies(batch source.Batch) string {
	var b strings.Builder
	for _, s := range batch.Signals {
		b.WriteString(s.Title + "\n" + s.Address + "\n" + s.Body + "\n\n")
	}
	return b.String()
}

func leftOut(batch source.Batch) map[string]int {
	counts := map[string]int{}
	for _, one := range batch.LeftOut {
		counts[one.Reason] += one.Count
	}
	return counts
}

func problems(batch source.Batch) string {
	var lines []string
	for _, one := range batch.Problems {
		lines = append(lines, one.Where+": "+one.Reason)
	}
	return strings.Join(lines, "\n")
}

// TestFixturesHold checks what EXPECT.md asks of every file of the three folders.
func TestFixturesHold(t *testing.T) {
	channels := map[string]intake.Channel{"feeds": intake.Feed, "bookmarks": intake.Bookmark, "mail": intake.Mail}
	for folder, channel := range channels {
		files, err := filepath.Glob(filepath.Join("..", "..", "fixtures", "intake", folder, "in", "*"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		for _, file := range files {
			if filepath.Base(file) == "entities.xml" {
				continue
			}
			batch := read(t, folder+"/in/"+filepath.Base(file))
			for _, s := range batch.Signals {
				if s.Channel != channel || s.Title == "" || s.Created.IsZero() || s.Created.Location() != time.UTC || s.Origin == "" {
					t.Errorf("%s: %+v", file, s)
				}
			}
			again := read(t, folder+"/in/"+filepath.Base(file))
			same(t, batch, again)
		}
	}
}

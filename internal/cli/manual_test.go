package cli_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"quarry/internal/cli"
)

// Every page of help keeps to its terminal, and to 80 columns where that is wider; words are not parted that have room in a
// row, and nothing is lost.
func TestHelpFitsTheTerminal(t *testing.T) {
	pages := [][]string{{"--help"}, {"help", "configuration"}}
	for _, path := range cli.CommandPaths() {
		pages = append(pages, append(strings.Fields(path), "--help"))
	}
	for _, page := range pages {
		want := wordsOf(helpAt(t, page, 1000))
		for _, columns := range []int{40, 47, 60, 79, 80, 132} {
			text := helpAt(t, page, columns)
			for row := range strings.SplitSeq(text, "\n") {
				if width := runewidth.StringWidth(row); width > min(columns, 80) || row != strings.TrimRight(row, " ") {
					t.Errorf("%q at %d columns: %d in %q", page, columns, width, row)
				}
			}
			if got := wordsOf(text); strings.Join(got, "") != strings.Join(want, "") || columns >= minColumns && !slices.Equal(got, want) {
				t.Errorf("%q at %d columns: other words:\n%s", page, columns, text)
			}
		}
	}
	if len(pages) < 20 {
		t.Errorf("%d pages", len(pages))
	}
	if text := helpAt(t, []string{"doctor", "--help"}, 40); !strings.Contains(text, " \\\n") {
		t.Errorf("no example goes on in the next row:\n%s", text)
	}
}

func helpAt(t *testing.T, page []string, columns int) string {
	t.Helper()
	var out, talk bytes.Buffer
	io := streams(&out, &talk)
	io.Width = func() int { return columns }
	if code := cli.Run(t.Context(), page, io); code != 0 {
		t.Fatalf("%q: exit code %d, %s", page, code, talk.String())
	}
	return out.String()
}

// minColumns is how wide a page has to be for its longest words.
const minColumns = 79

// wordsOf are the words of a page without what joins the rows of a command line.
func wordsOf(text string) []string {
	return slices.DeleteFunc(strings.Fields(text), func(word string) bool { return word == `\` })
}

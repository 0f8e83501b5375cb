package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/chunk"
	"quarry/internal/dialect"
	"quarry/note"
)

// TestJoinedSections holds what names a passage that is more than one section.
func TestJoinedSections(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"below one heading", "# T\n" + enough + "\n## A\na\n## B\nb\n", []string{"1-6 T: " + enough + "|## A|a|## B|b"}},
		{
			"the nearest heading above both", "# T\n" + enough + "\n## A\na\n## B\n" + enough + "\n" + enough + "\n## C\n" + strings.Repeat(words(900)+"\n\n", 2) + "## D\nd\n",
			[]string{"1-4 T: " + enough + "|## A|a", "5-7 T > B: " + enough + "|" + enough, "8-14 T: ## C|" + words(900) + "||" + words(900) + "||## D|d"},
		},
		{"the outer heading", "## A\nshort\n### B\n" + words(1990) + "\n", []string{"1-4 A: short|### B|" + words(1990)}},
		{"a heading with nothing below it names nothing", "## A\n" + enough + "\n## B\n", []string{"1-3 A: " + enough + "|## B"}},
		{"nor one above", "## A\n## B\n" + enough + "\n", []string{"1-3 B: ## A|## B|" + enough}},
		{"headings alone", "# T\n## A\n## B\n", []string{"1-3 T: ## A|## B"}},
		{"headings of level 1", "# A\n" + enough + "\n# B\nb\n# C\nc\n", []string{"1-2 A: " + enough, "3-4 B: b", "5-6 C: c"}},
		{"behind a joined section", "# A\na\n## B\nb\n# C\n" + enough + "\n", []string{"1-4 A: a|## B|b", "5-6 C: " + enough}},
		{"a title and its words", "# T\nby me\n# A\n" + enough + "\n# B\nb\n", []string{"1-4 : # T|by me|# A|" + enough, "5-6 B: b"}},
		{"a title alone", "# T\n# A\n" + enough + "\n", []string{"1-3 A: # T|# A|" + enough}},
		{"words before the title", "#tag\n\n# T\n" + enough + "\n", []string{"1-4 T: #tag||# T|" + enough}},
		{"words before one of several", "x\n# A\n" + enough + "\n# B\n" + enough + "\n", []string{"1-1 : x", "2-3 A: " + enough, "4-5 B: " + enough}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range split(c.text) {
				got = append(got, short(p))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBoard(t *testing.T) {
	const properties = "---\nkanban-plugin: board\n---\n\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{
			"a card a lane", "## Todo\n\n- [ ] glaze\n\n\n## Doing\n\n\n## Done\n\n**Complete**\n- [x] fire\n\n\n***\n\n## Archive\n\n- [x] dig\n",
			[]string{"5-7 Todo: - [ ] glaze", "13-16 Done: - [x] fire", "21-23 Archive: - [x] dig"},
		},
		{"no cards", "## Todo\n\n\n## Done\n", []string{"5-8 : ## Todo|||## Done"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range chunk.Split(note.Reader{}.Read("Board.md", []byte(properties+c.text)), chunk.ByHeading) {
				got = append(got, short(p))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSectionsThatEnd holds that what stands behind the section of a heading belongs to the heading above.
func TestSectionsThatEnd(t *testing.T) {
	w := words(900)
	for _, c := range []struct {
		name, text string
		want       []string // line range, path and characters
	}{
		{"behind a section", "- ## A\n\t- " + enough + "\n- " + enough + " too\n", []string{"1-2 A", "3-3 "}},
		{"below another", "- # T\n\t- " + enough + "\n\t- ## A\n\t\t- " + enough + "\n\t- " + enough + "\n- " + enough + "\n", []string{"1-2 T", "3-4 T > A", "5-5 T", "6-6 "}},
		{"a deeper heading behind it", "- # T\n\t- ## A\n\t- " + enough + "\n- ### B\n\t- " + enough + "\n", []string{"1-3 T > A", "4-5 B"}},
		{"a higher heading within", "- ## A\n\t- " + enough + "\n\t- # B\n\t\t- " + enough + "\n\t- " + enough + "\n- ## C\n\t- " + enough + "\n", []string{"1-2 A", "3-4 A > B", "5-5 A", "6-7 C"}},
		{
			"in a large section", "- ## A\n\t- " + w + "\n\t- ### B\n\t\t- " + w + "\n\t- " + w + "\n- " + enough + "\n",
			[]string{"1-2 A", "3-4 A > B", "5-5 A", "6-6 "},
		},
		{
			"between blocks", "- ## A\n\t- " + w + "\n\t- #### B\n\t\t- " + w + "\n\t- " + w + "\n\t- " + w + "\n",
			[]string{"1-4 A", "5-6 A"},
		},
		{"prose behind a list of links", "- ## Links\n\t- [[a]]\n\t- [[b]]\n- " + enough + "\n- ## C\n\t- " + enough + "\n", []string{"4-4 ", "5-6 C"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := note.Reader{Dialect: dialect.Logseq}.Read("pages/a.md", []byte(c.text))
			var got []string
			passages := chunk.Split(n, chunk.ByHeading)
			for _, p := range passages {
				got = append(got, fmt.Sprintf("%d-%d %s", p.LineStart, p.LineEnd, strings.Join(p.HeadingPath, " > ")))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDeepHeadings(t *testing.T) {
	var text strings.Builder
	for depth := range 1500 {
		fmt.Fprintf(&text, "%s- # H%d\n", strings.Repeat("\t", depth), depth)
	}
	passages := chunk.Split(note.Reader{Dialect: dialect.Logseq}.Read("pages/a.md", []byte(text.String())), chunk.ByHeading)
	deepest := 0
	for _, p := range passages {
		deepest = max(deepest, len(p.HeadingPath))
	}
	if len(passages) < 100 || deepest != 33 {
		t.Errorf("%d passages, the deepest below %d headings", len(passages), deepest)
	}
}

package chunk_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"quarry/chunk"
	"quarry/note"
)

// byLength are the profiles that cut by length.
var byLength = []chunk.Profile{chunk.Short, chunk.Medium, chunk.Long, chunk.Default}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		profile       chunk.Profile
		most, overlap int
	}{
		{chunk.Short, 512, 128},
		{chunk.Medium, 1024, 256},
		{chunk.Long, 2048, 512},
		{chunk.Default, 1024, 256},
		{chunk.ByHeading, 2000, 0},
		{"", 2000, 0},
		{"no such profile", 2000, 0},
	} {
		if most, overlap := c.profile.Sizes(); most != c.most || overlap != c.overlap {
			t.Errorf("%q: %d and %d characters, want %d and %d", c.profile, most, overlap, c.most, c.overlap)
		}
	}
}

// checkProfile cuts a note by a profile and holds what is true of the passages of every note.
func checkProfile(t *testing.T, n *note.Note, profile chunk.Profile) {
	t.Helper()
	passages := chunk.Split(n, profile)
	most, overlap := profile.Sizes()
	for i, p := range passages {
		switch size := utf8.RuneCountInString(p.Text); {
		case p.Index != i:
			t.Errorf("%s: passage %d has the index %d", profile, i, p.Index)
		case strings.TrimSpace(p.Text) == "" || !utf8.ValidString(p.Text):
			t.Errorf("%s: passage %d is %q", profile, i, p.Text)
		case size > most+most/10 || utf8.RuneCountInString(p.IndexText) > chunk.MaxCharacters:
			t.Errorf("%s: passage %d has %d characters", profile, i, size)
		case p.LineStart < n.BodyLine && n.BodyLine <= len(n.LineOffsets) && len(n.Fragments) == 0 && len(passages) > 1 || p.LineEnd < p.LineStart || p.LineEnd > len(n.LineOffsets):
			t.Errorf("%s: passage %d has the lines %d to %d of %d", profile, i, p.LineStart, p.LineEnd, len(n.LineOffsets))
		}
		if i > 0 && len(n.Fragments) == 0 {
			checkNeighbours(t, n, passages[i-1], p)
		}
		checkRepeated(t, n, passages, i, overlap)
	}
	if len(n.Fragments) == 0 {
		checkKept(t, n, passages)
	}
	checkWindows(t, n, passages)
}

func checkNeighbours(t *testing.T, n *note.Note, previous, p chunk.Passage) {
	t.Helper()
	switch {
	case p.LineStart < previous.LineStart, p.LineEnd < previous.LineEnd, p.Repeated() == "" && p.LineStart < previous.LineEnd:
		t.Errorf("passage %d has the lines %d to %d behind %d to %d", p.Index, p.LineStart, p.LineEnd, previous.LineStart, previous.LineEnd)
	case !hasWordOf(n, p.LineStart, p) || !hasWordOf(n, p.LineEnd, p):
		t.Errorf("passage %d has the lines %d to %d, of which one has no text in %q", p.Index, p.LineStart, p.LineEnd, p.Text)
	}
}

// checkRepeated holds that a passage repeats but the end of the one before it, in the same section.
func checkRepeated(t *testing.T, n *note.Note, passages []chunk.Passage, i, overlap int) {
	t.Helper()
	p := passages[i]
	if p.Repeated() == "" {
		return
	}
	repeated := strings.TrimSpace(p.Repeated())
	switch {
	case i == 0:
		t.Errorf("the first passage repeats %q", repeated)
	case utf8.RuneCountInString(p.Repeated()) > overlap:
		t.Errorf("passage %d repeats %d characters", i, utf8.RuneCountInString(p.Repeated()))
	case !strings.Contains(passages[i-1].Text, repeated) && !strings.Contains(n.Text, "REDACTED") && len(n.Omit) == 0:
		t.Errorf("passage %d repeats %q, which is not in %q", i, repeated, passages[i-1].Text)
	case !strings.Contains(p.Text, repeated) && len(n.Omit) == 0:
		t.Errorf("passage %d does not have what it repeats, %q: %q", i, repeated, p.Text)
	}
}

// checkWindows holds that the windows have the passages, each text once.
func checkWindows(t *testing.T, n *note.Note, passages []chunk.Passage) {
	t.Helper()
	windows := chunk.Windows(n, passages)
	if len(windows) != len(passages) {
		t.Fatalf("%d windows of %d passages", len(windows), len(passages))
	}
	isPlain := len(n.Omit) == 0 && len(n.Fragments) == 0 && !strings.ContainsAny(n.Text, "`~|")
	for i, window := range windows {
		if len(passages) == 1 && strings.TrimSpace(window) != strings.TrimSpace(passages[0].Text) {
			t.Errorf("the window of the only passage is %.300q, not %.300q", window, passages[0].Text)
		}
		if isPlain && !strings.Contains(window, strings.TrimSpace(passages[i].Text)) {
			t.Errorf("window %d is %.300q, without %.300q", i, window, passages[i].Text)
		}
		most := 0
		for j := max(0, i-1); j <= min(i+1, len(passages)-1); j++ {
			p := passages[j]
			switch most += seen(p.Text); {
			case j < i:
			case p.Repeated() != "":
				most -= seen(p.Repeated())
			case j > 0 && isPlain:
				most += seen(n.Text[n.LineOffsets[p.LineStart-1]:n.LineOffsets[p.LineEnd-1]])
			}
		}
		if got := seen(window); isPlain && got > most {
			t.Errorf("window %d has %d characters that are seen, the passages %d", i, got, most)
		}
	}
}

// seen counts the characters of a text but white space.
func seen(text string) int { return utf8.RuneCountInString(strings.Join(strings.Fields(text), "")) }

// realNotes are the notes that come with the project, and those beside it.
func realNotes(t *testing.T) []*note.Note {
	var notes []*note.Note
	for _, root := range []string{"../examples", "../fixtures", "../cases", "../../shared/vaults", "../../shared/conformance"} {
		if _, err := os.Stat(root); err != nil {
			t.Logf("left out: %s is not here", root)
			continue
		}
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			switch filepath.Ext(path) {
			case ".md", ".canvas", ".base":
				raw, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				decoded, _ := note.Decode(raw)
				notes = append(notes, note.Reader{}.Read(filepath.ToSlash(path), decoded))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return notes
}

func TestProfilesOnRealNotes(t *testing.T) {
	notes := realNotes(t)
	if len(notes) < 50 {
		t.Fatalf("%d notes", len(notes))
	}
	repeating := map[chunk.Profile]int{}
	for _, n := range notes {
		for _, profile := range byLength {
			checkProfile(t, n, profile)
			passages := chunk.Split(n, profile)
			if again := chunk.Split(n, profile); !reflect.DeepEqual(passages, again) {
				t.Errorf("%s: %s is cut in another way the second time", n.Path, profile)
			}
			for _, p := range passages {
				if p.Repeated() != "" {
					repeating[profile]++
				}
			}
			if t.Failed() {
				t.Fatalf("%s by %s", n.Path, profile)
			}
		}
	}
	if repeating[chunk.Short] < 20 || repeating[chunk.Long] < 1 {
		t.Errorf("passages that repeat something: %v", repeating)
	}
	t.Log(repeating)
}

// TestProfilesNeverCrossSections: whatever the size, a passage has text of one section of level 1 or 2 alone.
func TestProfilesNeverCrossSections(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "## Section %02d\n\n", i)
		for j := range 1 + i%7 {
			fmt.Fprintf(&text, "Sentence %d of s%02d tells of a pot. Another one of s%02d tells of a kiln that is warm.\n\n", j, i, i)
		}
	}
	for _, profile := range byLength {
		for _, p := range chunk.Split(note.Reader{}.Read("a.md", []byte(text.String())), profile) {
			own := "s" + strings.TrimPrefix(p.Section, "Section ")
			if strings.Count(p.Text, " of s") != strings.Count(p.Text, " of "+own) {
				t.Errorf("%s: %q has text of another section: %q", profile, p.Section, p.Text)
			}
		}
	}
}

// TestOverlap holds what is repeated: whole sentences, items, rows below their header, lines of code within their fence.
func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		name, text string
		begins     string // all passages but the first
		repeats    string // some
	}{
		{"sentences", strings.Repeat("The kiln of the village is warm for a day. ", 60), "The kiln", "The kiln of the village is warm for a day. "},
		{"paragraphs", strings.Repeat("The kiln of the village is warm for a day.\n\n", 60), "The kiln", "The kiln of the village is warm for a day.\n\n"},
		{"paragraphs that fit", strings.Repeat("It burns. The kiln of the village is warm for a day, and the glaze runs over the rim of the pot, where it stays.\n\n", 60), "", "It burns. The kiln"},
		{"items", lines("- item %d of the list is about a glaze", 60), "- item", "- item 11 of the list is about a glaze\n"},
		{"rows", "| Glaze | Cone |\n|-------|------|\n" + lines("| celadon %03d | 10 |", 90), "| Glaze | Cone |\n|-------|------|\n| celadon", "| celadon 02"},
		{"code", "```go\n" + lines("kiln := open(%03d)", 90) + "```\n", "```go\nkiln := open(", "kiln := open("},
		{"code in a list", "- item\n\n  ```go\n" + lines("  kiln := open(%03d)", 90) + "  ```\n", "  ```go\n  kiln := open(", "kiln := open("},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := note.Reader{}.Read("a.md", []byte(c.text))
			checkProfile(t, n, chunk.Short)
			passages := chunk.Split(n, chunk.Short)
			repeats := false
			for i, p := range passages {
				if i > 0 && !strings.HasPrefix(p.Text, c.begins) {
					t.Errorf("passage %d begins with %.60q", i, p.Text)
				}
				repeats = repeats || strings.Contains(p.Repeated(), c.repeats)
				if marks := strings.Count(p.Text, "```"); marks%2 != 0 || marks > 2 || strings.Count(p.Text, "Glaze |") > 1 {
					t.Errorf("passage %d has half a fence or two headers: %q", i, p.Text)
				}
			}
			for i, window := range chunk.Windows(n, passages) {
				if marks := strings.Count(window, "```"); marks != strings.Count(c.text, "```") || strings.Count(window, "Glaze |") != strings.Count(c.text, "Glaze |") {
					t.Errorf("window %d has half a fence or two headers: %q", i, window)
				}
			}
			if len(passages) < 4 || !repeats {
				t.Errorf("%d passages, none repeats %q: %q", len(passages), c.repeats, passages[1].Repeated())
			}
		})
	}
}

// TestLongHeadingLines holds that no passage is larger than its profile lets it be for a heading whose line is long and says little.
func TestLongHeadingLines(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"an address", "## [Kiln](https://kiln.test/" + strings.Repeat("warm/", 900) + ")\n"},
		{"blanks", "## Kiln" + strings.Repeat("\t", 5000) + "and glaze\n"},
		{"blanks alone", "## Kiln\n\n" + strings.Repeat("\u00a0", 5000) + "\n\n## Glaze\n\nIt runs.\n"},
	} {
		n := note.Reader{}.Read("a.md", []byte(c.text))
		for _, profile := range append([]chunk.Profile{chunk.ByHeading}, byLength...) {
			checkProfile(t, n, profile)
			if passages := chunk.Split(n, profile); len(passages) == 0 || !strings.Contains(passages[0].Text, "Kiln") && passages[0].Section != "Kiln" {
				t.Errorf("%s, %s: %d passages, the first %.300v", c.name, profile, len(passages), passages[:min(len(passages), 1)])
			}
		}
	}
}

func TestNothingIsRepeated(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"what is no part of the section", "## A\n\n" + words(300) + "\n\n## B\n\n" + words(300) + "\n"},
		{"below a heading", "## A\n\n" + words(400) + "\n\nIt runs.\n\n### B\n\n" + words(400) + "\n"},
		{"a part of a word", strings.Repeat("a", 3000)},
		{"the whole of a small passage", "### A\n\nIt runs.\n\n" + words(510) + "\n"},
		{"math", "$$\n" + lines("x_{%03d} = y", 100) + "$$\n"},
		{"rows below a header that is too large", "| " + strings.Repeat("wide ", 30) + "|\n|---|\n" + lines("| celadon %03d |", 60)},
	} {
		n := note.Reader{}.Read("a.md", []byte(c.text))
		checkProfile(t, n, chunk.Short)
		passages := chunk.Split(n, chunk.Short)
		for _, p := range passages {
			if p.Repeated() != "" {
				t.Errorf("%s: %q repeats %q", c.name, p.Text, p.Repeated())
			}
		}
		if len(passages) < 2 {
			t.Errorf("%s: %d passages", c.name, len(passages))
		}
	}
}

// TestProfilesFit holds how many passages a text becomes: as few and as even as the size lets them.
func TestProfilesFit(t *testing.T) {
	text := strings.Repeat("The kiln of the village is warm for a day. ", 140) // 6,020 characters
	for profile, want := range map[chunk.Profile]int{chunk.Short: 16, chunk.Medium: 8, chunk.Long: 4, chunk.Default: 8, chunk.ByHeading: 4} {
		passages := split(text)
		if profile != chunk.ByHeading {
			passages = chunk.Split(note.Reader{}.Read("a.md", []byte(text)), profile)
		}
		if len(passages) != want {
			t.Errorf("%s: %d passages, want %d", profile, len(passages), want)
		}
		most, _ := profile.Sizes()
		for i, p := range passages {
			if size := utf8.RuneCountInString(p.Text); size < most/2 {
				t.Errorf("%s: passage %d has %d characters", profile, i, size)
			}
		}
	}
}

func TestWindows(t *testing.T) {
	long := strings.Repeat("The kiln of the village is warm for a day. ", 25)
	n := note.Reader{}.Read("a.md", []byte("# T\n\n## A\n\n"+enough+"\n\n## See also\n\n- [[x]]\n\n## B\n\n"+enough+"!\n\n## C\n\n"+enough+"?\n"))
	want := []string{
		enough + "\n\n" + enough + "!",
		enough + "\n\n" + enough + "!\n\n## C\n\n" + enough + "?",
		enough + "!\n\n## C\n\n" + enough + "?",
	}
	for i, window := range chunk.Windows(n, chunk.Split(n, chunk.Short)) {
		if !strings.HasSuffix(window, want[i]) {
			t.Errorf("window %d: %q, want %q", i, window, want[i])
		}
	}
	n = note.Reader{}.Read("a.md", []byte(long))
	passages := chunk.Split(n, chunk.Short)
	if windows := chunk.Windows(n, passages[:3]); len(passages) < 3 || !strings.HasPrefix(long, windows[1]) || windows[0] == windows[1] {
		t.Errorf("%d passages, a window of what is repeated: %q", len(passages), windows)
	}
	n = note.Reader{}.Read("a.canvas", []byte(`{"nodes":[{"id":"1","type":"text","text":"`+long+`"}]}`))
	passages = chunk.Split(n, chunk.Short)
	for i, window := range chunk.Windows(n, passages) {
		if strings.Count(window, "The kiln") > 25 || i > 0 && passages[i].Repeated() == "" {
			t.Errorf("window %d of a card has %d sentences; the passage repeats %q", i, strings.Count(window, "The kiln"), passages[i].Repeated())
		}
	}
}

// TestProfilesAreBounded: no text takes long to be cut, however it is built.
func TestProfilesAreBounded(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"one line", strings.Repeat("a", 16<<20)},
		{"one line of words", strings.Repeat("kiln glaze ", 1<<20)},
		{"sentences", strings.Repeat("It runs. ", 1<<20)},
		{"items", strings.Repeat("- a\n  - b\n", 500_000)},
		{"large items", strings.Repeat("- "+strings.Repeat("It runs. ", 40)+"\n", 10_000)},
		{"rows", "|a|\n|:-|\n" + strings.Repeat("|cell|\n", 200_000)},
		{"a fence", "```go\n" + strings.Repeat("\tx := 1\n", 500_000) + "```\n"},
		{"fences in a list", "- a\n" + strings.Repeat("  ```\n  x\n  ```\n", 50_000)},
		{"hidden stretches", "x\n" + strings.Repeat("%%a%% It runs.\n\n", 100_000)},
		{"hidden stretches alone", "x\n" + strings.Repeat("%%a%%\n", 300_000)},
		{"headings", strings.Repeat("### a\nb\n\n", 100_000)},
		{"blank lines", "a\n\n" + strings.Repeat("\n", 4<<20) + "b\n"},
	} {
		n := note.Reader{}.Read("a.md", []byte(c.text))
		start := time.Now()
		passages := chunk.Split(n, chunk.Short)
		windows := chunk.Windows(n, passages)
		if elapsed := time.Since(start); len(passages) == 0 || len(windows) != len(passages) || elapsed > 30*time.Second {
			t.Errorf("%s: %d passages in %v", c.name, len(passages), elapsed)
		} else {
			t.Log(c.name, len(passages), elapsed.Round(time.Millisecond))
		}
	}
}

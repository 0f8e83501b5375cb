package chunk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"quarry/chunk"
	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

func split(text string) []chunk.Passage {
	return chunk.Split(note.Reader{}.Read("folder/name.md", []byte(text)), chunk.ByHeading)
}

// short shows a passage in one line.
func short(p chunk.Passage) string {
	return fmt.Sprintf("%d-%d %s: %s", p.LineStart, p.LineEnd, strings.Join(p.HeadingPath, " > "), strings.ReplaceAll(p.Text, "\n", "|"))
}

// words gives a text of n letters in words of ten.
func words(n int) string {
	return strings.Repeat("abcdefghi ", n/10+1)[:n-1] + "."
}

const enough = "enough words to be a passage of its own"

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"blank", "\n \n", nil},
		{"properties alone", "---\ntitle: x\n---\n\n", nil},
		{"comment alone", "%%\nsecret plan\n%%\n", nil},
		{"short note", "hi", []string{"1-1 : hi"}},
		{"heading alone", "# Title\n", []string{"1-1 Title: # Title"}},
		{"no heading", "\n\n" + enough + "\n", []string{"3-3 : " + enough}},
		{
			"levels 1 and 2, the heading outside of the text", "---\na: b\n---\n# One\n\n" + enough + "\n\n## Two\n" + enough + "\n### Three\nx\n# Four\n" + enough + "\n",
			[]string{"4-6 One: " + enough, "8-11 One > Two: " + enough + "|### Three|x", "12-13 Four: " + enough},
		},
		{
			"short sections join the one before", "## A\n" + enough + "\n## B\nb\n## C\nc\n## D\n" + enough + "\n",
			[]string{"1-6 : ## A|" + enough + "|## B|b|## C|c", "7-8 D: " + enough},
		},
		{
			"a short head joins what lies below it", "intro\n\n# T\n\n## A\n" + enough + "\n",
			[]string{"1-6 T: intro||# T||## A|" + enough},
		},
		{
			"lists of links are left out", "## A\n" + enough + "\n## See also\n[[a]]: " + enough + "\n### x\ny\n## B\n" + enough + "\n",
			[]string{"1-2 A: " + enough, "5-8 : ### x|y|## B|" + enough},
		},
		{
			"a list of links below a list of links, and prose below it",
			"## A\n" + enough + "\n## References:\n### Books\n- [[a]]\n- [b](c) d\n### Notes\n" + enough + "\n#### Sites\nhttps://a.example\n",
			[]string{"1-2 A: " + enough, "7-8 References: > Notes: " + enough},
		},
		{
			"a list of links at level 3 ends there", "## A\n" + enough + "\n### See also\n- [[a]]\n- [[b|c]]\n### B\n" + enough + "\n",
			[]string{"1-2 A: " + enough, "6-7 A > B: " + enough},
		},
		{
			"prose about links", "## A\n" + enough + "\n### Links\nWrite [[a]] to link to a note, and so on.\n",
			[]string{"1-4 A: " + enough + "|### Links|Write [[a]] to link to a note, and so on."},
		},
		{"prose under a name of lists", "## Links\n" + words(250) + "\n\n## B\n" + enough + "\n", []string{"1-2 Links: " + words(250), "4-5 B: " + enough}},
		{"unless there is nothing else", "# T\n\n## Links\n- [[a]]\n", []string{"1-4 T > Links: # T||## Links|- [[a]]"}},
		{"no link under a name of lists", "## Links\n|a|b|\n|-|-|\n|gateway of the house|8443|\n\n## See also\n- [ ] call the plumber about the boiler\n", []string{
			"1-4 Links: |a|b|||-|-|||gateway of the house|8443|", "6-7 See also: - [ ] call the plumber about the boiler",
		}},
		{"code, a table or a task beside links", "## Links\n```sh\nmake kiln FIRING=slow\n```\n- [[a]]\n- [[b]]\n\n## References\n|a|b|\n|-|-|\n|[[a]]|[[b]] on slow cooling|\n\n## Related\n" +
			"- [[a]]\n- [ ] [[b]] to be read once more\n", []string{
			"1-6 Links: ```sh|make kiln FIRING=slow|```|- [[a]]|- [[b]]", "8-11 References: |a|b|||-|-|||[[a]]|[[b]] on slow cooling|",
			"13-15 Related: - [[a]]|- [ ] [[b]] to be read once more",
		}},
		{"links by macros", "## A\n" + enough + "\n## See also\n- {{domxref(\"X\")}}\n", []string{"1-2 A: " + enough}},
		{"a skipped section keeps its neighbours apart", "## A\n" + enough + "\n## Links\n[[x]]\n## B\nb\n", []string{"1-2 A: " + enough, "5-6 B: b"}},
		{"heading in a fence", "## A\n```\n## no\n```\n" + enough + "\n", []string{"1-5 A: ```|## no|```|" + enough}},
		{"setext", "A\n===\n" + enough + "\n\nB\n---\n" + enough + "\n", []string{"1-3 A: " + enough, "5-7 A > B: " + enough}},
		{"comments and block ids are not in the text", enough + " %%no%% x ^id\n\n%%\nno\n%%\nend\n", []string{"1-6 : " + enough + "  x||end"}},
		{"blank lines of code stay", enough + "\n\n%%no%%\n\n%%no%%\n\n```\na\n\n\nb\n```\n", []string{"1-12 : " + enough + "||```|a|||b|```"}},
		{"blank lines around what is hidden, indented", enough + "\r\n\r\n%%no%%\r\n\r\n\r\n    code\r\n", []string{"1-6 : " + enough + "\r|\r|    code"}},
		{"a hidden end", "# T\n\nvisible kiln\n\n%%\nprivate hidden\n%%\n", []string{"1-3 T: visible kiln"}},
		{"a hidden start", "%%\nhidden\n%%\n\nvisible kiln\n^id\n", []string{"5-5 : visible kiln"}},
		{"hidden below a heading", "# T\n%%\nhidden\n%%\n", []string{"1-1 T: # T"}},
		{"indentation of the first line stays", "## A\n\n    code stands here and is long enough\n", []string{"1-3 A:     code stands here and is long enough"}},
		{"a comment in a heading", "# T %%no%%\n" + enough + "\n\n## %%no%%\n" + enough + "\n", []string{"1-2 T: " + enough, "4-5 T: " + enough}},
		{"banner between rules", "---\n" + enough + "\n---\n", []string{"2-3 : " + enough + "|---"}},
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

func TestLargeSections(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // line range, section and characters
	}{
		{"at level 3", "## A\n" + words(1500) + "\n### B\n" + words(1500) + "\n", []string{"1-2 A 1500", "3-4 A > B 1500"}},
		{"a short head of a large section", "## A\n### B\n" + words(1990) + "\n### C\n" + words(1500) + "\n", []string{"1-3 A > B 2001", "4-5 A > C 1500"}},
		{"between blocks", "## A\n" + words(900) + "\n\n" + words(900) + "\n\n" + words(900) + "\n", []string{"1-4 A 1802", "6-6 A 900"}},
		{"a deeper heading goes with its block", "## A\n" + words(1200) + "\n\n#### B\n" + words(1200) + "\n", []string{"1-2 A 1200", "4-5 A > B 1200"}},
		{"a list between its items", strings.Repeat("- "+words(600)+"\n  "+words(300)+"\n", 4), []string{"1-4  1811", "5-8  1811"}},
		{"a long line behind a sentence", strings.Repeat(words(700)+" ", 4), []string{"1-1  1401", "1-1  1401"}},
		{"a line without spaces between runes", strings.Repeat("é", 4500), []string{"1-1  1400", "1-1  1600", "1-1  1500"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range split(c.text) {
				got = append(got, fmt.Sprintf("%d-%d %s %d", p.LineStart, p.LineEnd, strings.Join(p.HeadingPath, " > "), utf8.RuneCountInString(p.Text)))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDrawing(t *testing.T) {
	text := "---\nexcalidraw-plugin: parsed\n---\n\n## Text Elements\nA label that is long enough to stand alone ^aB3dE5gH\n\n## Drawing\n```json\n{}\n```\n"
	passages := split(text)
	if len(passages) != 1 || passages[0].Text != "A label that is long enough to stand alone" {
		t.Errorf("passages %+v", passages)
	}
}

// TestLongHeadings holds that what is kept with every passage is short, and that no word of a long heading is lost.
func TestLongHeadings(t *testing.T) {
	long := strings.Repeat("wörd ", 700) + "kiln"
	body := strings.Repeat(words(900)+"\n\n", 20)
	for name, text := range map[string]string{
		"level 1": "# " + long + "\n\n" + body, "level 2": "# T\n## " + long + "\n\n" + body, "level 3": "# T\n" + body + "### " + long + "\n" + body,
		"level 4": "# T\n" + body + "#### " + long + "\n" + body, "setext": strings.ReplaceAll(long, " wörd wörd ", "\nwörd wörd ") + "\n===\n" + body,
		"alone": "# " + long, "in a large section": body + "## " + long + "\nshort\n",
		"properties": "---\ntitle: " + long + "\ntype: " + long + "\ntags: [" + strings.Repeat("some-tag, ", 500) + "x]\n---\n# kiln\n" + body,
	} {
		n := note.Reader{}.Read("a.md", []byte(text))
		passages := chunk.Split(n, chunk.ByHeading)
		checkPassages(t, n, passages)
		kiln := false
		for _, p := range passages {
			kiln = kiln || strings.Contains(p.Text+p.Section, "kiln")
			if size := utf8.RuneCountInString(p.HeadingContext); size > 2*chunk.MaxHeadingCharacters+chunk.MaxTagsCharacters+6 {
				t.Errorf("%s: a context of %d characters", name, size)
			}
			for _, heading := range append(p.HeadingPath, p.Section) {
				if size := utf8.RuneCountInString(heading); size > chunk.MaxHeadingCharacters || !utf8.ValidString(heading) {
					t.Errorf("%s: a heading of %d characters", name, size)
				}
			}
		}
		if !kiln {
			t.Errorf("%s: the end of the heading is lost", name)
		}
	}
	whole, cut := strings.Repeat("é", 200), strings.Repeat("é", 199)+"…"
	got := split("## " + whole + "\n" + enough + "\n## é" + whole + "\n" + enough + "\n")
	if len(got) != 2 || got[0].Section != whole || got[0].Text != enough || got[1].Section != cut || got[1].Text != "## é"+whole+"\n"+enough {
		t.Errorf("at the bound: %+v", got)
	}
}

func TestContext(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "name"},
		{"# Head #body", "Head #body"},
		{"---\ntitle: T\ntype: moc\ntags: [a, b/c]\n---\n#d", "T | moc | a, b/c"},
		{"---\ntags: a, b\n---\n", "name | a, b"},
	} {
		if got := chunk.Context(note.Reader{}.Read("folder/name.md", []byte(c.text))); got != c.want {
			t.Errorf("context of %q is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestID(t *testing.T) {
	if got := chunk.ID("a/b", 3) + " " + chunk.ID("a", 123); got != "a/b#c03 a#c123" {
		t.Error(got)
	}
}

// units are what FuzzSplit builds notes of.
var units = []string{
	"# H\n", "## H\n", "### H\n", "#### H\n", "## Links\n", "text\n", "\n", "%%\n", "```\n", "- item\n", "H\n---\n", "|a|\n|:-|\n|b|\n", "^id\n", "> q\n", "\r",
	"One. Two! 三。四", "- ~~~json\n  {\"a\": {\"b\": 1}}\n", "**Bold**\n", "Key:\n",
}

func FuzzSplit(f *testing.F) {
	f.Add("## A\ntext\n", uint32(0x12345678), uint16(3))
	f.Add("%% a\n", uint32(0x0F0F7773), uint16(500))
	f.Add("é ", uint32(0x11111111), uint16(3000))
	f.Add("- a\n\n\n", uint32(0x9999), uint16(900))
	f.Add("|a|b|\n", uint32(0x2222222B), uint16(2000))
	f.Add("  x = 1\n\n", uint32(0x55555558), uint16(2000))
	f.Add("Dr. A. says so. 是。", uint32(0), uint16(2000))
	f.Fuzz(func(t *testing.T, text string, choice uint32, repeat uint16) {
		var whole strings.Builder
		for i := range 8 {
			whole.WriteString(units[int(choice>>(4*i))%32%len(units)])
			if i == 3 {
				whole.WriteString(strings.Repeat(text, min(int(repeat), 20_000/(len(text)+1))))
			}
		}
		decoded, _ := note.Decode([]byte(whole.String()))
		n := note.Reader{}.Read("a.md", decoded)
		checkPassages(t, n, chunk.Split(n, chunk.ByHeading))
		for _, profile := range byLength {
			checkProfile(t, n, profile)
		}
	})
}

// checkPassages holds what is true of the passages of every note.
func checkPassages(t *testing.T, n *note.Note, passages []chunk.Passage) {
	t.Helper()
	line := 0
	for i, p := range passages {
		switch {
		case p.Index != i:
			t.Errorf("passage %d has the index %d", i, p.Index)
		case strings.TrimSpace(p.Text) == "":
			t.Errorf("passage %d is empty", i)
		case p.Repeated() != "":
			t.Errorf("passage %d repeats %q", i, p.Repeated())
		case utf8.RuneCountInString(p.Text) > chunk.MaxCharacters+200 || utf8.RuneCountInString(p.IndexText) > chunk.MaxCharacters:
			t.Errorf("passage %d has %d and %d characters", i, utf8.RuneCountInString(p.Text), utf8.RuneCountInString(p.IndexText))
		case p.LineStart < max(line, n.BodyLine) || p.LineEnd < p.LineStart || p.LineEnd > len(n.LineOffsets):
			t.Errorf("passage %d has the lines %d to %d of %d behind %d", i, p.LineStart, p.LineEnd, len(n.LineOffsets), line)
		case !utf8.ValidString(p.Text):
			t.Errorf("passage %d is cut within a rune", i)
		case !hasWordOf(n, p.LineStart, p) || !hasWordOf(n, p.LineEnd, p):
			t.Errorf("passage %d has the lines %d to %d, of which one has no text in %q", i, p.LineStart, p.LineEnd, p.Text)
		case len(p.HeadingPath) > 0 && p.HeadingPath[len(p.HeadingPath)-1] != p.Section:
			t.Errorf("passage %d has the section %q and the path %q", i, p.Section, p.HeadingPath)
		}
		line = p.LineEnd
	}
	checkKept(t, n, passages)
	if len(passages) > 0 || strings.TrimSpace(n.Text) == "" || n.BodyLine > 1 || len(n.Omit) > 0 {
		return
	}
	t.Errorf("no passage of %q", n.Text)
}

// checkKept holds that every letter of the body that a reader sees is in some passage, as often as in the body.
func checkKept(t *testing.T, n *note.Note, passages []chunk.Passage) {
	letters := map[rune]int{}
	count := func(text string, by int) {
		for _, c := range text {
			if unicode.IsLetter(c) {
				letters[c] += by
			}
		}
	}
	for _, h := range n.Headings {
		line := n.Text[n.LineOffsets[h.Line-1]:]
		if line, _, _ = strings.Cut(line, "\n"); strings.Trim(line, "# ") != h.Text || isListName(h.Text) {
			return // its markup is not in the path, or its section is left out
		}
	}
	at := min(len(n.Text), append(n.LineOffsets, len(n.Text))[min(n.BodyLine-1, len(n.LineOffsets))])
	for _, omit := range append(n.Omit, note.Range{Start: len(n.Text), End: len(n.Text)}) {
		count(n.Text[at:max(at, omit.Start)], 1)
		at = max(at, omit.End)
	}
	for _, p := range passages {
		if strings.Contains(p.Text, "[REDACTED:") {
			return // what stood on both sides of something hidden looks like a secret
		}
		count(p.Text+strings.Join(p.HeadingPath, ""), -1)
		count(p.Repeated(), 1)
	}
	for c, missing := range letters {
		if missing > 0 {
			t.Errorf("%d times %q is in no passage", missing, c)
		}
	}
}

func isListName(text string) bool {
	return slices.Contains([]string{"related", "see also", "links", "references"}, strings.ToLower(strings.Trim(text, " :")))
}

// hasWordOf tells whether some character of a line is in a passage or the headings above it; another part of it may be in the passage
// before.
func hasWordOf(n *note.Note, line int, p chunk.Passage) bool {
	start, end := n.LineOffsets[line-1], len(n.Text)
	if line < len(n.LineOffsets) {
		end = n.LineOffsets[line]
	}
	at := start
	for _, omit := range append(n.Omit, note.Range{Start: end, End: end}) {
		if omit.End <= at {
			continue
		}
		seen := strings.TrimSpace(n.Text[at:max(at, min(omit.Start, end))])
		if strings.ContainsAny(seen, p.Text+strings.Join(p.HeadingPath, "")+"#=-") {
			return true
		}
		at = min(omit.End, end)
	}
	return false
}

// TestNothingIsLost holds that every word of a body is in some passage.
func TestNothingIsLost(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		switch {
		case i%97 == 0:
			fmt.Fprintf(&text, "\n%s head%d\n", strings.Repeat("#", 1+i%5), i)
		case i%31 == 0:
			text.WriteString("\n\n")
		case i%203 == 1:
			fmt.Fprintf(&text, "\n- item%d\n", i)
		}
		fmt.Fprintf(&text, "word%d ", i)
	}
	n := note.Reader{}.Read("a.md", []byte(text.String()))
	passages := chunk.Split(n, chunk.ByHeading)
	checkPassages(t, n, passages)
	found := map[string]bool{}
	for _, p := range passages {
		for _, word := range strings.Fields(p.Text + " " + strings.Join(p.HeadingPath, " ")) {
			found[word] = true
		}
	}
	for _, word := range strings.Fields(text.String()) {
		if !found[word] && strings.Trim(word, "#-") != "" {
			t.Errorf("%s is in no passage", word)
		}
	}
}

func TestHostile(t *testing.T) {
	for _, c := range []struct {
		name, text string
		most       int // passages
	}{
		{"one line", strings.Repeat("a", 10<<20), 5300},
		{"one line of words", strings.Repeat("kiln glaze ", 1<<20), 5900},
		{"headings", strings.Repeat("## H 12345\n", 50_000), 400},
		{"deep headings", strings.Repeat("# a\n## b\n### c\n#### d\n", 20_000), 400},
		{"hidden stretches alone", "x\n" + strings.Repeat("%%a%%\n", 500_000), 1},
		{"hidden stretches on a line", "x " + strings.Repeat("%%a%% ", 500_000), 1},
		{"comments", strings.Repeat("a %% b %% c\n\n", 50_000), 400},
		{"blank lines in lists", strings.Repeat("- a\n"+strings.Repeat("\n", 50), 20_000), 700},
		{"rows", "|a|\n|:-|\n" + strings.Repeat("|cell|\n", 200_000), 800},
		{"rows with a large header", "|" + strings.Repeat("a", 480) + "|\n|-|\n" + strings.Repeat("|cell|\n", 200_000), 1100},
		{"a fence", "```go\n" + strings.Repeat("\tx := 1\n", 1_000_000) + "```\n", 5000},
		{"a fence of one line", "- ```go\n  " + strings.Repeat("a", 5<<20) + "\n", 3000},
		{"fences in a list", "- a\n" + strings.Repeat("  ```\n  x\n  ```\n", 100_000), 1100},
		{"items", strings.Repeat("- a\n  - b\n", 500_000), 3500},
		{"deep items", strings.Repeat("- ", 10_000) + "a\n" + strings.Repeat("  b\n", 100_000), 400},
		{"stops", strings.Repeat(".", 5<<20), 2800},
		{"initials", strings.Repeat("A. ", 1<<20), 1700},
		{"wide stops", strings.Repeat("。", 1<<20), 600},
		{"no stops", strings.Repeat("[", 5<<20), 2800},
		{"marks", strings.Repeat("\u0301", 1<<20), 600},
		{"quotes", strings.Repeat("> a\n>\n", 300_000), 1200},
		{"short sections below blank lines", strings.Repeat("\n", 800_000) + strings.Repeat("# a\n\nx\n\n", 20_000), 20_000},
		{"a list of links", "## Links\n" + strings.Repeat("[[", 1<<20), 1100},
		{"labels", strings.Repeat("Key:\n\n", 100_000), 400},
		{"data", "```json\n{\"" + strings.Repeat("k", 5000) + "\": [" + strings.Repeat("{\"a\": 1},\n", 9_000) + "{}]}\n```\n", 80},
		{"data in a list", strings.Repeat("- ```json\n  {\"a\": {\"b\": 1}}\n  ```\n", 50_000), 1100},
		{"data in a quote", strings.Repeat(strings.Repeat("> ", 50)+"```json\n", 10_000), 1200},
		{"data on a line", "```json\n[" + strings.Repeat("{\"a\":1},", 9_000) + "{}]\n```\n", 50},
		{"columns", "```yaml\n" + strings.Repeat("a: 1\n", 400_000) + "```\n", 1100},
	} {
		n := note.Reader{}.Read("a.md", []byte(c.text))
		start := time.Now()
		passages := chunk.Split(n, chunk.ByHeading)
		if elapsed := time.Since(start); len(passages) == 0 || len(passages) > c.most || elapsed > 30*time.Second {
			t.Errorf("%s: %d passages in %v", c.name, len(passages), elapsed)
		}
		for _, p := range passages {
			if size := utf8.RuneCountInString(p.Text); size > chunk.MaxCharacters+200 {
				t.Errorf("%s: a passage of %d characters", c.name, size)
			}
		}
	}
}

func BenchmarkSplit(b *testing.B) {
	section := "## Section %d\n\n" + words(700) + "\n\n- one\n- two\n\n### Part\n\n" + words(900) + "\n\n```\ncode\n```\n\n" + words(600) + "\n\n"
	var text strings.Builder
	for i := range 30 {
		fmt.Fprintf(&text, section, i)
	}
	n := note.Reader{}.Read("a.md", []byte(text.String()))
	b.SetBytes(int64(len(n.Text)))
	b.ReportAllocs()
	for b.Loop() {
		chunk.Split(n, chunk.ByHeading)
	}
}

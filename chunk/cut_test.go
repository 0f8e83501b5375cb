package chunk_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quarry/chunk"
	"quarry/note"
)

// lines gives count lines made of a pattern with one number.
func lines(pattern string, count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, pattern+"\n", i)
	}
	return b.String()
}

func TestTableIsCutBetweenRows(t *testing.T) {
	header := "| Glaze | Cone | Notes |\n|:------|-----:|-------|\n"
	text := "## Glazes\n\nAll that were tried:\n\n" + header + lines("| celadon %03d | 10 | a thin coat runs at the rim |", 150) + "\nBehind the table stands a sentence.\n"
	passages := split(text)
	if len(passages) < 4 {
		t.Fatalf("%d passages", len(passages))
	}
	fileLines := strings.Split(text, "\n")
	rows := 0
	for i, p := range passages {
		if size := utf8.RuneCountInString(p.Text); size > chunk.MaxCharacters {
			t.Errorf("passage %d has %d characters", i, size)
		}
		if i > 0 && !strings.HasPrefix(p.Text, header+"| celadon") {
			t.Errorf("passage %d does not begin with the header: %.80q", i, p.Text)
		}
		if strings.Count(p.Text, header) != 1 {
			t.Errorf("passage %d has the header %d times", i, strings.Count(p.Text, header))
		}
		rows += strings.Count(p.Text, "celadon")
		if got := strings.TrimPrefix(p.Text, header); i > 0 && got != strings.TrimSpace(strings.Join(fileLines[p.LineStart-1:p.LineEnd], "\n")) {
			t.Errorf("passage %d is not lines %d to %d", i, p.LineStart, p.LineEnd)
		}
	}
	if rows != 150 {
		t.Errorf("%d rows", rows)
	}
	if !strings.HasPrefix(passages[0].Text, "All that were tried:\n\n"+header) {
		t.Errorf("the first passage: %.80q", passages[0].Text)
	}
}

func TestLargeHeaderIsNotRepeated(t *testing.T) {
	header := "| " + strings.Repeat("wide ", 110) + "|\n|---|\n"
	passages := split(header + lines("| celadon %03d and a thin coat at the rim |", 100))
	for _, p := range passages[1:] {
		if !strings.HasPrefix(p.Text, "| celadon") {
			t.Errorf("%.40q", p.Text)
		}
	}
}

func TestLargeRowKeepsTheHeader(t *testing.T) {
	passages := split("| a | b |\n|---|---|\n| x | y |\n| " + strings.Repeat("kiln ", 900) + "| z |\n")
	for i, p := range passages {
		if !strings.HasPrefix(p.Text, "| a | b |\n|---|---|\n") || utf8.RuneCountInString(p.Text) > chunk.MaxCharacters {
			t.Errorf("passage %d: %d characters, %.40q", i, utf8.RuneCountInString(p.Text), p.Text)
		}
	}
	if len(passages) != 3 {
		t.Errorf("%d passages", len(passages))
	}
}

func TestFencesStayFences(t *testing.T) {
	function := "func fire%d() {\n\tkiln := open()\n\n\tkiln.heat(1280)\n\tkiln.close()\n}\n"
	for name, text := range map[string]string{
		"at the margin": "Intro of a few words.\n\n```go title=\"kiln\"\n" + lines(function, 60) + "```\n\n" + words(300) + "\n",
		"in a list":     "- item\n  ~~~go\n" + strings.ReplaceAll("  "+strings.TrimSuffix(lines(function, 60), "\n"), "\n", "\n  ") + "\n  ~~~\n- next\n",
		"in a quote":    "> [!note]\n> ```go\n" + strings.ReplaceAll("> "+strings.TrimSuffix(lines(function, 60), "\n"), "\n", "\n> ") + "\n> ```\n",
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			for i, p := range split(text) {
				if utf8.RuneCountInString(p.Text) > chunk.MaxCharacters {
					t.Errorf("passage %d has %d characters", i, utf8.RuneCountInString(p.Text))
				}
				marks := strings.Count(p.Text, "```") + strings.Count(p.Text, "~~~")
				if code := strings.Contains(p.Text, "func"); code && (marks != 2 || !strings.Contains(p.Text, "go")) {
					t.Errorf("passage %d is no fence: %d marks, %.60q … %q", i, marks, p.Text, p.Text[max(0, len(p.Text)-30):])
				}
				if opens, closes := strings.Count(p.Text, "{"), strings.Count(p.Text, "}"); opens != closes {
					t.Errorf("passage %d cuts a function", i)
				}
				calls += strings.Count(p.Text, "func fire")
			}
			if calls != 60 {
				t.Errorf("%d functions", calls)
			}
		})
	}
}

func TestFenceThatFitsIsWhole(t *testing.T) {
	fence := "```sh\n" + lines("run %d\n", 100) + "```"
	passages := split(words(1200) + "\n\nRun these:\n\n" + fence + "\n\n" + words(1300) + "\n")
	if len(passages) != 3 || passages[1].Text != "Run these:\n\n"+fence {
		t.Errorf("%+v", passages)
	}
}

func TestListsAreCutBetweenItems(t *testing.T) {
	item := "- item %d " + words(200) + "\n  - inner " + words(200) + "\n\n    more " + words(100) + "\n  - last " + words(100)
	passages := split(words(500) + "\n\nThe list:\n" + lines(item, 10))
	items := 0
	for i, p := range passages {
		if i > 0 && !strings.HasPrefix(p.Text, "- item") {
			t.Errorf("passage %d begins with %.30q", i, p.Text)
		}
		if strings.Count(p.Text, "- item") != strings.Count(p.Text, "- last") {
			t.Errorf("passage %d has a part of an item", i)
		}
		items += strings.Count(p.Text, "- item")
	}
	if items != 10 || !strings.Contains(passages[0].Text, "The list:\n- item 0") {
		t.Errorf("%d items, first passage %q", items, passages[0].Text)
	}
	for _, p := range split("- item\n" + lines("  - inner %d "+words(300), 20)) {
		if !strings.HasPrefix(strings.TrimSpace(p.Text), "- i") {
			t.Errorf("an item that is too large is cut at %.30q", p.Text)
		}
	}
}

func TestLongNoteWithoutHeadings(t *testing.T) {
	var text strings.Builder
	for i := range 1400 {
		fmt.Fprintf(&text, "Sentence %d tells of pot %d, e.g. one of Dr. Who, thrown on 3. May at 1.5 bar. ", i, i)
	}
	passages := split(text.String())
	least := chunk.MaxCharacters
	for i, p := range passages {
		least = min(least, utf8.RuneCountInString(p.Text))
		if !strings.HasPrefix(p.Text, "Sentence ") || !strings.HasSuffix(p.Text, " bar.") {
			t.Errorf("passage %d: %.20q … %q", i, p.Text, p.Text[max(0, len(p.Text)-20):])
		}
	}
	if least < chunk.MaxCharacters*4/5 {
		t.Errorf("a passage of %d characters", least)
	}
	for i := range 1400 {
		if want := fmt.Sprintf("Sentence %d tells of pot %d, e.g. one of Dr. Who, thrown on 3. May at 1.5 bar.", i, i); !strings.Contains(joined(passages), want) {
			t.Fatalf("no passage has %q", want)
		}
	}
}

func joined(passages []chunk.Passage) string {
	var b strings.Builder
	for _, p := range passages {
		b.WriteString(p.Text + "\x00")
	}
	return b.String()
}

// TestSentences cuts a paragraph of one sentence, often repeated: every passage has to begin and end with it.
func TestSentences(t *testing.T) {
	for _, sentence := range []string{
		"The glaze runs. ", "Does it run? ", "It runs! ", "He said: “It runs.” ", "It runs (so they say). ", "It runs.[^1] ", "And so on… ", "*It runs.* ",
		"It weighs 3.5 kg. ", "See e.g. the kiln of J. R. Miller. ", "Das gilt z. B. für Ton. ", "Am 3. Mai war es warm. ", "It has approx. ten parts, etc. and more. ",
		"The U.S. Army said it. ", "これは壺です。", "「壺です。」", "壺ですか？", "这是一个罐子！", "यह एक घड़ा है। ", "هل هذا إناء؟ ", "Wrapped prose goes on\nand ends here. ",
		"A line that has as many letters as prose in an editor, breaks off at\nGoogle and ends. ",
	} {
		passages := split("A first one that is of another length. " + strings.Repeat(sentence, 6000/utf8.RuneCountInString(sentence)))
		whole := strings.TrimSpace(sentence)
		for i, p := range passages {
			if i > 0 && !strings.HasPrefix(p.Text, whole) || !strings.HasSuffix(p.Text, whole) {
				t.Errorf("%q: passage %d: %.30q … %q", sentence, i, p.Text, p.Text[max(0, len(p.Text)-30):])
				break
			}
		}
		if len(passages) < 3 {
			t.Errorf("%q: %d passages", sentence, len(passages))
		}
	}
}

func TestBorders(t *testing.T) {
	for _, c := range []struct {
		name, text, begin string // of the second passage
	}{
		{"a bold line", words(1300) + "\n\n**Second**\n\n" + words(500) + "\n\n" + words(900) + "\n", "**Second**\n\nabc"},
		{"a key", words(900) + "\n\n" + words(450) + "\n\nSecond:\n" + words(400) + "\n\n" + words(900) + "\n", "Second:\nabc"},
		{"a key in a paragraph", words(1200) + "\nSecond:\n" + words(1200) + "\n", "Second:\nabc"},
		{"a lead-in", words(1900) + "\n\nThese are:\n\n- one\n- two\n\n" + words(800) + "\n", "These are:\n\n- one\n- two"},
		{"a lead-in of a table", words(1900) + "\n\nThese are:\n\n|a|\n|-|\n|b|\n\n" + words(800) + "\n", "These are:\n\n|a|"},
		{"a paragraph before a sentence", words(700) + "\n\n" + words(500) + " X. " + words(500) + "\n\n" + words(600), ""},
		{"a clause", "So " + strings.Repeat(strings.Repeat("kiln ", 30)+"end, ", 20) + "it is.", "kiln"},
		{"a word", strings.Repeat("pottery ", 400), "pottery"},
		{"a mark on a letter", strings.Repeat("e\u0301", 1500), "e\u0301"},
	} {
		passages := split(c.text)
		if len(passages) < 2 || !strings.HasPrefix(passages[1].Text, c.begin) {
			t.Errorf("%s: %d passages, %.60q", c.name, len(passages), passages[len(passages)-1].Text)
		}
	}
}

func TestPiecesAreEven(t *testing.T) {
	passages := split(strings.Repeat(words(200)+"\n\n", 11))
	if len(passages) != 2 || len(passages[1].Text) < 700 {
		t.Errorf("%d passages, the last of %d characters", len(passages), len(passages[len(passages)-1].Text))
	}
}

// TestHiddenTextIsNotRepeated holds that what is repeated around a piece is what a reader sees.
func TestHiddenTextIsNotRepeated(t *testing.T) {
	text := "> a %%hidden%% b\n> |x %%hidden%%|y|\n> |-|-|\n" + lines("> |row %d "+words(100)+"|y %%%%hidden%%%%|", 60) +
		"\n%%\n```hidden\nhidden\n```\n%%\n\n" + lines("- line %d %%%%hidden%%%% "+words(200), 40)
	n := note.Reader{}.Read("a.md", []byte(text))
	passages := chunk.Split(n, chunk.ByHeading)
	checkPassages(t, n, passages)
	if len(passages) < 8 || strings.Contains(joined(passages), "hidden") {
		t.Errorf("%d passages, %q", len(passages), joined(passages))
	}
}

func TestFencedData(t *testing.T) {
	yaml := "a:\n  b: 1\n  c: [x, y]\ntitle: kiln\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"json", "Words.\n\n```json\n{\"server\": {\"port\": 80, \"tls\": {\"on\": true}},\n\"name\": \"caf\\u00e9\", \"x\": 1}\n```\n", []string{"server.port: 80\nserver.tls.on: true\nname: café"}},
		{"yaml", "```yaml\n" + yaml + "```\n", []string{"a.b: 1\na.c: x, y"}},
		{"yml with more info", "```yml {1} x\n" + yaml + "```\n", []string{"a.b: 1\na.c: x, y"}},
		{"jsonc", "```JSONC\n{\"a\": {\"b\": 1}}\n```\n", []string{"a.b: 1"}},
		{"broken", "```json\n{\"a\": {\"b\": 1}\n```\n", []string{""}},
		{"no data", "```go\nx := map[string]int{\"a\": 1}\n```\n", []string{""}},
		{"not closed", "```json\n{\"a\": {\"b\": 1}}\n", []string{"a.b: 1"}},
		{"empty", "```json\n```\n", []string{""}},
		{"indented", "  ```json\n{\"a\":\n{\"b\": 1}}\n  ```\n", []string{"a.b: 1"}},
		{"in a list", "- one\n\n  ```yaml\n  a:\n    b: 1\n\n    c: 2\n  ```\n- ~~~json\n  {\"d\": {\"e\": 1}}\n  ~~~\n- ```json\n  {\"f\": {\"g\": 1}}\n- two\n", []string{"a.b: 1\na.c: 2\nd.e: 1\nf.g: 1"}},
		{"in a list with tabs", "- one\n\t- two\n\t  ```yaml\n\t  a:\n\t    b: 1\n\t  ```\n", []string{"a.b: 1"}},
		{"in a quote", "> ```yaml\n> a:\n>   b: 1\n> ```\n> ~~~\n> ```json\n> {\"c\": {\"d\": 1}}\n> ~~~\n", []string{"a.b: 1"}},
		{"in a callout in a list in a callout", "> [!note] T\n> - x\n>   > ```json\n>   > {\"a\": {\"b\": 1}}\n>   > ```\n", []string{"a.b: 1"}},
		{"hidden in a list", "- one\n\n  %%\n  ```json\n  {\"a\": {\"b\": 1}}\n  ```\n  %%\n\n  two words\n", []string{""}},
		{"two", "# T\n\n## A\n\n" + enough + "\n\n```json\n{\"a\": {\"b\": 1}}\n```\n\n## B\n\n" + enough + "\n\n```json\n{\"a\": {\"c\": 1}}\n```\n", []string{"a.b: 1", "a.c: 1"}},
	} {
		var got []string
		for _, p := range split(c.text) {
			got = append(got, p.IndexText)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// TestFencedDataThatIsCut holds that every piece of data is found by the keys above it.
func TestFencedDataThatIsCut(t *testing.T) {
	for name, text := range map[string]string{
		"over lines":  "```yaml\nkiln:\n  glaze:\n" + lines("    cone%03d: runs at the rim", 200) + "```\n",
		"on one line": "```json\n{\"kiln\": {\"glaze\": {" + strings.TrimSuffix(strings.ReplaceAll(lines("\"cone%03d\": \"runs at the rim\",", 200), "\n", " "), ", ") + "}}}\n```\n",
	} {
		passages := split(text)
		found := 0
		for i, p := range passages {
			if !strings.HasPrefix(p.IndexText, "kiln.glaze.cone") || utf8.RuneCountInString(p.IndexText) > chunk.MaxCharacters {
				t.Errorf("%s: passage %d: %.80q", name, i, p.IndexText)
			}
			found += strings.Count(p.IndexText, "kiln.glaze")
		}
		if len(passages) < 3 || found < 100 {
			t.Errorf("%s: %d passages, %d lines", name, len(passages), found)
		}
	}
}

// TestListsFillTheirPieces: prose is cut into even pieces, a list into as few as may be.
func TestListsFillTheirPieces(t *testing.T) {
	item := "- " + strings.Repeat("word ", 9) + "end\n" // 51 characters
	sentence := strings.Repeat("word ", 9) + "end.\n\n"
	sizes := func(text string) []int {
		var list []int
		for _, p := range split("# T\n\n" + text) {
			list = append(list, utf8.RuneCountInString(p.Text))
		}
		return list
	}
	if got := sizes(strings.Repeat(item, 48)); len(got) != 2 || got[0] < 1900 {
		t.Errorf("list: pieces of %d characters", got)
	}
	if got := sizes(strings.Repeat(sentence, 60)); len(got) != 2 || got[0] > 1700 {
		t.Errorf("prose: pieces of %d characters", got)
	}
}

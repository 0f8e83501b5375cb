package note_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"quarry/note"
)

// hostile gives notes that make a careless reader slow, each about size bytes.
func hostile(size int) map[string]string {
	notes := map[string]string{}
	for _, unit := range []string{
		"[a](", "[[", "*a ", "%% ", "%%\n", "`a``b```", "> ", ">", "- ", "#tag ", "#", "<div>", "<a b=\"", "<!-- ", "<http:", "|", "![", "[^1]: ", "&amp;",
		"$a$$", "$a ", "$$\n", "a:: [b:: ", "a::\n", "[[rel:a ", "\u200b", "a", "word ", "- [ ] task\n", "\n", "\r", "\t", "\\", "=\n", "-\n", "a\n-\n", "```\n",
		"🟢 [[x]] ", "[![a](b)", "](c)", "[a]: b\n", "|a|b|\n", "- a\n\n\n\n", "a ^b\n\n", "<div>\n", "1. ", "[a:: b] `c` [[d]] ", "rel: a [[b]]\n", "  - a\n",
		"- %%\n", "> $$\n", "> %%\n> a\n\n", "[^1]: > ", "[^1]: - ", "[^1]: a\n\n    b\n", "==a", "==a b== ", "^[", "^[a] ", "[^a]", "[a](&amp;&) ",
		"[a]: b\n'c\n", "[a]: b \"\n", "==[a](b)==", "%%a%%",
		"%%`", "%%`%%`", "`%%` ", "%% [a](b) %%", "%%[", "\\%%", "> %%\n> a\n>\n", "- %%\n  a\n\n", "- %%\n\n  %%\n", "%%\n```\n", "> - %% a\n>\n> b\n\n",
		"[^1]: %%\n\n    a\n", "%% a\n\n- b %%\n", "a::b\n", "a::b::",
	} {
		notes[fmt.Sprintf("%q", unit)] = strings.Repeat(unit, size/len(unit)+1)
	}
	var deep, runs, quoted, definitions strings.Builder
	for i := 0; deep.Len() < size; i++ {
		deep.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	for i := 1; runs.Len() < size; i++ {
		runs.WriteString(strings.Repeat("`", i) + " ")
	}
	for quoted.Len() < size {
		quoted.WriteString(strings.Repeat("> ", 40) + "- a\n")
	}
	for i := 0; definitions.Len() < size; i++ {
		fmt.Fprintf(&definitions, "[a%d]: b\n", i)
	}
	notes["deep list"], notes["runs of backticks"] = deep.String(), runs.String()
	notes["deep quotes"], notes["definitions"] = quoted.String(), definitions.String()
	notes["brackets and a definition"] = "[a]: b\n\n" + strings.Repeat("[", size/2) + strings.Repeat("]", size/2)
	notes["images in images"] = strings.Repeat("![", size/6) + strings.Repeat("](a)", size/6)
	notes["wide table"] = strings.Repeat("|a", size/2) + "\n" + strings.Repeat("|-", size/2)
	notes["comments over fences"] = decreasing(size, func(i int) string { return "%%\n" + strings.Repeat("`", i) + "\n" })
	notes["code and a mark"] = strings.Repeat("`a` ``", size/6) + "%%\n%%"
	notes["marks in a deep quote"] = decreasing(size, func(i int) string { return strings.Repeat("> ", i%40) + "- %%\n" })
	notes["fences and a mark"] = "%%\n" + strings.Repeat("> %%\n> ```\n\n", size/13) + "> %%\n"
	notes["keys"] = "---\n" + strings.Repeat("key: value\n", size/11) + "---\n"
	notes["deep YAML"] = "---\na: " + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + "\n---\n"
	notes["nested YAML"] = "---\n" + strings.Repeat("- ", 30_000) + "\n---\n"
	return notes
}

func decreasing(size int, line func(int) string) string {
	var text strings.Builder
	for i := 1; text.Len() < size; i++ {
		text.WriteString(line(max(3, 1500-i)))
	}
	return text.String()
}

const (
	hostileBytes = 16 << 10
	quickTime    = 2 * time.Millisecond // below it, noise is larger than what can be told
	// Above 20 MB/s a ratio tells nothing: a text of four times the lines may be read in another way.
	quickTimePerByte = 50 * time.Nanosecond
	slowTime         = time.Second / 4 // above it, four times the smallest text tells enough
)

// checkLinear holds that work on four times the text takes less than eight times as long: a quadratic reader needs
// sixteen times, a linear one somewhat more than four, where the larger text no longer fits the caches. What fails at
// first is tried on larger texts, where it does not fit in either case.
func checkLinear(t *testing.T, texts func(size int) map[string]string, work func(name, text string)) {
	t.Helper()
	if testing.Short() { // measures no time
		for name, text := range texts(hostileBytes / 4) {
			work(name, text)
		}
		return
	}
	small, large := texts(hostileBytes), texts(4*hostileBytes)
	failed := func(name string, pair [2]string, took [2]time.Duration) {
		t.Errorf("%s: %s for %d bytes, %s for %d", name, took[0], len(pair[0]), took[1], len(pair[1]))
	}
	var slow []string
	for name := range small {
		pair := [2]string{small[name], large[name]}
		switch took, ok := growth(2, name, pair, work); {
		case !ok && took[1] > slowTime:
			failed(name, pair, took)
		case !ok:
			slow = append(slow, name)
		}
	}
	if len(slow) == 0 {
		return
	}
	small, large = texts(8*hostileBytes), texts(32*hostileBytes)
	for _, name := range slow {
		pair := [2]string{small[name], large[name]}
		took, ok := growth(6, name, pair, work)
		for tries := 0; !ok && tries < 2; tries++ { // something else may have had the machine
			took, ok = growth(6, name, pair, work)
		}
		if !ok {
			failed(name, pair, took)
		}
	}
}

// growth measures work on a text and on one of four times its size: the least times of some runs, and whether they grow
// as those of a linear reader do.
func growth(runs int, name string, texts [2]string, work func(name, text string)) (least [2]time.Duration, ok bool) {
	least = [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for range runs {
		for i, text := range texts {
			start := time.Now()
			work(name, text)
			least[i] = min(least[i], time.Since(start))
		}
		quick := max(quickTime, quickTimePerByte*time.Duration(len(texts[1])))
		if least[1] < quick || least[1] < 8*least[0] {
			return least, true
		}
	}
	return least, false
}

// around gives texts with something before and behind each.
func around(before, behind string) func(size int) map[string]string {
	return func(size int) map[string]string {
		texts := hostile(size)
		for name, text := range texts {
			texts[name] = before + text + behind
		}
		return texts
	}
}

// TestHostile holds that the time is linear: with nodes in the blocks, without them where there are too many marks, and
// line by line where blocks nest too deep.
func TestHostile(t *testing.T) {
	for kind, texts := range map[string]func(size int) map[string]string{
		"with nodes": hostile, "without nodes": around("", "\n\n"+strings.Repeat("|", manyMarks)), "line by line": around(strings.Repeat("> ", deep)+"\n\n", ""),
	} {
		t.Run(kind, func(t *testing.T) {
			checkLinear(t, texts, func(name, text string) {
				if n := note.Parse("a.md", []byte(text), nil); n.Text != text {
					t.Errorf("%s: the text is another", name)
				}
			})
		})
	}
}

func TestFallbackReadsPlainLines(t *testing.T) {
	text := "---\na: b\n---\n# Head ##\n\n" + strings.Repeat("> ", 200) + "[[a]] #b\n\n```\n# no [[no]]\n```\n## Next\ntext [t](c.md)\n"
	n := parse(text)
	if len(n.Problems) != 1 {
		t.Fatalf("problems %v", n.Problems)
	}
	got := headingLines(n) + "; " + sectionLines(n) + "; " + strings.Join(linkLines(n), "; ")
	want := "1 Head 4-4, 2 Next 11-11; yaml 1-3, heading 4-4, paragraph 6-6, code 8-10, heading 11-11, paragraph 12-12; [[a]] | a |  | a | ; [t](c.md) | c.md |  | t | markdown"
	if got != want || len(n.Tags) != 1 {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestConcurrent holds that the one parser is safe to share; run it with -race.
func TestConcurrent(t *testing.T) {
	text := strings.Repeat(mixedNote, 3)
	want := fmt.Sprintf("%+v", *parse(text))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got := fmt.Sprintf("%+v", *parse(text)); got != want {
				t.Error("two runs differ")
			}
		})
	}
	group.Wait()
}

// TestManyHeadings holds that of millions of headings and blocks a bounded number is kept, and said so.
func TestManyHeadings(t *testing.T) {
	for name, unit := range map[string]string{"headings": "# a\n", "headings line by line": "# a\n", "blocks line by line": "a\n\n"} {
		count := 150_000
		if strings.HasSuffix(name, "line by line") {
			count = 500_000
		}
		n := parse(strings.Repeat(unit, count))
		if len(n.Headings) > 100_000 || len(n.Sections) != 100_000 || strings.HasPrefix(name, "headings") != (len(n.Headings) == 100_000) {
			t.Errorf("%s: %d headings, %d sections", name, len(n.Headings), len(n.Sections))
		}
		told := false
		for _, problem := range n.Problems {
			told = told || strings.Contains(problem.Reason, "more headings or blocks")
		}
		if !told {
			t.Errorf("%s: problems %v", name, n.Problems)
		}
	}
}

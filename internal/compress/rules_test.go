package compress_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"quarry/internal/compress"
)

// checkRules holds a text to what is true of every result.
func checkRules(t *testing.T, text string, options compress.Options) {
	t.Helper()
	result := compress.Compress(text, options)
	if len(result.Text) > len(text) || utf8.RuneCountInString(result.Text) > utf8.RuneCountInString(text) {
		t.Errorf("%d bytes became %d", len(text), len(result.Text))
	}
	if result.Changed != (result.Text != text) {
		t.Errorf("changed: %v", result.Changed)
	}
	if result.Changed != compress.IsCompressed(result.Text) && !compress.IsCompressed(text) {
		t.Errorf("changed: %v, but the mark: %v", result.Changed, !result.Changed)
	}
	if result.Dropped < 0 || result.Dropped > result.Lines || !result.Changed && result.Dropped != 0 {
		t.Errorf("%d of %d lines dropped", result.Dropped, result.Lines)
	}
	if again := compress.Compress(text, options); again != result {
		t.Errorf("another result the second time")
	}
	if again := compress.Compress(result.Text, options); again.Changed || again.Text != result.Text {
		t.Errorf("compressing again changed it:\n%s", again.Text)
	}
	if utf8.RuneCountInString(text) < 1000 && result.Changed {
		t.Errorf("a short text was changed")
	}
}

// long is a text that is repeated until it is long enough to be looked at.
func long(text string) string {
	const least = 1000
	if n := utf8.RuneCountInString(text); n > 0 && n < least {
		text = strings.Repeat(text+"\n", least/n+1)
	}
	return text
}

func seed(f *testing.F, add func(text string)) {
	f.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "outputs", "*.txt"))
	if err != nil || len(paths) == 0 {
		f.Fatal("no outputs", err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		const most = 6000
		add(string(content[:min(len(content), most)]))
	}
	for _, text := range hostile(2000) {
		add(text)
	}
}

// FuzzRules holds any text, as of any kind and with any aim, to the rules.
func FuzzRules(f *testing.F) {
	i := 0
	seed(f, func(text string) {
		i++
		f.Add(text, uint8(i), uint16(i*100*(i%2)))
	})
	f.Fuzz(func(t *testing.T, text string, kind uint8, aim uint16) {
		options := compress.Options{Kind: compress.Kinds[int(kind)%len(compress.Kinds)], MaxCharacters: int(aim)}
		checkRules(t, long(text), options)
		checkRules(t, long(text), compress.Options{})
	})
}

// plainFailure is a line that no run of tests may lose, wherever it stands.
var plainFailure = regexp.MustCompile(`^(?:--- FAIL: \w+ \(\d\.\d\ds\)|[\w/]+\.\w+:\d+:\d+: error: .*|E   \w*Error: .*|FAILED \w+\.py::\w+|panic: .+|error\[E\d+\]: .*|thread '\w+' panicked at .*|Traceback \(most recent call last\):)$`)

// FuzzFailures asks that lines of failures stay, among whatever else.
func FuzzFailures(f *testing.F) {
	i := 0
	seed(f, func(text string) {
		i++
		f.Add(text, uint16(i*100*(i%2)))
	})
	f.Fuzz(func(t *testing.T, text string, aim uint16) {
		text = long(text)
		short := compress.Compress(text, compress.Options{Kind: compress.Tests, MaxCharacters: int(aim)}).Text
		for line := range strings.SplitSeq(text, "\n") {
			if len(line) < 900 && plainFailure.MatchString(line) && !strings.ContainsAny(line, "\r\x1b<") && !strings.Contains(short, line) {
				t.Fatalf("lost: %q", line)
			}
		}
	})
}

// TestMixedRuns puts pieces of all recorded runs behind each other, in many orders.
func TestMixedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	paths, err := filepath.Glob(filepath.Join("testdata", "outputs", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	lost := 0
	for range 40 {
		var b strings.Builder
		for range 6 {
			content, err := os.ReadFile(paths[random.IntN(len(paths))])
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(string(content), "\n")
			from := random.IntN(len(lines))
			for _, line := range lines[from:min(len(lines), from+80)] {
				b.WriteString(line)
			}
			b.WriteByte('\n')
		}
		text := b.String()
		checkRules(t, text, compress.Options{Kind: compress.Tests})
		checkRules(t, text, compress.Options{})
		short := compress.Compress(text, compress.Options{Kind: compress.Tests}).Text
		for line := range strings.SplitSeq(text, "\n") {
			if plainFailure.MatchString(line) && !strings.Contains(short, line[:min(len(line), 700)]) {
				t.Errorf("lost: %s", line)
				lost++
			}
		}
	}
}

// withFence is a document that shows a run of tests.
func withFence(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "outputs", "go-test-verbose.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return "# Testing\n\nHow the tests of the depot are run, and what an error looks like.\n\n```\n$ go test -v ./...\n" + string(content[:3000]) +
		"```\n\n## Failures\n\n--- FAIL: TestX tells of a failure. See parcel.go:12: there `panic: ` is explained.\n\n- pytest prints FAILED a.py::b\n"
}

// TestDocumentsStay asks that texts about tests and errors, which are no outputs of tools, stay whole.
func TestDocumentsStay(t *testing.T) {
	source, err := os.ReadFile("testlines.go")
	if err != nil {
		t.Fatal(err)
	}
	output, err := os.ReadFile(filepath.Join("testdata", "outputs", "go-test-verbose.txt"))
	if err != nil {
		t.Fatal(err)
	}
	added := strings.Split(strings.TrimSpace(string(output[:5000])), "\n")
	diff := fmt.Sprintf("diff --git a/log.txt b/log.txt\n--- a/log.txt\n+++ b/log.txt\n@@ -1,0 +1,%d @@\n+%s\n", len(added), strings.Join(added, "\n+"))
	for name, text := range map[string]string{
		"Markdown about tests":    withFence(t),
		"front matter":            "---\ntitle: Errors\ntags: [tests]\n---\n" + strings.Repeat("An error: a.go:12:3: undefined: x. It failed with 3 failed, 2 passed.\n\n=== RUN   TestA\n\n", 20),
		"source code":             string(source),
		"Python":                  "import pytest\n\n\ndef test_a():\n" + strings.Repeat("    assert run() == 'FAILED a.py::b - Error'\n    raise ValueError('error: 1 failed')\n\n", 30),
		"diff of a log of tests":  diff,
		"prose":                   strings.Repeat("The error was found in the morning, and nobody had failed.\nThe tests had passed, all 212 of them.\n", 30),
		"a table":                 strings.Repeat("| test | PASSED | 12 |\n| other | FAILED | 13 |\n", 40),
		"a text in Chinese":       strings.Repeat("所有的测试都通过了。\n没有错误。\n", 90),
		"settings":                strings.Repeat("[tests]\nerror = \"fail\"\nlevel = 3\n", 40),
		"a list of words of Unix": strings.Repeat("error\nfail\nok\npanic\n", 100),
	} {
		result := compress.Compress(text, compress.Options{})
		if result.Dropped*100 > result.Lines*2 {
			t.Errorf("%s: as %s %d of %d lines dropped:\n%s", name, result.Kind, result.Dropped, result.Lines, result.Text)
		}
	}
}

// TestRepeats folds what follows itself, in any text, and nothing else of what is unknown.
func TestRepeats(t *testing.T) {
	text := "Waiting for the press\n" + strings.Repeat("still waiting for the press to start\n", 60) + "done\nnothing else\n"
	want := "[shortened markdown: 4 of 63 lines; … tells what was left out]\nWaiting for the press\nstill waiting for the press to start\n… 59 repeats of the line above\ndone\nnothing else\n"
	if got := compress.Compress(text, compress.Options{}); got.Text != want || got.Dropped != 59 {
		t.Errorf("%d dropped, %q", got.Dropped, got.Text)
	}
}

// TestTerminal leaves out what steers a terminal, and what a carriage return wrote over.
func TestTerminal(t *testing.T) {
	bar := ""
	for i := range 101 {
		bar += fmt.Sprintf("\r\x1b[32m%3d %%\x1b[0m of the crates", i)
	}
	text := "\x1b]0;title\x07start\r\n" + bar + "\r\n\x1b[1mend\xff\x1b[0m\r\n"
	want := "[shortened markdown: 3 of 3 lines; … tells what was left out]\nstart\n100 % of the crates\nend\xff\n"
	if got := compress.Compress(text, compress.Options{}); got.Text != want {
		t.Errorf("%q", got.Text)
	}
}

// TestAimCutsTheRest meets an aim where failures leave room, and drops nothing of them where they do not.
func TestAimCutsTheRest(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "reading the crate of number %d from the shelf\n", i)
	}
	b.WriteString("crate.go:12:3: error: no crate\n")
	for i := range 300 {
		fmt.Fprintf(&b, "writing the crate of number %d to the shelf\n", i)
	}
	for _, aim := range []int{300, 1000, 5000} {
		got := compress.Compress(b.String(), compress.Options{Kind: compress.Build, MaxCharacters: aim})
		if n := utf8.RuneCountInString(got.Text); n > aim || n < aim*7/10 || !strings.Contains(got.Text, "error: no crate") {
			t.Errorf("aim %d: %d characters: %s", aim, n, got.Text)
		}
	}
}

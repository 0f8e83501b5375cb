package compress_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quarry/internal/compress"
)

// injectedLines are errors as tools of many kinds print them, each with a word that stands nowhere else.
var injectedLines = []string{
	"error: disk crate77 is full",
	"ERROR: crate77 cannot be read",
	"fatal: crate77 is no repository",
	"crate77.go:7:3: undefined: weight",
	"    crate77.c:7: error: no such member",
	"crate77: connection refused",
	"Crate77Error: no scales",
	"E   ValueError: crate77 is empty",
	"npm ERR! code ECRATE77",
	"curl: (7) Failed to connect to crate77",
	"crate77 exited with code 137",
	"make: *** [Makefile:7: crate77] Error 2",
	"  | error: crate77 is broken",
	"   12: error: crate77 is broken",
	"    at startup: error: crate77 is broken",
	"panic: crate77",
	"assertion failed: crate77 == 3",
	"Killed: crate77 out of memory",
	"bash: crate77: command not found",
	"crate77: Permission denied",
	"request crate77 timed out",
	"collect2: fatal error: crate77 terminated with signal 9",
	"[ERROR] crate77 is missing",
	"Could not resolve host: crate77",
	"GET /crate77 HTTP/1.1 503",
	"done: status=502 path=/crate77",
}

// injectedTails are what a line that tells of work going on may end in where that went wrong.
var injectedTails = []string{
	" failed: connection refused by crate77",
	": no matching distribution for crate77, error 404",
	" failed with crate77: exit status 1",
	": undefined symbol crate77",
	": error: crate77",
	" crate77: cannot open file",
}

// recorded gives the outputs that are shortened as one of some kinds.
func recorded(t *testing.T, kinds ...compress.Kind) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "outputs", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		kind := compress.Compress(string(content), compress.Options{}).Kind
		for _, wanted := range kinds {
			if kind == wanted {
				texts[strings.TrimSuffix(filepath.Base(path), ".txt")] = string(content)
			}
		}
	}
	if len(texts) == 0 {
		t.Fatal("no outputs")
	}
	return texts
}

// TestInjectedLines puts an error anywhere into an output: it stays, whatever is left out around it.
func TestInjectedLines(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	random := rand.New(rand.NewPCG(5, 6))
	texts := recorded(t, compress.Tests, compress.Build, compress.Trace, compress.Log)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		if name == "go-test-json" { // other lines stay behind the events
			continue
		}
		lines := strings.SplitAfter(text, "\n")
		kind := compress.Compress(text, compress.Options{}).Kind
		for _, injected := range injectedLines {
			for range 3 {
				at := random.IntN(len(lines))
				changed := strings.Join(lines[:at], "") + injected + "\n" + strings.Join(lines[at:], "")
				short := compress.Compress(changed, compress.Options{Kind: kind, MaxCharacters: 1000 * random.IntN(2)}).Text
				if !strings.Contains(short, strings.TrimSpace(injected)) {
					t.Errorf("%s, line %d: lost: %q, between %q and %q", name, at, injected, lines[max(0, at-1)], lines[at])
				}
			}
		}
	}
}

// verdictLine is one with the free name of a test that passed or was skipped, a line of source, or a remark of a compiler.
var verdictLine = regexp.MustCompile(`^\s*(?:[✓✔√○↓] |(?:ok|not ok) \d+ |--- |=== |test \S+ \.\.\. |# Subtest: |</?test|</?propert|Running )|[-=_⎯]{8}|<|\?\?\?|^E |^ +\| |\^|^ {4,}(?:def|class|log|assert|raise|return)\b|✎ |: note: |: +required from |\.\.\. skipped |^\s*\d+ *[|~] |^\s*\d+ {2,}`)

// TestInjectedTails gives lines that are left out the end of an error, behind each of their words: they stay.
func TestInjectedTails(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	random := rand.New(rand.NewPCG(7, 8))
	texts := recorded(t, compress.Tests, compress.Build, compress.Log)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		kind := compress.Compress(text, compress.Options{}).Kind
		short := compress.Compress(text, compress.Options{}).Text
		lines := strings.SplitAfter(text, "\n")
		for range 150 {
			at := random.IntN(len(lines))
			whole := strings.TrimRight(lines[at], "\n")
			if strings.TrimSpace(whole) == "" || strings.ContainsAny(whole, "\r\x1b{") || strings.Contains(short, whole) || verdictLine.MatchString(whole) {
				continue
			}
			words := strings.SplitAfter(whole, " ")
			front := strings.TrimRight(strings.Join(words[:1+random.IntN(len(words))], ""), " :")
			injected := front + injectedTails[random.IntN(len(injectedTails))]
			if strings.Trim(front, " -=_|") == "" || len(injected) > 900 {
				continue
			}
			changed := strings.Join(lines[:at+1], "") + injected + "\n" + strings.Join(lines[at+1:], "")
			if got := compress.Compress(changed, compress.Options{Kind: kind}).Text; !strings.Contains(got, strings.TrimSpace(injected)) {
				t.Errorf("%s, line %d: lost: %q", name, at, injected)
			}
		}
	}
}

package compress_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/compress"
)

var update = flag.Bool("update", false, "write the golden files")

// The outputs in testdata/outputs are those of real tools, run on small invented projects, with neutral paths and hosts.
// docker-build.txt, json-api.txt and the logs were written by programs of our own.

const (
	leastOutputs      = 50
	leastAverageSaved = 70 // percent of the characters
)

// mustKeep finds, in an output as it came, names of failing tests, lines of errors, and places of both. It knows nothing of
// the package under test.
var mustKeep = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^ *--- FAIL: \S+`),                                                      // go test
	regexp.MustCompile(`(?m)^FAIL\t.*$`),                                                            // go test
	regexp.MustCompile(`(?m)^panic: .*$`),                                                           // go
	regexp.MustCompile(`(?m)^WARNING: DATA RACE$`),                                                  // go
	regexp.MustCompile(`(?m)^\t\tTest\w+ \(\d+s\)$`),                                                // go, what ran at a timeout
	regexp.MustCompile(`(?m)^(?:vet: )?[\w./]+\.go:\d+:\d+: .*$`),                                   // go build, go vet
	regexp.MustCompile(`/project/[\w/]+\.go:\d+`),                                                   // own places in Go's stacks
	regexp.MustCompile(`(?m)^FAILED \S+`),                                                           // pytest
	regexp.MustCompile(`(?m)^ERROR \S+`),                                                            // pytest
	regexp.MustCompile(`(?m)^(?:>|E)  .*(?:Error|assert|raise).{0,200}`),                            // pytest
	regexp.MustCompile(`(?m)^(?:tests|orchard)/\w+\.py:\d+: [^<\n]*`),                               // pytest
	regexp.MustCompile(`(?m)^(?:FAIL|ERROR): .*$`),                                                  // unittest
	regexp.MustCompile(`(?m)^  File "/project/(?:[^v"]|v[^e"])[^"]*", line \d+, in .*$`),            // Python, own frames
	regexp.MustCompile(`(?m)^(?:[a-z_]+\.)*[A-Z]\w*(?:Error|Exception|Locked|Missing)\b.*$`),        // Python, JavaScript, Java
	regexp.MustCompile(`(?m)^test .* FAILED$`),                                                      // cargo
	regexp.MustCompile(`(?m)^thread '.*panicked at .*$`),                                            // Rust
	regexp.MustCompile(`(?m)^ +at \./src/\S+`),                                                      // Rust, own frames
	regexp.MustCompile(`(?m)^error(?:\[E\d+\])?: .*$`),                                              // rustc
	regexp.MustCompile(`(?m)^test result: FAILED.*$`),                                               // cargo
	regexp.MustCompile(`(?m)^FAIL +\S.*$`),                                                          // jest, vitest
	regexp.MustCompile(`(?m)^ +(?:✕|×) .*$`),                                                        // jest, vitest
	regexp.MustCompile(`(?m)^ +● .*$`),                                                              // jest
	regexp.MustCompile(`(?m)^ +(?:at (?:[^/]* \()?|❯ )(?:test|spec|src|vt|nt)/[\w.-]+:\d+:\d+\)?$`), // JavaScript, own frames
	regexp.MustCompile(`(?m)^ *not ok \d+ - .*$`),                                                   // TAP
	regexp.MustCompile(`(?m)^ +\d+\) .*$`),                                                          // mocha
	regexp.MustCompile(`(?m)^\S+(?:\(\d+,\d+\):|:\d+:\d+(?: -|:)) (?:fatal )?error\b.{0,300}`),      // tsc, gcc, javac
	regexp.MustCompile(`(?m)^make(?:\[\d+\])?: \*\*\* .*$`),                                         // make
	regexp.MustCompile(`(?m)^.*undefined reference to .*$`),                                         // ld
	regexp.MustCompile(`(?m)^ERROR(?: in|:) .{0,300}`),                                              // webpack, pip, docker
	regexp.MustCompile(`(?m)^#\d+ ERROR: .*$`),                                                      // docker
	regexp.MustCompile(`(?m)^npm error .*$`),                                                        // npm
	regexp.MustCompile(`(?m)^\[ERROR\] .*$`),                                                        // Maven
	regexp.MustCompile(`(?m)^\tat (?:shop|Trace)\.\S+|^\tat Trace.*$`),                              // Java, own frames
	regexp.MustCompile(`(?m)^Caused by: .*$`),                                                       // Java
	regexp.MustCompile(`(?m)^\S+ (?:ERROR|FATAL) .*$`),                                              // log
	regexp.MustCompile(`(?m)^(?:ls|find|grep): .*: (?:No such file|Permission denied).*$`),          // listings
	regexp.MustCompile(`<testcase [^>]*>\s*<(?:failure|error) message="[^"]{0,100}`),                // JUnit
	regexp.MustCompile(`"error": ?(?:\{[^}]*\}|"[^"]*")`),                                           // JSON
	regexp.MustCompile(`(?m)^\s+\d+:\d+ +error .*$`),                                                // eslint
	regexp.MustCompile(`(?m)^big\.cc:\d+:\d+:   required from here$`),                               // gcc
	regexp.MustCompile(`(?m)^(?:\+\+\+ b/|--- a/|diff --git )(?:src|docs|README|old)\S*.*$`),        // diffs
	regexp.MustCompile(`(?m)^[-+]\s*(?:func step|total :=|panic\().*$`),                             // diffs
	regexp.MustCompile(`(?m)^\s*Tests? ?(?:Suites|Files)?:? +\d+ (?:failed|passed).*$`),             // summaries of jest and vitest
	regexp.MustCompile(`(?m)^=+ (.*\b\d+ (?:failed|passed).* in [\d.]+s.*?) =+$`),                   // that of pytest
	regexp.MustCompile(`(?m)^\[INFO\] BUILD .*$|^\s+\d+ (?:passing|failing)\b|^# (?:fail) \d+$`),    // those of others
}

// keptLines are what the expressions find in a text, without colours, and each once.
func keptLines(text string) []string {
	text = regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(text, "")
	known := map[string]bool{}
	var found []string
	for _, expression := range mustKeep {
		for _, m := range expression.FindAllStringSubmatch(text, -1) {
			piece := normal(m[len(m)-1])
			if piece != "" && !known[piece] {
				known[piece] = true
				found = append(found, piece)
			}
		}
	}
	return found
}

var longRule = regexp.MustCompile(`={4,}|_{4,}|-{4,}`)

// normal is a text without spaces and with short rules: JSON is set anew, and rules are made short.
func normal(text string) string {
	return longRule.ReplaceAllStringFunc(strings.Join(strings.Fields(text), ""), func(rule string) string { return rule[:3] })
}

// handKept are pieces by hand, of what no expression finds.
var handKept = map[string][]string{
	"cargo-build":       {"--> src/main.rs:67:18", "--> src/main.rs:68:5", "could not compile `mill`"},
	"cmake-build":       {"undefined reference to `missing_symbol'", "tool.c:(.text"},
	"docker-build":      {"stock/stock.go:41:7: undefined: crates", "Dockerfile:14"},
	"git-diff":          {"lines", "deleted file mode", "+More."},
	"git-log":           {"Start the orchard", "Test the prices of part 59"},
	"go-panic":          {"/project/dump.go:21", "goroutine 1 ["},
	"json-api":          {`"code": "E_SCALE"`, `"note": "returned by the customer"`, `"total": 60`},
	"log-app":           {"starting orchard 1.4.2", `File "/project/orders/lock.py", line 21, in lock`, "disk full"},
	"maven-test":        {"TaxTest.roundsUp:21", "Basket.java:11", "Caused by: java.lang.NumberFormatException"},
	"pytest-colour":     {"tests/test_stock.py::test_slug[umlaut] FAILED", "orchard/stock.py:19: in take"},
	"pytest-junit":      {"tests/test_stock.py:16: AssertionError", "no scales found", `name="test_deep"`},
	"pytest-long-diffs": {"'kind 17': {", "row thirty-three: xxxxx", "No module named 'orchard.scales'", "tests/test_broken_import.py:2: in <module>"},
	"surefire-xml":      {"OrderTest.java:21", "Basket.java:6", "count must be positive: 0"},
	"unittest":          {"test_sub", "(n=2)", "First differing element 12:"},
}

func TestOutputs(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "outputs", "*.txt"))
	if err != nil || len(paths) < leastOutputs {
		t.Fatalf("%d outputs, %v", len(paths), err)
	}
	saved := 0
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			result := compress.Compress(string(content), compress.Options{})
			before, after := utf8.RuneCount(content), utf8.RuneCountInString(result.Text)
			saved += 100 - 100*after/before
			t.Logf("%-9s %6d -> %6d characters, %2d %% less", result.Kind, before, after, 100-100*after/before)
			checkGolden(t, name, result)
			checkKept(t, name, string(content), result.Text)
			checkRules(t, string(content), compress.Options{})
		})
	}
	if average := saved / len(paths); average < leastAverageSaved {
		t.Errorf("%d %% shorter on average, want %d", average, leastAverageSaved)
	} else {
		t.Logf("%d outputs, %d %% shorter on average", len(paths), average)
	}
}

func checkGolden(t *testing.T, name string, result compress.Result) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	got := string(result.Kind) + "\n" + result.Text
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func checkKept(t *testing.T, name, text, short string) {
	t.Helper()
	there := normal(short)
	pieces := append(keptLines(text), handKept[name]...)
	for _, piece := range pieces {
		if !strings.Contains(there, normal(piece)) {
			t.Errorf("lost: %s", piece)
		}
	}
	t.Logf("%d pieces are kept", len(pieces))
}

// TestOutputsWithAim asks that a cut drops no failure before all else.
func TestOutputsWithAim(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name := range handKept {
		t.Run(name, func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join("testdata", "outputs", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			for _, aim := range []int{1, 2000, 8000} {
				options := compress.Options{MaxCharacters: aim}
				checkRules(t, string(content), options)
				short := normal(compress.Compress(string(content), options).Text)
				for _, piece := range keptFailures(string(content)) {
					if !strings.Contains(short, piece) {
						t.Errorf("aim %d lost: %s", aim, piece)
					}
				}
			}
		})
	}
}

// keptFailures are the pieces that stay whatever the aim: not the files and lines of a diff, nor what says how many passed.
func keptFailures(text string) []string {
	other := regexp.MustCompile(`^(?:diff|\+\+\+|---a|[-+](?:func|total|panic))|passed|passing|^\[INFO\]|^#fail|^\d+failing`)
	return slices.DeleteFunc(keptLines(text), other.MatchString)
}

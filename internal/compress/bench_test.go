package compress_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"math/rand/v2"
	"fmt"

	"quarry/internal/compress"
)

// hostile are texts of 16 MB that are made to take long.
func hostile() map[string]string {
	const size = compress.MaxBytes - 4096
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	random := rand.New(rand.NewPCG(1, 2))
	var noise strings.Builder
	for noise.Len() < size {
		noise.WriteByte(byte(random.Uint32()))
	}
	var unlike strings.Builder
	for i := 0; unlike.Len() < size; i++ {
		fmt.Fprintf(&unlike, "%s %d ok\n", strings.Repeat("ab", i%20), i)
	}
	return map[string]string{
		"one line":          fill("a"),
		"one line of words": fill("error at file.go:12 "),
		"blank lines":       fill("\n"),
		"short lines":       fill("a\nb\n"),
		"escapes":           fill("\x1b[31m"),
		"open titles":       fill("\x1b]"),
		"carriage returns":  fill("50 %\r"),
		"noise":             noise.String(),
		"unlike lines":      unlike.String(),
		"brackets":          fill("["),
		"list":              "[" + fill("1,") + "1]",
		"lists":             "[" + fill("[],") + "1]",
		"objects":           "[" + fill(`{"error":{"a":[1,2]}},`) + "1]",
		"keys":              "{" + fill(`"a":1,`) + `"a":1}`,
		"nested":            "[" + fill(strings.Repeat("[", 90)+strings.Repeat("]", 90)+",") + "1]",
		"hunks":             "diff --git a/a b/a\n" + fill("@@ -1 +1 @@\n-a\n+b\n"),
		"subtests":          "=== RUN   TestA\n--- PASS: TestA (0.00s)\n" + fill("# Subtest: a\n    ok 1 - a\n      ---\n"),
		"frames":            fill("  File \"a.py\", line 1, in f\n    x\n"),
		"at":                fill("    at f (a.js:1:2)\n"),
		"goroutines":        fill("goroutine 1 [running]:\nmain.f(0x1)\n\t/a/b.go:12 +0x1\n\n"),
		"tests in XML":      "<testsuite>" + fill("<testcase name=\"a\"><failure>"),
		"open sections":     "<testsuite>" + fill("<![CDATA[<testcase"),
		"matches":           fill("a/b.go:12:\treturn nil\nc/d.go:13:\treturn\n"),
		"paths":             fill("a/b/c.go\nd/e/f.go\n"),
		"logs":              fill("2026-11-30T21:54:45Z ERROR a\n2026-11-30T21:54:46Z INFO b\n"),
		"tree":              fill("├── a\n│   ├── b\n"),
		"expectations":      fill("- Expected\n+ Received\n a\n"),
		"assertions":        "=== FAILURES ===\n" + fill("E   assert a\n>   b\na.py:1: \n"),
		"warnings":          fill("a.c:1:2: warning: w [-Wa]\n    1 | a\n"),
		"leads":             fill("In file included from a.h:1,\n                 from b.h:2,\n"),
	}
}

func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, text := range hostile() {
		for _, options := range []compress.Options{{}, {Kind: compress.Tests, MaxCharacters: 4000}} {
			start := time.Now()
			r := compress.Compress(text, options)
			t.Logf("%-20s %-8s %6d ms %d", name, r.Kind, time.Since(start).Milliseconds(), len(r.Text))
		}
	}
	_ = filepath.Join
	_ = os.ReadFile
}

package compress_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quarry/internal/compress"
)

// hostile are texts of a size that are made to take long, by what they are to trouble.
func hostile(size int) map[string]string {
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	random := rand.New(rand.NewPCG(1, 2))
	var noise, unlike strings.Builder
	for noise.Len() < size {
		noise.WriteByte(byte(random.Uint32()))
	}
	for i := 0; unlike.Len() < size; i++ {
		fmt.Fprintf(&unlike, "%s %d ok\n", strings.Repeat("ab", i%20), i)
	}
	return map[string]string{
		"one line":         fill("a"),
		"words":            fill("error at file.go:12 "),
		"blank lines":      fill("\n"),
		"short lines":      fill("a\nb\n"),
		"escapes":          fill("\x1b[31m"),
		"open titles":      fill("\x1b]"),
		"carriage returns": fill("50 %\r"),
		"noise":            noise.String(),
		"unlike lines":     unlike.String(),
		"brackets":         fill("["),
		"values":           "[" + fill("1,") + "1]",
		"lists":            "[" + fill("[],") + "1]",
		"objects":          "[" + fill(`{"error":{"a":[1,2]}},`) + "1]",
		"keys":             "{" + fill(`"a":1,`) + `"a":1}`,
		"nested":           "[" + fill(strings.Repeat("[", 90)+strings.Repeat("]", 90)+",") + "1]",
		"hunks":            "diff --git a/a b/a\n" + fill("@@ -1 +1 @@\n-a\n+b\n"),
		"subtests":         "=== RUN   TestA\n--- PASS: TestA (0.00s)\n" + fill("# Subtest: a\n    ok 1 - a\n      ---\n"),
		"frames":           fill("  File \"a.py\", line 1, in f\n    x\n"),
		"goroutines":       fill("goroutine 1 [running]:\nmain.f(0x1)\n\t/a/b.go:12 +0x1\n\n"),
		"tests in XML":     "<testsuite>" + fill("<testcase name=\"a\"><failure>"),
		"open sections":    "<testsuite>" + fill("<![CDATA[<testcase"),
		"matches":          fill("a/b.go:12:\treturn nil\nc/d.go:13:\treturn\n"),
		"paths":            fill("a/b/c.go\nd/e/f.go\n"),
		"logs":             fill("2026-11-30T21:54:45Z ERROR a\n2026-11-30T21:54:46Z INFO b\n"),
		"tree":             fill("├── a\n│   ├── b\n"),
		"expectations":     fill("- Expected\n+ Received\n a\n"),
		"assertions":       "=== FAILURES ===\n" + fill("E   assert a\n>   b\na.py:1: \n"),
		"warnings":         fill("a.c:1:2: warning: w [-Wa]\n    1 | a\n"),
		"leads":            fill("In file included from a.h:1,\n                 from b.h:2,\n"),
		"traces":           fill("\tat a.b.C.d(C.java:1)\n\tat java.util.List.of(List.java:2)\nx\n"),
		"status":           "On branch main\n" + fill("\tmodified:   a/b.go\n\tnew file:   c/d.go\n"),
		"commits":          "commit 0123456789012345678901234567890123456789\n" + fill("Author: a\n    b\n"),
	}
}

// TestHostile asks that no text takes more than a time that grows with its size.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const size, most = 1 << 18, 3 * time.Second // 0.1 s are usual, on a machine that is not busy
	for name, text := range hostile(size) {
		for _, kind := range compress.Kinds {
			if kind != compress.Auto && kind != compress.Tests && (len(name)+len(kind))%4 != 0 {
				continue
			}
			start := time.Now()
			result := compress.Compress(text, compress.Options{Kind: kind, MaxCharacters: 4000 * (len(name) % 2)})
			if taken := time.Since(start); taken > most {
				t.Errorf("%s as %s took %v", name, kind, taken)
			}
			if len(result.Text) > len(text) {
				t.Errorf("%s as %s became longer", name, kind)
			}
		}
	}
}

// TestLongerThanLimit asks that of a text that is too long the beginning and the end are looked at.
func TestLongerThanLimit(t *testing.T) {
	text := "the first line\n" + strings.Repeat("a line that says nothing much\n", compress.MaxBytes/25) + "the last line\n"
	result := compress.Compress(text, compress.Options{})
	for _, part := range []string{"the first line\n", "the last line\n", " bytes in the middle\n", " repeats of the line above\n"} {
		if !strings.Contains(result.Text, part) {
			t.Errorf("%q is not in %.300q", part, result.Text)
		}
	}
}

func BenchmarkCompress(b *testing.B) {
	for _, name := range []string{"go-test-json", "go-test-verbose", "pytest-verbose", "make-gcc", "git-diff", "json-api", "log-app", "grep", "maven-test", "ls-long"} {
		b.Run(name, func(b *testing.B) {
			content, err := os.ReadFile(filepath.Join("testdata", "outputs", name+".txt"))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				compress.Compress(string(content), compress.Options{})
			}
		})
	}
}

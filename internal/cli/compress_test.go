package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"quarry/internal/cli"
)

// TestCompressReadsBothEnds asks that of a very long input the first and the last lines are there, and how much is missing.
func TestCompressReadsBothEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 40 MB")
	}
	line := strings.Repeat("a crate of apples, ", 5000) + "\n"
	const times = 420
	var out, talk bytes.Buffer
	streams := streams(&out, &talk)
	streams.In = io.MultiReader(strings.NewReader("the first line\n"), strings.NewReader(strings.Repeat(line, times)), strings.NewReader("main.go:1:1: error: the last line\n"))
	if code := cli.Run(t.Context(), []string{"compress", "--kind", "build"}, streams); code != 0 {
		t.Fatalf("exit code %d, %s", code, talk.String())
	}
	for _, part := range []string{"[shortened build: ", "the first line\n", " bytes in the middle of the input were not read\n", " repeats of the line above\n", "error: the last line\n"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not there", part)
		}
	}
	if out.Len() > 10_000 {
		t.Errorf("%d bytes", out.Len())
	}
}

// TestCompressKnowsPassedTests asks that names of passed tests, which look like passwords behind "PASS:", are known, and that a secret in
// one is redacted all the same.
func TestCompressKnowsPassedTests(t *testing.T) {
	token := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	var run, verdicts strings.Builder
	run.WriteString("=== RUN   TestAll\n")
	for i := range 120 {
		name, verdict := fmt.Sprintf("TestAll/case_%d", 100+i), "PASS"
		if i == 77 {
			name, verdict = "TestAll/"+token, "FAIL"
		}
		fmt.Fprintf(&run, "=== RUN   %s\n", name)
		fmt.Fprintf(&verdicts, "    --- %s: %s (0.00s)\n", verdict, name)
	}
	input := run.String() + "--- FAIL: TestAll (0.00s)\n" + verdicts.String() + "FAIL\nFAIL\tdepot\t0.004s\n"
	for _, text := range []string{input, strings.ReplaceAll(input, "FAIL: TestAll/", "PASS: TestAll/")} {
		var out, talk bytes.Buffer
		streams := streams(&out, &talk)
		streams.In = strings.NewReader(text)
		if code := cli.Run(t.Context(), []string{"compress"}, streams); code != 0 {
			t.Fatalf("exit code %d, %s", code, talk.String())
		}
		if n := strings.Count(out.String(), "\n"); n > 9 || strings.Contains(out.String(), token) {
			t.Errorf("%d lines:\n%s", n, out.String())
		}
	}
}

package cli_test

import (
	"bytes"
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

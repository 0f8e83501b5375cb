package compress_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/internal/compress"
)

// quiet are lines that are left out, around those that a test asks for.
func quiet(format string, count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

// TestFlakyGoTest keeps the failure of a run of a test that passes in the next, or before.
func TestFlakyGoTest(t *testing.T) {
	passed := quiet("=== RUN   TestPress%[1]d\n--- PASS: TestPress%[1]d (0.00s)", 40)
	fails := "=== RUN   TestFlaky\n    flaky_test.go:42: got 3, want 4\n--- FAIL: TestFlaky (0.00s)\n"
	passes := "=== RUN   TestFlaky\n--- PASS: TestFlaky (0.00s)\n"
	crash := "=== RUN   TestFlaky\n    flaky_test.go:43: the last words\n"
	for name, text := range map[string]string{
		"fails, passes": passed + fails + passed + passes + "FAIL\nFAIL\tdepot\t0.004s\n",
		"passes, fails": passed + passes + passed + fails + "FAIL\nFAIL\tdepot\t0.004s\n",
		"fails, crash":  passed + fails + passed + crash + "exit status 3\nFAIL\tdepot\t0.004s\n",
		"passes, crash": passed + passes + passed + crash + "exit status 3\nFAIL\tdepot\t0.004s\n",
	} {
		got := compress.Compress(text, compress.Options{}).Text
		wanted := []string{"FAIL\tdepot"}
		if strings.Contains(text, "42:") {
			wanted = append(wanted, "flaky_test.go:42: got 3, want 4", "--- FAIL: TestFlaky (0.00s)")
		}
		if strings.Contains(text, "43:") {
			wanted = append(wanted, "flaky_test.go:43: the last words", "=== RUN   TestFlaky")
		}
		for _, line := range wanted {
			if !strings.Contains(got, line+"\n") && !strings.Contains(got, line) {
				t.Errorf("%s: lost %q:\n%s", name, line, got)
			}
		}
		if strings.Contains(got, "TestPress") {
			t.Errorf("%s: passed tests stay:\n%s", name, got)
		}
	}
}

// TestGoSubtests asks for few lines of a verbose run with many subtests, and for the name above what the failing one said.
func TestGoSubtests(t *testing.T) {
	var b, verdicts strings.Builder
	b.WriteString("=== RUN   TestAll\n")
	for i := range 120 {
		fmt.Fprintf(&b, "=== RUN   TestAll/case_%d\n", i)
		verdict := "PASS"
		if i == 77 {
			b.WriteString("    all_test.go:7: got 77, want 3\n")
			verdict = "FAIL"
		} else {
			fmt.Fprintf(&b, "    all_test.go:5: weighed %d\n", i)
		}
		fmt.Fprintf(&verdicts, "    --- %s: TestAll/case_%d (0.00s)\n", verdict, i)
	}
	text := b.String() + "--- FAIL: TestAll (0.00s)\n" + verdicts.String() + "FAIL\nFAIL\tdepot\t0.004s\nFAIL\n"
	got := compress.Compress(text, compress.Options{}).Text
	if n := strings.Count(got, "\n"); n > 14 {
		t.Errorf("%d lines:\n%s", n, got)
	}
	if !strings.Contains(got, "=== RUN   TestAll/case_77\n    all_test.go:7: got 77, want 3\n") {
		t.Errorf("no name above the failure:\n%s", got)
	}
}

// TestStepsThatFail keeps a step that went wrong, among those that went well.
func TestStepsThatFail(t *testing.T) {
	good := quiet("Collecting crate%d>=1.2 (from scales->-r requirements.txt (line 3))", 20) + quiet("  Downloading crate-%d.0-py3-none-any.whl (12 kB)", 20) +
		quiet("Setting up crate%d (1.2-3) ...", 20) + quiet("LD crate%d.o", 10)
	for _, line := range []string{
		"Downloading model.bin failed: connection refused", "Collecting foo: no matching distribution, error 404", "Setting up postgres failed: exit status 1",
		"LD vmlinux: undefined symbol main", "   Compiling depot v0.1.0 failed", "Get:7 http://deb.example.org bookworm/main 404 Not Found",
		"npm http fetch GET 500 https://registry.example.org/x 12ms", "go: downloading example.org/x v1.2.3: unexpected EOF", "AR lib.a terminated with signal 9",
		"Downloading model.bin stopped", "Unpacking libscale (1.2) over (1.1) ... ERROR!", "cc -c x.c -o x.o: error: no input", "as root: cannot create c",
	} {
		got := compress.Compress(good+line+"\n"+good, compress.Options{Kind: compress.Build})
		if !strings.Contains(got.Text, line+"\n") {
			t.Errorf("lost: %s", line)
		}
		if got.Dropped < 100 {
			t.Errorf("%d dropped: %s", got.Dropped, got.Text)
		}
	}
}

// TestCarriageReturns keeps errors that a bar of progress wrote over, and reads lines that end in carriage returns alone.
func TestCarriageReturns(t *testing.T) {
	bar := ""
	for i := range 100 {
		if i == 60 {
			bar += "error: disk is full\r"
		}
		bar += fmt.Sprintf("%3d%% done\r", i)
	}
	if got, want := compress.Compress(bar+"\nend\n", compress.Options{}).Text, "error: disk is full\n 99% done\nend\n"; !strings.HasSuffix(got, want) {
		t.Errorf("%q", got)
	}
	words := []string{"the crates", "a shelf", "some scales", "of the press", "in weight", "last orders"}
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "%s of part %d\r", words[i%len(words)], i)
	}
	got := compress.Compress(b.String()+strings.Repeat("still waiting\r", 50)+"crate.c:3: error: x\r", compress.Options{Kind: compress.Build}).Text
	for _, line := range []string{"the crates of part 0\n", "last orders of part 59\n", "crate.c:3: error: x\n", "… 49 repeats"} {
		if !strings.Contains(got, line) {
			t.Errorf("lost %q: %q", line, got)
		}
	}
}

// TestLogStatus tells lines of a log apart by the status in them.
func TestLogStatus(t *testing.T) {
	good := ""
	for i := range 60 {
		good += fmt.Sprintf("2026-11-30T10:%02d:00Z INFO request done path=/pay status=200 in=%dms\n", i, i)
	}
	for _, line := range []string{"request done path=/pay status=503 in=7ms", "request done path=/pay status=404 in=7ms", "worker ended exit_code=3", "job exited with code 1"} {
		text := strings.Replace(good, "2026-11-30T10:30:00Z", "2026-11-30T10:29:30Z INFO "+line+"\n2026-11-30T10:30:00Z", 1)
		got := compress.Compress(text, compress.Options{})
		if !strings.Contains(got.Text, line) || got.Dropped < 50 || got.Kind != compress.Log {
			t.Errorf("lost %s: %+v", line, got)
		}
	}
}

// TestLongLine keeps the place of an error in the middle of a line that is cut.
func TestLongLine(t *testing.T) {
	text := "crates: " + strings.Repeat("plank ", 400) + "error: crate 7 is broken; " + strings.Repeat("board ", 400) + "\n=== RUN   TestA\n--- FAIL: TestA (0.00s)\n"
	if got := compress.Compress(text, compress.Options{Kind: compress.Tests}).Text; !strings.Contains(got, "error: crate 7 is broken") || len(got) > 1500 {
		t.Errorf("%s", got)
	}
}

// TestLongMessage finds the error in a long text of an element, and in members with other names.
func TestLongMessage(t *testing.T) {
	element := `{"id": %d, "state": "done", "message": "fine", "log": "all is well", "lastError": ""},`
	for _, bad := range []string{
		`{"id": 77, "state": "done", "message": "` + strings.Repeat("plank ", 500) + `and the press failed", "log": "all is well", "lastError": ""}`,
		`{"id": 77, "state": "done", "message": "fine", "log": "error: disk 77 is full", "lastError": ""}`,
		`{"id": 77, "state": "done", "message": "fine", "log": "all is well", "lastError": "disk 77 is full"}`,
	} {
		got := compress.Compress("["+quiet(element, 40)+bad+","+strings.TrimSuffix(quiet(element, 40), ",\n")+"]", compress.Options{})
		if !strings.Contains(got.Text, `"id": 77`) || got.Kind != compress.JSON || !strings.Contains(got.Text, "more like these") {
			t.Errorf("lost: %s\n%s", bad[:60], got.Text)
		}
	}
}

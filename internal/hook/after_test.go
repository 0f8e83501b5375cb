package hook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quarry"
	"quarry/internal/hook"
)

// testRun is the output of a test run with one failure in a thousand.
func testRun() string {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "=== RUN   TestBucket%03d\n--- PASS: TestBucket%03d (0.00s)\n", i, i)
	}
	b.WriteString("=== RUN   TestBudget\n    budget_test.go:31: 9 tokens, want 10\n--- FAIL: TestBudget (0.02s)\nFAIL\nFAIL\tgateway\t0.412s\n")
	return b.String()
}

func bash(command string, response any) string {
	payload, err := json.Marshal(map[string]any{
		"session_id": "after", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": map[string]any{"command": command}, "tool_response": response,
	})
	if err != nil {
		panic(err) // a test's own values
	}
	return string(payload)
}

// The output of Claude Code's shell keeps its form, and whatever else is in it.
func TestShorterOutput(t *testing.T) {
	response := map[string]any{"stdout": testRun(), "stderr": "short", "interrupted": false, "isImage": false, "big": json.Number("12345678901234567890"), "noOutputExpected": false}
	outcome, reply := answer(t, options(t), bash("go test ./gateway", response))
	var got map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(reply.HookSpecificOutput.UpdatedToolOutput)))
	decoder.UseNumber()
	if err := decoder.Decode(&got); err != nil {
		t.Fatalf("%v: %q", err, outcome.Steps)
	}
	shorter, isText := got["stdout"].(string)
	if !isText || len(shorter) > len(testRun())/4 || !strings.Contains(shorter, "budget_test.go:31: 9 tokens, want 10") || !strings.Contains(shorter, "TestBudget") {
		t.Errorf("%q", got["stdout"])
	}
	for name, value := range response {
		if name != "stdout" && fmt.Sprint(got[name]) != fmt.Sprint(value) {
			t.Errorf("%s: %v, want %v", name, got[name], value)
		}
	}
	if len(got) != len(response) || reply.HookSpecificOutput.HookEventName != "PostToolUse" || outcome.Record.Decision != hook.Compressed || outcome.Record.Tokens < 1000 {
		t.Errorf("%v, %+v", len(got), outcome.Record)
	}
	// What was shortened is not shortened again.
	response["stdout"] = shorter
	if outcome, _ := answer(t, options(t), bash("go test ./gateway", response)); outcome.Reply != nil {
		t.Errorf("again: %s", outcome.Reply)
	}
}

// What is not to be shortened, or cannot be replaced, stays as it is.
func TestOutputStays(t *testing.T) {
	long := map[string]any{"stdout": testRun(), "stderr": "", "interrupted": false, "isImage": false}
	with := func(name string, value any) map[string]any {
		all := map[string]any{name: value}
		for key, old := range long {
			if key != name {
				all[key] = old
			}
		}
		return all
	}
	read := strings.Replace(bash("x", long), `"Bash"`, `"Read"`, 1)
	own := strings.Replace(bash("x", long), `"Bash"`, `"mcp__notes__obsidian_search"`, 1)
	for _, test := range []struct{ name, payload, reason string }{
		{"short", bash("go test ./gateway", with("stdout", "ok")), "nothing to shorten"},
		{"a picture", bash("plot", with("isImage", true)), "a picture"},
		{"in a file", bash("go test ./gateway", with("persistedOutputPath", "/tmp/x")), "the client has put it into a file"},
		{"a text", bash("go test ./gateway", testRun()), "an output of another form"},
		{"a list", bash("go test ./gateway", []string{testRun()}), "an output of another form"},
		{"no output", bash("go test ./gateway", nil), "an output of another form"},
		{"a number", bash("go test ./gateway", with("stdout", 7)), "an output of another form"},
		{"a file", bash("cat gateway/test.log", long), "a file was read"},
		{"a part of a file", bash("cd gateway && sed -n 1,900p test.log", long), "a file was read"},
		{"quarry's own", bash("quarry --vault ~/notes search -n 100 budget", long), "an output of quarry's own"},
		{"quarry's own, by its path", bash("cd x && /usr/bin/quarry get a.md", long), "an output of quarry's own"},
		{"quarry's own tool", own, "an output of quarry's own"},
		{"a tool that reads", read, "a file was read"},
		{"Codex", strings.Replace(bash("go test ./gateway", long), `"session_id"`, `"turn_id":"t","session_id"`, 1), "the client keeps outputs as they are"},
	} {
		outcome, _ := answer(t, options(t), test.payload)
		if outcome.Reply != nil || outcome.Record.Reason != test.reason {
			t.Errorf("%s: %q, want %q: %.200s", test.name, outcome.Record.Reason, test.reason, outcome.Reply)
		}
	}
	off := options(t)
	off.Settings.Compress = false
	if outcome, _ := answer(t, off, bash("go test ./gateway", long)); outcome.Reply != nil {
		t.Error("it is switched off")
	}
}

// Outputs are kept where that is asked for: once, without secrets, and only what is worth it.
func TestCapture(t *testing.T) {
	dir := t.TempDir()
	config := quarry.Config{VaultDir: filepath.Join(dir, "vault"), DatabasePath: filepath.Join(dir, "index.db"), Audience: quarry.Client}
	if err := write(config.VaultDir, "a.md", "# A\n\nkiln\n"); err != nil {
		t.Fatal(err)
	}
	engine, err := quarry.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	call := options(t)
	call.Open = func(ctx context.Context) (*quarry.Engine, error) { return quarry.Open(ctx, config) }
	token := "ghp_" + "FbY8NwcUeb4c0wrUGZECjUYrZUPet91VOUZ4"
	output := map[string]any{"stdout": "Deployed the gateway to three zones.\n" + strings.Repeat("zone eu-1: retry budget raised to ten per cent\n", 3) + strings.Repeat("The bucket of the upstream holds ten tokens now. ", 12) + "\ntoken " + token, "stderr": ""}
	kept := func() []string {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(config.VaultDir, "00-inbox", "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	answer(t, call, bash("deploy gateway", output))
	if files := kept(); len(files) != 0 {
		t.Fatalf("kept without being asked: %v", files)
	}
	call.Settings.Capture = true
	for _, payload := range []string{
		bash("cat notes.txt", output), bash("quarry search x", output), bash("deploy gateway", map[string]any{"stdout": "short"}), bash("deploy gateway", 7),
		strings.Replace(bash("x", output), `"Bash"`, `"Read"`, 1), strings.Replace(bash("x", output), `"Bash"`, `"Edit"`, 1),
	} {
		answer(t, call, payload)
	}
	if files := kept(); len(files) != 0 {
		t.Fatalf("kept what is not worth it: %v", files)
	}
	for range 2 {
		if outcome, _ := answer(t, call, bash("deploy gateway", output)); outcome.Reply != nil {
			t.Errorf("a reply: %s", outcome.Reply)
		}
	}
	files := kept()
	if len(files) != 1 {
		t.Fatalf("%v", files)
	}
	content, err := os.ReadFile(files[0])
	if err != nil || strings.Contains(string(content), token) || !strings.Contains(string(content), "[REDACTED:") || !strings.Contains(string(content), "retry budget raised") {
		t.Errorf("%v: %s", err, content)
	}
}

// A shorter output is handed out in time, though the output is still being kept then.
func TestShorterOutputBeforeKeptOne(t *testing.T) {
	call := options(t)
	call.Settings.Capture, call.Settings.Deadline = true, 300*time.Millisecond
	opened, done := make(chan struct{}), make(chan struct{})
	call.Open = func(context.Context) (*quarry.Engine, error) {
		close(opened)
		<-done
		return nil, os.ErrNotExist
	}
	outcome, reply := answer(t, call, bash("go test ./gateway", map[string]any{"stdout": testRun(), "stderr": ""}))
	close(done)
	if !strings.Contains(string(reply.HookSpecificOutput.UpdatedToolOutput), "9 tokens, want 10") || outcome.Record.Decision != hook.Compressed || outcome.Record.Captured {
		t.Errorf("%+v, %q", outcome.Record, outcome.Steps)
	}
	select {
	case <-opened:
	default:
		t.Error("nothing was being kept")
	}
}

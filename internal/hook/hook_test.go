package hook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"quarry"
	"quarry/internal/hook"
)

const asked = "How does the retry budget of the gateway withdraw tokens for an upstream?"

// The payloads of each client, as it sends them.
func TestPayloads(t *testing.T) {
	claude := `"transcript_path":"/srv/u/.claude/projects/p/s.jsonl","cwd":"/p","permission_mode":"default",`
	codex := `"transcript_path":"/srv/u/.codex/sessions/rollout-1.jsonl","cwd":"/p","model":"m","permission_mode":"default","turn_id":"t",`
	gemini := `"transcript_path":"/srv/u/.gemini/tmp/s.json","cwd":"/p","timestamp":"2026-11-01T10:00:00.000Z",`
	edit := `"tool_input":{"file_path":"/p/gateway/retry_budget.go","old_string":"a","new_string":"// a retry withdraws a token from the bucket of its upstream\nbudget.withdraw(upstream)"}`
	for _, test := range []struct {
		name, payload string
		client        hook.Client
		event         string // in the reply; "" where none is wanted
		reason        string
	}{
		{"Claude Code, prompt", `{` + claude + `"hook_event_name":"UserPromptSubmit","prompt":"` + asked + `"}`, hook.ClaudeCode, "UserPromptSubmit", ""},
		{"Claude Code, edit", `{` + claude + `"hook_event_name":"PreToolUse","tool_name":"Edit","tool_use_id":"x",` + edit + `}`, hook.ClaudeCode, "PreToolUse", ""},
		{"Claude Code, several edits", `{` + claude + `"hook_event_name":"PreToolUse","tool_name":"MultiEdit","tool_input":{"file_path":"/p/gateway/retry_budget.go","edits":[{"old_string":"","new_string":"// a retry withdraws a token of its upstream"}]}}`, hook.ClaudeCode, "PreToolUse", ""},
		{"Claude Code, command", `{` + claude + `"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"gateway withdraw --retry-budget --tokens 3 --upstream x","description":"x"}}`, hook.ClaudeCode, "PreToolUse", ""},
		{"Claude Code, read", `{` + claude + `"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"/p/gateway/retry_budget.go"}}`, hook.ClaudeCode, "", "not a tool that context is given for"},
		{"Claude Code, search", `{` + claude + `"hook_event_name":"PreToolUse","tool_name":"Grep","tool_input":{"pattern":"retry budget gateway"}}`, hook.ClaudeCode, "", "not a tool that context is given for"},
		{"Claude Code, start", `{` + claude + `"hook_event_name":"SessionStart","source":"startup"}`, hook.ClaudeCode, "", ""},
		{"Claude Code, other event", `{` + claude + `"hook_event_name":"Stop"}`, hook.ClaudeCode, "", "nobody says which event it is"},
		{"Codex, prompt", `{` + codex + `"hook_event_name":"UserPromptSubmit","prompt":"` + asked + `"}`, hook.Codex, "UserPromptSubmit", ""},
		{"Codex, patch", `{` + codex + `"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_use_id":"x","tool_input":{"command":"*** Begin Patch\n*** Update File: gateway/retry_budget.go\n@@\n+// a retry withdraws a token of its upstream\n*** End Patch"}}`, hook.Codex, "PreToolUse", ""},
		{"Codex, no transcript", `{"session_id":"s1","transcript_path":null,"cwd":"/p","hook_event_name":"SessionStart","model":"m","permission_mode":"default","source":"resume"}`, hook.Codex, "", ""},
		{"Codex, output", `{` + codex + `"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"x y"},"tool_response":"ok"}`, hook.Codex, "", "the client keeps outputs as they are"},
		{"Gemini, prompt", `{` + gemini + `"hook_event_name":"BeforeAgent","prompt":"` + asked + `"}`, hook.Gemini, "BeforeAgent", ""},
		{"Gemini, before a tool", `{` + gemini + `"hook_event_name":"BeforeTool","tool_name":"replace",` + edit + `}`, hook.Gemini, "", "the client takes no context here; it is given after the tool"},
		{"Gemini, after a tool", `{` + gemini + `"hook_event_name":"AfterTool","tool_name":"replace",` + edit + `,"tool_response":{"llmContent":"done","returnDisplay":"done"}}`, hook.Gemini, "AfterTool", ""},
		{"Gemini, read", `{` + gemini + `"hook_event_name":"AfterTool","tool_name":"read_file",` + edit + `,"tool_response":{"llmContent":"x"}}`, hook.Gemini, "", "a file was read"},
		{"Gemini, start", `{` + gemini + `"hook_event_name":"SessionStart","source":"startup"}`, hook.Gemini, "", ""},
		{"no more than has to be", `{"hook_event_name":"UserPromptSubmit","prompt":"` + asked + `"}`, hook.ClaudeCode, "UserPromptSubmit", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			outcome, reply := answer(t, options(t), test.payload)
			if got := reply.HookSpecificOutput.HookEventName; got != test.event || outcome.Record.Client != string(test.client) {
				t.Errorf("a reply to %q of %s, want %q of %s: %q", got, outcome.Record.Client, test.event, test.client, outcome.Steps)
			}
			if test.reason != "" && outcome.Record.Reason != test.reason {
				t.Errorf("reason %q, want %q", outcome.Record.Reason, test.reason)
			}
			text := reply.HookSpecificOutput.AdditionalContext
			if test.event != "" && !strings.Contains(text, "Source: gateway/Retry budget.md:") {
				t.Errorf("no source in %q", text)
			}
			if !regexp.MustCompile(`^$|(?m)^Source: .+:\d+-\d+$`).MatchString(text) {
				t.Errorf("no lines in %q", text)
			}
		})
	}
}

// What is wrong with a payload is answered by silence.
func TestTrouble(t *testing.T) {
	var wide []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + `{"prompt":"` + asked + `"}`)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	good := `{"hook_event_name":"UserPromptSubmit","prompt":"` + asked + `"}`
	for _, test := range []struct {
		name    string
		payload []byte
		replies bool
	}{
		{"byte order mark", []byte("\ufeff" + good), true},
		{"nothing", nil, false},
		{"blanks", []byte(" \n"), false},
		{"garbage", []byte("\x00\x01{]"), false},
		{"cut off", []byte(good[:len(good)-2]), false},
		{"two documents", []byte(good + good), false},
		{"a list", []byte("[" + good + "]"), false},
		{"null", []byte("null"), false},
		{"a text", []byte(`"x"`), false},
		{"UTF-16", wide, false},
		{"Latin-1", []byte("{\"prompt\":\"r\xe9try budget gateway\"}"), false},
		{"too long", slices.Concat([]byte(`{"prompt":"`), []byte(strings.Repeat("retry budget gateway ", 1<<20)), []byte(`"}`)), false},
		{"deep", []byte(strings.Repeat(`{"prompt":`, 100_000)), false},
		{"other kinds", []byte(`{"prompt":{"a":1},"session_id":7,"cwd":[],"tool_name":null,"tool_input":3}`), false},
		{"NUL in a prompt", []byte(`{"prompt":"\u0000\ud800 ` + asked + `"}`), true},
		{"operators in a prompt", []byte(`{"prompt":"` + asked + `\" (( tag: -gateway OR"}`), true},
		{"ten megabytes of one word", []byte(`{"prompt":"` + strings.Repeat("budget", 1<<20) + `"}`), false},
		{"ten megabytes of lines", []byte(`{"prompt":"` + strings.Repeat(`2026-01-01 00:00:00 INFO x\n`, 300_000) + `"}`), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			call := options(t)
			call.Event = hook.Prompt
			started := time.Now()
			outcome, reply := answer(t, call, string(test.payload))
			if got := reply.HookSpecificOutput.AdditionalContext != ""; got != test.replies {
				t.Errorf("replies: %v; %q", got, outcome.Steps)
			}
			if took := time.Since(started); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
	call := options(t)
	call.Event = hook.BeforeTool
	if outcome, _ := answer(t, call, good); outcome.Record.Reason != "the payload is of another event" || outcome.Reply != nil {
		t.Errorf("another event: %+v", outcome.Record)
	}
	call.IsActive = true
	if outcome, _ := answer(t, call, good); outcome.Record.Reason != "within a hook" || outcome.Reply != nil {
		t.Errorf("within a hook: %+v", outcome.Record)
	}
}

// Without an index, or without a vault, nothing is given and nothing is made.
func TestNoIndex(t *testing.T) {
	call := options(t)
	dir := t.TempDir()
	for _, config := range []quarry.Config{{VaultDir: dir, DatabasePath: filepath.Join(dir, "index.db")}, {VaultDir: filepath.Join(dir, "none"), DatabasePath: filepath.Join(dir, "index.db")}} {
		call.Open = func(ctx context.Context) (*quarry.Engine, error) { return quarry.Open(ctx, config) }
		for _, payload := range []string{`{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"` + asked + `"}`, `{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}`} {
			if outcome, _ := answer(t, call, payload); outcome.Reply != nil {
				t.Errorf("a reply: %s", outcome.Reply)
			}
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// Notes about nothing that any work has are not given for what is said in any work, and what clients may not see is given for nothing.
func TestNothingToSay(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("testdata", "prompts.txt"))
	if err != nil {
		t.Fatal(err)
	}
	prompts := strings.Split(strings.TrimSpace(string(content)), "\n")
	if len(prompts) < 60 {
		t.Fatalf("%d prompts", len(prompts))
	}
	prompts = append(prompts, "What is the salary band of a staff gardener, secretband seven?", "Which sonata did the violinist of the embassy practise in Lisbon?")
	for _, prompt := range prompts {
		payload, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "prompt": prompt})
		if err != nil {
			t.Fatal(err)
		}
		outcome, _ := answer(t, options(t), string(payload))
		if outcome.Reply != nil || strings.Contains(strings.Join(outcome.Steps, "\n"), "Salaries") {
			t.Errorf("%q was given %s: %q", prompt, outcome.Text, outcome.Steps)
		}
	}
}

func prompt(session, text string) string {
	return fmt.Sprintf(`{"session_id":%q,"hook_event_name":"UserPromptSubmit","prompt":%q}`, session, text)
}

// A session gets no passage twice, other sessions and agents do, and one that has lost its context does again.
func TestSessionMemory(t *testing.T) {
	call := options(t)
	for _, step := range []struct {
		name, payload string
		isGiven       bool
	}{
		{"first", prompt("m1", asked), true},
		{"again", prompt("m1", asked), false},
		{"another session", prompt("m2", asked), true},
		{"another agent", `{"session_id":"m1","agent_id":"a","hook_event_name":"UserPromptSubmit","prompt":"` + asked + `"}`, true},
		{"resumed", `{"session_id":"m1","hook_event_name":"SessionStart","source":"resume"}`, false},
		{"again after that", prompt("m1", asked), false},
		{"compacted", `{"session_id":"m1","hook_event_name":"SessionStart","source":"compact"}`, false},
		{"anew", prompt("m1", asked), true},
		{"without a session", prompt("", asked), true},
		{"and again", prompt("", asked), true},
		{"a name that leads elsewhere", prompt("../../../x", asked), true},
	} {
		outcome, reply := answer(t, call, step.payload)
		if got := reply.HookSpecificOutput.AdditionalContext != ""; got != step.isGiven {
			t.Errorf("%s: given: %v; %q", step.name, got, outcome.Steps)
		}
	}
	dry := call
	dry.DryRun = true
	for range 2 {
		if outcome, _ := answer(t, dry, prompt("m3", asked)); outcome.Reply == nil {
			t.Errorf("a dry run remembers: %q", outcome.Steps)
		}
	}
}

// What is remembered is hashes alone, for the user alone.
func TestWhatIsKept(t *testing.T) {
	call := options(t)
	answer(t, call, prompt("kept", asked))
	config, err := vault()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(config.DatabasePath+".state", "sessions")
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		info, infoErr := entry.Info()
		if err != nil || infoErr != nil {
			t.Fatal(err, infoErr)
		}
		if os.PathSeparator == '/' && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", entry.Name(), info.Mode())
		}
		if !regexp.MustCompile(`^[0-9a-f]{24}\.json$`).MatchString(entry.Name()) || !regexp.MustCompile(`^\{"given":\["[0-9a-f]{16}"(,"[0-9a-f]{16}")*\]\}$`).Match(content) {
			t.Errorf("%s: %s", entry.Name(), content)
		}
	}
}

// Of calls at the same time each passage is one's.
func TestOneSessionAtOnce(t *testing.T) {
	call := options(t)
	var mu sync.Mutex
	given := map[string]int{}
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			outcome := hook.Answer(t.Context(), []byte(prompt("at once", asked)), call)
			mu.Lock()
			defer mu.Unlock()
			for _, source := range regexp.MustCompile(`(?m)^Source: .*$`).FindAllString(outcome.Text, -1) {
				given[source]++
			}
		})
	}
	wait.Wait()
	if len(given) == 0 {
		t.Error("nothing was given")
	}
	for source, count := range given {
		if count != 1 {
			t.Errorf("%s was given %d times", source, count)
		}
	}
}

// A long passage is cut, the whole keeps to its budget, and what notes say stays within its marks.
func TestFormOfContext(t *testing.T) {
	call := options(t)
	for _, tokens := range []int{150, 300, 1500} {
		call.Settings.MaxTokens = tokens
		_, reply := answer(t, call, prompt("", asked))
		text := reply.HookSpecificOutput.AdditionalContext
		if n := (len([]rune(text)) + 3) / 4; n > tokens || text == "" {
			t.Errorf("%d of %d tokens: %q", n, tokens, text)
		}
		if !strings.Contains(text, "…") || !strings.Contains(text, "material, not instructions") || !strings.Contains(text, "Retry budget > Withdrawals") {
			t.Errorf("%d tokens: %q", tokens, text)
		}
	}
	_, reply := answer(t, options(t), prompt("", "how is the marmalade thermometer read, at which degrees"))
	text := reply.HookSpecificOutput.AdditionalContext
	if !strings.Contains(text, "\n~~~~~\n") || strings.Count(text, "\n~~~~~\n") != 2 {
		t.Errorf("a note ends its own quotation: %q", text)
	}
}

// One word that is said of a matter is enough where it names one note; a word of many titles names none.
func TestNoteIsNamed(t *testing.T) {
	for _, test := range []struct{ prompt, want string }{
		{"please fix the breaker", "gateway/Circuit breaker.md"},
		{"what did we decide about the replica lag?", "databases/Replica lag.md"},
		{"please fix the weaving", ""},   // six notes are called so
		{"please fix the PgBouncer", ""}, // a note speaks of it, and has another name
		{"show the salaries", ""},
	} {
		outcome, _ := answer(t, options(t), prompt("", test.prompt))
		if got := regexp.MustCompile(`Source: (.+):`).FindStringSubmatch(outcome.Text); test.want == "" && got != nil || test.want != "" && (got == nil || got[1] != test.want) {
			t.Errorf("%s: %q", test.prompt, outcome.Steps)
		}
	}
}

// What did not reach the client was not given, and what another call gives meanwhile is left out.
func TestWithdraw(t *testing.T) {
	call := options(t)
	first, _ := answer(t, call, prompt("withdrawn", asked))
	if second, _ := answer(t, call, prompt("withdrawn", asked)); first.Reply == nil || second.Reply != nil {
		t.Fatalf("%q, %q", first.Steps, second.Steps)
	}
	first.Withdraw()
	if again, _ := answer(t, call, prompt("withdrawn", asked)); again.Text != first.Text {
		t.Errorf("%q", again.Steps)
	}
	(hook.Outcome{}).Withdraw()
}

// A late answer claims nothing.
func TestLateAnswerIsNotGiven(t *testing.T) {
	call := options(t)
	open, done := call.Open, make(chan struct{})
	call.Settings.Deadline = 20 * time.Millisecond
	call.Open = func(context.Context) (*quarry.Engine, error) {
		defer close(done)
		time.Sleep(100 * time.Millisecond)
		return open(context.WithoutCancel(t.Context()))
	}
	if outcome, _ := answer(t, call, prompt("too late", asked)); outcome.Reply != nil {
		t.Fatalf("%+v", outcome.Record)
	}
	<-done
	time.Sleep(100 * time.Millisecond) // what goes on behind it
	if outcome, _ := answer(t, options(t), prompt("too late", asked)); outcome.Reply == nil {
		t.Errorf("%q", outcome.Steps)
	}
}

// Archived notes are left out, as in a search.
func TestArchivedIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	config := quarry.Config{VaultDir: filepath.Join(dir, "vault"), DatabasePath: filepath.Join(dir, "index.db")}
	text := "# Quince ladder\n\nThe quince ladder leans on the northern wall of the orchard and is oiled each October.\n"
	faults := []error{write(config.VaultDir, "new.md", text), write(config.VaultDir, "old.md", "---\nstatus: archived\n---\n"+strings.ReplaceAll(text, "quince", "medlar"))}
	for i := range 40 {
		faults = append(faults, write(config.VaultDir, fmt.Sprintf("%d.md", i), fmt.Sprintf("# Shed %d\n\nShed number %d holds pots.\n", i, i)))
	}
	engine, err := quarry.Open(t.Context(), config)
	if err = errors.Join(append(faults, err)...); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil || engine.Close() != nil {
		t.Fatal(err)
	}
	call := options(t)
	config.Audience = quarry.Client
	call.Open = func(ctx context.Context) (*quarry.Engine, error) { return quarry.Open(ctx, config) }
	for question, isGiven := range map[string]bool{"where does the quince ladder of the orchard lean": true, "where does the medlar ladder lean": false} {
		outcome, _ := answer(t, call, prompt("", question))
		if strings.Contains(outcome.Text+strings.Join(outcome.Steps, ""), "old.md") || isGiven && outcome.Reply == nil {
			t.Errorf("%s: %q", question, outcome.Steps)
		}
	}
}

// A session start has time of its own.
func TestSessionDeadline(t *testing.T) {
	if s := hook.DefaultSettings(); s.SessionDeadline != hook.DefaultSessionDeadline || s.Deadline != hook.DefaultDeadline || s.SessionDeadline <= s.Deadline {
		t.Errorf("%v, %v", s.Deadline, s.SessionDeadline)
	}
	config, err := vault()
	if err != nil {
		t.Fatal(err)
	}
	config.Blocks = []quarry.BlockConfig{{Name: "gateway", Query: "retry budget of the gateway"}}
	call := options(t)
	call.Settings.Deadline, call.Settings.SessionDeadline = 20*time.Millisecond, 10*time.Second
	call.Open = func(ctx context.Context) (*quarry.Engine, error) {
		time.Sleep(60 * time.Millisecond)
		return quarry.Open(ctx, config)
	}
	for payload, isGiven := range map[string]bool{`{"session_id":"slow","hook_event_name":"SessionStart","source":"startup"}`: true, prompt("slow", asked): false} {
		if outcome, _ := answer(t, call, payload); (outcome.Reply != nil) != isGiven {
			t.Errorf("%s: %q", payload, outcome.Steps)
		}
	}
}

// The time that is set is kept.
func TestDeadline(t *testing.T) {
	call := options(t)
	call.Settings.Deadline = 30 * time.Millisecond
	call.Open = func(context.Context) (*quarry.Engine, error) {
		time.Sleep(2 * time.Second)
		return nil, os.ErrNotExist
	}
	started := time.Now()
	outcome, _ := answer(t, call, prompt("late", asked))
	if took := time.Since(started); took > time.Second || outcome.Reply != nil || outcome.Record.Reason != "too late" {
		t.Errorf("%v, %+v", took, outcome.Record)
	}
}

// A record tells nothing of what was asked or found.
func TestRecordsTellNothing(t *testing.T) {
	for _, payload := range []string{
		prompt("r", asked), `{"hook_event_name":"PreToolUse","tool_name":"retry_budget_tool","tool_input":{}}`, `{"hook_event_name":"PreToolUse","tool_name":"mcp__gateway__x","tool_input":{}}`,
		`{"hook_event_name":"gateway","prompt":"budget"}`, `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"gateway/retry_budget.md","content":"budget"}}`,
	} {
		outcome, _ := answer(t, options(t), payload)
		line, err := json.Marshal(outcome.Record)
		if err != nil || strings.Contains(strings.ToLower(string(line)), "budget") || strings.Contains(string(line), "gateway") {
			t.Errorf("%s: %s", payload, line)
		}
	}
}

// A session begins with its blocks, which one that is resumed has already.
func TestSessionBlocks(t *testing.T) {
	config, err := vault()
	if err != nil {
		t.Fatal(err)
	}
	config.Blocks = []quarry.BlockConfig{{Name: "gateway", Query: "retry budget of the gateway"}}
	call := options(t)
	call.Open = func(ctx context.Context) (*quarry.Engine, error) { return quarry.Open(ctx, config) }
	for _, step := range []struct {
		source  string
		isGiven bool
	}{{"startup", true}, {"resume", false}, {"compact", true}, {"clear", true}, {"resume", false}, {"startup", true}} {
		outcome, reply := answer(t, call, `{"session_id":"blocks","hook_event_name":"SessionStart","source":"`+step.source+`"}`)
		text := reply.HookSpecificOutput.AdditionalContext
		if (text != "") != step.isGiven || step.isGiven && !strings.Contains(text, "gateway/Retry budget.md") {
			t.Errorf("%s: %q, %q", step.source, text, outcome.Steps)
		}
	}
	call.Settings.Session = false // a session that is compacted is given passages anew all the same
	for range 2 {
		if outcome, _ := answer(t, call, prompt("off", asked)); outcome.Reply == nil {
			t.Errorf("%q", outcome.Steps)
		}
		if outcome, _ := answer(t, call, `{"session_id":"off","hook_event_name":"SessionStart","source":"compact"}`); outcome.Reply != nil || outcome.Record.Reason != "switched off" {
			t.Errorf("it is switched off: %q", outcome.Steps)
		}
	}
}

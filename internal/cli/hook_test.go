package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"quarry/internal/cli"
)

// hookHome is a vault of a hundred notes, with its index.
func hookHome(t *testing.T) *home {
	t.Helper()
	h := newHome(t)
	h.put("gateway/Retry budget.md", "# Retry budget\n\nThe gateway spends a retry budget of ten per cent; a retry withdraws one token from the bucket of its upstream.\n")
	h.put("private/Pay.md", "---\nsensitivity: private\n---\n# Retry budget of the pay roll\n\nThe retry budget of the pay roll gateway withdraws secretband tokens of its upstream.\n")
	words := strings.Fields("kiln loom chisel hive spine anvil graft hide mash plate glaze gouge vat needle net stone wheel warp mortise comb thread hammer scion")
	for i := range 100 {
		h.put(fmt.Sprintf("crafts/%d.md", i), fmt.Sprintf("# %s %d\n\nThe %s stands by the %s and wants oil.\n", words[i%len(words)], i, words[(i*7+3)%len(words)], words[(i*5+1)%len(words)]))
	}
	if code, _, talk := h.run("", "index", "--quiet"); code != 0 {
		t.Fatal(talk)
	}
	return h
}

const hookPrompt = `{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"How does the retry budget of the gateway withdraw tokens of an upstream?"}`

// Whatever is wrong, a hook says nothing and is no error, and all that it says is one document.
func TestHookNeverFails(t *testing.T) {
	h := hookHome(t)
	broken := filepath.Join(h.places, "broken.toml")
	h.put(broken, "[hooks]\nnonsense = 1\n")
	for _, test := range []struct {
		name, input string
		arguments   []string
		says        bool
	}{
		{"a prompt", hookPrompt, []string{"UserPromptSubmit"}, true},
		{"of a client", strings.Replace(hookPrompt, `"s"`, `"s2"`, 1), []string{"UserPromptSubmit", "--client", "codex"}, true},
		{"of an unknown client", strings.Replace(hookPrompt, `"s"`, `"s3"`, 1), []string{"prompt", "--client", "nobody"}, true},
		{"without an event", strings.Replace(hookPrompt, `"s"`, `"s4"`, 1), nil, true},
		{"with an unknown flag", strings.Replace(hookPrompt, `"s"`, `"s5"`, 1), []string{"prompt", "--nonsense"}, true},
		{"a flag without its value", hookPrompt, []string{"prompt", "--client"}, false},
		{"an unknown event", hookPrompt, []string{"Stop"}, false},
		{"too many words", hookPrompt, []string{"prompt", "x"}, false},
		{"another event", hookPrompt, []string{"PreToolUse"}, false},
		{"no input", "", []string{"prompt"}, false},
		{"garbage", "\xff\xfe{", []string{"prompt"}, false},
		{"a broken configuration", hookPrompt, []string{"prompt", "--config", broken}, false},
		{"no configuration", hookPrompt, []string{"prompt", "--config", filepath.Join(h.places, "none.toml")}, false},
		{"no vault", hookPrompt, []string{"prompt", "--vault", filepath.Join(h.places, "none")}, false},
		{"a wrong level", hookPrompt, []string{"prompt", "--log-level", "loud"}, false},
		{"a wrong audience", hookPrompt, []string{"prompt", "--audience", "nobody"}, false},
		{"the owner is no client", strings.Replace(hookPrompt, `"s"`, `"s6"`, 1), []string{"prompt", "--audience", "owner"}, true},
	} {
		flags := []string{"--vault", h.vault, "--config", h.config, "hook", "run"}
		code, out, talk := h.runPlain(test.input, append(flags, test.arguments...)...)
		if code != 0 || talk != "" {
			t.Errorf("%s: exit code %d, %q", test.name, code, talk)
		}
		if isJSON := json.Valid([]byte(out)); (out != "") != test.says || out != "" && !isJSON || strings.Contains(out, "secretband") || strings.Contains(out, "Pay") {
			t.Errorf("%s: %q", test.name, out)
		}
	}
}

// A command line that cannot be read blocks no client, and what is no hook is told its mistakes.
func TestHookCommandLine(t *testing.T) {
	h := hookHome(t)
	for _, test := range []struct {
		line string
		code int
	}{
		{"--nonsense hook run", 0},
		{"--nonsense hook run prompt --client", 0},
		{"--nonsense value hook run prompt", 0},
		{"--nonsense=value hook --other run prompt", 0},
		{"-x hook run prompt", 0},
		{"--log-level hook run prompt", 2}, // a level, then a command that is none
		{"--vault hook hook run prompt --log-level", 0},
		{"hook --json=perhaps run prompt", 0},
		{"hook run prompt --quiet=perhaps", 0},
		{"hook explain --nonsense", 2},
		{"search --nonsense hook run", 2},
		{"--nonsense hook search x", 2},
		{"hook", 0},
	} {
		code, out, talk := h.runPlain(hookPrompt, strings.Fields(test.line)...)
		if code != test.code || strings.Contains(test.line, " run") && code == 0 && out+talk != "" && !json.Valid([]byte(out)) {
			t.Errorf("%s: exit code %d, %q, %q", test.line, code, out, talk)
		}
	}
	if code, out, _ := h.runPlain("", "hook", "run", "--help"); code != 0 || !strings.Contains(out, "Usage:") {
		t.Errorf("help: exit code %d, %s", code, out)
	}
}

// full is an output without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// What cannot be written, or is not taken, is silence, and is given another time.
func TestHookWithoutRoom(t *testing.T) {
	h := hookHome(t)
	nobody, notTaken := io.Pipe()
	defer nobody.Close()
	arguments := []string{"hook", "run", "prompt", "--vault", h.vault, "--config", h.config, "--db", filepath.Join(h.places, "index.db")}
	for _, out := range []io.Writer{full{}, notTaken, &bytes.Buffer{}} {
		var talk bytes.Buffer
		began := time.Now()
		code := cli.Run(t.Context(), arguments, cli.IO{In: strings.NewReader(hookPrompt), Out: out, Err: &talk, WorkDir: h.places, Env: func(name string) string { return h.environment[name] }})
		if took := time.Since(began); code != 0 || talk.Len() > 0 || took > 10*time.Second {
			t.Errorf("exit code %d, %q, %v", code, talk.String(), took)
		}
		if b, ok := out.(*bytes.Buffer); ok && !strings.Contains(b.String(), "Retry budget") {
			t.Errorf("what was not written counts as given: %q", b.String())
		}
	}
}

// A hook whose input has no end, or that is told to end, does.
func TestHookWithoutInput(t *testing.T) {
	h := hookHome(t)
	in, feed := io.Pipe()
	defer feed.Close()
	for name, wait := range map[string]time.Duration{"no end": time.Hour, "told to end": 50 * time.Millisecond} {
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(wait, interrupt)
		var out, talk bytes.Buffer
		began := time.Now()
		code := cli.Run(ctx, []string{"hook", "run", "prompt", "--vault", h.vault, "--config", h.config}, cli.IO{In: in, Out: &out, Err: &talk, WorkDir: h.places, Env: func(name string) string { return h.environment[name] }})
		if took := time.Since(began); code != 0 || out.Len()+talk.Len() > 0 || took > 10*time.Second || wait < time.Second && took > 1500*time.Millisecond {
			t.Errorf("%s: exit code %d after %v, %q, %q", name, code, took, out.String(), talk.String())
		}
		interrupt()
	}
}

// The log tells what was decided, and nothing of what was said.
func TestHookLog(t *testing.T) {
	h := hookHome(t)
	if code, _, talk := h.run("", "hook", "log"); code != 1 || !strings.Contains(talk, "there is no log of hooks") {
		t.Errorf("exit code %d, %s", code, talk)
	}
	h.put(h.config, "[hooks]\nlog = true\nmax_tokens = 300\n")
	for _, input := range []string{hookPrompt, hookPrompt, "{", `{"hook_event_name":"UserPromptSubmit","prompt":"yes, retry"}`} {
		if code, _, talk := h.run(input, "hook", "run", "prompt"); code != 0 || talk != "" {
			t.Fatalf("exit code %d, %s", code, talk)
		}
	}
	code, out, talk := h.run("", "hook", "log", "--json")
	var records []struct {
		Decision, Reason string
		Tokens           int
	}
	if err := json.Unmarshal([]byte(out), &records); err != nil || code != 0 {
		t.Fatalf("%v, %d, %s%s", err, code, out, talk)
	}
	var got []string
	for _, r := range records {
		got = append(got, r.Decision+" "+r.Reason)
	}
	if want := []string{"context ", "silent the session has it already", "silent the payload is no JSON object", "silent the prompt names no matter"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if n := records[0].Tokens; n < 50 || n > 300 || strings.Contains(out, "udget") {
		t.Errorf("%d tokens: %s", n, out)
	}
	if code, out, _ := h.run("", "hook", "log", "-n", "1"); code != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "names no matter") {
		t.Errorf("%d, %q", code, out)
	}
	h.environment["QUARRY_HOOK_LOG"] = filepath.Join(h.places, "logs", "own.jsonl")
	h.run("{", "hook", "run", "prompt")
	if content, err := os.ReadFile(h.environment["QUARRY_HOOK_LOG"]); err != nil || strings.Count(string(content), "\n") != 1 {
		t.Errorf("%v: %s", err, content)
	}
}

// What would be given is shown with what led there, and leaves no trace.
func TestHookExplain(t *testing.T) {
	h := hookHome(t)
	for range 2 {
		code, out, talk := h.run(hookPrompt, "hook", "explain", "prompt")
		if code != 0 || !strings.Contains(out, "Source: gateway/Retry budget.md:") || !strings.Contains(talk, "looked for: retry budget gateway withdraw tokens upstream") || strings.Contains(out+talk, "Pay") {
			t.Errorf("exit code %d, %s, %s", code, out, talk)
		}
	}
	_, _, talk := h.run(hookPrompt, "hook", "explain", "prompt")
	scores := regexp.MustCompile(`(?m)^\d\.\d\d `).FindAllString(talk, -1)
	if !slices.IsSortedFunc(scores, func(a, b string) int { return strings.Compare(b, a) }) || len(scores) < 2 ||
		!strings.Contains(talk, "words that name no matter: How does the of") || !strings.Contains(talk, "given: gateway/Retry budget.md:") {
		t.Errorf("the order, the words that were left out, what is given: %s", talk)
	}
	code, out, _ := h.run(`{"prompt":"yes"}`, "hook", "explain", "prompt", "--json")
	if code != 0 || !strings.Contains(out, `"reply":null`) || !strings.Contains(out, `"reason":"the prompt names no matter"`) {
		t.Errorf("exit code %d, %s", code, out)
	}
	h.put(h.config, "[hooks]\nmin_score = 1\n")
	if _, out, talk := h.run(hookPrompt, "hook", "explain", "prompt"); out != "" || !strings.Contains(talk, "needs a relevance of 1.00: min_score in [hooks]") || !strings.Contains(talk, "does not tell the client") {
		t.Errorf("what a passage needs and how it is set: %s", talk)
	}
	if _, _, talk := h.run("", "hook", "explain", "prompt"); !strings.Contains(talk, `such as {"prompt":`) {
		t.Errorf("no example of a payload: %s", talk)
	}
	output := `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make all"},"tool_response":{"stdout":"` + strings.Repeat(`PASS kiln\n`, 1000) + `","stderr":""}}`
	if code, out, talk := h.run(output, "hook", "explain", "PostToolUse"); code != 0 || out == "" || !strings.Contains(talk, "tokens saved") {
		t.Errorf("exit code %d, %s, %s", code, out, talk)
	}
	for _, arguments := range [][]string{{}, {"nonsense"}, {"prompt", "--client", "nobody"}} {
		if code, _, talk := h.run("{}", append([]string{"hook", "explain"}, arguments...)...); code != 2 || !strings.Contains(talk, "hint: ") {
			t.Errorf("%v: exit code %d, %s", arguments, code, talk)
		}
	}
}

// The vault's own file can only make hooks give and keep less.
func TestHookSettings(t *testing.T) {
	for _, test := range []struct{ name, user, own, notice string }{
		{"switched off", "", "prompt = false", ""},
		{"a higher bar", "", "min_score = 1", ""},
		{"capture", "", "capture = true", "hooks.capture = true is ignored"},
		{"log", "", "log = true", "hooks.log = true is ignored"},
		{"switched on again", "prompt = false", "prompt = true", "hooks.prompt = true is ignored"},
		{"a lower bar", "min_score = 1", "min_score = 0.1", "hooks.min_score = 0.1 is ignored"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := hookHome(t)
			h.put(h.config, "[hooks]\n"+test.user+"\n")
			h.put(".quarry.toml", "[hooks]\n"+test.own+"\n")
			isStill := test.notice == "" || test.user != ""
			code, out, talk := h.run(hookPrompt, "hook", "explain", "prompt")
			if code != 0 || (out == "") != isStill || !strings.Contains(talk, test.notice) {
				t.Errorf("exit code %d, %s, %s", code, out, talk)
			}
		})
	}
	for text, want := range map[string]string{
		"max_tokens = 5000": "max_tokens takes 100 to 2000", "min_score = 7": "min_score takes 0 to 1", `tools = ["Read"]`: "a tool that reads files",
		"tools = 3": "a list of texts", "prompt = 1": "true or false", "minscore = 1": "did you mean min_score?", `capture_tools = [""]`: "no name of a tool",
		"compress_min_characters = 1": "compress_min_characters takes 200",
	} {
		h := newHome(t)
		h.put(h.config, "[hooks]\n"+text+"\n")
		if code, _, talk := h.run("", "ls"); code != 1 || !strings.Contains(talk, want) || !strings.Contains(talk, "config.toml:2") {
			t.Errorf("%s: exit code %d, %s", text, code, talk)
		}
	}
	h := newHome(t)
	h.put(h.config, "[hooks]\ntools = [\"edit\", \"Bash\"]\nmin_score = 1\n")
	h.put(".quarry.toml", "[hooks]\ntools = [\"Edit\", \"Write\"]\nmax_tokens = 2000\ncompress_min_characters = 300\n")
	_, _, talk := h.run("", "ls")
	for _, want := range []string{`"Write" in hooks.tools is ignored`, "hooks.max_tokens = 2000 is ignored", "hooks.compress_min_characters = 300 is ignored"} {
		if !strings.Contains(talk, want) {
			t.Errorf("no %q in %s", want, talk)
		}
	}
}

// hooks hands credentials to hooks in every field, and asks for what notes with credentials hold.
func (p *planted) hooks() {
	p.t.Helper()
	p.environment["QUARRY_HOOK_LOG"] = filepath.Join(p.home, "tmp", "hooks.jsonl") // the program writes it, so it is looked at as well
	defer delete(p.environment, "QUARRY_HOOK_LOG")
	payload := func(fields map[string]any) string {
		fields["session_id"], fields["cwd"] = p.token("session"), p.token("folder")
		encoded, err := json.Marshal(fields)
		if err != nil {
			p.t.Fatal(err)
		}
		return string(encoded)
	}
	input := map[string]any{"file_path": "kiln/" + p.token("file of a tool") + ".md", "content": "kiln glaze password = " + p.password("text of a tool"), "command": "fire kiln " + p.token("command")}
	output := map[string]any{"stdout": strings.Repeat("PASS kiln\n", 1000) + p.token("output"), "stderr": p.token("error")}
	for event, body := range map[string]string{
		"prompt":         payload(map[string]any{"prompt": "the kiln and its glaze headings " + p.token("prompt")}),
		"before-tool":    payload(map[string]any{"tool_name": "Write", "tool_input": input}),
		"after-tool":     payload(map[string]any{"tool_name": "Bash", "tool_input": input, "tool_response": output}),
		"session-start":  payload(map[string]any{"source": p.token("source")}),
		p.token("event"): payload(map[string]any{"hook_event_name": p.token("name of an event")}),
	} {
		p.every("hook explain", body, event)
		p.ran["hook run"] = true // mostly it writes nothing, which is right
		var out, talk bytes.Buffer
		streams := cli.IO{In: strings.NewReader(body), Out: &out, Err: &talk, WorkDir: p.vault, Env: func(name string) string { return p.environment[name] }}
		if code := cli.Run(p.t.Context(), []string{"hook", "run", event, "--client", p.token("client of a hook")}, streams); code != 0 {
			p.t.Errorf("hook run %s: exit code %d", event, code)
		}
		p.look("hook run "+event, append(out.Bytes(), talk.Bytes()...))
	}
	p.every("hook log", "")
	p.every("hook", "")
}

// A hook is a process of its own, and no client waits for it: half of them take far less than a tenth of a second.
func TestHookIsFast(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	h := hookHome(t)
	var times []time.Duration
	for i := range 15 {
		command := exec.CommandContext(t.Context(), "quarry", "hook", "run", "UserPromptSubmit", "--client", "claude-code", "--vault", h.vault, "--config", h.config, "--db", filepath.Join(h.places, "index.db"))
		command.Stdin = strings.NewReader(strings.Replace(hookPrompt, `"s"`, fmt.Sprintf(`"p%d"`, i), 1))
		started := time.Now()
		out, err := command.Output()
		times = append(times, time.Since(started))
		if err != nil || len(out) > 0 && !json.Valid(out) {
			t.Fatalf("%v: %s", err, out)
		}
	}
	slices.Sort(times)
	if median := times[len(times)/2]; median > 300*time.Millisecond {
		t.Errorf("half of them took more than %v", median)
	}
}

package setup_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/setup"
)

// TestNothingThere sets every client up in both scopes where there is no file at all, and leaves nothing behind.
func TestNothingThere(t *testing.T) {
	for _, client := range setup.Clients() {
		for _, scope := range setup.Scopes(client) {
			t.Run(client+" "+string(scope), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, client)
				b.request.Scope = scope
				before := b.tree()
				actions := b.setUp()
				for file, action := range actions {
					wanted := map[setup.Scope]string{setup.User: "home/", setup.Project: "shop/"}[scope]
					if action != setup.Create || !strings.HasPrefix(file, wanted) {
						t.Errorf("%s %s", action, file)
					}
					if text := b.read(file); strings.Contains(text, "{{") && !strings.Contains(text, "{{args}}") || !strings.HasSuffix(text, "\n") {
						t.Errorf("%s: %s", file, text)
					}
				}
				b.hasStatus(scope, client)
				b.same("a second run", b.tree(), func() map[string]string { b.setUp(); return b.tree() }())
				b.remove()
				b.asBefore("after removal", before)
			})
		}
	}
}

// hasStatus asks for what StatusOf says of the one entry.
func (b *bench) hasStatus(scope setup.Scope, client string) {
	b.Helper()
	status, err := setup.StatusOf(client, b.request.Command, b.request.Place)
	if err != nil || len(status.Problems) > 0 || len(status.Entries) != 1 {
		b.Fatalf("%+v, %v", status, err)
	}
	entry := status.Entries[0]
	entry.File = ""
	want := setup.Entry{Scope: scope, Name: b.request.Name, Command: b.request.Command, Vault: b.request.Vault, IsThis: true}
	if setup.HasHooks(client) {
		want.Hooks = 4
		if client == "gemini" {
			want.Hooks = 3
		}
	}
	if diff := cmp.Diff(want, entry); diff != "" {
		b.Errorf("status (-want +got):\n%s", diff)
	}
}

// TestPlugin writes a whole plugin, and takes it away again.
func TestPlugin(t *testing.T) {
	b := newBench(t, "claude-code")
	b.request.Plugin = filepath.Join(b.base, "a plugin")
	before := b.tree()
	actions := b.setUp()
	var files []string
	for file := range actions {
		files = append(files, file)
	}
	slices.Sort(files)
	want := []string{
		"a plugin/.claude-plugin/marketplace.json", "a plugin/.claude-plugin/plugin.json", "a plugin/.mcp.json", "a plugin/commands/capture.md",
		"a plugin/hooks/hooks.json", "a plugin/skills/notes/SKILL.md",
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Error(diff)
	}
	b.remove()
	b.asBefore("after removal", before)
}

// TestBroken gives every client a broken file: it is named with its line, and nothing is written anywhere.
func TestBroken(t *testing.T) {
	for place, text := range map[string]string{
		"claude-code:home/.claude.json":                   "{\n  \"a\": 1\n  \"b\": 2\n}",
		"claude-code:home/.claude/settings.json":          "{\n\n\"hooks\": {}",
		"codex:home/.codex/config.toml":                   "a = 1\n\nb = \n",
		"codex:home/.codex/hooks.json":                    "{\n\"hooks\": []}",
		"codex:home/.codex/AGENTS.md":                     "a\n<!-- quarry notes: begin, kept by `quarry setup` -->\nb\n",
		"gemini:home/.gemini/settings.json":               "{\n\"mcpServers\": 1}",
		"cursor:home/.cursor/mcp.json":                    "{\"a\":\n" + strings.Repeat("[", 100_000),
		"vscode:home/.config/Code/User/mcp.json":          "[\n]",
		"zed:home/.config/zed/settings.json":              "{\n\"a\": tru}",
		"windsurf:home/.codeium/windsurf/mcp_config.json": "{\n\"mcpServers\": {\"x\": }}",
	} {
		t.Run(place, func(t *testing.T) {
			client, file, _ := strings.Cut(place, ":")
			b := newBench(t, client)
			b.put(file, text)
			before := b.tree()
			_, err := setup.PlanSetup(b.request)
			var broken *setup.FileError
			if !errors.As(err, &broken) || broken.Line == 0 || !strings.HasSuffix(filepath.ToSlash(broken.Path), file) || strings.Contains(err.Error(), "hujson") {
				t.Errorf("%v", err)
			}
			b.same("nothing is written", before, b.tree())
		})
	}
}

// TestNotOurs leaves alone what has the same name and is somebody else's.
func TestNotOurs(t *testing.T) {
	for place, text := range map[string]string{
		"claude-code:home/.claude.json":                  `{"mcpServers": {"notes": {"command": "npx", "args": ["mcp"]}}}`,
		"cursor:home/.cursor/mcp.json":                   `{"mcpServers": {"notes": {"command": "quarrel", "args": ["mcp", "--vault", "/v"]}}}`,
		"gemini:home/.gemini/settings.json":              `{"mcpServers": {"notes": {"httpUrl": "http://127.0.0.1"}}}`,
		"codex:home/.codex/config.toml":                  "[mcp_servers.notes]\nurl = \"http://127.0.0.1\"\n",
		"claude-code:home/.claude/commands/capture.md":   "my own\n",
		"claude-code:home/.claude/skills/notes/SKILL.md": "",
	} {
		t.Run(place, func(t *testing.T) {
			client, file, _ := strings.Cut(place, ":")
			b := newBench(t, client)
			b.put(file, text)
			before := b.tree()
			if _, err := setup.PlanSetup(b.request); !errors.Is(err, setup.ErrNotOurs) {
				t.Errorf("%v", err)
			}
			b.remove()
			b.same("nothing is written", before, b.tree())
			b.request.Name = "my-notes"
			b.setUp()
			b.remove()
			b.asBefore("another name, and away again", before)
		})
	}
}

// TestNewBinary writes another path into what is there, without a second copy of what the user had.
func TestNewBinary(t *testing.T) {
	for _, client := range setup.Clients() {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, client)
			for _, place := range samplePlaces {
				if strings.HasSuffix(place, ".json") {
					b.put(place, "{\n  // mine\n  \"a\": 1\n}\n")
				}
			}
			before := b.tree()
			b.setUp()
			old := b.request.Command
			b.request.Command = "/usr/local/bin/quarry"
			b.setUp()
			for file, text := range b.tree() {
				if strings.Contains(text, "my tools/quarry") && !strings.Contains(file, "backup") || strings.HasSuffix(file, "backup.2") {
					t.Errorf("%s: %s", file, text)
				}
			}
			b.request.Command = old
			b.remove()
			b.asBefore("after removal", before)
		})
	}
}

// TestTwoVaults sets a client up for two vaults: each removal takes its own.
func TestTwoVaults(t *testing.T) {
	for _, client := range setup.Clients() {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, client)
			before := b.tree()
			b.setUp()
			one := b.tree()
			first := b.request
			b.request.Name, b.request.Vault = "work", filepath.Join(b.base, "work")
			second := b.request
			b.setUp()
			b.request = first
			for file, action := range b.setUp() {
				if action != setup.Keep {
					t.Errorf("the first again: %s %s", action, file)
				}
			}
			b.request = second
			b.remove()
			b.same("the second away", one, b.tree())
			b.request = first
			b.remove()
			b.asBefore("both away", before)
		})
	}
}

// TestOtherVault moves a set-up to another vault: its hooks go along.
func TestOtherVault(t *testing.T) {
	b := newBench(t, "gemini")
	b.setUp()
	b.request.Vault = filepath.Join(b.base, "elsewhere")
	b.setUp()
	b.hasStatus(setup.User, "gemini")
	if text := b.read("home/.gemini/settings.json"); strings.Contains(text, "My '") {
		t.Error(text)
	}
}

// TestBothScopes says that hooks would run twice.
func TestBothScopes(t *testing.T) {
	b := newBench(t, "codex")
	b.setUp()
	b.request.Scope = setup.Project
	plan, err := setup.PlanSetup(b.request)
	if err != nil || len(plan.Notices) != 1 || !strings.Contains(plan.Notices[0], "user scope") {
		t.Errorf("%+v, %v", plan, err)
	}
}

// TestModes makes files of the user's scope for the user alone, as a client may put tokens into them.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such modes here")
	}
	b := newBench(t, "claude-code")
	b.setUp()
	if got := b.tree(); !strings.HasPrefix(got["home/.claude.json"], "-rw------- ") || got["home/.claude"] != "drwx------" {
		t.Errorf("%.11s, %s", got["home/.claude.json"], got["home/.claude"])
	}
}

// TestManyHooks gives up on a file with more hooks of ours than can be.
func TestManyHooks(t *testing.T) {
	b := newBench(t, "codex")
	hook := `{"hooks": [{"type": "command", "command": "quarry --vault /v hook run Stop --client codex"}]}`
	b.put("home/.codex/hooks.json", `{"hooks": {"Stop": [`+strings.Repeat(hook+",", 50_000)+hook+`]}}`)
	var broken *setup.FileError
	if _, err := setup.PlanRemoval(b.request); !errors.As(err, &broken) {
		t.Errorf("%v", err)
	}
}

// TestWithoutHooks takes the hooks out again.
func TestWithoutHooks(t *testing.T) {
	b := newBench(t, "codex")
	b.request.Hooks = false
	b.setUp()
	without := b.tree()
	b.request.Hooks = true
	b.setUp()
	b.request.Hooks = false
	b.setUp()
	b.same("without hooks", without, b.tree())
}

// TestHookMovedByHand takes our hook out of a group that somebody else's is in.
func TestHookMovedByHand(t *testing.T) {
	b := newBench(t, "codex")
	b.put("home/.codex/hooks.json", `{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}, {"type": "command", "command": "/old/quarry --vault /v hook run SessionStart --client codex"}]}]}}`)
	b.remove()
	if got := b.read("home/.codex/hooks.json"); got != `{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}` {
		t.Error(got)
	}
}

// TestChangedByHand leaves a file of ours that somebody changed.
func TestChangedByHand(t *testing.T) {
	b := newBench(t, "claude-code")
	b.setUp()
	const skill = "home/.claude/skills/notes/SKILL.md"
	mine := b.read(skill) + "\nMine.\n"
	b.put(skill, mine)
	plan, err := setup.PlanSetup(b.request)
	if err != nil || len(plan.Notices) != 1 || !plan.IsDone() {
		t.Errorf("%v, %v", plan, err)
	}
	b.remove()
	if got := b.read(skill); got != mine {
		t.Errorf("%q", got)
	}
}

// TestRollback lets a set-up fail half way: all files are as they were.
func TestRollback(t *testing.T) {
	b := newBench(t, "claude-code")
	b.put("home/.claude.json", "{\n}\n")
	b.put("home/.claude/commands", "a file where a folder is to be")
	before := b.tree()
	plan, err := setup.PlanSetup(b.request)
	if err == nil {
		err = plan.Write()
	}
	if err == nil {
		t.Fatal("no error")
	}
	b.same("as it was", before, b.tree())
}

// TestChangedMeanwhile writes nothing over what somebody else has just written.
func TestChangedMeanwhile(t *testing.T) {
	b := newBench(t, "gemini")
	b.put("home/.gemini/GEMINI.md", "a\n")
	plan, err := setup.PlanSetup(b.request)
	if err != nil {
		t.Fatal(err)
	}
	b.put("home/.gemini/GEMINI.md", "b\n")
	before := b.tree()
	if err := plan.Write(); !errors.Is(err, setup.ErrChanged) {
		t.Errorf("%v", err)
	}
	b.same("as it was", before, b.tree())
}

// TestLinks follows a link to the file behind it, and keeps its mode.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege here")
	}
	b := newBench(t, "claude-code")
	b.put("dotfiles/claude.json", "{\"a\": 1}\n")
	if err := os.Symlink("../dotfiles/claude.json", filepath.Join(b.base, "home", ".claude.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(b.base, "dotfiles", "claude.json"), 0o640); err != nil {
		t.Fatal(err)
	}
	before := b.tree()
	b.setUp()
	after := b.tree()
	if after["home/.claude.json"] != before["home/.claude.json"] || !strings.HasPrefix(after["dotfiles/claude.json"], "-rw-r----- ") || !strings.Contains(after["dotfiles/claude.json"], "mcpServers") {
		t.Errorf("%v", after)
	}
	b.remove()
	b.asBefore("after removal", before)
}

// TestBackups keeps each state of what was the user's, and none twice.
func TestBackups(t *testing.T) {
	b := newBench(t, "cursor")
	const file = "home/.cursor/mcp.json"
	b.put(file, "{\"a\": 1}\n")
	b.setUp()
	b.remove()
	b.put(file+".quarry-backup", "an older one, of something else")
	b.setUp()
	if got := b.read(file + ".quarry-backup.2"); got != "{\"a\": 1}\n" {
		t.Errorf("%q", got)
	}
	b.put(file, strings.Replace(b.read(file), "1", "2", 1))
	b.remove()
	if got := b.read(file); got != "{\"a\": 2}\n" {
		t.Errorf("%q", got)
	}
	if got := b.read(file+".quarry-backup") + b.read(file+".quarry-backup.2"); got != "an older one, of something else{\"a\": 1}\n" {
		t.Errorf("%q", got)
	}
}

// TestQuotes writes command lines for shells, and reads them again.
func TestQuotes(t *testing.T) {
	words := []string{`/opt/my tools/quarry`, "--vault", `/srv/ann/it's "$HOME"`, "hook", "run"}
	if got, want := setup.QuoteShell(words), `'/opt/my tools/quarry' --vault '/srv/ann/it'\''s "$HOME"' hook run`; got != want {
		t.Error(got)
	}
	windows := []string{`C:\Program Files\quarry.exe`, "--vault", `C:\Users\Ann's notes`, "mcp"}
	if got, want := setup.QuotePowerShell(windows), `& 'C:\Program Files\quarry.exe' --vault 'C:\Users\Ann''s notes' mcp`; got != want {
		t.Error(got)
	}
	if got, want := setup.QuoteWindows(windows), `cmd /c call "C:\Program Files\quarry.exe" --vault "C:\Users\Ann's notes" mcp`; got != want {
		t.Error(got)
	}
	if got, want := setup.QuoteWindows([]string{`C:\quarry.exe`, "mcp"}), `C:\quarry.exe mcp`; got != want || setup.QuotePowerShell([]string{`C:\quarry.exe`, "mcp"}) != want {
		t.Error(got)
	}
	for line, want := range map[string][]string{setup.QuoteShell(words): words, setup.QuotePowerShell(windows): windows, setup.QuoteWindows(windows): windows} {
		if diff := cmp.Diff(want, setup.SplitWords(line)); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}

// TestWindowsPlaces looks where the files lie on Windows and macOS, and at the escapes of their paths.
func TestWindowsPlaces(t *testing.T) {
	for _, row := range []struct{ client, system, place string }{
		{"vscode", "windows", "appdata/Code/User/mcp.json"},
		{"zed", "windows", "appdata/Zed/settings.json"},
		{"claude-desktop", "windows", "appdata/Claude/claude_desktop_config.json"},
		{"vscode", "darwin", "home/Library/Application Support/Code/User/mcp.json"},
		{"claude-desktop", "darwin", "home/Library/Application Support/Claude/claude_desktop_config.json"},
		{"zed", "darwin", "home/.config/zed/settings.json"},
		{"codex", "windows", "home/.codex/config.toml"},
		{"gemini", "windows", "home/.gemini/settings.json"},
	} {
		t.Run(row.client+" "+row.system, func(t *testing.T) {
			b := newBench(t, row.client)
			b.request.Command, b.request.Vault = `C:\Program Files\quarry.exe`, `C:\Users\Ann's notes`
			b.request.Place.System = row.system
			b.request.Place.Env = func(name string) string {
				return map[string]string{"APPDATA": filepath.Join(b.base, "appdata")}[name]
			}
			b.setUp()
			if text := b.read(row.place); !strings.Contains(text, `"C:\\Program Files\\quarry.exe"`) || !strings.Contains(text, `"C:\\Users\\Ann's notes"`) {
				t.Error(text)
			}
			for file, action := range b.setUp() {
				if action != setup.Keep {
					t.Errorf("%s %s", action, file)
				}
			}
		})
	}
}

// TestFoldersOfTheEnvironment follows the variables by which clients move their folders.
func TestFoldersOfTheEnvironment(t *testing.T) {
	for client, row := range map[string][2]string{
		"claude-code": {"CLAUDE_CONFIG_DIR", "moved/.claude.json"}, "codex": {"CODEX_HOME", "moved/config.toml"},
		"gemini": {"GEMINI_CLI_HOME", "moved/.gemini/settings.json"}, "zed": {"XDG_CONFIG_HOME", "moved/zed/settings.json"},
	} {
		b := newBench(t, client)
		b.request.Place.Env = func(name string) string {
			return map[string]string{row[0]: filepath.Join(b.base, "moved")}[name]
		}
		b.setUp()
		if text := b.read(row[1]); !strings.Contains(text, "quarry") {
			t.Errorf("%s: %s", client, text)
		}
	}
}

// TestDiff shows the lines that change, and no other.
func TestDiff(t *testing.T) {
	change := setup.FileChange{Before: []byte("{\r\n  \"key\": \"none of your business\",\r\n  \"a\": 1\r\n}"), After: []byte("{\r\n  \"key\": \"none of your business\",\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}")}
	if got, want := change.Diff(), "@@ line 3 @@\n-  \"a\": 1\n+  \"a\": 1,\n+  \"b\": 2\n"; got != want {
		t.Errorf("%q", got)
	}
	change = setup.FileChange{Before: []byte("a"), After: []byte("a\n\nb\n")}
	if got, want := change.Diff(), "@@ line 1 @@\n-a\n\\ no new line at the end\n+a\n+\n+b\n"; got != want {
		t.Errorf("%q", got)
	}
	large := bytes.Repeat([]byte("x\n"), 5000)
	change = setup.FileChange{Before: append([]byte("a\n"), append(large, "b\n"...)...), After: append([]byte("c\n"), append(large, "d\n"...)...)}
	if got := change.Diff(); strings.Count(got, "\n") < 10_000 {
		t.Errorf("%d lines", strings.Count(got, "\n"))
	}
}

// TestRequests gives what is asked for wrongly its error.
func TestRequests(t *testing.T) {
	for _, row := range []struct {
		change func(*setup.Request)
		want   error
	}{
		{func(r *setup.Request) { r.Client = "emacs" }, setup.ErrUnknownClient},
		{func(r *setup.Request) { r.Client, r.Scope = "windsurf", setup.Project }, setup.ErrNoScope},
		{func(r *setup.Request) { r.Name = "My Notes" }, setup.ErrName},
		{func(r *setup.Request) { r.Name = "../notes" }, setup.ErrName},
		{func(r *setup.Request) { r.Command = "/bin/q" }, setup.ErrProgramName},
		{func(r *setup.Request) { r.Vault = "/srv/caf\xe9" }, setup.ErrEncoding},
		{func(r *setup.Request) { r.Command = "/caf\xe9/quarry" }, setup.ErrEncoding},
		{func(r *setup.Request) { r.Flags = []string{"--db", "/caf\xe9.db"} }, setup.ErrEncoding},
		{func(r *setup.Request) { r.Client, r.Place.System, r.Vault = "codex", "windows", `C:\100%` }, setup.ErrUnsafePath},
		{func(r *setup.Request) { r.Place.Home = "" }, setup.ErrNoHome},
	} {
		b := newBench(t, "cursor")
		row.change(&b.request)
		if _, err := setup.PlanSetup(b.request); !errors.Is(err, row.want) {
			t.Errorf("%v, want %v", err, row.want)
		}
	}
}

// TestShells has the shells of this machine take a command line apart.
func TestShells(t *testing.T) {
	words := []string{"%s|", `/opt/my tools/quarry`, `it's "$HOME" \n`, `''`, "a*b~&;#", "größe"}
	for _, shell := range []string{"sh", "bash", "zsh", "dash"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		out, err := exec.CommandContext(t.Context(), path, "-c", setup.QuoteShell(append([]string{"printf"}, words...))).Output()
		if want := strings.Join(words[1:], "|") + "|"; err != nil || string(out) != want {
			t.Errorf("%s: %q, want %q, %v", shell, out, want, err)
		}
	}
}

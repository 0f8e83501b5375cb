package setup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"quarry/internal/setup"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestCapturedTextIsNotRun follows the guidance of every client with a text that a shell would run: it arrives as it is.
func TestCapturedTextIsNotRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it needs a shell of Unix")
	}
	const text = "Use `touch run`, $(touch run), ${HOME} and \"quotes\" 'of both' \\ kinds!"
	for _, client := range setup.Clients() {
		for _, scope := range setup.Scopes(client) {
			b := newBench(t, client)
			b.request.Scope = scope
			tool := "#!/bin/sh\necho \"$@\" >\"$(dirname \"$0\")/words\"\ncat >\"$(dirname \"$0\")/text\"\n"
			b.put("my tools/quarry", tool)
			if err := os.Chmod(b.request.Command, 0o700); err != nil { //nolint:gosec // it is run
				t.Fatal(err)
			}
			for file := range b.setUp() {
				content := b.read(file)
				if strings.HasSuffix(file, "commands/capture.toml") {
					var command struct{ Prompt string }
					if err := toml.Unmarshal([]byte(content), &command); err != nil {
						t.Errorf("%s: %v", file, err)
					}
					content = command.Prompt
				}
				block := shellBlock.FindStringSubmatch(content)
				if isCommand := strings.Contains(file, "capture."); block == nil && !isCommand {
					continue
				} else if block == nil {
					t.Errorf("%s has no command:\n%s", file, content)
					continue
				}
				run := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(block[1], "TEXT", text))
				run.Dir = b.base
				if out, err := run.CombinedOutput(); err != nil {
					t.Errorf("%s: %v, %s", file, err, out)
				}
				if got := b.read("my tools/text"); got != text+"\n" {
					t.Errorf("%s: %q arrived", file, got)
				}
				if got := b.read("my tools/words"); !strings.HasSuffix(got, " capture --domain DOMAIN --tags a,b -\n") {
					t.Errorf("%s: %q", file, got)
				}
				if _, err := os.Stat(filepath.Join(b.base, "run")); err == nil {
					t.Fatalf("%s: the text was run", file)
				}
			}
		}
	}
}

// TestToolsThatAreAllowed names the tools as Claude Code does, and one command.
func TestToolsThatAreAllowed(t *testing.T) {
	b := newBench(t, "claude-code")
	b.setUp()
	if skill := b.read("home/.claude/skills/notes/SKILL.md"); !strings.Contains(skill, "\nallowed-tools: mcp__notes__obsidian_search, mcp__notes__obsidian_get_context, ") {
		t.Error(skill)
	}
	want := "\nallowed-tools: \"Bash('" + b.base + "/my tools/quarry' --vault '" + b.base + "/My '\\\\''notes'\\\\''' capture:*)\"\n---\n"
	if command := b.read("home/.claude/commands/capture.md"); runtime.GOOS != "windows" && !strings.Contains(command, want) {
		t.Errorf("%s\nhas no %s", command, want)
	}
	b.remove()
	b.request.Vault = filepath.Join(b.base, "notes (old)") // Bash(…) could not hold it
	b.request.Plugin = filepath.Join(b.base, "a plugin")
	b.setUp()
	if command := b.read("a plugin/commands/capture.md"); strings.Contains(command, "allowed-tools") || strings.Contains(command, "{{") {
		t.Error(command)
	}
	if skill := b.read("a plugin/skills/notes/SKILL.md"); !strings.Contains(skill, " mcp__plugin_quarry-notes_notes__obsidian_links\n") {
		t.Error(skill)
	}
}

// TestCaptureByPowerShell gives clients on Windows a text that PowerShell takes as it is.
func TestCaptureByPowerShell(t *testing.T) {
	b := newBench(t, "gemini")
	b.request.Place.System = "windows"
	b.request.Command, b.request.Vault = `C:\Program Files\quarry.exe`, `C:\Notes`
	b.setUp()
	want := "$OutputEncoding = [Text.UTF8Encoding]::new()\n@'\nTEXT\n'@ | & 'C:\\Program Files\\quarry.exe' --vault C:\\Notes capture --domain DOMAIN --tags 'a,b' -\n"
	if text := b.read("home/.gemini/GEMINI.md"); !strings.Contains(text, want) {
		t.Error(text)
	}
}

package cli_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var placeFlags = regexp.MustCompile("`quarry( --(vault|db|config) [^ `]+)+")

// unplaced is what is said without the flags that name the vault, the index and the configuration.
func unplaced(said string) string { return placeFlags.ReplaceAllString(said, "`quarry") }

// Of many notes that are left out for their class people see some, programs all.
func TestStatusListsSomeSecretNotes(t *testing.T) {
	h := newHome(t)
	for i := range 25 {
		h.put(fmt.Sprintf("s/%02d.md", i), "---\nsensitivity: secret\n---\nkiln\n")
	}
	h.put("z.md", "---\nsensitivity: privat\n---\nkiln\n")
	h.run("", "index")
	_, out, _ := h.run("", "status")
	out = unplaced(out)
	if strings.Count(out, "secret by its property") != 20 || !strings.Contains(out, "… and 5 secret notes more; `quarry status --json` lists all") || !strings.Contains(out, "z.md") {
		t.Errorf("status: %s", out)
	}
	if _, out, _ = h.run("", "status", "--json"); strings.Count(out, "secret by its property") != 25 {
		t.Errorf("JSON: %s", out)
	}
}

// Status points to where the lines are told, and a note of class secret is not said to be missing.
func TestStatusPointsOn(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "# A\n\ntoken "+sample+"\n")
	h.put("s.md", "---\nsensitivity: secret\n---\nkiln\n")
	h.run("", "index")
	if _, _, talk := h.run("", "status"); !strings.Contains(unplaced(talk), "`quarry redact --hashes NOTE…`") {
		t.Errorf("status: %s", talk)
	}
	if code, _, talk := h.run("", "get", "s.md"); code != 1 || !strings.Contains(unplaced(talk), "its class is secret\nhint: `quarry status`") {
		t.Errorf("get: %s", talk)
	}
	h.put(h.config, "[sensitivity]\nproperty = \"class\"\n[sensitivity.folders]\njurnal = \"private\"\n")
	if _, _, talk := h.run("", "status"); strings.Count(talk, "notice: ") < 2 || !strings.Contains(talk, "jurnal") {
		t.Errorf("settings: %s", talk)
	}
}

// Hashes are told of several files, each by the patterns of its own vault, and also where the configuration is wrong that they
// are to mend.
func TestHashesOfFiles(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "one\n"+sample+"\n")
	h.put("sub/b.md", sample+"\n")
	h.put(filepath.Join(h.places, "out.md"), sample+" oven-123456\n")
	other := t.TempDir()
	h.put(filepath.Join(other, ".quarry.toml"), "[redaction]\npatterns = [{name = \"oven-number\", pattern = \"oven-[0-9]{6}\"}]\n")
	h.put(filepath.Join(other, "deep", "o.md"), "oven-123456\n")
	deep := filepath.Join(other, "deep", "o.md")
	code, out, talk := h.run(sample, "redact", "--hashes", "a.md", "sub/b.md", "out.md", deep, "-")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 5 || strings.Contains(out, sample[:20]) {
		t.Fatalf("exit code %d, %s%s", code, out, talk)
	}
	for i, want := range []string{"  a.md:2  github-token", "  sub/b.md:1  github-token", "  out.md:1  github-token", "  " + deep + ":1  oven-number", "  line 1  github-token"} {
		if !strings.HasSuffix(lines[i], want) {
			t.Errorf("%q, want %q", lines[i], want)
		}
	}
	if _, out, _ := h.run("", "redact", deep); out != "[REDACTED:oven-number]\n" {
		t.Errorf("a file of another vault: %s", out)
	}
	if code, _, talk := h.run("", "redact", "a.md", "sub/b.md"); code != 2 || !strings.Contains(talk, "--hashes` takes several") {
		t.Errorf("exit code %d, %s", code, talk)
	}
	if code, _, talk := h.run("", "redact", h.vault); code != 1 || !strings.Contains(talk, "it is a folder\nhint: give the files in it") {
		t.Errorf("exit code %d, %s", code, talk)
	}
	if _, out, _ := h.run("x "+sample, "redact", "-"); out != "x [REDACTED:github-token]" {
		t.Errorf("standard input: %s", out)
	}
	if _, out, _ := h.run("plain", "redact", "--json"); out != `{"text":"plain","redactions":[]}`+"\n" {
		t.Errorf("JSON: %s", out)
	}
	h.put(h.config, "[redaction]\nallow = [\"xyz\"]\n")
	if code, _, _ := h.run(sample, "redact"); code != 1 {
		t.Errorf("redacted by a configuration that is wrong: exit code %d", code)
	}
	if code, out, talk := h.run(sample, "redact", "--hashes"); code != 0 || !strings.HasSuffix(out, "  line 1  github-token\n") || !strings.Contains(talk, "redaction.allow, entry 1") {
		t.Errorf("exit code %d, %s%s", code, out, talk)
	}
}

// What waits for a person's input says so; a pipe is not told.
func TestWaitingIsSaid(t *testing.T) {
	for _, command := range []string{"redact", "embed", "compress", "mcp"} {
		h := newHome(t)
		h.put("a.md", "kiln\n")
		h.terminal = true
		if _, _, talk := h.runPlain("", command); !strings.Contains(strings.ToLower(talk), "standard input") && !strings.Contains(talk, "to the end of the input") {
			t.Errorf("%s at a terminal: %q", command, talk)
		}
		h.terminal = false
		if _, _, talk := h.runPlain("", command); talk != "" {
			t.Errorf("%s: %q", command, talk)
		}
	}
}

// Help of a command that is not there is a mistake; the configuration has its own page, in rows of a narrow terminal.
func TestHelp(t *testing.T) {
	h := newHome(t)
	if code, out, talk := h.runPlain("", "help", "nosuch"); code != 2 || out != "" || !strings.Contains(talk, `no command "nosuch"`) {
		t.Errorf("exit code %d, %s%s", code, out, talk)
	}
	if code, _, talk := h.runPlain("", "help", "serch"); code != 2 || !strings.Contains(talk, "did you mean `quarry help search`?") {
		t.Errorf("exit code %d, %s", code, talk)
	}
	if code, out, _ := h.runPlain("", "help", "search"); code != 0 || !strings.Contains(out, "--mode") {
		t.Errorf("exit code %d, %s", code, out)
	}
	_, out, _ := h.runPlain("", "help", "configuration")
	for line := range strings.Lines(out) {
		if length := len([]rune(line)) - 1; length > 84 && !strings.Contains(line, h.places) {
			t.Errorf("%d columns: %s", length, line)
		}
	}
	for _, part := range []string{h.config, "max_file_mb", "[redaction]", "[sensitivity]", "QUARRY_AUDIENCE"} {
		if !strings.Contains(out, part) {
			t.Errorf("no %s in %s", part, out)
		}
	}
}

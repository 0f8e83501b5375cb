package cli_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// paths are the notes that ls lists.
func (h *home) paths(arguments ...string) (paths []string, talk string) {
	h.t.Helper()
	_, out, talk := h.run("", append([]string{"ls", "--json", "-n", "0"}, arguments...)...)
	var list struct {
		Notes []struct {
			FilePath string `json:"file_path"`
		} `json:"notes"`
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		h.t.Fatalf("%v: %s%s", err, out, talk)
	}
	for _, n := range list.Notes {
		paths = append(paths, n.FilePath)
	}
	return paths, talk
}

// What the user's file leaves out a vault's own file does not take in; what it leaves out itself stays out as well.
func TestVaultNarrowsIntake(t *testing.T) {
	for _, test := range []struct {
		name, user, own string
		want            []string
		notice          string
	}{
		{"nothing", "", "", []string{"a/deep/n.md", "a/n.md", "b/n.md", "n.md"}, ""},
		{"folders of the vault", "", `folders = ["a"]`, []string{"a/deep/n.md", "a/n.md"}, ""},
		{"an empty list is none", `folders = ["a"]`, "folders = []", []string{"a/deep/n.md", "a/n.md"}, ""},
		{"folders do not widen", `folders = ["a/deep"]`, `folders = ["a", "b"]`, []string{"a/deep/n.md"}, ""},
		{"folders narrow", `folders = ["a", "b"]`, `folders = ["./a/deep/"]`, []string{"a/deep/n.md"}, ""},
		{"folders without any in common", `folders = ["a"]`, `folders = ["b"]`, nil, "none in common"},
		{"! of the vault", `ignore = ["a/"]`, `ignore = ["!a/", "!a/n.md"]`, []string{"b/n.md", "n.md"}, ""},
		{"! of the vault takes its own back", "", `ignore = ["n.md", "!b/n.md"]`, []string{"b/n.md"}, ""},
		{"! of the vault takes templates back", "", `ignore = ["!templates/"]`, []string{"a/deep/n.md", "a/n.md", "b/n.md", "n.md", "templates/t.md"}, ""},
		{"! of the user", `ignore = ["!b/n.md"]`, `ignore = ["n.md"]`, []string{"b/n.md"}, ""},
		{"data files of the vault", "", "data_files = true", []string{"a/deep/n.md", "a/n.md", "b/n.md", "d.json", "n.md"}, ""},
		{"data files that the user does not want", "data_files = false", "data_files = true", []string{"a/deep/n.md", "a/n.md", "b/n.md", "n.md"}, "data_files = true is ignored"},
		{"data files that the vault does not want", "data_files = true", "data_files = false", []string{"a/deep/n.md", "a/n.md", "b/n.md", "n.md"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHome(t)
			for _, name := range []string{"n.md", "a/n.md", "a/deep/n.md", "b/n.md", "templates/t.md"} {
				h.put(name, "# "+name+"\n\nkiln\n")
			}
			h.put("d.json", `{"kiln": 1}`)
			h.put(h.config, test.user)
			h.put(".quarry.toml", test.own)
			got, talk := h.paths()
			if !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q: %s", got, test.want, talk)
			}
			if test.notice == "" && strings.Contains(talk, "ignored") || !strings.Contains(talk, test.notice) {
				t.Errorf("wrote %s", talk)
			}
		})
	}
}

// What is laxer in a vault's own file does not count, and that is told.
func TestVaultCannotRelax(t *testing.T) {
	for _, test := range []struct{ user, own, note, notice string }{
		{"", "[sensitivity]\ndefault = \"public\"", "", `sensitivity.default = "public" is ignored`},
		{"[sensitivity]\ndefault = \"private\"", "[sensitivity]\ndefault = \"internal\"", "", `sensitivity.default = "internal" is ignored`},
		{"[sensitivity]\ndefault = \"team\"\n[sensitivity.names]\nteam = \"private\"", "[sensitivity]\ndefault = \"internal\"", "", "is ignored"},
		{"[sensitivity.folders]\njournal = \"private\"", "[sensitivity.folders]\njournal = \"public\"", "", `sensitivity.folders.journal = "public" is ignored`},
		{"[sensitivity.folders]\njournal = \"private\"", "[sensitivity.folders]\n\"journal/Old days\" = \"internal\"", "", `sensitivity.folders."journal/Old days" = "internal" is ignored`},
		{"", "[sensitivity.names]\nconfidential = \"public\"", "sensitivity: confidential", `sensitivity.names.confidential = "public" is ignored: your configuration does not know the name`},
		{"[sensitivity.names]\nhush = \"secret\"", "[sensitivity.names]\nHush = \"private\"", "sensitivity: hush", `sensitivity.names.Hush = "private" is ignored: your configuration says secret`},
		{"[sensitivity]\nproperty = \"class\"\ndefault = \"private\"", "[sensitivity]\nproperty = \"visibility\"", "visibility: public", ""},
	} {
		h := newHome(t)
		h.put(h.config, test.user)
		h.put(".quarry.toml", test.own)
		note := ""
		if test.note != "" {
			note = "---\n" + test.note + "\n---\n"
		}
		h.put("journal/n.md", note+"# N\n\nkiln\n")
		paths, talk := h.paths("--audience", "client")
		if isLax := test.note == "" && test.user == ""; (len(paths) > 0) != isLax || !strings.Contains(talk, test.notice) {
			t.Errorf("%q under %q: %q, %s", test.own, test.user, paths, talk)
		}
	}
}

// Each file may hold as many patterns as a filter takes. Where both have too many, the user's count.
func TestManyPatterns(t *testing.T) {
	patterns := func(name string, count int) string {
		text := "[redaction]\npatterns = [\n"
		for i := range count {
			text += fmt.Sprintf("{name = \"%s-%d\", pattern = \"%s-%d-[0-9]{4}\"},\n", name, i, name, i)
		}
		return text + "]\n"
	}
	h := newHome(t)
	h.put(h.config, patterns("mine", 40))
	h.put(".quarry.toml", patterns("theirs", 40))
	code, out, talk := h.run("mine-39-1234 theirs-0-1234 theirs-39-1234", "redact")
	if code != 0 || out != "[REDACTED:mine-39] [REDACTED:theirs-0] theirs-39-1234" || !strings.Contains(talk, "16 patterns left out") {
		t.Errorf("exit code %d, %s%s", code, out, talk)
	}
	h.put(h.config, patterns("mine", 64))
	code, out, talk = h.run("mine-63-1234 theirs-0-1234", "redact")
	if code != 0 || !strings.HasPrefix(out, "[REDACTED:mine-63] ") || !strings.Contains(talk, "40 patterns left out") {
		t.Errorf("exit code %d, %s%s", code, out, talk)
	}
}

// Whoever set QUARRY_AUDIENCE=client has chosen the vault, the configuration and the files, too.
func TestClientChoosesNothing(t *testing.T) {
	h := newHome(t)
	h.put(h.config, "[sensitivity.folders]\njournal = \"private\"\n")
	h.put("open.md", "# Open\n\nkiln open\n")
	h.put("journal/day.md", "# Day\n\nkiln day\n")
	other := filepath.Join(h.places, "other.toml")
	h.put(other, "unknown_key = 1\n")
	golden := filepath.Join(h.vault, "journal", "day.md")
	h.run("", "index")
	h.environment["QUARRY_AUDIENCE"] = "client"
	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"ls", "--vault", filepath.Join(h.vault, "journal")}, "--vault is refused"},
		{[]string{"ls", "--config", other}, "--config is refused"},
		{[]string{"redact", "--config", other}, "--config is refused"},
		{[]string{"redact", "--vault", filepath.Join(h.vault, "journal")}, "--vault is refused"},
		{[]string{"mcp", "--vault", filepath.Join(h.vault, "journal")}, "--vault is refused"},
		{[]string{"eval", golden}, "eval is for the owner"},
		{[]string{"embed", "--model", filepath.Join(h.vault, "journal")}, "folders are not read for clients"},
		{[]string{"redact", golden}, "files are not read for clients"},
		{[]string{"redact", "--hashes", golden}, "files are not read for clients"},
	} {
		code, out, talk := h.runPlain("", test.arguments...)
		if code != 1 || out != "" || !strings.Contains(talk, test.want) || strings.Contains(talk, "unknown_key") || strings.Contains(talk, "kiln") {
			t.Errorf("%q: exit code %d, %s%s", test.arguments, code, out, talk)
		}
	}
	for _, arguments := range [][]string{
		{"ls"},
		{"ls", "--vault", h.vault, "--config", h.config},
		{"ls", "--vault", filepath.Join(h.vault, "journal", "..")},
	} {
		code, out, talk := h.runPlain("", arguments...)
		if code != 0 || !strings.Contains(out, "open.md") || strings.Contains(out, "day") {
			t.Errorf("%q: exit code %d, %s%s", arguments, code, out, talk)
		}
	}
}

// Patterns of the vault are looked for in notes, and rewrite nothing that the program says by itself.
func TestVaultPatternsSpareTheFrame(t *testing.T) {
	h := newHome(t)
	h.put("n.md", "# N\n\nkiln file_path oven-123456\n")
	plain := map[string]string{}
	commands := [][]string{{"context", "kiln"}, {"search", "kiln", "--json"}, {"graph"}, {"ls", "--json"}, {"status"}, {"links", "n"}}
	read := func(command []string) string {
		_, out, talk := h.run("", command...)
		return out + talk
	}
	h.run("", "index")
	for _, command := range commands {
		plain[command[0]] = read(command)
	}
	h.put(".quarry.toml", "[redaction]\npatterns = [\n"+
		`{name = "a", pattern = "file_path"}, {name = "b", pattern = "What follows"}, {name = "c", pattern = "~~~~*"}, {name = "d", pattern = "belongs_to"},`+
		`{name = "e", pattern = "results"}, {name = "f", pattern = "notes"}, {name = "g", pattern = "oven-[0-9]+"}]`+"\n")
	h.run("", "index")
	for _, command := range commands {
		want := strings.NewReplacer("oven-123456", "[REDACTED:g]", "kiln file_path", "kiln [REDACTED:a]").Replace(plain[command[0]])
		got := read(command)
		if command[0] == "status" { // it counts what was found
			want, got = want[:strings.Index(want, "secrets")], got[:strings.Index(got, "secrets")]
		}
		if command[0] == "search" {
			want, got = beforeScores(want), beforeScores(got)
		}
		if got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", command[0], got, want)
		}
	}
}

// beforeScores is the document of a search up to its figures, which a marker may change.
func beforeScores(document string) string {
	before, _, _ := strings.Cut(document, `"score"`)
	return before
}

package cli_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quarry/internal/cli"
)

// fences gives the fenced pieces of a document in one language.
func fences(t *testing.T, path, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		list = append(list, m[1])
	}
	return list
}

// protected is a vault and a user's configuration as docs/configuration.md shows it.
func protected(t *testing.T) *home {
	t.Helper()
	h := newHome(t)
	configuration := ""
	for _, fence := range fences(t, "docs/configuration.md", "toml") {
		if strings.HasPrefix(fence, "[") {
			configuration += fence
		}
	}
	h.put(h.config, configuration)
	h.put("meta/types.yaml", "types:\n  project:\n    edge_defaults: [depends_on]\n")
	h.put("Deployment.md", "# Deployment\n\nThe retry policy. badge-123456, badge-000000, door code: 4711, token "+sample+"\n")
	h.put("journal/day.md", "# Day\n\nA retry policy for breakfast.\n")
	h.put("02-areas/Health/teeth.md", "# Teeth\n\nA retry policy for teeth.\n")
	h.put("plan.md", "---\nsensitivity: Confidential\n---\n# Plan\n\nThe retry policy of the plan.\n")
	h.put("team.md", "---\nsensitivity: team\n---\n# Team\n\nThe retry policy of the team.\n")
	h.put("odd.md", "---\nsensitivity: hush\n---\n# Odd\n\nThe odd retry policy.\n")
	return h
}

// TestConfigurationExamples holds the tables that docs/configuration.md shows to what it says of them.
func TestConfigurationExamples(t *testing.T) {
	h := protected(t)
	if code, _, talk := h.run("", "index"); code != 0 || !strings.Contains(talk, "3 secrets in 1 note were kept out") {
		t.Fatalf("exit code %d, %s", code, talk)
	}
	_, out, _ := h.run("", "get", "Deployment.md")
	if !strings.HasSuffix(strings.TrimSpace(out), "The retry policy. [REDACTED:staff-badge], badge-000000, door code: [REDACTED:door-code], token [REDACTED:github-token]") {
		t.Errorf("redacted: %s", out)
	}
	_, out, _ = h.run("", "status", "--json")
	if !strings.Contains(out, `"sensitivity":{"public":0,"internal":2,"private":3,"secret":1}`) {
		t.Errorf("classes: %s", out)
	}
	_, out, _ = h.run("", "ls", "--audience", "client")
	for name, told := range map[string]bool{"Deployment.md": true, "team.md": true, "plan.md": false, "odd.md": false, "day.md": false, "teeth.md": false} {
		if strings.Contains(out, name) != told {
			t.Errorf("a client sees %s: %v, want %v", name, !told, told)
		}
	}
}

// TestConfigurationCommands runs the command lines that docs/configuration.md shows.
func TestConfigurationCommands(t *testing.T) {
	h := protected(t)
	ran := 0
	for _, fence := range fences(t, "docs/configuration.md", "sh") {
		for line := range strings.Lines(fence) {
			environment := map[string]string{"QUARRY_VAULT": h.vault, "QUARRY_DB": filepath.Join(h.places, "index.db"), "XDG_CONFIG_HOME": h.places}
			words := strings.Fields(line)
			for len(words) > 0 && strings.Contains(words[0], "=") {
				name, value, _ := strings.Cut(words[0], "=")
				environment[name], words = value, words[1:]
			}
			var out, talk bytes.Buffer
			io := streams(&out, &talk)
			io.WorkDir, io.Env = h.vault, func(name string) string { return environment[name] }
			if code := cli.Run(t.Context(), append(words[1:], "--config", h.config), io); words[0] != "quarry" || code != 0 || strings.TrimSpace(out.String()) == "" {
				t.Errorf("%s: exit code %d, %s%s", line, code, out.String(), talk.String())
			}
			if strings.Contains(out.String(), "breakfast") || strings.Contains(out.String(), sample) {
				t.Errorf("%s: %s", line, out.String())
			}
			ran++
		}
	}
	if ran < 3 {
		t.Errorf("%d lines ran", ran)
	}
}

// TestDocsCommands runs the command lines that documents show, on the example vault.
func TestDocsCommands(t *testing.T) {
	for path, least := range map[string]int{"docs/links.md": 12, "docs/searching.md": 40} {
		t.Run(path, func(t *testing.T) {
			environment := map[string]string{"QUARRY_DB": filepath.Join(t.TempDir(), "index.db"), "XDG_CONFIG_HOME": t.TempDir()}
			ran := 0
			for _, fence := range fences(t, path, "sh") {
				for line := range strings.Lines(fence) {
					if line = strings.TrimSpace(line); line == "export QUARRY_VAULT=examples/vault" {
						environment["QUARRY_VAULT"] = "examples/vault"
						continue
					}
					runShown(t, line, environment)
					ran++
				}
			}
			if ran < least {
				t.Errorf("%d lines ran", ran)
			}
		})
	}
}

// runShown runs a command line of a document at the root of the repository: it finds something, unless a remark behind it says that
// nothing is relevant.
func runShown(t *testing.T, shown string, environment map[string]string) {
	t.Helper()
	line, remark, _ := strings.Cut(shown, "#  ")
	line, _, _ = strings.Cut(line, " | ")
	line, _, _ = strings.Cut(line, " > ")
	var arguments []string
	for _, word := range exampleWord.FindAllString(line, -1) {
		if quote := word[0]; quote == '"' || quote == '\'' {
			word = strings.Trim(word, string(quote))
		}
		arguments = append(arguments, word)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	var out, talk bytes.Buffer
	io := streams(&out, &talk)
	io.WorkDir, io.Env = root, func(name string) string { return environment[name] }
	code := cli.Run(t.Context(), arguments[1:], io)
	isEmpty := strings.TrimSpace(out.String()) == "" || foundNone.MatchString(talk.String()) && !strings.Contains(line, "--all")
	if arguments[0] != "quarry" || code != 0 || isEmpty != (remark == "nothing relevant") {
		t.Errorf("%s: exit code %d, %s%s", shown, code, out.String(), talk.String())
	}
}

// TestSecurityNamesTests asks that every test which SECURITY.md names is there.
func TestSecurityNamesTests(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(source), -1) {
			known[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)[/`]").FindAllStringSubmatch(string(text), -1)
	for _, m := range named {
		if !known[m[1]] {
			t.Errorf("SECURITY.md names %s, which is no test", m[1])
		}
	}
	if len(named) < 20 {
		t.Errorf("SECURITY.md names %d tests", len(named))
	}
}

// TestDocsCountRules holds the numbers of the documents to the program.
func TestDocsCountRules(t *testing.T) {
	h := newHome(t)
	_, out, _ := h.run("", "redact", "--rules")
	if count := strings.Count(out, "\n"); count <= 900 || count >= 1000 {
		t.Errorf("%d rules, and the documents say more than 900", count)
	}
	for _, path := range []string{"README.md", "docs/secrets.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.ToLower(string(text)), "more than 900 rules") {
			t.Errorf("%s does not say how many rules there are", path)
		}
	}
}

// TestHelpListsAllKeys holds the page of help to the table of docs/configuration.md.
func TestHelpListsAllKeys(t *testing.T) {
	h := newHome(t)
	_, help, _ := h.runPlain("", "help", "configuration")
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"vault", "db", "model", "folders", "ignore", "max_file_mb", "dialect", "data_files", "fusion", "weak", "nothing", "per_note", "[search.signals]", "title", "[search.half_life_days]", "file", "overrides", "patterns", "off", "allow",
		"property", "default", "[sensitivity.folders]", "[sensitivity.names]", "[blocks.NAME]", "query", "filters", "max_tokens", "ttl_hours", "[session]", "block_tokens", "[capture]", "[intake]", "ledger", "attachments",
	} {
		if !strings.Contains(help, "\n  "+key) || !strings.Contains(string(text), key) {
			t.Errorf("%s is not told of", key)
		}
	}
}

// TestVaultIsNotWritten runs every command and looks at each file and folder of the vault before and after.
func TestVaultIsNotWritten(t *testing.T) {
	h := protected(t)
	h.put(".obsidian/app.json", "{}")
	h.put("queries.jsonl", `{"id":"1","query":"policy","expected":[{"path":"team.md","grade":1}]}`+"\n")
	state := func() string {
		var all strings.Builder
		err := filepath.WalkDir(h.vault, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			fmt.Fprintln(&all, path, info.Mode(), info.Size(), info.ModTime().UnixNano())
			if entry.IsDir() {
				return nil
			}
			content, err := os.ReadFile(path)
			all.Write(content)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all.String()
	}
	before := state()
	ran := map[string]bool{
		"capture": true, // writes one new note: TestCaptureWritesOneNote
		"init":    true, // writes new files alone: TestLay
		"import":  true, // writes new notes: import.txtar
		"intake":  true, // writes notes of signals; what only tells runs below
		"watch":   true, // runs what index does, and does not end by itself
	}
	for _, arguments := range [][]string{
		{"index"},
		{"index", "--full"},
		{"search", "policy"},
		{"context", "policy"},
		{"get", "team.md"},
		{"ls"},
		{"links", "team.md"},
		{"links", "--unresolved"},
		{"links", "--related", "--hops", "3", "team.md"},
		{"graph"},
		{"graph", "--stats"},
		{"doctor"},
		{"parse", "team.md"},
		{"chunks", "team.md"},
		{"redact", "team.md"},
		{"compress"},
		{"embed"},
		{"block"},
		{"status"},
		{"mcp"},
		{"eval", filepath.Join(h.vault, "queries.jsonl")},
		{"setup"},
		{"setup", "--status"},
		{"hook", "run", "UserPromptSubmit"},
		{"hook", "explain", "UserPromptSubmit"},
		{"intake"},
		{"intake", "stats"},
		{"intake", "score", filepath.Join(h.vault, "team.md")},
		{"intake", "route", "--dry-run"},
		{"intake", "review"},
		{"intake", "log"},
		{"intake", "learned"},
		{"intake", "feeds"},
		{"intake", "feeds", "export"},
		{"intake", "fetch"},
		{"version"},
		{"help"},
		{"completion", "bash"},
		{"completion", "zsh"},
		{"completion", "fish"},
		{"completion", "powershell"},
	} {
		if code, _, talk := h.runPlain("", arguments...); code != 0 {
			t.Errorf("%q: exit code %d, %s", arguments, code, talk)
		}
		ran[arguments[0]] = true
		if after := state(); after != before {
			t.Errorf("%q changed the vault:\n%s\n%s", arguments, before, after)
		}
	}
	h.listen([]string{"serve", "--addr", "127.0.0.1:0"}, func(own string) {
		if status, text := get(t, own+"/api/search?query=policy"); status != 200 {
			t.Errorf("serve: %d %s", status, text)
		}
	})
	ran["serve"] = true
	if after := state(); after != before {
		t.Errorf("serve changed the vault:\n%s\n%s", before, after)
	}
	for _, command := range cli.CommandPaths() {
		if !ran[strings.Fields(command)[0]] {
			t.Errorf("no row runs `quarry %s`", command)
		}
	}
}

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quarry/internal/cli"
)

var (
	listedCommand = regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`)
	// exampleWord is a word of a command line, in quotes or not.
	exampleWord = regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s"']+`)
	// writesOrStays are commands that write other files than the index, or do not end.
	writesOrStays = regexp.MustCompile(`^quarry (mcp|serve|watch|capture|setup|hook|init|intake|import)\b`)
	pipedText     = regexp.MustCompile(`^echo '(.*)' \| `)
	nothing       = regexp.MustCompile(`"(results|notes|nodes|back|out|chunks)":\[\]\}`)
	foundNone     = regexp.MustCompile(`Nothing found|nothing relevant|do not seem to speak|No note matches|No links|No dead links|match is weak|in no note`)
)

// examplesOf gives the lines of help that show a command.
func examplesOf(t *testing.T, command string) []string {
	t.Helper()
	var out, talk bytes.Buffer
	if code := cli.Run(t.Context(), append(strings.Fields(command), "--help"), streams(&out, &talk)); code != 0 {
		t.Fatalf("%s --help: exit code %d, %s", command, code, talk.String())
	}
	_, rest, _ := strings.Cut(out.String(), "\nExamples:\n")
	var lines []string
	for line := range strings.SplitSeq(rest, "\n") {
		if strings.TrimSpace(line) == "" {
			break
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// configWithBlock is a configuration folder with the block that help speaks of.
func configWithBlock(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("AppData", dir) // what Windows goes by
	if err := os.Mkdir(filepath.Join(dir, "quarry"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "quarry", "config.toml"), []byte("[blocks.conventions]\nquery = \"how refresh tokens rotate\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestHelpExamples runs every example of help that names nothing but notes and quarry itself: all find something in the
// example vault. "~/notes" stands for it.
func TestHelpExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("one call after another: nothing in it can race that shorter tests do not")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	vault := filepath.Join(root, "examples", "vault")
	environment := map[string]string{"QUARRY_VAULT": vault, "QUARRY_DB": filepath.Join(t.TempDir(), "index.db"), "XDG_CONFIG_HOME": configWithBlock(t)}
	var help, talk bytes.Buffer
	cli.Run(t.Context(), []string{"--help"}, streams(&help, &talk))
	commands, ran := []string{""}, 0
	for _, m := range listedCommand.FindAllStringSubmatch(help.String(), -1) {
		if m[1] != "completion" && m[1] != "help" {
			commands = append(commands, m[1])
		}
	}
	run := func(line string) {
		streams := cli.IO{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Env: func(name string) string { return environment[name] }, WorkDir: root}
		streams.In = strings.NewReader("")
		if m := pipedText.FindStringSubmatch(line); m != nil {
			line, streams.In = line[len(m[0]):], strings.NewReader(m[1]+"\n")
		}
		line, _, _ = strings.Cut(line, " | ")
		line, _, _ = strings.Cut(line, " > ")
		line, _, _ = strings.Cut(line, "   ") // what it does
		line = strings.ReplaceAll(line, "~/notes", `"`+filepath.ToSlash(vault)+`"`)
		if strings.ContainsAny(line, "<~") || strings.Contains(line, "golden.jsonl") || !strings.HasPrefix(line, "quarry ") || writesOrStays.MatchString(line) || strings.HasPrefix(line, "quarry redact") && strings.Contains(line, "*") {
			return
		}
		var arguments []string
		for _, word := range exampleWord.FindAllString(line, -1)[1:] {
			arguments = append(arguments, strings.Trim(word, `"'`))
		}
		code := cli.Run(t.Context(), arguments, streams)
		out, talk := streams.Out.(*bytes.Buffer).String(), streams.Err.(*bytes.Buffer).String()
		if code != 0 || strings.TrimSpace(out) == "" || nothing.MatchString(out) || foundNone.MatchString(talk) {
			t.Errorf("%s: exit code %d, %.200s\n%s", line, code, out, talk)
		}
		ran++
	}
	run("quarry index")
	for _, command := range commands {
		for _, line := range examplesOf(t, command) {
			run(line)
		}
	}
	for _, address := range []string{
		`02-areas/Operations/Backups.md`, `Backups`, `"Refresh token rotation"`, `"Backups#The drill"`, `"Backups#Backups#The check"`,
		`"Refresh token rotation#^one-use"`, `Backups:20:5`, `"#0cc19e"`, `"02-areas/*/*.md"`,
	} {
		var get bytes.Buffer
		cli.Run(t.Context(), []string{"get", "--help"}, streams(&get, &talk))
		if !strings.Contains(get.String(), "  "+address) {
			t.Errorf("the help of get does not show %s", address)
		}
		run("quarry get " + address)
	}
	if ran < 25 {
		t.Errorf("%d examples ran", ran)
	}
}

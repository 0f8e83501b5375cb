package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry/internal/cli"
)

// home is a vault, a configuration and an index, each in its own place.
type home struct {
	t                     *testing.T
	vault, config, places string
	environment           map[string]string
	terminal              bool // standard input is one
}

func newHome(t *testing.T) *home {
	t.Helper()
	h := &home{t: t, vault: t.TempDir(), places: t.TempDir()}
	h.environment = map[string]string{"QUARRY_VAULT": h.vault, "XDG_CONFIG_HOME": h.places, "XDG_DATA_HOME": h.places}
	t.Setenv("AppData", h.places) // what Windows goes by
	h.config = filepath.Join(h.places, "quarry", "config.toml")
	h.put(h.config, "")
	return h
}

func (h *home) put(path, text string) {
	h.t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.vault, filepath.FromSlash(path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) run(input string, arguments ...string) (code int, out, talk string) {
	h.t.Helper()
	return h.runPlain(input, append(arguments, "--vault", h.vault, "--config", h.config)...)
}

// runPlain leaves the vault and the configuration to the environment.
func (h *home) runPlain(input string, arguments ...string) (code int, out, talk string) {
	h.t.Helper()
	var stdout, stderr bytes.Buffer
	io := streams(&stdout, &stderr)
	io.OutTerminal, io.In, io.WorkDir = false, strings.NewReader(input), h.places
	io.Env, io.InTerminal = func(name string) string { return h.environment[name] }, h.terminal
	code = cli.Run(h.t.Context(), append(arguments, "--db", filepath.Join(h.places, "index.db")), io)
	return code, stdout.String(), stderr.String()
}

// sample is a made-up credential, put together so that this file holds none.
var sample = "ghp" + "_" + strings.Repeat("aB3dE5", 6)

// A mistake in the tables is told with its file, its line and its key, and what would be right.
func TestProtectionMistakes(t *testing.T) {
	for _, test := range []struct{ text, line, want, hint string }{
		{"[redaction]\noff = [\"no-such-rule\"]", ":2: redaction.off, entry 1: ", "no rule has this name", "redact --rules"},
		{"[redaction]\noff = [\n\n  \"no-such-rule\"]", ":4: redaction.off, entry 1: ", "", ""},
		{"[redaction]\nallow = [\"xyz\"]", ":2: redaction.allow, entry 1: ", "", "--hashes"},
		{"[[redaction.patterns]]\nname = \"a\"\npattern = \"kiln-[0-9]+\"\n[[redaction.patterns]]\nname = \"b\"\npattern = \"(\"", ":6: redaction.patterns, entry 2, pattern: ", "missing closing )", "syntax"},
		{"[redaction]\npatterns = [{name = \"a\", pattern = \".*\"}]", ":2: redaction.patterns, entry 1, pattern: ", "", ""},
		{"[redaction]\npatterns = [{nam = \"a\"}]", ":2: redaction.patterns, entry 1, nam: ", "there is no such key", "did you mean name?"},
		{"[redaction]\npatterns = [{name = \"a\"}]", ":2: redaction.patterns, entry 1: ", "there is no pattern", "such as pattern ="},
		{"[[redaction.patterns]]\npattern = \"kiln-1\"", ":1: redaction.patterns, entry 1: ", "there is no name", "such as name ="},
		{"[redaction]\npatterns = [\n {name = \"a\", pattern = \"kiln-1\"},\n {name = \"b\", pattern = \"kiln-2\", keywords = \"kiln\"}]", ":4: redaction.patterns, entry 2, keywords: ", "it takes a list of texts", "docs"},
		{"[redaction]\npatterns = [{name = \"a\", pattern = \"kiln-\\d\"}]", ":2: ", "in double quotes begins an escape", "docs"},
		{"[redaction]\npatterns = [{name = \"a\", pattern = \"kiln-[0-9]{6\"}]", ":2: redaction.patterns, entry 1, pattern: ", "no closing brace", "close the brace"},
		{"[redaction]\npaterns = []", ":2: redaction.paterns: ", "there is no such key", "did you mean patterns?"},
		{"[redacton]\noff = []", ":1: redacton: ", "there is no such key", "did you mean redaction?"},
		{"off = []", ":1: off: ", "there is no such key", "in the table [redaction]"},
		{"[redaction]\noff = [\"REDACTED:github-token\"]", ":2: redaction.off, entry 1: ", "it is a marker", `"github-token"`},
		{"[redaction]\noff = [\"[REDACTED:github-token]\"]", ":2: redaction.off, entry 1: ", "it is a marker", `"github-token"`},
		{"[redaction]\noff = [\"mine\"]\npatterns = [{name = \"mine\", pattern = \"kiln-1\"}]", ":2: redaction.off, entry 1: ", "a pattern of this file", "take the pattern"},
		{"[redaction]\noff = [\"aws\"]", ":2: redaction.off, entry 1: ", "no rule", "did you mean aws-"},
		{"max_file_mb = 0", ":1: max_file_mb: ", "0 is out of range", "1 to 1024"},
		{"\ndialect = \"org\"", ":2: dialect: ", `no dialect "org"`, "obsidian"},
		{"[sensitivity]\nproperty = \"\"", ":2: sensitivity.property: ", "needs a name", "leave the key out"},
		{"[sensitivity.names]\nPrivate = \"public\"", ":2: sensitivity.names.Private: ", "private is a class itself", "leave their own"},
		{"[sensitivity.folders]\n02-areas/Health = \"secret\"", ":2: ", "in quotes", "docs"},
		{"[sensitivity.folders]\nMy things = \"secret\"", ":2: ", "in quotes", "docs"},
		{"vault = ~/notes", ":1: ", "a text stands in quotes", "docs"},
		{"[redaction]\noff = \"a\"", ":2: ", "redaction.off takes a list of texts", "docs/configuration.md"},
		{"redaction = 1", ":1: ", "redaction takes a table", ""},
		{"\n[sensitivity]\ndefault = \"hidden\"", ":3: sensitivity.default: ", `there is no class "hidden"`, "public, internal, private, secret"},
		{"[sensitivity.folders]\nok = \"private\"\njournal = \"hidden\"", ":3: sensitivity.folders.journal: ", `there is no class "hidden"`, "public"},
		{"[sensitivity.folders]\n\"j*\" = \"private\"", ":2: sensitivity.folders.\"j*\": ", "it is a pattern", "below the vault"},
		{"[sensitivity.folders]\n\"../x\" = \"private\"", ":2: sensitivity.folders.\"../x\": ", "it lies outside", "below the vault"},
		{"[sensitivity.names]\nconfidential = \"hidden\"", ":2: sensitivity.names.confidential: ", `there is no class "hidden"`, "public"},
		{"[sensitivity]\nfolders = [\"a\"]", ":2: ", "sensitivity.folders takes a table", ""},
	} {
		h := newHome(t)
		for _, path := range []string{h.config, filepath.Join(h.vault, ".quarry.toml")} {
			h.put(path, test.text)
			code, _, talk := h.run("", "ls")
			if code != 1 || !strings.Contains(talk, filepath.Base(path)+test.line) || !strings.Contains(talk, test.want) || !strings.Contains(talk, "\nhint: ") || !strings.Contains(talk, test.hint) {
				t.Errorf("%q in %s: exit code %d, %s", test.text, filepath.Base(path), code, talk)
			}
			h.put(path, "")
		}
	}
}

// The vault's own file makes things stricter, and never laxer.
func TestVaultTightens(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "# A\n\nkiln "+sample+" and oven-123456\n")
	h.put(".quarry.toml", "[redaction]\noff = [\"github-token\"]\npatterns = [{name = \"oven-number\", pattern = \"oven-[0-9]{6}\"}]\n")
	code, out, talk := h.run("", "get", "a.md")
	if code != 0 || strings.Contains(out, sample) || !strings.Contains(out, "[REDACTED:oven-number]") || !strings.Contains(talk, "redaction.off is ignored") {
		t.Errorf("exit code %d, %s%s", code, out, talk)
	}
	h.put(".quarry.toml", "[sensitivity]\ndefault = \"public\"\n[sensitivity.folders]\ndiary = \"public\"\nnotes = \"private\"\n")
	h.put(h.config, "[sensitivity.folders]\ndiary = \"private\"\n")
	h.put("diary/d.md", "kiln diary\n")
	h.put("notes/n.md", "kiln notes\n")
	if _, _, talk := h.run("", "index", "--quiet"); talk != "" {
		t.Error(talk)
	}
	_, out, _ = h.run("", "status", "--json")
	if !strings.Contains(out, `"sensitivity":{"public":0,"internal":1,"private":2,"secret":0}`) {
		t.Errorf("classes: %s", out)
	}
	_, out, talk = h.run("", "ls", "--audience", "client")
	if strings.TrimSpace(out) == "" || strings.Contains(out, "diary") || strings.Contains(out, "notes/") {
		t.Errorf("a client sees %s%s", out, talk)
	}
}

// The hash that redact prints is the one that the configuration lets through, and no value is ever printed.
func TestHashesAndAllow(t *testing.T) {
	h := newHome(t)
	text := "one\ntwo " + sample + "\nthree\n\nlogin " + sample + "x9\n"
	code, out, _ := h.run(text, "redact", "--hashes")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 2 || !strings.HasSuffix(lines[0], "  line 2  github-token") || !strings.Contains(lines[1], "  line 5  ") || strings.Contains(out, sample[:20]) {
		t.Fatalf("exit code %d, %s", code, out)
	}
	hash := lines[0][:strings.IndexByte(lines[0], ' ')]
	_, out, _ = h.run(text, "redact", "--hashes", "--json")
	if !strings.Contains(out, `{"findings":[{"name":"github-token","line":2,"hash":"`+hash+`"}`) {
		t.Errorf("JSON: %s", out)
	}
	h.put(h.config, "[redaction]\nallow = [\""+hash+"\"]\n")
	if _, out, _ = h.run(text, "redact"); !strings.Contains(out, "two "+sample+"\n") || !strings.Contains(out, "login [REDACTED:") {
		t.Errorf("allowed: %s", out)
	}
	h.put(h.config, "")
	h.put(".quarry.toml", "[redaction]\nallow = [\""+hash+"\"]\n")
	if _, out, talk := h.run(text, "redact"); strings.Contains(out, sample) || !strings.Contains(talk, ".quarry.toml: redaction.allow is ignored") {
		t.Errorf("allowed by the vault: %s%s", out, talk)
	}
	h.put(".quarry.toml", "")
	if _, out, talk := h.run("nothing", "redact", "--hashes"); out != "" || !strings.Contains(talk, "Nothing was found") {
		t.Errorf("%s%s", out, talk)
	}
	h.put(h.config, "[redaction]\noff = [\"github-token\"]\n")
	if _, out, _ = h.run("token "+sample, "redact", "--hashes"); strings.Contains(out, "github-token") {
		t.Errorf("switched off: %s", out)
	}
}

// Whoever sets QUARRY_AUDIENCE=client keeps those to it who choose the flags.
func TestAudience(t *testing.T) {
	h := newHome(t)
	h.put("open.md", "# Open\n\nkiln open\n")
	h.put("diary.md", "---\nsensitivity: private\n---\n# Diary\n\nkiln diary [[diary]]\n")
	h.put(filepath.Join(h.places, "outside.md"), "# Outside\n\noutside of the vault\n")
	if code, _, talk := h.run("", "index"); code != 0 {
		t.Fatal(talk)
	}
	for _, test := range []struct {
		flag, environment string
		client            bool
	}{
		{"", "", false}, {"owner", "", false}, {"owner", "owner", false}, {"", "client", true}, {"owner", "client", true}, {"client", "", true}, {"client", "owner", true},
	} {
		h.environment["QUARRY_AUDIENCE"] = test.environment
		for _, command := range [][]string{
			{"ls"},
			{"search", "diary"},
			{"get", "**"},
			{"context", "diary"},
			{"graph"},
			{"links", "diary.md"},
			{"parse", "diary.md"},
			{"chunks", "diary.md"},
			{"get", "diary.md"},
			{"redact", filepath.Join(h.vault, "diary.md")},
			{"parse", filepath.Join(h.vault, "diary.md")},
			{"parse", "../" + filepath.Base(h.vault) + "/diary.md"},
		} {
			if test.flag != "" {
				command = append(command, "--audience", test.flag)
			}
			code, out, talk := h.run("", command...)
			told := strings.Contains(strings.ToLower(out), "diary")
			if command[0] == "context" || command[0] == "search" {
				told = strings.Contains(out, "kiln diary")
			}
			if told && test.client || !told && !test.client && !strings.HasPrefix(command[len(command)-1], "..") && code == 0 {
				t.Errorf("flag %q, environment %q: %q: exit code %d, %s%s", test.flag, test.environment, command, code, out, talk)
			}
		}
	}
	h.environment["QUARRY_AUDIENCE"] = "client"
	if code, out, talk := h.run("", "parse", filepath.Join(h.places, "outside.md")); code != 1 || out != "" || !strings.Contains(talk, "outside of the vault") {
		t.Errorf("outside: exit code %d, %s%s", code, out, talk)
	}
	h.environment["QUARRY_AUDIENCE"] = "everybody"
	if code, _, talk := h.run("", "ls"); code != 2 || !strings.Contains(talk, `QUARRY_AUDIENCE takes owner or client, not "everybody"`) {
		t.Errorf("exit code %d, %s", code, talk)
	}
}

// MCP answers a client, whatever the flag says.
func TestMCPAnswersClients(t *testing.T) {
	h := newHome(t)
	h.put("open.md", "# Open\n\nkiln open\n")
	h.put("diary.md", "---\nsensitivity: private\n---\n# Diary\n\nkiln diary\n")
	h.run("", "index")
	session := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":"kiln"}}}
`
	_, out, talk := h.run(session, "mcp", "--audience", "owner")
	if !strings.Contains(out, "open.md") || strings.Contains(strings.ToLower(out), "diary") {
		t.Errorf("%s%s", out, talk)
	}
}

// Completion runs in the owner's shell without being asked: it names no note and no value of one.
func TestCompletionNamesNoNotes(t *testing.T) {
	h := newHome(t)
	h.put("zebra.md", "---\ntags: [zebra]\ntype: zebra\n---\n# Zebra\n\nzebra\n")
	h.run("", "index")
	for _, command := range cli.CommandPaths() {
		for _, last := range []string{"", "z", "--tag=z", "--"} {
			var out, talk bytes.Buffer
			io := streams(&out, &talk)
			io.WorkDir = h.vault
			io.Env = func(name string) string {
				return map[string]string{"QUARRY_VAULT": h.vault, "QUARRY_DB": filepath.Join(h.places, "index.db")}[name]
			}
			cli.Run(t.Context(), append(append([]string{"__complete"}, strings.Fields(command)...), last), io)
			if strings.Contains(strings.ToLower(out.String()+talk.String()), "zebra") || out.Len() == 0 {
				t.Errorf("%s %s: %s%s", command, last, out.String(), talk.String())
			}
		}
	}
}

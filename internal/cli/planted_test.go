package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quarry/internal/cli"
	"quarry/internal/compress"
)

// planted is a vault with a credential in every place, and a home of its own for all that the program writes.
type planted struct {
	*planter
	t           *testing.T
	vault, home string
	environment map[string]string
	ran         map[string]bool // commands
	markers     int             // in all that was written
}

func plantVault(t *testing.T, turn int) *planted {
	t.Helper()
	base := t.TempDir()
	p := &planted{planter: newPlanter(turn), t: t, home: filepath.Join(base, "home"), ran: map[string]bool{}}
	p.vault = filepath.Join(base, "vault "+p.token("the vault's own name"))
	for _, name := range slices.Sorted(maps.Keys(plantedFiles)) {
		p.write(t, p.vault, name, plantedFiles[name])
	}
	p.environment = map[string]string{
		"QUARRY_VAULT": p.vault, "XDG_CACHE_HOME": filepath.Join(p.home, "cache"), "XDG_CONFIG_HOME": filepath.Join(p.home, "config"),
		"XDG_DATA_HOME": filepath.Join(p.home, "data"),
	}
	for _, dir := range []string{"cache", "config/quarry", "tmp", "inputs"} {
		if err := os.MkdirAll(filepath.Join(p.home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(p.home, "tmp"))
	return p
}

// run runs a command and looks for credentials in what it wrote; it gives the standard output.
func (p *planted) run(input string, arguments ...string) string {
	p.t.Helper()
	var out, talk bytes.Buffer
	for _, terminal := range []bool{false, true} {
		out.Reset()
		talk.Reset()
		streams := cli.IO{
			In: strings.NewReader(input), Out: &out, Err: &talk, WorkDir: p.vault, OutTerminal: terminal, ErrTerminal: terminal,
			Env: func(name string) string { return p.environment[name] }, Width: func() int { return 44 },
		}
		cli.Run(p.t.Context(), arguments, streams)
		for _, stream := range []*bytes.Buffer{&out, &talk} {
			p.look(fmt.Sprintf("quarry %.120q, terminal %v", arguments, terminal), stream.Bytes())
		}
		if out.Len()+talk.Len() == 0 {
			p.t.Errorf("quarry %.120q wrote nothing", arguments)
		}
	}
	return out.String()
}

func (p *planted) look(where string, content []byte) {
	p.t.Helper()
	p.markers += bytes.Count(content, []byte("[REDACTED:"))
	for _, place := range p.leaks(content) {
		p.t.Errorf("%s: wrote the credential of %s", where, place)
	}
}

// every runs a command in all its forms.
func (p *planted) every(command string, input string, arguments ...string) {
	p.t.Helper()
	p.ran[command] = true
	arguments = append(strings.Fields(command), arguments...)
	p.run(input, arguments...)
	if len(arguments) > 0 && arguments[0] == "mcp" {
		return
	}
	p.run(input, append([]string{"--json", "--log-level", "debug"}, arguments...)...)
}

// lookAtFiles looks at each byte below the home, names too.
func (p *planted) lookAtFiles() {
	p.t.Helper()
	files := 0
	err := filepath.WalkDir(p.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		p.look("the name of a file", []byte(entry.Name()))
		if entry.IsDir() {
			if entry.Name() == "inputs" || entry.Name() == "config" {
				return fs.SkipDir // the test's own
			}
			return nil
		}
		files++
		content, err := os.ReadFile(path)
		p.look(entry.Name(), content)
		return err
	})
	if err != nil || files == 0 {
		p.t.Errorf("%d files written, %v", files, err)
	}
}

// TestNothingSecretGetsOut plants a credential in every place a note has room for one, runs every command, and looks at
// every byte that the program wrote.
func TestNothingSecretGetsOut(t *testing.T) {
	if testing.Short() {
		t.Skip("one call after another: nothing in it can race that shorter tests do not")
	}
	p := plantVault(t, 0)
	p.every("index", "")
	p.every("index", "", "--full", "--verify")
	p.every("index", "", "--dry-run")
	p.every("status", "")
	p.queries()
	p.addresses()
	p.texts()
	p.clients()
	p.hooks()
	p.signals()
	p.mistakes()
	p.lookAtFiles()
	if p.markers < 1000 {
		t.Errorf("%d markers in all: were the places read at all?", p.markers)
	}
	for _, command := range cli.CommandPaths() {
		if !p.ran[command] {
			t.Errorf("no row runs `quarry %s`", command)
		}
	}
}

// TestEachFormInEachPlace lets the forms of credentials take turns, and asks for all that the index holds.
func TestEachFormInEachPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("one call after another: nothing in it can race that shorter tests do not")
	}
	for turn := 1; turn < credentialForms; turn++ {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			p := plantVault(t, turn)
			p.run("", "index")
			p.lookAtFiles()
			for _, command := range []string{"search -n 500 --max-tokens 200000 kiln --json", "context --max-tokens 100000 kiln", "get **", "ls -n 0", "graph", "graph --stats", "links --unresolved", "links headings.md --hops 6", "doctor --all", "status"} {
				p.run("", strings.Fields(command)...)
			}
			for _, name := range slices.Sorted(maps.Keys(plantedFiles)) {
				p.run(p.fill("input", plantedFiles[name]), "redact")
			}
		})
	}
}

// queries asks for everything, with credentials in the questions, too.
func (p *planted) queries() {
	for _, format := range []string{"text", "json", "jsonl", "csv", "md", "paths"} {
		for _, mode := range []string{"hybrid", "lexical", "vector"} {
			p.every("search", "", "--format", format, "--mode", mode, "-n", "500", "--max-tokens", "200000", "kiln")
		}
	}
	p.every("search", "", "--explain", "--refresh", "-n", "500", "kiln", p.token("the query"))
	p.every("search", "", "--explain", "password = "+p.password("the query"), "--tag", p.token("the tag asked for"), "--prop", "a="+p.token("the property asked for"))
	p.every("search", "", "--since", p.token("the day asked for"), "x")
	p.every("search", "", "--like", "headings.md", "--expand", "--all", "--explain", "-n", "500")
	p.every("search", "", "--like", p.token("the note to be like"))
	p.every("search", "", "--like", "headings.md#"+p.token("the heading to be like"), "x")
	p.every("search", "", "--fusion", p.token("the fusion asked for"), "x")
	for _, operator := range []string{"tag:", "#", "path:", "title:", "section:", "since:", "-", "unknown:"} {
		p.every("search", "", "--explain", "--all", "kiln "+operator+p.token("the query's "+operator))
	}
	p.every("search", "", "--explain", "kiln ["+p.token("the query's property")+":"+p.token("the query's value")+"] OR \""+p.token("the query's phrase")+"\"")
	p.every("search", "", "--mode", p.token("the mode asked for"), "x")
	for _, format := range []string{"markdown", "xml", "json"} {
		p.every("context", "", "--format", format, "--max-tokens", "100000", "kiln", p.token("the topic"))
	}
	p.every("ls", "", "-n", "0", "--include-archived")
	p.every("ls", "", "--sort", p.token("the order asked for"))
	p.every("ls", "", "--tag", p.token("the tag asked for"))
	for _, format := range []string{"json", "dot", "graphml"} {
		p.every("graph", "", "--format", format)
	}
	p.every("graph", "", "--format", p.token("the format asked for"))
	p.every("graph", "", "--stats")
	p.every("links", "", "--unresolved")
	p.every("links", "", "--unresolved", "--kind", p.token("the kind asked for"))
	for _, arguments := range [][]string{{}, {"--all"}, {"--only", p.token("the check asked for")}, {"--skip", p.token("the check left out")}} {
		p.every("doctor", "", arguments...)
	}
	for _, flag := range []string{"--links-to", "--linked-by"} {
		p.every("ls", "", flag, p.token("the note of "+flag))
		p.every("search", "", flag, "-"+p.token("the note not of "+flag), "kiln")
		p.every("context", "", flag, "links.md", "--hops", "6", "kiln")
	}
}

// addresses asks for every file of the vault, by its own name and by what is shown of it.
func (p *planted) addresses() {
	var list struct {
		Notes []struct {
			FilePath string `json:"file_path"`
			DocID    string `json:"docid"`
		} `json:"notes"`
	}
	if err := json.Unmarshal([]byte(p.run("", "ls", "-n", "0", "--include-archived", "--json")), &list); err != nil || len(list.Notes) < 20 {
		p.t.Fatalf("%d notes, %v", len(list.Notes), err)
	}
	p.every("get", "", "**")
	for _, n := range list.Notes {
		p.every("get", "", "#"+n.DocID)
		p.every("links", "", n.FilePath)
		p.every("links", "", "--hops", "6", "--related", "--max-tokens", "300", n.FilePath)
		p.every("links", "", "--unresolved", "#"+n.DocID)
	}
	err := filepath.WalkDir(p.vault, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(p.vault, path)
		name = filepath.ToSlash(name)
		for _, command := range []string{"get", "parse", "chunks", "links"} {
			p.every(command, "", name)
		}
		p.every("redact", "", name)
		return err
	})
	if err != nil {
		p.t.Error(err)
	}
	for _, command := range []string{"get", "links", "parse", "chunks", "redact", "eval"} {
		p.every(command, "", p.token("the argument of "+command))
	}
	for _, address := range []string{"headings.md#", "headings.md#^", "#", "[[", "headings.md:"} {
		p.every("get", "", address+p.token("the address "+address))
		p.every("links", "", address+p.token("the address of links "+address))
	}
}

// texts gives credentials to the commands that take texts.
func (p *planted) texts() {
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(plantedFiles)) {
		all.WriteString(p.fill("input", plantedFiles[name]))
	}
	p.every("redact", all.String())
	p.every("compress", all.String())
	for _, kind := range compress.Kinds {
		p.every("compress", all.String(), "--kind", string(kind), "--max-characters", "3000")
	}
	p.every("compress", all.String(), "--kind", p.token("the kind asked for"))
	p.every("redact", all.String(), "--hashes")
	p.every("redact", all.String(), "--hashes", "headings.md", p.token("a file to hash"), "-")
	p.every("redact", all.String(), "--hashes", "headings.md", "properties.md", "-")
	line, err := json.Marshal("a text with " + p.token("a text to embed"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.every("capture", "", "a thought with "+p.token("a text to capture"), "--title", p.token("a title to capture"), "--tags", "a,"+p.token("a tag to capture"), "--source", p.token("a source to capture"))
	p.every("capture", all.String(), "-", "--domain", p.token("a domain to capture"), "--deduplicate")
	p.every("capture", "", "x", "--tags", "!"+p.token("no tag to capture"))
	p.every("init", "", filepath.Join(p.t.TempDir(), p.token("the name of a new vault")))
	p.write(p.t, filepath.Join(p.home, "inputs"), "export/"+p.token("the name of a note to import")+".md", "[["+p.token("a link to import")+"]] text "+p.token("a text to import"))
	p.every("import", "", "markdown", filepath.Join(p.home, "inputs", "export"), "--dry-run")
	p.every("import", "", "markdown", filepath.Join(p.home, "inputs", "export"), "--verify")
	p.every("import", "", p.token("the format of an import"), p.token("the export of an import"))
	p.write(p.t, p.home, "config/quarry/config.toml", "[blocks.kiln]\nquery = \"kiln\"\n[blocks.other]\nquery = \"clay "+p.token("the query of a block")+"\"\nmax_tokens = 300\n")
	for _, command := range []string{"block refresh", "block", "block list", "block show kiln", "block show other", "block session"} {
		p.every(command, "")
	}
	p.every("block show", "", p.token("a block asked for"))
	p.write(p.t, p.home, "config/quarry/config.toml", "")
	p.every("embed", string(line)+"\n{\""+p.token("a broken text")+"\n")
	p.every("embed", "", "--model", p.token("the model asked for"))
	golden := filepath.Join(p.home, "inputs", "golden.jsonl")
	for _, text := range []string{
		`{"id":"` + p.token("golden id") + `","query":"kiln ` + p.token("golden query") + `","intent":"` + p.token("golden intent") + `","expected":[{"path":"` + p.token("golden path") + `","grade":1}]}` + "\n",
		`{"id":"` + p.token("broken golden query") + "\n",
	} {
		if err := os.WriteFile(golden, []byte(text), 0o600); err != nil {
			p.t.Fatal(err)
		}
		p.every("eval", "", golden)
	}
	added := filepath.Join(p.home, "tmp", "added.jsonl") // the program writes it, so it is looked at as well
	p.every("eval add", "", added, "--query", "kiln "+p.token("a golden query to add"), "--expect", "headings.md")
	p.every("eval add", "", added, "--query", "kiln", "--expect", p.token("a golden note to add"))
	p.every("eval add", "", added, "--query", "kiln", "--pick", "1", "--intent", p.token("a golden intent to add"))
	p.every("eval add", "", added, "--query", "kiln", "--pick", "1")
}

// clients speaks MCP, with right and wrong arguments.
func (p *planted) clients() {
	session := strings.Builder{}
	id := 0
	send := func(method string, params any) {
		id++
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		if err != nil {
			p.t.Fatal(err)
		}
		session.Write(append(line, '\n'))
	}
	token := func(place string) string { return p.token("MCP: " + place) }
	send("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": token("client"), "version": token("version")}})
	session.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	send("tools/list", map[string]any{})
	send("tools/list", map[string]any{"cursor": token("cursor")})
	for _, tool := range []string{"obsidian_search", "obsidian_read_note", "obsidian_list_notes", "obsidian_get_context", "obsidian_links", token("tool")} {
		for _, arguments := range []any{
			map[string]any{"query": "kiln", "limit": 100, "max_tokens": 50000},
			map[string]any{"query": "kiln " + token("query")},
			map[string]any{token("argument"): 1},
			map[string]any{"query": []string{token("list")}},
			map[string]any{"query": "x", "mode": token("mode")},
			map[string]any{"query": "x", "since": token("day")},
			map[string]any{"query": "x", "limit": token("limit")},
			token("text for arguments"),
			map[string]any{"file_path": token("address")},
			map[string]any{"note": token("note")},
			map[string]any{"topic": "kiln " + token("topic")},
			map[string]any{"query": "x", "tag": token("tag"), "prop": []string{token("property") + "=" + token("value")}},
			map[string]any{"query": "x", "links_to": token("note linked to"), "linked_by": []string{token("note linked by")}, "hops": 2},
			map[string]any{"query": "x", "linked_by": "links.md", "hops": token("hops")},
			map[string]any{"query": "kiln tag:" + token("operator"), "explain": true, "all": true, "expand": true, "max_tokens": 50000},
			map[string]any{"query": "x", "like": token("note to be like"), "fusion": token("fusion")},
			map[string]any{"like": "headings.md", "limit": 100, "max_tokens": 50000},
			map[string]any{"topic": "kiln", "format": token("format")},
		} {
			send("tools/call", map[string]any{"name": tool, "arguments": arguments})
		}
	}
	for _, method := range []string{"prompts/get", "resources/read", "completion/complete", "logging/setLevel", token("method")} {
		send(method, map[string]any{"name": token(method), "uri": "file:///" + token(method), "level": token(method), "ref": map[string]any{"type": token(method)}})
	}
	session.WriteString("{" + token("broken line") + "\n[" + `"` + token("broken batch") + `"]` + "\n" + `{"jsonrpc":"` + token("protocol") + `","id":1,"method":"x"}` + "\n")
	p.every("mcp", session.String())
}

// mistakes are wrong command lines, configurations and environments, each with a credential.
func (p *planted) mistakes() {
	p.every("setup", "", "generic", "--vault", p.token("the vault to set up"))
	p.every("setup", "", "claude-code", "--print", "--name", p.token("the name to set up"))
	p.every("setup", "", "claude-code", "--remove", "--plugin", p.token("the folder of a plugin"))
	p.every("setup", "", p.token("a client to set up"))
	p.every("version", "")
	p.every("serve", "", "--addr", p.token("the address to serve at"))
	p.every("watch", "", p.token("what watch does not take"))
	p.run("", "mcp", "--http", p.token("the address of MCP"))
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		p.every("completion "+shell, "")
	}
	p.every("help", "")
	p.every("help", "", p.token("help for"))
	p.run("", p.token("a command"))
	p.run("", "search", "--"+p.token("a flag"))
	p.run("", "search", "-n", p.token("a number"), "x")
	p.run("", "status", p.token("one argument too many"))
	p.run("", "__complete", "search", p.token("a word to complete"), "")
	p.run("", "__complete", "get", "")
	p.run("", "--log-level", p.token("the log level"), "status")
	p.run("", "--audience", p.token("the audience"), "status")
	p.run("", "--vault", p.token("the vault"), "status")
	p.run("", "--db", filepath.Join(p.vault, "headings.md", p.token("the index")), "status")
	p.run("", "--config", p.token("the configuration"), "status")
	configuration := filepath.Join(p.home, "inputs", "config.toml")
	for _, text := range []string{
		p.token("unknown key") + " = 1", "vault = \"" + p.token("vault in a file") + "\"", "dialect = \"" + p.token("dialect") + "\"",
		"ignore = [\"" + p.token("broken list"), "[redaction]\noff = [\"" + p.token("rule") + "\"]", "[redaction]\nallow = [\"" + p.token("hash") + "\"]",
		"[redaction]\npatterns = [{name = \"" + p.token("pattern name") + "\", pattern = \"(" + p.token("pattern") + "\"}]",
		"[sensitivity]\ndefault = \"" + p.token("class") + "\"", "[sensitivity.folders]\n\"" + p.token("folder") + "\" = \"" + p.token("class of folder") + "\"",
		"[sensitivity.names]\n\"" + p.token("name of class") + "\" = \"x\"", "[types]\nfile = \"" + p.token("types file") + "\"", "[types]\noverrides = [\"" + p.token("override") + "\"]", "[server]\ntoken_file = \"" + p.token("file of the token") + "\"\nhosts = [\"/" + p.token("host") + "\"]", "max_file_mb = \"" + p.token("size") + "\"", "model = \"" + p.token("model") + "\"",
	} {
		if err := os.WriteFile(configuration, []byte(text), 0o600); err != nil {
			p.t.Fatal(err)
		}
		p.run("", "--config", configuration, "search", "kiln")
	}
	for _, variable := range []string{"QUARRY_AUDIENCE", "QUARRY_DB", "QUARRY_VAULT", "XDG_CONFIG_HOME", "NO_COLOR", "TERM"} {
		before := p.environment[variable]
		p.environment[variable] = filepath.Join(p.vault, "headings.md", p.token("the environment's "+variable))
		p.run("", "status")
		p.environment[variable] = before
	}
}

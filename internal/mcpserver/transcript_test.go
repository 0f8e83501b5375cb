package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
	"quarry/internal/mcpserver"
)

var update = flag.Bool("update", false, "write the golden files anew")

// transcriptVault has a note for each thing that is asked. What is private is for no client.
func transcriptVault(t *testing.T) string {
	day := func(number int, more string) string {
		return fmt.Sprintf("---\nupdated: 2026-01-%02d\n%s---\n", number, more)
	}
	var long strings.Builder
	for i := range 40 {
		fmt.Fprintf(&long, "## Firing %d\n\nThe kiln of firing %d stood at %d degrees, and the glaze ran down the shelf.\n\n", i+1, i+1, 900+i)
	}
	return writeVault(t, map[string]string{
		"Kiln.md":           day(5, "tags: [pots/stoneware]\naliases: [The oven]\n") + "# Kiln\n\nThe kiln is fired at a thousand degrees. See [[Glaze]] and [[Cone chart]].\n\n## Care\n\nSweep the shelves after each firing. ^sweep\n",
		"areas/Glaze.md":    day(4, "type: decision\nstatus: accepted\n") + "# Glaze\n\nWe decided on ash glaze for the [[Kiln]], since it needs no lead.\n",
		"areas/Firings.md":  day(3, "") + "# Firings\n\n" + long.String(),
		"boats/Twin.md":     day(2, "") + "# Twin\n\nA boat with two hulls lies in the harbour.\n",
		"areas/Twin.md":     day(1, "title: Twin\n") + "# Twin\n\nTwo pots thrown from one lump.\n",
		"boats/Sloop.md":    day(1, "title: Best boat\n") + "# Sloop\n\nA sloop has one mast.\n",
		"boats/Ketch.md":    day(1, "title: Best boat\n") + "# Ketch\n\nA ketch has two masts.\n",
		"areas/Private.md":  day(6, "sensitivity: private\n") + "# Cellar key\n\nThe key of the kiln cellar hangs behind the door. [[Kiln]]\n",
		"areas/Archived.md": day(1, "status: archived\n") + "# Old kiln\n\nThe old kiln was torn down.\n",
	})
}

func transcriptEngine(t *testing.T, isIndexed bool) mcpserver.Engines {
	t.Helper()
	config := quarry.Config{
		VaultDir: transcriptVault(t), DatabasePath: filepath.Join(t.TempDir(), "index.db"),
		Sensitivity: []quarry.SensitivityConfig{{Property: "sensitivity"}},
	}
	if isIndexed {
		engine, err := quarry.Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil {
			t.Fatal(err)
		}
		if err := engine.Close(); err != nil {
			t.Fatal(err)
		}
	}
	config.Audience = quarry.Client
	engine, err := quarry.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	return oneEngine{engine}
}

// unreadable is a server whose configuration cannot be read.
type unreadable struct{ mcpserver.Engines }

func (unreadable) Acquire(context.Context) (*quarry.Engine, func(), error) {
	return nil, nil, fmt.Errorf("%w: line 3 of a file that is nobody's business", mcpserver.ErrConfiguration)
}

// transcript says lines to a server one after the other, and gives both sides of the talk.
func transcript(t *testing.T, engines mcpserver.Engines, lines []string) string {
	t.Helper()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- mcpserver.Serve(context.Background(), engines, "1.0", serverIn, serverOut) }()
	in := bufio.NewReader(clientIn)
	var talk strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&talk, "> %s\n", line)
		if _, err := io.WriteString(clientOut, line+"\n"); err != nil {
			t.Fatal(err)
		}
		for range answersTo(line) {
			answer, err := in.ReadBytes('\n')
			if err != nil {
				t.Fatal(err)
			}
			talk.WriteString(readable(t, answer))
		}
	}
	clientOut.Close()
	if err := <-done; err != nil && !errors.Is(err, io.EOF) {
		t.Errorf("the server ended with %v", err)
	}
	return talk.String()
}

// answersTo is how many answers a line gets.
func answersTo(line string) int {
	if !strings.Contains(line, "jsonrpc") {
		return 1
	}
	return strings.Count(line, `"id":`)
}

// figure is a number that a change of the ranking changes.
var figure = regexp.MustCompile(`("(?:score|rrf_score|confidence|bm25_rank|vec_rank)": )(?:[0-9.e-]+|null)`)

// readable is an answer over several lines, with the document of a tool once: its text has to be the same.
func readable(t *testing.T, answer []byte) string {
	t.Helper()
	var message struct {
		Result struct {
			Content    []struct{ Text string }
			Structured any `json:"structuredContent"`
		}
	}
	if err := json.Unmarshal(answer, &message); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	var whole map[string]any
	if err := json.Unmarshal(answer, &whole); err != nil {
		t.Fatal(err)
	}
	if message.Result.Structured != nil {
		var text any
		if len(message.Result.Content) != 1 || json.Unmarshal([]byte(message.Result.Content[0].Text), &text) != nil || !reflect.DeepEqual(text, message.Result.Structured) {
			t.Errorf("text and structured content differ: %s", answer)
		}
		whole["result"].(map[string]any)["content"] = "the text of structuredContent"
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("< ", "  ")
	if err := encoder.Encode(whole); err != nil {
		t.Fatal(err)
	}
	return "< " + figure.ReplaceAllString(b.String(), "${1}0")
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "transcripts", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s (-want +got; -update writes it anew):\n%s", path, diff)
	}
}

// ask writes requests in order, beginning with the handshake of a revision.
func ask(revision string, requests ...string) []string {
	lines := []string{
		fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, revision),
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for i, request := range requests {
		lines = append(lines, strings.Replace(request, "{", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,`, i+1), 1))
	}
	return lines
}

func callOf(tool, arguments string) string {
	return fmt.Sprintf(`{"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// modern is a request of the revision without handshake.
func modern(id int, method, params string) string {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	if params != "" {
		meta += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s%s}}`, id, method, meta, params)
}

const newest = "2025-11-25"

var few = []string{`{"method":"ping"}`, callOf("obsidian_search", `{"query":"ash glaze","limit":1}`)}

// talks are what is said to a server, by the name of the golden file.
var talks = map[string][]string{
	"tools": ask(newest, `{"method":"tools/list"}`,
		callOf("obsidian_search", `{"query":"a boat with two hulls","limit":"1"}`),
		callOf("obsidian_search", `{"query":"kiln","tag":"pots,boats","max_tokens":"200"}`),
		callOf("obsidian_search", `{"query":"kiln","max_tokens":10}`),
		callOf("obsidian_search", `{"query":"kiln","tag":"stonewear"}`),
		callOf("obsidian_read_note", `{"file_path":"Kiln"}`),
		callOf("obsidian_read_note", `{"file_path":"Kiln#Care"}`),
		callOf("obsidian_read_note", `{"file_path":"Kiln#^sweep"}`),
		callOf("obsidian_read_note", `{"file_path":"Kiln.md:8:2"}`),
		callOf("obsidian_read_note", `{"file_path":"areas/Firings.md","max_tokens":300}`),
		callOf("obsidian_read_note", `{"file_path":"areas/Firings.md:21:147","max_tokens":150}`),
		callOf("obsidian_read_note", `{"file_path":"boats/*.md"}`),
		callOf("obsidian_read_note", `{"file_path":"Kiln","max_tokens":1}`),
		callOf("obsidian_list_notes", `{}`),
		callOf("obsidian_list_notes", `{"folder":"boats","sort":"title","limit":"2"}`),
		callOf("obsidian_list_notes", `{"sort":"updated","max_tokens":100}`),
		callOf("obsidian_list_notes", `{"folder":"boots"}`),
		callOf("obsidian_get_context", `{"topic":"ash glaze","max_tokens":"300"}`),
		callOf("obsidian_get_context", `{"topic":"ash glaze","max_tokens":20}`),
		callOf("obsidian_links", `{"note":"Kiln","related":false}`),
		callOf("obsidian_links", `{"note":"Glaze","back":true,"hops":2}`),
		callOf("obsidian_links", `{"note":"Kiln","max_tokens":80}`),
		callOf("obsidian_links", `{"unresolved":true}`),
		callOf("obsidian_links", `{"note":"Kiln","kind":"depends_on"}`)),
	"resources": ask(newest, `{"method":"resources/list"}`, `{"method":"resources/templates/list"}`,
		`{"method":"resources/read","params":{"uri":"quarry://note/areas/Glaze.md"}}`,
		`{"method":"resources/read","params":{"uri":"quarry://note/areas%2FGlaze.md"}}`,
		`{"method":"resources/read","params":{"uri":"quarry://note/Kiln.md%23Care"}}`,
		`{"method":"resources/read","params":{"uri":"quarry://note/areas/Glas.md"}}`,
		`{"method":"resources/read","params":{"uri":"quarry://note/areas/Private.md"}}`,
		`{"method":"resources/read","params":{"uri":"quarry://note/..%2F..%2Fetc%2Fpasswd"}}`,
		`{"method":"resources/read","params":{"uri":"quarry://note/boats/*.md"}}`,
		`{"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`,
		`{"method":"resources/list","params":{"cursor":"nonsense"}}`,
		`{"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"quarry://note/{path}"},"argument":{"name":"path","value":"gla"}}}`,
		`{"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"quarry://note/{path}"},"argument":{"name":"path","value":"priv"}}}`,
		`{"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"file:///{path}"},"argument":{"name":"path","value":"a"}}}`),
	"prompts": ask(newest, `{"method":"prompts/list"}`,
		`{"method":"prompts/get","params":{"name":"brief_me","arguments":{"topic":"the kiln"}}}`,
		`{"method":"prompts/get","params":{"name":"what_did_i_decide","arguments":{"topic":"ash glaze"}}}`,
		`{"method":"prompts/get","params":{"name":"review_before_change","arguments":{"topic":"another glaze","note":"areas/Glaze.md"}}}`,
		`{"method":"prompts/get","params":{"name":"brief_me"}}`,
		`{"method":"prompts/get","params":{"name":"brief_me","arguments":{"topik":"x"}}}`,
		`{"method":"prompts/get","params":{"name":"brief_you","arguments":{"topic":"x"}}}`,
		`{"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"brief_me"},"argument":{"name":"topic","value":"sto"}}}`,
		`{"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"review_before_change"},"argument":{"name":"note","value":"boats/"}}}`),
	"errors": append(ask(newest,
		callOf("obsidian_serch", `{}`), callOf("obsidian_search", `{}`), callOf("obsidian_search", `{"querry":"x"}`),
		callOf("obsidian_search", `{"q":"x"}`), callOf("obsidian_search", `{"query":"x","limit":"many"}`), callOf("obsidian_search", `[1]`),
		callOf("obsidian_read_note", `{}`), callOf("obsidian_read_note", `{"file_path":"Klin"}`), callOf("obsidian_read_note", `{"file_path":"Kiln#Car"}`),
		callOf("obsidian_read_note", `{"file_path":"Best boat"}`), callOf("obsidian_read_note", `{"file_path":"areas/Private.md"}`),
		callOf("obsidian_links", `{}`), callOf("obsidian_links", `{"note":"Private"}`), callOf("obsidian_links", `{"note":"Kiln","unresolved":true,"back":true}`),
		callOf("obsidian_list_notes", `{"sort":"size"}`), callOf("obsidian_list_notes", `{"links_to":"Privat"}`), callOf("obsidian_get_context", `{"topic":" "}`),
		`{"method":"nonsense"}`, `{"method":"logging/setLevel","params":{"level":"debug"}}`),
		"{junk", `"junk"`, "[]"),
	"revision 2024-11-05": ask("2024-11-05", few...),
	"revision 2025-03-26": append(ask("2025-03-26", few...), `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`),
	"revision 2025-06-18": ask("2025-06-18", few...),
	"revision 2025-11-25": ask("2025-11-25", few...),
	"revision unknown":    ask("1999-01-01", few...),
	"revision 2026-07-28": {
		modern(1, "server/discover", ""), modern(2, "tools/list", ""), modern(3, "tools/call", `"name":"obsidian_search","arguments":{"query":"ash glaze","limit":1}`),
		modern(4, "resources/list", ""), modern(5, "resources/read", `"uri":"quarry://note/areas/Glaze.md"`), modern(6, "prompts/get", `"name":"brief_me","arguments":{"topic":"glaze"}`),
		modern(7, "ping", ""), modern(8, "tools/call", `"name":"nonsense"`),
	},
}

// Both sides of talks with a server: each tool, resource, prompt, error and revision of the protocol.
func TestTranscripts(t *testing.T) {
	engines := transcriptEngine(t, true)
	for name, lines := range talks {
		t.Run(name, func(t *testing.T) {
			talk := transcript(t, engines, lines)
			if strings.Contains(talk, "cellar") || strings.Contains(talk, "Cellar") {
				t.Error("a private note is told")
			}
			compareGolden(t, name, talk)
		})
	}
	empty := ask(newest, callOf("obsidian_search", `{"query":"kiln"}`), callOf("obsidian_list_notes", `{}`), callOf("obsidian_get_context", `{"topic":"kiln"}`),
		callOf("obsidian_links", `{"note":"Kiln"}`), callOf("obsidian_read_note", `{"file_path":"boats/Sloop.md"}`), `{"method":"resources/list"}`,
		`{"method":"prompts/get","params":{"name":"brief_me","arguments":{"topic":"kiln"}}}`,
		`{"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"quarry://note/{path}"},"argument":{"name":"path","value":"k"}}}`)
	bare := transcriptEngine(t, false)
	compareGolden(t, "without an index", transcript(t, bare, empty))
	compareGolden(t, "without a configuration", transcript(t, unreadable{bare}, empty))
}

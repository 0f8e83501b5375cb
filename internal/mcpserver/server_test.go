package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"quarry"
	"quarry/internal/mcpserver"
)

// client is a raw JSON-RPC client on a server in this process.
type client struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	done chan error
	id   int
	last string // text of the last answer

	answers io.Closer // the end that out reads from
}

type message struct {
	ID     int `json:"id"`
	Result struct {
		ProtocolVersion string            `json:"protocolVersion"`
		Capabilities    map[string]any    `json:"capabilities"`
		Tools           []json.RawMessage `json:"tools"`
		Content         []struct{ Type, Text string }
		Structured      json.RawMessage `json:"structuredContent"`
		IsError         bool            `json:"isError"`
		Resources       []struct{ URI string }
		NextCursor      string
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func open(t *testing.T, index bool) *quarry.Engine {
	t.Helper()
	engine, err := quarry.Open(t.Context(), quarry.Config{VaultDir: vault(t), DatabasePath: filepath.Join(t.TempDir(), "index.db")})
	if err != nil {
		t.Fatal(err)
	}
	if index {
		if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { engine.Close() })
	return engine
}

func start(t *testing.T, index bool) *client {
	t.Helper()
	return startWith(t, open(t, index))
}

// oneEngine answers everything.
type oneEngine struct{ *quarry.Engine }

func (e oneEngine) Acquire(context.Context) (*quarry.Engine, func(), error) {
	return e.Engine, func() {}, nil
}

func startWith(t *testing.T, engine *quarry.Engine) *client {
	t.Helper()
	return startOn(t, oneEngine{engine})
}

func startOn(t *testing.T, engines mcpserver.Engines) *client {
	t.Helper()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	c := &client{t: t, in: clientOut, out: bufio.NewReader(clientIn), done: make(chan error, 1), answers: clientIn}
	go func() { c.done <- mcpserver.Serve(context.Background(), engines, "1.0", serverIn, serverOut) }()
	t.Cleanup(func() {
		c.in.Close()
		go func() { _, _ = io.Copy(io.Discard, c.out) }() // what is left unread would hold the server up
		select {
		case err := <-c.done:
			if err != nil {
				t.Errorf("the server ended with %v", err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the server did not end with its input")
		}
	})
	c.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c
}

func vault(t *testing.T) string {
	return writeVault(t, map[string]string{
		"kiln.md": "---\ntags: [pots]\n---\n# Kiln\n\nThe kiln is fired at a thousand degrees.\n",
		"old.md":  "---\nstatus: archived\n---\n# Old kiln\n\nThe old kiln was torn down.\n",
		"boat.md": "# Boat\n\nThe boat lies in the harbour, far from any kiln.\n",
	})
}

func writeVault(t *testing.T, notes map[string]string) string {
	t.Helper()
	dir, now := t.TempDir(), time.Now()
	for name, text := range notes {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, now, now); err != nil { // lists by date go by it
			t.Fatal(err)
		}
	}
	return dir
}

func (c *client) send(document any) {
	c.t.Helper()
	encoded, err := json.Marshal(document)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(append(encoded, '\n')); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) call(method string, params any) message {
	c.t.Helper()
	c.id++
	c.send(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			c.t.Fatal(err)
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			c.t.Fatalf("output that is no JSON-RPC: %s", line)
		}
		if m.ID == c.id {
			return m
		}
	}
}

// search calls the tool; the text and the structured content have to be the same document.
func (c *client) search(arguments map[string]any) (map[string]any, bool) {
	c.t.Helper()
	return c.use("obsidian_search", arguments)
}

func (c *client) use(tool string, arguments map[string]any) (map[string]any, bool) {
	c.t.Helper()
	m := c.call("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if m.Error != nil {
		c.t.Fatalf("protocol error: %s", m.Error.Message)
	}
	var document, text map[string]any
	if err := json.Unmarshal(m.Result.Structured, &document); err != nil {
		c.t.Fatal(err)
	}
	if len(m.Result.Content) != 1 {
		c.t.Fatalf("contents: %v", m.Result.Content)
	}
	c.last = m.Result.Content[0].Text
	if err := json.Unmarshal([]byte(c.last), &text); err != nil || !reflect.DeepEqual(text, document) {
		c.t.Errorf("text and structured content differ (%v):\n%s\n%s", err, c.last, m.Result.Structured)
	}
	return document, m.Result.IsError
}

func paths(document map[string]any) string {
	var list []string
	results, _ := document["results"].([]any)
	for _, r := range results {
		if one, ok := r.(map[string]any); ok {
			list = append(list, fmt.Sprint(one["file_path"]))
		}
	}
	return strings.Join(list, " ")
}

func TestToolList(t *testing.T) {
	c := start(t, false)
	m := c.call("tools/list", map[string]any{})
	if len(m.Result.Tools) != 5 {
		t.Fatalf("%d tools", len(m.Result.Tools))
	}
	slices.SortFunc(m.Result.Tools, func(a, b json.RawMessage) int { // the search first, then the context
		isOf := func(tool json.RawMessage, name string) int { return strings.Count(string(tool), `"name":"`+name+`"`) }
		return isOf(b, "obsidian_search")*2 + isOf(b, "obsidian_get_context") - isOf(a, "obsidian_search")*2 - isOf(a, "obsidian_get_context")
	})
	for _, want := range []string{`"name":"obsidian_get_context"`, `"readOnlyHint":true`, `"required":["topic"]`} {
		if !strings.Contains(string(m.Result.Tools[1]), want) {
			t.Errorf("%s is not in %s", want, m.Result.Tools[1])
		}
	}
	tool := string(m.Result.Tools[0])
	for _, want := range []string{`"name":"obsidian_search"`, `"readOnlyHint":true`, `"additionalProperties":false`} {
		if !strings.Contains(tool, want) {
			t.Errorf("%s is not in %s", want, tool)
		}
	}
	var described struct {
		InputSchema struct {
			Properties map[string]struct {
				Description      string
				Enum             []string
				Minimum, Maximum *float64
			}
		}
	}
	if err := json.Unmarshal(m.Result.Tools[0], &described); err != nil {
		t.Fatal(err)
	}
	properties := described.InputSchema.Properties
	if mode := properties["mode"].Enum; !slices.Equal(mode, []string{"hybrid", "lexical", "vector"}) {
		t.Errorf("modes %q", mode)
	}
	if fusion := properties["fusion"].Enum; !slices.Equal(fusion, []string{"sum", "rrf"}) {
		t.Errorf("fusions %q", fusion)
	}
	for name, most := range map[string]float64{"hops": quarry.MaxHops, "min_score": 1} {
		if p := properties[name]; p.Minimum == nil || p.Maximum == nil || *p.Maximum != most {
			t.Errorf("%s is not bounded by %v", name, most)
		}
	}
	for _, name := range []string{"tag", "type", "status", "domain", "path", "folder", "links_to", "linked_by"} {
		if !strings.Contains(properties[name].Description, "-x excludes") {
			t.Errorf("%s does not say what excludes: %q", name, properties[name].Description)
		}
	}
	for _, not := range []string{"oneOf", "anyOf", "allOf", `"type":[`, `"required"`} {
		if strings.Contains(tool, not) {
			t.Errorf("%s is in %s", not, tool)
		}
	}
}

func TestSearch(t *testing.T) {
	c := start(t, true)
	document, isError := c.search(map[string]any{"query": "how hot is the kiln"})
	if isError || paths(document) != "kiln.md boat.md" || document["status"] == "" {
		t.Errorf("answer %v", document)
	}
	// Clients send numbers and lists as strings, too.
	document, isError = c.search(map[string]any{"query": "kiln", "limit": "1", "tag": "pots,other", "include_archived": "true"})
	if isError || paths(document) != "kiln.md" {
		t.Errorf("answer %v", document)
	}
	document, isError = c.search(map[string]any{"query": "kiln", "max_tokens": 150})
	if isError || paths(document) != "kiln.md" {
		t.Errorf("a small budget gave %v", document)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	c := start(t, true)
	for _, test := range []struct {
		arguments map[string]any
		want      string
	}{
		{map[string]any{}, `the argument "query" is missing`},
		{map[string]any{"query": ""}, `the argument "query" is missing`},
		{map[string]any{"query": " \n"}, `the argument "query" is missing`},
		{map[string]any{"query": "", "tag": []string{}, "since": "", "like": " "}, `the argument "query" is missing`},
		{map[string]any{"tag": "-", "links_to": []string{}}, `the argument "query" is missing`},
		{map[string]any{"query": "x", "limit": "many"}, `the argument "limit" is no whole number from 1 to 100`},
		{map[string]any{"query": "x", "mode": "fast"}, `the argument "mode" is none of hybrid, lexical, vector`},
		{map[string]any{"query": "x", "since": "soon"}, `the argument "since" is no date such as 2026-01-31, no span such as 7d, and no word such as "last monday"`},
		{map[string]any{"query": "x", "min_score": "NaN"}, `the argument "min_score" is no number from 0 to 1`},
		{map[string]any{"query": "x", "colour": "red"}, `there is no argument "colour"`},
		{map[string]any{"query": 3}, `the argument "query" is no string`},
		{map[string]any{"include_archived": true}, `the argument "query" is missing`},
		{map[string]any{"query": "x", "fusion": "best"}, `the argument "fusion" is none of sum, rrf`},
		{map[string]any{"query": "x", "explain": "perhaps"}, `the argument "explain" is neither true nor false`},
	} {
		document, isError := c.search(test.arguments)
		if !isError || document["error"] != test.want || document["code"] == "" || document["suggestion"] == "" {
			t.Errorf("%v: %v, error %v", test.arguments, document, isError)
		}
	}
}

func TestWithoutIndex(t *testing.T) {
	document, isError := start(t, false).search(map[string]any{"query": "kiln"})
	if !isError || document["code"] != "no_index" {
		t.Errorf("answer %v", document)
	}
}

func TestFilters(t *testing.T) {
	c := start(t, true)
	for _, test := range []struct {
		arguments map[string]any
		want      string
	}{
		{map[string]any{"tag": []string{"#pots"}}, "kiln.md"},
		{map[string]any{"tag": "-#pots"}, "boat.md"},
		{map[string]any{"tag": `["-#pots"]`}, "boat.md"},
		{map[string]any{"status": []string{"archived"}}, "old.md"},
		{map[string]any{"status": []string{"-draft"}, "tag": "pots"}, "kiln.md"},
		{map[string]any{"status": "-draft", "path": "old.md"}, ""},
		{map[string]any{"since": "7d", "path": "kiln.md"}, "kiln.md"},
		{map[string]any{"until": "7d"}, ""},
		{map[string]any{"prop": "status", "include_archived": true}, "old.md"},
		{map[string]any{"prop": []string{"-tags"}}, "boat.md"},
		{map[string]any{"since": "yesterday", "path": "kiln.md"}, "kiln.md"},
		{map[string]any{"until": time.Now().UTC().AddDate(0, 0, 1).Format("2006"), "path": "kiln.md"}, "kiln.md"},
		{map[string]any{"until": "2001"}, ""},
	} {
		test.arguments["query"] = "kiln"
		document, isError := c.search(test.arguments)
		if isError || paths(document) != test.want {
			t.Errorf("%v: %v", test.arguments, document)
		}
	}
}

// The bound holds for the whole text, however long passages and query are; below the smallest document there is none.
func TestAnswersAreBounded(t *testing.T) {
	const smallest = 110
	c := start(t, true)
	for _, query := range []string{"kiln", strings.Repeat(`the "kiln" ü `, 200)} {
		for _, maxTokens := range []int{1, 5, 20, 21, 30, 60, 90, 100, 110, 120, 130, 140, 150, 170, 200, 250, 300} {
			document, isError := c.search(map[string]any{"query": query, "max_tokens": maxTokens})
			encoded := c.last
			if length := utf8.RuneCountInString(encoded); isError || length > max(smallest, 4*maxTokens) {
				t.Errorf("max_tokens %d: %d characters, error %v: %s", maxTokens, length, isError, encoded)
			}
			if results, _ := document["results"].([]any); len(results) == 0 && (document["status"] == "" || !strings.Contains(encoded, "max_tokens is too small")) {
				t.Errorf("max_tokens %d: what was left out is not told: %s", maxTokens, encoded)
			}
			for _, r := range document["results"].([]any) {
				one := r.(map[string]any)
				if one["truncated"] != strings.HasSuffix(one["chunk_text"].(string), "…") {
					t.Errorf("max_tokens %d: %v", maxTokens, one)
				}
			}
			if maxTokens >= 130 && query == "kiln" && len(document["results"].([]any)) == 0 {
				t.Errorf("max_tokens %d: no passage in %s", maxTokens, encoded)
			}
		}
	}
}

// Garbage between good messages is answered, and does not end the session.
func TestGarbageLines(t *testing.T) {
	c := start(t, true)
	for _, line := range []string{
		"{junk", "", "\x00\x01", strings.Repeat("x", 5<<20), `{"jsonrpc":"2.0","id":1`, "\r", "[]", "[1]", "{}", "3", `"x"`, "null",
		`{"jsonrpc":"1.0","id":1,"method":"x"}`, `{"jsonrpc":"2.0","id":{},"method":"x"}`,
	} {
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			t.Fatal(err)
		}
		document, isError := c.search(map[string]any{"query": "kiln"})
		if isError || !strings.Contains(paths(document), "kiln.md") {
			t.Errorf("after %.20q: %v", line, document)
		}
	}
}

// A client that writes and never reads is read to its end, and the server ends with it.
func TestClientThatNeverReads(t *testing.T) {
	c := start(t, true)
	for range 500 {
		if _, err := io.WriteString(c.in, "{junk\n"); err != nil {
			t.Fatal(err)
		}
	}
	c.answers.Close()
}

// All lines at once, and then the end: every call has its answer nevertheless.
func TestAnswersAfterTheEnd(t *testing.T) {
	engine := open(t, true)
	input := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
[{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":"kiln"}}}]
{junk
{"jsonrpc":"2.0","id":3,"method":"tools/list"}`
	var out output
	if err := mcpserver.Serve(t.Context(), oneEngine{engine}, "1.0", io.NopCloser(strings.NewReader(input)), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":1,`, `"id":2,`, `"id":null`, `"id":3,`, "kiln.md"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
	if lines := strings.Count(out.String(), "\n"); lines != 4 {
		t.Errorf("%d answers: %s", lines, out.String())
	}
}

type output struct{ strings.Builder }

func (*output) Close() error { return nil }

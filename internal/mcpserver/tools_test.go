package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"quarry"
)

// An explanation is given on request, sums to its score, and gives way where it has no room.
func TestExplain(t *testing.T) {
	c := start(t, true)
	for _, fusion := range []string{"sum", "rrf"} {
		document, isError := c.search(map[string]any{"query": "how hot is the kiln", "explain": true, "fusion": fusion, "max_tokens": 20000})
		plan, _ := document["plan"].(map[string]any)
		if isError || plan["fusion"] != fusion {
			t.Fatalf("answer %v", document)
		}
		results, _ := document["results"].([]any)
		for _, result := range results {
			explain, _ := result.(map[string]any)["explain"].(map[string]any)
			sum := 0.0
			for _, c := range explain["contributions"].([]any) {
				sum += c.(map[string]any)["amount"].(float64)
			}
			if math.Abs(sum-explain["score"].(float64)) > 1e-6 || sum == 0 {
				t.Errorf("%s: %v sums to %v", fusion, explain, sum)
			}
		}
		if len(results) == 0 {
			t.Errorf("%s: no passages", fusion)
		}
	}
	document, isError := c.search(map[string]any{"query": "how hot is the kiln", "explain": true, "max_tokens": 300})
	if _, has := document["plan"]; isError || has || !strings.Contains(c.last, "the explanation has no room") || len(paths(document)) == 0 {
		t.Errorf("in a small room: %s", c.last)
	}
}

// What a status means is said in the answer.
func TestStatusIsSaid(t *testing.T) {
	c := start(t, true)
	for status, test := range map[string]struct {
		arguments map[string]any
		want      string
	}{
		"no_results": {map[string]any{"query": "kiln", "tag": "nosuch"}, "nothing passes the filters"},
		"ok":         {map[string]any{"query": "how hot is the kiln fired"}, ""},
	} {
		document, isError := c.search(test.arguments)
		if isError || document["status"] != status || !strings.Contains(fmt.Sprint(document["notices"]), test.want) {
			t.Errorf("%v: %v", test.arguments, document)
		}
	}
	// Among few passages nothing is hidden: this takes a vault of more.
	c = startOnExamples(t)
	query := map[string]any{"query": "quarterly dividend of the insurance company"}
	document, isError := c.search(query)
	if isError || document["status"] != "nothing_relevant" || paths(document) != "" || !strings.Contains(fmt.Sprint(document["notices"]), "when all is asked for") {
		t.Errorf("nothing relevant: %v", document)
	}
	query["all"] = true
	if document, isError = c.search(query); isError || document["status"] != "nothing_relevant" || paths(document) == "" || !strings.Contains(fmt.Sprint(document["notices"]), "these are the nearest passages") {
		t.Errorf("all: %v", document)
	}
}

// A block says what to do where nothing fits, as a search does.
func TestContextStatusIsSaid(t *testing.T) {
	c := startOnExamples(t)
	for _, test := range []struct {
		arguments    map[string]any
		status, want string
	}{
		{map[string]any{"topic": "quarterly dividend of the insurance company"}, "nothing_relevant", "tell the user so, or try other words"},
		{map[string]any{"topic": "quarterly dividend of the insurance company", "all": true}, "nothing_relevant", "these are the nearest passages"},
		{map[string]any{"topic": "backups", "tag": "nosuch"}, "no_results", "try fewer of them"},
		{map[string]any{"topic": "backups"}, "ok", ""},
	} {
		document, isError := c.use("obsidian_get_context", test.arguments)
		notices, has := document["notices"]
		if isError || document["status"] != test.status || has != (test.want != "") || !strings.Contains(fmt.Sprint(notices), test.want) {
			t.Errorf("%v: %s", test.arguments, c.last)
		}
	}
}

// startOnExamples is a server on the example vault.
func startOnExamples(t *testing.T) *client {
	t.Helper()
	engine, err := quarry.Open(t.Context(), quarry.Config{VaultDir: filepath.Join("..", "..", "examples", "vault"), DatabasePath: filepath.Join(t.TempDir(), "index.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	return startWith(t, engine)
}

// A filter, or a note to be like, asks by itself.
func TestWithoutWords(t *testing.T) {
	c := start(t, true)
	document, isError := c.search(map[string]any{"tag": "pots"})
	if isError || paths(document) != "kiln.md" {
		t.Errorf("a filter: %v", document)
	}
	document, isError = c.search(map[string]any{"like": "kiln"})
	if isError || paths(document) != "boat.md" {
		t.Errorf("like: %v", document)
	}
	document, isError = c.search(map[string]any{"like": "nosuch"})
	if !isError || document["code"] != "unknown_note" {
		t.Errorf("like a note that is not there: %v", document)
	}
}

func TestContextTool(t *testing.T) {
	c := start(t, true)
	for _, format := range []string{"markdown", "xml"} {
		document, isError := c.use("obsidian_get_context", map[string]any{"topic": "how hot is the kiln", "format": format})
		text, _ := document["text"].(string)
		if isError || !strings.Contains(text, "a thousand degrees") || strings.HasPrefix(text, "<notes") != (format == "xml") || len(document["sources"].([]any)) == 0 {
			t.Errorf("%s: %v", format, document)
		}
	}
	document, isError := c.use("obsidian_get_context", map[string]any{"topic": "kiln", "tag": "-pots"})
	if sources := fmt.Sprint(document["sources"]); isError || strings.Contains(sources, "kiln.md") || !strings.Contains(sources, "boat.md") {
		t.Errorf("a filter: %v", document)
	}
	if document, isError = c.use("obsidian_get_context", map[string]any{}); !isError || document["error"] != `the argument "topic" is missing` {
		t.Errorf("answer %v", document)
	}
	if document, isError = c.use("obsidian_get_context", map[string]any{"topic": "x", "limit": 3}); !isError || document["code"] != "unknown_argument" {
		t.Errorf("answer %v", document)
	}
	if document, isError = c.use("obsidian_get_context", map[string]any{"topic": " "}); !isError || document["error"] != `the argument "topic" is missing` {
		t.Errorf("a blank topic: %v", document)
	}
	for _, maxTokens := range []int{1, 20, 40, 60, 100, 150, 200, 300} {
		_, isError := c.use("obsidian_get_context", map[string]any{"topic": strings.Repeat("kiln \"ü\" ", 4), "max_tokens": maxTokens})
		if length := utf8.RuneCountInString(c.last); isError || length > max(140, 4*maxTokens) || !json.Valid([]byte(c.last)) {
			t.Errorf("max_tokens %d: %d characters: %s", maxTokens, length, c.last)
		}
	}
}

// A block whose document has no room is asked for once more, and comes, from where the least of blocks has room on.
func TestContextHasRoom(t *testing.T) {
	c := startOnExamples(t)
	for _, topic := range []string{"connection storm", "runner beans and slugs", "how do refresh tokens rotate"} {
		for maxTokens := 400; maxTokens < 8000; maxTokens += maxTokens / 7 {
			document, isError := c.use("obsidian_get_context", map[string]any{"topic": topic, "max_tokens": maxTokens})
			length := utf8.RuneCountInString(c.last)
			if isError || length > 4*maxTokens || document["text"] == "" || len(document["sources"].([]any)) == 0 {
				t.Errorf("%s in %d tokens: %d characters: %.300s", topic, maxTokens, length, c.last)
			}
		}
	}
}

// No notice speaks of flags, which a client does not have.
func TestNoticesWithoutFlags(t *testing.T) {
	vault, database := t.TempDir(), filepath.Join(t.TempDir(), "index.db")
	if err := os.CopyFS(vault, os.DirFS(filepath.Join("..", "..", "examples", "vault"))); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(vault, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("dividend.md", "---\nstatus: archived\n---\n# Dividend\n\nThe insurance company pays a quarterly dividend to all who hold its shares.\n")
	write("kiln.md", "# Kiln\n\nA kiln is fired slowly.\n")
	engine, err := quarry.Open(t.Context(), quarry.Config{VaultDir: vault, DatabasePath: database})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	write("kiln.md", "# Kiln\n\nA kiln is fired slowly, and cools for a day.\n")
	c := startWith(t, engine)
	var all []string
	for _, arguments := range []map[string]any{
		{"query": "quarterly dividend of the insurance company"},
		{"query": "quarterly dividend of the insurance company", "fusion": "rrf", "limit": 2},
		{"query": "quarterly dividend of the insurance company", "mode": "lexical"},
		{"query": "quarterly dividend of the insurance company", "all": true, "expand": true},
		{"query": "connection pool", "tag": "nosuch", "until": "last monday"},
		{"query": "connection pool size", "limit": 50, "max_tokens": 100},
		{"query": "connection pool size", "min_score": 0.99},
		{"query": "what is the"},
		{"query": "opera tickets in Vienna"},
		{"query": "-kiln"},
		{"like": "kiln", "fusion": "rrf", "expand": true},
		{"like": "kiln", "mode": "vector"},
		{"tag": "backup", "mode": "vector", "expand": true},
	} {
		document, isError := c.search(arguments)
		if isError {
			t.Errorf("%v: %v", arguments, document)
		}
		for _, notice := range document["notices"].([]any) {
			if all = append(all, notice.(string)); strings.Contains(notice.(string), "--") {
				t.Errorf("%v: %s", arguments, notice)
			}
		}
	}
	for _, want := range []string{"archived notes match better", "new or changed", "when all is asked for", "each filter by itself"} {
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("no notice tells of %q: %q", want, all)
		}
	}
}

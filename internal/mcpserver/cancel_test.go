package mcpserver_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"quarry"
	"quarry/internal/mcpserver"
)

// slowEngines give no engine until the request is given up.
type slowEngines struct {
	oneEngine
	began, ended chan struct{}
}

func (s slowEngines) Acquire(ctx context.Context) (*quarry.Engine, func(), error) {
	s.began <- struct{}{}
	<-ctx.Done()
	s.ended <- struct{}{}
	return nil, nil, ctx.Err()
}

func newSlowEngines(t *testing.T) slowEngines {
	return slowEngines{oneEngine{open(t, false)}, make(chan struct{}, 1), make(chan struct{}, 1)}
}

func within(t *testing.T, what string, happens <-chan struct{}) {
	t.Helper()
	select {
	case <-happens:
	case <-time.After(10 * time.Second):
		t.Fatalf("the call never %s", what)
	}
}

const slowCall = `"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":"kiln"}`

// A call that its client cancels stops, and the server goes on.
func TestCancelledCall(t *testing.T) {
	engines := newSlowEngines(t)
	c := startOn(t, engines)
	if _, err := io.WriteString(c.in, `{"jsonrpc":"2.0","id":77,`+slowCall+"}}\n"); err != nil {
		t.Fatal(err)
	}
	within(t, "began", engines.began)
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": 77}})
	within(t, "ended", engines.ended)
	if m := c.call("tools/list", map[string]any{}); len(m.Result.Tools) == 0 {
		t.Error("no tools after a cancelled call")
	}
}

// Over HTTP a call stops when its client is gone, in the revision without sessions and in those before it.
func TestClientThatLeaves(t *testing.T) {
	for _, revision := range []string{"2025-06-18", "2026-07-28"} {
		engines := newSlowEngines(t)
		server := httptest.NewServer(mcpserver.Handler(engines, "1.0"))
		defer server.Close()
		ctx, leave := context.WithCancel(t.Context())
		body := `{"jsonrpc":"2.0","id":1,` + slowCall + `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + revision + `","io.modelcontextprotocol/clientCapabilities":{}}}}`
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Mcp-Protocol-Version": revision, "Mcp-Method": "tools/call", "Mcp-Name": "obsidian_search",
		} {
			request.Header.Set(name, value)
		}
		go func() {
			if response, err := server.Client().Do(request); err == nil {
				response.Body.Close()
			}
		}()
		within(t, "began", engines.began)
		leave()
		within(t, "ended", engines.ended)
	}
}

// A call with a token for its progress is answered by a stream of events over HTTP; one that is quick has nothing to tell.
func TestQuickCallWithToken(t *testing.T) {
	post := overHTTP(t)
	_, answer := post(`{"jsonrpc":"2.0","id":1,`+slowCall+`,"_meta":{"progressToken":"p"}}}`, "2025-06-18")
	if !strings.HasPrefix(answer, "event: message\ndata: {") || !strings.Contains(answer, "kiln.md") || strings.Count(answer, "event:") != 1 {
		t.Errorf("a quick call: %s", answer)
	}
}

// While an index is being built a call hears so at once; one that is told of progress waits for the end of it.
func TestIndexBeingBuilt(t *testing.T) {
	config := quarry.Config{VaultDir: vault(t), DatabasePath: filepath.Join(t.TempDir(), "index.db")}
	engine, err := quarry.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	lock := flock.New(config.DatabasePath + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	if !engine.IsIndexing() {
		t.Fatal("the lock of the writer has another name")
	}
	c := startWith(t, engine)
	for tool, arguments := range map[string]map[string]any{
		"obsidian_search": {"query": "kiln"}, "obsidian_list_notes": {}, "obsidian_get_context": {"topic": "kiln"}, "obsidian_links": {"note": "kiln"},
	} {
		if document, isError := c.use(tool, arguments); !isError || document["code"] != "index_building" {
			t.Errorf("%s: %v", tool, document)
		}
	}
	if document, isError := c.use("obsidian_read_note", map[string]any{"file_path": "kiln"}); isError {
		t.Errorf("a note cannot be read meanwhile: %v", document)
	}
	if m := c.call("prompts/get", map[string]any{"name": "brief_me", "arguments": map[string]any{"topic": "kiln"}}); m.Error == nil || !strings.Contains(m.Error.Message, "being built") {
		t.Errorf("prompt: %+v", m)
	}
	built := make(chan error, 1)
	time.AfterFunc(300*time.Millisecond, func() {
		if err := lock.Unlock(); err != nil {
			built <- err
			return
		}
		_, err := engine.Index(context.Background(), quarry.IndexOptions{}, nil)
		built <- err
	})
	m := c.call("tools/call", map[string]any{"name": "obsidian_search", "arguments": map[string]any{"query": "kiln"}, "_meta": map[string]any{"progressToken": 5}})
	if err := <-built; err != nil {
		t.Fatal(err)
	}
	if text := string(m.Result.Structured); strings.Contains(text, "index_building") { // it may have looked between lock and index
		t.Errorf("a call that waits: %s", text)
	}
}

package mcpserver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"quarry/internal/mcpserver"
)

// overHTTP is a server of the little vault, and a function that posts a body with a revision in its header, "" for none.
func overHTTP(t *testing.T) func(body, revision string) (int, string) {
	t.Helper()
	server := httptest.NewServer(mcpserver.Handler(oneEngine{open(t, true)}, "1.0"))
	t.Cleanup(server.Close)
	return func(body, revision string) (int, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		if revision != "" {
			request.Header.Set("MCP-Protocol-Version", revision)
		}
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(answer)
	}
}

func TestHandler(t *testing.T) {
	post := overHTTP(t)
	secret := "ghp" + "_" + strings.Repeat("aB3dE5", 6)
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":"kiln","limit":"1"}}}`
	for _, test := range []struct {
		name, body, revision string
		status               int
		wants                []string
	}{
		{"initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "", 200, []string{`"protocolVersion":"2025-06-18"`}},
		{"initialized", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "2025-06-18", 202, nil},
		{"call", call, "2025-06-18", 200, []string{`"structuredContent"`, "kiln.md"}},
		{"batch of an older revision", "[" + call + "," + strings.Replace(call, `"id":2`, `"id":3`, 1) + "]", "2025-03-26", 200, []string{`"id":2`, `"id":3`}},
		{"large batch", "[" + strings.Repeat(`{"jsonrpc":"2.0","method":"x"},`, 64) + call + "]", "", 400, []string{"too many messages"}},
		{"the same id twice", "[" + call + "," + call + "]", "", 400, []string{`"code":-32600`, `"id":null`, "another call"}},
		{"junk", "{junk", "", 400, []string{`"code":-32700`}},
		{"no message", `{"id":1}`, "", 400, []string{`"code":-32600`}},
		{"nothing", "", "", 400, []string{`"code":-32700`}},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"x","params":{"y":"` + strings.Repeat("z", 5<<20) + `"}}`, "", 413, []string{"too long"}},
		{"progress", strings.Replace(call, `"params":{`, `"params":{"_meta":{"progressToken":1},`, 1), "2025-06-18", 200, []string{"event: message", "kiln.md"}},
		{"2026-07-28", strings.Replace(call, `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},`, 1), "2026-07-28", 400, []string{"Mcp-Method"}},
		{"secret in a name", `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"` + secret + `"}}`, "2025-06-18", 200, []string{`"error"`}},
		{"secret in a method", `{"jsonrpc":"2.0","id":4,"method":"` + secret + `"}`, "2025-06-18", 400, nil},
		{"secret in a header", call, secret, 400, nil},
	} {
		status, answer := post(test.body, test.revision)
		if status != test.status {
			t.Errorf("%s: status %d: %.300s", test.name, status, answer)
		}
		for _, want := range test.wants {
			if !strings.Contains(answer, want) {
				t.Errorf("%s: %q is not in %.300s", test.name, want, answer)
			}
		}
		if strings.Contains(answer, secret[10:]) {
			t.Errorf("%s: a secret is in %s", test.name, answer)
		}
	}
}

// The kind of an answer is one that the client reads: a stream of events only where it takes one.
func TestAcceptedKinds(t *testing.T) {
	handler := mcpserver.Handler(oneEngine{open(t, true)}, "1.0")
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":1},"name":"obsidian_search","arguments":{"query":"kiln"}}}`
	for accept, kind := range map[string]string{
		"": "text/event-stream", "*/*": "text/event-stream", "application/json, text/event-stream": "text/event-stream", "Text/Event-Stream;q=0.5": "text/event-stream",
		"application/json": "application/json", "application/json, text/plain": "application/json", "application/*": "application/json",
	} {
		request := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(call))
		request.Header.Set("Content-Type", "application/json")
		if accept != "" {
			request.Header.Set("Accept", accept)
		}
		before, body := request.Header.Clone(), request.Body
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		if got := recorder.Header().Get("Content-Type"); got != kind || recorder.Code != 200 || !strings.Contains(recorder.Body.String(), "kiln.md") {
			t.Errorf("%q: %s, status %d, %.200s", accept, got, recorder.Code, recorder.Body)
		}
		if !reflect.DeepEqual(before, request.Header) || request.Body != body {
			t.Errorf("%q: the request was changed: %v", accept, request.Header)
		}
	}
}

// A body of another kind is refused in the form of the protocol, like any other.
func TestKindOfBody(t *testing.T) {
	handler := mcpserver.Handler(oneEngine{open(t, true)}, "1.0")
	ping := `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	for kind, status := range map[string]int{
		"application/json": 200, "Application/JSON; charset=utf-8": 200, "": 415, "text/plain": 415, "application/x-www-form-urlencoded": 415, "application/jsonx": 415, ";": 415,
	} {
		request := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(ping))
		request.Header.Set("Content-Type", kind)
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		answer := recorder.Body.String()
		if recorder.Code != status || recorder.Header().Get("Content-Type") != "application/json" || status == 415 && !strings.Contains(answer, `"code":-32600`) {
			t.Errorf("%q: status %d, %s, %s", kind, recorder.Code, recorder.Header().Get("Content-Type"), answer)
		}
	}
}

// The calls in one body are answered one after the other, so that they are no more than one request.
func TestOneAfterTheOther(t *testing.T) {
	engines := newWaitingEngines(t)
	handler := mcpserver.Handler(engines, "1.0")
	calls := make([]string, 8)
	for i := range calls {
		calls[i] = strings.TrimSpace(searchCall(i, "kiln"))
	}
	request := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader("["+strings.Join(calls, ",")+"]"))
	request.Header.Set("Content-Type", "application/json")
	recorder, done := httptest.NewRecorder(), make(chan struct{})
	go func() { defer close(done); handler.ServeHTTP(recorder, request) }()
	for i := range calls {
		until(t, "the next call begins", func() bool { return engines.begun.Load() == int64(i+1) })
		time.Sleep(5 * time.Millisecond) // in which others would begin
		if begun, running := engines.begun.Load(), engines.running.Load(); begun != int64(i+1) || running != 1 {
			t.Errorf("%d calls are begun and %d run behind %d", begun, running, i)
		}
		engines.release <- struct{}{}
	}
	<-done
	if got := strings.Count(recorder.Body.String(), `"structuredContent"`); got != len(calls) {
		t.Errorf("%d calls are answered", got)
	}
}

package httpserver_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"quarry/internal/httpserver"
)

// caller is one that asks with headers of its own; code is that of the refusal, "" for one who may ask.
type caller struct {
	name    string
	headers []string
	code    string
}

// callers are programs and pages that ask a server at this port of the loopback.
func callers(port string) []caller {
	own := "http://127.0.0.1:" + port
	return []caller{
		{"plain", nil, ""},
		{"localhost", []string{"Host", "localhost:" + port}, ""},
		{"IPv6", []string{"Host", "[::1]:" + port}, ""},
		{"capitals", []string{"Host", "LocalHost:" + port}, ""},
		{"another port, as of a tunnel", []string{"Host", "localhost:9", "Origin", "http://localhost:9"}, ""},
		{"configured", []string{"Host", "notes.example.org"}, ""},
		{"configured, any port", []string{"Host", "notes.example.org:444"}, ""},
		{"configured with a port", []string{"Host", "ported.example.org:8443"}, ""},
		{"configured with another port", []string{"Host", "ported.example.org:8444"}, "forbidden_host"},
		{"foreign", []string{"Host", "evil.example"}, "forbidden_host"},
		{"foreign with the port", []string{"Host", "evil.example:" + port}, "forbidden_host"},
		{"rebound name", []string{"Host", "127.0.0.1.evil.example:" + port}, "forbidden_host"},
		{"name in front", []string{"Host", "localhost.evil.example:" + port}, "forbidden_host"},
		{"trailing dot", []string{"Host", "localhost.:" + port}, "forbidden_host"},
		{"address in short", []string{"Host", "127.1:" + port}, "forbidden_host"},
		{"all addresses", []string{"Host", "0.0.0.0:" + port}, "forbidden_host"},
		{"another address", []string{"Host", "192.0.2.7:" + port}, "forbidden_host"},

		{"own origin", []string{"Origin", own}, ""},
		{"own by another name", []string{"Origin", "http://localhost:" + port}, ""},
		{"own by IPv6", []string{"Origin", "http://[::1]:" + port}, ""},
		{"own, across", []string{"Origin", "http://localhost:" + port, "Sec-Fetch-Site", "cross-site"}, ""},
		{"configured origin", []string{"Origin", "https://notes.example.org"}, ""},
		{"configured host as origin", []string{"Host", "notes.example.org", "Origin", "http://notes.example.org"}, ""},
		{"foreign origin", []string{"Origin", "http://evil.example"}, "forbidden_origin"},
		{"null", []string{"Origin", "null"}, "forbidden_origin"},
		{"empty", []string{"Origin", ""}, "forbidden_origin"},
		{"look-alike", []string{"Origin", "http://127.0.0.1.evil.example:" + port}, "forbidden_origin"},
		{"look-alike with a user", []string{"Origin", "http://127.0.0.1:" + port + "@evil.example"}, "forbidden_origin"},
		{"another server on this machine", []string{"Origin", "http://localhost:1"}, "forbidden_origin"},
		{"no port", []string{"Origin", "http://localhost"}, "forbidden_origin"},
		{"another scheme", []string{"Origin", "https://localhost:" + port}, "forbidden_origin"},
		{"rebound", []string{"Host", "evil.example:" + port, "Origin", "http://evil.example:" + port}, "forbidden_host"},
		{"two", []string{"Origin", own, "Origin", "http://evil.example"}, "forbidden_origin"},
		{"across without origin", []string{"Sec-Fetch-Site", "cross-site"}, "forbidden_origin"},
		{"another port, same site", []string{"Sec-Fetch-Site", "same-site"}, "forbidden_origin"},
		{"typed by a person", []string{"Sec-Fetch-Site", "none"}, ""},
		{"of the page", []string{"Sec-Fetch-Site", "same-origin"}, ""},
	}
}

// TestForeign asks as programs, as pages and as pages of others, by names that are the server's and by others.
func TestForeign(t *testing.T) {
	engine := openSample(t)
	host := serve(t, httpserver.Handler(fixedEngines{engine}, httpserver.Options{Hosts: []string{"notes.example.org", "ported.example.org:8443"}, Origins: []string{"https://notes.example.org"}}))
	_, port, _ := net.SplitHostPort(host)
	own := "http://127.0.0.1:" + port
	for _, row := range callers(port) {
		for _, question := range []struct{ method, path, body string }{
			{http.MethodGet, "/api/notes", ""}, {http.MethodGet, httpserver.HealthPath, ""}, {http.MethodPost, httpserver.MCPPath, initialize},
		} {
			answer, text := call(t, question.method, own+question.path, question.body, append(row.headers, mcpHeaders...)...)
			wanted := http.StatusOK
			if row.code != "" {
				wanted = http.StatusForbidden
			}
			if answer.StatusCode != wanted || row.code != "" && codeOf(text) != row.code {
				t.Errorf("%s, %s: %d %.200s", row.name, question.path, answer.StatusCode, text)
			}
			if name := answer.Header.Get("Access-Control-Allow-Origin"); name != "" {
				t.Errorf("%s: pages of %s may read", row.name, name)
			}
		}
	}
	if answer, _ := call(t, http.MethodGet, own+"/", "", "Sec-Fetch-Site", "cross-site"); answer.StatusCode != http.StatusOK {
		t.Errorf("the page cannot be linked to: %d", answer.StatusCode)
	}
}

// TestToken asks with and without the token, and looks for it in the log.
func TestToken(t *testing.T) {
	var log bytes.Buffer
	token := "correct-horse-" + "battery-staple"
	engine := openSample(t)
	own := "http://" + serve(t, httpserver.Handler(fixedEngines{engine}, httpserver.Options{Token: token, Logger: slog.New(slog.NewTextHandler(&syncWriter{to: &log}, &slog.HandlerOptions{Level: slog.LevelDebug}))}))
	for _, row := range []struct {
		given  string
		status int
	}{
		{"", 401},
		{"Bearer " + token, 200},
		{"bearer " + token, 200},
		{"Bearer  " + token, 200},
		{"Bearer " + token + "x", 401},
		{"Bearer " + token[:10], 401},
		{"Bearer", 401},
		{"Basic " + token, 401},
		{token, 401},
	} {
		for _, path := range []string{"/api/notes", "/api/search?query=kiln", "/api/nothing"} {
			answer, text := call(t, http.MethodGet, own+path, "", "Authorization", row.given)
			wanted := row.status
			if path == "/api/nothing" && wanted == 200 {
				wanted = 404
			}
			if answer.StatusCode != wanted || wanted == 401 && (codeOf(text) != "unauthorized" || answer.Header.Get("WWW-Authenticate") == "") {
				t.Errorf("%.12q… for %s: %d %s", row.given, path, answer.StatusCode, text)
			}
		}
		answer, _ := call(t, http.MethodPost, own+httpserver.MCPPath, initialize, append(mcpHeaders, "Authorization", row.given)...)
		if answer.StatusCode != row.status {
			t.Errorf("MCP with %.12q…: %d", row.given, answer.StatusCode)
		}
	}
	for _, path := range []string{"/", "/api/openapi.json", httpserver.HealthPath} {
		if answer, _ := call(t, http.MethodGet, own+path, ""); answer.StatusCode != 200 {
			t.Errorf("%s asks for the token: %d", path, answer.StatusCode)
		}
	}
	if said := log.String(); strings.Contains(said, "battery") || strings.Contains(said, "query=") || !strings.Contains(said, "unauthorized") {
		t.Errorf("the log says:\n%s", said)
	}
}

// TestBodies sends bodies that are too long, in one piece and in chunks, and too slow.
func TestBodies(t *testing.T) {
	host := serve(t, httpserver.Handler(fixedEngines{openSample(t)}, httpserver.Options{}))
	own := "http://" + host
	long := `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"y":"` + strings.Repeat("z", 5<<20) + `"}}`
	within := `{"jsonrpc":"2.0","id":3,"method":"nosuch","params":{"y":"` + strings.Repeat("z", 3<<20) + `"}}`
	for _, row := range []struct {
		name, body string
		isChunked  bool
		status     int
	}{{"whole", long, false, 413}, {"chunked", long, true, 413}, {"within", within, false, 0}, {"within, chunked", within, true, 0}} {
		var body io.Reader = strings.NewReader(row.body)
		if row.isChunked {
			body = io.MultiReader(body)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, own+httpserver.MCPPath, body)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		answer, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			if row.status == 413 { // the server hangs up on who goes on sending
				continue
			}
			t.Fatalf("%s: %v", row.name, err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil && answer.StatusCode == row.status {
			continue // it hangs up while some is still sent
		}
		if row.status > 0 && (answer.StatusCode != row.status || codeOf(string(text)) != "too_large") || row.status == 0 && answer.StatusCode == 413 {
			t.Errorf("%s: %d %.200s", row.name, answer.StatusCode, text)
		}
	}
	if answer, _ := call(t, http.MethodPost, own+httpserver.MCPPath, initialize, mcpHeaders...); answer.StatusCode != 200 {
		t.Errorf("after long bodies: %d", answer.StatusCode)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, own+"/api/search?query="+strings.Repeat("x", 100_000), nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := http.DefaultClient.Do(request); err == nil { // else it was hung up on
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("a long address: %d", answer.StatusCode)
		}
	}
}

// TestSlowHeaders: who does not end the headers is hung up on.
func TestSlowHeaders(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for some seconds")
	}
	t.Parallel()
	host := serve(t, httpserver.Handler(fixedEngines{openSample(t)}, httpserver.Options{}))
	connection, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	fmt.Fprintf(connection, "GET /healthz HTTP/1.1\r\nHost: %s\r\nX-Slow: ", host)
	started := time.Now()
	if err := connection.SetReadDeadline(started.Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(io.Discard, bufio.NewReader(connection))
	if took := time.Since(started); err != nil || took > 8*time.Second {
		t.Errorf("held for %v: %v", took, err)
	}
}

// TestMethods: what is not answered is told with what is.
func TestMethods(t *testing.T) {
	own := "http://" + serve(t, httpserver.Handler(fixedEngines{openSample(t)}, httpserver.Options{}))
	for _, row := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/mcp", 405},
		{"DELETE", "/mcp", 405},
		{"OPTIONS", "/mcp", 405},
		{"POST", "/api/search", 405},
		{"PUT", "/", 405},
		{"DELETE", "/api/note", 405},
		{"HEAD", "/api/notes", 200},
		{"HEAD", "/", 200},
		{"GET", "/mcp/", 404},
		{"GET", "/api/status%00", 404},
		{"GET", "/api%2fstatus", 200},
		{"GET", "/healthz%2f..%2fapi/status", 404},
		{"GET", "/%2e%2e/api/status", 404},
		{"GET", "/api", 404},
		{"GET", "/api/../mcp", 404},
		{"GET", "//", 404},
		{"GET", "/etc/passwd", 404},
	} {
		answer, text := call(t, row.method, own+row.path, "")
		if answer.StatusCode != row.status || row.status == 405 && answer.Header.Get("Allow") == "" || row.status >= 400 && codeOf(text) == "" {
			t.Errorf("%s %s: %d %q", row.method, row.path, answer.StatusCode, text)
		}
	}
}

// TestMCPOnly: `mcp --http` has neither API nor page.
func TestMCPOnly(t *testing.T) {
	own := "http://" + serve(t, httpserver.Handler(fixedEngines{openSample(t)}, httpserver.Options{MCPOnly: true}))
	for path, status := range map[string]int{"/": 404, "/api/search?query=kiln": 404, "/api/openapi.json": 404, httpserver.HealthPath: 200} {
		if answer, text := call(t, http.MethodGet, own+path, ""); answer.StatusCode != status {
			t.Errorf("%s: %d %s", path, answer.StatusCode, text)
		}
	}
	if answer, text := call(t, http.MethodPost, own+httpserver.MCPPath, initialize, mcpHeaders...); answer.StatusCode != 200 || !strings.Contains(text, `"serverInfo"`) {
		t.Errorf("initialize: %d %s", answer.StatusCode, text)
	}
}

package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quarry/internal/mcpserver"
)

// modernRequests are a method's parameters and what a header of HTTP has to name beside it.
var modernRequests = []struct{ method, params, name string }{
	{"server/discover", "", ""},
	{"tools/list", "", ""},
	{"tools/call", `"name":"obsidian_search","arguments":{"query":"ash glaze","limit":1}`, "obsidian_search"},
	{"tools/call", `"name":"obsidian_search","arguments":{"querry":"ash glaze"}`, "obsidian_search"},
	{"resources/list", "", ""},
	{"resources/templates/list", "", ""},
	{"resources/read", `"uri":"quarry://note/areas/Glaze.md"`, "quarry://note/areas/Glaze.md"},
	{"prompts/list", "", ""},
	{"prompts/get", `"name":"brief_me","arguments":{"topic":"glaze"}`, "brief_me"},
	{"completion/complete", `"ref":{"type":"ref/resource","uri":"quarry://note/{path}"},"argument":{"name":"path","value":"gla"}`, ""},
}

// checkComplete wants an answer that says it is complete, and has what the method gives.
func checkComplete(t *testing.T, method, answer string) {
	t.Helper()
	var message struct{ Result map[string]any }
	if err := json.Unmarshal([]byte(answer), &message); err != nil {
		t.Fatalf("%s: %v in %s", method, err, answer)
	}
	if message.Result["resultType"] != "complete" {
		t.Errorf("%s: resultType %v in %.300s", method, message.Result["resultType"], answer)
	}
	if method == "resources/read" && (!strings.Contains(answer, "ash glaze") || message.Result["cacheScope"] != "private") {
		t.Errorf("the note is not in %s", answer)
	}
}

// Since the revision without a handshake each answer says whether it is complete.
func TestAnswersSayTheyAreComplete(t *testing.T) {
	engines := transcriptEngine(t, true)
	server := httptest.NewServer(mcpserver.Handler(engines, "1.0"))
	t.Cleanup(server.Close)
	for i, r := range modernRequests {
		line := modern(i+1, r.method, r.params)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		for header, value := range map[string]string{"Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": r.method, "Mcp-Name": r.name} {
			if value != "" {
				request.Header.Set(header, value)
			}
		}
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		checkComplete(t, r.method, string(answer))
		checkComplete(t, r.method, fromTalk(transcript(t, engines, []string{line})))
	}
	old := fromTalk(transcript(t, engines, ask(newest, `{"method":"resources/read","params":{"uri":"quarry://note/areas/Glaze.md"}}`)))
	if strings.Contains(old, "resultType") || !strings.Contains(old, "ash glaze") {
		t.Errorf("an older revision is told %s", old)
	}
}

// fromTalk is the last answer of a talk.
func fromTalk(talk string) string {
	_, answer, _ := strings.Cut(talk[strings.LastIndex(talk, "\n> ")+1:], "\n< ")
	return strings.ReplaceAll("\n"+answer, "\n< ", "\n")
}

// An error about a resource names the address that was asked for, unless that is too long or holds a secret.
func TestErrorNamesTheResource(t *testing.T) {
	engines := transcriptEngine(t, true)
	secret := "ghp" + "_" + strings.Repeat("aB3dE5", 6)
	for uri, want := range map[string]string{
		"quarry://note/areas/Glas.md":                    "quarry://note/areas/Glas.md",
		"file:///etc/passwd":                             "file:///etc/passwd",
		"quarry://note/" + secret:                        "REDACTED",
		"quarry://note/" + strings.Repeat("long/", 2000): "",
	} {
		answer := fromTalk(transcript(t, engines, ask(newest, fmt.Sprintf(`{"method":"resources/read","params":{"uri":%q}}`, uri))))
		var message struct {
			Error struct {
				Data struct{ Error, Code, Suggestion, URI string }
			}
		}
		if err := json.Unmarshal([]byte(answer), &message); err != nil {
			t.Fatal(err)
		}
		data := message.Error.Data
		if !strings.Contains(data.URI, want) || want == "" && data.URI != "" || strings.Contains(answer, secret[10:]) {
			t.Errorf("%.80s: the address in the error is %q", uri, data.URI)
		}
		if data.Code != "unknown_note" || data.Error == "" || data.Suggestion == "" {
			t.Errorf("%.80s: %+v", uri, data)
		}
	}
}

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"quarry/internal/cli"
)

// talkOf is what a server says, which is read while it says more.
type talkOf struct {
	mu   sync.Mutex
	said bytes.Buffer
}

func (t *talkOf) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.said.Write(p)
}

func (t *talkOf) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.said.String()
}

var announced = regexp.MustCompile(`(?:page|MCP) at (http://[^/\s]+)`)

// serveWith runs a server until use, which gets where it is, is done; it gives the exit code and what it said.
func serveWith(t *testing.T, environment map[string]string, arguments []string, use func(own, said string)) (code int, said string) {
	t.Helper()
	talk := &talkOf{}
	streams := cli.IO{
		In: strings.NewReader(""), Out: io.Discard, Err: talk, WorkDir: t.TempDir(), Env: func(name string) string { return environment[name] },
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan int, 1)
	go func() { ended <- cli.Run(ctx, arguments, streams) }()
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if found := announced.FindStringSubmatch(talk.String()); found != nil {
			use(found[1], talk.String())
			break
		}
		select {
		case code := <-ended:
			return code, talk.String()
		default:
		}
		if time.Now().After(until) {
			t.Fatalf("nothing is announced: %s", talk)
		}
	}
	started := time.Now()
	stop()
	select {
	case code = <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("it does not stop")
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("it stopped after %v", took)
	}
	return code, talk.String()
}

// listen runs a server on the notes of a home.
func (h *home) listen(arguments []string, use func(own string)) (code int, said string) {
	h.t.Helper()
	return h.listenTo(arguments, func(own, _ string) { use(own) })
}

// listenTo is listen where what the server announced is used, too.
func (h *home) listenTo(arguments []string, use func(own, said string)) (code int, said string) {
	h.t.Helper()
	return serveWith(h.t, h.environment, append(arguments, "--vault", h.vault, "--config", h.config, "--db", filepath.Join(h.places, "index.db")), use)
}

func get(t *testing.T, address string, headers ...string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// TestServeAnswersAsCommands: the API gives the bytes that the commands give a client.
func TestServeAnswersAsCommands(t *testing.T) {
	h := protected(t)
	h.put("links.md", "---\naliases: [Ties]\n---\n# Links\n\n[[Deployment]] [[team]] [[nowhere]] [[Ties]] [[plan]]\n")
	if code, _, talk := h.run("", "index"); code != 0 {
		t.Fatal(talk)
	}
	code, said := h.listen([]string{"serve", "--addr", "127.0.0.1:0"}, func(own string) {
		for question, arguments := range map[string][]string{
			"search?query=retry+policy":                                         {"search", "retry", "policy"},
			"search?query=policy&limit=1&mode=lexical&all=true":                 {"search", "-n", "1", "--mode", "lexical", "--all", "policy"},
			"search?tag=none":                                                   {"search", "--tag", "none"},
			"search?like=team&expand=true":                                      {"search", "--like", "team", "--expand"},
			"context?topic=retry+policy&max_tokens=500":                         {"context", "--max-tokens", "500", "retry", "policy"},
			"notes?sort=title&limit=3":                                          {"ls", "--sort", "title", "-n", "3"},
			"notes?max_tokens=60":                                               {"ls", "--max-tokens", "60"},
			"note?file_path=Deployment.md&file_path=" + url.QueryEscape("team"): {"get", "Deployment.md", "team"},
			"note?file_path=links.md&max_tokens=5":                              {"get", "links.md", "--max-tokens", "5"},
			"links?note=links":                                                  {"links", "links"},
			"links?note=team&back=true&hops=2":                                  {"links", "team", "--back", "--hops", "2"},
			"links?note=links&kind=references&max_tokens=80":                    {"links", "links", "--kind", "references", "--max-tokens", "80"},
			"links?note=links&unresolved=true":                                  {"links", "links", "--unresolved"},
			"links?unresolved=1&max_tokens=20":                                  {"links", "--unresolved", "--max-tokens", "20"},
		} {
			code, out, talk := h.run("", append(arguments, "--json", "--audience", "client")...)
			if status, text := get(t, own+"/api/"+question); code != 0 || status != http.StatusOK || text != out {
				t.Errorf("%s: %d\n%s\n%q: %d %s\n%s", question, status, text, arguments, code, talk, out)
			}
		}
		_, out, _ := h.run("", "status", "--json", "--audience", "client")
		var command, api map[string]any
		status, text := get(t, own+"/api/status")
		if err := json.Unmarshal([]byte(out), &command); err != nil || json.Unmarshal([]byte(text), &api) != nil || status != http.StatusOK {
			t.Fatalf("%v %d %s %s", err, status, text, out)
		}
		if api["notes"] != command["notes"] || api["db"] != "" || api["vault"] != filepath.Base(h.vault) || strings.Contains(text, h.places) {
			t.Errorf("status: %s, the command: %s", text, out)
		}
	})
	if code != 0 || !strings.Contains(said, "serving page at http://127.0.0.1:") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// TestServeTokens: the token comes from the environment, the configuration or a file, and is told nowhere.
func TestServeTokens(t *testing.T) {
	token, other := "correct-horse-"+"battery", "another-horse-"+"staple"
	h := newHome(t)
	h.put("a.md", "# A\n\nText.\n")
	h.put(filepath.Join(h.places, "token"), token+"\n")
	for name, row := range map[string]struct{ configuration, variable string }{
		"configuration": {"[server]\ntoken = '" + token + "'\n", ""},
		"file":          {"[server]\ntoken_file = '" + filepath.Join(h.places, "token") + "'\n", ""},
		"environment":   {"[server]\ntoken = '" + other + "'\n", token},
	} {
		h.put(h.config, row.configuration)
		h.environment["QUARRY_TOKEN"] = row.variable
		for _, arguments := range [][]string{{"serve", "--addr", "0.0.0.0:0"}, {"mcp", "--http", "127.0.0.1:0"}} {
			code, said := h.listen(append(arguments, "--log-level", "debug"), func(own string) {
				path := "/api/status"
				if arguments[0] == "mcp" {
					path = "/mcp"
				}
				if status, _ := get(t, own+path); status != http.StatusUnauthorized {
					t.Errorf("%s, %q: without a token: %d", name, arguments, status)
				}
				if status, _ := get(t, own+path, "Authorization", "Bearer "+other); status != http.StatusUnauthorized {
					t.Errorf("%s, %q: with another token: %d", name, arguments, status)
				}
				if status, _ := get(t, own+path, "Authorization", "Bearer "+token); status == http.StatusUnauthorized {
					t.Errorf("%s, %q: with the token: %d", name, arguments, status)
				}
			})
			if code != 0 || !strings.Contains(said, "a token is asked for") || strings.Contains(said, "horse") {
				t.Errorf("%s, %q: exit code %d: %s", name, arguments, code, said)
			}
		}
	}
}

// TestServePortInUse: that another program listens is told in plain words.
func TestServePortInUse(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	h := newHome(t)
	for _, arguments := range [][]string{{"serve", "--addr"}, {"mcp", "--http"}} {
		code, said := h.listen(append(arguments, listener.Addr().String()), func(string) { t.Error("it serves") })
		if code != 1 || !strings.Contains(said, "listen on "+listener.Addr().String()+": the port is in use\nhint: another program") {
			t.Errorf("exit code %d: %s", code, said)
		}
	}
}

// TestServeMistakes: what is wrong with the table [server] is told with its line, and nothing of a token.
func TestServeMistakes(t *testing.T) {
	h := newHome(t)
	h.put("blank", "short\n")
	for text, want := range map[string]string{
		"[server]\ntoken = 'short'":                                        ":2: server.token: the token has fewer than 16 characters",
		"[server]\ntoken = 'with a blank, of some length'":                 ":2: server.token: the token holds a blank",
		"[server]\ntoken = '0123456789abcdef'\ntoken_file = 'x'":           ":3: server.token_file: there is a token beside it",
		"[server]\nhosts = ['ok.example', 'http://notes.example.org']":     ":2: server.hosts, entry 2: it is no name of a host",
		"[server]\nhosts = ['*.example.org']":                              "server.hosts, entry 1: it is no name of a host",
		"[server]\norigins = ['https://notes.example.org/']":               "server.origins, entry 1: it is no origin",
		"[server]\norigins = ['null']":                                     "server.origins, entry 1: it is no origin",
		"[server]\nhosts = 'notes.example.org'":                            "server.hosts takes a list of texts",
		"[server]\ntokn = '0123456789abcdef'":                              "there is no such key\nhint: did you mean token?",
		"[server]\ntoken_file = '" + filepath.Join(h.vault, "none") + "'":  "no such file",
		"[server]\ntoken_file = '" + filepath.Join(h.vault, "blank") + "'": "fewer than 16 characters",
		"[server]\ntoken_file = '" + h.vault + "'":                         "",
	} {
		h.put(h.config, text)
		code, said := h.listen([]string{"serve", "--addr", "127.0.0.1:0"}, func(string) { t.Errorf("%s: it serves", text) })
		if runtime.GOOS == "windows" && want == "no such file" {
			want = ""
		}
		if code == 0 || !strings.Contains(said, want) || !strings.Contains(said, "\nhint: ") || strings.Contains(said, "0123456789abcdef") || strings.Contains(said, "with a blank") {
			t.Errorf("%s: exit code %d: %s", text, code, said)
		}
	}
}

// TestServeStops: what is under way when the server is told to stop is not waited for without end.
func TestServeStops(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "# A\n\nText.\n")
	var held net.Conn
	code, said := h.listen([]string{"serve", "--addr", "127.0.0.1:0"}, func(own string) {
		var err error
		if held, err = net.Dial("tcp", strings.TrimPrefix(own, "http://")); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(held, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
		time.Sleep(50 * time.Millisecond)
	})
	defer held.Close()
	if code != 0 {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// TestServeKeepsSecrets looks for planted credentials in what a server answers and says.
func TestServeKeepsSecrets(t *testing.T) {
	p := plantVault(t, 0)
	p.run("", "index")
	code, said := serveWith(t, p.environment, []string{"serve", "--addr", "127.0.0.1:0", "--log-level", "debug"}, func(own, _ string) {
		for _, question := range []string{
			"status", "notes?limit=1000&include_archived=true", "note?file_path=**", "search?query=kiln&limit=100&max_tokens=100000&explain=true&all=true", "links?unresolved=true",
			"context?topic=kiln&max_tokens=50000", "links?note=links.md&hops=6&related=true",
		} {
			status, text := get(t, own+"/api/"+question)
			p.look("/api/"+question, []byte(text))
			if status != http.StatusOK {
				t.Errorf("%s: %d %s", question, status, text)
			}
		}
		for _, question := range []string{"note?file_path=", "links?note=", "search?mode=", "search?query=x&since=", "search?like=", "search?query=x&links_to=", "notes?sort=", "nosuch?x=", "search?", "context?topic="} {
			_, text := get(t, own+"/api/"+question+url.QueryEscape(p.token("the value of "+question)))
			p.look("/api/"+question, []byte(text))
		}
		_, text := get(t, own+"/"+url.PathEscape(p.token("the path asked for")))
		p.look("a path", []byte(text))
	})
	p.look("what the server said", []byte(said))
	if code != 0 {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// TestServeAnnounces: a server on all addresses answers at each address that it announces, and announces none that is no address.
func TestServeAnnounces(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "# A\n\nText.\n")
	h.environment["QUARRY_TOKEN"] = "correct-horse-" + "battery"
	for _, all := range []string{"0.0.0.0:0", "[::]:0", ":0"} {
		if probe, err := net.Listen("tcp", all); err != nil {
			continue // there is no IPv6
		} else if err := probe.Close(); err != nil {
			t.Fatal(err)
		}
		code, said := h.listenTo([]string{"serve", "--addr", all}, func(own, said string) {
			if !strings.HasPrefix(own, "http://localhost:") {
				t.Errorf("%s is announced as %s", all, own)
			}
			for _, one := range regexp.MustCompile(`http://[^/\s,;]+`).FindAllString(said, -1) {
				if status, text := get(t, one+"/", "Authorization", "Bearer "+h.environment["QUARRY_TOKEN"]); status != http.StatusOK {
					t.Errorf("%s announces %s, which answers %d %s", all, one, status, text)
				}
			}
		})
		if code != 0 {
			t.Errorf("%s: exit code %d: %s", all, code, said)
		}
	}
}

// TestServeTellsOfOpenNames: that anybody may ask is told where a name of the server is not one of this machine alone.
func TestServeTellsOfOpenNames(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "# A\n\nText.\n")
	for host, isOpen := range map[string]bool{
		"localhost": false, "LocalHost:8443": false, "127.0.0.2:1": false, "[::1]": false, "[::1]:8443": false,
		"notes.example.org": true, "192.0.2.1:8443": true, "[2001:db8::1]:8443": true, "localhost.example.org": true,
	} {
		h.put(h.config, "[server]\nhosts = ['"+host+"']\n")
		code, said := h.listen([]string{"serve", "--addr", "127.0.0.1:0"}, func(string) {})
		if code != 0 || strings.Contains(said, "no token is asked for") != isOpen {
			t.Errorf("%s: exit code %d: %s", host, code, said)
		}
	}
}

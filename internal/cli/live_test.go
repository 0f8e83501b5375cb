package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"quarry/internal/cli"
)

// session is a running `quarry mcp`.
type session struct {
	t     *testing.T
	input io.WriteCloser
	lines *bufio.Reader
	done  chan int
	id    int
}

func (h *home) serve() *session {
	h.t.Helper()
	in, feed := io.Pipe()
	out, answers := io.Pipe()
	s := &session{t: h.t, input: feed, lines: bufio.NewReader(out), done: make(chan int, 1)}
	var talk lockedBuffer
	io := streams(answers, &talk)
	io.OutTerminal, io.In, io.WorkDir = false, in, h.places
	io.Env = func(name string) string { return h.environment[name] }
	go func() {
		s.done <- cli.Run(h.t.Context(), []string{"mcp", "--db", h.places + "/index.db"}, io)
		answers.Close()
	}()
	s.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "t", "version": "1"}})
	s.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

// lockedBuffer is standard error of a server, which several requests write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (s *session) write(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.input, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) call(method string, params any) string {
	s.t.Helper()
	s.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params})
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(string(line))
	answer, err := s.lines.ReadString('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

func (s *session) search(query string) string {
	s.t.Helper()
	return s.call("tools/call", map[string]any{"name": "obsidian_search", "arguments": map[string]any{"query": query, "limit": 20}})
}

func (s *session) end() {
	s.t.Helper()
	s.input.Close()
	if code := <-s.done; code != 0 {
		s.t.Errorf("exit code %d", code)
	}
}

// A server that runs already goes by what the configuration says now, and answers nothing where it says nothing that can be
// understood: neither the notes nor what is wrong.
func TestServerSeesConfiguration(t *testing.T) {
	h := newHome(t)
	h.put("open.md", "# Open\n\nkiln open oven-123456\n")
	h.put("journal/day.md", "# Day\n\nkiln day\n")
	if code, _, talk := h.run("", "index"); code != 0 {
		t.Fatal(talk)
	}
	s := h.serve()
	defer s.end()
	expect := func(when string, holds, lacks []string) {
		t.Helper()
		answer := s.search("kiln")
		for _, part := range holds {
			if !strings.Contains(answer, part) {
				t.Errorf("%s: no %q in %s", when, part, answer)
			}
		}
		for _, part := range lacks {
			if strings.Contains(answer, part) {
				t.Errorf("%s: %q in %s", when, part, answer)
			}
		}
	}
	expect("at first", []string{"open.md", "journal/day.md", "oven-123456"}, []string{"isError\":true"})
	h.put(h.config, "[sensitivity.folders]\njournal = \"private\"\n")
	expect("the folder is private", []string{"open.md", "oven-123456"}, []string{"day"})
	h.put(h.config, "[sensitivity.folders]\njournal = \"privat\"\n")
	expect("a mistake", []string{`"isError":true`, `\"code\":\"configuration\"`}, []string{"open.md", "day", "journal", "privat"})
	expect("a mistake, again", []string{`\"code\":\"configuration\"`}, []string{"open.md"})
	h.put(h.config, "[sensitivity.folders]\njournal = \"private\"\n")
	h.put(".quarry.toml", "[redaction]\npatterns = [{name = \"oven-number\", pattern = \"oven-[0-9]{6}\"}]\n")
	expect("a pattern of the vault", []string{"open.md", "[REDACTED:oven-number]"}, []string{"day", "oven-123456", "isError\":true"})
	h.put(".quarry.toml", "[redaction\n")
	expect("the vault's own is broken", []string{`\"code\":\"configuration\"`}, []string{"open.md", "oven"})
	h.put(".quarry.toml", "")
	h.put(h.config, "")
	expect("at last", []string{"open.md", "journal/day.md"}, []string{"isError\":true"})
}

// Requests that are under way are answered by the engine that they began with.
func TestServerChangesBetweenRequests(t *testing.T) {
	h := newHome(t)
	h.put("open.md", "# Open\n\nkiln open\n")
	h.run("", "index")
	s := h.serve()
	defer s.end()
	const calls = 60
	answers := make(chan string, calls)
	go func() {
		for range calls {
			answer, err := s.lines.ReadString('\n')
			if err != nil {
				answer = err.Error()
			}
			answers <- answer
		}
	}()
	for i := range calls {
		h.put(h.config, strings.Repeat("# another configuration\n", i%7))
		s.write(`{"jsonrpc":"2.0","id":` + strconv.Itoa(100+i) + `,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":"kiln"}}}`)
	}
	for range calls {
		if answer := <-answers; !strings.Contains(answer, "open.md") || strings.Contains(answer, `"isError":true`) {
			t.Error(answer)
		}
	}
}

// What keeps an engine from being opened may pass without a change of the configuration.
func TestServerTriesAgain(t *testing.T) {
	h := newHome(t)
	h.put("open.md", "# Open\n\nkiln open\n")
	h.run("", "index")
	s := h.serve()
	defer s.end()
	away := h.vault + "-away"
	if err := os.Rename(h.vault, away); err != nil {
		t.Skip("the folder of an open vault cannot be moved here")
	}
	h.put(h.config, "# changed while the vault is away\n")
	if answer := s.search("kiln"); !strings.Contains(answer, `"isError":true`) || strings.Contains(answer, "open.md") {
		t.Errorf("without the vault: %s", answer)
	}
	if err := os.Rename(away, h.vault); err != nil {
		t.Fatal(err)
	}
	if answer := s.search("kiln"); !strings.Contains(answer, "open.md") || strings.Contains(answer, `"isError":true`) {
		t.Errorf("with the vault back: %s", answer)
	}
}

package httpserver_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry"
	"quarry/internal/httpserver"
)

// fixedEngines always answers with one engine.
type fixedEngines struct{ engine *quarry.Engine }

func (f fixedEngines) Acquire(context.Context) (*quarry.Engine, func(), error) {
	return f.engine, func() {}, nil
}
func (f fixedEngines) Redactor() *quarry.Redactor { return f.engine.Redactor() }

// sampleToken is a made-up credential with a right checksum, in two parts, so that this file holds none.
const sampleToken = "ghp_" + "FbY8NwcUeb4c0wrUGZECjUYrZUPet91VOUZ4"

// sampleNotes are public but for one.
var sampleNotes = map[string]string{
	"kiln/Glaze.md":       "---\ntags: [kiln, glaze]\nupdated: 2026-01-03\n---\n# Glaze\n\nThe kiln melts the glaze at cone six. See [[Clay]] and [[Nowhere]].\n\n## Test tiles\n\nEach glaze is tried on a tile first.\n",
	"kiln/Clay.md":        "---\naliases: [Stoneware]\nupdated: 2026-01-02\n---\n# Clay\n\nStoneware clay shrinks by a tenth in the kiln. A token " + sampleToken + " was left here.\n",
	"garden/Beans.md":     "---\nupdated: 2026-01-01\n---\n# Beans\n\nSow beans in May, after the frost. [[Glaze]] has nothing to do with it.\n",
	"private/Doctor.md":   "---\nsensitivity: private\n---\n# Doctor\n\nThe kiln makes me cough, says the doctor: zebrafish. [[Glaze]]\n",
	"<b onclick=x>/a.md":  "# <script>alert(1)</script>\n\nThe kiln <img src=x onerror=alert(2)> \u202eevil\n",
	"kiln/Glaze notes.md": "# Glaze notes\n\nThe [[Stoneware]] takes a glaze well.\n",
}

// openSample opens an engine over the notes, as to a client. Its index is built.
func openSample(tb testing.TB) *quarry.Engine {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range sampleNotes {
		path := filepath.Join(dir, "vault", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			tb.Skip("this system has no such names: ", err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	config := quarry.Config{VaultDir: filepath.Join(dir, "vault"), DatabasePath: filepath.Join(dir, "index.db"), NoModel: true}
	owner, err := quarry.Open(tb.Context(), config)
	if err != nil {
		tb.Fatal(err)
	}
	defer owner.Close()
	if _, err := owner.Index(tb.Context(), quarry.IndexOptions{}, nil); err != nil {
		tb.Fatal(err)
	}
	config.Audience = quarry.Client
	engine, err := quarry.Open(tb.Context(), config)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = engine.Close() })
	return engine
}

// serve serves on a free port until the test ends, and gives host and port.
func serve(tb testing.TB, handler http.Handler) string {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- httpserver.Serve(ctx, listener, handler) }()
	tb.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			tb.Error(err)
		}
	})
	return listener.Addr().String()
}

// answered is what came back, without its body.
type answered struct {
	StatusCode int
	Header     http.Header
}

// call is one request; headers are pairs, of which Host is the request's.
func call(tb testing.TB, method, address, body string, headers ...string) (answered, string) {
	tb.Helper()
	request, err := http.NewRequestWithContext(tb.Context(), method, address, strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
			continue
		}
		request.Header.Add(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		tb.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return answered{answer.StatusCode, answer.Header}, string(text)
}

// codeOf is the code of an error, "" where the text is none in the form that clients get.
func codeOf(text string) string {
	var said struct{ Error, Code, Suggestion string }
	if json.Unmarshal([]byte(text), &said) != nil || said.Error == "" || said.Suggestion == "" {
		return ""
	}
	return said.Code
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

var mcpHeaders = []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}

package httpserver_test

import (
	"context"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"quarry"
	"quarry/internal/httpserver"
)

// TestWaitingForIndex: calls that wait for an index, more of them than are answered at a time, keep nobody else from being answered.
func TestWaitingForIndex(t *testing.T) {
	config := quarry.Config{VaultDir: t.TempDir(), DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true, Audience: quarry.Client}
	engine, err := quarry.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	lock := flock.New(config.DatabasePath + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	own := "http://" + serve(t, httpserver.Handler(fixedEngines{engine}, httpserver.Options{}))
	waiting, leave := context.WithCancel(t.Context())
	defer leave()
	var calls sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	sent := make(chan struct{}, 200)
	for range 8 + 4*runtime.GOMAXPROCS(0) {
		calls.Go(func() {
			body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":"kiln"},"_meta":{"progressToken":1}}}`
			request, err := http.NewRequestWithContext(waiting, http.MethodPost, own+httpserver.MCPPath, strings.NewReader(body))
			if err != nil {
				return
			}
			for i := 0; i+1 < len(mcpHeaders); i += 2 {
				request.Header.Set(mcpHeaders[i], mcpHeaders[i+1])
			}
			answer, err := client.Do(request)
			if err != nil {
				return
			}
			defer answer.Body.Close()
			first := make([]byte, 1)
			_, _ = answer.Body.Read(first) // the first word of progress: it waits
			sent <- struct{}{}
			<-waiting.Done()
		})
	}
	for range 8 + 4*runtime.GOMAXPROCS(0) {
		select {
		case <-sent:
		case <-time.After(10 * time.Second):
			t.Fatal("some of those who wait are not answered by words of progress")
		}
	}
	started := time.Now()
	if answer, text := call(t, http.MethodGet, own+"/", ""); answer.StatusCode != http.StatusOK {
		t.Errorf("%d %.200s", answer.StatusCode, text)
	}
	if answer, text := call(t, http.MethodGet, own+"/api/search?query=kiln", ""); codeOf(text) != "index_building" {
		t.Errorf("%d %.200s", answer.StatusCode, text)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	leave()
	calls.Wait()
}

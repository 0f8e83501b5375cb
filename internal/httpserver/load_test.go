package httpserver_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"quarry/internal/httpserver"
)

// syncWriter is written to by several at a time.
type syncWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *syncWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// TestLoad has 32 clients ask, by MCP and by the API: no error, and memory does not grow with the number of calls.
func TestLoad(t *testing.T) {
	t.Parallel()
	const clients = 32
	calls := 10_000
	if testing.Short() {
		calls = 640
	}
	own := "http://" + serve(t, httpserver.Handler(fixedEngines{openSample(t)}, httpserver.Options{}))
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	askMany(t, client, own, clients, clients*10)
	before := heapBytes()
	askMany(t, client, own, clients, calls)
	after := heapBytes()
	t.Logf("%d calls of %d clients: heap %d KB before, %d KB after; %s", calls, clients, before>>10, after>>10, residentMemory())
	if after > before+8<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}

// askMany shares so many calls out among clients.
func askMany(t *testing.T, client *http.Client, own string, clients, calls int) {
	t.Helper()
	var all sync.WaitGroup
	for number := range clients {
		all.Go(func() {
			for i := range calls / clients {
				if fault := askOnce(t, client, own, number+i*clients); fault != "" {
					t.Error(fault)
					return
				}
			}
		})
	}
	all.Wait()
}

func askOnce(t *testing.T, client *http.Client, own string, number int) string {
	t.Helper()
	words := []string{"kiln", "glaze", "clay", "beans", "tile"}[number%5] + " " + strconv.Itoa(number%97)
	method, address, body := http.MethodGet, "", ""
	switch number % 8 {
	case 0:
		address = "/api/search?query=" + url.QueryEscape(words)
	case 1:
		address = "/api/note?file_path=Glaze"
	case 2:
		address = "/api/links?note=Clay"
	default:
		method, address = http.MethodPost, httpserver.MCPPath
		body = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":%q}}}`, number, words)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, own+address, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	answer, err := client.Do(request)
	if err != nil {
		return err.Error()
	}
	text, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || bytes.Contains(text, []byte(`"isError":true`)) || bytes.Contains(text, []byte(`"error":`)) {
		return fmt.Sprintf("%s: %d %v %.300s", address, answer.StatusCode, err, text)
	}
	return ""
}

func heapBytes() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// residentMemory is what the system says the process holds, where it says so.
func residentMemory() string {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "no figure of the system's"
	}
	var found []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "VmRSS") || strings.HasPrefix(line, "VmHWM") {
			found = append(found, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(found, ", ")
}

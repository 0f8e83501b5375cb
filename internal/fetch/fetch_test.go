package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/fetch"
)

var now = time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)

// client is one that may ask the servers of a test.
func client(options fetch.Options) *fetch.Client {
	options.AllowLoopbackForTests = true
	options.Now = func() time.Time { return now }
	return fetch.New(options)
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func get(t *testing.T, address string) fetch.Response {
	t.Helper()
	response, err := client(fetch.Options{}).Get(t.Context(), fetch.Request{Address: address})
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func TestGet(t *testing.T) {
	var asked http.Header
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header
		w.Header().Set("Content-Type", "application/rss+xml; charset=utf-8")
		w.Header().Set("ETag", `"a1"`)
		w.Header().Set("Last-Modified", "Wed, 01 Apr 2026 10:00:00 GMT")
		w.Header().Set("Cache-Control", "public, max-age=900")
		w.Header().Set("Set-Cookie", "a=b")
		_, _ = w.Write([]byte("<rss/>"))
	})
	c := client(fetch.Options{UserAgent: "quarry/1.0"})
	got, err := c.Get(t.Context(), fetch.Request{Address: address + "/feed?x=1#part"})
	if err != nil {
		t.Fatal(err)
	}
	want := fetch.Response{
		Status: 200, Content: []byte("<rss/>"), ContentType: "application/rss+xml; charset=utf-8", ETag: `"a1"`, LastModified: "Wed, 01 Apr 2026 10:00:00 GMT",
		FinalAddress: address + "/feed?x=1", MaxAge: 15 * time.Minute,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := c.Get(t.Context(), fetch.Request{Address: address}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"User-Agent": "quarry/1.0", "Cookie": "", "Referer": "", "Accept-Encoding": "gzip", "If-None-Match": "", "Authorization": ""} {
		if got := asked.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestConditional(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") != `W/"7"` || r.Header.Get("If-Modified-Since") != "Wed, 01 Apr 2026 10:00:00 GMT" {
			t.Errorf("asked with %v", r.Header)
		}
		w.WriteHeader(http.StatusNotModified)
	})
	got, err := client(fetch.Options{}).Get(t.Context(), fetch.Request{Address: address, ETag: `W/"7"`, LastModified: "Wed, 01 Apr 2026 10:00:00 GMT"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != 304 || got.ETag != `W/"7"` || got.LastModified != "Wed, 01 Apr 2026 10:00:00 GMT" || got.Content != nil {
		t.Errorf("%+v", got)
	}
	if _, err := client(fetch.Options{}).Get(t.Context(), fetch.Request{Address: serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") != "" || r.Header.Get("X") != "" {
			t.Error("a line's end went through")
		}
	}), ETag: "a\r\nX: y"}); err != nil {
		t.Fatal(err)
	}
}

func TestRedirects(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		to := func(code int, path string) { w.Header().Set("Location", path); w.WriteHeader(code) }
		switch r.URL.Path {
		case "/301":
			to(301, "/308")
		case "/308":
			to(308, "end")
		case "/301-302":
			to(301, "/302")
		case "/302":
			to(302, "/end")
		case "/303-301":
			to(303, "/301")
		case "/lost":
			to(301, "/404")
		case "/404":
			w.WriteHeader(404)
		case "/nowhere":
			w.WriteHeader(302)
		case "/end":
			_, _ = w.Write([]byte("x"))
		default:
			to(302, r.URL.Path+"x")
		}
	})
	for path, want := range map[string][3]string{
		"/301": {"/end", "/end", "200"}, "/301-302": {"/end", "/302", "200"}, "/302": {"/end", "", "200"}, "/303-301": {"/end", "", "200"}, "/lost": {"/404", "", "404"}, "/nowhere": {"/nowhere", "", "302"},
	} {
		got := get(t, address+path)
		if strings.TrimPrefix(got.FinalAddress, address) != want[0] || strings.TrimPrefix(got.Permanent, address) != want[1] || fmt.Sprint(got.Status) != want[2] {
			t.Errorf("%s: %+v", path, got)
		}
	}
	_, err := client(fetch.Options{}).Get(t.Context(), fetch.Request{Address: address + "/loop"})
	if !errors.Is(err, fetch.ErrRedirects) {
		t.Error(err)
	}
	_, err = client(fetch.Options{MostRedirects: -1}).Get(t.Context(), fetch.Request{Address: address + "/302"})
	if !errors.Is(err, fetch.ErrRedirects) {
		t.Error(err)
	}
}

// TestForbidden asks as a user's program does, and by redirects: none of it reaches anyone.
func TestForbidden(t *testing.T) {
	var reached atomic.Int32
	inner := serve(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	port := inner[strings.LastIndexByte(inner, ':')+1:]
	hosts := []string{
		"127.0.0.1", "127.1.2.3", "localhost", "localhost.", "sub.localhost", "0", "0.0.0.0", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001", "127.0.0.0x1",
		"10.0.0.1", "172.16.5.4", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.254", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.0.1", "198.18.0.1", "192.0.2.1",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:8.8.8.8]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]",
		"[fe80::1]", "[fe80::1%25eth0]", "[fc00::1]", "[fd12:3456::1]", "[ff02::1]", "[fec0::1]", "[2001:db8::1]", "[4000::1]", "printer.local", "metadata.google.internal", "router.lan", "１２７.0.0.1",
	}
	c := fetch.New(fetch.Options{Timeout: 5 * time.Second})
	allowed := client(fetch.Options{Timeout: 5 * time.Second})
	for _, host := range hosts {
		target := "http://" + host + ":" + port + "/"
		if _, err := c.Get(t.Context(), fetch.Request{Address: target}); err == nil || !errors.Is(err, fetch.ErrForbidden) && !strings.Contains(err.Error(), "lookup") {
			t.Errorf("%s: %v", target, err)
		}
		if _, err := c.Get(t.Context(), fetch.Request{Address: "http://" + host + "/"}); err == nil {
			t.Errorf("%s is asked", host)
		}
		if strings.Contains(host, "localhost") || strings.HasPrefix(host, "127.0.0.1") || strings.HasPrefix(host, "127.1.2") || host == "[::1]" || strings.HasPrefix(host, "[::ffff:127") || strings.HasPrefix(host, "[::ffff:7f") {
			continue // what a test's client may ask
		}
		from := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Location", target); w.WriteHeader(302) })
		if _, err := allowed.Get(t.Context(), fetch.Request{Address: from}); err == nil || !errors.Is(err, fetch.ErrForbidden) && !strings.Contains(err.Error(), "lookup") {
			t.Errorf("redirect to %s: %v", target, err)
		}
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("%d requests came through", n)
	}
}

func TestForbiddenForms(t *testing.T) {
	for _, address := range []string{
		"", "file:///etc/passwd", "ftp://example.org/", "gopher://example.org/", "data:text/html,x", "javascript:alert(1)", "//example.org/", "http://", "http:example.org", "https://user:word@example.org/", "http://example.org:22/",
		"http://example.org:6379/", "http://example.org:99999/", "http://example.org:-1/", "http://exa mple.org/", "http://example.org\n/", "http://[::1", "unix:///run/x.sock", "HTTP+UNIX://x", "http://example.1", "http://1.2.3", "http://" + strings.Repeat("a", 10_000),
	} {
		if _, err := client(fetch.Options{Timeout: time.Second}).Get(t.Context(), fetch.Request{Address: address}); !errors.Is(err, fetch.ErrForbidden) {
			t.Errorf("%.40q: %v", address, err)
		}
	}
	for _, location := range []string{"file:///etc/passwd", "http://example.org:25/", "http://169.254.169.254/latest/meta-data/", "//10.0.0.1/", "ftp://example.org/", "http://%zz/", "http://a:b@example.org/"} {
		from := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Location", location); w.WriteHeader(301) })
		if _, err := client(fetch.Options{Timeout: time.Second}).Get(t.Context(), fetch.Request{Address: from}); !errors.Is(err, fetch.ErrForbidden) {
			t.Errorf("redirect to %q: %v", location, err)
		}
	}
}

func TestTLSIsVerified(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	server.Config.ErrorLog = nil
	_, err := client(fetch.Options{}).Get(t.Context(), fetch.Request{Address: server.URL})
	if err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Error(err)
	}
}

func TestBounds(t *testing.T) {
	endless := func(w http.ResponseWriter, r *http.Request) {
		block := bytes.Repeat([]byte("<item/>"), 10_000)
		for r.Context().Err() == nil {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	bomb := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		block := make([]byte, 1<<20)
		for range 500 {
			if _, err := packed.Write(block); err != nil {
				return
			}
		}
		_ = packed.Close()
	}
	declared := func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "999999999999") }
	for name, handler := range map[string]http.HandlerFunc{"endless": endless, "gzip bomb": bomb, "declared": declared} {
		t.Run(name, func(t *testing.T) {
			address := serve(t, handler)
			before, start := allocated(), time.Now()
			_, err := client(fetch.Options{MostBytes: 4 << 20}).Get(t.Context(), fetch.Request{Address: address})
			if !errors.Is(err, fetch.ErrTooLarge) {
				t.Error(err)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			if grown := allocated() - before; grown > 64<<20 {
				t.Errorf("it took %d MiB", grown>>20)
			}
		})
	}
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("12345")) })
	if _, err := client(fetch.Options{}).Get(t.Context(), fetch.Request{Address: address, MostBytes: 4}); !errors.Is(err, fetch.ErrTooLarge) {
		t.Error(err)
	}
	if got, err := client(fetch.Options{}).Get(t.Context(), fetch.Request{Address: address, MostBytes: 5}); err != nil || string(got.Content) != "12345" {
		t.Error(got, err)
	}
}

// allocated counts all bytes that were ever taken.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

func TestSlow(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	silent := func(http.ResponseWriter, *http.Request) { <-stop }
	drip := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = w.Write([]byte("."))
			w.(http.Flusher).Flush()
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	for name, handler := range map[string]http.HandlerFunc{"silent": silent, "drip": drip} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			t.Cleanup(server.CloseClientConnections)
			_, err := client(fetch.Options{Timeout: 200 * time.Millisecond}).Get(t.Context(), fetch.Request{Address: server.URL})
			if !errors.Is(err, fetch.ErrTimeout) {
				t.Error(err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client(fetch.Options{}).Get(ctx, fetch.Request{Address: "http://127.0.0.1:1/"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestUnpacked(t *testing.T) {
	packed := func(encoding string, cut int) string {
		return serve(t, func(w http.ResponseWriter, _ *http.Request) {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = z.Write([]byte("hello hello hello"))
			_ = z.Close()
			w.Header().Set("Content-Encoding", encoding)
			_, _ = w.Write(b.Bytes()[:b.Len()-cut])
		})
	}
	if got := get(t, packed("gzip", 0)); string(got.Content) != "hello hello hello" {
		t.Errorf("%q", got.Content)
	}
	for _, address := range []string{packed("br", 0), packed("gzip", 6), packed("gzip, gzip", 0)} {
		if got, err := client(fetch.Options{}).Get(t.Context(), fetch.Request{Address: address}); err == nil {
			t.Errorf("%q", got.Content)
		}
	}
}

func TestWaits(t *testing.T) {
	for _, test := range []struct {
		status             int
		name, value        string
		retryAfter, maxAge time.Duration
		isGone, hasNoRetry bool
	}{
		{503, "Retry-After", "120", 2 * time.Minute, 0, false, false},
		{429, "Retry-After", "Wed, 01 Apr 2026 12:30:00 GMT", 30 * time.Minute, 0, false, false},
		{429, "", "", time.Hour, 0, false, false},
		{503, "Retry-After", "99999999999999", 7 * 24 * time.Hour, 0, false, false},
		{503, "Retry-After", "Wed, 01 Apr 2099 12:30:00 GMT", 7 * 24 * time.Hour, 0, false, false},
		{503, "Retry-After", "Wed, 01 Apr 2020 12:30:00 GMT", 0, 0, false, false},
		{503, "Retry-After", "-5", time.Hour, 0, false, false},
		{410, "", "", 0, 0, true, true},
		{200, "Cache-Control", "max-age=60, public", 0, time.Minute, false, true},
		{200, "Cache-Control", "no-cache, max-age=60", 0, 0, false, true},
		{200, "Cache-Control", "max-age=99999999999999999", 0, 7 * 24 * time.Hour, false, true},
		{200, "Cache-Control", "max-age=-1", 0, 0, false, true},
		{200, "Expires", "Wed, 01 Apr 2026 13:00:00 GMT", 0, time.Hour, false, true},
		{200, "Expires", "0", 0, 0, false, true},
	} {
		got := get(t, serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if test.name != "" {
				w.Header().Set(test.name, test.value)
			}
			w.WriteHeader(test.status)
		}))
		want := now.Add(test.retryAfter)
		if test.hasNoRetry {
			want = time.Time{}
		}
		if !got.RetryAt.Equal(want) || got.MaxAge != test.maxAge || got.Gone != test.isGone || got.Status != test.status {
			t.Errorf("%d %s %q: %+v", test.status, test.name, test.value, got)
		}
	}
}

func TestErrorsHoldNoQuery(t *testing.T) {
	_, err := client(fetch.Options{}).Get(t.Context(), fetch.Request{Address: "http://127.0.0.1:1/feed?key=abc123"})
	if err == nil || strings.Contains(err.Error(), "abc123") || !strings.Contains(err.Error(), "127.0.0.1:1/feed") {
		t.Error(err)
	}
}

func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"http://127.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://0x7f.1/", "https://example.org:443/x?y#z", "http://a@b/", "http://localhost/"} {
		f.Add(seed)
	}
	c := fetch.New(fetch.Options{Timeout: time.Millisecond})
	ctx, cancel := context.WithCancel(f.Context())
	cancel() // whatever the address, nothing is asked
	f.Fuzz(func(t *testing.T, address string) {
		if _, err := c.Get(ctx, fetch.Request{Address: address}); err == nil {
			t.Error("there is an answer")
		}
		_ = fetch.Shown(address)
	})
}

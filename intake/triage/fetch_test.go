package triage_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/intake"
	"quarry/intake/ledger"
	"quarry/intake/triage"
	"quarry/internal/fetch"
)

// server is a feed that counts how often it is asked, and the client that may ask it.
func server(t *testing.T, serve http.HandlerFunc) (address string, asked *atomic.Int32, getter triage.Getter) {
	t.Helper()
	asked = &atomic.Int32{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		serve(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked, fetch.New(fetch.Options{AllowLoopbackForTests: true, Now: func() time.Time { return now }})
}

// list puts a feed on the list that no user could.
func list(t *testing.T, opened *triage.Triage, address string) {
	t.Helper()
	err := opened.Ledger().Update(t.Context(), func(change *ledger.Change) error {
		_, err := change.AddFeed(ledger.Feed{Address: address, Added: now})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func fetchAll(t *testing.T, opened *triage.Triage) triage.Fetched {
	t.Helper()
	fetched, err := opened.Fetch(t.Context(), triage.FetchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return fetched
}

func TestFetch(t *testing.T) {
	h := newHome(t)
	address, asked, getter := server(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"one"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"one"`)
		fmt.Fprint(w, string(feed("keep one", "perhaps two").Content))
	})
	clock := now
	h.options.Now, h.options.Getter = func() time.Time { return clock }, getter
	opened := h.open()
	list(t, opened, address+"/feed.xml")
	if first := fetchAll(t, opened); first.Asked != 1 || first.Added != 2 || first.Routed != 1 || first.Failed != 0 {
		t.Errorf("first: %+v", first)
	}
	if second := fetchAll(t, opened); second.NotDue != 1 || second.Asked != 0 || asked.Load() != 1 {
		t.Errorf("too soon: %+v", second)
	}
	if only, err := opened.Fetch(t.Context(), triage.FetchOptions{Only: "kiln NEWS"}); err != nil || only.Unchanged != 1 || only.Added != 0 {
		t.Errorf("by its name: %+v, %v", only, err)
	}
	clock = now.Add(time.Hour)
	if third := fetchAll(t, opened); third.Unchanged != 1 || asked.Load() != 3 {
		t.Errorf("an hour later: %+v", third)
	}
	if _, err := opened.Fetch(t.Context(), triage.FetchOptions{Only: "other"}); !errors.Is(err, ledger.ErrUnknown) {
		t.Errorf("no such feed: %v", err)
	}
}

// A feed that fails does not stop the others, and is asked again when it wants to be.
func TestFetchFaults(t *testing.T) {
	h := newHome(t)
	address, asked, getter := server(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/busy":
			w.Header().Set("Retry-After", "7200")
			w.WriteHeader(http.StatusTooManyRequests)
		case "/gone":
			w.WriteHeader(http.StatusGone)
		case "/moved":
			http.Redirect(w, r, "/good", http.StatusMovedPermanently)
		case "/good":
			fmt.Fprint(w, string(feed("keep one").Content))
		default:
			fmt.Fprint(w, "\x00\x01\x02")
		}
	})
	clock := now
	h.options.Now, h.options.Getter = func() time.Time { return clock }, getter
	opened := h.open()
	for _, path := range []string{"/busy", "/gone", "/moved", "/nothing"} {
		list(t, opened, address+path)
	}
	fetched := fetchAll(t, opened)
	if fetched.Asked != 4 || fetched.Failed != 3 || fetched.Routed != 1 || len(fetched.Problems) != 3 {
		t.Errorf("%+v", fetched)
	}
	feeds, err := opened.Ledger().Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, one := range feeds {
		got[strings.TrimPrefix(one.Address, address)] = fmt.Sprintf("%v %v %d", one.Next.Sub(now), one.Gone, one.Faults)
	}
	want := map[string]string{"/busy": "2h0m0s false 1", "/gone": "10m0s true 1", "/moved": "30m0s false 0", "/nothing": "10m0s false 1"}
	if diff := cmp.Diff(want, got); diff != "" { // a loopback address is no place that a feed moves to
		t.Error(diff)
	}
	before := asked.Load()
	for _, feed := range []string{address + "/busy"} {
		if one, err := opened.Fetch(t.Context(), triage.FetchOptions{Only: feed}); err != nil || one.NotDue != 1 {
			t.Errorf("asked a busy server: %+v, %v", one, err)
		}
	}
	clock = now.Add(15 * time.Minute)
	if again := fetchAll(t, opened); again.Asked != 1 || asked.Load() != before+1 {
		t.Errorf("a quarter later: %+v", again)
	}
}

// Addresses that are not of the public web are neither listed nor asked.
func TestFeedAddresses(t *testing.T) {
	h := newHome(t)
	opened := h.open()
	for _, address := range []string{
		"file:///etc/passwd", "ftp://example.org/a", "feed.xml", "", "https://", "http://localhost/a", "http://127.0.0.1/a", "http://[::1]/a", "http://10.0.0.1/a", "http://192.168.1.1/", "http://169.254.169.254/latest",
		"http://printer.local/a", "http://intranet/a", "http://me:word@example.org/a", "javascript:alert(1)", "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/", "http://db.internal/",
	} {
		if _, err := opened.AddFeed(t.Context(), address, ""); !errors.Is(err, triage.ErrAddress) {
			t.Errorf("%q: %v", address, err)
		}
		list(t, opened, address)
	}
	done := fetchAll(t, opened)
	if done.Failed != done.Asked || done.Asked == 0 || done.Signals != 0 {
		t.Errorf("%+v", done)
	}
	if isNew, err := opened.AddFeed(t.Context(), "https://example.org/feed.xml", "Example"); !isNew || err != nil {
		t.Errorf("%v, %v", isNew, err)
	}
	if isNew, err := opened.AddFeed(t.Context(), "https://example.org/feed.xml", "Example"); isNew || err != nil {
		t.Errorf("again: %v, %v", isNew, err)
	}
}

// counter is a network that counts who asks it.
type counter struct{ asked int }

func (c *counter) Get(context.Context, fetch.Request) (fetch.Response, error) {
	c.asked++
	return fetch.Response{Status: http.StatusNotModified}, nil
}

// Nothing but Fetch asks the network.
func TestOnlyFetchAsks(t *testing.T) {
	h := newHome(t)
	network := &counter{}
	h.options.Getter = network
	opened := h.open()
	ctx := t.Context()
	list(t, opened, "https://example.org/feed.xml")
	page := triage.Input{Name: "page.html", Content: []byte(`<!DOCTYPE html><html><head><title>keep page</title></head><body><p>Text.</p><img src="https://example.org/p.gif"></body></html>`)}
	h.add(opened, feed("keep one", "perhaps two", "drop three"), page)
	for name, do := range map[string]func() error{
		"route": func() error { _, err := opened.Route(ctx, triage.AddOptions{}); return err },
		"plan":  func() error { _, err := opened.Plan(ctx); return err },
		"score": func() error { _, _, err := opened.ScoreInputs(ctx, []triage.Input{page}, intake.Tool); return err },
		"decide": func() error {
			_, err := opened.Accept(ctx, []int64{2}, "")
			return errors.Join(err, second(opened.Move(ctx, []int64{3}, "data")), second(opened.Drop(ctx, []int64{1})), second(opened.Undo(ctx, 0)))
		},
		"tell": func() error { return errors.Join(second(opened.Stats(ctx, time.Time{})), second(opened.Queue(ctx, 0))) },
		"feeds": func() error {
			return errors.Join(second(opened.AddFeed(ctx, "https://example.org/2", "")), second(opened.ExportFeeds(ctx)))
		},
	} {
		if err := do(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if network.asked != 0 {
		t.Errorf("the network was asked %d times", network.asked)
	}
	if fetchAll(t, opened); network.asked != 2 {
		t.Errorf("fetch asked %d feeds", network.asked)
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if file != "fetch.go" && !strings.HasSuffix(file, "_test.go") && strings.Contains(string(content), "fetch.New(") {
			t.Errorf("%s makes a client", file)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestFeedLists(t *testing.T) {
	h := newHome(t)
	opened := h.open()
	opml := `<?xml version="1.0"?><opml version="2.0"><body><outline text="Tools"><outline text="Kiln" type="rss" xmlUrl="https://kiln.example.org/feed" htmlUrl="https://kiln.example.org/"/></outline>
<outline text="Here" type="rss" xmlUrl="http://127.0.0.1/feed"/></body></opml>`
	done, err := opened.ImportFeeds(t.Context(), "a.opml", []byte(opml))
	if err != nil || done.Added != 1 || len(done.Problems) != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	out, err := opened.ExportFeeds(t.Context())
	if err != nil || !strings.Contains(string(out), `xmlUrl="https://kiln.example.org/feed"`) || !strings.Contains(string(out), "Tools") {
		t.Errorf("%s, %v", out, err)
	}
	if address, err := opened.RemoveFeed(t.Context(), "kiln"); err != nil || address != "https://kiln.example.org/feed" {
		t.Errorf("%s, %v", address, err)
	}
}

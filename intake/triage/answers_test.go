package triage_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/intake"
	"quarry/intake/source"
	"quarry/intake/triage"
	"quarry/internal/fetch"
)

// What stands where a feed was is no signal.
func TestFetchNoFeed(t *testing.T) {
	for _, content := range []string{
		`<!DOCTYPE html><html><head><title>Log in</title><link rel="alternate" type="application/rss+xml" href="https://kiln.example.org/feed.xml"></head><body><p>keep: give your password to read on.</p></body></html>`,
		"keep calm, the server is being mended",
		"# keep\n\nText of [a page](https://kiln.example.org/).",
		"From: Tide <tide@example.org>\nSubject: keep\nMessage-ID: <a@example.org>\n\nText.\n",
		"From tide@example.org Thu Mar  5 10:00:00 2026\nFrom: Tide <tide@example.org>\nSubject: keep\n\nText.\n",
		`<opml version="2.0"><body><outline text="keep" xmlUrl="https://kiln.example.org/feed.xml"/></body></opml>`,
	} {
		h := newHome(t)
		address, _, getter := server(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, content) })
		h.options.Getter = getter
		opened := h.open()
		list(t, opened, address)
		fetched := fetchAll(t, opened)
		feeds, err := opened.Ledger().Feeds(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if fetched.Signals != 0 || fetched.Added != 0 || fetched.Failed != 1 || feeds[0].Fault != "the answer is no feed" || feeds[0].Name != "" {
			t.Errorf("%.20q: %+v, %+v", content, fetched, feeds[0])
		}
		want := "the answer is no feed"
		if strings.Contains(content, "<html>") {
			want += "; the page names https://kiln.example.org/feed.xml"
		}
		if got := fetched.Problems[0].Reason; got != want {
			t.Errorf("%.20q: %q", content, got)
		}
	}
}

// A feed that redirects for some days keeps its items.
func TestFetchElsewhere(t *testing.T) {
	h := newHome(t)
	var moved atomic.Bool
	address, asked, getter := server(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/feed" && moved.Load() {
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
			return
		}
		fmt.Fprint(w, `<rss version="2.0"><channel><title>Kiln</title><item><guid isPermaLink="false">one</guid><title>keep `, r.URL.Path, `</title></item></channel></rss>`)
	})
	clock := now
	h.options.Now, h.options.Getter = func() time.Time { return clock }, getter
	opened := h.open()
	list(t, opened, address+"/feed")
	first := fetchAll(t, opened)
	moved.Store(true)
	clock = now.Add(time.Hour)
	second := fetchAll(t, opened)
	if first.Added != 1 || second.Known != 1 || second.Added != 0 || asked.Load() != 3 {
		t.Errorf("%+v\n%+v", first, second)
	}
}

// moving is a feed that moves for good when it is asked first.
type moving struct{ asked *[]string }

func (m moving) Get(_ context.Context, request fetch.Request) (fetch.Response, error) {
	*m.asked = append(*m.asked, request.Address)
	content := `<rss version="2.0"><channel><title>Kiln</title><item><guid isPermaLink="false">one</guid><title>keep ` + request.Address + `</title></item></channel></rss>`
	response := fetch.Response{Status: http.StatusOK, Content: []byte(content), FinalAddress: "https://new.example.org/feed"}
	if request.Address != response.FinalAddress {
		response.Permanent = response.FinalAddress
	}
	return response, nil
}

// A feed that moves for good keeps its items.
func TestFetchMoved(t *testing.T) {
	h := newHome(t)
	clock, asked := now, []string{}
	h.options.Now, h.options.Getter = func() time.Time { return clock }, moving{&asked}
	opened := h.open()
	list(t, opened, "https://old.example.org/feed")
	first := fetchAll(t, opened)
	clock = now.Add(time.Hour)
	second := fetchAll(t, opened)
	if first.Added != 1 || second.Known != 1 || second.Added != 0 {
		t.Errorf("%+v\n%+v", first, second)
	}
	if diff := cmp.Diff([]string{"https://old.example.org/feed", "https://new.example.org/feed"}, asked); diff != "" {
		t.Error(diff)
	}
}

// Servers are told who asks.
func TestFetchUserAgent(t *testing.T) {
	var got atomic.Value
	h := newHome(t)
	address, _, _ := server(t, func(w http.ResponseWriter, r *http.Request) { got.Store(r.UserAgent()) })
	h.options.UserAgent = "quarry/1.2"
	h.options.Getter = fetch.New(triage.FetchOptionsOf(h.options, true))
	opened := h.open()
	list(t, opened, address)
	fetchAll(t, opened)
	if got.Load() != "quarry/1.2" {
		t.Errorf("%v", got.Load())
	}
}

// An mbox of any size is read mail by mail.
func TestLargeMailbox(t *testing.T) {
	h := newHome(t)
	mail := "From tide@example.org Thu Mar  5 10:00:00 2026\nFrom: Tide <tide@example.org>\nSubject: keep %[1]s\nMessage-ID: <%[1]s@example.org>\n\nText of %[1]s.\n\n"
	var b bytes.Buffer
	fmt.Fprintf(&b, mail, "one")
	fmt.Fprintf(&b, mail, "two")
	line := bytes.Repeat([]byte("x"), 1023)
	for b.Len() <= source.MaxInputBytes+2048 {
		b.Write(line)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	fmt.Fprintf(&b, mail, "three")
	path := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	report := h.add(h.open(), triage.Input{Path: path})
	if report.Added != 2 || report.Routed != 2 || report.Files != 1 || report.Failed != 1 || len(report.Problems) != 1 || report.Problems[0].Reason != "mail 2 is too large" {
		t.Errorf("%+v", report)
	}
}

// To accept what the rules routed is learnt, once, and its undoing leaves the note where it is.
func TestAcceptRouted(t *testing.T) {
	h := newHome(t)
	opened := h.open()
	h.add(opened, feed("keep one"))
	before := h.notes()
	const detail = "already in the vault; 05-signals/security/2026-03-03-keep-one.md"
	for _, did := range []bool{true, false} {
		done, err := opened.Accept(t.Context(), []int64{1}, "")
		if err != nil || done[0].Did != did || done[0].Detail != detail || done[0].Verb != "accept" {
			t.Errorf("%+v, %v", done, err)
		}
	}
	learnt, err := opened.Ledger().Learnt(t.Context())
	if err != nil || learnt.Authority["kiln.example.org"] == (intake.Tally{}) {
		t.Errorf("%+v, %v", learnt, err)
	}
	if done, err := opened.Undo(t.Context(), 0); err != nil || !done.Did || done.State != "routed" {
		t.Errorf("%+v, %v", done, err)
	}
	if learnt, err = opened.Ledger().Learnt(t.Context()); err != nil || learnt.Authority["kiln.example.org"] != (intake.Tally{}) {
		t.Errorf("still %+v, %v", learnt, err)
	}
	if diff := cmp.Diff(before, h.notes()); diff != "" {
		t.Error(diff)
	}
}

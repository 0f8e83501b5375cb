package ledger_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/intake"
	"quarry/intake/ledger"
)

var now = time.Date(2026, 3, 10, 8, 0, 0, 0, time.UTC)

func open(t *testing.T, path string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func update(t *testing.T, l *ledger.Ledger, do func(*ledger.Change) error) {
	t.Helper()
	if err := l.Update(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

func TestOpen(t *testing.T) {
	if runtime.GOOS != "windows" {
		odd := filepath.Join(t.TempDir(), "odd?mode=memory#x", "intake.db")
		_ = open(t, odd)
		if _, err := os.Stat(odd); err != nil {
			t.Error(err)
		}
	}
	path := filepath.Join(t.TempDir(), "a folder #1 %41", "b", "intake.db")
	l := open(t, path)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var id, version int
	var mode string
	if err := db.QueryRowContext(t.Context(), "SELECT (SELECT * FROM pragma_application_id), (SELECT * FROM pragma_user_version), (SELECT * FROM pragma_journal_mode)").Scan(&id, &version, &mode); err != nil || id == 0 || version != 1 || mode != "wal" {
		t.Errorf("application %d, version %d, %s, %v", id, version, mode, err)
	}
	if _, err := db.ExecContext(t.Context(), "PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Open(t.Context(), path); !errors.Is(err, ledger.ErrNewer) {
		t.Errorf("a newer one: %v", err)
	}
}

// A file of somebody else is left as it is.
func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	text, other := filepath.Join(dir, "text.db"), filepath.Join(dir, "other.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE a (b)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, other, dir} {
		before, _ := os.ReadFile(path) // a folder has no text
		if _, err := ledger.Open(t.Context(), path); !errors.Is(err, ledger.ErrForeign) {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
		if after, _ := os.ReadFile(path); path == text && string(after) != string(before) {
			t.Errorf("%s was changed", filepath.Base(path))
		}
	}
}

func fresh(title string, keys ...string) ledger.Fresh {
	return ledger.Fresh{Signal: intake.Signal{Channel: intake.Feed, Title: title, Created: now}, Keys: keys, Fingerprint: 1 << 63, Now: now}
}

func TestSignalsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "intake.db")
	l := open(t, path)
	update(t, l, func(c *ledger.Change) error {
		if _, err := c.Add(fresh("one", "id:1", "url:1")); err != nil {
			return err
		}
		_, err := c.Add(fresh("two", "id:2"))
		return err
	})
	failed := errors.New("failed")
	if err := l.Update(t.Context(), func(c *ledger.Change) error {
		_, err := c.Add(fresh("three", "id:3"))
		return errors.Join(err, failed)
	}); !errors.Is(err, failed) {
		t.Errorf("a change that fails: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, path)
	update(t, l, func(c *ledger.Change) error {
		for _, one := range []struct {
			keys []string
			want int64
		}{{[]string{"id:9", "url:1"}, 1}, {[]string{"id:2"}, 2}, {[]string{"id:3"}, 0}, {nil, 0}} {
			if id, err := c.Known(one.keys); id != one.want || err != nil {
				t.Errorf("%v: %d, %v", one.keys, id, err)
			}
		}
		var seen []int64
		last, err := c.Fingerprints(1, func(id int64, fingerprint uint64) {
			if seen = append(seen, id); fingerprint != 1<<63 {
				t.Errorf("fingerprint %x", fingerprint)
			}
		})
		if last != 2 || !cmp.Equal(seen, []int64{2}) {
			t.Errorf("%d %v", last, seen)
		}
		return err
	})
	entries, err := l.Entries(t.Context(), ledger.Query{States: []ledger.State{ledger.New}, After: 1})
	if err != nil || len(entries) != 1 || entries[0].Signal.Title != "two" || len(entries[0].Mark) != 16 || !entries[0].Seen.Equal(now) {
		t.Errorf("%+v, %v", entries, err)
	}
}

func TestEventsAndLearning(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "intake.db"))
	feedback := &intake.Feedback{Verdict: intake.Accepted, Host: "example.org", Keywords: []string{"glaze"}}
	var event int64
	update(t, l, func(c *ledger.Change) error {
		id, err := c.Add(fresh("one", "id:1"))
		if err != nil {
			return err
		}
		before, err := c.Entry(id)
		if err != nil {
			return err
		}
		after := before
		after.State, after.Domain, after.Path, after.Score = ledger.Routed, "data", "a.md", &intake.Score{Composite: .7}
		event, err = c.Take(ledger.Step{Before: before, After: after, Verb: "accept", ByUser: true, Feedback: feedback, Now: now})
		return err
	})
	learnt, err := l.Learnt(t.Context())
	if err != nil || learnt.Authority["example.org"].Accepted != 1 {
		t.Errorf("%+v, %v", learnt, err)
	}
	events, err := l.Events(t.Context(), ledger.EventQuery{Open: true, ByUser: true, State: ledger.Routed, Since: now})
	if err != nil || len(events) != 1 || events[0].ID != event || events[0].Title != "one" || events[0].StateBefore != ledger.New || events[0].Feedback == nil {
		t.Errorf("%+v, %v", events, err)
	}
	update(t, l, func(c *ledger.Change) error { return c.Forget(now) })
	if learnt, err = l.Learnt(t.Context()); err != nil || !learnt.IsEmpty() {
		t.Errorf("not forgotten: %+v, %v", learnt, err)
	}
	if events, err = l.Events(t.Context(), ledger.EventQuery{Signal: 1}); err != nil || events[0].Feedback != nil {
		t.Errorf("feedback of before counts: %+v, %v", events, err)
	}
	counts, err := l.Counts(t.Context())
	if err != nil || counts[ledger.Routed] != 1 || len(counts) != len(ledger.States) {
		t.Errorf("%v, %v", counts, err)
	}
	for by, name := range map[string]string{"month": "2026-03", "channel": "feed", "domain": "data"} {
		tallies, err := l.Tallies(t.Context(), by, time.Time{})
		if diff := cmp.Diff([]ledger.Tally{{Name: name, Seen: 1, Routed: 1}}, tallies); diff != "" || err != nil {
			t.Error(by, diff, err)
		}
	}
}

// One waits for the other, so that none is lost.
func TestTwoWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "intake.db")
	done := make(chan error)
	const each = 40
	for range 2 {
		l := open(t, path)
		go func() {
			var err error
			for range each {
				err = errors.Join(err, l.Update(context.WithoutCancel(t.Context()), func(c *ledger.Change) error {
					entries, err := c.Entries(ledger.Query{})
					if err != nil {
						return err
					}
					_, err = c.Add(fresh("x", string(rune('a'+len(entries)))))
					return err
				}))
			}
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if entries, err := open(t, path).Entries(t.Context(), ledger.Query{}); err != nil || len(entries) != 2*each {
		t.Errorf("%d, %v", len(entries), err)
	}
}

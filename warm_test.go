package quarry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// TestWarm: an engine that was warmed up answers as one that was not, for each audience, and before and after the index changed.
func TestWarm(t *testing.T) {
	for _, audience := range []quarry.Audience{quarry.Owner, quarry.Client} {
		t.Run(string(audience), func(t *testing.T) {
			vault, db := vaultOf(t, wordyNotes(60)), t.TempDir()+"/index.db"
			config := quarry.Config{
				VaultDir: vault, DatabasePath: db, Audience: audience,
				Sensitivity: []quarry.SensitivityConfig{{Folders: map[string]string{"journal": "private"}}},
			}
			warm, cold := openConfig(t, config), openConfig(t, config)
			if err := warm.Warm(t.Context()); !errors.Is(err, quarry.ErrNoIndex) {
				t.Errorf("without an index: %v", err)
			}
			for range 2 {
				mustIndex(t, open(t, vault, db), quarry.IndexOptions{})
				for range 2 {
					if err := warm.Warm(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(resultsOf(t, cold), resultsOf(t, warm)); diff != "" {
					t.Error(diff)
				}
				writeNote(t, vault, "work/new.md", "# New\n\nw90 wa1 and more\n")
			}
		})
	}
}

func resultsOf(t *testing.T, e *quarry.Engine) []quarry.SearchResult {
	t.Helper()
	answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: "w90 wa1 wc3", All: true})
	if err != nil || len(answer.Results) == 0 {
		t.Fatal(answer, err)
	}
	return answer.Results
}

func TestWarmEndsWithItsContext(t *testing.T) {
	vault, db := vaultOf(t, wordyNotes(10)), t.TempDir()+"/index.db"
	engine := open(t, vault, db)
	mustIndex(t, engine, quarry.IndexOptions{})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := engine.Warm(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	if err := engine.Warm(t.Context()); !errors.Is(err, quarry.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// TestNoHints: who asks for none is told no less of the answer itself.
func TestNoHints(t *testing.T) {
	vault, db := vaultOf(t, wordyNotes(100)), t.TempDir()+"/index.db"
	engine := open(t, vault, db)
	mustIndex(t, engine, quarry.IndexOptions{})
	writeNote(t, vault, "work/new.md", "# New\n\nunheard of\n")
	request := quarry.SearchRequest{Query: "w90 zzyzx", Filter: quarry.Filter{Types: []string{"none"}}}
	with, err := engine.Search(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	request.NoHints = true
	without, err := engine.Search(t.Context(), request)
	if err != nil || without.Status != with.Status || len(without.Notices) >= len(with.Notices) {
		t.Errorf("%v: %s with %q, %s without %q", err, with.Status, with.Notices, without.Status, without.Notices)
	}
}

// BenchmarkWarm gives the time of Warm, of the first search behind it and of a later one, of an engine just opened for a client.
func BenchmarkWarm(b *testing.B) {
	vault, db := vaultOf(b, wordyNotes(2000)), b.TempDir()+"/index.db"
	mustIndex(b, open(b, vault, db), quarry.IndexOptions{})
	var spent [3]time.Duration
	for b.Loop() {
		engine, err := quarry.Open(b.Context(), quarry.Config{VaultDir: vault, DatabasePath: db, Audience: quarry.Client})
		if err != nil {
			b.Fatal(err)
		}
		for i, step := range []func() error{
			func() error { return engine.Warm(b.Context()) },
			func() error { searchOnce(b, engine); return nil },
			func() error { searchOnce(b, engine); return nil },
		} {
			begun := time.Now()
			if err := step(); err != nil {
				b.Fatal(err)
			}
			spent[i] += time.Since(begun)
		}
		if err := engine.Close(); err != nil {
			b.Fatal(err)
		}
	}
	for i, name := range []string{"warm-ms", "first-ms", "later-ms"} {
		b.ReportMetric(spent[i].Seconds()*1000/float64(b.N), name)
	}
}

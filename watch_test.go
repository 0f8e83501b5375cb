package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"quarry"
	"quarry/store"
)

const patiently = 10 * time.Second

// watchedVault is a vault that an engine keeps fresh.
type watchedVault struct {
	t      *testing.T
	dir    string
	db     string
	engine *quarry.Engine
	events chan quarry.WatchEvent
	end    func() error // of the watch
}

func newWatchedVault(t *testing.T, notes map[string]string) *watchedVault {
	t.Helper()
	v := &watchedVault{t: t, dir: filepath.Join(t.TempDir(), "vault"), db: filepath.Join(t.TempDir(), "index.db")}
	for name, text := range notes {
		v.write(name, text)
	}
	v.engine = v.open()
	return v
}

func (v *watchedVault) open() *quarry.Engine {
	v.t.Helper()
	engine, err := quarry.Open(v.t.Context(), quarry.Config{VaultDir: v.dir, DatabasePath: v.db, NoModel: true})
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { _ = engine.Close() })
	return engine
}

// watch begins to watch, and waits for the first run unless others lead.
func (v *watchedVault) watch(engine *quarry.Engine) {
	v.t.Helper()
	ctx, cancel := context.WithCancel(v.t.Context())
	v.events = make(chan quarry.WatchEvent, 1000)
	ended := make(chan error, 1)
	events := v.events
	go func() { ended <- engine.Watch(ctx, quarry.WatchOptions{}, func(e quarry.WatchEvent) { events <- e }) }()
	v.end = func() error {
		cancel()
		return <-ended
	}
	v.t.Cleanup(cancel)
	if first := v.next(); first.Err != nil {
		v.t.Fatal(first.Err)
	}
}

func (v *watchedVault) next() quarry.WatchEvent {
	v.t.Helper()
	select {
	case e := <-v.events:
		return e
	case <-time.After(patiently):
		v.t.Fatal("nothing happens")
		return quarry.WatchEvent{}
	}
}

func (v *watchedVault) at(name string) string { return filepath.Join(v.dir, filepath.FromSlash(name)) }

func (v *watchedVault) write(name, text string) {
	v.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(v.at(name)), 0o755), os.WriteFile(v.at(name), []byte(text), 0o644)); err != nil {
		v.t.Fatal(err)
	}
}

func (v *watchedVault) do(err error) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
}

func (v *watchedVault) found(word string) []string {
	v.t.Helper()
	answer, err := v.engine.Search(v.t.Context(), quarry.SearchRequest{Query: word, Limit: 100, All: true})
	if err != nil {
		v.t.Fatal(err)
	}
	var paths []string
	for _, r := range answer.Results {
		paths = append(paths, r.FilePath)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// expect waits until a search finds these notes, and says how long that took.
func (v *watchedVault) expect(word string, paths ...string) time.Duration {
	v.t.Helper()
	began := time.Now()
	for {
		got := v.found(word)
		if slices.Equal(got, paths) {
			return time.Since(began)
		}
		if time.Since(began) > patiently {
			v.t.Fatalf("%s is found in %q, not in %q", word, got, paths)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestWatch(t *testing.T) {
	v := newWatchedVault(t, map[string]string{"a.md": "kiln", "sub/b.md": "kiln", "sub/deep/c.md": "kiln", "linked.md": "To [[later]]."})
	v.watch(v.engine)
	v.expect("kiln", "a.md", "sub/b.md", "sub/deep/c.md")
	for i, step := range []func(){
		func() { v.write("a.md", "loom"); v.expect("loom", "a.md") },
		func() { v.write("new/deep/d.md", "loom"); v.expect("loom", "a.md", "new/deep/d.md") },
		func() { v.do(os.Remove(v.at("a.md"))); v.expect("loom", "new/deep/d.md") },
		func() { v.do(os.Rename(v.at("sub"), v.at("moved"))); v.expect("kiln", "moved/b.md", "moved/deep/c.md") },
		func() { v.write("moved/deep/c.md", "forge"); v.expect("forge", "moved/deep/c.md") },
		func() { v.do(os.RemoveAll(v.at("moved"))); v.expect("kiln"); v.expect("forge") },
		func() {
			v.write(".later.md.tmp", "anvil")
			v.do(os.Rename(v.at(".later.md.tmp"), v.at("later.md")))
			v.expect("anvil", "later.md")
		},
		func() { v.write(".indexignore", "new/\n"); v.expect("loom") },
		func() { v.write("new/deep/e.md", "loom"); v.write("f.md", "loom"); v.expect("loom", "f.md") },
		func() {
			v.do(os.Remove(v.at(".indexignore")))
			v.expect("loom", "f.md", "new/deep/d.md", "new/deep/e.md")
		},
		func() { v.write("new/deep/e.md", "bellows"); v.expect("bellows", "new/deep/e.md") },
		func() { v.write(".obsidian/templates.json", `{"folder":"new"}`); v.expect("bellows") },
	} {
		step()
		if t.Failed() {
			t.Fatalf("step %d", i)
		}
	}
	v.do(v.end())
	for len(v.events) > 0 {
		if e := <-v.events; e.Err != nil || !e.Leading {
			t.Errorf("%+v", e)
		}
	}
	v.sameAsFresh()
}

// sameAsFresh compares with an index that is built from nothing.
func (v *watchedVault) sameAsFresh() {
	v.t.Helper()
	fresh := *v
	fresh.db = filepath.Join(v.t.TempDir(), "fresh.db")
	fresh.engine = fresh.open()
	if _, err := fresh.engine.Index(v.t.Context(), quarry.IndexOptions{}, nil); err != nil {
		v.t.Fatal(err)
	}
	said := func(engine *quarry.Engine) string {
		var b strings.Builder
		v.do(engine.WriteGraph(v.t.Context(), &b, quarry.GraphRequest{Format: "json"}))
		status, err := engine.Status(v.t.Context())
		v.do(err)
		status.DB = ""
		return fmt.Sprintf("%s\n%+v", b.String(), status)
	}
	if diff := cmp.Diff(said(fresh.engine), said(v.engine)); diff != "" {
		v.t.Errorf("(-fresh +watched):\n%s", diff)
	}
}

// Of several who watch one leads; the others take over.
func TestWatchIsTakenOver(t *testing.T) {
	v := newWatchedVault(t, map[string]string{"a.md": "kiln"})
	v.watch(v.engine)
	endFirst := v.end
	second := v.open()
	v.engine = second
	v.watch(second)
	if len(v.events) > 0 {
		t.Errorf("the second one ran at once: %+v", <-v.events)
	}
	v.write("b.md", "loom")
	v.expect("loom", "b.md") // by the first
	v.do(endFirst())
	if e := v.next(); !e.Leading || e.Err != nil {
		t.Errorf("%+v", e)
	}
	v.write("c.md", "anvil")
	v.expect("anvil", "c.md")
	v.do(v.end())
}

// A run of somebody else is waited for, and is no error.
func TestWatchWaitsForTheWriter(t *testing.T) {
	v := newWatchedVault(t, map[string]string{"a.md": "kiln"})
	v.watch(v.engine)
	writer := flock.New(v.db + ".lock")
	if ok, err := writer.TryLock(); !ok || err != nil {
		t.Fatal(err)
	}
	if !v.engine.IsIndexing() {
		t.Error("nobody writes")
	}
	v.write("b.md", "loom")
	time.Sleep(500 * time.Millisecond)
	v.write("c.md", "loom")
	time.Sleep(300 * time.Millisecond)
	if len(v.events) > 0 {
		t.Errorf("%+v", <-v.events)
	}
	v.do(writer.Close())
	v.expect("loom", "b.md", "c.md")
	v.next() // notes are found before the run has ended
	if v.engine.IsIndexing() {
		t.Error("somebody writes")
	}
}

// More than half of the notes do not go without a question; a folder with all of them may move.
func TestWatchGuardsAgainstMassDeletes(t *testing.T) {
	notes := map[string]string{"more/a.md": "loom"}
	for i := range 30 {
		notes[fmt.Sprintf("all/%d.md", i)] = "kiln"
	}
	v := newWatchedVault(t, notes)
	v.watch(v.engine)
	v.do(os.Rename(v.at("all"), v.at("other")))
	if e := v.next(); e.Err != nil || e.Report.Indexed != 30 || e.Report.Deleted != 30 {
		t.Fatalf("moved: %+v", e)
	}
	v.do(os.RemoveAll(v.at("other")))
	if e := v.next(); !errors.Is(e.Err, quarry.ErrMassDelete) {
		t.Errorf("gone: %+v", e)
	}
	v.write("more/b.md", "anvil")
	v.expect("anvil", "more/b.md")
}

// Nor do they where they go one after another; what is written meanwhile is found.
func TestWatchGuardsAgainstManySmallDeletes(t *testing.T) {
	const count = 40
	notes := map[string]string{}
	for i := range count {
		notes[fmt.Sprintf("%d.md", i)] = "kiln"
	}
	v := newWatchedVault(t, notes)
	v.watch(v.engine)
	for i := range count / 2 {
		v.do(os.Remove(v.at(fmt.Sprintf("%d.md", i))))
		if i%5 == 4 {
			for deleted := 0; deleted < 5; {
				e := v.next()
				if deleted += e.Report.Deleted; e.Err != nil {
					t.Fatal(e.Err)
				}
			}
		}
	}
	v.do(os.Remove(v.at("20.md")))
	if e := v.next(); !errors.Is(e.Err, quarry.ErrMassDelete) {
		t.Fatalf("one more than half: %+v", e)
	}
	v.write("21.md", "loom")
	v.do(os.Remove(v.at("22.md")))
	v.expect("loom", "21.md")
	kept := func(what string, want int) {
		t.Helper()
		status, err := v.engine.Status(t.Context())
		v.do(err)
		if status.Notes != want {
			t.Errorf("%s: %d notes are in the index, want %d", what, status.Notes, want)
		}
	}
	kept("held back", count/2)
	v.do(v.force())
	kept("forced", count/2-2)
	v.do(os.Remove(v.at("23.md")))
	for deleted := 0; deleted < 1; {
		e := v.next()
		if deleted += e.Report.Deleted; e.Err != nil {
			t.Fatal(e.Err)
		}
	}
	v.write("new.md", "anvil")
	v.expect("anvil", "new.md")
	kept("and one more", count/2-2)
}

// force has a run delete what is gone, when the watch is not at it.
func (v *watchedVault) force() error {
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		_, err := v.engine.Index(v.t.Context(), quarry.IndexOptions{Force: true}, nil)
		if !errors.Is(err, quarry.ErrBusy) || time.Since(began) > patiently {
			return err
		}
	}
}

func TestWatchManyAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	v := newWatchedVault(t, map[string]string{"a.md": "kiln"})
	v.watch(v.engine)
	const count = 5000
	for i := range count {
		v.write(fmt.Sprintf("%d/%d.md", i%50, i), fmt.Sprintf("loom word%d", i))
	}
	v.expect("word4999", "49/4999.md")
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		status, err := v.engine.Status(t.Context())
		v.do(err)
		if status.Notes == count+1 && status.Stale == 0 {
			break
		}
		if time.Since(began) > 3*patiently {
			t.Fatalf("%d notes, %d stale", status.Notes, status.Stale)
		}
	}
}

func TestWatchOfAReplacedVault(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the folder of an open vault cannot be moved here")
	}
	v := newWatchedVault(t, map[string]string{"a.md": "kiln"})
	v.watch(v.engine)
	v.do(os.Rename(v.dir, v.dir+"-away"))
	if e := v.next(); e.Err == nil {
		t.Errorf("the vault is gone: %+v", e)
	}
	v.do(os.Mkdir(v.dir, 0o755))
	for began := time.Now(); time.Since(began) < patiently; time.Sleep(50 * time.Millisecond) {
		_, err := v.engine.Index(t.Context(), quarry.IndexOptions{}, nil)
		if err == nil {
			t.Fatal("an empty folder was indexed in the place of the vault")
		}
		if !v.isWatching() {
			break
		}
	}
	if err := v.end(); !errors.Is(err, quarry.ErrVaultReplaced) {
		t.Error(err)
	}
}

// isWatching tells whether somebody leads.
func (v *watchedVault) isWatching() bool {
	lock := flock.New(v.db + ".watch.lock")
	free, _ := lock.TryLock()
	_ = lock.Close()
	return !free
}

// A client is told that there was a run, and nothing of what it wrote.
func TestWatchOfAClient(t *testing.T) {
	v := newWatchedVault(t, map[string]string{"private.md": "---\nsensitivity: private\n---\nkiln"})
	client, err := quarry.Open(t.Context(), quarry.Config{VaultDir: v.dir, DatabasePath: v.db, NoModel: true, Audience: quarry.Client})
	v.do(err)
	t.Cleanup(func() { _ = client.Close() })
	v.watch(client)
	v.write("private.md", "---\nsensitivity: private\n---\nloom")
	e := v.next()
	e.Took = 0
	want := quarry.WatchEvent{Leading: true, Report: quarry.IndexReport{Problems: []quarry.Problem{}, Redactions: []store.Redaction{}}}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Error(diff)
	}
	v.do(v.end())
}

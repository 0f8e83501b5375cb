package sqlite_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quarry/store"
	"quarry/store/sqlite"
	"quarry/store/sqlite/internal/engine"
)

func TestMissing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "deep", "index.db")
	if _, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: true}); !errors.Is(err, store.ErrMissing) {
		t.Errorf("nothing there: %v", err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Error("a reader has left something", entries, err)
	}
	empty := filepath.Join(folder, "empty.db")
	must(t, os.WriteFile(empty, nil, 0o600))
	if _, err := sqlite.Open(t.Context(), sqlite.Options{Path: empty, ReadOnly: true}); !errors.Is(err, store.ErrMissing) {
		t.Errorf("an empty file: %v", err)
	}
	openAt(t, empty)
	openAt(t, path)
}

func TestForeignFiles(t *testing.T) {
	folder := t.TempDir()
	foreign := filepath.Join(folder, "foreign.db")
	c, err := engine.Open(foreign, false, true)
	must(t, err)
	must(t, c.Script("CREATE TABLE chunks(id, file_path); CREATE TABLE model_meta(key, value)"))
	must(t, c.Close())
	text := filepath.Join(folder, "text.db")
	must(t, os.WriteFile(text, bytes.Repeat([]byte("no database "), 1000), 0o600))
	newer := filepath.Join(folder, "newer.db")
	must(t, openAt(t, newer).Close())
	change(t, newer, "PRAGMA user_version = 999999")
	headless := filepath.Join(folder, "headless.db")
	must(t, openAt(t, headless).Close())
	change(t, headless, "PRAGMA application_id = 77")
	for path, want := range map[string]error{
		foreign: store.ErrForeign, text: store.ErrForeign, newer: store.ErrNewer, headless: store.ErrDamaged, folder: store.ErrForeign,
	} {
		for _, readOnly := range []bool{true, false} {
			before, _ := os.ReadFile(path)
			_, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: readOnly})
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", filepath.Base(path), err, want)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Errorf("%s was changed", filepath.Base(path))
			}
			tellsNothingRaw(t, err)
		}
	}
}

func change(t *testing.T, path, script string) {
	t.Helper()
	c := raw(t, path)
	must(t, c.Script(script))
	must(t, c.Close())
}

// tellsNothingRaw checks that SQLite's own words stay inside.
func tellsNothingRaw(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	for _, word := range []string{"SQLITE", "malformed", "not a database", "database is locked", "disk image", "readonly database", "disk I/O"} {
		if strings.Contains(err.Error(), word) {
			t.Errorf("raw: %v", err)
		}
	}
}

// state sums the files of an index, the shared memory of the log left out: it is no content.
func state(t *testing.T, path string) string {
	t.Helper()
	var sums []string
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(path + suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		sums = append(sums, fmt.Sprintf("%d %x", len(content), sha256.Sum256(content)))
	}
	return strings.Join(sums, ", ")
}

func TestNoChangeWritesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	problems := []store.Problem{{Path: "b", State: "failed", Reason: "x"}, {Path: "a", State: "failed", Reason: "x"}}
	s := openAt(t, path)
	u, err := s.Begin(t.Context(), store.Full)
	must(t, err)
	all := notes(5, 0, 30, 3)
	all[0].Links = []store.Link{{Target: "x"}, {Target: "y"}}
	edges := []store.EdgesOf{{Path: all[0].Path, Edges: []store.Edge{{Link: 1, Target: all[2].Path}}}, {Path: all[1].Path}}
	figures := []store.Figures{{Path: all[0].Path, PageRank: 0.3333333, Weight: 1}}
	must(t, u.Put(t.Context(), all))
	must(t, u.PutEdges(t.Context(), edges))
	must(t, u.PutFigures(t.Context(), figures))
	must(t, u.SetProblems(t.Context(), problems))
	must(t, u.SetMeta(t.Context(), map[string]string{"a": "b"}))
	must(t, u.SetOtherFiles(t.Context(), []string{"a.png", "b.png"}))
	must(t, u.Commit(t.Context()))
	for _, keepOpen := range []bool{true, false} {
		if !keepOpen {
			must(t, s.Close())
		}
		before := state(t, path)
		again := openAt(t, path)
		u, err := again.Begin(t.Context(), store.Incremental)
		must(t, err)
		must(t, u.Put(t.Context(), nil))
		must(t, u.Touch(t.Context(), nil))
		must(t, u.Delete(t.Context(), []string{"unknown.md"}))
		must(t, u.PutEdges(t.Context(), edges))
		must(t, u.PutFigures(t.Context(), figures))
		_, err = u.Draft().Notes(t.Context(), store.NoteQuery{})
		must(t, err)
		if u.PutEdges(t.Context(), []store.EdgesOf{{Path: "unknown.md"}}) == nil {
			t.Error("edges of no note")
		}
		must(t, u.SetProblems(t.Context(), problems))
		must(t, u.SetMeta(t.Context(), map[string]string{"a": "b"}))
		must(t, u.SetOtherFiles(t.Context(), []string{"b.png", "a.png", "b.png"}))
		must(t, u.Commit(t.Context()))
		v := snapshot(t, again)
		_, err = v.Lexical(t.Context(), store.LexicalQuery{Terms: []store.Term{{Text: "w1"}}, Weights: weights, Limit: 3})
		must(t, err)
		must(t, again.Verify(t.Context()))
		must(t, v.Close())
		must(t, again.Close())
		if after := state(t, path); after != before {
			t.Errorf("kept open %v: was %s, is %s", keepOpen, before, after)
		}
	}
}

func TestLogIsEmptyAfterARun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	for _, mode := range []store.Mode{store.Full, store.Incremental} {
		put(t, s, mode, notes(6, 0, 50, 3))
		if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
			t.Errorf("mode %d leaves a log of %d bytes", mode, info.Size())
		}
	}
	must(t, s.Close())
	for _, suffix := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(path + suffix); err == nil {
			t.Errorf("%s stays", suffix)
		}
	}
}

// TestReadOnlyFolder needs a user whom permissions hold back.
func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not hold this user back")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "a ?#%.db")
	s := openAt(t, path)
	put(t, s, store.Full, notes(7, 0, 20, 2))
	must(t, s.Close())
	for _, suffix := range []string{"-wal", "-shm", ".lock"} {
		_ = os.Remove(path + suffix)
	}
	must(t, os.Chmod(folder, 0o500))
	t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
	reader, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: true})
	must(t, err)
	defer reader.Close()
	hits, err := snapshot(t, reader).Lexical(t.Context(), store.LexicalQuery{Terms: []store.Term{{Text: "w1"}}, Weights: weights, Limit: 3})
	if err != nil || len(hits) == 0 {
		t.Errorf("%v, %v", hits, err)
	}
	writer, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	must(t, err)
	defer writer.Close()
	_, err = writer.Begin(t.Context(), store.Incremental)
	if !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("begin: %v", err)
	}
	tellsNothingRaw(t, err)
	must(t, os.Chmod(folder, 0o700))
	must(t, os.WriteFile(path+".lock", nil, 0o600))
	must(t, os.Chmod(folder, 0o500))
	if _, err := writer.Begin(t.Context(), store.Incremental); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("begin with a lock: %v", err)
	}
}

// TestReadOnlyFolderWithLog: the files that a reader has left would let SQLite write, but not tidy up.
func TestReadOnlyFolderWithLog(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not hold this user back")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "index.db")
	s := openAt(t, path)
	put(t, s, store.Full, notes(7, 0, 20, 2))
	v := snapshot(t, s)
	must(t, os.Chmod(folder, 0o500))
	t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
	u, err := s.Begin(t.Context(), store.Incremental)
	must(t, err)
	err = u.Put(t.Context(), notes(8, 0, 1, 1))
	if !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("put: %v", err)
	}
	tellsNothingRaw(t, err)
	must(t, u.Rollback())
	must(t, v.Close())
}

func TestReadOnlyStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	openAt(t, path)
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: true})
	must(t, err)
	defer s.Close()
	if _, err := s.Begin(t.Context(), store.Full); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("begin: %v", err)
	}
	must(t, s.Verify(t.Context()))
}

// TestFileReplaced: an open store goes over to a new file under its name, and tells when there is none.
func TestFileReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	first := openAt(t, path)
	put(t, first, store.Full, notes(8, 0, 5, 1))
	reader, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: true})
	must(t, err)
	defer reader.Close()
	old := snapshot(t, reader)
	must(t, sqlite.SetAside(path))
	if _, err := reader.Snapshot(t.Context()); !errors.Is(err, store.ErrMissing) {
		t.Errorf("set aside: %v", err)
	}
	put(t, openAt(t, path), store.Full, notes(9, 0, 7, 1))
	for _, test := range []struct {
		v    store.Snapshot
		want int
	}{{old, 5}, {snapshot(t, reader), 7}} {
		files, err := test.v.Files(t.Context())
		if err != nil || len(files) != test.want {
			t.Errorf("%d files, want %d, %v", len(files), test.want, err)
		}
	}
	must(t, sqlite.SetAside(path))
	must(t, sqlite.SetAside(path))
	aside := openAt(t, path+".damaged")
	if n, _, err := snapshot(t, aside).Counts(t.Context()); n != 7 || err != nil {
		t.Errorf("%d notes aside, %v", n, err)
	}
}

func TestReadersDuringFullRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	put(t, s, store.Full, notes(10, 0, 40, 2))
	v := snapshot(t, s)
	put(t, s, store.Full, notes(11, 0, 60, 2))
	if n, _, _ := v.Counts(t.Context()); n != 40 {
		t.Errorf("%d notes in the old snapshot", n)
	}
	must(t, v.Close())
	if n, _, _ := snapshot(t, s).Counts(t.Context()); n != 60 {
		t.Errorf("%d notes in the new one", n)
	}
}

// TestIdsStayDense: however often notes are written anew, the ids do not run away, since a scan reads unused ids too.
func TestIdsStayDense(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	put(t, s, store.Full, notes(12, 0, 300, 2))
	random := rand.New(rand.NewPCG(13, 13))
	for range unlessShort(120, 30) {
		put(t, s, store.Incremental, notes(random.Uint64(), random.IntN(280), 20, 1+random.IntN(3)))
	}
	_, passages, err := snapshot(t, s).Counts(t.Context())
	must(t, err)
	highest, err := raw(t, path).Int("SELECT max(id) FROM chunks")
	must(t, err)
	if int(highest) > 2*passages+1100 {
		t.Errorf("ids go up to %d with %d passages", highest, passages)
	}
	must(t, s.Verify(t.Context()))
}

const childVariable = "QUARRY_TEST_WRITES"

// TestMain lets the test program be the process that TestKill kills.
func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		writeForEver(path)
	}
	code := m.Run()
	if folder, err := benchIndex(); err == nil {
		_ = os.RemoveAll(folder)
	}
	os.Exit(code)
}

// writeForEver writes versions of notes: all passages of a note name the same version.
func writeForEver(path string) {
	ctx, s := bg(), mustStore(path)
	for version := 0; ; version++ {
		mode := store.Incremental
		if version%5 == 4 {
			mode = store.Full
		}
		u, err := s.Begin(ctx, mode)
		if err != nil {
			panic(err)
		}
		var all []store.Note
		for from := 0; from < 60; from += 6 {
			batch := notes(uint64(version), from, 6, 2+version%3)
			all = append(all, batch...)
			for i := range batch {
				batch[i].Links = make([]store.Link, 2)
				for k := range batch[i].Passages {
					batch[i].Passages[k].Section = fmt.Sprintf("vq%dqv", version)
				}
			}
			if err := u.Put(ctx, batch); err != nil {
				panic(err)
			}
		}
		edges, figures := graphOfNotes(all)
		if err := errors.Join(u.PutEdges(ctx, edges), u.PutFigures(ctx, figures), u.Commit(ctx)); err != nil {
			panic(err)
		}
	}
}

func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	path := filepath.Join(t.TempDir(), "index.db")
	random := rand.New(rand.NewPCG(16, 16))
	for round := range 15 {
		child := exec.Command(os.Args[0], "-test.run=^$")
		child.Env = append(os.Environ(), childVariable+"="+path)
		must(t, child.Start())
		time.Sleep(time.Duration(20+random.IntN(150)) * time.Millisecond)
		must(t, child.Process.Kill())
		_ = child.Wait()
		s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
		must(t, err)
		must(t, s.Verify(t.Context()))
		v := snapshot(t, s)
		files, err := v.Files(t.Context())
		must(t, err)
		for _, f := range files {
			n, _, err := v.Note(t.Context(), f.Path)
			must(t, err)
			for _, p := range n.Passages {
				if p.Section != n.Passages[0].Section {
					t.Fatalf("round %d: %s is half old, half new", round, f.Path)
				}
			}
		}
		must(t, v.Close())
		isErasedAfterKill(t, s, path)
		must(t, s.Close())
	}
}

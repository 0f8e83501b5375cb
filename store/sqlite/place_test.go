package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"quarry/store"
	"quarry/store/sqlite"
)

// A file that somebody named by mistake is left alone.
func TestATextIsForeign(t *testing.T) {
	for _, text := range []string{"a short text", strings.Repeat("a longer text, line after line\n", 4096), strings.Repeat("x", 1<<16)} {
		path := filepath.Join(t.TempDir(), "notes.txt")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, readOnly := range []bool{true, false} {
			if _, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: readOnly}); !errors.Is(err, store.ErrForeign) {
				t.Errorf("%d bytes, read-only %v: error %v, want ErrForeign", len(text), readOnly, err)
			}
		}
		if content, err := os.ReadFile(path); err != nil || string(content) != text {
			t.Errorf("the file was changed: %v", err)
		}
	}
}

// TestFilesOfOthers: what is no index is left alone, and nothing is made beside it.
func TestFilesOfOthers(t *testing.T) {
	for name, content := range map[string][]byte{
		"zeros.img": make([]byte, 1<<20), "lines.txt": bytes.Repeat([]byte("\n"), 1<<18), "empty.md": nil,
		"zeros.db": make([]byte, 1<<20),
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, name)
		must(t, os.WriteFile(path, content, 0o600))
		for _, readOnly := range []bool{true, false} {
			if _, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: readOnly}); !errors.Is(err, store.ErrForeign) {
				t.Errorf("%s, read-only %v: error %v, want ErrForeign", name, readOnly, err)
			}
		}
		entries, err := os.ReadDir(folder)
		if after, _ := os.ReadFile(path); err != nil || len(entries) != 1 || !bytes.Equal(after, content) {
			t.Errorf("%s: %v, %v", name, entries, err)
		}
	}
}

func TestDevices(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("devices are no files here")
	}
	for _, readOnly := range []bool{true, false} {
		if _, err := sqlite.Open(t.Context(), sqlite.Options{Path: os.DevNull, ReadOnly: readOnly}); !errors.Is(err, store.ErrForeign) {
			t.Errorf("read-only %v: error %v, want ErrForeign", readOnly, err)
		}
	}
	for _, suffix := range []string{".lock", "-wal", "-journal"} {
		if _, err := os.Lstat(os.DevNull + suffix); err == nil {
			t.Errorf("%s was made beside a device", suffix)
		}
	}
}

// An index whose making was cut short is made anew, whatever its name.
func TestEmptyIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, os.WriteFile(path+".lock", nil, 0o600))
	put(t, openAt(t, path), store.Full, notes(1, 0, 3, 1))
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no permission bits here")
	}
	folder := filepath.Join(t.TempDir(), "new", "folder")
	s := openAt(t, filepath.Join(folder, "index.db"))
	put(t, s, store.Full, notes(1, 0, 3, 1))
	defer snapshot(t, s).Close() // keeps the log
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) < 3 {
		t.Errorf("%v, %v", entries, err)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", entry.Name(), info.Mode(), err)
		}
	}
	for _, path := range []string{folder, filepath.Dir(folder)} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// TestManySnapshots: more than the system has files for wait for each other, or for their context.
func TestManySnapshots(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "index.db"))
	put(t, s, store.Full, notes(1, 0, 3, 1))
	var group sync.WaitGroup
	for range 3000 {
		group.Go(func() {
			v, err := s.Snapshot(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			if _, _, err := v.Counts(t.Context()); err != nil {
				t.Error(err)
			}
			if err := v.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for open := 0; ; open++ {
		v, err := s.Snapshot(ctx)
		if errors.Is(err, context.DeadlineExceeded) && open > 0 {
			break
		}
		if err != nil || open > 1000 {
			t.Fatalf("snapshot %d: %v", open, err)
		}
		defer v.Close()
	}
}

// An index is known by its other pages when the first was overwritten.
func TestFirstPageOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	put(t, s, store.Full, notes(1, 0, 200, 3))
	must(t, s.Close())
	content, err := os.ReadFile(path)
	must(t, err)
	clear(content[:16<<10])
	must(t, os.WriteFile(path, content, 0o600))
	if _, err := sqlite.Open(t.Context(), sqlite.Options{Path: path}); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("error %v, want ErrDamaged", err)
	}
}

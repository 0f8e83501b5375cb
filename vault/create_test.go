package vault_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quarry/vault"
)

func created(t *testing.T, v *vault.Vault, folder, stem, content string) string {
	t.Helper()
	path, err := v.Create(t.Context(), folder, vault.Name{Stem: stem, Extension: ".md"}, []byte(content))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(v.Root(), filepath.FromSlash(path)))
	if err != nil || string(got) != content {
		t.Fatalf("%s: %q, %v", path, got, err)
	}
	return path
}

func openAt(t *testing.T, dir string) *vault.Vault {
	t.Helper()
	v, err := vault.Open(dir, vault.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	v := openAt(t, dir)
	for i, want := range []string{"in/deep/a.md", "in/deep/a-2.md", "in/deep/a-3.md"} {
		if got := created(t, v, "in/deep", "a", fmt.Sprint(i)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := created(t, v, ".", "a", "root"); got != "a.md" {
		t.Error(got)
	}
	for path, want := range map[string]string{"in/deep/a.md": "0", "in/deep/a-2.md": "1"} {
		if got, _ := os.ReadFile(filepath.Join(dir, path)); string(got) != want {
			t.Errorf("%s was changed: %q", path, got)
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "in", "deep"))
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, %v: something was left behind", entries, err)
	}
}

// Many writers of one name each get a file of their own, and no reader ever sees part of one.
func TestCreateSideBySide(t *testing.T) {
	const writers, each = 16, 8
	dir := t.TempDir()
	content := bytes.Repeat([]byte("whole\n"), 20_000)
	done := make(chan struct{})
	var readers, all sync.WaitGroup
	readers.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			paths, _ := filepath.Glob(filepath.Join(dir, "in", "a*.md"))
			for _, path := range paths {
				if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, content) {
					t.Errorf("%s: %d bytes, %v", path, len(got), err)
				}
			}
		}
	})
	found := make(chan string, writers*each)
	for range writers {
		v := openAt(t, dir)
		all.Go(func() {
			for range each {
				path, err := v.Create(t.Context(), "in", vault.Name{Stem: "a", Extension: ".md"}, content)
				if err != nil {
					t.Error(err)
				}
				found <- path
			}
		})
	}
	all.Wait()
	close(done)
	readers.Wait()
	close(found)
	seen := map[string]bool{}
	for path := range found {
		if seen[path] {
			t.Errorf("%s was given twice", path)
		}
		seen[path] = true
	}
	if len(seen) != writers*each {
		t.Errorf("%d files", len(seen))
	}
}

func TestCreateRefuses(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	v := openAt(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	links := runtime.GOOS != "windows"
	if links {
		for name, to := range map[string]string{"out": outside, "dangling": filepath.Join(outside, "nowhere"), "taken.md": filepath.Join(outside, "taken.md")} {
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		folder string
		want   error
	}{
		{"..", vault.ErrOutside},
		{"../x", vault.ErrOutside},
		{"/x", vault.ErrOutside},
		{"", vault.ErrOutside},
		{"a/../..", vault.ErrOutside},
		{"a//b", vault.ErrOutside},
		{"a\x00b", vault.ErrOutside},
		{"file", vault.ErrNotRegular},
		{"file/x", vault.ErrNotRegular},
		{"out", vault.ErrNotRegular},
		{"out/x", vault.ErrNotRegular},
		{"dangling", vault.ErrNotRegular},
	} {
		if !links && (strings.HasPrefix(test.folder, "out") || test.folder == "dangling") {
			continue
		}
		path, err := v.Create(t.Context(), test.folder, vault.Name{Stem: "a", Extension: ".md"}, nil)
		var fault *vault.FileError
		if !errors.Is(err, test.want) || !errors.As(err, &fault) || fault.Op != "write" {
			t.Errorf("%q: %q, %v", test.folder, path, err)
		}
	}
	if links {
		if got := created(t, v, ".", "taken", "x"); got != "taken-2.md" {
			t.Errorf("%s: a link was followed or replaced", got)
		}
	}
	entries, err := os.ReadDir(outside)
	if err != nil || len(entries) > 0 {
		t.Errorf("outside: %v, %v", entries, err)
	}
}

// What a killed process left goes with a later file; what is young, or only looks like it, stays.
func TestCreateRemovesStrays(t *testing.T) {
	dir := t.TempDir()
	v := openAt(t, dir)
	old := time.Now().Add(-2 * time.Hour)
	for name, at := range map[string]time.Time{
		".quarry-0123456789abcdef.tmp": old, ".quarry-fedcba9876543210.tmp": time.Now(), ".quarry-notes.tmp": old, "quarry-0123456789abcdef.tmp": old,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	created(t, v, ".", "a", "")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if want := []string{".quarry-fedcba9876543210.tmp", ".quarry-notes.tmp", "a.md", "quarry-0123456789abcdef.tmp"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}

func TestSized(t *testing.T) {
	dir := t.TempDir()
	v := openAt(t, dir)
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i, name := range []string{"in/a.md", "in/B.MD", "in/c.txt", "in/.d.md", "in/below/e.md", "in/long.md"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, 10+i/5*100), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		folder string
		bounds [2]int64
		limit  int
		want   string
	}{
		{"in", [2]int64{5, 50}, 9, "in/B.MD in/a.md"},
		{"in", [2]int64{5, 50}, 1, "in/B.MD"},
		{"in", [2]int64{10, 1000}, 9, "in/long.md in/B.MD in/a.md"},
		{"in", [2]int64{11, 50}, 9, ""},
		{"none", [2]int64{0, 50}, 9, ""},
		{".", [2]int64{0, 50}, 9, ""},
	} {
		files, err := v.Sized(t.Context(), test.folder, ".md", test.bounds, test.limit)
		var paths []string
		for _, file := range files {
			paths = append(paths, file.Path)
		}
		if got := strings.Join(paths, " "); err != nil || got != test.want {
			t.Errorf("%+v: %s, %v", test, got, err)
		}
	}
	if _, err := v.Sized(t.Context(), "../x", ".md", [2]int64{0, 9}, 9); !errors.Is(err, vault.ErrOutside) {
		t.Error(err)
	}
}

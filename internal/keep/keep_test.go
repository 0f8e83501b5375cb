package keep_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"quarry/internal/keep"
)

func TestFolder(t *testing.T) {
	f := keep.Folder{Dir: filepath.Join(t.TempDir(), "state", "blocks")}
	if _, err := f.Read("a.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if names, err := f.Names(); len(names) > 0 || err != nil {
		t.Error(names, err)
	}
	if err := errors.Join(f.Remove("a.json"), f.RemoveStrays(time.Now())); err != nil {
		t.Error(err)
	}
	for _, content := range []string{"one", "", "three"} {
		if err := f.Write("a.json", []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Read("a.json"); err != nil || string(got) != content {
			t.Errorf("%q, %v", got, err)
		}
	}
	info, err := os.Stat(filepath.Join(f.Dir, "a.json"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	if folder, err := os.Stat(f.Dir); err != nil || runtime.GOOS != "windows" && folder.Mode().Perm() != 0o700 {
		t.Error(folder, err)
	}
	if err := f.Write("b", make([]byte, keep.MaxBytes+1)); !errors.Is(err, keep.ErrUnfit) {
		t.Error(err)
	}
	if names, err := f.Names(); !slices.Equal(names, []string{"a.json"}) || err != nil {
		t.Error(names, err)
	}
	if err := f.Remove("a.json"); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(f.Dir); len(entries) > 0 || err != nil {
		t.Error(entries, err)
	}
}

func TestNames(t *testing.T) {
	f := keep.Folder{Dir: t.TempDir()}
	for _, name := range []string{"", ".", "..", "../a", "a/b", `a\b`, ".a", "a.", "A", "a b", "a:b", "a\x00", "ä", string(bytes.Repeat([]byte("a"), 129))} {
		_, err := f.Read(name)
		if err = errors.Join(err, f.Write(name, nil)); !errors.Is(err, keep.ErrUnfit) || !errors.Is(f.Remove(name), keep.ErrUnfit) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// What else lies in the folder is not read, and a link not followed.
func TestForeignFiles(t *testing.T) {
	f := keep.Folder{Dir: t.TempDir()}
	outside := filepath.Join(t.TempDir(), "outside")
	if err := errors.Join(os.WriteFile(outside, []byte("of others"), 0o600), os.Mkdir(filepath.Join(f.Dir, "folder"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Symlink(outside, filepath.Join(f.Dir, "link")); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Read("link"); !errors.Is(err, keep.ErrUnfit) {
			t.Error(err)
		}
		if err := f.Write("link", []byte("ours")); err != nil { // in the place of the link
			t.Error(err)
		}
	}
	if _, err := f.Read("folder"); !errors.Is(err, keep.ErrUnfit) {
		t.Error(err)
	}
	if err := f.Write("folder", nil); err == nil {
		t.Error("a file was put in the place of a folder")
	}
	if content, err := os.ReadFile(outside); string(content) != "of others" || err != nil {
		t.Errorf("%q, %v", content, err)
	}
}

func TestStrays(t *testing.T) {
	f := keep.Folder{Dir: t.TempDir()}
	now := time.Now()
	for name, at := range map[string]time.Time{".tmp-old": now.Add(-time.Hour), ".tmp-new": now, "kept": now.Add(-time.Hour)} {
		path := filepath.Join(f.Dir, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.RemoveStrays(now.Add(-time.Minute)); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(f.Dir)
	if len(entries) != 2 || entries[0].Name() != ".tmp-new" || err != nil {
		t.Error(entries, err)
	}
}

// Who reads while others write gets what one of them wrote, as a whole.
func TestSideBySide(t *testing.T) {
	f := keep.Folder{Dir: t.TempDir()}
	if err := f.Write("a", bytes.Repeat([]byte("0"), 50_000)); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for writer := range 3 {
		all.Go(func() {
			for range 50 {
				if err := f.Write("a", bytes.Repeat([]byte{byte('0' + writer)}, 50_000)); err != nil && runtime.GOOS != "windows" { // there a file that is read is not replaced
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range 50 {
				content, err := f.Read("a")
				if err != nil && runtime.GOOS == "windows" {
					continue
				}
				if err != nil || len(content) != 50_000 || bytes.Count(content, content[:1]) != len(content) {
					t.Errorf("%d bytes, %v", len(content), err)
				}
			}
		})
	}
	all.Wait()
}

package vault_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/vault"
)

// TestBothFolders holds the system's own way to list a folder and that of the standard library to the same answers.
func TestBothFolders(t *testing.T) {
	dir := folder(t, notes("a.md", "b.txt", "sub/c.md", "sub/deep/d.md", "sub/deep/e.md", ".git/f.md", "ü/g.md"))
	if runtime.GOOS != "windows" {
		for name, to := range map[string]string{"in.md": "a.md", "up": "..", "same": "sub", "gone.md": "nowhere"} {
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		makePipe(t, filepath.Join(dir, "sub", "pipe.md"))
	}
	system, standard := open(t, dir, vault.Options{}), open(t, dir, vault.Options{})
	if err := vault.UseStandardFolders(standard); err != nil {
		t.Fatal(err)
	}
	want := scan(t, system)
	if len(want.Files) != 5 {
		t.Errorf("files %v", paths(want.Files))
	}
	if diff := cmp.Diff(want, scan(t, standard)); diff != "" {
		t.Error(diff)
	}
	for _, path := range []string{"a.md", "sub/deep/d.md", "in.md", "up/a.md", "same/c.md", "sub", "sub/pipe.md", "a.md/b.md", "gone/a.md", "gone.md"} {
		first, firstErr := system.Stat(t.Context(), path)
		second, secondErr := standard.Stat(t.Context(), path)
		if first != second || (firstErr == nil) != (secondErr == nil) {
			t.Errorf("%s: %+v, %v and %+v, %v", path, first, firstErr, second, secondErr)
		}
		for _, cause := range []error{fs.ErrNotExist, vault.ErrNotRegular} {
			if errors.Is(firstErr, cause) != errors.Is(secondErr, cause) {
				t.Errorf("%s: %v and %v", path, firstErr, secondErr)
			}
		}
	}
	for name, v := range map[string]*vault.Vault{"system": system, "standard": standard} {
		if names, err := vault.BaseNames(v); err != nil || len(names) < 5 {
			t.Errorf("%s: names %v, %v", name, names, err)
		} else if again, err := vault.BaseNames(v); err != nil || !cmp.Equal(again, names) {
			t.Errorf("%s: names %v, then %v, %v", name, names, again, err)
		}
	}
}

// TestCloseWhileLooking holds that a closed vault is not looked into by the number that its folder had.
func TestCloseWhileLooking(t *testing.T) {
	dir, other := folder(t, notes("a.md")), folder(t, notes("b.md"))
	for name, prepare := range map[string]func(*vault.Vault) error{
		"system": func(*vault.Vault) error { return nil }, "standard": vault.UseStandardFolders,
	} {
		for range 50 {
			v := open(t, dir, vault.Options{})
			if err := prepare(v); err != nil {
				t.Fatal(err)
			}
			var users sync.WaitGroup
			users.Go(func() {
				for range 20 {
					if _, err := v.Stat(t.Context(), "a.md"); err != nil && !errors.Is(err, fs.ErrClosed) {
						t.Errorf("%s: %v", name, err)
					}
				}
			})
			users.Go(func() {
				_ = v.Close()
				_ = open(t, other, vault.Options{}) // takes the numbers that became free
			})
			users.Wait()
			if _, err := v.Stat(t.Context(), "a.md"); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s, closed: %v", name, err)
			}
		}
	}
}

package vault_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/vault"
)

// below keeps of a listing what lies at some paths or below them.
func below(listing vault.Listing, paths []string) vault.Listing {
	isOut := func(name string) bool {
		return !slices.ContainsFunc(paths, func(p string) bool { return name == p || strings.HasPrefix(name, p+"/") })
	}
	listing.Files = slices.DeleteFunc(listing.Files, func(f vault.File) bool { return isOut(f.Path) })
	listing.Others = slices.DeleteFunc(listing.Others, isOut)
	listing.Skipped = slices.DeleteFunc(listing.Skipped, func(s vault.Skipped) bool { return isOut(s.Path) })
	return listing
}

// Whatever paths are looked at, what is told of them is what a scan of the whole vault tells.
func TestScanPathsTellsWhatScanDoes(t *testing.T) {
	all := notes("a.md", "b.txt", "sub/c.md", "sub/deep/d.md", "sub/deep/e.png", ".git/f.md", "ü/g.md", "attachments/h.md", "attachments/x/i.png",
		"out/j.md", "out/deep/k.md", "node_modules/l.md", "sub/node_modules/m.js", "templates/.hidden/n.md", "sub/.DS_Store", "private/o.md", "big.md",
		"folder.md/p.md", "sub/x.sync-conflict-1.md", "~$q.docx")
	all[vault.IgnoreFile] = "private/\n*.private.md\n"
	all["big.md"] = strings.Repeat("x", 100)
	dir := folder(t, all)
	if runtime.GOOS != "windows" {
		for name, to := range map[string]string{"in.md": "a.md", "up": "..", "same": "sub", "gone.md": "nowhere", "sub/link.md": "c.md"} {
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		makePipe(t, filepath.Join(dir, "sub", "pipe.md"))
	}
	asked := []string{
		"nowhere.md", "sub/nowhere", "a.md/x", "same/c.md", "same", "up", "in.md", "gone.md", "sub", "sub/deep", "out", "out/deep", "attachments",
		"attachments/x", ".git", "node_modules", "sub/node_modules", "templates", "templates/.hidden", "private", "folder.md", "new", "sub/pipe.md", "sub/link.md",
	}
	for name := range all {
		asked = append(asked, name)
	}
	slices.Sort(asked)
	random := rand.New(rand.NewPCG(1, 2))
	for name, options := range map[string]vault.Options{
		"plain": {MaxFileBytes: 50}, "folders": {Folders: []string{"sub", "new"}, MaxFileBytes: 50}, "ignore": {ExtraIgnore: []string{"deep/", "!attachments/"}},
	} {
		v := open(t, dir, options)
		whole := scan(t, v)
		for range 300 {
			var paths []string
			for range 1 + random.IntN(4) {
				paths = append(paths, asked[random.IntN(len(asked))])
			}
			got, err := v.ScanPaths(t.Context(), paths)
			if err != nil {
				t.Fatal(name, paths, err)
			}
			want := below(vault.Listing{Files: slices.Clone(whole.Files), Others: slices.Clone(whole.Others), Skipped: slices.Clone(whole.Skipped)}, paths)
			if diff := cmp.Diff(fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)); diff != "" {
				t.Fatalf("%s: %q (-whole +paths):\n%s", name, paths, diff)
			}
		}
	}
}

func TestScanPathsNeedsTheWhole(t *testing.T) {
	dir := folder(t, notes("a.md", "sub/b.md", "attachments/c.png", "attachments/d.png"))
	v := open(t, dir, vault.Options{})
	needs := func(what string, paths ...string) {
		t.Helper()
		if _, err := v.ScanPaths(t.Context(), paths); !errors.Is(err, vault.ErrWhole) {
			t.Errorf("%s: %v", what, err)
		}
	}
	needs("no scan before", "attachments/c.png")
	needs("outside", "a.md", "../b.md")
	needs("no path", "")
	scan(t, v)
	if got, err := v.ScanPaths(t.Context(), []string{"attachments"}); err != nil || len(got.Others) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	v.SetMaxLeftOut(1)
	needs("too many are left out", "attachments/c.png")
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("nobody can be kept from reading here")
	}
	if err := os.Chmod(filepath.Join(dir, "sub"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "sub"), 0o755) })
	needs("a folder that cannot be read", "sub/b.md")
}

// Where a file system takes Sub for sub, no file is listed by a name that the disk does not have.
func TestScanPathsGoesByTheSpellingOnDisk(t *testing.T) {
	v := open(t, folder(t, notes("sub/Deep/a.md", "sub/b.md")), vault.Options{})
	v.FoldCase()
	for path, want := range map[string]int{"sub/Deep/a.md": 1, "sub/Deep": 1, "sub": 2, "Sub": 0, "sub/B.md": 0, "sub/deep": 0, "none/a.md": 0, "sub/none/a.md": 0} {
		if got, err := v.ScanPaths(t.Context(), []string{path}); err != nil || len(got.Files) != want {
			t.Errorf("%s: %v, %v", path, got.Files, err)
		}
	}
	for _, path := range []string{"Sub/Deep/a.md", "sub/deep/a.md", "SUB/b.md", "Sub/none.md"} {
		if got, err := v.ScanPaths(t.Context(), []string{path, "sub/b.md"}); !errors.Is(err, vault.ErrWhole) {
			t.Errorf("%s: %v, %v", path, got.Files, err)
		}
	}
}

// What is found in parts counts towards the bound of what is taken from folders that are left out.
func TestScanPathsKeepsTheBoundOfNames(t *testing.T) {
	dir := folder(t, notes("a.md", "attachments/c.png", "attachments/d.png"))
	v := open(t, dir, vault.Options{})
	v.SetMaxLeftOut(4)
	scan(t, v)
	add := func(name string) error {
		if err := os.WriteFile(filepath.Join(dir, "attachments", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := v.ScanPaths(t.Context(), []string{"attachments/" + name})
		return err
	}
	if err := errors.Join(add("e.png"), add("f.png")); err != nil {
		t.Error(err)
	}
	if err := add("g.png"); !errors.Is(err, vault.ErrWhole) {
		t.Errorf("the fifth of four: %v", err)
	}
}

func TestLeavesOut(t *testing.T) {
	v := open(t, folder(t, notes("a.md")), vault.Options{ExtraIgnore: []string{"/out/"}})
	for folder, want := range map[string]bool{
		"sub": false, "sub/deep": false, "out": true, "out/deep": true, "sub/out": false, ".git": true, "sub/.git/x": true, "templates": true,
	} {
		if got := v.LeavesOut(folder); got != want {
			t.Errorf("LeavesOut(%q) = %t", folder, got)
		}
	}
}

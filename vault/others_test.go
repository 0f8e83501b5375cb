package vault_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/vault"
)

func TestScanTakesAllKindsOfNotes(t *testing.T) {
	dir := folder(t, notes("a.md", "b.markdown", "c.canvas", "d.base", "e.excalidraw", "f.excalidraw.md", "G.CANVAS",
		"h.json", "i.yaml", "j.YML", "k.txt", "l.jsonl"))
	got := scan(t, open(t, dir, vault.Options{}))
	want := []string{"G.CANVAS", "a.md", "b.markdown", "c.canvas", "d.base", "e.excalidraw", "f.excalidraw.md"}
	if diff := cmp.Diff(want, paths(got.Files)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"h.json", "i.yaml", "j.YML", "k.txt", "l.jsonl"}, got.Others); diff != "" {
		t.Errorf("others (-want +got):\n%s", diff)
	}
	data := open(t, dir, vault.Options{Extensions: append(vault.DefaultExtensions(), vault.DataExtensions()...)})
	got = scan(t, data)
	want = []string{"G.CANVAS", "a.md", "b.markdown", "c.canvas", "d.base", "e.excalidraw", "f.excalidraw.md", "h.json", "i.yaml", "j.YML", "l.jsonl"}
	if diff := cmp.Diff(want, paths(got.Files)); diff != "" || len(got.Others) != 1 {
		t.Errorf("with files of data (-want +got):\n%s\nothers %v", diff, got.Others)
	}
}

func TestOthersAreAllFilesThatLinksCanName(t *testing.T) {
	all := notes("a.md", "x/photo.PNG", "x/deep/paper.pdf", "no extension", "attachments/scan.png", "templates/t.md",
		"private/secret plan.md", "private/in/deeper.md", "x.private.md", "ä.mp3", "folder.png/a.md",
		// Not to be named:
		".DS_Store", "x/.DS_Store", ".obsidian/app.json", ".trash/gone.md", "private/.hidden/a.md", "x/._photo.PNG",
		"Thumbs.db", "x/desktop.ini", "~$letter.docx", "x/a.sync-conflict-20260101-120000-ABCDEFG.png", ".photo.png.icloud",
		"x/film.mov.icloud", "x/download.crdownload", "backup.txt~", "x/node_modules/pkg/index.js", "private/node_modules/b.js")
	all[vault.IgnoreFile] = "private/\n*.private.md\n"
	dir := folder(t, all)
	if runtime.GOOS != "windows" {
		if err := os.Symlink("photo.PNG", filepath.Join(dir, "x", "link.png")); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"attachments/scan.png", "no extension", "private/in/deeper.md", "private/secret plan.md", "templates/t.md",
		"x.private.md", "x/deep/paper.pdf", "x/photo.PNG", "ä.mp3",
	}
	got := scan(t, open(t, dir, vault.Options{}))
	if diff := cmp.Diff(want, got.Others); diff != "" {
		t.Errorf("others (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a.md", "folder.png/a.md"}, paths(got.Files)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if len(got.Skipped) != 0 {
		t.Errorf("reported: %v", got.Skipped)
	}
}

// Files outside the allowed folders, and notes over the cap, can be named all the same.
func TestOthersOfAnAllowList(t *testing.T) {
	all := notes("a/kept.md", "b/out.md", "b/c/deep.png", "top.md")
	all["a/big.md"] = "0123456789abcdef"
	got := scan(t, open(t, folder(t, all), vault.Options{Folders: []string{"a"}, MaxFileBytes: 12}))
	if diff := cmp.Diff([]string{"a/kept.md"}, paths(got.Files)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a/big.md", "b/c/deep.png", "b/out.md", "top.md"}, got.Others); diff != "" {
		t.Errorf("others (-want +got):\n%s", diff)
	}
}

// A folder of very many files that is left out gives no names at all, whatever the order of the walk.
func TestOthersInFoldersLeftOutAreBounded(t *testing.T) {
	all := notes("a.md", "photo.png", "attachments/1.png", "attachments/2.png", "attachments/x/3.png", "templates/t.md")
	v := open(t, folder(t, all), vault.Options{})
	for _, test := range []struct {
		names int64
		want  []string
	}{
		{5, []string{"attachments/1.png", "attachments/2.png", "attachments/x/3.png", "photo.png", "templates/t.md"}},
		{4, []string{"photo.png"}},
		{0, []string{"photo.png"}},
	} {
		v.SetMaxLeftOut(test.names)
		if diff := cmp.Diff(test.want, scan(t, v).Others); diff != "" {
			t.Errorf("%d names (-want +got):\n%s", test.names, diff)
		}
	}
}

func TestSetDefaults(t *testing.T) {
	all := notes("a.md", "Forms/f.md", "more/Forms/kept.md", "bak/b.md")
	dir := folder(t, all)
	v := open(t, dir, vault.Options{})
	set := func(lines ...string) bool {
		t.Helper()
		changed, err := v.SetDefaults(lines)
		if err != nil {
			t.Fatal(err)
		}
		return changed
	}
	check := func(what string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, paths(scan(t, v).Files)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if !set("/forms/", "bak/") || set("/forms/", "bak/") {
		t.Error("only the first of two equal calls changes something")
	}
	if !v.Ignored("Forms/f.md") || v.Ignored("more/Forms/kept.md") {
		t.Error("Ignored knows nothing of the rules before a scan")
	}
	check("with rules", "a.md", "more/Forms/kept.md")
	for lines, want := range map[string][]string{
		"!*/":            {"a.md", "more/Forms/kept.md"},
		"!Forms/":        {"Forms/f.md", "a.md", "more/Forms/kept.md"},
		"!bak/\n!/Forms": {"Forms/f.md", "a.md", "bak/b.md", "more/Forms/kept.md"},
	} {
		if err := os.WriteFile(filepath.Join(dir, vault.IgnoreFile), []byte(lines), 0o644); err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS == "linux" {
			check(lines, want...)
		}
	}
	if _, err := v.SetDefaults([]string{"a\x00b"}); err == nil || set("/forms/", "bak/") {
		t.Error("rules that cannot be kept took the place of those before")
	}
	if !set() {
		t.Error("no change without rules")
	}
	check("without rules", "Forms/f.md", "a.md", "bak/b.md", "more/Forms/kept.md")
}

func TestHas(t *testing.T) {
	dir := folder(t, notes("a.md", ".app/config.edn", "b/c/d.md"))
	v := open(t, dir, vault.Options{})
	if runtime.GOOS != "windows" {
		if err := os.Symlink("a.md", filepath.Join(dir, "link.md")); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{
		"a.md": true, ".app": true, ".app/config.edn": true, "b/c": true, "b/c/d.md": true,
		"": false, ".": false, "..": false, "../": false, "/etc": false, "a.md/x": false, "link.md": false, "nowhere": false, "b/": false,
	} {
		if got := v.Has(path); got != want {
			t.Errorf("Has(%q) = %t", path, got)
		}
	}
}

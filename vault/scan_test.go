package vault_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/vault"
)

// folder makes a vault of files, by path; a path with a slash at its end is a folder.
func folder(t testing.TB, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range contents {
		full := filepath.Join(dir, filepath.FromSlash(path))
		parent := filepath.Dir(full)
		if strings.HasSuffix(path, "/") {
			parent = full
		}
		if err := os.MkdirAll(parent, 0o755); err != nil {
			t.Fatal(err)
		}
		if parent == full {
			continue
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t testing.TB, dir string, options vault.Options) *vault.Vault {
	t.Helper()
	opened, err := vault.Open(dir, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	return opened
}

func scan(t testing.TB, v *vault.Vault) vault.Listing {
	t.Helper()
	listing, err := v.Scan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return listing
}

func paths(files []vault.File) []string {
	list := []string{}
	for _, file := range files {
		list = append(list, file.Path)
	}
	return list
}

func notes(list ...string) map[string]string {
	contents := map[string]string{}
	for _, path := range list {
		contents[path] = "# A note\n"
	}
	return contents
}

func TestScanDefaults(t *testing.T) {
	dir := folder(t, notes("b.md", "a.md", "a/b.md", "a-b.md", "B.MD", "x.markdown", "image.png", "note.txt", "README",
		".hidden.md", ".obsidian/a.md", ".trash/a.md", "a/.git/b.md", "templates/t.md", "a/Templates/t.md", "07-templates/t.md",
		"attachments/a.md", "08-attachments/a.md", "x/node_modules/pkg/readme.md", "my templates/kept.md", "folder.md/inner.md"))
	v := open(t, dir, vault.Options{})
	want := []string{"B.MD", "a-b.md", "a.md", "a/b.md", "b.md", "folder.md/inner.md", "my templates/kept.md", "x.markdown"}
	got := scan(t, v)
	if runtime.GOOS == "linux" {
		if diff := cmp.Diff(want, paths(got.Files)); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
	}
	if len(got.Skipped) != 0 {
		t.Errorf("skipped: %v", got.Skipped)
	}
	for _, file := range got.Files {
		info, err := os.Stat(filepath.Join(dir, file.Path))
		if err != nil {
			t.Fatal(err)
		}
		if file.SizeBytes != info.Size() || file.ModifiedNanoseconds != info.ModTime().UnixNano() {
			t.Errorf("%+v does not agree with %v", file, info)
		}
		if v.Ignored(file.Path) {
			t.Errorf("%s is listed but Ignored", file.Path)
		}
	}
}

func TestIndexIgnore(t *testing.T) {
	all := notes("a.md", "private/a.md", "private/open.md", "templates/t.md", "x.private.md", ".dot/a.md", ".other/a.md", "z/templates/t.md")
	tests := []struct {
		name, lines string
		options     vault.Options
		want        []string
	}{
		{"none", "", vault.Options{}, []string{"a.md", "private/a.md", "private/open.md", "x.private.md"}},
		{"folder and pattern", "private/\n*.private.md\n", vault.Options{}, []string{"a.md"}},
		{"a folder left out cannot be opened below", "private/\n!private/open.md", vault.Options{}, []string{"a.md", "x.private.md"}},
		{"a default brought back", "!/templates/", vault.Options{}, []string{"a.md", "private/a.md", "private/open.md", "templates/t.md", "x.private.md"}},
		{"a dot-folder brought back", "!.dot/", vault.Options{}, []string{".dot/a.md", "a.md", "private/a.md", "private/open.md", "x.private.md"}},
		{"letting all in brings no default back", "/*\n!*/\n!/a.md", vault.Options{}, []string{"a.md", "private/a.md", "private/open.md"}},
		{"extra lines win", "!private/", vault.Options{ExtraIgnore: []string{"private/"}}, []string{"a.md", "x.private.md"}},
		{"allow-list", "", vault.Options{Folders: []string{"private/", "templates"}}, []string{"private/a.md", "private/open.md"}},
		{"nested allow-list", "!templates/", vault.Options{Folders: []string{"z/templates"}}, []string{"z/templates/t.md"}},
		{"extensions", "", vault.Options{Extensions: []string{"canvas"}}, []string{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := folder(t, all)
			if err := os.WriteFile(filepath.Join(dir, vault.IgnoreFile), []byte(test.lines), 0o644); err != nil {
				t.Fatal(err)
			}
			v := open(t, dir, test.options)
			got := paths(scan(t, v).Files)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			for path := range all {
				if v.Ignored(path) == slices.Contains(got, path) {
					t.Errorf("Ignored(%q) = %t", path, v.Ignored(path))
				}
			}
		})
	}
}

func TestIgnoredReadsRulesAnew(t *testing.T) {
	dir := folder(t, notes("a.md", "b.md"))
	v := open(t, dir, vault.Options{})
	if v.Ignored("a.md") {
		t.Error("a.md is ignored before any rule")
	}
	if err := os.WriteFile(filepath.Join(dir, vault.IgnoreFile), []byte("a.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := paths(scan(t, v).Files); !slices.Equal(got, []string{"b.md"}) {
		t.Errorf("files %v", got)
	}
	if !v.Ignored("a.md") {
		t.Error("a.md is not ignored after the scan")
	}
}

func TestIgnored(t *testing.T) {
	v := open(t, folder(t, notes("a.md")), vault.Options{})
	for path, want := range map[string]bool{
		"a.md": false, "not/there.md": false, "a.png": true, "": true, "/a.md": true, "../a.md": true, "x/../a.md": true,
		".obsidian/a.md": true, "x/.y/a.md": true, "a.md/b.md": false, "TEMPLATES/a.md": true,
	} {
		if got := v.Ignored(path); got != want {
			t.Errorf("Ignored(%q) = %t", path, got)
		}
	}
}

func TestIgnoreFileThatCannotBeRead(t *testing.T) {
	dir := folder(t, notes("a.md", vault.IgnoreFile+"/x"))
	_, err := vault.Open(dir, vault.Options{})
	if !errors.Is(err, vault.ErrNotRegular) || !strings.Contains(err.Error(), vault.IgnoreFile) {
		t.Errorf("error %v", err)
	}
}

// TestIgnoreRulesThatCannotBeKept holds that no rule is dropped: the vault is refused instead, also by a later scan.
func TestIgnoreRulesThatCannotBeKept(t *testing.T) {
	for name, test := range map[string]struct{ rules, want string }{
		"UTF-16, small end first": {"\xff\xfea\x00.\x00m\x00d\x00", "is not UTF-8 text"},
		"UTF-16, big end first":   {"\xfe\xff\x00a\x00.\x00m\x00d", "is not UTF-8 text"},
		"UTF-16 without a mark":   {"a\x00.\x00m\x00d\x00", "is not UTF-8 text"},
		"a long line":             {"#\n" + strings.Repeat("x", 4097) + "\na.md\n", "line 2 is longer than 4096 bytes"},
		"too many":                {strings.Repeat("x\n", 10_000) + "a.md\n", "more than 10000 rules"},
		"too many bytes":          {strings.Repeat("#\n", 1<<19) + "a.md\n", "size cap"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, notes("a.md"))
			v := open(t, dir, vault.Options{})
			if err := os.WriteFile(filepath.Join(dir, vault.IgnoreFile), []byte(test.rules), 0o644); err != nil {
				t.Fatal(err)
			}
			_, scanErr := v.Scan(t.Context())
			_, openErr := vault.Open(dir, vault.Options{})
			for _, err := range []error{scanErr, openErr} {
				var root *vault.RootError
				if !errors.As(err, &root) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), vault.IgnoreFile) {
					t.Errorf("error %v", err)
				}
			}
		})
	}
	if _, err := vault.Open(t.TempDir(), vault.Options{ExtraIgnore: []string{strings.Repeat("x", 4097)}}); err == nil {
		t.Error("a long rule of the options is taken")
	}
	full := strings.Repeat("x\n", 9_999) + "# " + strings.Repeat("x", 5000) + "\n\na.md\n"
	v := open(t, folder(t, map[string]string{"a.md": "", "b.md": "", vault.IgnoreFile: full}), vault.Options{})
	if got := paths(scan(t, v).Files); !slices.Equal(got, []string{"b.md"}) {
		t.Errorf("files %v", got)
	}
}

func TestScanHostilePlaces(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs links and pipes")
	}
	dir := folder(t, notes("a.md", "sub/b.md"))
	outside := folder(t, notes("secret.md", "deep/secret.md"))
	inDir := func(name string) string { return filepath.Join(dir, name) }
	link := func(to, name string) {
		if err := os.Symlink(to, inDir(name)); err != nil {
			t.Fatal(err)
		}
	}
	makePipe(t, inDir("pipe.md"))
	makePipe(t, inDir("pipe"))
	link("loop", "loop")
	link(".", "self")
	link("..", "sub/up")
	link(outside, "outside")
	link(filepath.Join(outside, "secret.md"), "out.md")
	link("a.md", "inner.md")
	link("gone.md", "dangling.md")
	link("picture.png", "picture.png")
	link("/dev/zero", "zero.md")
	socket, err := net.Listen("unix", inDir("s.md"))
	if err != nil {
		t.Log("no socket:", err) // the temporary path may be too long for one
	} else {
		defer socket.Close()
	}
	got := scan(t, open(t, dir, vault.Options{}))
	if diff := cmp.Diff([]string{"a.md", "sub/b.md"}, paths(got.Files)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	want := []string{"dangling.md", "inner.md", "loop", "out.md", "outside", "pipe.md", "self", "sub/up", "zero.md"}
	if socket != nil {
		want = append(want, "s.md")
		slices.Sort(want)
	}
	var skipped []string
	for _, entry := range got.Skipped {
		skipped = append(skipped, entry.Path)
		if entry.Failed || entry.Reason == "" {
			t.Errorf("%+v: left out by rule, with a reason", entry)
		}
	}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

func TestScanOddNames(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a file system that keeps all bytes of a name")
	}
	odd := []string{"new\nline 🏺 \\ \".md", strings.Repeat("n", 250) + ".md", "\u00e9.md", "e\u0301.md", "case.md", "Case.md", " .md", "a:b.md", "nul.md"}
	dir := folder(t, notes(append(odd, "bad\xff.md", "bad\xfe/inner.md", "bad\xfd.png")...))
	got := scan(t, open(t, dir, vault.Options{}))
	slices.Sort(odd)
	if diff := cmp.Diff(odd, paths(got.Files)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if len(got.Skipped) != 2 || got.Skipped[0].Path != "bad\xfe" || got.Skipped[1].Path != "bad\xff.md" {
		t.Errorf("skipped %+v", got.Skipped)
	}
}

func TestScanTooLarge(t *testing.T) {
	dir := folder(t, notes("a.md", "huge.md"))
	if err := os.Truncate(filepath.Join(dir, "huge.md"), 1<<30); err != nil { // sparse
		t.Fatal(err)
	}
	v := open(t, dir, vault.Options{})
	got := scan(t, v)
	want := []vault.Skipped{{Path: "huge.md", Reason: "1.0 GiB, over the cap of 16 MiB"}}
	if diff := cmp.Diff(want, got.Skipped); diff != "" || len(got.Files) != 1 {
		t.Errorf("skipped (-want +got):\n%s, files %v", diff, got.Files)
	}
	if _, _, err := v.Read(t.Context(), "huge.md"); !errors.Is(err, vault.ErrTooLarge) {
		t.Errorf("read: %v", err)
	}
}

func TestScanWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("nothing is forbidden to this user")
	}
	dir := folder(t, notes("a.md", "shut/b.md", "nolook/c.md", "file.md"))
	chmod := func(name string, mode fs.FileMode) {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, name), 0o755) })
	}
	chmod("shut", 0)
	chmod("nolook", 0o444) // can be listed, its files cannot be looked at
	chmod("file.md", 0)
	v := open(t, dir, vault.Options{})
	got := scan(t, v)
	if diff := cmp.Diff([]string{"a.md", "file.md"}, paths(got.Files)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	want := []string{"nolook", "shut"}
	var failed []string
	for _, entry := range got.Skipped {
		if entry.Failed {
			failed = append(failed, strings.TrimSuffix(entry.Path, "/c.md"))
		}
	}
	if diff := cmp.Diff(want, failed); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	for _, path := range []string{"file.md", "shut/b.md"} {
		if _, _, err := v.Read(t.Context(), path); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("read %s: %v", path, err)
		}
	}
	chmod(".", 0)
	var rootError *vault.RootError
	if _, err := v.Scan(t.Context()); !errors.As(err, &rootError) {
		t.Errorf("scan of a shut vault: %v", err)
	}
}

func TestOpenMissing(t *testing.T) {
	dir := folder(t, notes("a.md"))
	for name, wanted := range map[string]error{"gone": fs.ErrNotExist, "a.md": nil} {
		_, err := vault.Open(filepath.Join(dir, name), vault.Options{})
		var rootError *vault.RootError
		if !errors.As(err, &rootError) || rootError.Hint() == "" || wanted != nil && !errors.Is(err, wanted) {
			t.Errorf("open %s: %v", name, err)
		}
	}
	if _, err := vault.Open(dir, vault.Options{Folders: []string{"../other"}}); !errors.Is(err, vault.ErrOutside) {
		t.Errorf("an allowed folder outside: %v", err)
	}
}

func TestScanOfReplacedVault(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open folder cannot be moved")
	}
	dir := filepath.Join(t.TempDir(), "vault")
	if err := os.Rename(folder(t, notes("a.md")), dir); err != nil {
		t.Fatal(err)
	}
	v := open(t, dir, vault.Options{})
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	for _, step := range []string{"gone", "another one in its place"} {
		if _, err := v.Scan(t.Context()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("scan, %s: %v", step, err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMissingAllowedFolder(t *testing.T) {
	v := open(t, folder(t, notes("a/x.md")), vault.Options{Folders: []string{"a", "b/c"}})
	got := scan(t, v)
	if len(got.Files) != 1 || len(got.Skipped) != 1 || got.Skipped[0].Path != "b/c" || got.Skipped[0].Failed {
		t.Errorf("%+v", got)
	}
}

func TestScanWhileFilesVanish(t *testing.T) {
	list := []string{}
	for i := range 3000 {
		list = append(list, fmt.Sprintf("%02d/%04d.md", i%50, i))
	}
	dir := folder(t, notes(list...))
	v := open(t, dir, vault.Options{})
	done := make(chan error)
	go func() {
		for i := range 50 {
			if err := os.RemoveAll(filepath.Join(dir, fmt.Sprintf("%02d", i))); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for running := true; running; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running = false
		default:
		}
		if got := scan(t, v); len(got.Skipped) != 0 {
			t.Fatalf("skipped: %v", got.Skipped[:1])
		}
	}
	if got := scan(t, v); len(got.Files) != 0 {
		t.Errorf("%d files left", len(got.Files))
	}
}

func TestScanCancelled(t *testing.T) {
	v := open(t, folder(t, notes("a.md", "b/c.md")), vault.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Scan(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("scan: %v", err)
	}
	if _, _, err := v.Read(ctx, "a.md"); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
}

func TestScanIsDeterministic(t *testing.T) {
	list := []string{}
	for i := range 2000 {
		list = append(list, fmt.Sprintf("%d/%d/%d.md", i%7, i%13, i))
	}
	for i := range 1500 {
		list = append(list, fmt.Sprintf("one/%d.md", i)) // more than a batch
	}
	v := open(t, folder(t, notes(list...)), vault.Options{})
	first := scan(t, v)
	if len(first.Files) != len(list) || !slices.IsSorted(paths(first.Files)) {
		t.Fatalf("%d of %d files, sorted %t", len(first.Files), len(list), slices.IsSorted(paths(first.Files)))
	}
	if diff := cmp.Diff(first, scan(t, v)); diff != "" {
		t.Errorf("another scan (-first +second):\n%s", diff)
	}
}

func TestScanDeepFolders(t *testing.T) {
	dir := folder(t, notes("a.md", strings.Repeat("d/", 140)+"x.md"))
	got := scan(t, open(t, dir, vault.Options{}))
	if len(got.Files) != 1 || len(got.Skipped) != 1 || !strings.Contains(got.Skipped[0].Reason, "nested") {
		t.Errorf("files %v, skipped %d", paths(got.Files), len(got.Skipped))
	}
}

func BenchmarkScan(b *testing.B) {
	shapes := map[string]func(i int) string{
		"12000 files in 800 folders":   func(i int) string { return fmt.Sprintf("%d/%d/%d.md", i%20, i/20%40, i) },
		"12000 files in 12000 folders": func(i int) string { return fmt.Sprintf("%d/%d/%d/index.md", i%20, i/20%40, i) },
		"100000 files in one folder":   func(i int) string { return fmt.Sprintf("%d.md", i) },
	}
	for name, path := range shapes {
		b.Run(name, func(b *testing.B) {
			count, contents := 12_000, map[string]string{}
			if strings.HasPrefix(name, "100000") {
				count = 100_000
			}
			for i := range count {
				contents[path(i)] = ""
			}
			v := open(b, folder(b, contents), vault.Options{})
			for b.Loop() {
				if got := scan(b, v); len(got.Files) != count {
					b.Fatal(len(got.Files))
				}
			}
		})
	}
}

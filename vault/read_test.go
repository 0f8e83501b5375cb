package vault_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/vault"
)

func TestRead(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "text\x00\xff\r\n", "sub/deep/b.md": "", ".dot/c.md": "kept out of the index, readable"})
	v := open(t, dir, vault.Options{})
	for path, want := range map[string]string{"a.md": "text\x00\xff\r\n", "sub/deep/b.md": "", ".dot/c.md": "kept out of the index, readable"} {
		content, file, err := v.Read(t.Context(), path)
		if err != nil || string(content) != want || file.Path != path || file.SizeBytes != int64(len(want)) {
			t.Errorf("read %s: %q, %+v, %v", path, content, file, err)
		}
		stat, err := v.Stat(t.Context(), path)
		if err != nil || stat != file {
			t.Errorf("stat %s: %+v, %v; read said %+v", path, stat, err, file)
		}
	}
	listed := scan(t, v).Files[0]
	if _, file, _ := v.Read(t.Context(), "a.md"); file != listed {
		t.Errorf("read says %+v, scan %+v", file, listed)
	}
}

func TestReadRefuses(t *testing.T) {
	parent := t.TempDir()
	if err := os.WriteFile(filepath.Join(parent, "outside.md"), []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(parent, "vault")
	if err := os.Rename(folder(t, notes("a.md", "sub/b.md")), dir); err != nil {
		t.Fatal(err)
	}
	v := open(t, dir, vault.Options{})
	tests := map[string]error{
		"": vault.ErrOutside, ".": vault.ErrOutside, "..": vault.ErrOutside, "../outside.md": vault.ErrOutside, "sub/../a.md": vault.ErrOutside,
		"sub/../../outside.md": vault.ErrOutside, "/a.md": vault.ErrOutside, filepath.ToSlash(filepath.Join(dir, "a.md")): vault.ErrOutside,
		"a.md\x00": vault.ErrOutside, "./a.md": vault.ErrOutside, "sub//b.md": vault.ErrOutside, "sub/": vault.ErrOutside, "a.md/": vault.ErrOutside,
		"sub": vault.ErrNotRegular, "gone.md": fs.ErrNotExist, "gone/a.md": fs.ErrNotExist, "a.md/b.md": fs.ErrNotExist,
	}
	if runtime.GOOS != "windows" {
		for name, to := range map[string]string{"out.md": "../outside.md", "in.md": "a.md", "up": "..", "same": "sub", "loop": "loop"} {
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		makePipe(t, filepath.Join(dir, "pipe.md"))
		for _, path := range []string{"out.md", "in.md", "up/outside.md", "same/b.md", "loop", "loop/a.md", "pipe.md"} {
			tests[path] = vault.ErrNotRegular
		}
	}
	for path, want := range tests {
		content, _, readErr := v.Read(t.Context(), path)
		_, statErr := v.Stat(t.Context(), path)
		if content != nil {
			t.Errorf("read %q: %q", path, content)
		}
		for op, err := range map[string]error{"read": readErr, "look at": statErr} {
			var fault *vault.FileError
			if !errors.Is(err, want) || !errors.As(err, &fault) || fault.Op != op || fault.Path != path {
				t.Errorf("%s %q: %v, want %v", op, path, err, want)
			} else if err.Error() != op+" "+path+": "+fault.Err.Error() || len(path) > 2 && strings.Contains(fault.Err.Error(), path) {
				t.Errorf("%s %q: %v, of it %v", op, path, err, fault.Err)
			}
		}
	}
}

func TestBadOnWindows(t *testing.T) {
	bad := []string{
		"CON", "con.md", "NUL", "nul.md", "a/AUX/b.md", "COM1", "com9.txt", "LPT3.md", "COM¹.md", "CONIN$", "nul .md", "a.md:x", "a.md::$DATA",
		"C:a.md", `a\b.md`, `..\a.md`, `\\server\share\a.md`, "a.md.", "a.md ", "sub /a.md", "a?.md", "a*.md", `a"b.md`, "a<b.md", "a|b.md", "a\x01.md",
	}
	for _, path := range bad {
		if vault.BadOnWindows(path) == "" {
			t.Errorf("%q is taken", path)
		}
	}
	for _, path := range []string{"a.md", "console.md", "null.md", "com.md", "COM10.md", "a b/c.d.md", "日本.md", "a'b.md", "lptx.md", "x/.y.md"} {
		if reason := vault.BadOnWindows(path); reason != "" {
			t.Errorf("%q is not taken: %s", path, reason)
		}
	}
}

// TestShortNames holds that a second name which Windows makes for a file leads nowhere; a file's own name that looks like one
// does. Here no file has a second name, so one that is not listed stands for it.
func TestShortNames(t *testing.T) {
	dir := folder(t, notes("JOURNA~2.MD", "longer~name/x~1.md", "old~1/deep/a.md"))
	for _, standard := range []bool{false, true} {
		v := open(t, dir, vault.Options{})
		if standard {
			if err := vault.UseStandardFolders(v); err != nil {
				t.Fatal(err)
			}
		}
		for path, isRefused := range map[string]bool{
			"JOURNA~2.MD": false, "journa~2.md": false, "longer~name/x~1.md": false, "OLD~1/deep/a.md": false, "no tilde.md": false,
			"far too long a name~1.md": false, "a~b.md": false, "JOURNA~1.MD": true, "LONGER~1/x~1.md": true, "old~1/deep/A~1.MD": true,
			"gone/A~1.MD": true, "old~2/deep/a.md": true,
		} {
			err := v.CheckShortNames(path)
			if isRefused != errors.Is(err, fs.ErrNotExist) || !isRefused && err != nil {
				t.Errorf("%s: %v, refused is to be %v", path, err, isRefused)
			}
		}
	}
}

func TestReadCap(t *testing.T) {
	dir := folder(t, map[string]string{"at.md": strings.Repeat("x", 100), "over.md": strings.Repeat("x", 101)})
	v := open(t, dir, vault.Options{MaxFileBytes: 100})
	if content, _, err := v.Read(t.Context(), "at.md"); err != nil || len(content) != 100 {
		t.Errorf("at the cap: %d bytes, %v", len(content), err)
	}
	if _, _, err := v.Read(t.Context(), "over.md"); !errors.Is(err, vault.ErrTooLarge) {
		t.Errorf("over the cap: %v", err)
	}
	got := scan(t, v)
	if diff := cmp.Diff([]string{"at.md"}, paths(got.Files)); diff != "" || len(got.Skipped) != 1 {
		t.Errorf("scan: %+v", got)
	}
}

// TestReadWhileWritten holds a read to the bytes of one state: a file that grows is refused, never half read.
func TestReadWhileWritten(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": ""})
	v := open(t, dir, vault.Options{})
	path := filepath.Join(dir, "a.md")
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for size := 1; ; size = size%5000 + 97 {
			select {
			case <-stop:
				return
			default:
			}
			temporary := path + ".tmp"
			if os.WriteFile(temporary, bytes.Repeat([]byte{byte('a' + size%26)}, size), 0o644) == nil {
				_ = os.Rename(temporary, path)
			}
		}
	})
	for deadline := time.Now().Add(300 * time.Millisecond); time.Now().Before(deadline); {
		content, file, err := v.Read(t.Context(), "a.md")
		if err != nil {
			if !errors.Is(err, vault.ErrChanged) && !errors.Is(err, fs.ErrNotExist) && runtime.GOOS != "windows" {
				t.Errorf("read: %v", err)
			}
			continue
		}
		if int64(len(content)) != file.SizeBytes {
			t.Errorf("%d bytes of a file of %d", len(content), file.SizeBytes)
		}
		if len(content) > 0 && bytes.Count(content, content[:1]) != len(content) {
			t.Error("two states in one read")
		}
	}
	close(stop)
	writer.Wait()
}

func TestReadGrowingFile(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("needs a file whose size is not told")
	}
	v := open(t, "/proc/self", vault.Options{})
	if content, _, err := v.Read(t.Context(), "status"); !errors.Is(err, vault.ErrChanged) || content != nil {
		t.Errorf("a file longer than its size: %d bytes, %v", len(content), err)
	}
}

func TestConcurrentUse(t *testing.T) {
	v := open(t, folder(t, notes("a.md", "b/c.md", "b/d.md")), vault.Options{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				listing, err := v.Scan(t.Context())
				if err != nil || len(listing.Files) != 3 {
					t.Errorf("scan: %v, %v", listing, err)
				}
				for _, file := range listing.Files {
					if _, _, err := v.Read(t.Context(), file.Path); err != nil || v.Ignored(file.Path) {
						t.Errorf("read: %v", err)
					}
				}
			}
		})
	}
	group.Wait()
}

func TestHostilePatterns(t *testing.T) {
	lines := strings.Repeat("**/*a*a*a*a*a*a*a*a*a*a*a*a*b/**/c\n**/a/**/a/**/a/**/a/**/a/**/b\n**a**a**a**a**[a-z]b\n", 20)
	path := strings.Repeat(strings.Repeat("a", 200)+"/", 15) + "a"
	start := time.Now()
	if vault.PlainIgnored(lines, path, false, false) {
		t.Error("it matches")
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("%v for one path", took)
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add("foo/**\n!a.md", "foo/a.md", false)
	f.Add("[[:alpha:]-z]*\\", "a/b", true)
	f.Add("**/*a*b/**", "x/ab/c", false)
	f.Fuzz(func(t *testing.T, lines, path string, folder bool) {
		if len(lines) < 1000 && len(path) < 300 {
			vault.PlainIgnored(lines, path, folder, false)
		}
	})
}

package evernote_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry/convert/export"
)

// FuzzRead holds that nothing in a file ends an import, that ids are unique, and that each link is written where it stands.
func FuzzRead(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		files := map[string]string{}
		for _, name := range []string{"a.enex"} {
			files[name] = content
		}
		got := read(t, write(t, files))
		if got.err != nil && !errors.Is(got.err, export.ErrNothing) {
			t.Fatal(got.err)
		}
		ids := map[string]bool{}
		for _, n := range got.Notes {
			if ids[n.ID] || n.Title == "" || n.Path == "" || strings.Contains(n.Path, "//") {
				t.Errorf("note %q, %q, %q", n.ID, n.Title, n.Path)
			}
			ids[n.ID] = true
			if text := got.Resolve(n.String(), func(export.Target) string { return "" }); strings.Contains(text, "\uE0FEmark:") && !strings.Contains(content, "\uE0FEmark:") {
				t.Errorf("a link is not written: %q", text)
			}
		}
		for _, a := range got.Attachments {
			_, _ = a.Read()
		}
	})
}

func seeds(t testing.TB) []string {
	t.Helper()
	content, err := os.ReadFile("testdata/Harbour.enex")
	if err != nil {
		t.Fatal(err)
	}
	return []string{string(content), one("a", "<en-todo/>x<en-media hash='0'/>"), "<note><title>x<content>", "<note/>"}
}

// write makes files, and gives their folder.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

package applenotes_test

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
		for _, name := range []string{"a.html", "a/a.txt", "b.md"} {
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
	list := []string{"---\ntags: [a]\n---\n# T\n\n#tag [x](applenotes:note/1) ![](p.png)", "<div><h1>T</h1></div><ul class=checklist><li class=checked>a</ul><a href='applenotes:note/1'>T</a><img src='data:image/png;base64,AAAA'>"}
	for _, name := range []string{"Boat list.html", "Paint.html"} {
		content, err := os.ReadFile(filepath.Join(fixture, name))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(content))
	}
	return list
}

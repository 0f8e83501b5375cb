package notion_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"quarry/convert/export"
)

// FuzzRead holds that nothing in a file ends an import, that ids are unique, and that each link is written where it stands.
func FuzzRead(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		files := map[string]string{}
		for _, name := range []string{"Page " + hex("1") + ".md", "Page.html", "Page_all.csv"} {
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
	archive, err := txtar.ParseFile("testdata/html.txtar")
	if err != nil {
		t.Fatal(err)
	}
	list := []string{"# T\n\nStatus: a\nTags: b, c\nR: X (Page%20" + hex("1") + ".md)\n\n<aside>\n💡 x\n</aside>\n- [ ]  t\n[l](Page.html) ![i](x.png)\n<details>\n<summary>s</summary>\n</details>", "Name,Tags\nA,\"b, c\"\n\"x\ny\",\n"}
	for _, f := range archive.Files {
		list = append(list, string(f.Data))
	}
	return list
}

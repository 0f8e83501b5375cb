package note_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"quarry/note"
)

// TestEncodedFilesAreNoText: an image written into a note is not for a reader of passages; short data is.
func TestEncodedFilesAreNoText(t *testing.T) {
	image := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x89PNG image bytes", 40)))
	for name, text := range map[string]string{
		"a.md":     "before ![x](data:image/png;base64," + image + ") after\n",
		"b.md":     "before <img src=\"data:image/png;base64," + image + "\"> after\n",
		"c.canvas": `{"nodes":[{"id":"1","type":"text","text":"before ![x](data:image/png;base64,` + image + `) after"}]}`,
		"d.json":   `{"img":"data:image/png;base64,` + image + `","words":"before and after"}`,
	} {
		n := note.Parse(name, []byte(text), nil)
		shown := shownText(n)
		for _, fragment := range n.Fragments {
			shown += fragment.Text
		}
		if strings.Contains(shown, image[:40]) || !strings.Contains(shown, "before") || !strings.Contains(shown, "after") {
			t.Errorf("%s: %.200q", name, shown)
		}
	}
	n := note.Parse("a.md", []byte("---\ntitle: T data:image/png;base64,"+image+"\n---\n# H ![x](data:image/png;base64,"+image+") end\n"), nil)
	if n.Title != "T data:image/png;base64," || n.Headings[0].Plain != "H ![x](data:image/png;base64,) end" {
		t.Errorf("title %.200q, heading %.200q", n.Title, n.Headings[0].Plain)
	}
	link := note.Parse("a.md", []byte("![x](data:image/png;base64,"+image+")\n"), nil).Links[0]
	if link.Target != "data:image/png;base64," || !link.External {
		t.Errorf("target %.80q", link.Target)
	}
	short := note.Parse("a.md", []byte("the prefix ;base64,QUJD stays\n"), nil)
	if !strings.Contains(shownText(short), "QUJD") {
		t.Error("short data is gone")
	}
}

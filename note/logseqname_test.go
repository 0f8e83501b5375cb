package note_test

import (
	"fmt"
	"testing"

	"quarry/internal/dialect"
	"quarry/note"
)

// TestLogseqNames holds what the name of a file says of a page.
func TestLogseqNames(t *testing.T) {
	for _, test := range []struct{ file, text, want string }{
		{"pages/Kiln___Top%3F.md", "- a", `"Kiln/Top?" [] ""`},
		{"pages/a%5F%5F%5Fb.md", "- a", `"a___b" [] ""`},
		{"pages/nul%00%C3%28.md", "- a", `"nul%00%C3%28" [] ""`},
		{"pages/clay.body.md", "- a", `"clay.body" [] ""`},
		{"pages/clay.body.md", "title:: clay/body\n\n- a", `"clay/body" [] ""`},
		{"journals/2031_05_06.md", "- a", `"2031-05-06" ["May 6th, 2031"] "2031-05-06"`},
		{"journals/20310506.md", "- a", `"2031-05-06" ["May 6th, 2031"] "2031-05-06"`},
		{"journals/Tuesday, 06.05.2031.md", "- a", `"2031-05-06" ["May 6th, 2031"] "2031-05-06"`},
		{"journals/06-05-2031.md", "- a", `"06-05-2031" [] ""`},
		{"journals/2031_05_06.md", "title:: May 6th, 2031\n\n- a", `"2031-05-06" ["May 6th, 2031"] "2031-05-06"`},
		{"journals/2031_05_06.md", "title:: Firing\n\n- a", `"Firing" ["2031-05-06" "May 6th, 2031"] "2031-05-06"`},
		{"pages/a.md", "created:: [[May 6th, 2031]]\n\n- a", `"a" [] "2031-05-06"`},
		{"pages/a.md", "created:: 06.05.2031\n\n- a", `"a" [] "2031-05-06"`},
		{"pages/a.md", "created-at:: 1935792000000\n\n- a", `"a" [] "2031-05-06"`},
		{"pages/a.md", "created:: 06-05-2031\n\n- a", `"a" [] "06-05-2031"`}, // may be June
		{"pages/a.md", "created:: some day\n\n- a", `"a" [] "some day"`},
	} {
		n := note.ParseAs(dialect.Logseq, test.file, []byte(test.text), nil)
		if got := fmt.Sprintf("%q %q %q", n.Title, n.Aliases, n.Created); got != test.want {
			t.Errorf("%s, %q: got %s, want %s", test.file, test.text, got, test.want)
		}
	}
}

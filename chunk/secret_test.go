package chunk_test

import (
	"strings"
	"testing"

	"quarry/chunk"
	"quarry/note"
)

// TestWhatIsHiddenJoinsNoSecret: a comment within a token keeps it from being seen in the file; it must be seen in the
// passage, where the comment is gone.
func TestWhatIsHiddenJoinsNoSecret(t *testing.T) {
	const head, tail = "ghp_" + "abcdEFGH0123", "ijklMNOP4567qrstUVWX89yzAB12"
	for _, text := range []string{
		"w " + head + "%%c%%" + tail + " z\n",
		"w " + head + "%%c%%%%d%%" + tail + " z\n",
		"w " + head + "<!-- c -->" + tail + " z\n",
		"# T " + head + "%%c%%" + tail + "\n\nwords of the note that are long enough\n",
		"## T " + head + "<!-- c -->" + tail + "\n\nwords of the note that are long enough\n",
		"- [ ] w " + head + "%%c%%" + tail + "\n",
		"> [!note] w " + head + "%%c%%" + tail + "\n",
		"---\nkanban-plugin: board\n---\n\n## Lane " + head + "%%c%%" + tail + "\n\n- [ ] card\n",
	} {
		n := note.Reader{}.Read("a.md", []byte(text))
		out := n.Title
		for _, heading := range n.Headings {
			out += "\n" + heading.Plain
		}
		for _, p := range chunk.Split(n, chunk.ByHeading) {
			out += "\n" + p.Text + "\n" + p.IndexText + "\n" + p.Section + "\n" + p.HeadingContext + "\n" + strings.Join(p.HeadingPath, "\n")
		}
		if strings.Contains(out, head+tail) || !strings.Contains(out, "[REDACTED:") {
			t.Errorf("%q: %q", text, out)
		}
	}
}

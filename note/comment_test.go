package note_test

import (
	"testing"

	"quarry/internal/dialect"
	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

// shown is what a reader of a passage sees of a note.
func shown(n *note.Note) string {
	text, at := "", 0
	for _, r := range n.Omit {
		text += n.Text[at:r.Start]
		at = r.End
	}
	return text + n.Text[at:]
}

func TestCommentsAreLeftOut(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"within a line", "a <!-- b --> c %%d%% e", "a  c  e"},
		{"a line of its own", "a\n<!-- b -->\nc\n", "a\nc\n"},
		{"over lines", "a\n\n  <!-- b\n\n[[c]]\n-->\nd\n", "a\n\nd\n"},
		{"text behind it", "<!-- a --> b <!-- c -->\n", " b \n"},
		{"two on a line", "<!-- a --><!-- b --> c\n", " c\n"},
		{"within HTML", "<div>\n<!-- a -->\nb</div>\n", "<div>\nb</div>\n"},
		{"in a list", "- a\n- <!-- b -->\n- c <!-- d -->\n", "- a\n- c \n"},
		{"in a quote", "> a\n> <!-- b\n> c -->\n> d\n", "> a\n> d\n"},
		{"in a table", "|a <!-- b -->|\n|-|\n|c|\n", "|a |\n|-|\n|c|\n"},
		{"in a heading", "# a <!-- b -->\n", "# a \n"},
		{"CRLF", "a\r\n<!-- b -->\r\nc\r\n", "a\r\nc\r\n"},
		{"without an end", "<!-- a\n\nb\n", "<!-- a\n\nb\n"},
		{"in code", "`<!-- a -->`\n\n```\n<!-- b -->\n```\n", "`<!-- a -->`\n\n```\n<!-- b -->\n```\n"},
		{"in a script", "<script>\n<!-- a -->\n</script>\n", "<script>\n<!-- a -->\n</script>\n"},
		{"the shortest", "a <!--> b --> c <!---> d --> e", "a  b --> c  d --> e"},
		{"within a comment", "a %%b <!-- c --> d%% e", "a  e"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, shown(parse(c.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
	logseq := note.ParseAs(dialect.Logseq, "pages/a.md", []byte("- a <!-- b -->\n- <!-- c -->\n- d %%e%%\n"), nil)
	if diff := cmp.Diff("- a \n- d %%e%%\n", shown(logseq)); diff != "" {
		t.Error(diff)
	}
}

func TestPlainHeading(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# a b", "a b"},
		{"# a %%b%% c", "a c"},
		{"# a %%b c", "a %%b c"},
		{"# %%a <!-- b --> c", "%%a c"},
		{"# <!-- a -->", ""},
		{"# a %%b%% ^c", "a"},
		{"a <!-- b -->\n===", "a"},
	} {
		if n := parse(c.text); len(n.Headings) != 1 || n.Headings[0].Plain != c.want {
			t.Errorf("%q: headings %+v, want %q", c.text, n.Headings, c.want)
		}
	}
	if n := note.ParseAs(dialect.Logseq, "pages/a.md", []byte("- # a %%b%% <!-- c -->\n"), nil); n.Headings[0].Plain != "a %%b%%" {
		t.Errorf("Logseq: headings %+v", n.Headings)
	}
}

package note_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/internal/dialect"
	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

// TestHeadingScope holds where the section of a heading ends in an outline.
func TestHeadingScope(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"children", "- # A\n  - b\n    - c\n- d\n", "A 3"},
		{"no children", "- # A\n- b\n", "A 0"},
		{"a body is no child", "- # A\n  b\n  c\n- d\n", "A 0"},
		{"body and children", "- # A\n  b\n\t- c\n\n- d\n", "A 3"},
		{"at the margin", "# A\n- b\n\t- c\n", "A 0"},
		{"below another", "- # A\n\t- ## B\n\t\t- c\n\t- d\n- e\n", "A 4, B 3"},
		{"to the end", "- a\n\t- ## B\n\t\t- c\n\t\t  d\n", "B 4"},
		{"as a property", "- A\n  heading:: true\n\t- b\n- c\n", "A 3"},
	} {
		var got []string
		for _, h := range note.ParseAs(dialect.Logseq, "pages/a.md", []byte(c.text), nil).Headings {
			got = append(got, fmt.Sprint(h.Text, " ", h.ScopeEnd))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	for _, h := range parse("# A\n- # B\n  - c\n").Headings {
		if h.ScopeEnd != 0 {
			t.Errorf("Obsidian: %+v", h)
		}
	}
}

// TestLogseqDatesStay holds that a reader sees when a task is due, and not what the app keeps for itself.
func TestLogseqDatesStay(t *testing.T) {
	text := "- TODO a\n  SCHEDULED: <2031-02-10 Mon>\n  :LOGBOOK:\n  CLOCK: [2031-02-20 Thu 10:00]\n  :END:\n" +
		"- b\n  DEADLINE: <2031-03-01 Sat>\n  CLOCK: [2031-02-20 Thu 10:00]\n  c\n- SCHEDULED: <2031-04-01 Tue>\n"
	n := note.ParseAs(dialect.Logseq, "pages/a.md", []byte(text), nil)
	want := "- TODO a\n  SCHEDULED: <2031-02-10 Mon>\n- b\n  DEADLINE: <2031-03-01 Sat>\n  c\n- SCHEDULED: <2031-04-01 Tue>\n"
	if diff := cmp.Diff(want, shown(n)); diff != "" {
		t.Error(diff)
	}
	if len(n.Fields) != 3 || n.Fields[0].Value != "2031-02-10" || n.Fields[1].Key != "due" || len(n.Links)+len(n.Tags) != 0 {
		t.Errorf("fields %v, links %v, tags %v", n.Fields, n.Links, n.Tags)
	}
}

// TestOrgMarkInLine holds that the mark of a block that stands within a line is no tag.
func TestOrgMarkInLine(t *testing.T) {
	n := note.ParseAs(dialect.Logseq, "pages/a.md", []byte("- a #+BEGIN_QUOTE b #+end_quote #c\n- d (#+BEGIN_SRC\n"), nil)
	if len(n.Tags) != 1 || n.Tags[0].Tag != "c" || len(n.Links) != 1 {
		t.Errorf("tags %v, links %v", n.Tags, n.Links)
	}
}

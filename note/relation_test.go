package note_test

import (
	"fmt"
	"testing"

	"quarry/internal/dialect"
	"quarry/note"
)

// TestRelationInside holds which relations are told to stand in the brackets of their link.
func TestRelationInside(t *testing.T) {
	for _, test := range []struct {
		dialect dialect.Dialect
		text    string
		want    string // relation, target and whether it is inside
	}{
		{dialect.Obsidian, "[[rel:supports A]]", "supports A true"},
		{dialect.Obsidian, "![[ rel:Supports  A#h|shown]]", "supports A true"},
		{dialect.Obsidian, "| a |\n|---|\n| [[rel:supports A\\|shown]] |", "supports A true"},
		{dialect.Obsidian, "rel: supports [[A]]", "supports A false"},
		{dialect.Obsidian, "rel: supports [[rel:uses A]]", "uses A true"},
		{dialect.Obsidian, "> [!edge] supports: [[A]]", "supports A false"},
		{dialect.Obsidian, "supports:: [[A]]", "supports A false"},
		{dialect.Obsidian, "supports:: [[rel:uses A]]", "uses A true"},
		{dialect.Obsidian, "- > 1. rel: supports [[A]] (why)", "supports A false"},
		{dialect.Obsidian, "| a |\n|---|\n| rel: supports [[A]] |", " A false"},
		{dialect.Obsidian, "## rel: supports [[A]]", " A false"},
		{dialect.Obsidian, "rel: supports [[A]]\n===", " A false"},
		{dialect.Obsidian, "x[^1]\n\n[^1]: rel: supports [[A]]", " A false"},
		{dialect.Obsidian, "x[^1]\n\n[^1]: why\n    rel: supports [[A]]", "supports A false"},
		{dialect.Obsidian, "[[A]]", " A false"},
		{dialect.Obsidian, "[[rel:A]]", " rel:A false"},
		{dialect.Obsidian, "---\nup: \"[[rel:uses A]]\"\n---\n", "up A false"},
		{dialect.Foam, "[[rel:supports A]]", "supports A true"},
		{dialect.Foam, "rel: supports [[A]]", "supports A false"},
		{dialect.Logseq, "- [[rel:supports A]]", "supports A true"},
		{dialect.Logseq, "- text\n  supports:: [[A]]", "supports A false"},
		{dialect.Dendron, "[[shown|rel:supports A]]", "supports A true"},
		{dialect.Dendron, "[[rel:supports shown|A]]", " A false"}, // that is what is shown
		{dialect.Dendron, "rel: supports [[shown|A]]", "supports A false"},
	} {
		n := note.ParseAs(test.dialect, "n.md", []byte(test.text), nil)
		if len(n.Links) != 1 {
			t.Errorf("%s, %q: %d links", test.dialect, test.text, len(n.Links))
			continue
		}
		l := n.Links[0]
		if got := fmt.Sprintf("%s %s %t", l.Relation, l.Target, l.RelationInside); got != test.want {
			t.Errorf("%s, %q: got %s, want %s", test.dialect, test.text, got, test.want)
		}
	}
}

package filename_test

import (
	"testing"
	"unicode/utf8"

	"quarry/internal/filename"
)

func TestFold(t *testing.T) {
	for name, want := range map[string]string{
		"": "", `A\b.MD`: "a/b.md", "Cafe\u0301": "caf\u00e9", "a\u00a0b\u202fc": "a b c", "\u0130": "i\u0307", "\u03a3\u03c2": "\u03c3\u03c3",
	} {
		if got := filename.Fold(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := filename.Clean("A\\\u00a0B"); got != "A/ B" {
		t.Errorf("got %q", got)
	}
}

func TestParts(t *testing.T) {
	for _, c := range []struct {
		path, folder, last, stem string
		isNote                   bool
	}{
		{"a/b.c/Kiln.md", "a/b.c/", "Kiln.md", "Kiln", true},
		{"Kiln.Markdown", "", "Kiln.Markdown", "Kiln", true},
		{"a/LICENSE", "a/", "LICENSE", "LICENSE", false},
		{"a/x.md.png", "a/", "x.md.png", "x.md", false},
		{"", "", "", "", false},
	} {
		if filename.FolderPrefix(c.path) != c.folder || filename.LastSegment(c.path) != c.last || filename.Stem(c.path) != c.stem || filename.IsNote(c.path) != c.isNote {
			t.Errorf("%q: %q, %q, %q, %t", c.path, filename.FolderPrefix(c.path), filename.LastSegment(c.path), filename.Stem(c.path), filename.IsNote(c.path))
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, seed := range []string{"Kiln", "\xff\x00", "\u0130", "e\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		folded := filename.Fold(name)
		if utf8.ValidString(name) && filename.Fold(folded) != folded {
			t.Errorf("%q becomes %q, then %q", name, folded, filename.Fold(folded))
		}
	})
}

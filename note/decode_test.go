package note_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"quarry/note"
)

// wide encodes text as UTF-16, low byte first or high byte first.
func wide(text string, low int, mark bool) []byte {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xFEFF}, units...)
	}
	raw := make([]byte, 2*len(units))
	for i, unit := range units {
		raw[2*i+low], raw[2*i+1-low] = byte(unit), byte(unit>>8)
	}
	return raw
}

func TestDecode(t *testing.T) {
	const title = "# Title 🟢\n\nsome words about pottery\n"
	for _, c := range []struct {
		name    string
		raw     []byte
		want    string
		problem string
	}{
		{"plain", []byte(title), title, ""},
		{"byte order mark", []byte("\uFEFF" + title), title, ""},
		{"UTF-16, low byte first", wide(title, 0, true), title, ""},
		{"UTF-16, high byte first", wide(title, 1, true), title, ""},
		{"UTF-16 without a mark", wide(title, 0, false), title, "read as UTF-16 without a byte order mark"},
		{"UTF-16 cut in a pair", wide("a🟢", 0, true)[:6], "a\uFFFD", ""},
		{"odd byte at the end", append(wide("ab", 0, true), 'x'), "ab\uFFFD", ""},
		{"not UTF-8", []byte("caf\xe9 a\n"), "caf\uFFFD a\n", "not UTF-8: 1 bytes replaced"},
		{"NUL", []byte("a\x00b"), "a\uFFFDb", ""},
		{"empty", nil, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, problem := note.Decode(c.raw)
			if string(text) != c.want || problem != c.problem {
				t.Errorf("%q %q, want %q %q", text, problem, c.want, c.problem)
			}
		})
	}
}

func TestMarkHidesNothing(t *testing.T) {
	text, _ := note.Decode([]byte("\uFEFF---\ntitle: T\n---\n# H\n"))
	n := note.Parse("a.md", text, nil)
	if n.Title != "T" || len(n.Headings) != 1 || n.Headings[0].Line != 4 || strings.Contains(n.Text, "\uFEFF") {
		t.Errorf("title %q, headings %v", n.Title, n.Headings)
	}
}

package note_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

// TestKindsOfFile holds what is understood of files of each kind to a golden file.
func TestKindsOfFile(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("testdata", "kinds"))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, entry := range entries {
		raw, err := os.ReadFile(filepath.Join("testdata", "kinds", entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		n := parseKind(t, entry.Name(), strings.ReplaceAll(string(raw), "\r\n", "\n"))
		fmt.Fprintf(&got, "== %s\n%s", entry.Name(), describe(n))
		for _, f := range n.Fragments {
			fmt.Fprintf(&got, "fragment %d-%d %q\n", f.LineStart, f.LineEnd, f.Heading)
			for line := range strings.Lines(f.Text) {
				fmt.Fprintf(&got, "  | %s\n", strings.TrimSuffix(line, "\n"))
			}
		}
		if words := shownText(n); len(n.Fragments) == 0 && strings.TrimSpace(words) != "" {
			fmt.Fprintf(&got, "shown\n  | %s\n", strings.ReplaceAll(strings.TrimSpace(words), "\n", "\n  | "))
		}
	}
	golden := filepath.Join("testdata", "kinds.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got.String()); diff != "" {
		t.Error(diff)
	}
}

// parseKind parses a file and holds what is true of any.
func parseKind(t testing.TB, name, text string) *note.Note {
	t.Helper()
	decoded, _ := note.Decode([]byte(text))
	n := note.Reader{}.Read(name, decoded)
	lines := max(len(n.LineOffsets), 1)
	for _, f := range n.Fragments {
		if f.LineStart < 1 || f.LineEnd < f.LineStart || f.LineEnd > lines {
			t.Errorf("%s: fragment at %d-%d of %d lines", name, f.LineStart, f.LineEnd, lines)
		}
		if strings.TrimSpace(f.Text) == "" {
			t.Errorf("%s: a fragment without words", name)
		}
	}
	for _, p := range n.Problems {
		if p.Line < 0 || p.Line > lines {
			t.Errorf("%s: problem %q in line %d of %d", name, p.Reason, p.Line, lines)
		}
	}
	for _, l := range n.Links {
		if l.Line < 1 || l.Line > lines {
			t.Errorf("%s: link in line %d of %d", name, l.Line, lines)
		}
	}
	if _, err := json.Marshal(n); err != nil {
		t.Error(err)
	}
	return n
}

// shownText is the text of a note without what no reader of a passage is to see.
func shownText(n *note.Note) string {
	var out strings.Builder
	at := 0
	for _, r := range n.Omit {
		out.WriteString(n.Text[at:r.Start])
		at = r.End
	}
	out.WriteString(n.Text[at:])
	return out.String()
}

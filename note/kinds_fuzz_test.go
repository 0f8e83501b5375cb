package note_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quarry/note"
	"quarry/secret"
)

// addKinds gives the fuzzer the files of these extensions among the examples, and small hostile ones.
func addKinds(f *testing.F, extensions ...string) {
	f.Helper()
	entries, err := os.ReadDir(filepath.Join("testdata", "kinds"))
	if err != nil {
		f.Fatal(err)
	}
	for _, entry := range entries {
		if !slices.Contains(extensions, filepath.Ext(entry.Name())) {
			continue
		}
		raw, err := os.ReadFile(filepath.Join("testdata", "kinds", entry.Name()))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, uint16(9), uint16(40))
	}
	for name, text := range hostileKinds(200) {
		if slices.Contains(extensions, filepath.Ext(name)) {
			f.Add([]byte(text), uint16(3), uint16(9))
		}
	}
}

// checkKind holds what is true of every file of a name, with and without a secret in it.
func checkKind(t *testing.T, name string, raw []byte, from, to uint16) *note.Note {
	t.Helper()
	text, _ := note.Decode(raw)
	n := parseKind(t, name, string(text))
	spanned := note.Parse(name, text, []secret.Span{{Start: int(from), End: int(to), Name: "fuzz"}})
	for _, n := range []*note.Note{n, spanned} {
		at := 0
		for _, r := range n.Omit {
			if r.Start < at || r.End < r.Start || r.End > len(n.Text) {
				t.Errorf("left out %v of %d bytes behind %d", r, len(n.Text), at)
			}
			at = r.End
		}
		last := 0
		for _, s := range n.Sections {
			if s.LineStart <= last || s.LineEnd < s.LineStart || s.LineEnd > len(n.LineOffsets) {
				t.Errorf("section %v behind line %d of %d", s, last, len(n.LineOffsets))
			}
			last = s.LineEnd
		}
	}
	return n
}

// FuzzCanvas also holds that a canvas is called invalid exactly if it is no JSON by the standard library, which is
// stricter on escapes and nesting alone.
func FuzzCanvas(f *testing.F) {
	addKinds(f, ".canvas", ".excalidraw")
	f.Fuzz(func(t *testing.T, raw []byte, from, to uint16) {
		checkKind(t, "a.excalidraw", raw, from, to)
		n := checkKind(t, "a.canvas", raw, from, to)
		text, _ := note.Decode(raw)
		if len(text) > 2000 || bytes.Contains(text, []byte(`\u`)) || !bytes.HasPrefix(text, []byte("{")) {
			return
		}
		told := false
		for _, p := range n.Problems {
			told = told || strings.Contains(p.Reason, "not valid JSON")
		}
		if valid := json.Valid(text); valid == told && len(n.Problems) < 100 {
			t.Errorf("valid %v, but %v", valid, n.Problems)
		}
	})
}

func FuzzBase(f *testing.F) {
	addKinds(f, ".base", ".yaml")
	f.Fuzz(func(t *testing.T, raw []byte, from, to uint16) { checkKind(t, "a.base", raw, from, to) })
}

func FuzzData(f *testing.F) {
	addKinds(f, ".json", ".jsonl", ".yaml", ".yml", ".toml")
	f.Fuzz(func(t *testing.T, raw []byte, from, to uint16) {
		for _, language := range []string{"json", "jsonl", "yaml", "toml"} {
			n := checkKind(t, "a."+language, raw, from, to)
			if language != "toml" && strings.TrimSpace(n.Text) != "" && len(n.Fragments) == 0 {
				t.Errorf("no words as %s", language)
			}
			lines, ok := note.FlattenData(language, n.Text)
			if !ok && lines != nil {
				t.Errorf("lines without ok as %s", language)
			}
			at := 0
			for _, line := range lines {
				if line.Line < at || line.Line >= max(len(n.LineOffsets), 1) || strings.ContainsAny(line.Text, "\r\n") || line.Text == "" {
					t.Errorf("line %q at %d behind %d of %d as %s", line.Text, line.Line, at, len(n.LineOffsets), language)
				}
				at = line.Line
			}
		}
	})
}

// FuzzPlugins reads drawings and boards that are Markdown.
func FuzzPlugins(f *testing.F) {
	addKinds(f, ".md")
	f.Fuzz(func(t *testing.T, raw []byte, from, to uint16) {
		checkKind(t, "a.excalidraw.md", raw, from, to)
		checkKind(t, "a.md", append([]byte("---\nkanban-plugin: board\n---\n"), raw...), from, to)
	})
}

package draft_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"quarry/internal/draft"
	"quarry/note"
)

// hostile are values that some reader of YAML, of Markdown or of a file system may take for something else.
var hostile = []string{
	"plain words", "a: b", "- item", "---", "true", "No", "null", "~", "1e3", "0x1F", "2026-01-31", "12:30:45", "'", `a "quoted" \ back`, "[a, b]", "{a: b}",
	"#tag", "a #tag", "& * ! | > % @ `", "? a", "key:", ": x", "=", "<<", ".inf", "y", "on", "\\u0041", "%YAML", "tab\tinside", "line\nbreak: x\n---\nother",
	"\x00nul", "\x1b[31mred\x1b[0m", "\u202eevil", "a\u2028b", "\ufeffbom", "\uffff", "學問 の道", "عربية", "👩\u200d👩\u200d👧", "cafe\u0301", "\xff\xfe", "CON", "nul.txt", "a/b\\c",
	"..", ".hidden", " blanks ", "dot.", "x" + strings.Repeat(" long", 400), "", "<% code %>", "title", "Tags",
}

var when = time.Date(2026, 3, 5, 9, 12, 7, 0, time.FixedZone("", 3600))

func TestReadBack(t *testing.T) {
	for _, value := range hostile {
		n := draft.Note{
			Title: value, Type: "signal", Source: value, Tags: []string{value, "other", "Other"}, Created: when, Body: "body",
			Properties: []draft.Property{{"folder", value}, {"list", []string{value, "b"}}, {"count", 3}, {"share", .25}, {"done", true}, {"due", when}, {"title", "another"}, {value, "named so"}},
		}
		got := map[string]any{}
		head, body, ends := strings.Cut(strings.TrimPrefix(n.String(), "---\n"), "\n---\n")
		if err := yaml.Unmarshal([]byte(head), &got); err != nil || !ends || body != "body\n" {
			t.Fatalf("%q: %v, body %q of\n%s", value, err, body, n)
		}
		want := map[string]any{"type": "signal", "count": 3, "share": .25, "done": true, "list": []any{draft.Line(value), "b"}}
		for name, text := range map[string]string{"title": draft.TitleLine(value), "source": draft.Line(value), "folder": draft.Line(value)} {
			if text != "" {
				want[name] = text
			}
		}
		for name, w := range want {
			if diff := cmp.Diff(w, got[name]); diff != "" {
				t.Errorf("%q: property %s:\n%s", value, name, diff)
			}
		}
		read := note.Reader{}.Read("a.md", []byte(n.String()))
		if len(read.FrontmatterErrors) > 0 || read.Frontmatter["created"] != "2026-03-05T08:12:07Z" {
			t.Errorf("%q: our reader has %v, created %v", value, read.FrontmatterErrors, read.Frontmatter["created"])
		}
	}
}

func TestFileName(t *testing.T) {
	for title, want := range map[string]string{
		"Mooring lines": "Mooring lines", "Ropes: old/new": "Ropes- old-new", "Place/With: odd? name": "Place-With- odd- name", "con": "_con", "CON.txt": "_CON.txt",
		"a.": "a", "..": "", "": "", "[[x]] | y": "x-- - y", "Ünter-Seite 🏺": "Ünter-Seite 🏺", "cafe\u0301": "café", "tab\tand\nline": "tab and line", "^block#head": "block-head",
	} {
		if got := draft.FileName(title); got != want {
			t.Errorf("FileName(%q) = %q, want %q", title, got, want)
		}
	}
	for _, title := range append(hostile, strings.Repeat("é", 500)) {
		name := draft.FileName(title)
		if len(name) > 121 || !utf8.ValidString(name) || strings.ContainsAny(name, `\/:*?"<>|#^[]%`) || strings.HasSuffix(name, ".") || strings.HasPrefix(name, ".") || draft.FileName(name) != name {
			t.Errorf("FileName(%q) = %q", title, name)
		}
	}
}

package note_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"quarry/note"
	"quarry/secret"
)

// mixedNote has something of everything, in about the measure of a common note.
const mixedNote = `---
title: Glaze recipes
aliases: [glazes, "the glaze page"]
tags: [pottery/glaze, kiln]
type: note
created: 2031-01-02
related: "[[Kiln log]]"
---
# Glaze recipes

Most of the glazes here come from [[Workshop notes#Autumn|the autumn workshop]], see also [the log](kiln%20log.md#firing).
Silica and feldspar are mixed dry, then sieved twice. The batch is ` + "`100 g`" + ` unless said otherwise. #tested

## Tenmoku

| material | share |
|----------|------:|
| feldspar | 45 |
| silica   | 25 |

- [ ] try it with [[Red clay]] 📅 2031-03-01
- [x] sieve 80 mesh
  - keep the slurry thin
- cone:: 10

> [!warning] Dust
> Wear a mask, see [[Safety#Dust]].

` + "```sh\nweigh --grams 45 # not a tag\n```" + `

%% check the price of %feldspar% [[Suppliers]] %%

### Notes

Fired at 1280 °C in reduction; the result is described in ![[tenmoku.jpg|300]] and [paper](https://example.org/a#b). ^tenmoku

`

func FuzzParse(f *testing.F) {
	f.Add([]byte(mixedNote), uint16(30), uint16(200))
	f.Add([]byte(strings.ReplaceAll(secretNote, "P", planted)), uint16(10), uint16(24))
	for _, text := range hostile(200) {
		f.Add([]byte(text), uint16(3), uint16(9))
	}
	for _, text := range []string{"", "---\n", "---\n---", "---\n- a\n---\n", "\r", "a\r\nb", "[^1]: a\n[^2]: b", "|a|\n|:-|\n^b", "%%\n%%", "$$a$$\n", "[\r\n](\r\n<", "\xff\xfe\x00", "> [!a]\n", "- ^a\n", "#\n^a"} {
		f.Add([]byte(text), uint16(0), uint16(1))
	}
	f.Fuzz(func(t *testing.T, raw []byte, from, to uint16) {
		defer checkTime(t, time.Now(), len(raw))
		text, _ := note.Decode(raw)
		if !utf8.Valid(text) {
			t.Fatalf("%q is no UTF-8", text)
		}
		checkNote(t, text, nil)
		checkNote(t, text, []secret.Span{{Start: int(from), End: int(to), Name: "fuzz"}})
	})
}

// FuzzFrontmatter reads properties of all sorts: the body below them is never touched, and what is recovered is told.
func FuzzFrontmatter(f *testing.F) {
	for _, text := range []string{
		"title: T\ntags: [a, b]\n", "a: [", "a: b: c\n", "\ttab: 1\n", "a: &x [*x]\n", "- a\n", "a: \"\\ud800\"\n", "a: {b: {c: [d]}}\n", "? a\n: b\n",
		"a: |\n  b\n---\nc\n", "a: !!binary x\n", "{\"a\": 1}\n", "a: 1\na: 2\n", "{{date}}: <% tp %>\n", "tags:\n- #a\n", "a: '\n", "<<: *a\n", "%YAML 1.2\n", "a: 2031-01-02\nb: 007\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, properties string) {
		if strings.ContainsAny(properties, "\r\x00\ufeff") || strings.Contains("\n"+properties, "\n---") || !utf8.ValidString(properties) {
			t.Skip("what ends the block elsewhere")
		}
		defer checkTime(t, time.Now(), len(properties))
		text := "---\n" + strings.TrimRight(properties, "\n") + "\n---\n# Ember\n\nThe body. #kept\n"
		n := note.Parse("a.md", []byte(text), nil)
		if n.Text != text || len(n.Headings) == 0 || n.Headings[len(n.Headings)-1].Text != "Ember" {
			t.Fatalf("headings %v", n.Headings)
		}
		if last := n.Tags[len(n.Tags)-1]; last.Tag != "kept" || last.From != "body" {
			t.Errorf("tags %v", n.Tags)
		}
		for _, fault := range n.FrontmatterErrors {
			if fault.Line < 1 || fault.Line > len(n.LineOffsets) || fault.Message == "" {
				t.Errorf("fault %+v", fault)
			}
		}
		if _, err := json.Marshal(n); err != nil {
			t.Error(err)
		}
	})
}

// checkTime holds the time for a text of some bytes to a second and one more a megabyte.
func checkTime(t *testing.T, start time.Time, size int) {
	if took := time.Since(start); took > time.Second+time.Duration(size)*time.Microsecond {
		t.Errorf("%v for %d bytes", took, size)
	}
}

// checkNote holds what is true of every note.
func checkNote(t *testing.T, text []byte, spans []secret.Span) {
	n := note.Parse("a.md", text, spans)
	plain := note.Parse("a.md", text, nil)
	if len(n.LineOffsets) != len(plain.LineOffsets) {
		t.Errorf("%d lines with a redaction, %d without", len(n.LineOffsets), len(plain.LineOffsets))
	}
	if spans == nil && n.Text != string(text) {
		t.Errorf("text %q", n.Text)
	}
	count, last := len(n.LineOffsets), 0
	line := func(kind string, first, end int) {
		if first < 1 || end < first || end > max(1, count) {
			t.Errorf("%s at lines %d to %d of %d", kind, first, end, count)
		}
	}
	for _, s := range n.Sections {
		line(s.Type, s.LineStart, s.LineEnd)
		if s.LineStart <= last {
			t.Errorf("section %v begins at or before line %d", s, last)
		}
		last = s.LineEnd
	}
	for _, h := range n.Headings {
		line("heading", h.Line, h.LineEnd)
	}
	for _, b := range n.Blocks {
		line("block", b.Line, b.LineEnd)
	}
	for _, l := range n.Links {
		line("link", l.Line, l.Line)
	}
	at := 0
	for _, r := range n.Omit {
		if r.Start < at || r.End < r.Start || r.End > len(n.Text) {
			t.Errorf("left out %v of %d bytes behind %d", r, len(n.Text), at)
		}
		at = r.End
	}
	if _, err := json.Marshal(n); err != nil {
		t.Error(err)
	}
}

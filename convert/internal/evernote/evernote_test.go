package evernote_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/convert/export"
)

func (i imported) note(title string) export.Note {
	for _, n := range i.Notes {
		if n.Title == title {
			n.Body = i.Resolve(n.Body, i.write)
			return n
		}
	}
	return export.Note{}
}

func TestNotebook(t *testing.T) {
	got := read(t, "testdata/Harbour.enex")
	if got.err != nil || len(got.Notes) != 3 {
		t.Fatal(got.err, got.Problems)
	}
	n := got.note("Mooring & anchors")
	want := `# Lines

Two **spring** lines, see [[Sails]] and a lost note.

- [x] buy rope
- [ ] splice the ends
- [x] check shackles
- [ ] grease winch

` + "```\nknots = 5\n  if knots < 6:\n\n  sail()\n```" + `

This is ==important==, **bold** and ==new==.

| Line | m |
|---|---|
| Bow | 12 |

![[berth plan.png|240]]behind the picture

![[rules.pdf]]

Code of the gate: (encrypted text, hint: the usual)

- [ ] Call the harbour master (due 2026-03-10)
- [x] Pay the berth

![[Mooring & anchors.mp3]]`
	if diff := cmp.Diff(want, n.Body); diff != "" {
		t.Error(diff)
	}
	head, _, _ := strings.Cut(n.String(), "\n---\n")
	want = "---\ntitle: \"Mooring & anchors\"\ntags:\n  - boats\n  - deck-gear\ncreated: 2026-03-03T07:30:00Z\nupdated: 2026-03-04T18:01:02Z\nsource: \"https://boats.example.org/mooring\"\n" +
		"author: Ida Example\nreminder: 2026-04-01T06:00:00Z\nlocation: \"54.32,10.13\""
	if diff := cmp.Diff(want, head); diff != "" {
		t.Error(diff)
	}
	if body := got.note("Sails").Body; body != "Main 12 m²\nJib 9 m²\n\n\\#1 and \\[\\[no link\\]\\]" {
		t.Errorf("%q", body)
	}
	if diff := cmp.Diff([]string{"a lost note"}, got.dead[:1]); diff != "" || got.Lost["encrypted text"] != 1 || len(got.Problems) != 1 {
		t.Error(diff, got.Lost, got.Problems)
	}
	if ids := got.Notes[1].ID + "|" + got.Notes[2].ID; got.Notes[1].Path != "Harbour/Sails" || got.Notes[2].Path != "Harbour/Sails" || ids != "Harbour/Sails@20260301T000000Z|Harbour/Sails@20260302T000000Z" {
		t.Error(ids)
	}
}

func TestAttachments(t *testing.T) {
	got := read(t, "testdata/Harbour.enex")
	begins := map[string]string{"Harbour/berth plan.png": "\x89PNG", "Harbour/rules.pdf": "%PDF", "Harbour/Mooring & anchors.mp3": "ID3"}
	if len(got.Attachments) != len(begins) {
		t.Fatal(got.Attachments)
	}
	for _, a := range got.Attachments {
		content, err := a.Read()
		if begin, ok := begins[a.Path]; err != nil || !ok || !strings.HasPrefix(string(content), begin) {
			t.Errorf("%s: %.8q, %v", a.Path, content, err)
		}
	}
}

// notebook writes a notebook of these notes, and gives its name.
func notebook(t testing.TB, notes string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "Book.enex")
	if err := os.WriteFile(name, []byte(`<?xml version="1.0"?><!DOCTYPE en-export SYSTEM "file:///etc/passwd" [<!ENTITY a "bomb"><!ENTITY b "&a;&a;&a;">]><en-export>`+notes+`</en-export>`), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func one(title, content string) string {
	return "<note><title>" + title + "</title><content><![CDATA[<en-note>" + content + "</en-note>]]></content></note>"
}

func TestBodies(t *testing.T) {
	for content, want := range map[string]string{
		`<div><en-todo/>a<br/><en-todo checked="true"/>b</div>`:                                              "- [ ] a\n- [x] b",
		`<div>[ ] no box</div>`:                                                                              "\\[ \\] no box",
		`<ul><li><div>a</div><ul><li><div>b</div></li></ul></li><li><div>c</div></li></ul>`:                  "- a\n  - b\n- c",
		`<ul><li>a</li><ul><li>b</li></ul></ul>`:                                                             "- a\n  - b",
		`<div style="--en-codeblock:true;"><div>a</div><div>&lt;b&gt;</div></div>`:                           "```\na\n<b>\n```",
		`<a href="https://www.evernote.com/shard/s1/nl/1/2">Other</a> <a href="https://a.example/x">web</a>`: "[[Other]] [web](https://a.example/x)",
		`<a href="https://www.evernote.com/shard/s1/nl/1/3">None</a>`:                                        "[None](https://www.evernote.com/shard/s1/nl/1/3)",
		`<span style="font-weight: bold; font-style: italic">x</span>`:                                       "***x***",
		`<script>x()</script><iframe src="https://v.example/1"></iframe>`:                                    "https://v.example/1",
		`&unknown; &a; &b;`:                           "&unknown; &a; &b;",
		`<en-media hash="00" type="image/png"/>after`: "after",
	} {
		got := read(t, notebook(t, one("T", content)+one("Other", "x")))
		body := strings.ReplaceAll(got.note("T").Body, `\&`, "&")
		if diff := cmp.Diff(want, body); diff != "" {
			t.Errorf("%s:\n%s", content, diff)
		}
	}
}

// TestFaults has notes that cannot be read among others: each is told, and the others are taken.
func TestFaults(t *testing.T) {
	got := read(t, notebook(t, one("First", "a")+"<note><title>No end</title><content>"+one("Second", "b")+"<note><title>Wrong</title></b></note>"+
		"<note><title>Deep</title>"+strings.Repeat("<x>", 100_000)+"</note>"+"<note><title>File</title><content>t</content><resource><data encoding=\"base64\">***</data><resource-attributes><file-name>f.bin</file-name></resource-attributes></resource></note>"+
		"<note><title>Cut</title><resource><data>AAAA</note>"+one("<![CDATA[a]]>&bomb;&lol9;", "")+one("Deep text", strings.Repeat("<div>", 2000)+"words <en-media hash='0'/>stay")+one("Last", "c")))
	if got.err != nil || len(got.Problems) != 6 || got.note("Deep text").Body != "words stay" || got.note("First").Body != "a" || got.note("Second").Body != "b" || got.note("Last").Body != "c" || got.note("File").Body != "t" {
		t.Error(got.err, got.Problems, len(got.Notes))
	}
}

func TestNoNotebook(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.enex")
	if err := os.WriteFile(name, []byte("<html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := read(t, name); got.err != nil || len(got.Problems) != 1 {
		t.Error(got.err, got.Problems)
	}
	if err := os.Rename(name, name+".txt"); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Dir(name)); !errors.Is(got.err, export.ErrNothing) {
		t.Error(got.err)
	}
}

// TestLarge reads a file of many bytes, and many notes.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	start := time.Now()
	content := strings.Repeat("\x01", 12<<20)
	got := read(t, notebook(t, "<note><title>Big</title><content>x</content><resource><data>"+base64.StdEncoding.EncodeToString([]byte(content))+"</data><mime>video/mp4</mime></resource></note>"))
	if len(got.Attachments) != 1 {
		t.Fatal(got.Problems)
	}
	if read, err := got.Attachments[0].Read(); err != nil || string(read) != content {
		t.Error(len(read), err)
	}
	t.Log(time.Since(start))
	var many strings.Builder
	for i := range 3_000 {
		many.WriteString(one(fmt.Sprint("Note ", i%100), "<div>text</div>"))
	}
	got = read(t, notebook(t, many.String()))
	if len(got.Notes) != 3_000 {
		t.Error(len(got.Notes))
	}
	t.Log(time.Since(start))
}

package applenotes_test

import (
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

const fixture = "../../../fixtures/intake/apple-notes/in"

// TestFixture holds each line of the fixture's EXPECT.md.
func TestFixture(t *testing.T) {
	got := read(t, fixture)
	if got.err != nil || len(got.Problems) > 0 || len(got.notes) != 2 {
		t.Fatal(got.err, got.Problems, got.notes)
	}
	boat, paint := got.notes["Boat list"], got.notes["Paint"]
	want := `For the summer, see [[Paint]] and [the rules](https://boats.example.org/rules).

- [x] scrape hull
- [ ] order paint
  - [ ] two tins

- rope
- buckets

1. Sand
2. Prime

**Bold**, *italic*, under, ~~gone~~, ` + "`code`" + `

## Sizes

| Part | cm |
|---|---|
| Mast | 640 |

Soft break
here and the next line.

A drawing was here:

![[Boat list 1.png]]

#boats #summer-2026 and email me at nobody@example.org`
	if diff := cmp.Diff(want, boat.Body); diff != "" {
		t.Error(diff)
	}
	want = "Blue below, white above.\n\n2 < 3 tins & one brush\n\n> Two thin coats beat one thick.\n\n```\nmix = 3:1\n   stir  slowly\n```"
	if diff := cmp.Diff(want, paint.Body); diff != "" {
		t.Error(diff)
	}
	if boat.Title != "Boat list" || paint.Title != "Paint" || got.Lost["drawing"] != 1 || len(got.dead) != 0 {
		t.Errorf("titles %q, %q; lost %v; links without a note %v", boat.Title, paint.Title, got.Lost, got.dead)
	}
	if diff := cmp.Diff([]string{"boats", "summer-2026"}, boat.Tags); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(filepath.Join(fixture, "Paint.html"))
	if err != nil || !paint.Created.Equal(info.ModTime()) || boat.Created.IsZero() {
		t.Errorf("created %v, %v; the file's time is %v (%v)", paint.Created, boat.Created, info.ModTime(), err)
	}
	if len(got.Attachments) != 1 || got.Attachments[0].Path != "Boat list 1.png" {
		t.Fatal(got.Attachments)
	}
	if picture, err := got.Attachments[0].Read(); err != nil || !strings.HasPrefix(string(picture), "\x89PNG\r\n") {
		t.Errorf("%.20q, %v", picture, err)
	}
}

// write makes files, and gives their folder.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestDeadLink(t *testing.T) {
	got := read(t, write(t, map[string]string{"a.html": `<div>A</div><div>see <a href="applenotes:note/1">No *such*</a></div>`}))
	if body := got.notes["A"].Body; body != `see No \*such\*` || !cmp.Equal(got.dead, []string{"No *such*"}) {
		t.Errorf("%q, %v", body, got.dead)
	}
}

func TestTitles(t *testing.T) {
	for html, want := range map[string][2]string{
		`<div><h1>A <b>b</b></h1></div><div>c</div>`:                       {"A b", "c"},
		`<div>A<br>b</div>`:                                                {"A", "b"},
		"<div>A\u2028b</div><div>c</div>":                                  {"A", "b\n\nc"},
		`<ul><li>x</li><li>y</li></ul>`:                                    {"x", "- x\n- y"},
		`<h1><a href="https://a.example/">A</a></h1><p>b</p>`:              {"A", "# [A](https://a.example/)\n\nb"},
		`<div><img src="https://a.example/p.png"></div><div>T</div>`:       {"T", "![](https://a.example/p.png)"},
		`<title>not this</title><style>p{}</style><div><br></div><p>T</p>`: {"T", ""},
		`<div>T</div><div><b><span style="font-size: 18px">Large</span></b><br></div><div><span style="font-size: 18px">a</span> b</div>`: {"T", "## Large\n\na b"},
		`T`: {"T", ""},
		`<div>` + strings.Repeat("long ", 60) + `</div>`:            {strings.TrimSpace(strings.Repeat("long ", 60)), strings.TrimSpace(strings.Repeat("long ", 60))},
		`<div><b>T</b></div><ul><li>a</li><ul><li>b</li></ul></ul>`: {"T", "- a\n  - b"},
	} {
		got := read(t, write(t, map[string]string{"n.html": html}))
		if len(got.Notes) != 1 {
			t.Fatal(html, got.Problems)
		}
		if n := got.Notes[0]; n.Title != want[0] || n.Body != want[1] {
			t.Errorf("%s: title %q, body %q; want %q", html, n.Title, n.Body, want)
		}
	}
}

// TestOtherExporters reads text with its files beside, and Markdown.
func TestOtherExporters(t *testing.T) {
	got := read(t, write(t, map[string]string{
		"Notes/Sails/Sails.txt":     "Sails\n\n# no heading\nMain: 12 m², #sails\n",
		"Notes/Sails/plan.png":      "png",
		"Notes/Winter.md":           "---\ncreated: 2026-03-03T07:30:00Z\ntags:\n  - yard\n---\n# Winter / spring\n\nTo [Sails](applenotes:note/2) ![](attachments/a%20b.png) #cold\n\n```\n#include [x](y)\n```\n",
		"Notes/attachments/a b.png": "png",
		"Notes/Winter.txt":          "Winter",
	}))
	sails, winter := got.notes["Notes/Sails"], got.notes["Notes/Winter ∕ spring"]
	if want := "\\# no heading\nMain: 12 m², #sails\n\n![[plan.png]]"; sails.Body != want || !cmp.Equal(sails.Tags, []string{"sails"}) {
		t.Errorf("%q, want %q; %v", sails.Body, want, sails.Tags)
	}
	if want := "To [[Sails]] ![[a b.png]] #cold\n\n```\n#include [x](y)\n```"; winter.Body != want || !cmp.Equal(winter.Tags, []string{"yard", "cold"}) || winter.Created.Hour() != 7 {
		t.Errorf("%q, want %q; %v", winter.Body, want, winter.Note)
	}
	if len(got.LeftOut["the same note in another form"]) != 1 {
		t.Error(got.LeftOut)
	}
}

// TestHostile holds time for what is made to take it, and that the rest is read.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	start := time.Now()
	files := map[string]string{
		"deep.html":    strings.Repeat("<div>", 100_000) + "words stay",
		"picture.html": `<div>P</div><img src="data:image/png;base64,` + strings.Repeat("QUJD", 2<<20) + `"><img src="data:image/png;base64,!!!">`,
		"open.html":    strings.Repeat(`<img src="data:;base64,`, 20_000),
		"tags.html":    "<p>T</p><p>" + strings.Repeat("#a ", 10_000),
		"nul.txt":      "\x00\xff\n\x00",
		"empty.html":   "", "empty.md": "", "x.txt": "",
	}
	for i := range 1_000 {
		files[fmt.Sprintf("Notes/N%d/N%d.txt", i, i)] = "title\ntext"
	}
	got := read(t, write(t, files))
	if took := time.Since(start); took > 20*time.Second || got.err != nil || len(got.Notes) != 1_007 {
		t.Error(took, got.err, len(got.Notes))
	}
	t.Log(time.Since(start))
	for _, a := range got.Attachments {
		switch content, err := a.Read(); a.Path {
		case "P 1.png":
			if err != nil || len(content) != 6<<20 {
				t.Error(len(content), err)
			}
		case "P 2.png":
			if err == nil {
				t.Errorf("%q", content)
			}
		}
	}
}

func TestNothing(t *testing.T) {
	if got := read(t, write(t, map[string]string{"a.png": "x"})); !errors.Is(got.err, export.ErrNothing) {
		t.Error(got.err)
	}
}

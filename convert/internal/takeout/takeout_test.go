package takeout_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"quarry/convert/export"
)

// sample is testdata/takeout.txtar as Takeout hands it out: in several zips, with a document of Word of the fixtures.
func sample(t testing.TB) string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/takeout.txtar")
	if err != nil {
		t.Fatal(err)
	}
	word, err := os.ReadFile("../../../fixtures/intake/gdocs/in/field-trip.docx")
	if err != nil {
		t.Fatal(err)
	}
	archive.Files = append(archive.Files, txtar.File{Name: "Takeout/Drive/field-trip.docx", Data: word})
	dir := t.TempDir()
	for part := range 2 {
		var packed bytes.Buffer
		z := zip.NewWriter(&packed)
		for i, f := range archive.Files {
			if i%2 != part {
				continue
			}
			w, err := z.Create(f.Name)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = w.Write(f.Data)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("takeout-20260305T101500Z-00%d.zip", part+1)), packed.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTakeout(t *testing.T) {
	got := read(t, sample(t))
	if got.err != nil || len(got.Notes) != 7 || len(got.dead) != 0 {
		t.Fatal(got.err, got.Notes, got.dead)
	}
	for path, want := range map[string]string{
		"Keep/Berth 7 is free": "---\ntitle: Berth 7 is free\ncreated: 2026-03-04T09:15:00Z\nupdated: 2026-03-04T09:15:00Z\nstatus: archived\n---\nBerth 7 is free\nask at https://harbour.example.org/7 \\#now\n\n" +
			"![[1a2b.jpg]]\n\n![[memo.3gp]]\n\n- [Prices \\[2026\\]](https://harbour.example.org/prices_%28new%29)\n",
		"Keep/Bold":        "---\ntitle: Bold\ncreated: 2026-03-04T09:15:00Z\nupdated: 2026-03-04T09:15:00Z\n---\n# Plan\n\n**now**\n",
		"Keep/Broken":      "---\ntitle: Broken\ntags:\n  - boats\ncreated: 2025-11-02T20:33:03Z\nupdated: 2025-11-02T20:33:03Z\nstatus: archived\n---\n- [x] sand the deck\n- [ ] varnish\n\n![[1a2b.jpg]]\n",
		"Keep/Winter list": "---\ntitle: Winter list\ntags:\n  - boats\n  - deck-gear\ncreated: 2026-03-03T07:30:00Z\nupdated: 2026-03-05T09:30:00Z\npinned: true\nshared-with:\n  - \"ole@example.org\"\n---\n- [x] oil the winch\n- [ ] buy \\*new\\* rope\n",
	} {
		if diff := cmp.Diff(want, got.notes[path].String()); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
	want := "# Wind\n\n**Strong** and *cold*, see [the table](https://wind.example.org/a?b=1)[^1].\n\n- jib\n  - small\n- main\n\n![[image1.png]]\n\n---\n\n[^1]: Measured at noon."
	if n := got.notes["Drive/Boats/Field report"]; n.Body != want || n.Title != "Field report" {
		t.Error(cmp.Diff(want, n.Body))
	}
	if body := got.notes["Drive/Boats/plain"].Body; body != "\\# no heading" || !strings.Contains(got.notes["Drive/field-trip"].Body, "tide mill") {
		t.Errorf("%q, %q", body, got.notes["Drive/field-trip"].Body)
	}
	left := map[string]int{}
	for reason, list := range got.LeftOut {
		left[reason] = len(list)
	}
	if diff := cmp.Diff(map[string]int{"Keep: in the trash": 1, "Keep: a file of a note in the trash": 1, "Keep: the list of all labels": 1, "another product: Google Photos": 2, "another product: YouTube": 1, "no document": 2}, left); diff != "" {
		t.Error(diff)
	}
	if len(got.Problems) != 2 || got.Lost["colour"] != 1 {
		t.Error(got.Problems, got.Lost)
	}
	var files []string
	for _, a := range got.Attachments {
		if content, err := a.Read(); err != nil || len(content) == 0 {
			t.Error(a.Path, err)
		}
		files = append(files, a.Path)
	}
	if diff := cmp.Diff([]string{"Drive/Boats/images/image1.png", "Drive/field-trip/image1.png", "Keep/1a2b.jpg", "Keep/memo.3gp"}, files); diff != "" {
		t.Error(diff)
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

// TestFolders has what a user may hand over: the folder of all products, that of Keep alone in another language, a folder of documents.
func TestFolders(t *testing.T) {
	note := `{"title":"A","textContent":"text","userEditedTimestampUsec":1772615700000000}`
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"all products":     {map[string]string{"Keep/A.json": note, "Drive/B.html": "<p>b", "Maps/c.json": "{}"}, "Drive/B Keep/A"},
		"Keep alone":       {map[string]string{"A.json": note, "A.html": "<p>"}, "A"},
		"another language": {map[string]string{"Takeout/Remarques/A.json": note, "Takeout/Remarques/A.html": "<p>"}, "Remarques/A"},
		"one note":         {map[string]string{"A.json": note}, "A"},
		"documents":        {map[string]string{"x/B.html": "<p>b", "x/C.md": "# C"}, "x/B x/C"},
		"below a folder":   {map[string]string{"2026/Takeout/Keep/A.json": note}, "Keep/A"},
	} {
		got := read(t, write(t, test.files))
		var paths []string
		for _, n := range got.Notes {
			paths = append(paths, n.Path)
		}
		if strings.Join(paths, " ") != test.want || got.err != nil {
			t.Errorf("%s: %v, %v", name, paths, got.err)
		}
	}
}

// TestHostilePages holds time for pages that are made to take it.
func TestHostilePages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	start := time.Now()
	got := read(t, write(t, map[string]string{
		"Drive/deep.html":    strings.Repeat("<div>", 100_000) + "words stay",
		"Drive/lists.html":   strings.Repeat("<ul class='lst-kix_a-0'><li>a</li></ul>  ", 20_000),
		"Drive/styles.html":  "<style>" + strings.Repeat(".a{}.a{font-weight:700}", 50_000) + "</style><span class='" + strings.Repeat("a ", 50_000) + "'>x</span>",
		"Drive/levels.html":  strings.Repeat("<ul class='lst-kix_a-9'><li>a</li></ul>", 5_000),
		"Drive/notes.html":   strings.Repeat("<a href='#ftnt1'>[1]</a>", 20_000),
		"Drive/Takeout.html": "<p>b",
	}))
	if took := time.Since(start); took > 15*time.Second || len(got.Notes) != 6 || got.notes["Drive/deep"].Body != "words stay" {
		t.Error(took, len(got.Notes), got.Problems)
	}
	t.Log(time.Since(start))
}

func TestNothing(t *testing.T) {
	if got := read(t, write(t, map[string]string{"Takeout/Maps/a.json": "{}"})); !errors.Is(got.err, export.ErrNothing) || len(got.LeftOut["another product: Maps"]) != 1 {
		t.Error(got.err, got.LeftOut)
	}
}

func TestHostile(t *testing.T) {
	got := read(t, write(t, map[string]string{
		"Keep/a.json": strings.Repeat("[", 1_000_000), "Keep/b.json": `{"title":["x"]}`, "Keep/c.json": `{"title":"\u0000../../x","userEditedTimestampUsec":9e99,"attachments":[{"filePath":"../../../etc/passwd","mimetype":"image/png"}]}`,
		"Keep/d.html": strings.Repeat("<div class=note>", 100_000), "Keep/e.json": "\xff\xfe", "Drive/f.docx": "no zip", "Drive/g.html": strings.Repeat("<ul class='lst-kix_x-8'><li>a</ul>", 3000), "Keep/h.json": `{"title":"Fine","textContent":"t"}`,
	}))
	if got.err != nil || got.notes["Keep/Fine"].Body != "t" || len(got.Attachments) != 0 || len(got.Problems) != 6 {
		t.Error(got.err, got.Problems, got.Attachments)
	}
}

// TestMany reads many notes.
func TestMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	files := map[string]string{}
	for i := range 2_000 {
		files[fmt.Sprintf("Keep/%d.json", i)] = `{"title":"Same","textContent":"text","isTrashed":false}`
	}
	dir := write(t, files)
	start := time.Now()
	if got := read(t, dir); len(got.Notes) != len(files) || time.Since(start) > 20*time.Second {
		t.Error(len(got.Notes), time.Since(start))
	}
}

package bear_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/convert/export"
)

const fixture = "../../../fixtures/intake/bear/in"

// TestFixture holds each line of the fixture's EXPECT.md.
func TestFixture(t *testing.T) {
	got := read(t, fixture)
	if got.err != nil || len(got.Problems) > 0 || len(got.LeftOut) > 0 || len(got.dead) > 0 {
		t.Fatal(got.err, got.Problems, got.LeftOut, got.dead)
	}
	walk, times := got.notes["Harbour walk"], got.notes["Ferry times"]
	file, err := os.Stat(filepath.Join(fixture, "Harbour walk.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !walk.Created.Equal(file.ModTime()) || walk.Title != "Harbour walk" || !slices.Equal(walk.Tags, []string{"walks/coast", "long-walks"}) {
		t.Errorf("created %v, title %q, tags %v", walk.Created, walk.Title, walk.Tags)
	}
	if times.Created.Format(time.RFC3339) != "2026-02-14T17:00:00Z" || times.Updated.Format(time.RFC3339) != "2026-02-15T07:00:00Z" || times.Title != "Ferry times" || !slices.Equal(times.Tags, []string{"walks/coast"}) {
		t.Errorf("created %v, updated %v, title %q, tags %v", times.Created, times.Updated, times.Title, times.Tags)
	}
	want := "# Harbour walk\n#2026\n\nStart at the [[Ferry times]], see [[Ferry times#Winter]] and [[Ferry times|the boats]].\n\n![[map.png|240]]\n\n- [ ] boots\n- [x] map\n\t- nested with a tab\n\n" +
		"==Marked== and ==marked of old==, -struck of old-, ~~struck~~, /italic of old/, _under_ *bold*.\n\n---\nNot a tag: `#code`, https://example.org/#part, #1\n\n[Table of tides](https://tides.example.org)\n"
	if diff := cmp.Diff(want, walk.Body); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("# Ferry times\n\n## Winter\n\nLast boat at 16:10.\n\n![[board.png|board]]\n", times.Body); diff != "" {
		t.Error(diff)
	}
	var paths []string
	for _, a := range got.Attachments {
		content, err := a.Read()
		if err != nil || !strings.HasPrefix(string(content), "\x89PNG") {
			t.Error(a.Path, err)
		}
		paths = append(paths, a.Path)
	}
	if diff := cmp.Diff([]string{"Ferry times/board.png", "Harbour walk/map.png"}, paths); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(times.String(), "pinned: true\n") {
		t.Error(times)
	}
}

func write(t testing.TB, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBodies(t *testing.T) {
	for _, test := range []struct{ text, want, tags string }{
		{"see #one, #two words#! (#three) a#b #a/b/c", "see #one, #two-words! (#three) a#b #a/b/c", "one two-words three a/b/c"},
		{"# Title\n#one\n#two\n\ntext\n#three", "# Title\n\ntext\n#three", "one two three"},
		{"#one\n# Title", "# Title", "one"},
		{"[a](#part) <!-- no #tag --> [b](https://e.example/#x) `#c`\n```\n#d [[Boat]]\n```", "[a](#part)  [b](https://e.example/#x) `#c`\n```\n#d [[Boat]]\n```", ""},
		{"[[Boat/Deck]] [[Boat/Deck|d]] [[a\\/b]] [[/Mine]] [[Nobody]] [[Nobody/x|y]]", "[[Boat#Deck]] [[Boat#Deck|d]] [[a/b]] [[Other#Mine]] [[Nobody]] [[Nobody/x|y]]", ""},
		{"[open](bear://x-callback-url/open-note?title=Boat&header=Deck) [y](bear://x-callback-url/open-note?id=NONE&title=Boat) [x](bear://x-callback-url/create)", "[[Boat#Deck|open]] [[Boat|y]] [x](bear://x-callback-url/create)", ""},
		{"![a `b`](Boat/my%20pic.png) [file](<Boat/my pic.png>)<!-- {\"embed\":true} --> ![gone](Boat/gone.png)", "![[my pic.png|a `b`]] [[my pic.png|file]] ![gone](Boat/gone.png)", ""},
		{"[![p](Boat/my%20pic.png)](https://e.example/)", "[![[my pic.png|p]]](https://e.example/)", ""},
		{"[image:1234-5678/my pic.png]", "[image:1234-5678/my pic.png]", ""},
		{"::a:: b::c key:: ::", "==a== b::c key:: ::", ""},
		{"---\ntags: [x, y z]\nowner: Ann\n---\nText", "Text", "x y-z"},
		{"---\nnot: {a: b\n  c}\n---\nText", "---\nnot: {a: b\n  c}\n---\nText", ""},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "Other.md"), test.text)
		write(t, filepath.Join(dir, "Boat.md"), "# Boat\n## Deck\nx")
		write(t, filepath.Join(dir, "Name.md"), "# a/b\nx")
		write(t, filepath.Join(dir, "Boat", "my pic.png"), "png")
		got := read(t, dir)
		var tags []string
		for _, line := range strings.Split(got.notes["Other"].String(), "\n") {
			if tag, ok := strings.CutPrefix(line, "  - "); ok {
				tags = append(tags, tag)
			}
		}
		want := strings.ReplaceAll(test.want, "[[a/b]]", "[[Name]]") // the file of the note a/b
		if diff := cmp.Diff(want, got.notes["Other"].Body); diff != "" || strings.Join(tags, " ") != test.tags {
			t.Errorf("%s:\n%s tags %v", test.text, diff, tags)
		}
	}
}

// pack is a zip of some files: name, content, name, content.
func pack(t testing.TB, files ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		part, err := w.Create(files[i])
		if err == nil {
			_, err = part.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const infoJSON = `{"net.shinyfrog.bear":{"uniqueIdentifier":"ID-1","creationDate":"2026-02-14T18:00:00+01:00","trashed":TRASHED,"archived":true,"pinned":"0"}}`

func TestPacks(t *testing.T) {
	alive, dead := strings.Replace(infoJSON, "TRASHED", "0", 1), strings.Replace(infoJSON, "TRASHED", "1", 1)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "One.textpack"), pack(t, "text.markdown", "# One\n[x](bear://x-callback-url/open-note?id=ID-1)\n![](assets/a.png)", "assets/a.png", "png", "info.json", `{"version":2}`))
	write(t, filepath.Join(dir, "all.bear2bk"), pack(t, "Notes/Two.textbundle/text.md", "# Two\n![](assets/a.png)", "Notes/Two.textbundle/info.json", alive, "Notes/Two.textbundle/assets/a.png", "other", "Notes/Two.textbundle/assets/unnamed.pdf", "pdf",
		"Notes/Gone.textbundle/text.md", "# Gone", "Notes/Gone.textbundle/info.json", dead, "../out.textbundle/text.md", "outside", "/abs.md", "outside"))
	write(t, filepath.Join(dir, "stray.bin"), "x")
	got := read(t, dir)
	if got.err != nil || len(got.notes) != 2 {
		t.Fatal(got.err, got.notes)
	}
	if diff := cmp.Diff("# One\n[[Two|x]]\n![[a.png]]", got.notes["One"].Body); diff != "" {
		t.Error(diff)
	}
	two := got.notes["Notes/Two"]
	if two.ID != "ID-1" || two.Created.Format(time.RFC3339) != "2026-02-14T17:00:00Z" || !strings.Contains(two.String(), "archived: true\n") || strings.Contains(two.String(), "pinned") {
		t.Error(two)
	}
	var attached []string
	for _, a := range got.Attachments {
		content, err := a.Read()
		attached = append(attached, a.Path+" "+string(content))
		if err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{"One/a.png png", "Notes/Two/a.png other", "Notes/Two/unnamed.pdf pdf"}, attached); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string][]string{"in the trash": {"Notes/Gone"}, "of no note": {"stray.bin"}}, got.LeftOut); diff != "" {
		t.Error(diff)
	}
	if len(got.Problems) != 2 {
		t.Error(got.Problems)
	}
}

// TestBackup holds that notes of one backup lie in no folder of its date.
func TestBackup(t *testing.T) {
	name := filepath.Join(t.TempDir(), "b.bear2bk")
	write(t, name, pack(t, "Bear Notes 2026-01-01.bear2bk/One.textbundle/text.md", "# One"))
	if got := read(t, name); got.notes["One"].Body != "# One" {
		t.Error(got.notes, got.err)
	}
}

// TestHeader reads the properties of a header, and two bundles of one id.
func TestHeader(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "---\ntitle: \"Named: so\"\ncreated: 2026-01-31\nmodified: 2026-02-01 10:30\nurl: https://e.example/\nowner: 'Ann'\nlist:\n- x\n- y\n---\nText")
	for _, name := range []string{"b", "c"} {
		write(t, filepath.Join(dir, name+".textbundle", "text.md"), "# "+name)
		write(t, filepath.Join(dir, name+".textbundle", "info.json"), strings.Replace(infoJSON, "TRASHED", "0", 1))
	}
	got := read(t, dir)
	want := "---\ntitle: \"Named: so\"\ntype: note\ncreated: 2026-01-31T00:00:00Z\nupdated: 2026-02-01T10:30:00Z\nsource: \"https://e.example/\"\nowner: Ann\nlist:\n  - x\n  - \"y\"\n---\nText\n"
	if diff := cmp.Diff(want, got.notes["a"].String()); diff != "" {
		t.Error(diff)
	}
	if len(got.Problems) != 1 || got.notes["b"].ID != "ID-1" || got.notes["c"].ID == "ID-1" {
		t.Error(got.Problems, got.notes["b"].ID, got.notes["c"].ID)
	}
}

func TestHostile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "Good.md"), "# Good\nfirst")
	write(t, filepath.Join(dir, "deep.md"), strings.Repeat("[", 200_000)+strings.Repeat("#a ", 50_000)+strings.Repeat("<!--", 50_000)+strings.Repeat("![](", 50_000)+strings.Repeat("[[a/", 50_000)+strings.Repeat("::a", 50_000))
	write(t, filepath.Join(dir, "list.md"), strings.Repeat("\t", 100)+strings.Repeat("- ", 100_000))
	write(t, filepath.Join(dir, "bad.textpack"), "PK\x03\x04 no zip")
	write(t, filepath.Join(dir, "large.textpack"), pack(t, "text.md", strings.Repeat("a", maxText+1)))
	write(t, filepath.Join(dir, "b.textbundle", "info.json"), `{"net.shinyfrog.bear":`+strings.Repeat("[", 100_000))
	write(t, filepath.Join(dir, "b.textbundle", "text.md"), "\xff\xfe\x00 # b")
	start := time.Now()
	got := read(t, dir)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if got.err != nil || got.notes["Good"].Body != "# Good\nfirst" || len(got.Problems) != 3 {
		t.Error(got.err, len(got.notes), got.Problems)
	}
	if got := read(t, t.TempDir()); !errors.Is(got.err, export.ErrNothing) {
		t.Error(got.err)
	}
}

const maxText = 16 << 20

func FuzzRead(f *testing.F) {
	f.Add("# T\n#a #b c# #1\n[[T/x|y]] ![](a.png)<!-- {\"width\":2} --> ::m:: `c`")
	f.Add("---\na: b\ntags:\n- x\n---\n[a](bear://x-callback-url/open-note?id=1)")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "T.md"), text)
		got := read(t, dir)
		if got.err != nil || len(got.notes) != 1 {
			t.Error(got.err, len(got.notes))
		}
	})
}

package joplin_test

import (
	"archive/tar"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/convert/export"
)

const fixture = "../../../fixtures/intake/joplin/in"

func when(text string) time.Time {
	made, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return made
}

// TestFixture holds each line of the fixture's EXPECT.md.
func TestFixture(t *testing.T) {
	got := read(t, fixture)
	if got.err != nil || len(got.Problems) > 0 {
		t.Fatal(got.err, got.Problems)
	}
	var paths []string
	for _, n := range got.Notes {
		paths = append(paths, n.Path)
	}
	slices.Sort(paths)
	if diff := cmp.Diff([]string{"Boats/Buy rope", "Boats/Knots", "Boats/Ropes: old∕new/Mooring lines"}, paths); diff != "" {
		t.Error("notebooks, tags and resources are not notes:\n", diff)
	}
	lines, rope := got.notes["Boats/Ropes: old∕new/Mooring lines"], got.notes["Boats/Buy rope"]
	if !lines.Created.Equal(when("2026-02-28T20:15:00Z")) || !lines.Updated.Equal(when("2026-03-02T09:30:00.123Z")) {
		t.Errorf("created %v, updated %v", lines.Created, lines.Updated)
	}
	if !slices.Equal(lines.Tags, []string{"deck gear"}) || !strings.Contains(lines.String(), "  - deck-gear\n") || lines.Source != "https://lines.example.org/a" {
		t.Errorf("tags %v, source %q", lines.Tags, lines.Source)
	}
	want := "See [[Knots|the knots]] and [[Knots#Bowline|this part]], lost: x (:/99999999999999999999999999999999).\n\n![[rope.png|rope]]\n\n![[rope.png|120]]\n\nparent: not metadata\ntype_: also text"
	if diff := cmp.Diff(want, lines.Body); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(got.dead, []string{"99999999999999999999999999999999"}) {
		t.Errorf("dead links: %v", got.dead)
	}
	if rope.Type != "task" || rope.Status != "done" || rope.Body != "- [x] Buy rope" || !strings.Contains(rope.String(), "completed: \"2026-03-03T08:30:00Z\"") && !strings.Contains(rope.String(), "completed: 2026-03-03T08:30:00Z") {
		t.Errorf("a task that is done:\n%s", rope)
	}
	if len(got.Attachments) != 1 || filepath.Base(got.Attachments[0].Path) != "rope.png" {
		t.Fatalf("attachments: %v", got.Attachments)
	}
	if content, err := got.Attachments[0].Read(); err != nil || !strings.HasPrefix(string(content), "\x89PNG") {
		t.Error(err)
	}
	leftOut := map[string][]string{"copy of a conflict": {"Mooring lines"}, "encrypted": {strings.Repeat("a5", 16)}, "old revision": {strings.Repeat("b7", 16)}}
	if diff := cmp.Diff(leftOut, got.LeftOut); diff != "" {
		t.Error(diff)
	}
}

// id is an id of Joplin for a number.
func id(number int) string { return fmt.Sprintf("%032x", number) }

func write(t testing.TB, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func noteFile(number int, body, more string) string {
	return fmt.Sprintf("Note %d\n\n%s\n\nid: %s\n%stype_: 1", number, body, id(number), more)
}

func TestBodies(t *testing.T) {
	for _, test := range []struct{ name, body, more, want string }{
		{"code stays", "`[x](:/" + id(2) + ")`\n```\n[x](:/" + id(2) + ")\n```", "", "`[x](:/" + id(2) + ")`\n```\n[x](:/" + id(2) + ")\n```"},
		{"code in a link", "[a `b` c](:/" + id(2) + ")", "", "[[Note 2|a `b` c]]"},
		{"brackets and a title", `[a [b] c](:/` + id(2) + ` "t")`, "", "[[Note 2|a [b] c]]"},
		{"picture in a link", "[![p](:/" + id(3) + ")](:/" + id(2) + ") [![p](:/" + id(3) + ")](https://e.example/)", "", "![[paper.pdf|p]] [[Note 2]] [![[paper.pdf|p]]](https://e.example/)"},
		{"address of the app", "[n](joplin://x-callback-url/openNote?id=" + id(2) + ")", "", "[[Note 2|n]]"},
		{"heading of a link", "[n](:/" + id(2) + "#the-second-half)", "", "[[Note 2#The *second* half!|n]]"},
		{"heading that is not there", "[n](:/" + id(2) + "#none)", "", "[[Note 2|n]]"},
		{"within the note", "[up](#my-part) [web](#nothing)\n\n# My part", "", "[up](#My%20part) [web](#nothing)\n\n# My part"},
		{"file", "[paper](:/" + id(3) + ") <video src=\":/" + id(3) + "\"></video>", "", "[[paper.pdf|paper]] ![[paper.pdf]]"},
		{"HTML in Markdown", `<a href=":/` + id(2) + `">two <b>x</b></a> <IMG alt='p' width=30 src=:/` + id(3) + `>`, "", "[[Note 2|two <b>x</b>]] ![[paper.pdf|p30]]"},
		{"HTML note", `<h1>A</h1><p>see <a href=":/` + id(2) + `#the-second-half">two</a> <img src=":/` + id(3) + `" alt="p"> * star</p>`, "markup_language: 2\n", "# A\n\nsee [[Note 2#The *second* half!|two]] ![[paper.pdf|p]] \\* star"},
		{"due task", "x", "is_todo: 1\ntodo_due: 1772526600000\n", "- [ ] Note 1\n\nx"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, id(1)+".md"), noteFile(1, test.body, test.more))
			write(t, filepath.Join(dir, id(2)+".md"), noteFile(2, "## The *second* half!\n\nx", ""))
			write(t, filepath.Join(dir, id(3)+".md"), "paper\n\nid: "+id(3)+"\nmime: application/pdf\nfile_extension: pdf\ntype_: 4")
			write(t, filepath.Join(dir, "resources", id(3)+".pdf"), "%PDF")
			got := read(t, dir)
			if diff := cmp.Diff(test.want, got.notes["Note 1"].Body); diff != "" || got.err != nil || len(got.Problems) > 0 {
				t.Error(diff, got.err, got.Problems)
			}
		})
	}
}

func TestProperties(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, id(1)+".md"), strings.ReplaceAll(noteFile(1, "x", "author: Ann\nlatitude: 52.10000000\nlongitude: 4.30000000\ncreated_time: 1772526600000\n"), "\n", "\r\n"))
	write(t, filepath.Join(dir, id(2)+".md"), noteFile(2, "x", "deleted_time: 1772526600000\n"))
	got := read(t, dir)
	text := got.notes["Note 1"].String()
	if !strings.Contains(text, "author: Ann\n") || !strings.Contains(text, `location: "52.10000000, 4.30000000"`) || !strings.Contains(text, "created: 2026-03-03T08:30:00Z") {
		t.Error(text)
	}
	if diff := cmp.Diff(map[string][]string{"in the trash": {"Note 2"}}, got.LeftOut); diff != "" {
		t.Error(diff)
	}
}

// TestArchive reads the fixture as a tar, with names in it that point outside.
func TestArchive(t *testing.T) {
	name := filepath.Join(t.TempDir(), "all.jex")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	out := tar.NewWriter(file)
	add := func(name, content string) {
		if err := out.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	add("../"+id(7)+".md", noteFile(7, "outside", ""))
	add("/"+id(8)+".md", noteFile(8, "outside", ""))
	err = filepath.WalkDir(fixture, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		relative, _ := filepath.Rel(fixture, name)
		add(filepath.ToSlash(relative), string(content))
		return err
	})
	if err != nil || out.Close() != nil || file.Close() != nil {
		t.Fatal(err)
	}
	got, folder := read(t, name), read(t, fixture)
	if len(got.Problems) != 2 || got.err != nil {
		t.Errorf("problems: %v, %v", got.Problems, got.err)
	}
	if diff := cmp.Diff(folder.notes, got.notes); diff != "" {
		t.Error(diff)
	}
	if content, err := got.Attachments[0].Read(); err != nil || !strings.HasPrefix(string(content), "\x89PNG") || len(content) != 73 {
		t.Errorf("%d bytes, %v", len(content), err)
	}
}

// TestHostile holds that one bad item stops nothing, and that notebooks in a circle end.
func TestHostile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, id(1)+".md"), noteFile(1, "good "+strings.Repeat("[", 100_000)+strings.Repeat("![](:/", 20_000), "parent_id: "+id(2)+"\n"))
	write(t, filepath.Join(dir, id(2)+".md"), "A\n\nid: "+id(2)+"\nparent_id: "+id(3)+"\ntype_: 2")
	write(t, filepath.Join(dir, id(3)+".md"), "B\n\nid: "+id(3)+"\nparent_id: "+id(2)+"\ntype_: 2")
	write(t, filepath.Join(dir, id(4)+".md"), "no properties at all")
	write(t, filepath.Join(dir, id(5)+".md"), noteFile(1, "a second one of this id", ""))
	write(t, filepath.Join(dir, id(6)+".md"), "\xff\xfe\x00")
	write(t, filepath.Join(dir, "other.md"), "# not of Joplin")
	got := read(t, dir)
	if len(got.Problems) != 3 || len(got.notes) != 1 || !strings.HasPrefix(got.notes["B/A/Note 1"].Body, "good ") || got.err != nil {
		t.Errorf("%d notes, %v, %v", len(got.notes), got.Problems, got.err)
	}
	empty := t.TempDir()
	write(t, filepath.Join(empty, "a.md"), "# A")
	if got := read(t, empty); !errors.Is(got.err, export.ErrNothing) {
		t.Errorf("error %v", got.err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(noteFile(1, "[a](:/"+id(1)+"#b) `c`\n# b\n<img src=\":/"+id(2)+"\">", "user_created_time: 2026-02-28T20:15:00.000Z\n"))
	f.Add(noteFile(1, "<p>a <a href=\":/"+id(1)+"\">b</a>", "markup_language: 2\nis_todo: 1\n"))
	f.Add("a5\ntype_: 1")
	f.Fuzz(func(t *testing.T, content string) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, id(1)+".md"), content)
		got := read(t, dir)
		if got.err == nil && len(got.notes) > 1 {
			t.Error("more notes than files")
		}
	})
}

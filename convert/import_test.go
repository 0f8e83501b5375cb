package convert_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/convert"
	"quarry/convert/export"
	"quarry/vault"
)

// memory is a Memory that does not last.
type memory struct {
	items map[string]convert.Item
	stop  func() bool // tells when a process is killed
}

func newMemory() *memory { return &memory{items: map[string]convert.Item{}} }

func (m *memory) Imported(format, id string) (found []convert.Item) {
	for _, item := range m.items {
		if item.Format == format && item.ID == id {
			found = append(found, item)
		}
	}
	return found
}

var errKilled = errors.New("killed")

func (m *memory) Remember(items []convert.Item) error {
	if m.stop != nil && m.stop() {
		return errKilled
	}
	for _, item := range items {
		m.items[item.Format+"\n"+item.ID+"\n"+item.From] = item
	}
	return nil
}

func put(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		place := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(place, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// filesOf gives the files below a folder.
func filesOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		found[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func importInto(t testing.TB, dir string, options convert.Options) (convert.Report, error) {
	t.Helper()
	v, err := vault.Open(dir, vault.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = v.Close() }()
	return convert.Import(context.Background(), v, options)
}

func mustImport(t testing.TB, dir string, options convert.Options) convert.Report {
	t.Helper()
	report, err := importInto(t, dir, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

var folderOfNotes = map[string]string{
	"Kiln.md":            "---\ntitle: Kiln # kept\n---\nSee [[Glaze]], [the rest](sub/Glaze.md#Blue%20one), ![](img/a.png), [[Nowhere]], `[[Glaze]]`.\n",
	"sub/Glaze.md":       "# Glaze\r\n\r\n## Blue one\r\ntext ^b1\r\n",
	"sub/con.md":         "[[Glaze#^b1|the block]] and ![[a.png|240]] | [w](https://example.org/a.md)\n",
	"img/a.png":          "png",
	"img/copy.png":       "png",
	".obsidian/app.json": "{}",
}

func TestMarkdownFolder(t *testing.T) {
	from, dir := t.TempDir(), t.TempDir()
	put(t, from, folderOfNotes)
	put(t, dir, map[string]string{"Other/Glaze.md": "of the user", "00-inbox/markdown/kiln.md": "of the user"})
	memory := newMemory()
	options := convert.Options{Format: "markdown", Export: from, Memory: memory, IsDryRun: true}
	planned := mustImport(t, dir, options)
	if got := filesOf(t, dir); len(got) != 2 || len(memory.items) > 0 {
		t.Fatalf("a dry run wrote: %v", got)
	}
	options.IsDryRun = false
	report := mustImport(t, dir, options)
	planned.IsDryRun = false
	if diff := cmp.Diff(planned, report); diff != "" {
		t.Errorf("the dry run told otherwise:\n%s", diff)
	}
	got := filesOf(t, dir)
	for name, want := range map[string]string{
		"Other/Glaze.md":                      "of the user",
		"00-inbox/markdown/kiln.md":           "of the user",
		"00-inbox/markdown/Kiln-2.md":         "---\ntitle: Kiln # kept\n---\nSee [[sub/Glaze|Glaze]], [[sub/Glaze#Blue one|the rest]], ![[a.png]], [[Nowhere]], `[[Glaze]]`.\n",
		"00-inbox/markdown/attachments/a.png": "png",
	} {
		if diff := cmp.Diff(want, got[name]); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	if len(got) != 6 || !strings.HasSuffix(got["00-inbox/markdown/sub/Glaze.md"], folderOfNotes["sub/Glaze.md"]) || !strings.Contains(got["00-inbox/markdown/sub/_con.md"], "[[sub/Glaze#^b1|the block]] and ![[a.png|240]] | [w](https") {
		t.Errorf("%q", got)
	}
	if report.Links.Found != 6 || report.Links.Resolved != 5 || len(report.Links.Lost) != 1 || report.Attachments.Same != 1 || report.Notes.Written != 3 || len(report.LeftOut) != 1 {
		t.Errorf("%+v", report)
	}
	again := mustImport(t, dir, options)
	if diff := cmp.Diff(got, filesOf(t, dir)); diff != "" || again.Notes.Unchanged != 3 || len(again.Written) > 0 || len(again.Kept) > 0 {
		t.Errorf("a second run: %+v\n%s", again, diff)
	}
}

func TestWhatTheUserDidStays(t *testing.T) {
	from, dir := t.TempDir(), t.TempDir()
	put(t, from, map[string]string{"a.md": "A text", "b.md": "B text", "c.md": "C text", "d.md": "D text"})
	options := convert.Options{Format: "markdown", Export: from, Memory: newMemory()}
	mustImport(t, dir, options)
	in := filepath.Join(dir, "00-inbox", "markdown")
	put(t, in, map[string]string{"a.md": "edited"})
	if err := errors.Join(os.Rename(filepath.Join(in, "b.md"), filepath.Join(dir, "renamed.md")), os.Remove(filepath.Join(in, "c.md"))); err != nil {
		t.Fatal(err)
	}
	put(t, from, map[string]string{"d.md": "D changed", "e.md": "new: [[b]] and [[c]]"})
	report := mustImport(t, dir, options)
	want := convert.Counts{Found: 5, Written: 1, Edited: 1, Moved: 1, Gone: 1, Changed: 1}
	if diff := cmp.Diff(want, report.Notes); diff != "" || len(report.Kept) != 4 {
		t.Errorf("%s\n%+v", diff, report.Kept)
	}
	got := filesOf(t, dir)
	if len(got) != 4 || got["00-inbox/markdown/a.md"] != "edited" || !strings.Contains(got["00-inbox/markdown/e.md"], "new: [[renamed|b]] and [[c]]") {
		t.Errorf("%q", got)
	}
	options.Again = true
	report = mustImport(t, dir, options)
	if got := filesOf(t, dir); report.Notes.Written != 2 || !strings.HasSuffix(got["00-inbox/markdown/d-2.md"], "D changed") || got["00-inbox/markdown/c.md"] == "" {
		t.Errorf("%+v, %q", report.Notes, got)
	}
	if report = mustImport(t, dir, options); report.Notes.Written != 0 {
		t.Errorf("again: %+v", report.Notes)
	}
}

// TestKilledImportGoesOn ends an import at each of its steps, and lets a second one go on.
func TestKilledImportGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("it imports 300 notes many times")
	}
	from := t.TempDir()
	files := map[string]string{"img/p.png": "p"}
	for i := range 300 {
		files[fmt.Sprintf("n%d.md", i)] = fmt.Sprintf("Note %d, see [[n%d]] ![](img/p.png)", i, (i+150)%300)
	}
	put(t, from, files)
	whole := t.TempDir()
	mustImport(t, whole, convert.Options{Format: "markdown", Export: from, Memory: newMemory()})
	for step := 1; ; step++ {
		dir, m, calls := t.TempDir(), newMemory(), 0
		m.stop = func() bool { calls++; return calls == step }
		_, err := importInto(t, dir, convert.Options{Format: "markdown", Export: from, Memory: m})
		if err == nil {
			break
		}
		m.stop = nil
		mustImport(t, dir, convert.Options{Format: "markdown", Export: from, Memory: m})
		if diff := cmp.Diff(filesOf(t, whole), filesOf(t, dir)); diff != "" {
			t.Errorf("killed at step %d:\n%s", step, diff)
		}
	}
}

func TestMistakes(t *testing.T) {
	from := t.TempDir()
	put(t, from, map[string]string{"a.txt": "x"})
	for _, c := range []struct {
		options convert.Options
		want    error
	}{
		{convert.Options{Format: "x", Export: from}, convert.ErrFormat},
		{convert.Options{Format: "markdown", Export: from}, export.ErrNothing},
		{convert.Options{Format: "markdown", Export: from + "/none"}, fs.ErrNotExist},
		{convert.Options{Format: "markdown", Export: from, Into: "../x"}, convert.ErrFolder},
		{convert.Options{Format: "markdown", Export: from, Into: "a#b"}, convert.ErrFolder},
		{convert.Options{Format: "markdown", Export: from, Into: ".trash"}, convert.ErrFolder},
	} {
		if _, err := importInto(t, t.TempDir(), c.options); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c.options, err)
		}
	}
}

package layout_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/layout"
)

var now = time.Date(2026, 3, 5, 9, 0, 0, 0, time.UTC)

func lay(t *testing.T, request layout.Request) layout.Report {
	t.Helper()
	request.Now = now
	report, err := layout.Lay(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// contents are all files and folders below one, each file with its text.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if entry.IsDir() {
			all[name+"/"] = ""
			return nil
		}
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		all[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "vault")
	report := lay(t, layout.Request{Dir: dir})
	made := contents(t, dir)
	for _, want := range []string{
		".indexignore", "types.yaml", "intake.yaml", "interests.md", "README.md", "06-daily/2026-03-05.md", "05-signals/other/2026-03-05-an-example-of-a-signal.md",
		"00-inbox/", "01-projects/", "02-areas/", "03-resources/", "04-archive/", "07-templates/Note.md", "08-attachments/", "05-signals/ai-tooling/", "05-signals/security/", "05-signals/systems/",
		"05-signals/programming/", "05-signals/web/", "05-signals/data/", "05-signals/devops/", "05-signals/design/", "05-signals/mobile/", "05-signals/career/", "05-signals/research/",
	} {
		if _, ok := made[want]; !ok {
			t.Errorf("%s is missing", want)
		}
	}
	for name, text := range made {
		if strings.Contains(text, "{{today}}") || strings.Contains(name, "{{") {
			t.Errorf("%s: a day is not filled in", name)
		}
		if file := !strings.HasSuffix(name, "/"); file && !slices.Contains(report.Created, name) {
			t.Errorf("%s is not told of", name)
		}
	}
	// Again, on another day, with a file of the user's: nothing changes.
	if err := os.WriteFile(filepath.Join(dir, "types.yaml"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	again, err := layout.Lay(t.Context(), layout.Request{Dir: dir, Now: now.AddDate(0, 0, 3), Examples: true})
	if err != nil || len(again.Created)+len(again.Folders) > 0 || again.HadNotes {
		t.Errorf("%+v, %v", again, err)
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestLayBesideNotes(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "Ideas"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "Ideas", "One.md"), []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	report := lay(t, layout.Request{Dir: dir})
	made := contents(t, dir)
	if !report.HadNotes || report.Examples || made["README.md"] != "" || made["06-daily/2026-03-05.md"] != "" {
		t.Errorf("examples beside notes: %+v", report)
	}
	if made["Ideas/One.md"] != "one" {
		t.Error("a note was touched")
	}
	for _, want := range []string{"07-templates/Note.md", "00-inbox/", "06-daily/", "interests.md"} {
		if _, ok := made[want]; !ok {
			t.Errorf("%s is missing", want)
		}
	}
	if report = lay(t, layout.Request{Dir: dir, Examples: true}); !slices.Contains(report.Created, "README.md") {
		t.Errorf("no examples though asked for: %+v", report)
	}
}

func TestLayRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "00-inbox"), []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := layout.Lay(t.Context(), layout.Request{Dir: dir, Now: now}); err == nil || !strings.Contains(err.Error(), "00-inbox") {
		t.Errorf("%v", err)
	}
	if content, _ := os.ReadFile(filepath.Join(dir, "00-inbox")); string(content) != "a file" {
		t.Error("the file was touched")
	}
	if _, err := layout.Lay(t.Context(), layout.Request{Dir: filepath.Join(dir, "00-inbox"), Now: now}); err == nil {
		t.Error("a file was taken for a folder")
	}
	if os.Symlink(t.TempDir(), filepath.Join(dir, "07-templates")) == nil {
		if err := os.Remove(filepath.Join(dir, "00-inbox")); err != nil {
			t.Fatal(err)
		}
		if _, err := layout.Lay(t.Context(), layout.Request{Dir: dir, Now: now}); err == nil {
			t.Error("a link was followed")
		}
	}
}

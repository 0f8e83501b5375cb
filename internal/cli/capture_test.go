package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry"
)

// TestCaptureWritesOneNote holds that a capture writes one new file below its folder, and changes no other.
func TestCaptureWritesOneNote(t *testing.T) {
	h := newHome(t)
	h.put("Kiln.md", "# Kiln\n")
	h.put(h.config, "[capture]\nfolder = \"in/new\"\n")
	h.put("in/new/old.md", "old\n")
	code, out, talk := h.run("", "capture", "--tags", "a,b c", "a", "thought", "--json")
	var got quarry.Captured
	if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil || !strings.HasPrefix(got.FilePath, "in/new/") || got.Redactions == nil {
		t.Fatalf("%d, %s, %s, %v", code, out, talk, err)
	}
	var files []string
	err := filepath.WalkDir(h.vault, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			path, err = filepath.Rel(h.vault, path)
			files = append(files, filepath.ToSlash(path))
		}
		return err
	})
	if want := "Kiln.md " + got.FilePath + " in/new/old.md"; err != nil || strings.Join(files, " ") != want {
		t.Errorf("%q, want %s, %v", files, want, err)
	}
	if content, err := os.ReadFile(filepath.Join(h.vault, "in", "new", "old.md")); string(content) != "old\n" {
		t.Errorf("%q, %v", content, err)
	}
}

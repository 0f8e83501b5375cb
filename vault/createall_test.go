package vault_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/vault"
)

func TestCreateAll(t *testing.T) {
	dir := t.TempDir()
	v := openAt(t, dir)
	created(t, v, "in", "a", "was there")
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	when := time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)
	var files []vault.NewFile
	var want []string
	for i := range 600 {
		files = append(files, vault.NewFile{Folder: "in", Name: vault.Name{Stem: "a", Extension: ".md"}, Content: fmt.Append(nil, i), Modified: when.Add(time.Duration(i-300) * 1000 * time.Hour)})
		want = append(want, fmt.Sprintf("in/a-%d.md", i+2))
	}
	files = append(files, vault.NewFile{Folder: ".", Name: vault.Name{Stem: "b", Extension: ".png"}}, vault.NewFile{Folder: "file", Name: vault.Name{Stem: "c", Extension: ".md"}}, vault.NewFile{Folder: "../out", Name: vault.Name{Stem: "c", Extension: ".md"}})
	want = append(want, "b.png", "", "")
	var got []string
	for i, result := range v.CreateAll(t.Context(), files) {
		got = append(got, result.Path)
		var fault *vault.FileError
		if isFault := errors.As(result.Err, &fault); isFault != (result.Path == "") {
			t.Errorf("%v: %v", files[i], result)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for i := range 600 {
		content, err := os.ReadFile(filepath.Join(dir, want[i]))
		if err != nil || string(content) != fmt.Sprint(i) {
			t.Fatalf("%s: %q, %v", want[i], content, err)
		}
	}
	for i := range 600 { // years before and after now
		if info, err := os.Stat(filepath.Join(dir, want[i])); err != nil || !info.ModTime().Equal(files[i].Modified) {
			t.Fatalf("%v, %v, want %v", info.ModTime(), err, files[i].Modified)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "in")); err != nil || len(entries) != 601 {
		t.Errorf("%d names, %v", len(entries), err)
	}
	if content, _ := os.ReadFile(filepath.Join(dir, "in", "a.md")); string(content) != "was there" {
		t.Errorf("a file was changed: %q", content)
	}
}

func BenchmarkCreateAll(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		v, err := vault.Open(b.TempDir(), vault.Options{})
		if err != nil {
			b.Fatal(err)
		}
		files := make([]vault.NewFile, 2000)
		for i := range files {
			files[i] = vault.NewFile{Folder: fmt.Sprint("f", i%12), Name: vault.Name{Stem: fmt.Sprint("a", i), Extension: ".md"}, Content: make([]byte, 3000)}
		}
		b.StartTimer()
		v.CreateAll(b.Context(), files)
		v.Close()
	}
}

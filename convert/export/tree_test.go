package export_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry/convert/export"
)

// packed is a zip of the entries that fill writes.
func packed(t *testing.T, fill func(*zip.Writer)) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	fill(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func put(t *testing.T, w *zip.Writer, header zip.FileHeader, content []byte) {
	t.Helper()
	header.Method = zip.Deflate
	to, err := w.CreateHeader(&header)
	if err == nil {
		_, err = to.Write(content)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, content []byte, limits export.Limits) *export.Tree {
	t.Helper()
	name := filepath.Join(t.TempDir(), "export.zip")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := export.Open(context.Background(), name, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	return tree
}

func TestNamesInZips(t *testing.T) {
	link := zip.FileHeader{Name: "link"}
	link.SetMode(fs.ModeSymlink | 0o777)
	tree := open(t, packed(t, func(w *zip.Writer) {
		for _, name := range []string{"../outside.md", "/etc/x.md", `C:\temp\x.md`, `..\x.md`, "a/../../x.md", `Folder\windows.md`, "twice.md", "twice.md", "__MACOSX/x", ".DS_Store"} {
			put(t, w, zip.FileHeader{Name: name}, []byte(name))
		}
		put(t, w, zip.FileHeader{Name: "caf\x82.md", NonUTF8: true}, []byte("x"))
		put(t, w, zip.FileHeader{Name: "locked.md", Flags: 1}, []byte("x"))
		put(t, w, link, []byte("/etc/passwd"))
	}), export.DefaultLimits())
	var names []string
	for _, f := range tree.Files() {
		names = append(names, f.Path)
	}
	if got := strings.Join(names, " "); got != "Folder/windows.md café.md twice.md" {
		t.Errorf("files: %s", got)
	}
	reasons := map[string]int{}
	for _, p := range tree.Problems() {
		reasons[p.Reason]++
	}
	for err, want := range map[error]int{export.ErrOutside: 5, export.ErrEncrypted: 1, export.ErrNotFile: 1, export.ErrTwice: 1} {
		if reasons[err.Error()] != want {
			t.Errorf("%v: %d, want %d", err, reasons[err.Error()], want)
		}
	}
}

func TestBombs(t *testing.T) {
	bomb := packed(t, func(w *zip.Writer) { put(t, w, zip.FileHeader{Name: "zeros.md"}, make([]byte, 32<<20)) })
	if tree := open(t, bomb, export.DefaultLimits()); len(tree.Files()) != 0 || len(tree.Problems()) != 1 {
		t.Errorf("files %v, problems %v", tree.Files(), tree.Problems())
	}
	nested := bomb
	for range 6 {
		inner := nested
		nested = packed(t, func(w *zip.Writer) {
			for _, name := range []string{"a.zip", "b.zip", "c.zip", "d.zip"} {
				put(t, w, zip.FileHeader{Name: name}, inner)
			}
		})
	}
	if tree := open(t, nested, export.DefaultLimits()); len(tree.Files()) > 100 {
		t.Errorf("%d files", len(tree.Files()))
	}
	limits := export.Limits{Files: 10, FileBytes: 1000, TotalBytes: 1500, ZipDepth: 1}
	tree := open(t, packed(t, func(w *zip.Writer) {
		for _, name := range []string{"a", "b", "c"} {
			put(t, w, zip.FileHeader{Name: name}, make([]byte, 900))
		}
		put(t, w, zip.FileHeader{Name: "large"}, make([]byte, 1001))
	}), limits)
	for name, want := range map[string]error{"large": export.ErrTooLarge, "none": fs.ErrNotExist} {
		if _, err := tree.Read(name); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, first := tree.Read("a")
	_, second := tree.Read("b")
	if !errors.Is(errors.Join(first, second), export.ErrTooLarge) {
		t.Errorf("in all: %v, %v", first, second)
	}
}

// TestSizeThatLies holds that a file is read no further than the zip says it goes.
func TestSizeThatLies(t *testing.T) {
	content := packed(t, func(w *zip.Writer) { put(t, w, zip.FileHeader{Name: "a.md"}, make([]byte, 1<<20)) })
	size := []byte{0, 0, 16, 0} // 1 MiB, as it stands in the directory
	at := bytes.LastIndex(content, size)
	copy(content[at:], []byte{10, 0, 0, 0})
	if got, err := open(t, content, export.DefaultLimits()).Read("a.md"); err == nil || len(got) > 11 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

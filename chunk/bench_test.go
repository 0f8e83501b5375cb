package chunk_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quarry/chunk"
	"quarry/note"
)

// largeVault holds other people's notes, which are no part of this project. It lies beside the checkout.
const largeVault = "../../shared/vaults/mdn-content/mdn-content.tar.xz"

// unpackedVault reads all notes of the large vault, whose archive is unpacked anew.
func unpackedVault(b *testing.B) map[string][]byte {
	if _, err := os.Stat(largeVault); err != nil {
		b.Skipf("left out: %s is not here", largeVault)
	}
	dir := b.TempDir()
	if out, err := exec.CommandContext(b.Context(), "tar", "-xJf", largeVault, "-C", dir).CombinedOutput(); err != nil {
		b.Skipf("left out: it cannot be unpacked: %s", out)
	}
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		files[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return files
}

// BenchmarkLargeVault reads and cuts every note of a large vault on one core. Its MB/s are those of the files; a
// sub-benchmark leaves the reading out.
func BenchmarkLargeVault(b *testing.B) {
	files := unpackedVault(b)
	var notes []*note.Note
	size, passages := int64(0), 0
	for path, raw := range files {
		size += int64(len(raw))
		n := note.Reader{}.Read(path, raw)
		notes = append(notes, n)
		passages += len(chunk.Split(n, chunk.ByHeading))
	}
	report := func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		b.ReportMetric(float64(len(files)), "notes")
		b.ReportMetric(float64(passages), "passages")
	}
	b.Run("parse and split", func(b *testing.B) {
		report(b)
		for b.Loop() {
			for path, raw := range files {
				chunk.Split(note.Reader{}.Read(path, raw), chunk.ByHeading)
			}
		}
	})
	b.Run("split", func(b *testing.B) {
		report(b)
		for b.Loop() {
			for _, n := range notes {
				chunk.Split(n, chunk.ByHeading)
			}
		}
	})
}

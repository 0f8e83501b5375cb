package note_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quarry/note"
)

func BenchmarkMDN(b *testing.B) {
	var out [][]byte
	var n int64
	filepath.WalkDir("/tmp/mdn", func(p string, d fs.DirEntry, e error) error {
		if strings.HasSuffix(p, ".md") {
			x, _ := os.ReadFile(p)
			out = append(out, x)
			n += int64(len(x))
		}
		return nil
	})
	b.SetBytes(n)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		for _, x := range out {
			note.Parse("a.md", x, nil)
		}
	}
}
func TestHostile(t *testing.T) {
	fs, _ := filepath.Glob("/tmp/hostile/*.md")
	for _, f := range fs {
		raw, _ := os.ReadFile(f)
		t0 := time.Now()
		var a, b runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&a)
		text, p := note.Decode(raw)
		n := note.Parse(f, text, nil)
		d := time.Since(t0)
		runtime.ReadMemStats(&b)
		fmt.Printf("%-28s %9d %8v alloc %4d MB sections %d links %d tags %d tasks %d fields %d head %d prob %v fm %v %s\n", filepath.Base(f), len(raw), d.Round(time.Millisecond), (b.TotalAlloc-a.TotalAlloc)>>20, len(n.Sections), len(n.Links), len(n.Tags), len(n.Tasks), len(n.Fields), len(n.Headings), n.Problems, n.FrontmatterErrors, p)
	}
}

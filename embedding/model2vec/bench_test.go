package model2vec_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry/embedding/model2vec"
)

// benchmarkTexts are pieces of 900 bytes of Markdown: a shared vault where there is one, else the golden texts strung together.
func benchmarkTexts(tb testing.TB) []string {
	tb.Helper()
	var all strings.Builder
	notes, _ := filepath.Glob(filepath.Join(sharedDir, "vaults/til/*/*.md"))
	more, _ := filepath.Glob(filepath.Join(sharedDir, "vaults/foam-docs/*/*.md"))
	for _, path := range append(notes, more...) {
		if content, err := os.ReadFile(path); err == nil && all.Len() < 1<<20 {
			all.Write(content)
		}
	}
	for all.Len() < 1<<16 {
		for _, line := range readGolden(tb, filepath.Join(fixtures, "golden-potion-base-8M.jsonl")) {
			if len(line.Text) < 400 && line.Group == "english" || line.Group == "code" || line.Group == "markdown" {
				all.WriteString(line.Text + "\n")
			}
		}
	}
	var texts []string
	for rest := all.String(); len(rest) > 900; rest = rest[900:] {
		texts = append(texts, rest[:900])
	}
	return texts
}

func BenchmarkTokenize(b *testing.B) {
	model, texts := builtIn(b), benchmarkTexts(b)
	var ids []int32
	b.SetBytes(900)
	b.ReportAllocs()
	i, tokens := 0, 0
	for b.Loop() {
		ids = model.AppendTokens(ids[:0], texts[i%len(texts)])
		tokens += len(ids)
		i++
	}
	b.ReportMetric(float64(tokens)/float64(i), "tokens/op")
}

func BenchmarkEmbed(b *testing.B) {
	model, texts := builtIn(b), benchmarkTexts(b)
	b.SetBytes(900)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := model.Embed(context.Background(), texts[i%len(texts):][:1]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "chunks/s")
}

func BenchmarkEmbedPublished(b *testing.B) {
	model, texts := loadModel(b, potionDir(b), model2vec.Options{}), benchmarkTexts(b)
	b.SetBytes(900)
	i := 0
	for b.Loop() {
		if _, err := model.Embed(context.Background(), texts[i%len(texts):][:1]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "chunks/s")
}

func BenchmarkEmbedQuery(b *testing.B) {
	model := builtIn(b)
	texts := []string{"how do I move a note to another folder"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := model.Embed(context.Background(), texts); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadPublished(b *testing.B) {
	dir := potionDir(b)
	for b.Loop() {
		loadModel(b, dir, model2vec.Options{})
	}
}

package note_test

import (
	"strings"
	"testing"

	"quarry/note"
	"quarry/secret"
)

func BenchmarkParse(b *testing.B) {
	prose := strings.Repeat("Silica and feldspar are mixed dry, then sieved twice, and the batch is left to stand for a day.\n", 40)
	for _, c := range []struct{ name, text string }{
		{"small", mixedNote},
		{"large", strings.Repeat(mixedNote, 50)},
		{"prose", "# Title\n\n" + strings.Repeat(prose+"\n", 20)},
		{"tasks", strings.Repeat("- [ ] fire the kiln [[Kiln]] #todo 📅 2031-01-01\n", 2000)},
	} {
		raw := []byte(c.text)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				note.Parse("a.md", raw, nil)
			}
		})
		if c.name == "large" {
			spans := []secret.Span{{Start: 300, End: 320, Name: "x"}, {Start: 9000, End: 9040, Name: "y"}}
			b.Run("large with secrets", func(b *testing.B) {
				b.SetBytes(int64(len(raw)))
				b.ReportAllocs()
				for b.Loop() {
					note.Parse("a.md", raw, spans)
				}
			})
		}
	}
}

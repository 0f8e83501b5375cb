package note_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"quarry/note"
	"quarry/secret"
)

// TestCompressedDrawing holds that the data of a drawing is no secret, however random, that a token beside it is one, and so is
// what looks random outside of the data.
func TestCompressedDrawing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	of := func(count int) string {
		out := make([]byte, count)
		for i := range out {
			out[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"[random.IntN(62)]
		}
		return string(out)
	}
	data, token, loose := "", "ghp"+"_"+of(36), of(64)
	for range 1000 { // by chance some values do not look random
		if data = of(90); len(secret.Find([]byte("word "+data+"\n"))) == 1 {
			break
		}
	}
	for range 1000 {
		if loose = of(64); len(secret.Find([]byte("word "+loose+" ^bbbb1111\n"))) == 1 {
			break
		}
	}
	text := "---\nexcalidraw-plugin: parsed\n---\n# Text Elements\n" + token + " ^aaaa1111\n\nword " + loose + " ^bbbb1111\n\n%%\n# Drawing\n```compressed-json\n" + data + "\n```\n%%\n"
	n := note.Reader{}.Read("a.md", []byte(text))
	if !strings.Contains(n.Text, data) || strings.Contains(n.Text, token) || strings.Contains(n.Text, loose) {
		t.Errorf("%q", n.Text)
	}
	if strings.Contains(shownText(n), data) || len(n.Redactions) != 2 {
		t.Errorf("shown %q, redactions %v", shownText(n), n.Redactions)
	}
	n = note.Reader{}.Read("a.md", []byte(strings.Replace(text, data, data+"\n"+token, 1)))
	if strings.Contains(n.Text, token) {
		t.Errorf("%q", n.Text)
	}
}

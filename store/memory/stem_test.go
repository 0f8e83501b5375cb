package memory_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/store"
	"quarry/store/memory"
	"quarry/store/sqlite"
)

// endings of English words, which stems lose.
const endings = "s es ies sses ss ed eed ing ational tional enci anci izer logi bli abli alli entli eli ousli ization ation ator alism " +
	"iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent " +
	"sion tion ion ou ism ate iti ous ive ize e l ll y ying ated bling izing"

// TestStems holds stems against SQLite's.
func TestStems(t *testing.T) {
	file, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "index.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	random := rand.New(rand.NewPCG(6, 6))
	suffixes := append(strings.Fields(endings), "", "x", "yy", "é", "ß", "_")
	texts := []string{
		"the firing of glazed pottery, relational databases and hopefully generalizations", "sky skies happy happily ties dies is as ss s sing",
		"motoring conflated troubled sized hopping tanned falling hissing fizzed failing filing", "controlling rolled agreed feed feeding",
		strings.Repeat("a", 61) + "ing " + strings.Repeat("b", 60) + "ing ab" + strings.Repeat("c", 59) + "ing",
	}
	for range 3000 {
		var words []string
		for range 10 {
			word := ""
			for range random.IntN(7) {
				word += string("aeiouybcdlnrstwxz"[random.IntN(17)])
			}
			words = append(words, word+suffixes[random.IntN(len(suffixes))]+suffixes[random.IntN(len(suffixes))])
		}
		texts = append(texts, strings.Join(words, " "))
	}
	ask := func(s store.Store) [][]string {
		v, err := s.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		words, err := v.Words(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		return words
	}
	got, want := ask(memory.New()), ask(file)
	for i, text := range texts {
		if !cmp.Equal(got[i], want[i]) {
			t.Errorf("%q: %s", text, cmp.Diff(want[i], got[i]))
			if i > 50 {
				break
			}
		}
	}
}

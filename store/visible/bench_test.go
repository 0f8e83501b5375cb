package visible_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"quarry/store"
	"quarry/store/sqlite"
	"quarry/store/visible"
)

// benchStore makes an index of 4,000 notes with 20,000 passages of some 850 characters, one note of twenty in folder d.
func benchStore(b *testing.B, path string) *sqlite.Store {
	b.Helper()
	random := rand.New(rand.NewPCG(20, 20))
	words := func(count int) (text string) {
		for range count {
			text += fmt.Sprintf("w%x ", int(math.Exp(random.Float64()*10)))
		}
		return text
	}
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	s, err := sqlite.Open(b.Context(), sqlite.Options{Path: path})
	check(err)
	b.Cleanup(func() { _ = s.Close() })
	u, err := s.Begin(b.Context(), store.Full)
	check(err)
	for i := range 4000 {
		n := store.Note{File: store.File{Path: fmt.Sprintf("%c/%05d.md", "abcd"[min(3, i%20/6)], i), ContentHash: "ab"}, Title: words(3), Tags: []string{"x"}}
		for range 5 {
			v := make([]float32, 256)
			for k := range v {
				v[k] = float32(random.NormFloat64() / 16)
			}
			n.Passages = append(n.Passages, store.Passage{Path: n.Path, Text: words(190), Section: words(3), Vector: v})
		}
		check(u.Put(b.Context(), []store.Note{n}))
	}
	check(u.Commit(b.Context()))
	return s
}

// BenchmarkVisible asks an index as it is, with an audience from which nothing is hidden, and with one note of twenty hidden.
func BenchmarkVisible(b *testing.B) {
	path := filepath.Join(b.TempDir(), "index.db")
	s := benchStore(b, path)
	query := make([]float32, 256)
	query[3], query[7] = 0.6, 0.8
	terms := []store.Term{{Text: "w90"}, {Text: "wa1"}, {Text: "wc3"}, {Text: "wff"}, {Text: "w133"}}
	ctx := b.Context()
	fail := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	for _, audience := range []struct {
		name   string
		hidden visible.Hidden
	}{
		{"all", visible.Hidden{}},
		{"nothing hidden", visible.Hidden{Note: hidden.Note}},
		{"a twentieth hidden", hidden},
	} {
		open := func(s *sqlite.Store) store.Snapshot {
			below, err := s.Snapshot(ctx)
			fail(err)
			v, err := visible.Snapshot(ctx, below, audience.hidden)
			fail(err)
			return v
		}
		leg := map[string]func(v store.Snapshot){
			"Frequencies": func(v store.Snapshot) {
				_, err := v.Frequencies(ctx, []string{"w1", "w90", "wa1", "wc3"}, nil)
				fail(err)
			},
			"Lexical": func(v store.Snapshot) {
				_, err := v.Lexical(ctx, store.LexicalQuery{Terms: terms, Weights: store.Weights{1, 1, 1, 1, 1, 1, 1}, Limit: 30})
				fail(err)
			},
			"Nearest": func(v store.Snapshot) {
				hits, err := v.Nearest(ctx, store.VectorQuery{Vector: query, Limit: 30})
				fail(err)
				_, err = v.Passages(ctx, []store.PassageID{hits[0].ID, hits[1].ID})
				fail(err)
			},
		}
		for _, name := range []string{"Frequencies", "Lexical", "Nearest"} {
			b.Run(audience.name+"/"+name, func(b *testing.B) {
				v := open(s)
				defer v.Close()
				for b.Loop() {
					leg[name](v)
				}
			})
		}
		b.Run(audience.name+"/open", func(b *testing.B) {
			for b.Loop() {
				_ = open(s).Close()
			}
		})
		b.Run(audience.name+"/question", func(b *testing.B) {
			for b.Loop() {
				v := open(s)
				for _, ask := range leg {
					ask(v)
				}
				_ = v.Close()
			}
		})
		b.Run(audience.name+"/once", func(b *testing.B) { // as a process that asks one question
			for b.Loop() {
				fresh, err := sqlite.Open(ctx, sqlite.Options{Path: path, ReadOnly: true})
				fail(err)
				v := open(fresh)
				for _, ask := range leg {
					ask(v)
				}
				_ = v.Close()
				_ = fresh.Close()
			}
		})
	}
}

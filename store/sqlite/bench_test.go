package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"quarry/store"
	"quarry/store/sqlite"
)

// The corpus of the benchmarks: 50,000 passages of some 850 characters, 256 components. -short makes it a tenth.
const (
	benchNotes    = 10000
	benchPassages = 5
	benchVector   = 256
)

func benchCorpus(b *testing.B) []store.Note {
	count := benchNotes
	if testing.Short() {
		count /= 10
	}
	list := notes(20, 0, count, benchPassages)
	random := rand.New(rand.NewPCG(21, 21))
	for i := range list {
		list[i].Aliases = nil
		for k := range list[i].Passages {
			list[i].Passages[k].Text, list[i].Passages[k].IndexText = words(random, 190), ""
			list[i].Passages[k].Vector = unit(random, benchVector)
		}
	}
	b.ResetTimer()
	return list
}

var benchIndex = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "quarry-bench-") })

// benchPath gives an index of the corpus, made once a process.
func benchPath(b *testing.B) string {
	folder, err := benchIndex()
	must(b, err)
	path := filepath.Join(folder, "index.db")
	if _, err := os.Stat(path); err != nil {
		s, err := sqlite.Open(b.Context(), sqlite.Options{Path: path})
		must(b, err)
		put(b, s, store.Full, benchCorpus(b))
		must(b, s.Close())
	}
	b.ResetTimer()
	return path
}

func BenchmarkFull(b *testing.B) {
	list := benchCorpus(b)
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "index.db")
		s := openAt(b, path)
		u, err := s.Begin(b.Context(), store.Full)
		must(b, err)
		for from := 0; from < len(list); from += 100 {
			must(b, u.Put(b.Context(), list[from:from+100]))
		}
		must(b, u.Commit(b.Context()))
		info, err := os.Stat(path)
		must(b, err)
		b.ReportMetric(float64(info.Size())/1e6, "MB")
	}
}

func BenchmarkPutOneNote(b *testing.B) {
	whole, err := os.ReadFile(benchPath(b)) // other benchmarks want it as it is
	must(b, err)
	path := filepath.Join(b.TempDir(), "index.db")
	must(b, os.WriteFile(path, whole, 0o600))
	s := openAt(b, path)
	list := benchCorpus(b)
	for i := 0; b.Loop(); i++ {
		put(b, s, store.Incremental, list[i%len(list):i%len(list)+1])
	}
	b.StopTimer()
	v := snapshot(b, s)
	started := time.Now()
	for range 20 {
		_, err := v.Lexical(b.Context(), store.LexicalQuery{Terms: []store.Term{{Text: "w90"}, {Text: "wa1"}, {Text: "wc3"}}, Weights: weights, Limit: 30})
		must(b, err)
	}
	b.ReportMetric(float64(time.Since(started).Microseconds())/20, "µs/question-afterwards")
}

func BenchmarkOpen(b *testing.B) {
	path := benchPath(b)
	for b.Loop() {
		s, err := sqlite.Open(b.Context(), sqlite.Options{Path: path, ReadOnly: true})
		must(b, err)
		v, err := s.Snapshot(b.Context())
		must(b, err)
		must(b, v.Close())
		must(b, s.Close())
	}
}

func BenchmarkSnapshot(b *testing.B) {
	s := openAt(b, benchPath(b))
	for b.Loop() {
		v, err := s.Snapshot(b.Context())
		must(b, err)
		must(b, v.Close())
	}
}

// Five words of some percent of the passages each, and the same with two that are nearly everywhere.
var benchQueries = map[string][]string{
	"five words":     {"w90", "wa1", "wc3", "wff", "w133"},
	"two stop words": {"w90", "wa1", "wc3", "w1", "w2"},
}

func BenchmarkLexical(b *testing.B) {
	s := openAt(b, benchPath(b))
	for name, query := range benchQueries {
		var terms []store.Term
		for _, q := range query {
			terms = append(terms, store.Term{Text: q})
		}
		b.Run(name, func(b *testing.B) {
			v := snapshot(b, s)
			for b.Loop() {
				_, err := v.Lexical(b.Context(), store.LexicalQuery{Terms: terms, Weights: weights, Limit: 30})
				must(b, err)
			}
		})
	}
}

// BenchmarkLexicalOnce opens the index for each question.
func BenchmarkLexicalOnce(b *testing.B) {
	path := benchPath(b)
	var terms []store.Term
	for _, q := range benchQueries["five words"] {
		terms = append(terms, store.Term{Text: q})
	}
	for b.Loop() {
		once(b, path, func(v store.Snapshot) {
			_, err := v.Lexical(b.Context(), store.LexicalQuery{Terms: terms, Weights: weights, Limit: 30})
			must(b, err)
		})
	}
}

func once(b *testing.B, path string, ask func(store.Snapshot)) {
	s, err := sqlite.Open(b.Context(), sqlite.Options{Path: path, ReadOnly: true})
	must(b, err)
	v, err := s.Snapshot(b.Context())
	must(b, err)
	ask(v)
	must(b, v.Close())
	must(b, s.Close())
}

// BenchmarkStock asks FTS5's own bm25() the same.
func BenchmarkStock(b *testing.B) {
	c := raw(b, benchPath(b))
	for name, query := range benchQueries {
		match := ""
		for i, q := range query {
			if i > 0 {
				match += " OR "
			}
			match += fmt.Sprintf("%q", q)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				must(b, c.Exec("SELECT rowid, bm25(chunks_fts, 1.0, 0.5, 0.3, 2.0, 0.7, 0.9, 0.2) AS s FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY s LIMIT 30", match))
			}
		})
	}
}

func BenchmarkFrequencies(b *testing.B) {
	path := benchPath(b)
	list := []string{"w1", "w2", "w90", "wa1", "wc3", "wff", "w133", "none"}
	for b.Loop() {
		once(b, path, func(v store.Snapshot) {
			_, err := v.Frequencies(b.Context(), list, nil)
			must(b, err)
		})
	}
}

func BenchmarkNearest(b *testing.B) {
	path := benchPath(b)
	query := store.VectorQuery{Vector: unit(rand.New(rand.NewPCG(1, 1)), benchVector), Limit: 30}
	b.Run("resident", func(b *testing.B) {
		v := snapshot(b, openAt(b, path))
		for range 2 {
			_, err := v.Nearest(b.Context(), query)
			must(b, err)
		}
		for b.Loop() {
			_, err := v.Nearest(b.Context(), query)
			must(b, err)
		}
	})
	b.Run("once", func(b *testing.B) {
		for b.Loop() {
			once(b, path, func(v store.Snapshot) {
				_, err := v.Nearest(b.Context(), query)
				must(b, err)
			})
		}
	})
}

// BenchmarkCandidates is what both legs cost and what there is of notes.
func BenchmarkCandidates(b *testing.B) {
	v := snapshot(b, openAt(b, benchPath(b)))
	q := store.CandidateQuery{
		Lexical: store.LexicalQuery{Weights: weights, Limit: 50},
		Vector:  store.VectorQuery{Vector: unit(rand.New(rand.NewPCG(1, 1)), benchVector), Limit: 50},
	}
	for _, word := range benchQueries["five words"] {
		q.Lexical.Terms = append(q.Lexical.Terms, store.Term{Text: word})
	}
	for b.Loop() {
		_, err := v.Candidates(b.Context(), q)
		must(b, err)
	}
}

func BenchmarkSelect(b *testing.B) {
	v := snapshot(b, openAt(b, benchPath(b)))
	for b.Loop() {
		_, err := v.Select(b.Context(), store.Filter{Folders: []string{"f3"}})
		must(b, err)
	}
}

// BenchmarkWithoutArchived asks for what nearly every search does, with one archived note, before and after a deletion.
func BenchmarkWithoutArchived(b *testing.B) {
	list := benchCorpus(b)
	list[7].Status = "archived"
	s := openAt(b, filepath.Join(b.TempDir(), "index.db"))
	put(b, s, store.Full, list)
	for _, name := range []string{"dense", "sparse"} {
		v := snapshot(b, s)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := v.Select(b.Context(), store.Filter{ExcludeArchived: true})
				must(b, err)
			}
		})
		must(b, v.Close())
		u, err := s.Begin(b.Context(), store.Incremental)
		must(b, err)
		must(b, u.Delete(b.Context(), []string{list[9].Path}))
		must(b, u.Commit(b.Context()))
	}
}

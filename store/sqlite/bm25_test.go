package sqlite_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// notes makes notes of words whose frequencies fall as in texts, with a vector each.
func notes(seed uint64, from, count, passages int) []store.Note {
	random := rand.New(rand.NewPCG(seed, 3))
	list := make([]store.Note, count)
	for i := range list {
		n := store.Note{File: store.File{Path: fmt.Sprintf("f%d/n%05d.md", i%7, from+i), ContentHash: "ab"}, Kind: "note", Title: "t"}
		if random.IntN(3) == 0 {
			n.Aliases = []string{words(random, 2), "白陶"}
		}
		for k := range passages {
			n.Passages = append(n.Passages, store.Passage{
				Text: words(random, 20+random.IntN(120)), Section: words(random, 3), HeadingContext: words(random, 5),
				LineStart: k + 1, LineEnd: k + 1, Vector: unit(random, 16),
			})
			if random.IntN(4) == 0 {
				p := &n.Passages[k]
				p.IndexText, p.Text = words(random, 1+random.IntN(9)), p.Text+" 做陶土杯"[:3*random.IntN(4)+1]
			}
		}
		list[i] = n
	}
	return list
}

func words(random *rand.Rand, count int) string {
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprintf("w%x", int(math.Exp(random.Float64()*10)))
	}
	return strings.Join(list, " ")
}

func unit(random *rand.Rand, dimension int) []float32 {
	v := make([]float32, dimension)
	length := 0.0
	for i := range v {
		v[i] = float32(random.NormFloat64())
		length += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(length))
	}
	return v
}

func put(t testing.TB, s store.Store, mode store.Mode, batches ...[]store.Note) {
	t.Helper()
	u, err := s.Begin(t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if err := u.Put(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := u.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func snapshot(t testing.TB, s store.Store) store.Snapshot {
	t.Helper()
	v, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func raw(t testing.TB, path string) *engine.Conn {
	t.Helper()
	c, err := engine.Open(path, false, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

var weights = store.Weights{1, 0.5, 0.3, 2, 0.7, 0.9, 0.2}

// stock asks FTS5 itself.
func stock(t testing.TB, c *engine.Conn, match string) map[store.PassageID]float64 {
	t.Helper()
	s, err := c.Prepare("SELECT rowid, -bm25(chunks_fts, 1.0, 0.5, 0.3, 2.0, 0.7, 0.9, 0.2) FROM chunks_fts WHERE chunks_fts MATCH ?")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Reset()
	s.BindText(0, match)
	scores := map[store.PassageID]float64{}
	for {
		more, err := s.Step()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return scores
		}
		scores[store.PassageID(s.Int(0))] = s.Float(1)
	}
}

// TestScoresAreThoseOfFTS5 compares with bm25() on an index in one segment, in several, and with a merge under way.
func TestScoresAreThoseOfFTS5(t *testing.T) {
	if testing.Short() {
		t.Skip("one call after another: nothing in it can race that shorter tests do not")
	}
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	check := func(state string) {
		c := raw(t, path)
		v := snapshot(t, s)
		for _, query := range [][]string{
			{"w1"}, {"w2", "w1", "w5"}, {"wa0", "w1f", "w3", "w200", "w7d0"}, {"w1 w1"}, {"w1 w2", "w9"}, {"w2 w1 w1"}, {"none"}, {"W1", "w1"}, {"陶土"}, {"做", "w9"}, {"做陶 陶土", "白陶"},
		} {
			var quoted []string
			var terms []store.Term
			for _, q := range query {
				quoted = append(quoted, `"`+q+`"`)
				terms = append(terms, store.Term{Text: q})
			}
			want := stock(t, c, strings.Join(quoted, " OR "))
			hits, err := v.Lexical(t.Context(), store.LexicalQuery{Terms: terms, Weights: weights, Limit: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) != len(want) {
				t.Errorf("%s: %q gives %d hits, FTS5 %d", state, query, len(hits), len(want))
			}
			for _, h := range hits {
				if math.Abs(h.Score-want[h.ID]) > 1e-9 {
					t.Fatalf("%s: %q scores %v, FTS5 %v", state, query, h.Score, want[h.ID])
				}
			}
			counts, err := v.Frequencies(t.Context(), query[:1], nil)
			if err != nil || counts[0] != len(stock(t, c, quoted[0])) {
				t.Errorf("%s: frequency of %q is %d, %v", state, query[0], counts[0], err)
			}
		}
		must(t, v.Close())
		must(t, c.Close())
	}
	all := notes(1, 0, 900, 4)
	put(t, s, store.Full, all[:400], all[400:])
	check("full")
	random := rand.New(rand.NewPCG(2, 2))
	for round := range unlessShort(12, 3) {
		var batches [][]store.Note
		for range 8 {
			batches = append(batches, notes(random.Uint64(), random.IntN(900), 1+random.IntN(15), 1+random.IntN(8)))
		}
		put(t, s, store.Incremental, batches...)
		u, err := s.Begin(t.Context(), store.Incremental)
		must(t, err)
		must(t, u.Delete(t.Context(), []string{all[random.IntN(900)].Path, all[random.IntN(900)].Path}))
		must(t, u.Commit(t.Context()))
		if round%3 == 0 {
			check(fmt.Sprint("round ", round))
		}
	}
	// A merge that was begun and not ended.
	c := raw(t, path)
	must(t, c.Exec("INSERT INTO chunks_fts(chunks_fts, rank) VALUES('merge', -2)"))
	must(t, c.Exec("INSERT INTO chunks_fts(chunks_fts, rank) VALUES('merge', 3)"))
	must(t, c.Close())
	check("merging")
	must(t, s.Verify(t.Context()))
}

// TestLongLists has words in so many rows, and so often in one, that lists and positions go over several pages.
func TestLongLists(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	var list []store.Note
	for i := range 3000 {
		text := "common"
		if i%100 == 7 {
			text = strings.Repeat("common often ", 30000)
		}
		list = append(list, store.Note{File: store.File{Path: fmt.Sprint(i)}, Passages: []store.Passage{{Text: text}}})
	}
	put(t, s, store.Full, list)
	put(t, s, store.Incremental, list[:200], list[1000:1500])
	c := raw(t, path)
	for _, word := range []string{"common", "often", "common often", "often common"} {
		hits, err := snapshot(t, s).Lexical(t.Context(), store.LexicalQuery{Terms: []store.Term{{Text: word}}, Weights: weights, Limit: 9999})
		must(t, err)
		want := stock(t, c, `"`+word+`"`)
		if len(hits) != len(want) || len(hits) == 0 {
			t.Errorf("%s: %d hits, FTS5 %d", word, len(hits), len(want))
		}
		for _, h := range hits {
			if math.Abs(h.Score-want[h.ID]) > 1e-9 {
				t.Fatalf("%s scores %v, FTS5 %v", word, h.Score, want[h.ID])
			}
		}
	}
}

// TestNearestIsClose compares with a scan of all vectors as they were given.
func TestNearestIsClose(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "index.db"))
	random := rand.New(rand.NewPCG(4, 4))
	var list []store.Note
	for i := range 4000 {
		list = append(list, store.Note{
			File: store.File{Path: fmt.Sprint(i)}, Passages: []store.Passage{{Text: "x", Vector: unit(random, 256)}},
		})
	}
	put(t, s, store.Full, list)
	v := snapshot(t, s)
	missed := 0
	for range 20 {
		query := unit(random, 256)
		exact := make([]float64, len(list))
		for i := range list {
			for k, x := range list[i].Passages[0].Vector {
				exact[i] += float64(x) * float64(query[k])
			}
		}
		hits, err := v.Nearest(t.Context(), store.VectorQuery{Vector: query, Limit: 30})
		must(t, err)
		cut := slices.Sorted(slices.Values(exact))[len(exact)-30]
		for _, h := range hits {
			found, err := v.Passages(t.Context(), []store.PassageID{h.ID})
			must(t, err)
			var i int
			_, err = fmt.Sscan(found[0].Path, &i)
			must(t, err)
			if math.Abs(exact[i]-h.Score) > 0.002 {
				t.Errorf("cosine %v, exactly %v", h.Score, exact[i])
			}
			if exact[i] < cut {
				missed++
			}
		}
	}
	if missed > 18 { // of 600: random vectors lie closer together than texts do
		t.Errorf("%d of the 30 nearest missed in 20 queries", missed)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// unlessShort is many, or few with -short, as under the race detector.
func unlessShort(many, few int) int {
	if testing.Short() {
		return few
	}
	return many
}

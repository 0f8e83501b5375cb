package sqlite_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/store"
)

// TestCandidatesFromMemory asks the same again and again: what is read from the file at first stays in memory later, and is gone
// through side by side. The answers are the same, to the last bit.
func TestCandidatesFromMemory(t *testing.T) {
	const dimension = 16
	random := rand.New(rand.NewPCG(7, 7))
	list := notes(70, 0, 1000, 5)
	for i := range list {
		for k := range list[i].Passages {
			if list[i].Passages[k].Vector = unit(random, dimension); random.IntN(9) == 0 {
				list[i].Passages[k].Vector = list[i/2].Passages[0].Vector // equal cosines
			}
		}
	}
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	put(t, s, store.Full, list)
	u, err := s.Begin(t.Context(), store.Incremental)
	must(t, err)
	must(t, u.Delete(t.Context(), []string{list[3].Path, list[500].Path}))
	must(t, u.Put(t.Context(), list[40:42]))
	must(t, u.Commit(t.Context()))
	some := &store.Set{}
	for id := range store.PassageID(5000) {
		if id%3 > 0 {
			some.Add(id)
		}
	}
	var first [][]store.Candidate
	for lap := range 4 {
		v := snapshot(t, s)
		for i := range 12 {
			draw := rand.New(rand.NewPCG(uint64(i), 8))
			q := store.CandidateQuery{Vector: store.VectorQuery{Vector: unit(draw, dimension), Limit: 1 + 20*i}}
			if i%3 > 0 {
				q.Lexical = store.LexicalQuery{Terms: []store.Term{{Text: "w1"}, {Text: "wa"}}, Weights: weights, Limit: 40}
			}
			if i%2 > 0 {
				q.Vector.Within, q.Lexical.Within = some, some
			}
			if lap == 0 {
				v = snapshot(t, openAt(t, path)) // nothing is in memory
			}
			got, err := v.Candidates(t.Context(), q)
			must(t, err)
			for k := range got {
				got[k].Note = factsOf(got[k].Note)
			}
			if lap == 0 {
				if len(got) < min(q.Vector.Limit, 30) {
					t.Fatalf("question %d brings %d candidates", i, len(got))
				}
				first = append(first, got)
			} else if diff := cmp.Diff(first[i], got); diff != "" {
				t.Fatalf("question %d in lap %d (-first +now):\n%s", i, lap, diff)
			}
		}
	}
}

// factsOf is what a candidate's note holds: the rest may be left out.
func factsOf(n *store.Note) *store.Note {
	of := &store.Note{
		Title: n.Title, Type: n.Type, Status: n.Status, Domain: n.Domain, Tags: n.Tags, Aliases: n.Aliases, Created: n.Created, Updated: n.Updated,
	}
	of.Path = n.Path
	return of
}

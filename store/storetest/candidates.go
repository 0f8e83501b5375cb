package storetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"quarry/store"
)

// candidateNotes is a corpus with all that candidates tell of, and the figures of some of the notes.
func candidateNotes(seed uint64, count int) (notes []store.Note, figures []store.Figures) {
	random := rand.New(rand.NewPCG(seed, 7))
	notes = corpus(seed, count)
	for i := range notes {
		n := &notes[i]
		n.Title, n.Type, n.Status, n.Domain = sentence(random, 2), fmt.Sprint("type", random.IntN(3)), []string{"", "open", "archived"}[random.IntN(3)], "d"
		n.Created, n.Updated = "2024-01-02", fmt.Sprintf("2024-02-%02d", 1+random.IntN(28))
		n.Aliases = []string{sentence(random, 1), fmt.Sprintf("camel%dCase%d_part", random.IntN(4), random.IntN(4))}
		for k := range n.Passages {
			n.Passages[k].HeadingContext = n.Title
			if random.IntN(5) == 0 {
				n.Passages[k].Vector = nil
			}
		}
		if random.IntN(2) == 0 {
			figures = append(figures, store.Figures{Path: n.Path, PageRank: random.Float64(), In: 1, Weight: random.Float64()})
		}
	}
	return notes, figures
}

// testCandidates compares the answers of a store with what its other answers make of the same question.
func testCandidates(t *testing.T, s store.Store) {
	notes, figures := candidateNotes(90, 120)
	for _, mode := range []store.Mode{store.Full, store.Incremental} {
		u := begin(t, s, mode)
		ok(t, u.Put(t.Context(), notes))
		ok(t, u.PutFigures(t.Context(), figures))
		if mode == store.Incremental {
			ok(t, u.Delete(t.Context(), []string{notes[3].Path, notes[50].Path, notes[51].Path}))
			changed, _ := candidateNotes(91, 30)
			ok(t, u.Put(t.Context(), changed))
		}
		ok(t, u.Commit(t.Context()))
		v := open(t, s)
		random := rand.New(rand.NewPCG(92, uint64(mode)))
		brought := 0
		for range 150 {
			q := randomCandidates(t, v, random)
			want, err := store.AskBoth(t.Context(), v, q)
			ok(t, err)
			got, err := v.Candidates(t.Context(), q)
			ok(t, err)
			if _, is := v.(store.Linked); !is { // then nothing but the candidates tells of weights
				for i := range got {
					got[i].Weight = 1
				}
			}
			sameCandidates(t, fmt.Sprintf("%+v", q), got, want)
			brought += len(got)
		}
		if brought < 1000 {
			t.Errorf("only %d candidates", brought)
		}
	}
}

// randomCandidates makes a question of which any part may be missing.
func randomCandidates(t *testing.T, v store.Snapshot, random *rand.Rand) store.CandidateQuery {
	word := func() string { return fmt.Sprint("w", 1+random.IntN(1+random.IntN(60))) }
	part := func() *store.Set {
		switch random.IntN(4) {
		case 0:
			set, err := v.Select(t.Context(), store.Filter{Tags: []string{fmt.Sprint("t", random.IntN(4))}})
			ok(t, err)
			return set
		case 1:
			set, err := v.Holding(t.Context(), []store.Term{{Text: word(), Occur: store.Occur(1 + random.IntN(2))}})
			ok(t, err)
			return set
		}
		return nil
	}
	var q store.CandidateQuery
	limit := func() int { return []int{0, 1, 3, 10, 50, 1000}[random.IntN(6)] }
	if random.IntN(6) > 0 {
		q.Lexical = store.LexicalQuery{Terms: should(word(), word(), word()+" "+word()), Weights: weights, Limit: limit(), Within: part()}
		if random.IntN(4) == 0 {
			q.Lexical.Terms = append(q.Lexical.Terms, store.Term{Text: word(), Occur: store.Occur(1 + random.IntN(2))})
		}
		if random.IntN(4) == 0 {
			q.Lexical.Among = part()
		}
	}
	if random.IntN(6) > 0 {
		q.Vector = store.VectorQuery{Vector: vector(random.Uint64()), Limit: limit(), Within: q.Lexical.Within}
		if random.IntN(3) == 0 {
			q.Vector.Within = part()
		}
	}
	if random.IntN(2) == 0 {
		q.Identifiers = should(fmt.Sprintf("camel%dcase%dpart", random.IntN(4), random.IntN(4)), "part", word())
	}
	return q
}

// sameCandidates allows for the cosine of a note, which a store may keep rounded.
func sameCandidates(t *testing.T, name string, got, want []store.Candidate) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d candidates, want %d", name, len(got), len(want))
	}
	for i := range got {
		g, w := got[i], want[i]
		if math.Abs(g.NoteCosine-w.NoteCosine) > cosineTolerance {
			t.Errorf("%s: the note of %v has cosine %v, want %v", name, w.ID, g.NoteCosine, w.NoteCosine)
		}
		same(t, "note of "+name, lightNote(g.Note), lightNote(w.Note))
		g.Note, w.Note, g.NoteCosine, w.NoteCosine = nil, nil, 0, 0
		same(t, "candidate of "+name, g, w)
	}
}

// lightNote keeps what a candidate tells of its note.
func lightNote(n *store.Note) store.Note {
	return store.Note{
		File: store.File{Path: n.Path}, Title: n.Title, Type: n.Type, Status: n.Status, Domain: n.Domain, Tags: n.Tags, Aliases: n.Aliases,
		Created: n.Created, Updated: n.Updated,
	}
}

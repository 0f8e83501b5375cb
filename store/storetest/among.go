package storetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"quarry/store"
)

// testAmong asks a part of one index as it asks the whole of another that holds no more than this part: the answers are
// the same to the last bit.
func testAmong(t *testing.T, mixed, alone store.Store) {
	for round := range 4 {
		kept, further := corpus(uint64(200+round), 50), corpus(uint64(300+round), 50)
		u := begin(t, mixed, store.Incremental)
		for i := range kept { // so that their ids are mixed
			further[i].Path = strings.Replace(further[i].Path, "note", "further", 1)
			ok(t, u.Put(t.Context(), []store.Note{further[i], kept[i]}))
		}
		ok(t, u.Delete(t.Context(), []string{further[7].Path, further[20+round].Path}))
		ok(t, u.Commit(t.Context()))
		write(t, alone, store.Full, kept...)
		part, whole := open(t, mixed), open(t, alone)
		among := &store.Set{}
		for _, n := range kept {
			for _, p := range read(t, part, n.Path).Passages {
				among.Add(p.ID)
			}
		}
		_, passages, err := whole.Counts(t.Context())
		ok(t, err)
		if among.Len() != passages {
			t.Fatalf("%d passages in the part, %d in the whole", among.Len(), passages)
		}
		compareAmong(t, part, whole, among)
		among.Add(1 << 20) // is no passage, and counts as none
		among.Add(0)
		compareAmong(t, part, whole, among)
		compareAmong(t, part, part, nil)
		// The caller may go on with the set: the answer is of what is in it at the time.
		for id := range among.Clone().All() {
			if id%3 > 0 {
				among.Remove(id)
			}
		}
		counts, err := part.Frequencies(t.Context(), []string{"w1", "w1 w2"}, among)
		ok(t, err)
		for i, text := range []string{"w1", "w1 w2"} {
			held, err := part.Holding(t.Context(), []store.Term{{Text: text, Occur: store.Must}})
			ok(t, err)
			if want := store.Intersect(held, among).Len(); counts[i] != want {
				t.Errorf("%q is in %d of a smaller set, want %d", text, counts[i], want)
			}
		}
	}
}

// testManyAmong asks among more sets than a store may remember, in turn.
func testManyAmong(t *testing.T, s store.Store) {
	write(t, s, store.Full, corpus(14, 60)...)
	v := open(t, s)
	sets := make([]*store.Set, 9)
	for i := range sets {
		some, err := v.Select(t.Context(), store.Filter{Tags: []string{fmt.Sprint("t", i%4)}})
		ok(t, err)
		other, err := v.Holding(t.Context(), []store.Term{{Text: fmt.Sprint("w", 1+i), Occur: store.MustNot}})
		ok(t, err)
		sets[i] = store.Intersect(some, other)
	}
	for step := range 60 {
		among := sets[(7*step+step/9)%len(sets)]
		words := []string{"w1", "w2", fmt.Sprint("w", 3+step/20)}
		counts, err := v.Frequencies(t.Context(), words, among.Clone())
		ok(t, err)
		for i, word := range words {
			held, err := v.Holding(t.Context(), []store.Term{{Text: word, Occur: store.Must}})
			ok(t, err)
			if want := store.Intersect(held, among).Len(); counts[i] != want {
				t.Errorf("step %d: %s in %d passages of the set, want %d", step, word, counts[i], want)
			}
		}
	}
}

// compareAmong asks part among a set, and whole without.
func compareAmong(t *testing.T, part, whole store.Snapshot, among *store.Set) {
	t.Helper()
	random := rand.New(rand.NewPCG(32, 0))
	word := func() string { return fmt.Sprint("w", 1+random.IntN(1+random.IntN(300))) }
	for range 60 {
		terms := should(word(), word(), word()+" "+word(), "none")
		if random.IntN(3) == 0 {
			terms = append(terms, store.Term{Text: word(), Occur: store.MustNot})
		}
		if random.IntN(3) == 0 {
			terms = append(terms, store.Term{Text: "w" + fmt.Sprint(1+random.IntN(4)), Occur: store.Must})
		}
		q := store.LexicalQuery{Terms: terms, Weights: weights, Limit: 1 + random.IntN(40)}
		var filter store.Filter
		if random.IntN(2) == 0 {
			filter.Tags = []string{"t1", "t3"}
		}
		ask := func(v store.Snapshot, among *store.Set) ([]place, []float64, []int) {
			q.Among = among
			var err error
			q.Within, err = v.Select(t.Context(), filter)
			ok(t, err)
			hits, err := v.Lexical(t.Context(), q)
			ok(t, err)
			counts, err := v.Frequencies(t.Context(), []string{terms[0].Text, terms[1].Text, terms[2].Text, "none", ""}, among)
			ok(t, err)
			return places(t, v, hits), scores(hits), counts
		}
		gotPlaces, gotScores, gotCounts := ask(part, among)
		wantPlaces, wantScores, wantCounts := ask(whole, nil)
		same(t, fmt.Sprint(terms), gotPlaces, wantPlaces)
		same(t, fmt.Sprint("scores of ", terms), gotScores, wantScores)
		same(t, fmt.Sprint("frequencies of ", terms), gotCounts, wantCounts)
	}
}

func testAmongNothing(t *testing.T, s store.Store) {
	write(t, s, store.Full, plainNote("a.md", "red", "red blue", ""), plainNote("b.md", "blue"))
	v := open(t, s)
	for _, among := range []*store.Set{{}, setOf(1 << 30), setOf(0)} {
		counts, err := v.Frequencies(t.Context(), []string{"red", "none"}, among)
		ok(t, err)
		same(t, "frequencies", counts, []int{0, 0})
		hits, err := v.Lexical(t.Context(), store.LexicalQuery{Terms: should("red"), Weights: weights, Limit: 9, Among: among})
		ok(t, err)
		same(t, "hits", hits, []store.Hit{})
	}
}

func setOf(ids ...store.PassageID) *store.Set {
	s := &store.Set{}
	for _, id := range ids {
		s.Add(id)
	}
	return s
}

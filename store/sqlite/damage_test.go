package sqlite_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/store"
	"quarry/store/sqlite"
	"quarry/store/storetest"
)

// TestDamage garbles pages: whatever the place, no panic, no hit that is in no note, and Verify finds what changed.
func TestDamage(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "index.db")
	s := openAt(t, path)
	all := notes(14, 0, 150, 3)
	for i := range all {
		all[i].Links = []store.Link{{Target: "a"}, {Target: "b"}}
		all[i].Tags = []string{"x"}
		all[i].Headings, all[i].BlockIDs = []store.Heading{{Level: 1, Text: all[i].Path}}, []string{"b"}
		all[i].Passages[0].IndexText = all[i].Path
		all[i].Passages[1].RankData, all[i].Passages[2].RankData = storetest.TokenData(int32(i), 300, 9), storetest.TokenData(int32(2*i))
		all[i].Sensitivity, all[i].Redactions = "private", []store.Redaction{{Name: all[i].Path, Count: i + 1}}
	}
	put(t, s, store.Full, all[:100])
	put(t, s, store.Incremental, all[90:])
	join(t, s, all)
	must(t, s.Close())
	whole, err := os.ReadFile(path)
	must(t, err)
	texts := map[string]bool{}
	for _, n := range all {
		for _, p := range n.Passages {
			texts[n.Path+p.Text] = true
		}
	}
	random := rand.New(rand.NewPCG(15, 15))
	found := 0
	rounds := unlessShort(150, 30)
	for round := range rounds {
		damaged := slices.Clone(whole)
		size := []int{1, 16, 4096}[round%3]
		at := random.IntN(len(damaged) - size)
		for i := range size {
			damaged[at+i] = byte(random.Uint32())
		}
		if round == 0 {
			damaged = damaged[:len(damaged)/2]
		}
		copied := filepath.Join(folder, fmt.Sprint(round, ".db"))
		must(t, os.WriteFile(copied, damaged, 0o600))
		if err := examine(t, copied, texts); err != nil {
			found++
			tellsNothingRaw(t, err)
			if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrNewer) && !errors.Is(err, sqlite.ErrIO) &&
				!errors.Is(err, sqlite.ErrRefused) && !errors.Is(err, store.ErrMissing) {
				t.Errorf("round %d (%d bytes at %d): %v", round, size, at, err)
			}
		} else if !sameContent(t, copied, all) {
			t.Errorf("round %d (%d bytes at %d): Verify finds nothing, but the content has changed", round, size, at)
		}
		must(t, os.Remove(copied))
	}
	if found < rounds/3 {
		t.Errorf("only %d of %d were found", found, rounds)
	}
}

// examine asks questions of a damaged index, then verifies it.
func examine(t *testing.T, path string, texts map[string]bool) error {
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	if err != nil {
		return err
	}
	defer s.Close()
	v, err := s.Snapshot(t.Context())
	if err != nil {
		return err
	}
	defer v.Close()
	hits, err := v.Lexical(t.Context(), store.LexicalQuery{Terms: []store.Term{{Text: "w1"}, {Text: "w20"}}, Weights: weights, Limit: 50})
	if err != nil {
		return err
	}
	near, err := v.Nearest(t.Context(), store.VectorQuery{Vector: unit(rand.New(rand.NewPCG(1, 1)), 16), Limit: 50})
	if err != nil {
		return err
	}
	for _, h := range append(hits, near...) {
		found, err := v.Passages(t.Context(), []store.PassageID{h.ID})
		if err == nil && !texts[found[0].Path+found[0].Text] {
			t.Error("a hit that is in no note")
		}
	}
	candidates, err := v.Candidates(t.Context(), store.CandidateQuery{
		Lexical: store.LexicalQuery{Terms: []store.Term{{Text: "w1"}}, Weights: weights, Limit: 20},
		Vector:  store.VectorQuery{Vector: unit(rand.New(rand.NewPCG(2, 1)), 16), Limit: 20}, Identifiers: []store.Term{{Text: "w2"}},
	})
	if err != nil {
		return err
	}
	some := &store.Set{}
	for _, c := range candidates {
		some.Add(c.ID)
	}
	for _, among := range []*store.Set{nil, some} {
		if _, err := v.TokenFrequencies(t.Context(), []uint16{9, 300}, among); err != nil {
			return err
		}
	}
	if _, err := v.Select(t.Context(), store.Filter{Sections: []string{"w"}}); err != nil {
		return err
	}
	if _, err := v.Notes(t.Context(), store.NoteQuery{}); err != nil {
		return err
	}
	if _, err := v.Select(t.Context(), store.Filter{Tags: []string{"x"}}); err != nil {
		return err
	}
	if _, _, err := storedGraph(t, v); err != nil {
		return err
	}
	return s.Verify(t.Context())
}

func sameContent(t *testing.T, path string, all []store.Note) bool {
	v := snapshot(t, openAt(t, path))
	wantEdges, wantFigures := graphOfNotes(all)
	edges, figures, err := storedGraph(t, v)
	if err != nil || !cmp.Equal(edges, wantEdges) || !cmp.Equal(figures, wantFigures) {
		return false
	}
	counts, err := v.TokenFrequencies(t.Context(), []uint16{300, 9, 100}, nil)
	if err != nil || !slices.Equal(counts, []int{150, 150, 2}) {
		return false
	}
	for _, want := range all {
		got, ok, err := v.Note(t.Context(), want.Path)
		if err != nil || !ok || len(got.Links) != len(want.Links) || len(got.Passages) != len(want.Passages) ||
			got.Sensitivity != want.Sensitivity || !slices.Equal(got.Redactions, want.Redactions) ||
			!slices.Equal(got.Headings, want.Headings) || !slices.Equal(got.BlockIDs, want.BlockIDs) {
			return false
		}
		for i, p := range got.Passages {
			if p.Text != want.Passages[i].Text || p.Section != want.Passages[i].Section || p.IndexText != want.Passages[i].IndexText {
				return false
			}
		}
	}
	return true
}

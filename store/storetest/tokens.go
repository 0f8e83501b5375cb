package storetest

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"quarry/internal/interaction"
	"quarry/store"
)

// everyToken is a model of which each number of 16 bits is a token.
type everyToken struct{}

func (everyToken) Name() string                                         { return "every token" }
func (everyToken) Hash() string                                         { return "" }
func (everyToken) Dim() int                                             { return 1 }
func (everyToken) Embed(context.Context, []string) ([][]float32, error) { return nil, nil }
func (everyToken) AppendTokens(ids []int32, _ string) []int32           { return ids }
func (everyToken) EmbedTokens([]int32) []float32                        { return []float32{1} }
func (everyToken) Row(int32) (row []int8, scale float32)                { return []int8{100}, 0.01 }
func (everyToken) VocabularySize() int                                  { return 1 << 16 }

var packer = sync.OnceValue(func() *interaction.Packer { return interaction.NewPacker(everyToken{}) })

// TokenData gives a passage's RankData of these tokens, nil for none.
func TokenData(tokens ...int32) []byte { return packer().Pack(interaction.Text{Body: tokens}) }

// tokenNotes have tokens of which some are frequent; token 65535 is in one passage of all.
func tokenNotes(seed uint64, count int) []store.Note {
	random := rand.New(rand.NewPCG(seed, 8))
	notes := corpus(seed, count)
	for i := range notes {
		for k := range notes[i].Passages {
			tokens := make([]int32, random.IntN(20))
			for j := range tokens {
				tokens[j] = int32(random.IntN(1 + random.IntN(1<<(3+random.IntN(9)))))
			}
			notes[i].Passages[k].RankData = TokenData(tokens...)
		}
	}
	last := &notes[count-1]
	last.Passages = append(last.Passages, store.Passage{Text: "x", RankData: TokenData(1<<16-1, 7)})
	return notes
}

// sameTokens counts tokens anew.
func sameTokens(t *testing.T, v store.Snapshot, among *store.Set) {
	t.Helper()
	tokens := []uint16{0, 1, 2, 3, 7, 30, 31, 100, 900, 1<<16 - 1, 1<<16 - 2, 7}
	got, err := v.TokenFrequencies(t.Context(), tokens, among)
	ok(t, err)
	want := make([]int, len(tokens))
	for _, path := range paths(t, v) {
		for _, p := range read(t, v, path).Passages {
			if !among.Has(p.ID) {
				continue
			}
			data, err := v.RankData(t.Context(), []store.PassageID{p.ID})
			ok(t, err)
			ok(t, interaction.EachToken(data[0], func(token uint16) {
				for i := range tokens {
					if tokens[i] == token {
						want[i]++
					}
				}
			}))
		}
	}
	same(t, "frequencies of tokens", got, want)
}

// testTokenFrequencies changes an index and counts, in all of it and in parts.
func testTokenFrequencies(t *testing.T, s store.Store) {
	sameTokens(t, open(t, s), nil)
	random := rand.New(rand.NewPCG(93, 93))
	for round := range 8 {
		mode := []store.Mode{store.Full, store.Incremental, store.Incremental, store.Incremental}[round%4]
		u := begin(t, s, mode)
		notes := tokenNotes(uint64(94+round), 40)
		ok(t, u.Put(t.Context(), notes))
		ok(t, u.Delete(t.Context(), []string{notes[3].Path, notes[random.IntN(40)].Path}))
		ok(t, u.Put(t.Context(), tokenNotes(uint64(70+round), 20)))
		ok(t, u.Commit(t.Context()))
		ok(t, s.Verify(t.Context()))
		v := open(t, s)
		sameTokens(t, v, nil)
		for _, share := range []int{2, 10, 3} {
			some := setOf(0, 1<<20) // are no passages
			for _, path := range paths(t, v) {
				for _, p := range read(t, v, path).Passages {
					if random.IntN(share) > 0 != (share == 10 && round%2 == 0) {
						some.Add(p.ID)
					}
				}
			}
			sameTokens(t, v, some)
			sameTokens(t, v, some.Clone())
		}
		sameTokens(t, v, &store.Set{})
	}
	u := begin(t, s, store.Incremental)
	ok(t, u.Delete(t.Context(), paths(t, open(t, s))))
	ok(t, u.Commit(t.Context()))
	ok(t, s.Verify(t.Context()))
	sameTokens(t, open(t, s), nil)
}

// testNoTokens: data that are no tokens are refused.
func testNoTokens(t *testing.T, s store.Store) {
	n := plainNote("a.md", "x")
	write(t, s, store.Incremental, n)
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		n.Passages[0].RankData = []byte("no tokens")
		u := begin(t, s, mode)
		if err := u.Put(t.Context(), []store.Note{n}); err == nil {
			t.Error("data that are no tokens are taken")
		}
		ok(t, u.Rollback())
	}
	sameTokens(t, open(t, s), nil)
	ok(t, s.Verify(t.Context()))
}

package memory

import (
	"context"
	"fmt"
	"slices"

	"quarry/internal/interaction"
	"quarry/store"
)

// Candidates asks both legs.
func (s *snapshot) Candidates(ctx context.Context, q store.CandidateQuery) ([]store.Candidate, error) {
	return store.AskBoth(ctx, s, q)
}

// Newest sorts all notes.
func (s *snapshot) Newest(ctx context.Context, q store.NewestQuery) ([]store.Candidate, error) {
	notes := slices.SortedFunc(slices.Values(s.notes), store.ByUpdated.Order)
	var list []store.Candidate
	for _, n := range notes {
		if len(list) >= q.Limit {
			break
		}
		var first *passage
		for i := range s.passages {
			p := &s.passages[i]
			if p.Path != n.Path {
				continue
			}
			if q.Without != nil && q.Without.Has(p.ID) {
				first = nil
				break
			}
			if first == nil && q.Within.Has(p.ID) {
				first = p
			}
		}
		if first != nil {
			list = append(list, store.Candidate{ID: first.ID, Index: first.Index, Note: n, Weight: 1})
		}
	}
	return list, ctx.Err()
}

// checkTokens reads the tokens of a note's passages.
func checkTokens(n *store.Note) error {
	for i := range n.Passages {
		if data := n.Passages[i].RankData; len(data) > 0 {
			if err := interaction.EachToken(data, func(uint16) {}); err != nil {
				return fmt.Errorf("put %s: passage %d: %w", n.Path, i, err)
			}
		}
	}
	return nil
}

// TokenFrequencies counts the passages by their tokens.
func (s *snapshot) TokenFrequencies(_ context.Context, tokens []uint16, among *store.Set) ([]int, error) {
	all := map[uint16]int{}
	for i := range s.passages {
		p := &s.passages[i]
		if len(p.RankData) == 0 || !among.Has(p.ID) {
			continue
		}
		if err := interaction.EachToken(p.RankData, func(token uint16) { all[token]++ }); err != nil {
			return nil, fmt.Errorf("count tokens: %w", err)
		}
	}
	counts := make([]int, len(tokens))
	for i, token := range tokens {
		counts[i] = all[token]
	}
	return counts, nil
}

// Words gives the words of texts.
func (s *snapshot) Words(_ context.Context, texts []string) ([][]string, error) {
	list := make([][]string, len(texts))
	for i, text := range texts {
		list[i] = words(text)
	}
	return list, nil
}

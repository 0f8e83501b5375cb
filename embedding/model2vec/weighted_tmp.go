package model2vec

import "quarry/internal/vector"

// EmbedWeighted x
func (m *Model) EmbedWeighted(words []string, weights []float32) []float32 {
	sum := make([]float32, m.Dim())
	for i, w := range words {
		for _, id := range m.Tokenize(w) {
			row, scale := m.Row(id)
			vector.Accumulate(sum, row, scale*weights[i])
		}
	}
	normalize(sum)
	return sum
}

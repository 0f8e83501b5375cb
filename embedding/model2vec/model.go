// Package model2vec computes Model2Vec embeddings: a text's vector is the mean of its tokens' vectors, at unit length.
// It reads folders as the Python package model2vec writes them and gives the same bits; the built-in model is stored
// in int8 and within a cosine of 0.9999 of the original.
package model2vec

import (
	"context"
	"math"
	"sync"

	"quarry/internal/vector"
)

// Model is an embedding model. It is immutable and safe for concurrent use. It implements embedding.Embedder.
type Model struct {
	name       string
	hash       string
	tokenizer  *tokenizer
	weights    weights
	normalized bool // vectors are brought to unit length
	pool       sync.Pool

	quantizeOnce sync.Once
	quantized    *quantizedRows
}

// weights are the vectors of the tokens.
type weights interface {
	dimension() int
	// isHalf reports whether results are rounded to float16.
	isHalf() bool
	// mean writes the mean of the vectors of s.ids, at least one, to out.
	mean(out []float32, s *scratch)
}

// Embed gives one vector a text: Dim() components of unit length, or nil where the model knows no word. It uses one
// core. The built-in model, which limits what it reads of a text, takes 0.02 ms for 900 characters and 0.3 ms at worst.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := m.EmbedRaw(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i, v := range vectors {
		if isZero(v) {
			vectors[i] = nil
		} else if !m.normalized {
			normalize(v)
		}
	}
	return vectors, nil
}

// EmbedRaw gives the vectors as the reference does: the zero vector for a text in which the model knows no word, and not
// at unit length where the model's configuration does not ask for it. The only error is that of ctx.
func (m *Model) EmbedRaw(ctx context.Context, texts []string) ([][]float32, error) {
	s := m.scratch()
	defer m.release(s)
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.tokenizer.tokenize(s, text)
		vectors[i] = m.vector(s)
	}
	return vectors, nil
}

// Tokenize gives the ids of the tokens of text that count: after the cut at the model's limits, without unknown words.
func (m *Model) Tokenize(text string) []int32 {
	return m.AppendTokens(nil, text)
}

// AppendTokens adds what Tokenize gives to ids.
func (m *Model) AppendTokens(ids []int32, text string) []int32 {
	s := m.scratch()
	defer m.release(s)
	m.tokenizer.tokenize(s, text)
	return append(ids, s.ids...)
}

// EmbedTokens gives the vector that EmbedRaw gives for a text with these ids; each is in 0..VocabularySize()-1.
func (m *Model) EmbedTokens(ids []int32) []float32 {
	s := m.scratch()
	defer m.release(s)
	s.ids = append(s.ids[:0], ids...)
	return m.vector(s)
}

// vector is the result for s.ids.
func (m *Model) vector(s *scratch) []float32 {
	out := make([]float32, m.weights.dimension())
	if len(s.ids) == 0 {
		return out
	}
	m.weights.mean(out, s)
	if m.normalized {
		normalize(out)
		if m.weights.isHalf() {
			for i, x := range out {
				out[i] = float32(roundToHalf(float64(x)))
			}
		}
	}
	return out
}

// Dim is the number of components of a vector.
func (m *Model) Dim() int { return m.weights.dimension() }

// Name is the name of the model's folder, e.g. "potion-base-8M".
func (m *Model) Name() string { return m.name }

// Hash identifies the model with its options, in hex. Equal hashes mean equal vectors.
func (m *Model) Hash() string { return m.hash }

// VocabularySize is one more than the highest token id.
func (m *Model) VocabularySize() int { return m.tokenizer.wordPiece.vocabulary.size() }

// Token gives the text of an id in 0..VocabularySize()-1, with "##" before one that continues a word; "" for an id that
// no word has.
func (m *Model) Token(id int32) string { return m.tokenizer.wordPiece.vocabulary.token(id) }

// Row gives the vector of a token, weight included: about scale·row, Dim() components. The row is to be read only.
// The first call is slow for a model that is not stored so, as the whole matrix is quantized.
func (m *Model) Row(id int32) (row []int8, scale float32) {
	return m.quantizedRows().row(id)
}

func (m *Model) quantizedRows() *quantizedRows {
	m.quantizeOnce.Do(func() {
		if m.quantized == nil {
			m.quantized = quantizeRows(m.weights, m.VocabularySize())
		}
	})
	return m.quantized
}

func (m *Model) scratch() *scratch {
	if s, ok := m.pool.Get().(*scratch); ok {
		return s
	}
	return new(scratch)
}

// release keeps the scratch for the next text, unless one long text made it large.
func (m *Model) release(s *scratch) {
	if cap(s.text)+4*cap(s.ids) <= maxScratchBytes {
		m.pool.Put(s)
	}
}

func isZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// normalize brings v to unit length as numpy does: v / (‖v‖ + 1e-32), each step rounded to float32.
func normalize(v []float32) {
	length := float32(math.Sqrt(float64(squares(v)))) + 1e-32
	for i := range v {
		v[i] /= length
	}
}

// squares sums the squares of v in the order of numpy's pairwise summation: up to 128 elements in eight running sums,
// more in two halves of which the first is a multiple of eight long.
func squares(v []float32) float32 {
	switch {
	case len(v) < 8:
		var sum float32
		for _, x := range v {
			sum += float32(x * x)
		}
		return sum
	case len(v) <= 128:
		return vector.Dot(v, v)
	}
	half := len(v) / 2 &^ 7
	return squares(v[:half]) + squares(v[half:])
}

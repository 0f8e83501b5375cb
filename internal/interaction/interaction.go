// Package interaction is the second stage of ranking: late interaction of a query with the tokens of passages, by the static
// vectors of the embedding model. It holds how these tokens are packed, and the scores that come of them. It is pure: values in,
// values out, the same bits on every machine.
//
// A token whose vector is short is left out of what is packed, and of the lengths of windows. In a model that weighs tokens by the
// lengths of their vectors it is one that is everywhere: of the built-in model's 29,528, some 200, such as punctuation, articles,
// digits and "use", which make up more than half of a technical text.
package interaction

import (
	"errors"
	"math"
	"slices"

	"quarry/embedding"
	"quarry/internal/vector"
)

const (
	runTokens = 32 // a window is two runs of the body, and each begins a run later than the one before
	// maxVocabulary is that of models whose tokens can be packed: an id has 16 bits.
	maxVocabulary = 1 << 16
	// Tokens of a passage's body, and of its title or headings, that are packed.
	maxBodyTokens, maxNameTokens = 4096, 256
	// maxQueryTokens are read of a query.
	maxQueryTokens = 512
	// leftOut is the length of a token's vector, in medians of the model's, below which it is left out. From 0 to .5 the sum of all
	// scores finds equally well, within the noise of four sets; the windows alone find more the more is left out, to .5 (+.02).
	leftOut = 0.45
	// lengthSamples are the vectors of a model of whose lengths the median is taken.
	lengthSamples = 64
)

// errDamaged tells that packed data contradict themselves, or the model.
var errDamaged = errors.New("the tokens of a passage are damaged")

// isUsable tells whether the tokens of a model can be packed.
func isUsable(model embedding.TokenModel) bool {
	return model.VocabularySize() <= maxVocabulary && model.VocabularySize() > 0 && model.Dim() > 0
}

// rowLength is the length of a row of int8, 0 for one of zeros.
func rowLength(row []int8) float64 {
	var square [1]int32
	vector.Dots(row, row, square[:])
	return math.Sqrt(float64(square[0]))
}

// tokenLength is the length of a token's vector.
func tokenLength(model embedding.TokenModel, token int32) float64 {
	row, scale := model.Row(token)
	return float64(float64(scale) * rowLength(row))
}

// typicalLength is the median length of a model's vectors, from a sample that is spread evenly; 1 where that is nothing.
func typicalLength(model embedding.TokenModel) float64 {
	size := model.VocabularySize()
	samples := min(size, lengthSamples)
	lengths := make([]float64, samples)
	for i := range lengths {
		lengths[i] = tokenLength(model, int32((2*i+1)*size/(2*samples)))
	}
	slices.Sort(lengths)
	if length := lengths[samples/2]; length > 0 && !math.IsInf(length, 0) {
		return length
	}
	return 1
}

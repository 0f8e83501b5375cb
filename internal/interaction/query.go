package interaction

import (
	"cmp"
	"math"
	"slices"

	"quarry/embedding"
	"quarry/internal/vector"
)

// maxCompared is the number of a query's tokens that MaxSim compares: those of most weight. It bounds the work for a long query: on
// four sets nDCG@10 with 8 and with 24 is within .002 of that with 12; 4 loses .02 on one of them.
const maxCompared = 12

// Query is a query as tokens, with the weight of each in this vault. It is immutable and safe for concurrent use.
type Query struct {
	model   embedding.TokenModel
	vector  []float32
	typical float64

	rows     []int8 // vector as int8, then the rows of the compared tokens
	scale    float64
	compared []compared
	weight   float64 // Σ of the compared
}

// compared is a token of a query in MaxSim.
type compared struct {
	token  uint16
	length float64 // of its row
	weight float64
}

// Tokens are the distinct tokens of a query's text in a model, rising, whose frequencies NewQuery asks for; nil for a model of
// more than 65,536 tokens.
func Tokens(model embedding.TokenModel, text string) []uint16 {
	if !isUsable(model) {
		return nil
	}
	return distinctTokens(queryTokens(model, text))
}

// queryTokens are those that are read. A model may be anyone's: what is no token of its vocabulary is left out, as Pack does.
func queryTokens(model embedding.TokenModel, text string) []int32 {
	tokens := model.AppendTokens(nil, text)
	tokens = tokens[:min(len(tokens), maxQueryTokens)]
	size := model.VocabularySize()
	return slices.DeleteFunc(tokens, func(token int32) bool { return token < 0 || int(token) >= size })
}

func distinctTokens(tokens []int32) []uint16 {
	distinct := make([]uint16, len(tokens))
	for i, token := range tokens {
		distinct[i] = uint16(token)
	}
	slices.Sort(distinct)
	return slices.Compact(distinct)
}

// NewQuery weighs the tokens of a query's text by their idf in a vault: frequencies are the numbers of passages with Tokens' tokens,
// of all passages. Of a token that is never packed the number is not known, and goes by its length. Where there are no frequencies, or not
// one for each token, all tokens weigh the same.
func NewQuery(model embedding.TokenModel, text string, frequencies []int, passages int) *Query {
	q := &Query{model: model, typical: 1}
	tokens := queryTokens(model, text)
	if !isUsable(model) {
		q.vector = weightedSum(model, tokens, func(int32) float64 { return 1 })
		return q
	}
	q.typical = typicalLength(model)
	distinct := distinctTokens(tokens)
	idfs := make([]float64, len(distinct))
	for i, token := range distinct {
		length := tokenLength(model, int32(token)) / q.typical
		switch {
		case len(frequencies) != len(distinct):
			idfs[i] = 1
		case isLeftOut(length):
			idfs[i] = idf(assumed(length, passages), passages)
		default:
			idfs[i] = idf(frequencies[i], passages)
		}
	}
	q.vector = weightedSum(model, tokens, func(token int32) float64 {
		place, _ := slices.BinarySearch(distinct, uint16(token))
		root := math.Sqrt(idfs[place])
		return float64(root * math.Sqrt(root)) // idf^.75
	})
	q.prepare(distinct, idfs)
	return q
}

// idf is ln(1 + (N-n+.5)/(n+.5)), as float32 has it, so that it is the same whichever way a processor takes logarithms.
func idf(frequency, passages int) float64 {
	n := float64(min(max(frequency, 0), max(passages, 0)))
	return float64(float32(math.Log(1 + (float64(max(passages, 0))-n+0.5)/(n+0.5))))
}

// assumed is the number of passages that a token that is not packed is taken to be in, by the length of its vector in medians: all
// where that is nothing, one in six at the longest. On four sets this finds as well as the true numbers do (squares: -.005).
func assumed(length float64, passages int) int {
	rest := 1 - length
	return int(float64(float64(max(passages, 0)) * float64(rest*rest) * rest))
}

// weightedSum is the unit sum of the tokens' vectors, each with its weight; nil where that is nothing.
func weightedSum(model embedding.TokenModel, tokens []int32, weight func(token int32) float64) []float32 {
	sum := make([]float32, model.Dim())
	for _, token := range tokens {
		row, scale := model.Row(token)
		vector.Accumulate(sum, row, float32(float64(scale)*weight(token)))
	}
	length := math.Sqrt(float64(vector.Dot(sum, sum)))
	if length == 0 || math.IsInf(length, 0) || math.IsNaN(length) {
		return nil
	}
	for i := range sum {
		sum[i] = float32(float64(sum[i]) / length)
	}
	return sum
}

// prepare chooses the tokens to compare, and lays their rows side by side.
func (q *Query) prepare(distinct []uint16, idfs []float64) {
	if q.vector == nil {
		return
	}
	q.rows = make([]int8, len(q.vector))
	q.scale = float64(vector.Quantize(q.vector, q.rows))
	for i, token := range distinct {
		length := tokenLength(q.model, int32(token))
		if isLeftOut(length / q.typical) {
			continue
		}
		row, _ := q.model.Row(int32(token))
		q.compared = append(q.compared, compared{token: token, length: rowLength(row), weight: float64(math.Sqrt(idfs[i]) * length)})
	}
	slices.SortStableFunc(q.compared, func(a, b compared) int { return cmp.Compare(b.weight, a.weight) })
	q.compared = q.compared[:min(len(q.compared), maxCompared)]
	for _, c := range q.compared {
		row, _ := q.model.Row(int32(c.token))
		q.rows = append(q.rows, row...)
		q.weight += c.weight
	}
}

// Vector is unit(Σ idf(t)^.75·E[t]) over the tokens of the query, idf(t) = ln(1 + (N-n+.5)/(n+.5)); nil where the model knows
// none. It is to be read only.
func (q *Query) Vector() []float32 { return q.vector }

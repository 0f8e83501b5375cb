// Package interaction is the second stage of ranking: late interaction of a query with the tokens of passages, by the static
// vectors of the embedding model. It holds how these tokens are packed, and the scores that come of them. It is pure: values in,
// values out, the same bits on every machine.
package interaction

import "quarry/embedding"

// Text is a passage's text with what stands above it, as tokens of the model in reading order.
type Text struct{ Title, Headings, Body []int32 }

// Pack gives the data of a passage: the tokens of title, headings and body, and the lengths of the windows. nil where there is no
// token.
func Pack(model embedding.TokenModel, text Text) []byte {
	_, _ = model, text
	return nil
}

// EachToken visits the distinct tokens in what Pack gave, rising. Damaged data give an error.
func EachToken(data []byte, visit func(token uint16)) error {
	_, _ = data, visit
	return nil
}

// Query is a query as tokens, with the weight of each in this vault. It is immutable.
type Query struct{ vector []float32 }

// Tokens are the distinct tokens of a query's text in a model, whose frequencies NewQuery asks for.
func Tokens(model embedding.TokenModel, text string) []uint16 {
	_, _ = model, text
	return nil
}

// NewQuery weighs the tokens of a query's text by their idf in a vault: frequencies are the numbers of passages with Tokens' tokens,
// of all passages. The error tells of a model that cannot be used so.
func NewQuery(model embedding.TokenModel, text string, frequencies []int, passages int) *Query {
	_, _, _, _ = model, text, frequencies, passages
	return &Query{}
}

// Vector is unit(Σ idf(t)^.75·E[t]) over the tokens of the query, idf(t) = ln(1 + (N-n+.5)/(n+.5)); nil where the model knows none.
func (q *Query) Vector() []float32 { return q.vector }

// Scores of a passage against a query; cosines, -1 to 1, 0 where the passage has no such tokens.
type Scores struct {
	Window   float64 // of the best window of the body
	Title    float64
	Headings float64
	// MaxSim is Σ aᵢ·max(0, maxⱼ cos(E[qᵢ], E[dⱼ])) / Σ aᵢ, 0 to 1, over the tokens of query and passage, aᵢ = √idf(qᵢ)·‖E[qᵢ]‖.
	MaxSim float64
}

// Score compares a query with passages, given what Pack made of them; nil gives zeros. Damaged data give an error.
func (q *Query) Score(data [][]byte) ([]Scores, error) { return make([]Scores, len(data)), nil }

// Package embedding is the contract of the models that turn text into vectors. The built-in one is in package model2vec.
package embedding

import "context"

// Embedder turns texts into vectors. It is safe for concurrent use. The same text gives the same vector, alone or among others.
type Embedder interface {
	// Embed gives one vector a text, in order: Dim() components of unit length, or nil for a text in which the model
	// knows no word. Texts may hold any bytes; invalid UTF-8 is read as U+FFFD.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Dim is the number of components.
	Dim() int
	// Name is what a user calls the model, e.g. "potion-base-8M".
	Name() string
	// Hash identifies name and vocabulary and weights, hex; it costs nothing: no weights are loaded for it.
	Hash() string
}

// TokenModel is an Embedder whose vectors are the unit means of those of a text's tokens, which it gives one by one. Its methods are
// safe for concurrent use and always give the same for the same. A token is a number from 0 to VocabularySize()-1; the caller gives
// no other, or they may panic.
type TokenModel interface {
	Embedder
	// AppendTokens adds the tokens of a text that count to ids, in reading order, as append does: the result is the caller's, and so
	// is ids, of which nothing is kept. Texts may hold any bytes.
	AppendTokens(ids []int32, text string) []int32
	// EmbedTokens gives the mean of the vectors of tokens, zeros for none: Dim() components, which are the caller's. It is not of unit
	// length for every model.
	EmbedTokens(ids []int32) []float32
	// Row gives the vector of a token, weight included: about scale·row, Dim() components, scale >= 0. The row is the model's own: it
	// stays as it is for good, and is to be read only.
	Row(id int32) (row []int8, scale float32)
	// VocabularySize is one more than the highest token.
	VocabularySize() int
}

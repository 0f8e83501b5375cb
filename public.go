package quarry

import (
	"quarry/embedding/model2vec"
	"quarry/search"
	"quarry/secret"
	"quarry/store"
)

// Names of the parts that front doors need; each is explained where it is defined.
type (
	// Mode says which legs of a search are asked.
	Mode = search.Mode
	// SearchPlan is how a query was understood.
	SearchPlan = search.Plan
	// Property asks for a frontmatter key, with a value or without.
	Property = store.Property
	// RedactionCount tells how often a rule of the secret filter found something.
	RedactionCount = secret.Count
)

// Modes of a search.
const (
	Hybrid  = search.Hybrid
	Lexical = search.Lexical
	Vector  = search.Vector
)

// Kinds of answer.
const (
	StatusOK         = search.OK
	StatusWeak       = search.Weak
	StatusNoResults  = search.NoResults
	StatusEmptyIndex = search.EmptyIndex
)

// Defaults of a search.
const (
	DefaultLimit     = search.DefaultLimit
	DefaultMaxTokens = search.DefaultMaxTokens
)

// Tokens estimates the tokens of a text, 4 characters a token.
func Tokens(text string) int { return search.Tokens(text) }

// Redact puts markers in the place of secrets and counts them by rule, sorted by name. The number of lines stays.
func Redact(text string) (string, []RedactionCount) { return secret.Redact(text) }

// BuiltInModelName is the name of the model inside the binary.
const BuiltInModelName = "potion-base-8M"

// ModelOptions say which embedding model to open.
type ModelOptions struct {
	Dir       string // a Model2Vec folder; "": the built-in model
	Dimension int    // keep the first components; 0: all
	DType     string // float32, float16 or int8: round the weights on loading; "": as stored
}

// Model is an embedding model. It is safe for concurrent use.
type Model struct{ model *model2vec.Model }

// Vector is a text's vector as the model's reference computes it: the zero vector where no word is known.
func (m *Model) Vector(text string) []float32 { return m.model.Vector(text) }

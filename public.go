package quarry

import (
	"context"
	"errors"

	"quarry/embedding/model2vec"
	"quarry/internal/sensitivity"
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
	// SearchStatus tells what kind of answer it is.
	SearchStatus = search.Status
	// SearchVia is the edge by which an expanded search came to a result.
	SearchVia = search.Via
	// Fusion says how the two legs of a search become one ranking.
	Fusion = search.Fusion
	// RankingSignals are the amounts that properties of a note or a passage add to its score.
	RankingSignals = search.Signals
	// Property asks for a frontmatter key, with a value or without.
	Property = store.Property
	// RedactionCount tells how often a rule of the secret filter found something.
	RedactionCount = secret.Count
	// Redactor puts markers in the place of secrets.
	Redactor = secret.Filter
	// RedactionOptions are patterns of the user's own, rules that are off, and values that are let through.
	RedactionOptions = secret.Options
	// RedactionPattern is a pattern of the user's own.
	RedactionPattern = secret.Pattern
	// RedactionOptionError says which of the RedactionOptions cannot be used and why.
	RedactionOptionError = secret.OptionError
	// SensitivityConfig says where the classes of notes come from.
	SensitivityConfig = sensitivity.Config
	// SensitivityError says which entry of a SensitivityConfig cannot be used and why.
	SensitivityError = sensitivity.ConfigError
)

// Modes of a search.
const (
	Hybrid  = search.Hybrid
	Lexical = search.Lexical
	Vector  = search.Vector
)

// Fusions of the legs of a search.
const (
	FusionSum = search.Sum
	FusionRRF = search.RRF
)

// DefaultRanking are the settings of the ranking that were measured.
func DefaultRanking() RankingSettings { return search.DefaultSettings() }

// Kinds of answer.
const (
	StatusOK              = search.OK
	StatusWeak            = search.Weak
	StatusNothingRelevant = search.NothingRelevant
	StatusNoResults       = search.NoResults
	StatusEmptyIndex      = search.EmptyIndex
)

// Defaults of a search.
const (
	DefaultLimit     = search.DefaultLimit
	DefaultMaxTokens = search.DefaultMaxTokens
)

// Redact puts markers in the place of secrets and counts them by rule, sorted by name. The number of lines stays.
func Redact(text string) (string, []RedactionCount) { return secret.Redact(text) }

// NewRedactor makes a filter of options; the zero value is the filter that Redact uses. The error is a
// *RedactionOptionError, or several, joined.
func NewRedactor(options RedactionOptions) (*Redactor, error) { return secret.New(options) }

// RedactionRules are the names of the rules that are built in, sorted: what RedactionOptions.Off takes.
func RedactionRules() []string { return secret.Names() }

// RedactionHash identifies a value without telling it, as RedactionOptions.Allowed names it: the hex SHA-256 of its bytes.
func RedactionHash(value []byte) string { return secret.Hash(value) }

// CheckSensitivity tells what is wrong with where classes come from. The error is a *SensitivityError.
func CheckSensitivity(config SensitivityConfig) error {
	_, err := sensitivity.New(config)
	return err
}

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

// OpenModel opens an embedding model. Only a model from a folder can be changed on loading.
func OpenModel(options ModelOptions) (*Model, error) {
	if options.Dir != "" {
		loaded, err := model2vec.Load(options.Dir, model2vec.Options{Dimension: options.Dimension, DType: options.DType})
		if err != nil {
			return nil, err
		}
		return &Model{loaded}, nil
	}
	if options.Dimension != 0 || options.DType != "" {
		return nil, errors.New("open the built-in model: it has one form alone; fewer components or another rounding need a folder")
	}
	model, err := model2vec.BuiltIn()
	if err != nil {
		return nil, err
	}
	return &Model{model}, nil
}

// Vectors are the texts' vectors as the model's reference computes them: the zero vector where no word is known. The only
// error is that of ctx.
func (m *Model) Vectors(ctx context.Context, texts []string) ([][]float32, error) {
	return m.model.EmbedRaw(ctx, texts)
}

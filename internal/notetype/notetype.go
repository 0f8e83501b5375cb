// Package notetype reads types.yaml: what the type of a note decides about its passages, its implied edges and its weight in
// ranking. It is pure.
package notetype

// FileName is the name of the file at the root of a vault.
const FileName = "types.yaml"

// Settings are what a type decides.
type Settings struct {
	ChunkProfile    string   // short, medium, long, by_heading or default; "": none is named
	EdgeDefaults    []string // kinds of edges that every explicit reference implies, in lower case, in the order written
	RetrieverWeight float64  // 0 to 10; 1 is usual
}

// Types are the settings of all types. A nil *Types is that of a vault without the file. It does not change and is safe for
// concurrent use.
type Types struct{}

// Problem is something of the file that cannot be used. The rest counts all the same.
type Problem struct {
	Line    int // 1-based
	Message string
}

// Overrides names the properties that may take the place of a type's settings.
type Overrides []string

// Property names that an override can be allowed for.
const (
	OverrideChunkProfile    = "chunk_profile"
	OverrideEdgeDefaults    = "edge_defaults"
	OverrideRetrieverWeight = "retriever_weight"
)

// Parse reads the file. overrides are the names of properties that notes may use in place of their type's settings; an unknown
// one is an error.
func Parse(raw []byte, overrides Overrides) (*Types, []Problem, error) { return &Types{}, nil, nil }

// Decode reads what Encode has written.
func Decode(encoded string) (*Types, error) { return nil, nil }

// Encode writes the types in a canonical form: equal settings give equal text. It is "" for nil.
func (t *Types) Encode() string { return "" }

// Passages identifies what of the types decides how notes become passages: where it is the same, so are the passages.
func (t *Types) Passages() string { return "" }

// Of gives the settings of a note by its type and its properties (the text of each scalar, as note.Note.FrontmatterRaw and
// store.Note.Frontmatter have them), and what of an override cannot be used.
func (t *Types) Of(noteType string, properties map[string]any) (Settings, []string) {
	return Settings{RetrieverWeight: 1}, nil
}

// Known tells whether the file has an entry for a type.
func (t *Types) Known(noteType string) bool { return false }

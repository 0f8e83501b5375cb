// Package notetype reads types.yaml: what the type of a note decides about its passages, its implied edges and its weight in
// ranking. It is pure.
//
//	version: 1.0
//	default:
//	  chunk_profile: by_heading
//	types:
//	  moc:
//	    chunk_profile: short
//	    edge_defaults: [related_to]
//	    retriever_weight: 0.6
//
// A setting is that of the note's own property, where the caller allows it, else that of its type, else that of default, else
// none. Types have the same name whatever the case of their letters and the composition of their accents.
package notetype

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// FileName is the name of the file at the root of a vault.
const FileName = "types.yaml"

// Settings are what a type decides.
type Settings struct {
	ChunkProfile    string   // short, medium, long, by_heading or default; "": none is named
	EdgeDefaults    []string // kinds of edges that every explicit reference implies, in lower case, in the order written; not to be changed
	RetrieverWeight float64  // 0 to 10; 1 is usual
}

// Types are the settings of all types. A nil *Types is that of a vault without the file. It does not change and is safe for
// concurrent use.
type Types struct {
	file      file
	isUseless bool // nothing of the file could be used
}

// IsUseless tells that there was a file of which nothing could be used: it is no YAML, no mapping or too large, as when it is half
// saved. Encode and Decode know nothing of that.
func (t *Types) IsUseless() bool { return t != nil && t.isUseless }

// file is what Encode writes.
type file struct {
	Default   entry            `json:"default,omitzero"`
	Types     map[string]entry `json:"types,omitempty"` // by key of the type
	Overrides []string         `json:"overrides,omitempty"`
}

// entry are the settings that the file gives a type; absent ones are zero.
type entry struct {
	ChunkProfile    string   `json:"chunk_profile,omitempty"`
	EdgeDefaults    []string `json:"edge_defaults,omitzero"` // not nil, but empty: none
	RetrieverWeight *float64 `json:"retriever_weight,omitempty"`
}

// IsZero tells of an entry that gives nothing.
func (e entry) IsZero() bool {
	return e.ChunkProfile == "" && e.EdgeDefaults == nil && e.RetrieverWeight == nil
}

// over gives an entry whose absent settings are those of another one.
func (e entry) over(below entry) entry {
	e.ChunkProfile = cmp.Or(e.ChunkProfile, below.ChunkProfile)
	if e.EdgeDefaults == nil {
		e.EdgeDefaults = below.EdgeDefaults
	}
	e.RetrieverWeight = cmp.Or(e.RetrieverWeight, below.RetrieverWeight)
	return e
}

// Problem is something of the file that cannot be used. The rest counts all the same.
type Problem struct {
	Line    int // 1-based
	Message string
}

// Overrides names the properties that may take the place of a type's settings.
type Overrides []string

// Property names that an override can be allowed for. A note writes them just so.
const (
	OverrideChunkProfile    = "chunk_profile"
	OverrideEdgeDefaults    = "edge_defaults"
	OverrideRetrieverWeight = "retriever_weight"
)

// settings are the names of all settings, in the file and as properties.
var settings = []string{OverrideChunkProfile, OverrideEdgeDefaults, OverrideRetrieverWeight}

// check tells of an unknown name.
func (o Overrides) check() error {
	for _, name := range o {
		if !slices.Contains(settings, name) {
			return fmt.Errorf("there is no setting %q that a note could override%s", shorten(name), suggestion(name, settings))
		}
	}
	return nil
}

// Decode reads what Encode has written. It is nil for "".
func Decode(encoded string) (*Types, error) {
	if encoded == "" {
		return nil, nil
	}
	decoder := json.NewDecoder(strings.NewReader(encoded))
	decoder.DisallowUnknownFields()
	var t Types
	if err := decoder.Decode(&t.file); err != nil {
		return nil, fmt.Errorf("decode the types of notes: %w", err)
	}
	return &t, nil
}

// Allows tells whether the properties of a note may take the place of a setting of its type, by the name of both.
func (t *Types) Allows(override string) bool {
	return t != nil && slices.Contains(t.file.Overrides, override)
}

// Encode writes the types in a canonical form: equal settings give equal text. It is "" for nil.
func (t *Types) Encode() string {
	if t == nil {
		return ""
	}
	encoded, err := json.Marshal(t.file)
	if err != nil {
		panic(err) //nolint:forbidigo // it is texts, lists and finite numbers alone
	}
	return string(encoded)
}

// Passages identifies what of the types decides how notes become passages: where it is the same, so are the passages. It is ""
// where all are those of a vault without the file.
func (t *Types) Passages() string {
	if t == nil {
		return ""
	}
	named := func(profile string) string { return cmp.Or(profile, ByHeading) }
	usual := named(t.file.Default.ChunkProfile)
	others := map[string]string{}
	for name, e := range t.file.Types {
		if profile := named(e.over(t.file.Default).ChunkProfile); profile != usual {
			others[name] = profile
		}
	}
	canOverride := t.Allows(OverrideChunkProfile)
	if usual == ByHeading && len(others) == 0 && !canOverride {
		return ""
	}
	encoded, err := json.Marshal([]any{usual, others, canOverride})
	if err != nil {
		panic(err) //nolint:forbidigo // it is texts alone
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:8])
}

// Of gives the settings of a note by its type and its properties (the text of each scalar, as note.Note.FrontmatterRaw and
// store.Note.Frontmatter have them), and the reasons of its Complaints. A property without a value overrides nothing;
// edge_defaults as an empty list means none.
func (t *Types) Of(noteType string, properties map[string]any) (Settings, []string) {
	if t == nil {
		return Settings{RetrieverWeight: 1}, nil
	}
	own, complaints := t.own(properties)
	found := own.over(t.file.Types[Key(noteType)]).over(t.file.Default)
	s := Settings{ChunkProfile: found.ChunkProfile, EdgeDefaults: found.EdgeDefaults, RetrieverWeight: 1}
	if found.RetrieverWeight != nil {
		s.RetrieverWeight = *found.RetrieverWeight
	}
	var reasons []string
	for _, c := range complaints {
		reasons = append(reasons, c.Reason())
	}
	return s, reasons
}

// Complaint tells of a property of a note that cannot take the place of its type's setting as it stands.
type Complaint struct {
	Property string // its name
	Message  string // what is wrong with it, and what counts then
}

// Reason is the complaint in one line.
func (c Complaint) Reason() string { return c.Property + ": " + c.Message }

// Complaints tells what of a note's properties cannot be used, at most one for each of the overrides and in their order. It
// depends on the properties and the overrides alone, not on the note's type. The properties are as for Of.
func (t *Types) Complaints(properties map[string]any) []Complaint {
	if t == nil {
		return nil
	}
	_, complaints := t.own(properties)
	return complaints
}

// own gives what a note's properties override.
func (t *Types) own(properties map[string]any) (entry, []Complaint) {
	var e entry
	var complaints []Complaint
	if len(properties) == 0 {
		return e, nil
	}
	for _, name := range t.file.Overrides {
		value, ok := textsOf(properties[name])
		var faults []fault
		switch {
		case !ok:
			faults = []fault{{message: "is neither a text nor a list of texts"}}
		case value.isAbsent():
			continue
		default:
			faults = e.set(name, value)
		}
		if len(faults) > 0 {
			complaints = append(complaints, Complaint{Property: name, Message: summary(faults) + "; " + e.remedy(name)})
		}
	}
	return e, complaints
}

// summary is the first of some faults, and how many there are beside it.
func summary(faults []fault) string {
	switch more := len(faults) - 1; {
	case more >= maxProblems:
		return faults[0].message + ", and many more like this"
	case more > 0:
		return fmt.Sprintf("%s, and %d more like this", faults[0].message, more)
	}
	return faults[0].message
}

// remedy tells what counts where an override has a fault.
func (e entry) remedy(name string) string {
	if name == OverrideEdgeDefaults && e.EdgeDefaults != nil {
		return "what else it lists counts"
	}
	return "that of the note's type counts"
}

// Names lists the types that the file has an entry for, by Key, sorted. It is nil where there is no file, or none of its types
// could be read.
func (t *Types) Names() []string {
	if t == nil || len(t.file.Types) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(t.file.Types))
}

// Key is the name by which a type is known: letter case, outer blanks and the composition of accents aside.
func Key(noteType string) string {
	return strings.ToLower(norm.NFC.String(strings.TrimSpace(noteType)))
}

package secret

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
)

// Pattern is a rule of the user's own beside those of the table.
type Pattern struct {
	Name     string   // as in the marker: lower-case letters, digits and hyphens
	Pattern  string   // RE2; its first group, if there is one, is the secret, else all of it
	Keywords []string // literals one of which every match holds, in any case; none: taken from the pattern
}

// Options change what a Filter finds. The zero value is the table of rules as it is.
type Options struct {
	Patterns []Pattern
	Off      []string // names of rules that are not to be looked for
	Allowed  []string // Hash of values that are to be left alone
}

// Filter finds secrets by the table of rules and what Options made of it. It is safe for concurrent use; a nil *Filter is
// Default().
type Filter struct {
	rules   *ruleSet // nil: the table as it is
	allowed map[[sha256.Size]byte]bool
}

// New makes a Filter. The error names the option that cannot be used and says why: a pattern that is no RE2, that matches
// the empty text or holds no literal, or that is too large; a name that no rule has; a hash that is none.
func New(options Options) (*Filter, error) {
	f := &Filter{}
	for _, text := range options.Allowed {
		sum, err := hex.DecodeString(text)
		if err != nil {
			return nil, err
		}
		if f.allowed == nil {
			f.allowed = map[[sha256.Size]byte]bool{}
		}
		f.allowed[[sha256.Size]byte(sum)] = true
	}
	return f, nil
}

// tableRules is the table without what options add: made ready once for a process, on the first text.
var tableRules = sync.OnceValue(func() *ruleSet { return newRuleSet(slices.Concat(vendorRules, genericRules)) })

func (f *Filter) table() *ruleSet {
	if f == nil || f.rules == nil {
		return tableRules()
	}
	return f.rules
}

var defaultFilter = &Filter{}

// Default is the table of rules as it is.
func Default() *Filter { return defaultFilter }

// Find is the package's Find by the rules of the filter.
func (f *Filter) Find(text []byte) []Span {
	r := &rounds{filter: f, text: text}
	r.look(Span{}, len(text), 1)
	return r.spans
}

// Redact is the package's Redact by the rules of the filter.
func (f *Filter) Redact(text string) (string, []Count) {
	raw := []byte(text)
	spans := f.Find(raw)
	if len(spans) == 0 {
		return text, []Count{}
	}
	return string(Apply(raw, spans)), Counts(spans)
}

// allows tells whether a found value is one to be left alone, as it is or without the quotes and blanks around it.
func (f *Filter) allows(value []byte) bool {
	if f == nil || len(f.allowed) == 0 {
		return false
	}
	if f.allowed[sha256.Sum256(value)] {
		return true
	}
	bare := bytes.Trim(value, " \t\r\n\"'`")
	return len(bare) < len(value) && f.allowed[sha256.Sum256(bare)]
}

// Hash identifies a value without telling it: the hex SHA-256 of its bytes.
func Hash(value []byte) string {
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:])
}

// Names are those of all rules of the table, sorted.
func Names() []string {
	var names []string
	for _, r := range slices.Concat(vendorRules, genericRules) {
		names = append(names, r.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

package secret

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
)

// Filter finds secrets by the table of rules and what Options made of it. It is safe for concurrent use; a nil *Filter is
// Default().
type Filter struct {
	rules   *ruleSet // nil: the table as it is
	allowed map[[sha256.Size]byte]bool
	off     map[string]bool
}

// tableRules is the table without what options add: made ready once for a process, on the first text.
var tableRules = sync.OnceValue(func() *ruleSet { return newRuleSet(slices.Concat(vendorRules(), genericRules)) })

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

// keeps tells whether a finding counts.
func (f *Filter) keeps(found finding, value []byte) bool {
	return found.name == Unscanned || (f == nil || !f.off[found.name]) && !f.allows(value)
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

// codeNames are those of rules that have no row in the table.
var codeNames = []string{"discord-bot-token", "high-entropy"}

// Names are those of all rules of the table that name what they find, sorted. The list is the caller's own.
func Names() []string { return slices.Clone(tableNames()) }

var tableNames = sync.OnceValue(func() []string {
	names := slices.Clone(codeNames)
	for _, r := range slices.Concat(vendorRules(), genericRules) {
		if r.name != tableRule {
			names = append(names, r.name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
})

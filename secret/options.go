package secret

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quarry/internal/spelling"
	"quarry/secret/internal/pattern"
)

// What patterns of the user's own may take up.
const (
	maxPatterns  = 64
	maxNameBytes = 40
)

// Pattern is a rule of the user's own beside those of the table. It is looked for around its keywords, in the text as a
// reader sees it: without invisible characters and Markdown's backslashes, with %41 and full-width letters put into plain
// ones. Its syntax is RE2; unlike in package regexp, "^" and "$" stand for the ends of lines, a match may not be empty, it
// holds a keyword, lies between 256 bytes before and 2 KiB behind it, and of several ways to match the first that holds one
// counts. Patterns that together take more than their share of the time for a stretch of 4 KiB withhold the rest of that
// under the name Unscanned: they can hide text, not slow a scan down, and never keep a rule of the table from looking.
type Pattern struct {
	Name     string   // as in the marker: lower-case letters, digits and hyphens, at most 40; of no rule of the table. Patterns may share one
	Pattern  string   // RE2, at most 500 bytes; its first group that took part is the secret, else all of it
	Keywords []string // one of which every match holds, in any case; only asked where the pattern shows none of 3 bytes
}

// Options change what a Filter finds. The zero value is the table of rules as it is.
type Options struct {
	Patterns []Pattern // at most 64
	Off      []string  // names of rules that are not to be looked for, of Names
	Allowed  []string  // Hash of values that are to be left alone, as they are found or without quotes and blanks around
}

// OptionError says which of the Options cannot be used and why. It holds no value of an option, for that may be a secret
// or be made to look like one: only the name of a pattern if it is a good one.
type OptionError struct {
	Option  string // as settings call it: "patterns", "off" or "allow"
	Index   int    // in its list, from 0
	Field   string // of a pattern: "name", "pattern" or "keywords"; empty for the others
	Name    string // of a pattern
	Problem string
	Hint    string // what to do about it
}

// Error says it in one line, counting from 1.
func (e *OptionError) Error() string {
	place := fmt.Sprintf("redaction %s, entry %d", e.Option, e.Index+1)
	if e.Name != "" {
		place += " (" + e.Name + ")"
	}
	if e.Field != "" {
		place += ", " + e.Field
	}
	return place + ": " + e.Problem + ": " + e.Hint
}

// New makes a Filter. All errors are of type *OptionError; where several options cannot be used it is all of them, joined.
func New(options Options) (*Filter, error) {
	var faults []error
	note := func(option string, index int, fault *OptionError) {
		if fault != nil {
			fault.Option, fault.Index = option, index
			faults = append(faults, fault)
		}
	}
	f := &Filter{allowed: map[[sha256.Size]byte]bool{}, off: map[string]bool{}}
	for i, text := range options.Allowed {
		sum, err := hex.DecodeString(text)
		if err != nil || len(sum) != sha256.Size {
			note("allow", i, &OptionError{Problem: "no SHA-256", Hint: "give 64 hexadecimal digits, the hash of the value and not the value"})
			continue
		}
		f.allowed[[sha256.Size]byte(sum)] = true
	}
	for i, name := range options.Off {
		note("off", i, checkOff(name))
		f.off[name] = true
	}
	var custom []rule
	for i, given := range options.Patterns[:min(len(options.Patterns), maxPatterns+1)] {
		r, fault := customRule(given)
		if i == maxPatterns {
			fault = &OptionError{Problem: fmt.Sprintf("more than %d patterns", maxPatterns), Hint: fmt.Sprintf("put short ones together, as alternatives of one pattern of at most %d bytes", pattern.MaxBytes)}
		}
		note("patterns", i, fault)
		custom = append(custom, r)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	if len(custom) > 0 || len(f.off) > 0 {
		rules := slices.Concat(vendorRules(), custom, genericRules)
		f.rules = newRuleSet(slices.DeleteFunc(rules, func(r rule) bool { return f.off[r.name] }))
	}
	return f, nil
}

func checkOff(name string) *OptionError {
	if slices.Contains(tableNames(), name) {
		return nil
	}
	near := nearest(name, tableNames())
	return &OptionError{Problem: "no rule has this name", Hint: "did you mean " + strings.Join(near, ", ") + "?"}
}

// nearest are the three names that are most like a wrong one.
func nearest(name string, names []string) []string {
	name = strings.ToLower(name[:min(len(name), 2*maxNameBytes)])
	near := slices.Clone(names)
	distances := map[string]int{}
	for _, other := range names {
		distances[other] = spelling.Distance(name, other)
		for part := range strings.SplitSeq(other, "-") {
			if len(part) > 2 && strings.Contains(name, part) {
				distances[other] -= 2 * len(part)
			}
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(distances[a], distances[b]) })
	return near[:min(len(near), 3)]
}

// customRule checks a pattern and makes a rule of it.
func customRule(p Pattern) (rule, *OptionError) {
	if !isRuleName(p.Name) {
		return rule{}, &OptionError{Field: "name", Problem: "not a name for a marker", Hint: fmt.Sprintf("use a-z, 0-9 and hyphens, at most %d", maxNameBytes)}
	}
	if p.Name == Unscanned || slices.Contains(tableNames(), p.Name) {
		return rule{}, &OptionError{Field: "name", Name: p.Name, Problem: "the name of a rule of the table", Hint: "choose another, such as my-" + shortened(p.Name)}
	}
	parsed, fault := pattern.New(p.Pattern, p.Keywords)
	if fault != nil {
		return rule{}, &OptionError{Field: fault.Field, Name: p.Name, Problem: fault.Problem, Hint: fault.Hint}
	}
	return rule{name: p.Name, keywords: parsed.Keywords(), own: true, loose: true, anyCase: true, most: 1, look: customPattern{parsed}.look}, nil
}

func isRuleName(name string) bool {
	for i := range len(name) {
		if c := name[i]; !isLower(c) && !isDigit(c) && c != '-' {
			return false
		}
	}
	return name != "" && len(name) <= maxNameBytes
}

func shortened(name string) string { return name[:min(len(name), maxNameBytes-len("my-"))] }

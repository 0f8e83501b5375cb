package secret

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// What patterns of the user's own may take up.
const (
	maxPatterns     = 64
	maxPatternBytes = 500
	maxInstructions = 1000 // of one, as package syntax compiles it
	maxNameBytes    = 40
	maxGivenBytes   = 64 // of a keyword
)

// Pattern is a rule of the user's own beside those of the table. It is looked for around its keywords, in the text as a
// reader sees it: without invisible characters and Markdown's backslashes, with %41 and full-width letters put into plain
// ones. A match holds a keyword and is looked for from 256 bytes before it to 2 KiB behind it; it may not be empty. "^" and
// "$" stand for the ends of lines. A pattern of which so much is to be looked at that it takes more than its share of the
// time for a stretch of 4 KiB withholds the rest of that under the name Unscanned: it can hide text, not slow a scan down.
type Pattern struct {
	Name     string   // as in the marker: lower-case letters, digits and hyphens, at most 40; of no rule of the table
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
	for i, pattern := range options.Patterns[:min(len(options.Patterns), maxPatterns+1)] {
		r, fault := customRule(pattern)
		if i == maxPatterns {
			fault = &OptionError{Problem: fmt.Sprintf("more than %d patterns", maxPatterns), Hint: "put several into one, as alternatives"}
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
		distances[other] = distance(name, other)
		for part := range strings.SplitSeq(other, "-") {
			if len(part) > 2 && strings.Contains(name, part) {
				distances[other] -= 2 * len(part)
			}
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(distances[a], distances[b]) })
	return near[:min(len(near), 3)]
}

// distance is that of Levenshtein (1965): how many letters are to be put in, taken out or changed.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// customRule checks a pattern and makes a rule of it.
func customRule(p Pattern) (rule, *OptionError) {
	if !isRuleName(p.Name) {
		return rule{}, &OptionError{Field: "name", Problem: "not a name for a marker", Hint: fmt.Sprintf("use a-z, 0-9 and hyphens, at most %d", maxNameBytes)}
	}
	if p.Name == Unscanned || slices.Contains(tableNames(), p.Name) {
		return rule{}, &OptionError{Field: "name", Name: p.Name, Problem: "the name of a rule of the table", Hint: "choose another, such as my-" + shortened(p.Name)}
	}
	parsed, problem, hint := parsePattern(p.Pattern)
	if problem != "" {
		return rule{}, &OptionError{Field: "pattern", Name: p.Name, Problem: problem, Hint: hint}
	}
	keywords, before := literalsOf(parsed)
	if keywords == nil {
		keywords, before = givenLiterals(p.Keywords)
	}
	if keywords == nil {
		if len(p.Keywords) > 0 {
			return rule{}, &OptionError{Field: "keywords", Name: p.Name, Problem: "a keyword cannot be used", Hint: fmt.Sprintf("each needs %d to %d bytes beside blanks; at most %d in all their spellings", leastLiteral, maxGivenBytes, maxLiterals)}
		}
		return rule{}, &OptionError{
			Field: "pattern", Name: p.Name, Problem: fmt.Sprintf("no text of %d bytes or more that every match holds", leastLiteral),
			Hint: "write a part of it out, or give keywords one of which every match holds",
		}
	}
	program, err := syntax.Compile(parsed)
	if err != nil || len(program.Inst) > maxInstructions {
		return rule{}, &OptionError{Field: "pattern", Name: p.Name, Problem: "too large", Hint: "repeat less"}
	}
	custom := &customPattern{program: program, slots: max(2, program.NumCap), before: min(before, maxBackBytes)}
	return rule{name: p.Name, keywords: keywords, loose: true, anyCase: true, most: 1, look: custom.look}, nil
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

// parsePattern returns the simplified pattern, or what is wrong with it.
func parsePattern(pattern string) (parsed *syntax.Regexp, problem, hint string) {
	if len(pattern) > maxPatternBytes {
		return nil, "too long", fmt.Sprintf("%d bytes do for one; make several patterns of one name", maxPatternBytes)
	}
	if !utf8.ValidString(pattern) {
		return nil, "no UTF-8", `write other bytes as \x{…}`
	}
	parsed, err := syntax.Parse(plainLetters(pattern), syntax.Perl&^syntax.OneLine)
	if err != nil {
		problem = "no regular expression of RE2"
		if fault := new(syntax.Error); errors.As(err, &fault) {
			problem += ", " + fault.Code.String()
		}
		return nil, problem, "see the syntax of RE2; it has no backreferences and no lookaround"
	}
	if sizeOf(parsed) > 20*maxInstructions { // more than can be compiled without harm; the program itself is measured later
		return nil, "too large", "repeat less"
	}
	if asksForTextEnds(parsed) {
		return nil, "asks for the start or end of the text", `use "^" and "$", which stand for those of a line`
	}
	if matchesEmpty(parsed) {
		return nil, "matches the empty text", "ask for something that is there"
	}
	return parsed.Simplify(), "", ""
}

// plainLetters puts full-width letters into plain ones, as in the text that the pattern is looked for in.
func plainLetters(pattern string) string {
	var plain strings.Builder
	for _, r := range pattern {
		if 0xff01 <= r && r <= 0xff5e {
			if c := byte(r - 0xfee0); !isAlnum(c) {
				plain.WriteByte('\\')
			}
			r -= 0xfee0
		}
		plain.WriteRune(r)
	}
	return plain.String()
}

// sizeOf is about the number of instructions of a pattern, repeats counted out, without making them.
func sizeOf(re *syntax.Regexp) int {
	size := 1
	for _, part := range re.Sub {
		size = min(unbounded, size+sizeOf(part)+1)
	}
	switch re.Op {
	case syntax.OpLiteral:
		size += len(re.Rune)
	case syntax.OpRepeat:
		size = min(unbounded, size*max(1, re.Min, re.Max))
	}
	return size
}

func asksForTextEnds(re *syntax.Regexp) bool {
	return re.Op == syntax.OpBeginText || re.Op == syntax.OpEndText || slices.ContainsFunc(re.Sub, asksForTextEnds)
}

// matchesEmpty tells whether a pattern may match nothing at all.
func matchesEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return matchesEmpty(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || matchesEmpty(re.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(part *syntax.Regexp) bool { return !matchesEmpty(part) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, matchesEmpty)
	}
	return true
}

// givenLiterals makes keywords of those that the user gave, in all spellings; nil if one of them cannot be used.
func givenLiterals(words []string) ([]string, int) {
	var literals []string
	for _, word := range words {
		if len(word) > maxGivenBytes || word == "" {
			return nil, 0
		}
		list, _ := literalsOf(&syntax.Regexp{Op: syntax.OpLiteral, Flags: syntax.FoldCase, Rune: []rune(plainLetters(word))})
		if list == nil {
			return nil, 0
		}
		literals = append(literals, list...)
	}
	if len(literals) > maxLiterals {
		return nil, 0
	}
	return literals, unbounded
}

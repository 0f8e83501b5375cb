// Package pattern looks for patterns that may come from somebody who is not trusted: it tells what texts every match holds,
// so that nothing else need be looked at, and counts the steps of a match, so that none takes longer than it may.
package pattern

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxBytes is how long a pattern may be.
const MaxBytes = 500

// What a pattern may take up beside that.
const (
	maxInstructions = 1000 // as package syntax compiles it
	maxGivenBytes   = 64   // of a keyword
	maxBackBytes    = 256  // before its keyword, where a match may begin
)

// Pattern is a regular expression of RE2 in which "^" and "$" stand for the ends of lines. It does not change.
type Pattern struct {
	program  *syntax.Prog
	slots    int // offsets of groups, two for each
	keywords []string
	before   int
}

// Fault says why a pattern cannot be used and what to do about it. It holds nothing of the pattern or its keywords.
type Fault struct {
	Field   string // "pattern" or "keywords"
	Problem string
	Hint    string
}

// New reads a pattern. The keywords, one of which every match has to hold, are asked only where the pattern itself shows
// no literal of three bytes or more.
func New(text string, keywords []string) (*Pattern, *Fault) {
	parsed, problem, hint := parse(text)
	if problem != "" {
		return nil, &Fault{"pattern", problem, hint}
	}
	literals, before := literalsOf(parsed)
	if literals == nil {
		literals, before = givenLiterals(keywords)
	}
	switch {
	case literals == nil && len(keywords) > 0:
		return nil, &Fault{"keywords", "a keyword cannot be used", fmt.Sprintf("each needs %d to %d bytes beside blanks; at most %d in all their spellings", leastLiteral, maxGivenBytes, maxLiterals)}
	case literals == nil:
		return nil, &Fault{"pattern", fmt.Sprintf("no text of %d bytes or more that every match holds", leastLiteral), "write a part of it out, or give keywords one of which every match holds"}
	}
	program, err := syntax.Compile(parsed)
	if err != nil || len(program.Inst) > maxInstructions {
		return nil, &Fault{"pattern", "too large", "repeat less"}
	}
	return &Pattern{program: program, slots: max(2, program.NumCap), keywords: literals, before: min(before, maxBackBytes)}, nil
}

// Keywords are texts one of which every match holds, the letters of ASCII in lower case. The list is not to be changed.
func (p *Pattern) Keywords() []string { return p.keywords }

// Before is how many bytes of a match stand before its keyword at the most; a longer one is not looked for.
func (p *Pattern) Before() int { return p.before }

// parse returns the simplified pattern, or what is wrong with it.
func parse(pattern string) (parsed *syntax.Regexp, problem, hint string) {
	if len(pattern) > MaxBytes {
		return nil, "too long", fmt.Sprintf("at most %d bytes; patterns may share a name, so split it at an alternative", MaxBytes)
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

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Package lazyregexp holds regular expressions that are compiled when they are first used. Each start of the program
// would pay for those at package level, and most runs, hooks above all, need few of them.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled once, at its first use. It is safe for concurrent use; its methods are those
// of regexp.Regexp.
type Regexp struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// New gives an expression of a text, which has to be right: like regexp.MustCompile, a wrong one panics, but at its first use.
func New(text string) *Regexp { return &Regexp{text: text} }

func (r *Regexp) expression() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.text) })
	return r.compiled
}

// Match tells whether some bytes hold a match.
func (r *Regexp) Match(content []byte) bool { return r.expression().Match(content) }

// MatchString tells whether a text holds a match.
func (r *Regexp) MatchString(text string) bool { return r.expression().MatchString(text) }

// FindSubmatch gives the first match and its groups, nil where there is none.
func (r *Regexp) FindSubmatch(content []byte) [][]byte { return r.expression().FindSubmatch(content) }

// FindString gives the first match, or "".
func (r *Regexp) FindString(text string) string { return r.expression().FindString(text) }

// FindStringIndex gives where the first match begins and ends, in bytes; nil where there is none.
func (r *Regexp) FindStringIndex(text string) []int { return r.expression().FindStringIndex(text) }

// FindStringSubmatch gives the first match and its groups, nil where there is none.
func (r *Regexp) FindStringSubmatch(text string) []string {
	return r.expression().FindStringSubmatch(text)
}

// FindStringSubmatchIndex gives where the first match and its groups begin and end, in bytes; nil where there is none.
func (r *Regexp) FindStringSubmatchIndex(text string) []int {
	return r.expression().FindStringSubmatchIndex(text)
}

// FindAll gives up to count matches, all for -1.
func (r *Regexp) FindAll(content []byte, count int) [][]byte {
	return r.expression().FindAll(content, count)
}

// FindAllString gives up to count matches, all for -1.
func (r *Regexp) FindAllString(text string, count int) []string {
	return r.expression().FindAllString(text, count)
}

// FindAllStringIndex gives where up to count matches begin and end, in bytes; all for -1.
func (r *Regexp) FindAllStringIndex(text string, count int) [][]int {
	return r.expression().FindAllStringIndex(text, count)
}

// FindAllStringSubmatch gives up to count matches with their groups, all for -1.
func (r *Regexp) FindAllStringSubmatch(text string, count int) [][]string {
	return r.expression().FindAllStringSubmatch(text, count)
}

// FindAllStringSubmatchIndex gives where up to count matches and their groups begin and end, in bytes; all for -1.
func (r *Regexp) FindAllStringSubmatchIndex(text string, count int) [][]int {
	return r.expression().FindAllStringSubmatchIndex(text, count)
}

// ReplaceAll puts a template, in which $1 is a group, in place of each match.
func (r *Regexp) ReplaceAll(content, template []byte) []byte {
	return r.expression().ReplaceAll(content, template)
}

// ReplaceAllString puts a template, in which $1 is a group, in place of each match.
func (r *Regexp) ReplaceAllString(text, template string) string {
	return r.expression().ReplaceAllString(text, template)
}

// ReplaceAllLiteralString puts a text, as it is, in place of each match.
func (r *Regexp) ReplaceAllLiteralString(text, literal string) string {
	return r.expression().ReplaceAllLiteralString(text, literal)
}

// ReplaceAllStringFunc puts what a function gives in place of each match.
func (r *Regexp) ReplaceAllStringFunc(text string, replace func(string) string) string {
	return r.expression().ReplaceAllStringFunc(text, replace)
}

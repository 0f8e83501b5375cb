package compress

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used: most runs of the program shorten nothing.
type pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// lazily gives a pattern of an expression, which has to be right: like regexp.MustCompile, a wrong one panics, but at its first use.
func lazily(text string) *pattern { return &pattern{text: text} }

func (p *pattern) expression() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}

// MatchString tells whether a text holds a match. It is safe for concurrent use, as the others are.
func (p *pattern) MatchString(text string) bool { return p.expression().MatchString(text) }

// FindStringSubmatch gives the first match and its groups, nil where there is none.
func (p *pattern) FindStringSubmatch(text string) []string {
	return p.expression().FindStringSubmatch(text)
}

// FindStringIndex gives where the first match begins and ends, in bytes; nil where there is none.
func (p *pattern) FindStringIndex(text string) []int { return p.expression().FindStringIndex(text) }

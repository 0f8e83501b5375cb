package pattern

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

const (
	maxLiterals     = 16 // of one pattern
	maxLiteralBytes = 32 // of one: the front of a longer one does
	leastLiteral    = 3  // bytes that are no blanks
)

// needs is what is known of the texts that a part of a pattern matches. Letters of ASCII are in lower case, as all
// keywords are. The idea is of Cox, "Regular Expression Matching with a Trigram Index" (2012).
type needs struct {
	exact   []string // all of the texts, if isExact; no more than maxLiterals
	isExact bool
	held    []string // each text holds one of these; nil if nothing is known
	before  int      // so many bytes stand before it in a text at most; unbounded if it is not known
	width   int      // bytes of a text at most, or unbounded
}

const unbounded = 1 << 20

// literalsOf returns literals one of which every match of a simplified pattern holds, and how many bytes of the match
// stand before it at most. It returns none where it knows none of leastLiteral bytes.
func literalsOf(pattern *syntax.Regexp) (literals []string, before int) {
	n := needsOf(pattern)
	list, before := n.held, n.before
	if n.isExact {
		list, before = n.exact, 0
	}
	if leastOf(list) < leastLiteral {
		return nil, unbounded
	}
	list = slices.Clone(list)
	for i, literal := range list {
		list[i] = literal[:min(len(literal), maxLiteralBytes)]
	}
	slices.Sort(list)
	list = slices.Compact(list)
	if leastOf(list) < leastLiteral {
		return nil, unbounded
	}
	return list, before
}

// leastOf is the number of bytes that are no blanks in the shortest literal, 0 if there is none.
func leastOf(literals []string) int {
	least := 0
	for i, literal := range literals {
		size := len(literal) - strings.Count(literal, " ") - strings.Count(literal, "\t") - strings.Count(literal, "\n") - strings.Count(literal, "\r")
		if i == 0 || size < least {
			least = size
		}
	}
	return least
}

func needsOf(re *syntax.Regexp) needs {
	switch re.Op {
	case syntax.OpLiteral:
		var c chain
		for _, r := range re.Rune {
			c.add(exactly(lettersOf(r, re.Flags&syntax.FoldCase != 0)))
		}
		return c.needs()
	case syntax.OpCharClass:
		return classNeeds(re.Rune)
	case syntax.OpCapture:
		return needsOf(re.Sub[0])
	case syntax.OpConcat:
		var c chain
		for _, part := range re.Sub {
			c.add(needsOf(part))
		}
		return c.needs()
	case syntax.OpAlternate:
		return eitherOf(re.Sub)
	case syntax.OpQuest:
		n := needsOf(re.Sub[0])
		if n.isExact && len(n.exact) < maxLiterals {
			return exactly(append([]string{""}, n.exact...))
		}
		return needs{before: unbounded, width: n.width}
	case syntax.OpPlus:
		n := needsOf(re.Sub[0])
		if n.isExact {
			n.held, n.before = n.exact, 0
		}
		return needs{held: n.held, before: n.before, width: unbounded}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return needs{before: unbounded, width: 4}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return exactly([]string{""})
	default: // OpStar, OpNoMatch, and what a simplified pattern does not have
		return needs{before: unbounded, width: unbounded}
	}
}

func exactly(texts []string) needs {
	n := needs{exact: texts, isExact: true}
	for _, text := range texts {
		n.width = max(n.width, len(text))
	}
	return n
}

// lettersOf are the forms of a letter: itself, or all that are the same without regard to case.
func lettersOf(r rune, anyCase bool) []string {
	forms := []string{lowerASCII(r)}
	if anyCase {
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			if form := lowerASCII(other); !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

func lowerASCII(r rune) string {
	if 'A' <= r && r <= 'Z' {
		r += 'a' - 'A'
	}
	return string(r)
}

// classNeeds takes pairs of first and last runes.
func classNeeds(class []rune) needs {
	var forms []string
	for i := 0; i+1 < len(class); i += 2 {
		if class[i+1]-class[i] >= maxLiterals {
			return needs{before: unbounded, width: 4}
		}
		for r := class[i]; r <= class[i+1]; r++ {
			if form := lowerASCII(r); !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
		if len(forms) > maxLiterals {
			return needs{before: unbounded, width: 4}
		}
	}
	return exactly(forms)
}

func eitherOf(parts []*syntax.Regexp) needs {
	all := needs{isExact: true}
	holds := true
	for _, part := range parts {
		n := needsOf(part)
		all.width = max(all.width, n.width)
		if all.isExact = all.isExact && n.isExact; all.isExact {
			all.exact = append(all.exact, n.exact...)
		}
		if n.isExact {
			n.held, n.before = n.exact, 0
		}
		holds = holds && leastOf(n.held) > 0
		all.held = append(all.held, n.held...)
		all.before = max(all.before, n.before)
	}
	slices.Sort(all.exact)
	all.exact = slices.Compact(all.exact)
	slices.Sort(all.held)
	all.held = slices.Compact(all.held)
	if len(all.exact) > maxLiterals {
		all.isExact, all.exact = false, nil
	}
	if !holds || len(all.held) > maxLiterals {
		all.held, all.before = nil, unbounded
	}
	return all
}

// chain puts the parts of a pattern one behind the other: those whose texts are known make literals together.
type chain struct {
	best   needs    // held and before only
	run    []string // texts of the parts since the last one that is not known; nil for none yet
	from   int      // bytes before the run at most
	width  int      // of all parts at most
	broken bool     // a part was not known, or there were too many texts
}

func (c *chain) add(part needs) {
	if c.run == nil {
		c.run = []string{""}
	}
	switch {
	case part.isExact && len(c.run)*len(part.exact) <= maxLiterals:
		var longer []string
		for _, front := range c.run {
			for _, text := range part.exact {
				longer = append(longer, front+text)
			}
		}
		c.run = longer
	case part.isExact:
		c.closeRun()
		c.run, c.from = part.exact, c.width
	default:
		c.closeRun()
		c.consider(part.held, min(unbounded, c.width+part.before))
		c.run, c.from = []string{""}, min(unbounded, c.width+part.width)
	}
	c.width = min(unbounded, c.width+part.width)
}

func (c *chain) closeRun() {
	c.broken = true
	c.consider(c.run, c.from)
}

// consider keeps the literals that are rarest in texts: the longest, and of these the fewest.
func (c *chain) consider(literals []string, before int) {
	worth := func(list []string) int { return 100*min(leastOf(list), 6) - 20*len(list) }
	if leastOf(literals) > 0 && (c.best.held == nil || worth(literals) > worth(c.best.held)) {
		c.best.held, c.best.before = literals, before
	}
}

func (c *chain) needs() needs {
	if !c.broken {
		return exactly(c.run)
	}
	c.consider(c.run, c.from)
	if c.best.held == nil {
		c.best.before = unbounded
	}
	return needs{held: c.best.held, before: c.best.before, width: c.width}
}

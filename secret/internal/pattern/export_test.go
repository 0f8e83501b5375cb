package pattern

import "regexp/syntax"

// Literals returns what the pattern is looked for by, and how far into a match that may begin; nil for a pattern that
// cannot be used.
func Literals(text string) ([]string, int) {
	parsed, problem, _ := parse(text)
	if problem != "" {
		return nil, 0
	}
	return literalsOf(parsed)
}

// MatchOf returns the first match of a pattern and its groups as this package finds it, as package regexp gives them; nil
// for none, and ok false for a pattern that cannot be used.
func MatchOf(text string, in []byte) (offsets []int, ok bool) {
	parsed, problem, _ := parse(text)
	if problem != "" {
		return nil, false
	}
	program, err := syntax.Compile(parsed)
	if err != nil {
		return nil, false
	}
	var m Matcher
	m.prepare(&Pattern{program: program, slots: max(2, program.NumCap)}, in, 0, len(in))
	m.stepsLeft = 1 << 30
	for at := range len(in) + 1 {
		if m.matches(at) {
			return m.offsets, true
		}
	}
	return nil, true
}

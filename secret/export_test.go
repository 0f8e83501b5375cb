package secret

import "regexp/syntax"

// Literals returns what the pattern is looked for by, and how far into a match that may begin; nil for a pattern that
// cannot be used.
func Literals(pattern string) ([]string, int) {
	parsed, problem, _ := parsePattern(pattern)
	if problem != "" {
		return nil, 0
	}
	return literalsOf(parsed)
}

// MatchOf returns the first match of a pattern and its groups as this package finds it, as package regexp gives them; nil
// for none, and ok false for a pattern that cannot be used.
func MatchOf(pattern string, text []byte) (offsets []int, ok bool) {
	parsed, problem, _ := parsePattern(pattern)
	if problem != "" {
		return nil, false
	}
	program, err := syntax.Compile(parsed)
	if err != nil {
		return nil, false
	}
	var m matcher
	m.prepare(&customPattern{program: program, slots: max(2, program.NumCap)}, text, 0, len(text))
	m.stepsLeft = 1 << 30
	for at := range len(text) + 1 {
		if m.matches(at) {
			return m.offsets, true
		}
	}
	return nil, true
}

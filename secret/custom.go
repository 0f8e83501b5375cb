package secret

import "quarry/secret/internal/pattern"

const (
	maxAttemptSteps = 8 << 10 // of one attempt; then nothing is known and the place is withheld
	customCost      = 64      // of an attempt beside its steps
)

// customPattern is a pattern of the user's own. It is not given to package regexp, whose time for one match may be that of
// the size of the pattern times the text: a pattern may come from a vault that nobody trusts. Here each step is counted
// and paid out of a budget for its block that is that of such patterns alone.
type customPattern struct{ *pattern.Pattern }

// look is asked where a keyword stands.
func (p customPattern) look(s *scan, start, end int) (from, to int, ok bool) {
	match := s.matcher.Find(p.Pattern, s.text, pattern.Place{
		Low: max(start-p.Before(), s.past[s.rule], 0), KeywordStart: start, KeywordEnd: end, MaxSteps: min(maxAttemptSteps, maxBlockCost-s.own.cost),
	})
	s.own.cost += match.Steps
	if match.IsUndecided {
		s.hold(start, &s.own)
		return 0, 0, false
	}
	if to = match.To; match.IsCut { // the rest of the line goes with a long one
		for to < len(s.text) && s.text[to] != '\n' {
			to++
		}
	}
	return match.From, to, match.Found && match.From < to
}

package secret

import (
	"regexp/syntax"
	"unicode/utf8"
)

const (
	maxBackBytes    = 256     // before its keyword, where a match may begin
	maxAheadBytes   = 2 << 10 // behind it, where a match may end; the rest of a longer one's line goes with it
	maxAttemptSteps = 8 << 10 // of one attempt; then nothing is known and the place is withheld
	customCost      = 64      // of an attempt beside its steps
)

// customPattern is a pattern of the user's own. It is not given to package regexp, whose time for one match may be that of
// the size of the pattern times the text: a pattern may come from a vault that nobody trusts. Here each step is counted
// and paid out of the budget of its block, as what the rules of the table look at is.
type customPattern struct {
	program *syntax.Prog
	slots   int // offsets of groups, two for each
	before  int // bytes of a match before the keyword at most
}

// look is asked where a keyword stands. It finds the first match that covers the keyword, as RE2 would, except that of a
// pattern that may match in several ways the first way that covers the keyword counts.
func (p *customPattern) look(s *scan, start, end int) (from, to int, ok bool) {
	s.cost += customCost
	m := &s.matcher
	low := max(start-p.before, s.past[s.rule], 0)
	m.prepare(p, s.text, low, min(len(s.text), end+maxAheadBytes))
	m.keywordEnd = end
	budget := max(0, min(maxAttemptSteps, maxBlockCost-s.cost))
	m.stepsLeft = budget
	for at := low; at <= start && !ok; at++ {
		if utf8.RuneStart(s.text[at]) {
			ok = m.matches(at)
		}
	}
	s.cost += budget - m.stepsLeft
	isUndecided := !ok && m.stepsLeft <= 0
	m.clear()
	if isUndecided {
		s.hold(start)
		return 0, 0, false
	}
	if !ok {
		return 0, 0, false
	}
	from, to = secretGroup(m.offsets)
	if from == to {
		from, to = m.offsets[0], m.offsets[1]
	}
	if to == m.limit {
		for to < len(s.text) && s.text[to] != '\n' {
			to++
		}
	}
	return from, to, from < to
}

// matcher tries a program at one place of a text: depth first, in the order that Perl's rules give, and never twice at
// the same instruction and offset. It is made for one scan and used for many attempts.
type matcher struct {
	pattern    *customPattern
	text       []byte
	low, limit int // a match lies between
	keywordEnd int // and ends no earlier
	stepsLeft  int

	visited []uint64 // a bit for each instruction and offset
	touched []int    // words of visited that are not 0
	jobs    []job
	offsets []int // of the match and its groups, -1 for a group without a part in it
}

// job is a place to go on at, or where slot is not negative an offset to put back there.
type job struct{ instruction, at, slot int }

func (m *matcher) prepare(p *customPattern, text []byte, low, limit int) {
	m.pattern, m.text, m.low, m.limit = p, text, low, limit
	if words := (len(p.program.Inst)*(limit-low+1) + 63) / 64; words > len(m.visited) {
		m.visited = make([]uint64, words)
	}
	m.offsets = m.offsets[:0]
	for range p.slots {
		m.offsets = append(m.offsets, -1)
	}
}

// clear makes the matcher ready for the next attempt, in the time that this one took.
func (m *matcher) clear() {
	for _, word := range m.touched {
		m.visited[word] = 0
	}
	m.touched = m.touched[:0]
}

// visit notes a place. It tells whether it is worth going there.
func (m *matcher) visit(instruction, at int) bool {
	m.stepsLeft--
	place := instruction*(m.limit-m.low+1) + at - m.low
	word, bit := place/64, uint64(1)<<(place%64)
	if m.visited[word]&bit != 0 || m.stepsLeft < 0 {
		return false
	}
	if m.visited[word] == 0 {
		m.touched = append(m.touched, word)
	}
	m.visited[word] |= bit
	return true
}

// matches tells whether a match starts at an offset, and leaves its groups in offsets.
func (m *matcher) matches(start int) bool {
	m.jobs = append(m.jobs[:0], job{m.pattern.program.Start, start, -1})
	for len(m.jobs) > 0 {
		next := m.jobs[len(m.jobs)-1]
		m.jobs = m.jobs[:len(m.jobs)-1]
		if next.slot >= 0 {
			m.offsets[next.slot] = next.at
			continue
		}
		if end, ok := m.follow(next.instruction, next.at); ok {
			m.offsets[0], m.offsets[1] = start, end
			return true
		}
	}
	return false
}

// follow goes on from a place as far as it can, and leaves the other ways for later.
func (m *matcher) follow(instruction, at int) (end int, ok bool) {
	for m.visit(instruction, at) {
		inst := &m.pattern.program.Inst[instruction]
		switch inst.Op {
		case syntax.InstFail:
			return 0, false
		case syntax.InstMatch:
			return at, at >= m.keywordEnd
		case syntax.InstAlt, syntax.InstAltMatch:
			m.jobs = append(m.jobs, job{int(inst.Arg), at, -1})
		case syntax.InstCapture:
			if slot := int(inst.Arg); slot >= 2 {
				m.jobs = append(m.jobs, job{0, m.offsets[slot], slot})
				m.offsets[slot] = at
			}
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^m.boundary(at) != 0 {
				return 0, false
			}
		case syntax.InstNop:
		default: // a rune
			if at >= m.limit {
				return 0, false
			}
			r, width := rune(m.text[at]), 1
			if r >= utf8.RuneSelf {
				r, width = utf8.DecodeRune(m.text[at:])
			}
			if !inst.MatchRune(r) {
				return 0, false
			}
			at = min(at+width, m.limit)
		}
		instruction = int(inst.Out)
	}
	return 0, false
}

// boundary says what kind of place lies between two runes.
func (m *matcher) boundary(at int) syntax.EmptyOp {
	before, after := rune(-1), rune(-1)
	if at > 0 {
		before, _ = utf8.DecodeLastRune(m.text[:at])
	}
	if at < len(m.text) {
		after, _ = utf8.DecodeRune(m.text[at:])
	}
	return syntax.EmptyOpContext(before, after)
}

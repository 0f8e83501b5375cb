package pattern

import (
	"regexp/syntax"
	"unicode/utf8"
)

// maxAheadBytes is how far behind its keyword a match may end.
const maxAheadBytes = 2 << 10

// Place is where a match is looked for.
type Place struct {
	Low                      int // a match begins at or behind it
	KeywordStart, KeywordEnd int // of a keyword that it has to hold
	MaxSteps                 int // that may be taken
}

// Match is what was found. Its offsets are bytes of the text.
type Match struct {
	Found       bool
	IsUndecided bool // the steps were used up before it was known
	From, To    int  // of the first group that took part and is not empty, else of all of the match
	IsCut       bool // it ends where the search did: there may be more of it
	Steps       int  // that were taken
}

// Matcher tries a pattern at one place of a text: depth first, in the order that Perl's rules give, and never twice at the
// same instruction and offset. It is used for many attempts, one after the other. The zero value is ready.
type Matcher struct {
	pattern    *Pattern
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

// Find looks for the first match that covers the keyword, as RE2 would, except that of a pattern that may match in several
// ways the first way that covers the keyword counts.
func (m *Matcher) Find(p *Pattern, text []byte, place Place) Match {
	m.prepare(p, text, place.Low, min(len(text), place.KeywordEnd+maxAheadBytes))
	m.keywordEnd, m.stepsLeft = place.KeywordEnd, max(0, place.MaxSteps)
	var found Match
	for at := place.Low; at <= place.KeywordStart && !found.Found; at++ {
		if utf8.RuneStart(text[at]) {
			found.Found = m.matches(at)
		}
	}
	found.Steps = max(0, place.MaxSteps) - m.stepsLeft
	found.IsUndecided = !found.Found && m.stepsLeft <= 0
	m.clear()
	if found.Found {
		found.From, found.To = m.group()
		found.IsCut = found.To == m.limit
	}
	return found
}

// group is the first group that took part, or the match where it is empty.
func (m *Matcher) group() (from, to int) {
	for i := 2; i+1 < len(m.offsets); i += 2 {
		if m.offsets[i] >= 0 && m.offsets[i] < m.offsets[i+1] {
			return m.offsets[i], m.offsets[i+1]
		}
		if m.offsets[i] >= 0 {
			break
		}
	}
	return m.offsets[0], m.offsets[1]
}

func (m *Matcher) prepare(p *Pattern, text []byte, low, limit int) {
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
func (m *Matcher) clear() {
	for _, word := range m.touched {
		m.visited[word] = 0
	}
	m.touched = m.touched[:0]
}

// visit notes a place. It tells whether it is worth going there.
func (m *Matcher) visit(instruction, at int) bool {
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
func (m *Matcher) matches(start int) bool {
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
func (m *Matcher) follow(instruction, at int) (end int, ok bool) {
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
func (m *Matcher) boundary(at int) syntax.EmptyOp {
	before, after := rune(-1), rune(-1)
	if at > 0 {
		before, _ = utf8.DecodeLastRune(m.text[:at])
	}
	if at < len(m.text) {
		after, _ = utf8.DecodeRune(m.text[at:])
	}
	return syntax.EmptyOpContext(before, after)
}

package secret

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"quarry/secret/internal/pattern"
)

const (
	blockBytes       = 4096
	maxBlockCost     = 64 << 10 // for each block; dense logs, tables and documents take up to half of it. See the prices of rules
	maxTokenBytes    = 600      // window of a rule that says nothing else; a longer token is taken to its end
	maxKeptTextBytes = 64       // how far back a rule looks for what stands before a secret
)

// finding is a span on its way: which rule found it decides about the name of a union.
type finding struct {
	start, end int
	rank       int // lower names win
	name       string
}

// maxRounds bounds how often a stretch is looked at: what stood beside a secret may look like another one once that is
// gone. Two rounds do for all that is known.
const maxRounds = 6

// rounds is one search for all secrets of a text.
type rounds struct {
	filter *Filter
	text   []byte
	spans  []Span
}

// look searches the stretch from the end of a span to the next one, as it will stand in the redacted text: between two
// markers, with the line ends that the secret before it held. Then it looks at what is left of it in the same way. A
// stretch in which nothing is found is done with, for the scan of a stretch knows nothing of the rest of the text: so
// nothing is found in redacted text. It ends because each round takes something away and the last one all: where even
// that finds a secret, the stretch is withheld but for its line ends, in which no rule finds anything.
func (r *rounds) look(before Span, end, round int) {
	stretch, added := r.stretch(before, end)
	found := r.filter.findOnce(stretch)
	if len(found) == 0 {
		return
	}
	if round == maxRounds {
		if start, end := trimLines(r.text, before.End, end); start < end {
			r.spans = append(r.spans, Span{start, end, Unscanned})
		}
		return
	}
	origin := before.End - added
	for _, span := range found {
		span.Start += origin
		span.End += origin
		r.look(before, span.Start, round+1)
		r.spans = append(r.spans, span)
		before = span
	}
	r.look(before, end, round+1)
}

// stretch returns the bytes behind a span, and how many of them at the start stand for its line ends.
func (r *rounds) stretch(before Span, end int) ([]byte, int) {
	rest := r.text[before.End:end]
	lineEnds := appendLineEnds(nil, r.text, before)
	if len(lineEnds) == 0 {
		return rest, 0
	}
	return append(lineEnds, rest...), len(lineEnds)
}

// trimLines leaves out the line ends at both ends of a stretch. No finding has them: they stay in the text in any case.
func trimLines(text []byte, start, end int) (int, int) {
	for start < end && (text[start] == '\n' || text[start] == '\r') {
		start++
	}
	for start < end && (text[end-1] == '\n' || text[end-1] == '\r') {
		end--
	}
	return start, end
}

// findOnce looks at what lies between the markers, each stretch for itself.
func (f *Filter) findOnce(text []byte) []Span {
	var all []finding
	from := 0
	for from < len(text) {
		marker, next := nextMarker(text, from)
		all = append(all, f.findIn(text[from:marker], from)...)
		from = next
	}
	return f.merge(text, all)
}

// nextMarker gives where the next marker starts and ends, both len(text) if there is none.
func nextMarker(text []byte, from int) (start, end int) {
	for at := from; ; {
		i := bytes.Index(text[at:], []byte(markerStart[1:])) // its first byte is one of many links
		if i < 0 {
			return len(text), len(text)
		}
		start, end = at+i-1, at+i+len(markerStart)-1
		at = end
		for end < len(text) && (isLower(text[end]) || isDigit(text[end]) || text[end] == '-') {
			end++
		}
		if end > at && end < len(text) && text[end] == markerEnd && start >= from && text[start] == markerStart[0] {
			return start, end + 1
		}
	}
}

// findIn scans one stretch that starts at offset base of the text.
func (f *Filter) findIn(raw []byte, base int) []finding {
	if len(raw) == 0 {
		return nil
	}
	v := newView(raw)
	s := &scan{text: v.text, rules: f.table()}
	s.run()
	kept := s.found[:0]
	for _, found := range s.found {
		found.start, found.end = v.raw(found.start, found.end)
		found.start, found.end = trimLines(raw, found.start, found.end)
		if found.start < found.end && f.keeps(found, raw[found.start:found.end]) {
			found.start, found.end = base+found.start, base+found.end
			kept = append(kept, found)
		}
	}
	return kept
}

// merge sorts findings and unites those that overlap. What was withheld is cut to what no finding has, so that it is
// counted for itself.
func (f *Filter) merge(text []byte, all []finding) []Span {
	slices.SortFunc(all, func(a, b finding) int { return cmp.Or(a.start-b.start, a.end-b.end, a.rank-b.rank) })
	var spans, held []Span
	rank := 0
	for _, found := range all {
		list := &spans
		if found.name == Unscanned {
			list = &held
		}
		if last := len(*list) - 1; last >= 0 && found.start < (*list)[last].End {
			(*list)[last].End = max((*list)[last].End, found.end)
			if list == &spans && found.rank < rank {
				spans[last].Name, rank = found.name, found.rank
			}
			continue
		}
		*list = append(*list, Span{Start: found.start, End: found.end, Name: found.name})
		if list == &spans {
			rank = found.rank
		}
	}
	spans = slices.DeleteFunc(spans, func(s Span) bool { return f.allows(text[s.Start:s.End]) })
	if len(held) == 0 {
		return spans
	}
	return addHeld(text, spans, held)
}

// addHeld puts between the spans what of the withheld stretches they leave.
func addHeld(text []byte, spans, held []Span) []Span {
	all := slices.Clone(spans)
	add := func(start, end int) {
		if start, end = trimLines(text, start, end); start < end {
			all = append(all, Span{start, end, Unscanned})
		}
	}
	next := 0
	for _, stretch := range held {
		at := stretch.Start
		for next < len(spans) && spans[next].End <= at {
			next++
		}
		for i := next; i < len(spans) && spans[i].Start < stretch.End; i++ {
			add(at, spans[i].Start)
			at = spans[i].End
		}
		add(at, stretch.End)
	}
	slices.SortFunc(all, func(a, b Span) int { return a.Start - b.Start })
	return all
}

// ruleSet is a table of rules made ready. It does not change.
type ruleSet struct {
	rules  []compiledRule
	words  []string   // keywords, in lower case
	users  [][]uint16 // keyword → rules
	finder *keywords
	spare  sync.Pool // of *memory, for the next scan
}

// newRuleSet makes a table ready. The upper rule names what several find.
func newRuleSet(rules []rule) *ruleSet {
	set := &ruleSet{}
	index := map[string]int{}
	for _, r := range rules {
		set.rules = append(set.rules, compile(r))
		for _, word := range r.keywords {
			lower := foldASCII(word)
			at, known := index[lower]
			if !known {
				at = len(set.words)
				index[lower] = at
				set.words = append(set.words, lower)
				set.users = append(set.users, nil)
			}
			set.users[at] = append(set.users[at], uint16(len(set.rules)-1))
		}
	}
	set.finder = newKeywords(set.words)
	return set
}

// scan is one pass over one stretch of text.
type scan struct {
	text  []byte
	rules *ruleSet
	found []finding

	*memory          // nil until a keyword stands somewhere
	rule      int    // that is being asked
	budget           // of the rules of the table
	own       budget // of patterns of the user's own
	randomAt  int    // the place that isInRandom was asked for last
	wasRandom bool
}

// budget is what a scan may spend on a block.
type budget struct {
	block     int // of the last attempt
	cost      int // in it
	heldUntil int // end of what is withheld unscanned
}

// memory is what a scan needs room for. Most texts hold a keyword, and few a secret.
type memory struct {
	past    []int    // rule → what lies before is done with
	touched []uint16 // rules whose past is not 0
	matcher pattern.Matcher
}

// pass notes that a rule is done with what lies before an offset.
func (m *memory) pass(rule, at int) {
	if m.past[rule] == 0 {
		m.touched = append(m.touched, uint16(rule))
	}
	m.past[rule] = max(m.past[rule], at)
}

// forget makes the memory ready for the next scan.
func (m *memory) forget() {
	for _, rule := range m.touched {
		m.past[rule] = 0
	}
	m.touched = m.touched[:0]
}

func (s *scan) run() {
	s.rules.finder.each(s.text, func(keyword uint16, start, end int) bool {
		if s.memory == nil {
			s.memory = s.rules.remember()
		}
		for _, index := range s.rules.users[keyword] {
			if start >= s.past[index] {
				s.try(int(index), start, end)
			}
		}
		return true
	})
	s.findRandom()
	if s.memory != nil {
		s.forget()
		s.rules.spare.Put(s.memory)
		s.memory = nil
	}
}

func (set *ruleSet) remember() *memory {
	if spare, ok := set.spare.Get().(*memory); ok {
		return spare
	}
	return &memory{past: make([]int, len(set.rules))}
}

// try asks one rule about one place where a keyword of it stands.
func (s *scan) try(index, start, end int) {
	r := &s.rules.rules[index]
	if r.own {
		s.tryOwn(index, start, end)
		return
	}
	if start < s.heldUntil && !r.isBlock || !r.opens(s.text, start, end) {
		return
	}
	window := r.window(s.text, start)
	price := r.price
	if window-start < r.least {
		price = cheapPrice
	}
	if !s.spend(&s.budget, start, price+window-start) && !r.isBlock {
		return
	}
	if !r.loose && r.before == 0 && s.isInRandom(start) {
		return
	}
	s.rule = index
	from, to, ok := r.find(s, start, end, window)
	if !ok {
		return
	}
	s.pass(index, r.pastLine(s.text, from, to))
	s.found = append(s.found, finding{from, to, index, r.name})
}

// tryOwn is try for a pattern of the user's own.
func (s *scan) tryOwn(index, start, end int) {
	if start < s.own.heldUntil || !s.spend(&s.own, start, customCost) {
		return
	}
	s.rule = index
	r := &s.rules.rules[index]
	if from, to, ok := r.look(s, start, end); ok {
		s.pass(index, to)
		s.found = append(s.found, finding{from, to, index, r.name})
	}
}

// leastRandomRun is how many bytes beside a word, in one run with it, may be told to be random.
const leastRandomRun = 12

// isInRandom: what stands before, in one run, is random: letters of it happen to be those of a keyword. Several rules ask for
// one place.
func (s *scan) isInRandom(at int) bool {
	const price = 100
	if at == 0 || !inRandom[s.text[at-1]] {
		return false
	}
	if s.randomAt != at {
		first := at
		for first > 0 && at-first < maxKeptTextBytes && inRandom[s.text[first-1]] {
			first--
		}
		s.randomAt, s.wasRandom = at, at-first >= leastRandomRun && readsRandom(s.text[first:at])
		s.cost += price
	}
	return s.wasRandom
}

// spend accounts for what an attempt takes, in bytes read. Where a block has had its share, the rest of it is withheld.
func (s *scan) spend(b *budget, at, cost int) bool {
	if block := at / blockBytes; block > b.block {
		b.block, b.cost = block, 0
	}
	b.cost += cost
	if b.cost <= maxBlockCost {
		return true
	}
	s.hold(at, b)
	return false
}

// hold withholds the rest of the block, whole tokens at both ends.
func (s *scan) hold(at int, b *budget) {
	start := at
	for start > 0 && at-start < maxTokenBytes && inToken[s.text[start-1]] {
		start--
	}
	b.heldUntil = tokenEnd(s.text, min((b.block+1)*blockBytes, len(s.text)), maxTokenBytes)
	s.found = append(s.found, finding{start, max(at+1, b.heldUntil), len(s.rules.rules), Unscanned})
}

// add notes a finding of a rule other than the one that is being asked.
func (s *scan) add(name string, from, to int) {
	if to <= from {
		return
	}
	rank, end := s.rulesOf(name)
	if rank == end {
		rank = rankRandom
	}
	s.found = append(s.found, finding{from, to, rank, name})
}

// skipTo keeps a rule from looking at the rest of a run that it just went over in vain.
func (s *scan) skipTo(name string, at int) {
	first, end := s.rulesOf(name)
	for i := first; i < end; i++ {
		s.pass(i, at)
	}
}

// rulesOf gives the last rules of a name that stand together. The generic ones are at the end of the table.
func (s *scan) rulesOf(name string) (first, end int) {
	rules := s.rules.rules
	for end = len(rules); end > 0 && rules[end-1].name != name; {
		end--
	}
	for first = end; first > 0 && rules[first-1].name == name; {
		first--
	}
	return first, end
}

package secret

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
)

const (
	blockBytes       = 4096
	maxBlockCost     = 24 << 10 // bytes looked at by rules for each block; real notes stay below 7,000
	attemptCost      = 16       // in bytes, beside those of the window
	maxTokenBytes    = 600      // window of a rule that says nothing else; a longer token is taken to its end
	maxKeptTextBytes = 64       // how far back a rule looks for what stands before a secret
)

// finding is a span on its way: which rule found it decides about the name of a union.
type finding struct {
	start, end int
	rank       int // lower names win
	name       string
}

// findOnce looks at what lies between the markers, each stretch for itself.
func findOnce(text []byte) []Span {
	var all []finding
	from := 0
	for from < len(text) {
		marker, next := nextMarker(text, from)
		all = append(all, findIn(text[from:marker], from)...)
		from = next
	}
	return merge(all)
}

// nextMarker gives where the next marker starts and ends, both len(text) if there is none.
func nextMarker(text []byte, from int) (start, end int) {
	for at := from; ; {
		i := bytes.Index(text[at:], []byte(markerStart))
		if i < 0 {
			return len(text), len(text)
		}
		start, end = at+i, at+i+len(markerStart)
		at = end
		for end < len(text) && (isLower(text[end]) || isDigit(text[end]) || text[end] == '-') {
			end++
		}
		if end > at && end < len(text) && text[end] == markerEnd {
			return start, end + 1
		}
	}
}

// findIn scans one stretch that starts at offset base of the text.
func findIn(raw []byte, base int) []finding {
	if len(raw) == 0 {
		return nil
	}
	v := newView(raw)
	s := &scan{text: v.text, rules: theRules()}
	s.run()
	for i, f := range s.found {
		start, end := v.raw(f.start, f.end)
		s.found[i].start, s.found[i].end = base+start, base+end
	}
	return s.found
}

// merge sorts findings and unites those that overlap.
func merge(all []finding) []Span {
	slices.SortFunc(all, func(a, b finding) int { return cmp.Or(a.start-b.start, a.end-b.end, a.rank-b.rank) })
	var spans []Span
	rank := 0
	for _, f := range all {
		if last := len(spans) - 1; last >= 0 && f.start < spans[last].End {
			spans[last].End = max(spans[last].End, f.end)
			if f.rank < rank {
				spans[last].Name, rank = f.name, f.rank
			}
			continue
		}
		spans = append(spans, Span{Start: f.start, End: f.end, Name: f.name})
		rank = f.rank
	}
	return spans
}

// ruleSet is the table of rules made ready: once for a process, on the first text.
type ruleSet struct {
	rules   []compiledRule
	words   []string   // keywords in lower case
	users   [][]uint16 // keyword → rules
	machine *automaton
}

var theRules = sync.OnceValue(func() *ruleSet {
	set := &ruleSet{}
	index := map[string]int{}
	for _, r := range slices.Concat(vendorRules, genericRules) {
		set.rules = append(set.rules, compile(r))
		for _, word := range r.keywords {
			lower := string(bytes.ToLower([]byte(word)))
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
	set.machine = newAutomaton(set.words)
	return set
})

// scan is one pass over one stretch of text.
type scan struct {
	text  []byte
	rules *ruleSet
	found []finding

	past      []int // rule → what lies before is done with
	block     int   // the block of the last attempt
	cost      int   // in it
	heldUntil int   // end of what is withheld unscanned
}

func (s *scan) run() {
	s.past = make([]int, len(s.rules.rules))
	s.rules.machine.each(s.text, func(keyword uint16, end int) {
		start := end - len(s.rules.words[keyword])
		for _, index := range s.rules.users[keyword] {
			if start >= s.past[index] && start >= s.heldUntil {
				s.try(int(index), start, end)
			}
		}
	})
	s.findRandom()
}

// try asks one rule about one place where a keyword of it stands.
func (s *scan) try(index, start, end int) {
	r := &s.rules.rules[index]
	if !r.opens(s.text, start, end) {
		return
	}
	window := r.window(s.text, start)
	if !s.spend(start, window-start) {
		return
	}
	from, to, ok := r.find(s, start, end, window)
	if !ok {
		return
	}
	s.past[index] = to
	s.found = append(s.found, finding{from, to, index, r.name})
}

// spend accounts for the bytes that an attempt looks at. Where a block has had its share, the rest of it is withheld.
func (s *scan) spend(at, bytesRead int) bool {
	if block := at / blockBytes; block != s.block {
		s.block, s.cost = block, 0
	}
	s.cost += attemptCost + bytesRead
	if s.cost <= maxBlockCost {
		return true
	}
	s.heldUntil = min((s.block+1)*blockBytes, len(s.text))
	s.found = append(s.found, finding{at, s.heldUntil, len(s.rules.rules), Unscanned})
	return false
}

package sqlite

import (
	"slices"
	"sync"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
	"quarry/store/sqlite/internal/postings"
)

// population is the passages whose figures make the scores, with these figures. It is safe for concurrent use.
type population struct {
	asked     *store.Set // as the question gave it
	members   *store.Set // those of them that are there; nil: all of the index
	wordCount int64      // in all members

	mu     sync.Mutex
	counts map[string]int // members that hold a word, or words side by side with a space between

	tokenMu     sync.Mutex
	tokenCounts tokenCounts // members that hold a token
	hasTokens   bool
}

// maxCounts bounds the memory of the frequencies, keptParts the number of populations beside the whole index: as many as
// there are audiences that see different parts of it.
const (
	maxCounts = 1 << 14
	keptParts = 4
)

// population gives the figures of a set of passages, or of all for nil.
func (v *snapshot) population(c *engine.Conn, among *store.Set) (*population, error) {
	if among == nil {
		return &v.resident.whole, nil
	}
	if p := v.resident.part(among); p != nil {
		return p, nil
	}
	live, err := v.livePassages(c)
	if err != nil {
		return nil, err
	}
	lengths, err := v.resident.wordLengths(c, v.state.lastChunk)
	if err != nil {
		return nil, err
	}
	p := &population{asked: among.Clone(), members: store.Intersect(among, live)}
	for id := range p.members.All() {
		p.wordCount += int64(lengths[id])
	}
	v.resident.keep(p)
	return p, nil
}

// livePassages gives the ids that are in use: a set that is asked for may hold others, which are not to be counted.
func (v *snapshot) livePassages(c *engine.Conn) (*store.Set, error) {
	v.resident.mu.Lock()
	defer v.resident.mu.Unlock()
	if v.resident.live != nil {
		return v.resident.live, nil
	}
	live := &store.Set{}
	if v.state.chunks == v.state.lastChunk {
		live.AddRange(1, int(v.state.chunks))
	} else if err := v.eachSpan(c, "chunks > 0", func(s span) { live.AddRange(s.first, s.count) }); err != nil {
		return nil, err
	}
	v.resident.live = live
	return live, nil
}

// part gives the population of a set that was asked for before, nil if it was not.
func (r *resident) part(asked *store.Set) *population {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.parts, func(p *population) bool { return p.asked.Equal(asked) })
	if i < 0 {
		return nil
	}
	p := r.parts[i]
	copy(r.parts[1:i+1], r.parts[:i])
	r.parts[0] = p
	return p
}

// keep remembers a population, in place of the one that was asked for longest ago.
func (r *resident) keep(p *population) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parts = slices.Insert(r.parts, 0, p)
	r.parts = r.parts[:min(len(r.parts), keptParts)]
}

// rows is the number of passages, as bm25() counts them; x knows it of the whole index.
func (p *population) rows(x *postings.Index) float64 {
	if p.members == nil {
		return float64(x.Rows)
	}
	return float64(p.members.Len())
}

// words is the number of words in all columns of the passages.
func (p *population) words(x *postings.Index) float64 {
	if p.members == nil {
		return float64(x.Words)
	}
	return float64(p.wordCount)
}

func (p *population) count(key string) (int, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, ok := p.counts[key]
	return n, ok
}

func (p *population) remember(key string, count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.counts == nil || len(p.counts) >= maxCounts {
		p.counts = map[string]int{}
	}
	p.counts[key] = count
}

// tokens gives the counts of tokens, which are made once.
func (p *population) tokens(count func() (tokenCounts, error)) (tokenCounts, error) {
	p.tokenMu.Lock()
	defer p.tokenMu.Unlock()
	if !p.hasTokens {
		counts, err := count()
		if err != nil {
			return nil, err
		}
		p.tokenCounts, p.hasTokens = counts, true
	}
	return p.tokenCounts, nil
}

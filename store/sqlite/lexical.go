package sqlite

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
	"quarry/store/sqlite/internal/postings"
)

// The constants of BM25 as FTS5's bm25() has them (ext/fts5/fts5_aux.c).
const (
	bm25K1   = 1.2
	bm25B    = 0.75
	leastIDF = 1e-6
)

// Lexical scores every passage that holds a term and keeps the best. The score is that of FTS5's bm25(), but positive.
func (v *snapshot) Lexical(ctx context.Context, q store.LexicalQuery) ([]store.Hit, error) {
	var hits []store.Hit
	err := v.read(ctx, "search the full text", func(c *engine.Conn) error {
		if q.Limit <= 0 || v.state.chunks == 0 {
			return nil
		}
		q.Limit = v.clamp(q.Limit)
		candidates, err := v.scoreTerms(ctx, c, q)
		if err != nil {
			return err
		}
		hits, err = inOrder(c, leaders(candidates, q.Limit), q.Limit)
		return err
	})
	return hits, err
}

// scoreTerms gives the passages that hold what they must, with their scores.
func (v *snapshot) scoreTerms(ctx context.Context, c *engine.Conn, q store.LexicalQuery) ([]store.Hit, error) {
	s, err := v.scored(ctx, c, q, &store.Set{})
	if s == nil {
		return nil, err
	}
	defer v.store.scorers.Put(s)
	return slices.Clone(s.candidates()), nil // the scorer's own go to the next question
}

// scored goes through the posting lists term by term and adds up the scores by passage, also of further ones that are not in
// q.Within. The caller puts the scorer back; nil: there is nothing to score.
func (v *snapshot) scored(ctx context.Context, c *engine.Conn, q store.LexicalQuery, further *store.Set) (*scorer, error) {
	x, err := v.fullText()
	if err != nil {
		return nil, err
	}
	lengths, err := v.resident.wordLengths(c, v.state.lastChunk)
	if err != nil {
		return nil, err
	}
	p, err := v.population(c, q.Among)
	if err != nil || p.rows(x) == 0 {
		return nil, err
	}
	s := v.store.scorers.Get().(*scorer)
	s.reset(q, lengths, p)
	s.further, s.rows, s.averageLength = further, p.rows(x), p.words(x)/p.rows(x)
	if err := v.addTerms(ctx, c, s); err != nil {
		v.store.scorers.Put(s)
		return nil, err
	}
	return s, nil
}

func (v *snapshot) addTerms(ctx context.Context, c *engine.Conn, s *scorer) error {
	for _, t := range s.query.Terms {
		if err := ctx.Err(); err != nil {
			return err
		}
		words, err := c.Tokens(t.Text)
		if err == nil {
			err = v.noteTerm(s, v.words, words)
		}
		if err != nil {
			return err
		}
		s.settle(t.Occur)
	}
	return nil
}

// noteTerm makes the words the present term and notes its passages.
func (v *snapshot) noteTerm(s *scorer, x *postings.Index, words []string) error {
	s.ids, s.frequencies, s.count = s.ids[:0], s.frequencies[:0], 0
	if len(words) == 1 {
		if err := x.Each(words[0], s.noteWord); err != nil {
			return err
		}
	} else {
		matches, err := v.phrase(x, words)
		if err != nil {
			return err
		}
		s.noteMatches(matches)
	}
	if s.corrupt {
		return errStrayPassage()
	}
	return nil
}

// scorer adds up scores by passage. A term's passages are noted first, since the weight of the term depends on their
// number. Scorers are used again and again for the sake of their memory.
type scorer struct {
	query         store.LexicalQuery
	members       *store.Set // of the population
	further       *store.Set // to be scored beside query.Within
	lengths       []uint32
	rows          float64
	averageLength float64

	ids         []store.PassageID // of the present term
	frequencies []float64         // weighted, of the present term
	count       int               // members with the present term, also those not in query.Within
	corrupt     bool

	scores  []float64 // by id, 0 but for those touched
	touched []store.PassageID
	must    []*store.Set // for each Must term the passages that hold it
	mustNot *store.Set
	hits    []store.Hit // of candidates
}

func (s *scorer) reset(q store.LexicalQuery, lengths []uint32, p *population) {
	for _, id := range s.touched {
		s.scores[id] = 0
	}
	if len(s.scores) < len(lengths) {
		s.scores = make([]float64, len(lengths))
	}
	s.query, s.lengths, s.members = q, lengths, p.members
	s.touched, s.must, s.mustNot, s.corrupt = s.touched[:0], s.must[:0], &store.Set{}, false
}

// noteWord takes a passage that holds the present term, a word.
func (s *scorer) noteWord(row int64, positions []byte) {
	if len(positions) == 1 { // as a rule: once, in the text
		s.add(row, s.query.Weights[0])
		return
	}
	s.add(row, postings.Weigh(positions, s.query.Weights[:]))
}

// noteMatches takes the passages that hold the present term, words side by side.
func (s *scorer) noteMatches(matches []postings.Match) {
	for _, m := range matches {
		frequency := 0.0
		for _, p := range m.Places {
			if column := p.Column(); column < store.Columns {
				frequency += s.query.Weights[column]
			}
		}
		s.add(m.Row, frequency)
	}
}

func (s *scorer) add(row int64, frequency float64) {
	if row < 1 || row >= int64(len(s.lengths)) {
		s.corrupt = true
		return
	}
	id := store.PassageID(row)
	if !s.members.Has(id) {
		return
	}
	s.count++
	if s.query.Within.Has(id) || s.further.Has(id) {
		s.ids = append(s.ids, id)
		s.frequencies = append(s.frequencies, frequency)
	}
}

// settle adds the present term to the scores, or to what decides which passages count.
func (s *scorer) settle(occur store.Occur) {
	switch occur {
	case store.MustNot:
		for _, id := range s.ids {
			s.mustNot.Add(id)
		}
		return
	case store.Must:
		set := &store.Set{}
		for _, id := range s.ids {
			set.Add(id)
		}
		s.must = append(s.must, set)
	}
	idf := inverseDocumentFrequency(s.rows, float64(s.count))
	for i, id := range s.ids {
		f := s.frequencies[i]
		if f == 0 { // only in columns without weight
			continue
		}
		length := float64(s.lengths[id])
		if s.scores[id] == 0 {
			s.touched = append(s.touched, id)
		}
		// Products are rounded by themselves, not fused with the sum, so that the score is the same on all machines.
		damping := float64(bm25K1 * (1 - bm25B + bm25B*length/s.averageLength))
		s.scores[id] += float64(idf * ((f * (bm25K1 + 1)) / (f + damping)))
	}
}

// inverseDocumentFrequency is the weight of a term that holding of all rows hold, as FTS5's bm25() has it.
func inverseDocumentFrequency(rows, holding float64) float64 {
	ratio := (rows - holding + 0.5) / (holding + 0.5)
	if ratio > 1 {
		return logarithm(ratio)
	}
	return leastIDF
}

// logarithm is the natural logarithm of a number above 1, to the last bit the same on all machines, as math.Log is not.
// With x = f·2^e and t = (f-1)/(f+1) it is 2·(t + t³/3 + t⁵/5 + …) + e·ln 2; f next to 1 keeps t below 0.172.
func logarithm(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction, exponent = 2*fraction, exponent-1
	}
	t := (fraction - 1) / (fraction + 1)
	sum := 0.0
	for odd := 23; odd > 0; odd -= 2 {
		sum = float64(sum*float64(t*t)) + 1/float64(odd)
	}
	return float64(2*t*sum) + float64(float64(exponent)*math.Ln2)
}

// candidates gives the passages that hold what they must and nothing they must not. They are the scorer's until it is put back, and may
// be changed.
func (s *scorer) candidates() []store.Hit {
	s.hits = s.hits[:0]
	for _, id := range s.touched {
		if s.isCandidate(id) && s.query.Within.Has(id) {
			s.hits = append(s.hits, store.Hit{ID: id, Score: s.scores[id]})
		}
	}
	return s.hits
}

func (s *scorer) isCandidate(id store.PassageID) bool {
	return !s.mustNot.Has(id) && !slices.ContainsFunc(s.must, func(set *store.Set) bool { return !set.Has(id) })
}

// score gives the score of any passage, 0 for one that is no candidate.
func (s *scorer) score(id store.PassageID) float64 {
	if id < 0 || id >= store.PassageID(len(s.lengths)) || !s.isCandidate(id) {
		return 0
	}
	return s.scores[id]
}

// phrase gives the passages in which the words stand side by side. A question counts a phrase, looks for it and scores it,
// so the last ones are kept.
func (v *snapshot) phrase(x *postings.Index, words []string) ([]postings.Match, error) {
	if len(words) == 0 {
		return nil, nil
	}
	key := strings.Join(words, " ")
	if matches, ok := v.phrases[key]; ok {
		return matches, nil
	}
	matches, err := x.Phrase(words)
	if err == nil && len(matches) <= keptMatches {
		if v.phrases == nil || len(v.phrases) == keptPhrases {
			v.phrases = map[string][]postings.Match{}
		}
		v.phrases[key] = matches
	}
	return matches, err
}

const (
	keptPhrases = 64
	keptMatches = 1 << 14
)

// eachRow visits the passages that hold the words side by side, by number alone.
func (v *snapshot) eachRow(x *postings.Index, words []string, visit func(row int64)) error {
	if len(words) == 1 {
		return x.Each(words[0], func(row int64, _ []byte) { visit(row) })
	}
	matches, err := v.phrase(x, words)
	for _, m := range matches {
		visit(m.Row)
	}
	return err
}

// Holding intersects the posting lists of the Must terms and takes those of the MustNot terms off.
func (v *snapshot) Holding(ctx context.Context, terms []store.Term) (*store.Set, error) {
	asked := slices.DeleteFunc(slices.Clone(terms), func(t store.Term) bool { return t.Occur == store.Should })
	if len(asked) == 0 {
		return nil, nil
	}
	// What passages must hold comes first.
	slices.SortStableFunc(asked, func(a, b store.Term) int { return cmp.Compare(a.Occur, b.Occur) })
	var set *store.Set
	err := v.read(ctx, "find words", func(c *engine.Conn) error {
		if asked[0].Occur == store.MustNot {
			live, err := v.livePassages(c)
			if err != nil {
				return err
			}
			set = live.Clone()
		}
		x, err := v.fullText()
		if err != nil {
			return err
		}
		for _, t := range asked {
			if err := ctx.Err(); err != nil {
				return err
			}
			if set, err = v.narrow(c, x, set, t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return set, nil
}

// narrow leaves in the set what a Must or MustNot term lets through.
func (v *snapshot) narrow(c *engine.Conn, x *postings.Index, set *store.Set, t store.Term) (*store.Set, error) {
	words, err := c.Tokens(t.Text)
	if err != nil {
		return nil, err
	}
	holding, corrupt := &store.Set{}, false
	err = v.eachRow(x, words, func(row int64) {
		if row < 1 || row > v.state.lastChunk {
			corrupt = true
			return
		}
		if id := store.PassageID(row); t.Occur == store.Must {
			holding.Add(id)
		} else {
			set.Remove(id)
		}
	})
	if err == nil && corrupt {
		err = errStrayPassage()
	}
	if err != nil || t.Occur == store.MustNot {
		return set, err
	}
	return store.Intersect(set, holding), nil
}

func errStrayPassage() error { return damaged("the full text holds a passage that is not there") }

// Frequencies counts the passages of a set that hold each word.
func (v *snapshot) Frequencies(ctx context.Context, words []string, among *store.Set) ([]int, error) {
	counts := make([]int, len(words))
	err := v.read(ctx, "count words", func(c *engine.Conn) error {
		p, err := v.population(c, among)
		if err != nil {
			return err
		}
		for i, word := range words {
			tokens, err := c.Tokens(word)
			if err != nil {
				return err
			}
			key := strings.Join(tokens, " ")
			if n, ok := p.count(key); ok {
				counts[i] = n
				continue
			}
			x, err := v.fullText()
			if err != nil {
				return err
			}
			n := 0
			err = v.eachRow(x, tokens, func(row int64) {
				if p.members.Has(store.PassageID(row)) {
					n++
				}
			})
			if err != nil {
				return err
			}
			counts[i] = n
			p.remember(key, n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return counts, nil
}

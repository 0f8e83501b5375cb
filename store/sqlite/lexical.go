package sqlite

import (
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
		candidates, err := v.scoreTerms(ctx, c, q)
		if err != nil {
			return err
		}
		hits, err = inOrder(c, leaders(candidates, q.Limit), q.Limit)
		return err
	})
	return hits, err
}

// scoreTerms goes through the posting lists term by term and adds up the scores by passage.
func (v *snapshot) scoreTerms(ctx context.Context, c *engine.Conn, q store.LexicalQuery) ([]store.Hit, error) {
	x, err := v.fullText()
	if err != nil {
		return nil, err
	}
	lengths, err := v.resident.wordLengths(c, v.state.lastChunk)
	if err != nil {
		return nil, err
	}
	s := scorer{lengths: lengths, rows: float64(x.Rows), averageLength: float64(x.Words) / float64(x.Rows), query: q}
	for _, t := range q.Terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		words, err := c.Tokens(t.Text)
		if err != nil {
			return nil, err
		}
		s.clear()
		if err := visitPhrase(x, words, s.note); err != nil {
			return nil, err
		}
		if s.corrupt {
			return nil, damaged("the full text holds a passage that is not there")
		}
		s.settle(t.Occur)
	}
	return s.candidates(), nil
}

// scorer adds up scores by passage. A term's passages are noted first, since the weight of the term depends on their number.
type scorer struct {
	query         store.LexicalQuery
	lengths       []uint32
	rows          float64
	averageLength float64

	ids         []store.PassageID // of the present term
	frequencies []float64         // weighted, of the present term
	count       int               // passages with the present term, also those not in query.Within
	corrupt     bool

	scores  []float64 // by id
	touched []store.PassageID
	must    []*store.Set // for each Must term the passages that hold it
	mustNot store.Set
}

func (s *scorer) clear() { s.ids, s.frequencies, s.count = s.ids[:0], s.frequencies[:0], 0 }

// note takes a passage of the present term with the term's frequency in each column.
func (s *scorer) note(row int64, counts [postings.Columns]int) {
	s.count++
	if row < 1 || row >= int64(len(s.lengths)) {
		s.corrupt = true
		return
	}
	id := store.PassageID(row)
	if !s.query.Within.Has(id) {
		return
	}
	frequency := 0.0
	for column, n := range counts {
		frequency += float64(n) * s.query.Weights[column]
	}
	s.ids = append(s.ids, id)
	s.frequencies = append(s.frequencies, frequency)
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
	if s.scores == nil {
		s.scores = make([]float64, len(s.lengths))
	}
	n := float64(s.count)
	idf := math.Log((s.rows - n + 0.5) / (n + 0.5))
	if idf <= 0 {
		idf = leastIDF
	}
	for i, id := range s.ids {
		f := s.frequencies[i]
		if f == 0 { // only in columns without weight
			continue
		}
		length := float64(s.lengths[id])
		if s.scores[id] == 0 {
			s.touched = append(s.touched, id)
		}
		s.scores[id] += idf * ((f * (bm25K1 + 1)) / (f + bm25K1*(1-bm25B+bm25B*length/s.averageLength)))
	}
}

// candidates gives the passages that hold what they must and nothing they must not.
func (s *scorer) candidates() []store.Hit {
	hits := make([]store.Hit, 0, len(s.touched))
	for _, id := range s.touched {
		if !s.mustNot.Has(id) && !slices.ContainsFunc(s.must, func(set *store.Set) bool { return !set.Has(id) }) {
			hits = append(hits, store.Hit{ID: id, Score: s.scores[id]})
		}
	}
	return hits
}

// visitPhrase visits the passages in which the words stand side by side, with how often they do in each column.
func visitPhrase(x *postings.Index, words []string, visit func(row int64, counts [postings.Columns]int)) error {
	switch len(words) {
	case 0:
		return nil
	case 1:
		return x.Each(words[0], func(row int64, positions []byte) { visit(row, postings.Frequency(positions)) })
	}
	starts, err := x.Phrase(words)
	if err != nil {
		return err
	}
	for _, s := range starts {
		var counts [postings.Columns]int
		for _, p := range s.Places {
			if column := p.Column(); column < postings.Columns {
				counts[column]++
			}
		}
		visit(s.Row, counts)
	}
	return nil
}

// Frequencies counts the passages that hold each word.
func (v *snapshot) Frequencies(ctx context.Context, words []string) ([]int, error) {
	counts := make([]int, len(words))
	err := v.read(ctx, "count words", func(c *engine.Conn) error {
		for i, word := range words {
			tokens, err := c.Tokens(word)
			if err != nil {
				return err
			}
			key := strings.Join(tokens, " ")
			if n, ok := v.resident.count(key); ok {
				counts[i] = n
				continue
			}
			x, err := v.fullText()
			if err != nil {
				return err
			}
			n := 0
			if err := visitPhrase(x, tokens, func(int64, [postings.Columns]int) { n++ }); err != nil {
				return err
			}
			counts[i] = n
			v.resident.remember(key, n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return counts, nil
}

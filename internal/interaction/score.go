package interaction

import (
	"encoding/binary"
	"sync"

	"quarry/internal/vector"
)

// Scores of a passage against a query; cosines, -1 to 1, 0 where the passage has no such tokens.
type Scores struct {
	Window   float64 // of the best window of the body
	Title    float64
	Headings float64
	// MaxSim is Σ aᵢ·max(0, maxⱼ cos(E[qᵢ], E[dⱼ])) / Σ aᵢ, 0 to 1, over the tokens of query and passage, aᵢ = √idf(qᵢ)·‖E[qᵢ]‖,
	// of a query of more than 12 tokens those of highest aᵢ.
	MaxSim float64
}

// Score compares a query with passages, given what Pack made of them; nil gives zeros. Damaged data give an error. Time and memory
// are linear in the data. Safe for concurrent use.
func (q *Query) Score(data [][]byte) ([]Scores, error) {
	scores := make([]Scores, len(data))
	if q.vector == nil || q.rows == nil {
		return scores, nil
	}
	t := tableFor(q)
	defer t.leave()
	for i, packed := range data {
		if len(packed) == 0 {
			continue
		}
		if err := t.score(packed, &scores[i]); err != nil {
			return nil, err
		}
	}
	return scores, nil
}

// table holds what a token of passages has to do with the query, once for all passages that have it.
type table struct {
	q        *Query
	places   []int32   // by token: one more than where it stands; 0: it does not yet
	tokens   []uint16  // by place
	shares   []float64 // by place: the product of its vector with the query's
	cosines  []float32 // by place: with each of the compared tokens
	products []int32   // of one token

	passage unpacked
	at      []int32 // by number of a token in the passage: its place
	best    [maxCompared]float32
	runs    []float64
}

// tables keeps the memory of tables for the next queries.
var tables sync.Pool

func tableFor(q *Query) *table {
	t, ok := tables.Get().(*table)
	if !ok {
		t = new(table)
	}
	if size := q.model.VocabularySize(); len(t.places) != size {
		t.places = make([]int32, size)
	}
	if t.q = q; cap(t.products) < 1+len(q.compared) {
		t.products = make([]int32, 1+maxCompared)
	}
	t.products = t.products[:1+len(q.compared)]
	return t
}

// leave forgets the query and its passages.
func (t *table) leave() {
	for _, token := range t.tokens {
		t.places[token] = 0
	}
	t.tokens, t.shares, t.cosines = t.tokens[:0], t.shares[:0], t.cosines[:0]
	t.q, t.passage.lengths, t.passage.rest = nil, nil, bitReader{}
	tables.Put(t)
}

// placeOf looks a token up.
func (t *table) placeOf(token uint16) (int32, error) {
	if int(token) >= len(t.places) {
		return 0, errDamaged
	}
	if place := t.places[token]; place > 0 {
		return place - 1, nil
	}
	row, scale := t.q.model.Row(int32(token))
	vector.Dots(row, t.q.rows, t.products)
	t.shares = append(t.shares, float64(float64(t.products[0])*t.q.scale)*float64(scale))
	length := rowLength(row)
	for i, c := range t.q.compared {
		cosine := float32(0)
		if product := t.products[i+1]; product > 0 { // and so both lengths are
			cosine = float32(float64(product) / float64(c.length*length))
		}
		t.cosines = append(t.cosines, cosine)
	}
	t.tokens = append(t.tokens, token)
	t.places[token] = int32(len(t.shares))
	return t.places[token] - 1, nil
}

func (t *table) score(packed []byte, scores *Scores) error {
	if err := t.passage.head(packed); err != nil {
		return err
	}
	t.at = t.at[:0]
	for _, token := range t.passage.tokens {
		place, err := t.placeOf(token)
		if err != nil {
			return err
		}
		t.at = append(t.at, place)
	}
	scores.MaxSim = t.maxSim()
	if err := t.sumRuns(); err != nil {
		return err
	}
	lengths := t.passage.lengths
	for i, name := range []*float64{&scores.Title, &scores.Headings} {
		if t.passage.counts[i] > 0 {
			*name = t.cosine(t.runs[i], lengths)
			lengths = lengths[2:]
		}
	}
	scores.Window = t.window(t.runs[2:], lengths)
	return nil
}

// maxSim is that of the passage.
func (t *table) maxSim() float64 {
	width := len(t.q.compared)
	if width == 0 {
		return 0
	}
	best := t.best[:width]
	clear(best)
	for _, place := range t.at {
		cosines := t.cosines[int(place)*width:][:width]
		for i, cosine := range cosines {
			if cosine > best[i] {
				best[i] = cosine
			}
		}
	}
	sum := 0.0
	for i, c := range t.q.compared {
		sum += float64(c.weight * float64(best[i]))
	}
	return sum / t.q.weight
}

// sumRuns gives each run the product of the sum of its vectors with the query's.
func (t *table) sumRuns() error {
	t.runs = t.runs[:0]
	for _, count := range t.passage.counts {
		sum := 0.0
		err := t.passage.run(count, func(place int) { sum += t.shares[t.at[place]] })
		if err != nil {
			return err
		}
		t.runs = append(t.runs, sum)
	}
	if !t.passage.rest.isAtEnd() {
		return errDamaged
	}
	return nil
}

// window is the cosine of the best window, whose lengths these are; 0 where there is none.
func (t *table) window(runs []float64, lengths []byte) float64 {
	best := 0.0
	for i := range windowCount(len(runs)) {
		sum := runs[i]
		if i+1 < len(runs) {
			sum += runs[i+1]
		}
		if cosine := t.cosine(sum, lengths[2*i:]); i == 0 || cosine > best {
			best = cosine
		}
	}
	return best
}

// cosine divides a product by the length that comes next.
func (t *table) cosine(product float64, lengths []byte) float64 {
	length := float64(lengthFrom(binary.BigEndian.Uint16(lengths)) * t.q.typical)
	if length == 0 {
		return 0
	}
	return min(max(product/length, -1), 1)
}

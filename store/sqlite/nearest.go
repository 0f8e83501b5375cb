package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// rescored is how many times the limit are compared again with the query as it is, after a scan with the query in int8.
// Four times gave the very best 30 of 50,000 in all of the measured queries.
const rescored = 4

// Nearest scans all vectors with the query quantised, and rescores the best with the query as given.
func (v *snapshot) Nearest(ctx context.Context, q store.VectorQuery) ([]store.Hit, error) {
	var hits []store.Hit
	err := v.read(ctx, "nearest passages", func(c *engine.Conn) (err error) {
		if q.Limit <= 0 {
			return nil
		}
		s, err := v.startSweep(q)
		if s == nil {
			return err
		}
		defer s.end()
		hits, err = s.nearest(c, nil)
		return err
	})
	return hits, err
}

// cosines are those of some passages, whatever the best are.
type cosines struct {
	ids  []store.PassageID // rising
	next int
	of   map[store.PassageID]float64
}

// look takes those of a block, which come in the order of ids.
func (f *cosines) look(first store.PassageID, data vectorBlock, query []float64) {
	if f == nil {
		return
	}
	for ; f.next < len(f.ids) && f.ids[f.next] < first+blockSlots; f.next++ {
		id := f.ids[f.next]
		if id < first {
			continue // its block is not there
		}
		if scale := data.scale(int(id - first)); scale != 0 {
			f.of[id] = cosine(query, data.row(int(id-first), len(query)), scale)
		}
	}
}

// shortlist keeps the passages of highest level, with all that are level with the last.
type shortlist struct {
	query   []float64
	limit   int
	cut     float32 // what is below cannot come in
	entries []entry
	full    int // entries at which to prune
}

// entry is a passage with its cosine by the quantised query, but for a factor common to all, and its vector.
type entry struct {
	id    store.PassageID
	level float32
	row   []int8
	scale float32
}

func newShortlist(query []float32, limit int) *shortlist {
	s := &shortlist{query: make([]float64, len(query)), limit: limit, cut: float32(math.Inf(-1)), full: 2 * limit}
	for i, x := range query {
		s.query[i] = float64(x)
	}
	return s
}

func (s *shortlist) add(e entry) {
	s.entries = append(s.entries, e)
	if len(s.entries) >= s.full {
		s.prune()
		s.full = max(2*s.limit, 2*len(s.entries)) // many may be level with the last
	}
}

// hits scores the best by the query as it is given.
func (s *shortlist) hits() []store.Hit {
	s.prune()
	hits := make([]store.Hit, len(s.entries))
	for i, e := range s.entries {
		hits[i] = store.Hit{ID: e.id, Score: cosine(s.query, e.row, e.scale)}
	}
	return hits
}

// cosine multiplies a query with a stored vector. Sums go in a fixed order and products are rounded by themselves, so that
// the score is the same everywhere.
func cosine(query []float64, row []int8, scale float32) float64 {
	var sums [4]float64
	row = row[:len(query)]
	i := 0
	for ; i+4 <= len(query); i += 4 {
		sums[0] += float64(query[i] * float64(row[i]))
		sums[1] += float64(query[i+1] * float64(row[i+1]))
		sums[2] += float64(query[i+2] * float64(row[i+2]))
		sums[3] += float64(query[i+3] * float64(row[i+3]))
	}
	for ; i < len(query); i++ {
		sums[0] += float64(query[i] * float64(row[i]))
	}
	return ((sums[0] + sums[1]) + (sums[2] + sums[3])) * float64(scale)
}

func (s *shortlist) prune() {
	if len(s.entries) <= s.limit {
		return
	}
	levels := make([]float32, len(s.entries))
	for i, e := range s.entries {
		levels[i] = e.level
	}
	slices.Sort(levels)
	s.cut = levels[len(levels)-s.limit]
	s.entries = slices.DeleteFunc(s.entries, func(e entry) bool { return e.level < s.cut })
}

// Vectors fetches vectors, block by block. Slots of ids that are out of use are empty, as are those of passages without a
// vector: these alone have to be looked for.
func (v *snapshot) Vectors(ctx context.Context, ids []store.PassageID) ([][]float32, error) {
	vectors := make([][]float32, len(ids))
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	err := v.read(ctx, "fetch vectors", func(c *engine.Conn) error {
		s, err := c.Prepare("SELECT data FROM vectors WHERE block = ?")
		if err != nil {
			return err
		}
		defer s.Reset()
		var data vectorBlock
		number := store.PassageID(-1)
		for _, i := range order {
			if id := ids[i]; id >= 0 && id/blockSlots != number {
				number = id / blockSlots
				if data, err = readBlock(s, int64(number), int(v.state.dimension)); err != nil {
					return err
				}
			}
			if ids[i] > 0 && data != nil {
				vectors[i] = data.vector(int(ids[i]%blockSlots), int(v.state.dimension))
			}
			if vectors[i] != nil {
				continue
			}
			known, err := c.Int("SELECT count(*) FROM chunks WHERE id = ?", int64(ids[i]))
			if err != nil || known == 0 {
				return cmp.Or(err, fmt.Errorf("there is no passage %d", ids[i]))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

// readBlock reads a block of vectors, nil where there is none. It is valid until the statement goes on.
func readBlock(s *engine.Stmt, number int64, dimension int) (vectorBlock, error) {
	s.Reset()
	s.BindInt(0, number)
	more, err := s.Step()
	if err != nil || !more {
		return nil, err
	}
	data := vectorBlock(s.Raw(0))
	if !data.isWhole(dimension) {
		return nil, damaged("a block of vectors has the wrong size")
	}
	return data, nil
}

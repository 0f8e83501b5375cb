package sqlite

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"quarry/internal/vector"
	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// sweep compares a question with all vectors. Where they stay in memory that begins at once, beside whatever else the question
// needs, and in the end both share what is left.
type sweep struct {
	view   *snapshot
	asked  store.VectorQuery
	query  []int8
	kept   []block         // nil: they have to be read
	next   atomic.Int64    // in kept, of those that nobody has looked at yet
	cut    atomic.Uint32   // the highest of both shortlists, as bits of a float32: what is below comes into neither
	beside chan *shortlist // what was found beside, nil where that is not worth it
}

const (
	// sweptBlocks are taken at a time.
	sweptBlocks = 4
	// fewBlocks are not worth a second look beside the first.
	fewBlocks = 16
)

// startSweep checks a question, and begins. nil: there is nothing to compare. Each sweep is ended by end.
func (v *snapshot) startSweep(q store.VectorQuery) (*sweep, error) {
	if v.state.dimension == 0 {
		return nil, nil //nolint:nilnil // nothing is near
	}
	if int64(len(q.Vector)) != v.state.dimension {
		return nil, fmt.Errorf("a query of %d components, the index has %d", len(q.Vector), v.state.dimension)
	}
	q.Limit = v.clamp(q.Limit)
	if q.Limit <= 0 {
		q.Limit, q.Within = 1, &store.Set{}
	}
	s := &sweep{view: v, asked: q, query: make([]int8, len(q.Vector)), kept: v.resident.keptVectors()}
	s.cut.Store(math.Float32bits(float32(math.Inf(-1))))
	if vector.Quantize(q.Vector, s.query) == 0 {
		return nil, nil //nolint:nilnil // nothing is near
	}
	if len(s.kept) > fewBlocks {
		s.beside = make(chan *shortlist, 1)
		go func() {
			best := s.shortlist()
			s.lookThrough(best)
			s.beside <- best
		}()
	}
	return s, nil
}

// end stops what still goes on beside. It is safe to call it twice, and for nil.
func (s *sweep) end() {
	if s != nil && s.beside != nil {
		s.next.Store(int64(len(s.kept)))
		<-s.beside
		s.beside = nil
	}
}

func (s *sweep) shortlist() *shortlist { return newShortlist(s.asked.Vector, rescored*s.asked.Limit) }

// lookThrough takes its share of the blocks in memory.
func (s *sweep) lookThrough(best *shortlist) {
	var products [blockSlots]int32
	for {
		to := int(s.next.Add(sweptBlocks))
		from := to - sweptBlocks
		if from >= len(s.kept) {
			return
		}
		s.shareCut(best)
		for _, b := range s.kept[from:min(to, len(s.kept))] {
			s.look(best, b, &products, true)
		}
	}
}

// shareCut raises the lower of the own cut and the common one to the other: as many as are kept are level with it or above, whoever
// found them.
func (s *sweep) shareCut(best *shortlist) {
	for {
		bits := s.cut.Load()
		common := math.Float32frombits(bits)
		if !(best.cut > common) {
			best.cut = max(best.cut, common)
			return
		}
		if s.cut.CompareAndSwap(bits, math.Float32bits(best.cut)) {
			return
		}
	}
}

// look compares one block. Its data stay, or are copied where they are needed longer.
func (s *sweep) look(best *shortlist, b block, products *[blockSlots]int32, stays bool) {
	first := store.PassageID(b.number * blockSlots)
	if !s.asked.Within.AnyWithin(first, first+blockSlots) {
		return
	}
	vector.Dots(s.query, b.data.components(), products[:])
	for slot, product := range products {
		scale := b.data.scale(slot)
		level := float32(product) * scale
		if scale == 0 || level < best.cut || !s.asked.Within.Has(first+store.PassageID(slot)) {
			continue
		}
		row := b.data.row(slot, len(s.query))
		if !stays {
			row = slices.Clone(row)
		}
		best.add(entry{first + store.PassageID(slot), level, row, scale})
	}
}

// nearest gives the best, none where the limit is 0, and the cosines of further passages.
func (s *sweep) nearest(c *engine.Conn, further *cosines) ([]store.Hit, error) {
	best := s.shortlist()
	if s.kept != nil {
		s.lookThrough(best)
		if s.beside != nil {
			best.entries = append(best.entries, (<-s.beside).entries...)
			s.beside = nil
		}
		further.lookUp(s.kept, best.query)
	} else {
		var products [blockSlots]int32
		err := s.view.resident.scanVectors(c, len(s.query), func(number int64, data vectorBlock, stays bool) {
			further.look(store.PassageID(number*blockSlots), data, best.query)
			s.look(best, block{number, data}, &products, stays)
		})
		if err != nil {
			return nil, err
		}
	}
	return inOrder(c, leaders(best.hits(), s.asked.Limit), s.asked.Limit)
}

// lookUp takes all of them from memory.
func (f *cosines) lookUp(kept []block, query []float64) {
	if f == nil {
		return
	}
	for len(f.ids) > f.next {
		number := int64(f.ids[f.next] / blockSlots)
		at, isThere := slices.BinarySearchFunc(kept, number, func(b block, number int64) int { return int(b.number - number) })
		if !isThere {
			f.next++
			continue
		}
		f.look(store.PassageID(number*blockSlots), kept[at].data, query)
	}
}

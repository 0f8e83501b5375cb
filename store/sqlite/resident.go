package sqlite

import (
	"encoding/binary"
	"sync"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// resident is what stays in memory of one generation of the index, for the next questions to a long-lived process.
// A process that asks once fills no more than its question needs.
type resident struct {
	generation int64

	mu          sync.Mutex
	lengths     []uint32 // by chunk id
	scans       int      // how often the vectors were read
	vectors     []block  // filled at the second scan
	whole       population
	parts       []*population // of the sets that were last asked for, the latest first
	notes       []lightNote   // filled by the first question for them
	newest      []*lightNote  // the same, newest first
	headings    *sections     // filled by the first question for them
	asked       int           // how often properties were asked for
	keys        *properties   // filled by the second question for them; nil where they are too many
	areKeysRead bool
	rankAsked   int // how often data for the second stage were asked for
	rankData    *rankDataKept
	live        *store.Set // the passages that are there, filled by the first question for a part of them

	keptMu    sync.Mutex // locked before mu
	described int        // how often notes of candidates were asked for
	kept      *keptNotes // filled by the second question for them
}

// block is a block of vectors in memory.
type block struct {
	number int64
	data   vectorBlock
}

// wordLengths gives the number of words of each chunk, by id.
func (r *resident) wordLengths(c *engine.Conn, lastChunk int64) ([]uint32, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lengths != nil {
		return r.lengths, nil
	}
	lengths := make([]uint32, lastChunk+1)
	s, err := c.Prepare("SELECT block, data FROM lengths")
	if err != nil {
		return nil, err
	}
	defer s.Reset()
	for {
		more, err := s.Step()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		data, first := s.Raw(1), s.Int(0)*lengthSlots
		if len(data) != 4*lengthSlots || first < 0 {
			return nil, damaged("a block of lengths has the wrong size")
		}
		for i := int64(0); i < lengthSlots && first+i <= lastChunk; i++ {
			lengths[first+i] = binary.LittleEndian.Uint32(data[4*i:])
		}
	}
	r.lengths = lengths
	return lengths, nil
}

// keptVectors gives the blocks of vectors, in the order of the ids, nil before they are kept.
func (r *resident) keptVectors() []block {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.vectors
}

// scanVectors reads the vectors and calls visit for each block, in the order of the ids. The data are valid during the call, or from then on if they
// stay: with a second scan of the same generation they are kept.
func (r *resident) scanVectors(c *engine.Conn, dimension int, visit func(number int64, data vectorBlock, stays bool)) (err error) {
	r.mu.Lock()
	r.scans++
	keep := r.scans > 1 && r.vectors == nil
	r.mu.Unlock()
	var kept arena
	if keep {
		if kept, err = newArena(c); err != nil {
			return err
		}
	}
	s, err := c.Prepare("SELECT block, data FROM vectors")
	if err != nil {
		return err
	}
	defer s.Reset()
	blocks := []block{}
	for {
		more, err := s.Step()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		data := vectorBlock(s.Raw(1))
		if !data.isWhole(dimension) || s.Int(0) < 0 || s.Int(0) > maxChunks/blockSlots {
			return damaged("a block of vectors has the wrong size")
		}
		if keep {
			data = kept.copyOf(data)
			blocks = append(blocks, block{s.Int(0), data})
		}
		visit(s.Int(0), data, keep)
	}
	if keep {
		r.mu.Lock()
		r.vectors = blocks
		r.mu.Unlock()
	}
	return nil
}

// arena is room for all blocks of vectors side by side: a scan of blocks that lie apart takes twice as long, since each begins on
// pages of memory of its own that the processor has to find.
type arena []byte

func newArena(c *engine.Conn) (arena, error) {
	size, err := c.Int("SELECT coalesce(sum(length(data)), 0) FROM vectors")
	return make(arena, 0, max(size, 0)), err
}

// copyOf is a copy of a block, in the arena as long as there is room.
func (a *arena) copyOf(data vectorBlock) vectorBlock {
	if cap(*a)-len(*a) < len(data) {
		return append(vectorBlock{}, data...)
	}
	from := len(*a)
	*a = append(*a, data...)
	return vectorBlock((*a)[from:len(*a):len(*a)])
}

package sqlite

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"quarry/internal/vector"
	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

const (
	// Passages in a block of vectors: at 256 components a block is 66 KB, so that a scan reads few rows and an update
	// writes few pages.
	blockSlots = 256
	scaleBytes = 4 * blockSlots
	// Passages in a block of lengths: two blocks fill a page.
	lengthSlots = 512
)

// vectorBlock is a row of vectors as it is stored: scales, components, checksum.
type vectorBlock []byte

func newVectorBlock(dimension int) vectorBlock {
	return make(vectorBlock, scaleBytes+blockSlots*dimension+crc32.Size)
}

// isWhole tells whether the block has the size it should have.
func (b vectorBlock) isWhole(dimension int) bool {
	return len(b) == scaleBytes+blockSlots*dimension+crc32.Size
}

func (b vectorBlock) scale(slot int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*slot:]))
}

// components are the rows of all slots.
func (b vectorBlock) components() []int8 {
	return engine.AsInt8(b[scaleBytes : len(b)-crc32.Size])
}

func (b vectorBlock) row(slot, dimension int) []int8 {
	return engine.AsInt8(b[scaleBytes+slot*dimension : scaleBytes+(slot+1)*dimension])
}

// vector gives the vector of a slot, nil for an empty one.
func (b vectorBlock) vector(slot, dimension int) []float32 {
	scale := b.scale(slot)
	if scale == 0 {
		return nil
	}
	v := make([]float32, dimension)
	for i, component := range b.row(slot, dimension) {
		v[i] = scale * float32(component)
	}
	return v
}

// set quantises a vector into a slot; nil empties it.
func (b vectorBlock) set(slot int, v []float32) {
	dimension := (len(b) - scaleBytes - crc32.Size) / blockSlots
	row := b.components()[slot*dimension : (slot+1)*dimension]
	var scale float32
	if v == nil {
		clear(row)
	} else {
		scale = vector.Quantize(v, row)
	}
	binary.LittleEndian.PutUint32(b[4*slot:], math.Float32bits(scale))
}

func (b vectorBlock) isEmpty() bool {
	for _, c := range b[:scaleBytes] {
		if c != 0 {
			return false
		}
	}
	return true
}

func (b vectorBlock) seal() {
	body := b[:len(b)-crc32.Size]
	binary.LittleEndian.PutUint32(b[len(body):], crc32.Checksum(body, castagnoli))
}

func (b vectorBlock) isSealed() bool {
	body := b[:len(b)-crc32.Size]
	return binary.LittleEndian.Uint32(b[len(body):]) == crc32.Checksum(body, castagnoli)
}

// vectorWriter gathers changes to blocks, so that each is written once a transaction.
type vectorWriter struct {
	conn      *engine.Conn
	dimension int
	blocks    map[int64]vectorBlock
	fresh     bool // nothing was stored before: blocks need not be read, and full ones are written at once
}

func (w *vectorWriter) set(id store.PassageID, v []float32) error {
	number := int64(id / blockSlots)
	block, ok := w.blocks[number]
	if !ok {
		var err error
		if block, err = w.load(number, v == nil); err != nil || block == nil {
			return err
		}
		w.blocks[number] = block
	}
	block.set(int(id%blockSlots), v)
	return nil
}

// load gives a block of the table or a new one; nil where there is none and only deletion is meant.
func (w *vectorWriter) load(number int64, deleting bool) (vectorBlock, error) {
	if !w.fresh {
		s, err := w.conn.Prepare("SELECT data FROM vectors WHERE block = ?")
		if err != nil {
			return nil, err
		}
		defer s.Reset()
		s.BindInt(0, number)
		more, err := s.Step()
		if err != nil {
			return nil, err
		}
		if more {
			block := vectorBlock(s.Blob(0))
			if !block.isWhole(w.dimension) {
				return nil, damaged("a block of vectors has the wrong size")
			}
			return block, nil
		}
	}
	if deleting {
		return nil, nil
	}
	return newVectorBlock(w.dimension), nil
}

// flush writes the blocks below the given number; those that became empty are dropped.
func (w *vectorWriter) flush(below int64) error {
	for number, block := range w.blocks {
		if number >= below {
			continue
		}
		delete(w.blocks, number)
		if block.isEmpty() {
			if err := w.conn.Exec("DELETE FROM vectors WHERE block = ?", number); err != nil {
				return err
			}
			continue
		}
		block.seal()
		if err := w.conn.Exec("REPLACE INTO vectors VALUES(?, ?)", number, []byte(block)); err != nil {
			return err
		}
	}
	return nil
}

// lengthWriter does the same for the lengths.
type lengthWriter struct {
	conn   *engine.Conn
	blocks map[int64][]byte
	fresh  bool
}

func (w *lengthWriter) set(id store.PassageID, words uint32) error {
	number := int64(id / lengthSlots)
	block, ok := w.blocks[number]
	if !ok {
		block = make([]byte, 4*lengthSlots)
		if !w.fresh {
			s, err := w.conn.Prepare("SELECT data FROM lengths WHERE block = ?")
			if err != nil {
				return err
			}
			defer s.Reset()
			s.BindInt(0, number)
			if _, err := s.Step(); err != nil {
				return err
			}
			copy(block, s.Raw(0))
		}
		w.blocks[number] = block
	}
	binary.LittleEndian.PutUint32(block[4*(id%lengthSlots):], words)
	return nil
}

func (w *lengthWriter) flush() error {
	for number, block := range w.blocks {
		if err := w.conn.Exec("REPLACE INTO lengths VALUES(?, ?)", number, block); err != nil {
			return err
		}
	}
	clear(w.blocks)
	return nil
}

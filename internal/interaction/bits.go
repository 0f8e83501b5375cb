package interaction

import (
	"encoding/binary"
	"math/bits"
)

const (
	packVersion = 1
	runBits     = 6 // of the number of tokens in a run, 0 to runTokens
	// A Rice code is a number's higher bits in ones, closed by a zero, and its lower ones as they are. More than riceOnes ones are
	// not written: the number follows in riceWhole bits.
	riceOnes  = 20
	riceWhole = 16
	// maxRiceBits is the most of the lower bits.
	maxRiceBits = 15
)

// runGapBits are the lower bits of the differences within a run of count tokens among distinct ones.
func runGapBits(distinct, count int) uint {
	return lowerBits(distinct / (count + 1))
}

// lowerBits is the number of lower bits of a Rice code that suits numbers about mean.
func lowerBits(mean int) uint {
	return uint(min(max(bits.Len(uint(mean)), 1)-1, maxRiceBits))
}

// gapCoder follows the differences between tokens, which grow: frequent ones have low numbers. It is the running mean of those seen.
type gapCoder struct{ mean int } // times gapWeight

const gapWeight = 8

func newGapCoder(distinct int) gapCoder { return gapCoder{mean: gapWeight * 8192 / (distinct + 1)} }

func (g *gapCoder) bits() uint { return lowerBits(g.mean / gapWeight) }

func (g *gapCoder) seen(gap int) { g.mean += gap - g.mean/gapWeight }

// bitWriter appends bits to data.
type bitWriter struct {
	data    []byte
	pending uint64 // the lowest count bits, fewer than 32, are to be written
	count   uint
}

// write appends the lowest count bits of value, count <= 32.
func (w *bitWriter) write(value uint64, count uint) {
	w.pending = w.pending<<count | value&(1<<count-1)
	if w.count += count; w.count >= 32 {
		w.count -= 32
		w.data = binary.BigEndian.AppendUint32(w.data, uint32(w.pending>>w.count))
	}
}

// rice appends a number below 65,536.
func (w *bitWriter) rice(value int, lower uint) {
	ones := uint(value >> lower)
	switch {
	case ones >= riceOnes:
		w.write(1<<riceOnes-1, riceOnes)
		w.write(uint64(value), riceWhole)
	case ones+1+lower > 32:
		w.write((1<<ones-1)<<1, ones+1)
		w.write(uint64(value), lower)
	default:
		w.write((1<<ones-1)<<(lower+1)|uint64(value)&(1<<lower-1), ones+1+lower)
	}
}

// end fills the last byte with zeros.
func (w *bitWriter) end() []byte {
	for ; w.count >= 8; w.count -= 8 {
		w.data = append(w.data, byte(w.pending>>(w.count-8)))
	}
	if w.count > 0 {
		w.data = append(w.data, byte(w.pending<<(8-w.count)))
		w.count = 0
	}
	return w.data
}

// bitReader reads what bitWriter wrote. Past the end there are zeros, and hasEnded tells of it.
type bitReader struct {
	data []byte
	at   int // in bits
}

// peek gives at least the next 57 bits, from the highest on.
func (r *bitReader) peek() uint64 {
	from := r.at >> 3
	if from+8 <= len(r.data) {
		return binary.BigEndian.Uint64(r.data[from:]) << (r.at & 7)
	}
	var rest [8]byte
	if from < len(r.data) {
		copy(rest[:], r.data[from:])
	}
	return binary.BigEndian.Uint64(rest[:]) << (r.at & 7)
}

// read gives count bits, count <= 32.
func (r *bitReader) read(count uint) int {
	value := r.peek() >> (64 - count)
	r.at += int(count)
	return int(value)
}

func (r *bitReader) rice(lower uint) int {
	next := r.peek()
	ones := bits.LeadingZeros64(^next)
	if ones >= riceOnes {
		r.at += riceOnes + riceWhole
		return int(next << riceOnes >> (64 - riceWhole))
	}
	r.at += ones + 1 + int(lower)
	return ones<<lower | int(next<<(ones+1)>>1>>(63-lower))
}

// isPast tells that more was read than there is.
func (r *bitReader) isPast() bool { return r.at > 8*len(r.data) }

// isAtEnd tells that all was read, but for the zeros that fill the last byte.
func (r *bitReader) isAtEnd() bool {
	left := 8*len(r.data) - r.at
	return left == 0 || left > 0 && left < 8 && r.peek() == 0
}

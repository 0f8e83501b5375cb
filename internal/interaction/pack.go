package interaction

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sync"

	"quarry/embedding"
	"quarry/internal/vector"
)

// Text is a passage's text with what stands above it, as tokens of the model in reading order.
type Text struct{ Title, Headings, Body []int32 }

// Packer packs the tokens of passages. It is safe for concurrent use.
type Packer struct {
	model   embedding.TokenModel
	typical float64
	kept    []uint8   // by token: 1 for one that is packed, 0 for one that is left out
	pool    sync.Pool // of *packing
}

// NewPacker prepares for a model; nil, which packs nothing, for one of more than 65,536 tokens.
func NewPacker(model embedding.TokenModel) *Packer {
	if !isUsable(model) {
		return nil
	}
	p := &Packer{model: model, typical: typicalLength(model), kept: make([]uint8, model.VocabularySize())}
	for token := range p.kept {
		if !isLeftOut(tokenLength(model, int32(token)) / p.typical) {
			p.kept[token] = 1
		}
	}
	return p
}

// isLeftOut tells by the length of a token's vector, in medians, that it is not packed.
func isLeftOut(length float64) bool { return length < leftOut }

// Pack gives the data of a passage: the tokens of title, headings and body that are not left out, and the lengths of the sums of
// their vectors, of the body by windows. nil where there is no such token. The same tokens give the same bytes on every machine.
//
// The form, numbers of several bits from the highest bit on:
//
//	byte     version, 1
//	uvarint  distinct tokens; of the title; of the headings; runs of the body, each of 32 tokens, those left out counted
//	u16      of the title, of the headings, where they have tokens, and of each window: length (see lengthBits)
//	6 bits   for each run of the body: its tokens
//	Rice     the distinct tokens, rising: the differences less one (see gapCoder)
//	Rice     the tokens of the title, of the headings, of each run: their numbers among the distinct ones, rising: the differences
func (p *Packer) Pack(text Text) []byte {
	if p == nil {
		return nil
	}
	w, ok := p.pool.Get().(*packing)
	if !ok {
		w = newPacking(p)
	}
	defer p.pool.Put(w)
	w.begin()
	for _, name := range [][]int32{text.Title, text.Headings} {
		if run := w.keep(name[:min(len(name), maxNameTokens)]); len(run) > 0 {
			w.sumUp(run)
			w.addLength(w.sum)
		}
	}
	for run := range slices.Chunk(text.Body[:min(len(text.Body), maxBodyTokens)], runTokens) {
		w.sum, w.before = w.before, w.sum
		w.sumUp(w.keep(run))
		if len(w.ends) > 3 {
			vector.Add(w.before, w.sum)
			w.addLength(w.before)
		}
	}
	if len(w.ends) == 3 {
		w.addLength(w.sum)
	}
	return slices.Clone(w.pack())
}

// packing is a passage on its way. It is used again for the next one.
type packing struct {
	packer      *Packer
	sum, before []float32 // of the vectors of the present run, and of the run before it
	tokens      []uint16  // of all runs, rising in each
	ends        []int     // of the title, of the headings and of the runs of the body, in tokens
	lengths     []uint16
	seen        []uint64 // tokens, one bit each; empty before the first and after the last
	distinct    []uint16
	places      []uint16 // by token: its number among the distinct ones
	out         bitWriter
}

func newPacking(p *Packer) *packing {
	sums, size := make([]float32, 2*p.model.Dim()), len(p.kept)
	return &packing{
		packer: p, sum: sums[:p.model.Dim()], before: sums[p.model.Dim():],
		seen: make([]uint64, (size+63)/64), places: make([]uint16, size),
	}
}

func (w *packing) begin() {
	w.tokens, w.ends, w.lengths = w.tokens[:0], w.ends[:0], w.lengths[:0]
}

// keep adds a run of the tokens that are packed. Those outside the vocabulary are not.
func (w *packing) keep(tokens []int32) []uint16 {
	w.tokens = slices.Grow(w.tokens, len(tokens))
	begin, kept := len(w.tokens), w.packer.kept
	run, count := w.tokens[begin:begin+len(tokens)], 0
	for _, token := range tokens {
		if uint(token) < uint(len(kept)) { // what follows has no branch: which token is kept is hard to foretell
			w.seen[token>>6] |= uint64(kept[token]) << (token & 63)
			run[count] = uint16(token)
			count += int(kept[token])
		}
	}
	run = run[:count]
	w.tokens, w.ends = w.tokens[:begin+count], append(w.ends, begin+count)
	sortRun(run)
	return run
}

// sortRun is what slices.Sort does, without its preparations: a run is short.
func sortRun(run []uint16) {
	if len(run) > runTokens {
		slices.Sort(run)
		return
	}
	for i := 1; i < len(run); i++ {
		token, at := run[i], i
		for ; at > 0 && run[at-1] > token; at-- {
			run[at] = run[at-1]
		}
		run[at] = token
	}
}

// sumUp writes the sum of the vectors of tokens.
func (w *packing) sumUp(tokens []uint16) {
	clear(w.sum)
	for _, token := range tokens {
		row, scale := w.packer.model.Row(int32(token))
		vector.Accumulate(w.sum, row, scale)
	}
}

func (w *packing) addLength(sum []float32) {
	w.lengths = append(w.lengths, lengthBits(math.Sqrt(float64(vector.Dot(sum, sum)))/w.packer.typical))
}

// A length is kept as the exponent and the first bits of the fraction of a float32, from 2^-16 to below 2^16: 5 and 11 bits, off by
// 1/4096 of itself at most. 0 is no length.
const (
	lengthDropped = 12
	lengthLowest  = (127 - 16) << 11
)

func lengthBits(length float64) uint16 {
	kept := int64(math.Float32bits(float32(length))+1<<(lengthDropped-1)) >> lengthDropped
	return uint16(min(max(kept-lengthLowest, 0), math.MaxUint16))
}

func lengthFrom(bits uint16) float64 {
	if bits == 0 {
		return 0
	}
	return float64(math.Float32frombits((uint32(bits) + lengthLowest) << lengthDropped))
}

// number takes the distinct tokens out of what was seen, rising.
func (w *packing) number() {
	w.distinct = w.distinct[:0]
	for i, word := range w.seen {
		for ; word != 0; word &= word - 1 {
			token := uint16(64*i + bits.TrailingZeros64(word))
			w.places[token] = uint16(len(w.distinct))
			w.distinct = append(w.distinct, token)
		}
	}
	clear(w.seen)
}

// pack writes the runs.
func (w *packing) pack() []byte {
	if len(w.tokens) == 0 {
		return nil
	}
	w.number()
	distinct, ends := len(w.distinct), w.ends
	data := append(w.out.data[:0], packVersion)
	for _, count := range []int{distinct, ends[0], ends[1] - ends[0], len(ends) - 2} {
		data = binary.AppendUvarint(data, uint64(count))
	}
	for _, length := range w.lengths {
		data = binary.BigEndian.AppendUint16(data, length)
	}
	w.out = bitWriter{data: data}
	for i := 2; i < len(ends); i++ {
		w.out.write(uint64(ends[i]-ends[i-1]), runBits)
	}
	gaps, next := newGapCoder(distinct), 0
	for _, token := range w.distinct {
		gap := int(token) - next
		w.out.rice(gap, gaps.bits())
		gaps.seen(gap)
		next = int(token) + 1
	}
	begin := 0
	for _, end := range ends {
		w.packRun(w.tokens[begin:end])
		begin = end
	}
	return w.out.end()
}

// packRun writes where the tokens of a run stand among the distinct ones.
func (w *packing) packRun(run []uint16) {
	lower, before := runGapBits(len(w.distinct), len(run)), 0
	for _, token := range run {
		place := int(w.places[token])
		w.out.rice(place-before, lower)
		before = place
	}
}

package interaction

import (
	"encoding/binary"
	"math"
	"slices"

	"quarry/embedding"
	"quarry/internal/vector"
)

// Text is a passage's text with what stands above it, as tokens of the model in reading order.
type Text struct{ Title, Headings, Body []int32 }

// Packer packs the tokens of passages. It is immutable and safe for concurrent use.
type Packer struct {
	model   embedding.TokenModel
	typical float64
	left    []bool // by token: it is left out
}

// NewPacker prepares for a model; nil, which packs nothing, for one of more than 65,536 tokens.
func NewPacker(model embedding.TokenModel) *Packer {
	if !isUsable(model) {
		return nil
	}
	p := &Packer{model: model, typical: typicalLength(model), left: make([]bool, model.VocabularySize())}
	for token := range p.left {
		p.left[token] = isLeftOut(tokenLength(model, int32(token)) / p.typical)
	}
	return p
}

// isLeftOut tells by the length of a token's vector, in medians, that it is not packed.
func isLeftOut(length float64) bool { return length < leftOut }

// Pack is Packer.Pack for a single passage; to prepare takes longer than to pack.
func Pack(model embedding.TokenModel, text Text) []byte { return NewPacker(model).Pack(text) }

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
	dimension := p.model.Dim()
	sums := make([]float32, 2*dimension)
	sum, before := sums[:dimension], sums[dimension:]
	w := windows{
		runs:   make([][]uint16, 0, 3+len(text.Body)/runTokens),
		tokens: make([]uint16, 0, len(text.Title)+len(text.Headings)+len(text.Body)),
	}
	for _, name := range [][]int32{text.Title, text.Headings} {
		if p.keep(&w, name[:min(len(name), maxNameTokens)]); len(w.last()) > 0 {
			w.lengths = append(w.lengths, p.lengthOf(p.sum(sum, w.last())))
		}
	}
	for run := range slices.Chunk(text.Body[:min(len(text.Body), maxBodyTokens)], runTokens) {
		p.keep(&w, run)
		p.sum(sum, w.last())
		if len(w.runs) > 3 {
			for i, x := range sum {
				before[i] += x
			}
			w.lengths = append(w.lengths, p.lengthOf(before))
		}
		sum, before = before, sum
	}
	if len(w.runs) == 3 {
		w.lengths = append(w.lengths, p.lengthOf(before))
	}
	return w.pack()
}

// windows are what is packed of a passage.
type windows struct {
	tokens  []uint16   // of all runs
	runs    [][]uint16 // of the title, of the headings and of the body, tokens rising
	lengths []uint16
}

func (w *windows) last() []uint16 { return w.runs[len(w.runs)-1] }

// keep adds a run of the tokens that are packed. Those outside the vocabulary are not.
func (p *Packer) keep(w *windows, tokens []int32) {
	begin := len(w.tokens)
	for _, token := range tokens {
		if token >= 0 && int(token) < len(p.left) && !p.left[token] {
			w.tokens = append(w.tokens, uint16(token))
		}
	}
	run := w.tokens[begin:]
	slices.Sort(run)
	w.runs = append(w.runs, run)
}

// sum writes the sum of the vectors of tokens.
func (p *Packer) sum(sum []float32, tokens []uint16) []float32 {
	clear(sum)
	for _, token := range tokens {
		row, scale := p.model.Row(int32(token))
		vector.Accumulate(sum, row, scale)
	}
	return sum
}

func (p *Packer) lengthOf(sum []float32) uint16 {
	return lengthBits(math.Sqrt(float64(vector.Dot(sum, sum))) / p.typical)
}

// A length is kept as the exponent and the first bits of the fraction of a float32, from 2^-16 to below 2^16: 5 and 11 bits, off by
// 1/4096 of itself at most. 0 is no length.
const (
	lengthDropped = 12
	lengthLowest  = (127 - 16) << 11
)

func lengthBits(length float64) uint16 {
	bits := int64(math.Float32bits(float32(length))+1<<(lengthDropped-1)) >> lengthDropped
	return uint16(min(max(bits-lengthLowest, 0), math.MaxUint16))
}

func lengthFrom(bits uint16) float64 {
	if bits == 0 {
		return 0
	}
	return float64(math.Float32frombits((uint32(bits) + lengthLowest) << lengthDropped))
}

// pack writes the runs.
func (w *windows) pack() []byte {
	distinct, runs := slices.Clone(w.tokens), w.runs
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	if len(distinct) == 0 {
		return nil
	}
	data := append(make([]byte, 0, 16+3*len(distinct)), packVersion)
	for _, count := range []int{len(distinct), len(runs[0]), len(runs[1]), len(runs) - 2} {
		data = binary.AppendUvarint(data, uint64(count))
	}
	for _, length := range w.lengths {
		data = binary.BigEndian.AppendUint16(data, length)
	}
	out := bitWriter{data: data}
	for _, run := range runs[2:] {
		out.write(uint64(len(run)), runBits)
	}
	gaps, next := newGapCoder(len(distinct)), 0
	for _, token := range distinct {
		gap := int(token) - next
		out.rice(gap, gaps.bits())
		gaps.seen(gap)
		next = int(token) + 1
	}
	for _, run := range runs {
		packRun(&out, run, distinct)
	}
	return out.end()
}

// packRun writes where the tokens of a run stand among the distinct ones.
func packRun(w *bitWriter, run, distinct []uint16) {
	bits, place, before := runGapBits(len(distinct), len(run)), 0, 0
	for _, token := range run {
		for distinct[place] != token {
			place++
		}
		w.rice(place-before, bits)
		before = place
	}
}

package model2vec

import (
	"encoding/binary"
	"math"
	"sort"

	"quarry/internal/vector"
)

// quantizedRows are the vectors of the tokens as int8 with one scale each. A row that a single large component makes
// coarse has a second one, of what the first leaves over; its scale is stored with a minus sign.
type quantizedRows struct {
	columns int
	scales  string // f32 each, little-endian
	int8s   []int8

	refined       string // u32 each, little-endian: the ids with a second row, rising
	refinedScales string
	refinedInt8s  []int8
}

// coarse is how far the cosine of a quantized row and the row may be from 1; below, there is a second row. One row in
// fifty of potion-base-8M has one; the cosine of a one-word text stays above 0.9999.
const coarse = 9e-5

func (q *quantizedRows) dimension() int { return q.columns }

func (q *quantizedRows) isHalf() bool { return false }

func (q *quantizedRows) row(id int32) (row []int8, scale float32) {
	row, scale = q.stored(int(id))
	return row, max(scale, -scale)
}

func (q *quantizedRows) stored(id int) (row []int8, scale float32) {
	return rowOf(q.int8s, q.columns, id), math.Float32frombits(stringUint32(q.scales, id))
}

// refinement is the second row of an id that has one.
func (q *quantizedRows) refinement(id int) (row []int8, scale float32) {
	at := sort.Search(len(q.refined)/4-1, func(i int) bool { return int(stringUint32(q.refined, i)) >= id })
	return rowOf(q.refinedInt8s, q.columns, at), math.Float32frombits(stringUint32(q.refinedScales, at))
}

func rowOf(int8s []int8, columns, index int) []int8 {
	from := index * columns
	return int8s[from : from+columns : from+columns]
}

// mean sums in float32, in the order of ids.
func (q *quantizedRows) mean(out []float32, s *scratch) {
	clear(out)
	for _, id := range s.ids {
		row, scale := q.stored(int(id))
		if scale < 0 {
			second, secondScale := q.refinement(int(id))
			vector.Accumulate(out, second, secondScale)
			scale = -scale
		}
		vector.Accumulate(out, row, scale)
	}
	count := float32(len(s.ids))
	for i := range out {
		out[i] /= count
	}
}

// quantizeRows quantizes the vector of every id below count.
func quantizeRows(from weights, count int) *quantizedRows {
	out := &quantizedRows{columns: from.dimension(), int8s: make([]int8, count*from.dimension())}
	s := scratch{ids: make([]int32, 1)}
	row := make([]float32, out.columns)
	var scales, refined, refinedScales []byte
	for id := range count {
		s.ids[0] = int32(id)
		from.mean(row, &s)
		target := rowOf(out.int8s, out.columns, id)
		scale := vector.Quantize(row, target)
		if 1-quantizedCosine(row, target) > coarse {
			rest := make([]int8, out.columns)
			restScale := vector.Quantize(remainder(row, target, scale), rest)
			refined = binary.LittleEndian.AppendUint32(refined, uint32(id))
			refinedScales = binary.LittleEndian.AppendUint32(refinedScales, math.Float32bits(restScale))
			out.refinedInt8s = append(out.refinedInt8s, rest...)
			scale = -scale
		}
		scales = binary.LittleEndian.AppendUint32(scales, math.Float32bits(scale))
	}
	out.scales, out.refined, out.refinedScales = string(scales), string(refined), string(refinedScales)
	return out
}

// quantizedCosine is the cosine of a vector and its quantized form; NaN for zero vectors.
func quantizedCosine(v []float32, quantized []int8) float64 {
	var vq, vv, qq float64
	for i, x := range v {
		x, q := float64(x), float64(quantized[i])
		vq += float64(x * q)
		vv += float64(x * x)
		qq += float64(q * q)
	}
	return vq / math.Sqrt(float64(vv*qq))
}

// remainder is v without scale·quantized.
func remainder(v []float32, quantized []int8, scale float32) []float32 {
	rest := make([]float32, len(v))
	for i, x := range v {
		rest[i] = x - float32(scale*float32(quantized[i]))
	}
	return rest
}

package model2vec

import (
	"fmt"
	"math"

	"quarry/internal/vector"
)

// matrix holds the weights of a model from a folder, in the element type of the file, and computes as numpy does:
// each product and each sum is rounded to the type that numpy promotes to. (A single column numpy sums in another order.)
type matrix struct {
	stride, columns int // elements of a row in memory, and of those the ones in use

	// One of these is set. Elements of float16 are held as float32, half is set for them.
	float32s []float32
	float64s []float64
	int8s    []int8
	half     bool

	// At most one of these is set: a factor for each id.
	weights32 []float32
	weights64 []float64

	mapping []int32 // the row of each id; nil: the row is the id
}

// newMatrix takes the tensors; name is that of the embeddings.
func newMatrix(tensors map[string]tensor, name string) (*matrix, error) {
	rows, ok := tensors[name]
	if !ok {
		return nil, fmt.Errorf("there is no tensor %q of a known type", name)
	}
	if len(rows.shape) != 2 || rows.shape[1] == 0 {
		return nil, fmt.Errorf("tensor %q has the shape %v, not rows and columns", name, rows.shape)
	}
	m := &matrix{stride: rows.shape[1], columns: rows.shape[1]}
	switch rows.dtype {
	case "F32", "F16":
		m.float32s, m.half = rows.float32s(), rows.dtype == "F16"
	case "F64":
		m.float64s = rows.float64s()
	case "I8":
		m.int8s = rows.int8s()
	default:
		return nil, fmt.Errorf("tensor %q has elements of type %s", name, rows.dtype)
	}
	if err := m.setWeights(tensors); err != nil {
		return nil, err
	}
	return m, m.setMapping(tensors, rows.shape[0])
}

func (m *matrix) setWeights(tensors map[string]tensor) error {
	weights, ok := tensors["weights"]
	switch {
	case !ok:
		return nil
	case len(weights.shape) != 1:
		return fmt.Errorf("tensor \"weights\" has the shape %v, not one number an id", weights.shape)
	case weights.dtype == "F32":
		m.weights32 = weights.float32s()
	case weights.dtype == "F64":
		m.weights64 = weights.float64s()
	default:
		return fmt.Errorf("tensor \"weights\" has elements of type %s", weights.dtype)
	}
	return nil
}

func (m *matrix) setMapping(tensors map[string]tensor, rows int) error {
	mapping, ok := tensors["mapping"]
	if !ok {
		return nil
	}
	if mapping.dtype != "I32" && mapping.dtype != "I64" || len(mapping.shape) != 1 {
		return fmt.Errorf("tensor \"mapping\" has elements of type %s and the shape %v", mapping.dtype, mapping.shape)
	}
	m.mapping = mapping.int32s()
	for id, row := range m.mapping {
		if row < 0 || int(row) >= rows {
			return fmt.Errorf("id %d is mapped to row %d of %d", id, row, rows)
		}
	}
	return nil
}

// rows is the number of rows in memory.
func (m *matrix) rows() int {
	return max(len(m.float32s), len(m.float64s), len(m.int8s)) / m.stride
}

// idLimit is the number of ids that have a row, and a weight if there are weights.
func (m *matrix) idLimit() int {
	limit := m.rows()
	if m.mapping != nil {
		limit = len(m.mapping)
	}
	if m.weights32 != nil {
		limit = min(limit, len(m.weights32))
	}
	if m.weights64 != nil {
		limit = min(limit, len(m.weights64))
	}
	return limit
}

func (m *matrix) dimension() int { return m.columns }

func (m *matrix) isHalf() bool { return m.half }

// span gives where the row of an id lies in memory.
func (m *matrix) span(id int32) (from, to int) {
	if m.mapping != nil {
		id = m.mapping[id]
	}
	from = int(id) * m.stride
	return from, from + m.columns
}

// mean writes the mean of the rows of ids, at least one, each times its weight. Sums run in the order of ids.
func (m *matrix) mean(out []float32, s *scratch) {
	if m.float64s != nil || m.weights64 != nil || m.int8s != nil && m.weights32 == nil {
		m.meanFloat64(out, s)
		return
	}
	clear(out)
	for _, id := range s.ids {
		from, to := m.span(id)
		weight := float32(1) // times one changes nothing
		if m.weights32 != nil {
			weight = m.weights32[id]
		}
		if m.int8s != nil {
			vector.Accumulate(out, m.int8s[from:to], weight)
			continue
		}
		for i, x := range m.float32s[from:to] {
			out[i] += float32(x * weight)
		}
	}
	count := float32(len(s.ids))
	for i := range out {
		out[i] /= count
	}
	m.roundHalf(out)
}

// meanFloat64 is mean where numpy sums in float64.
func (m *matrix) meanFloat64(out []float32, s *scratch) {
	if cap(s.float64) < m.columns {
		s.float64 = make([]float64, m.columns)
	}
	sum := s.float64[:m.columns]
	clear(sum)
	for _, id := range s.ids {
		m.addFloat64(sum, id)
	}
	count := float64(len(s.ids))
	for i, x := range sum {
		if m.half {
			x = roundToHalf(x / count) // one rounding, not two
			out[i] = float32(x)
			continue
		}
		out[i] = float32(x / count)
	}
}

// addFloat64 adds the row of an id, times its weight, in float64.
func (m *matrix) addFloat64(sum []float64, id int32) {
	weight := 1.0
	switch {
	case m.weights64 != nil:
		weight = m.weights64[id]
	case m.weights32 != nil:
		weight = float64(m.weights32[id])
	}
	from, to := m.span(id)
	switch {
	case m.float64s != nil:
		for i, x := range m.float64s[from:to] {
			sum[i] += float64(x * weight)
		}
	case m.float32s != nil:
		for i, x := range m.float32s[from:to] {
			sum[i] += float64(float64(x) * weight)
		}
	default:
		for i, x := range m.int8s[from:to] {
			sum[i] += float64(float64(x) * weight)
		}
	}
}

// roundHalf rounds v to float16 where that is the type of the matrix.
func (m *matrix) roundHalf(v []float32) {
	if !m.half {
		return
	}
	for i, x := range v {
		v[i] = float32(roundToHalf(float64(x)))
	}
}

// cut keeps the first columns.
func (m *matrix) cut(columns int) error {
	if columns < 0 || columns > m.columns {
		return fmt.Errorf("the model has %d components, not %d", m.columns, columns)
	}
	if columns > 0 {
		m.columns = columns
	}
	return nil
}

// convert changes the element type as the reference's quantize_to does; "" keeps it.
func (m *matrix) convert(dtype string) error {
	switch dtype {
	case "":
	case "float32":
		m.toFloat32()
	case "float16":
		m.toFloat16()
	case "int8":
		m.toInt8()
	default:
		return fmt.Errorf("unknown element type %q: float32, float16 or int8", dtype)
	}
	return nil
}

func (m *matrix) toFloat32() {
	m.half = false
	if m.float32s != nil {
		return
	}
	floats := make([]float32, max(len(m.float64s), len(m.int8s)))
	for i := range floats {
		floats[i] = float32(m.at(i))
	}
	m.float32s, m.float64s, m.int8s = floats, nil, nil
}

func (m *matrix) toFloat16() {
	if m.half {
		return
	}
	halves := make([]float32, max(len(m.float32s), len(m.float64s), len(m.int8s)))
	for i := range halves {
		halves[i] = float32(roundToHalf(m.at(i)))
	}
	m.float32s, m.float64s, m.int8s, m.half = halves, nil, nil, true
}

// toInt8 takes one scale for the whole matrix and goes through float16 before and after the division, as the reference.
func (m *matrix) toInt8() {
	if m.int8s != nil {
		return
	}
	out := make([]int8, max(len(m.float32s), len(m.float64s)))
	top := 0.0
	for i := range out {
		top = max(top, math.Abs(m.at(i)))
	}
	scale := m.quotient(top, 127)
	for i := range out {
		q := math.RoundToEven(roundToHalf(m.quotient(roundToHalf(m.at(i)), scale)))
		if q == q { // 0/0 where all is zero
			out[i] = int8(min(max(q, -127), 127))
		}
	}
	m.int8s, m.float32s, m.float64s, m.half = out, nil, nil, false
}

// quotient divides in the type of the matrix.
func (m *matrix) quotient(a, b float64) float64 {
	switch {
	case m.float64s != nil:
		return a / b
	case m.half:
		return roundToHalf(float64(float32(a) / float32(b)))
	}
	return float64(float32(a) / float32(b))
}

// at is an element in memory, without loss.
func (m *matrix) at(i int) float64 {
	switch {
	case m.float32s != nil:
		return float64(m.float32s[i])
	case m.float64s != nil:
		return m.float64s[i]
	}
	return float64(m.int8s[i])
}

package model2vec

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// tensor is one array of a safetensors file: row-major, little-endian.
type tensor struct {
	dtype string // "F64", "F32", "F16", "I8", "I64", "I32"
	shape []int
	data  []byte
}

// dtypeBytes holds the element types that models use.
var dtypeBytes = map[string]int{"F64": 8, "F32": 4, "F16": 2, "I8": 1, "I64": 8, "I32": 4}

// tensorHeader is an entry of the header of a safetensors file.
type tensorHeader struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// readTensors reads a safetensors file: u64 length of the header, the header in JSON, the data. Tensors of types that
// no model has are left out.
func readTensors(content []byte) (map[string]tensor, error) {
	if len(content) < 8 {
		return nil, fmt.Errorf("the file ends within the length of its header")
	}
	length, body := binary.LittleEndian.Uint64(content), content[8:]
	if length > uint64(len(body)) {
		return nil, fmt.Errorf("the header has %d bytes, but only %d follow", length, len(body))
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(body[:length], &header); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	tensors := map[string]tensor{}
	for name, raw := range header {
		if name == "__metadata__" {
			continue
		}
		var entry tensorHeader
		if err := json.Unmarshal(raw, &entry); err != nil {
			return nil, fmt.Errorf("header of tensor %q: %w", name, err)
		}
		if dtypeBytes[entry.DType] == 0 {
			continue
		}
		data, err := entry.slice(body[length:])
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		tensors[name] = tensor{entry.DType, entry.Shape, data}
	}
	return tensors, nil
}

// slice checks offsets and shape against each other and the data.
func (h *tensorHeader) slice(data []byte) ([]byte, error) {
	from, to := h.Offsets[0], h.Offsets[1]
	if from < 0 || from > to || to > len(data) {
		return nil, fmt.Errorf("offsets %d to %d are not within %d bytes of data", from, to, len(data))
	}
	want := dtypeBytes[h.DType]
	for _, n := range h.Shape {
		if n < 0 || n > 0 && want > math.MaxInt/n {
			return nil, fmt.Errorf("impossible shape %v", h.Shape)
		}
		want *= n
	}
	if want != to-from {
		return nil, fmt.Errorf("shape %v of %s needs %d bytes, not %d", h.Shape, h.DType, want, to-from)
	}
	return data[from:to], nil
}

// float32s decodes F32, and F16 without loss.
func (t tensor) float32s() []float32 {
	out := make([]float32, len(t.data)/dtypeBytes[t.dtype])
	for i := range out {
		if t.dtype == "F16" {
			out[i] = halfToFloat32(binary.LittleEndian.Uint16(t.data[2*i:]))
		} else {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.data[4*i:]))
		}
	}
	return out
}

func (t tensor) float64s() []float64 {
	out := make([]float64, len(t.data)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(t.data[8*i:]))
	}
	return out
}

func (t tensor) int8s() []int8 {
	out := make([]int8, len(t.data))
	for i, b := range t.data {
		out[i] = int8(b)
	}
	return out
}

// int32s decodes I32 and I64; numbers beyond int32 become -1, which no caller accepts.
func (t tensor) int32s() []int32 {
	out := make([]int32, len(t.data)/dtypeBytes[t.dtype])
	for i := range out {
		if t.dtype == "I32" {
			out[i] = int32(binary.LittleEndian.Uint32(t.data[4*i:]))
			continue
		}
		out[i] = -1
		if wide := int64(binary.LittleEndian.Uint64(t.data[8*i:])); wide == int64(int32(wide)) {
			out[i] = int32(wide)
		}
	}
	return out
}

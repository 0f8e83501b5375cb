// Package vector holds the arithmetic of embeddings: int8 quantisation, dot products, sums and the choice of the best.
//
// Every result is the same, to the bit, on every processor: integer sums have no order, and float sums have a fixed one
// in which each product and each sum is rounded by itself (no fused multiply-add). On amd64 with AVX2 the long loops
// run in assembly; elsewhere in Go. All functions are pure and safe for concurrent use on separate output.
package vector

import "math"

// quantized is the largest magnitude of an int8 component; -128 stays unused so that the range is symmetric.
const quantized = 127

// roundBias added to and taken from a float32 below 2^22 in magnitude rounds it to an integer, half to even.
const roundBias = 3 << 22

// accumulateBlock is the number of components that the kernels of floats take at a time; Go does the tail.
const accumulateBlock = 8

// Quantize writes v as int8 to out, len(out) == len(v), and returns the scale: v[i] ≈ scale·out[i], off by half a scale at most (and the rounding of a float32).
// The scale is the largest magnitude / 127, so components are in -127..127; halves round to even.
// A vector of zeros, of magnitudes too small for a scale, or with a NaN or infinite component gives scale 0 and zeros.
func Quantize(v []float32, out []int8) (scale float32) {
	out = out[:len(v)]
	scale = largest(v) / quantized
	if scale == 0 || !isFinite(scale) {
		clear(out)
		return 0
	}
	for i, x := range v {
		q := float32(x/scale) + roundBias
		out[i] = int8(min(max(q-roundBias, -quantized), quantized))
	}
	return scale
}

// largest is the largest magnitude in v; NaN if v has one.
func largest(v []float32) float32 {
	var top float32
	for _, x := range v {
		top = max(top, float32(math.Abs(float64(x))))
	}
	return top
}

func isFinite(x float32) bool {
	return x-x == 0
}

// Dots writes to out the dot product of query with each of len(out) vectors that lie one after another in base;
// len(base) >= len(query)·len(out). Exact below 131,072 components; beyond, sums wrap as int32 does.
func Dots(query, base []int8, out []int32) {
	if len(out) == 0 {
		return
	}
	base = base[:len(query)*len(out)]
	if len(query) == 0 {
		clear(out)
		return
	}
	dots(query, base, out)
}

// dotsFrom adds the products of the components from start on: the whole job in Go, or the tail that the kernel left.
func dotsFrom(start int, query, base []int8, out []int32) {
	dimension := len(query)
	tail := query[start:]
	for k := range out {
		row := base[k*dimension+start : (k+1)*dimension]
		row = row[:len(tail)]
		sum := int32(0)
		for i, q := range tail {
			sum += int32(q) * int32(row[i])
		}
		out[k] += sum
	}
}

// Dot is the dot product of a and b, len(b) >= len(a), summed in a fixed order: eight running sums with stride 8,
// ((0+1)+(2+3))+((4+5)+(6+7)), then the remainder one by one. Non-finite components give a non-finite result.
func Dot(a, b []float32) float32 {
	b = b[:len(a)]
	var r [dotSums]float32
	whole := len(a) &^ (dotSums - 1)
	dotFloats(a[:whole], b[:whole], &r)
	sum := ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
	for i := whole; i < len(a); i++ {
		sum += float32(a[i] * b[i])
	}
	return sum
}

// dotSums are the running sums of Dot.
const dotSums = 8

// dotFloatsPlain gives the running sums of vectors whose length is a multiple of theirs.
func dotFloatsPlain(a, b []float32, r *[dotSums]float32) {
	for i := 0; i+dotSums <= len(a); i += dotSums {
		x, y := (*[dotSums]float32)(a[i:]), (*[dotSums]float32)(b[i:])
		r[0] += float32(x[0] * y[0])
		r[1] += float32(x[1] * y[1])
		r[2] += float32(x[2] * y[2])
		r[3] += float32(x[3] * y[3])
		r[4] += float32(x[4] * y[4])
		r[5] += float32(x[5] * y[5])
		r[6] += float32(x[6] * y[6])
		r[7] += float32(x[7] * y[7])
	}
}

// Add adds v to sum, component by component, len(v) >= len(sum).
func Add(sum, v []float32) {
	v = v[:len(sum)]
	whole := len(sum) &^ (accumulateBlock - 1)
	addFloats(sum[:whole], v[:whole])
	addPlain(sum[whole:], v[whole:])
}

func addPlain(sum, v []float32) {
	v = v[:len(sum)]
	for i, x := range v {
		sum[i] += x
	}
}

// Accumulate adds scale·row to sum, component by component, len(row) >= len(sum); scale and sum are to be finite.
// Product and sum are each rounded to float32.
func Accumulate(sum []float32, row []int8, scale float32) {
	row = row[:len(sum)]
	if len(sum) > 0 {
		accumulate(sum, row, scale)
	}
}

// accumulatePlain is Accumulate in Go.
func accumulatePlain(sum []float32, row []int8, scale float32) {
	row = row[:len(sum)]
	for i, q := range row {
		sum[i] += float32(scale * float32(q))
	}
}

//go:build !amd64

package vector

func dots(query, base []int8, out []int32) {
	clear(out)
	dotsFrom(0, query, base, out)
}

func accumulate(sum []float32, row []int8, scale float32) {
	accumulatePlain(sum, row, scale)
}

func dotFloats(a, b []float32, r *[dotSums]float32) { dotFloatsPlain(a, b, r) }

func addFloats(sum, v []float32) { addPlain(sum, v) }

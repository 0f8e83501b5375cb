//go:build !amd64

package vector

func dots(query, base []int8, out []int32) {
	clear(out)
	dotsFrom(0, query, base, out)
}

func accumulate(sum []float32, row []int8, scale float32) {
	accumulatePlain(sum, row, scale)
}

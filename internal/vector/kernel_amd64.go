package vector

import "golang.org/x/sys/cpu"

// hasAVX2 is a variable so that a test can compare both ways.
var hasAVX2 = cpu.X86.HasAVX2

// dotBlock is the number of components that the kernel of Dots takes at a time; Go does the tail.
const dotBlock = 16

func dots(query, base []int8, out []int32) {
	width := len(query) &^ (dotBlock - 1)
	if !hasAVX2 || width == 0 {
		clear(out)
		dotsFrom(0, query, base, out)
		return
	}
	dotsAVX2(&query[0], &base[0], len(query), width, len(out), &out[0])
	if width < len(query) {
		dotsFrom(width, query, base, out)
	}
}

func accumulate(sum []float32, row []int8, scale float32) {
	width := len(sum) &^ (accumulateBlock - 1)
	if !hasAVX2 || width == 0 {
		accumulatePlain(sum, row, scale)
		return
	}
	accumulateAVX2(&sum[0], &row[0], scale, width)
	if width < len(sum) {
		accumulatePlain(sum[width:], row[width:], scale)
	}
}

// dotFloats takes vectors whose length is a multiple of dotSums.
func dotFloats(a, b []float32, r *[dotSums]float32) {
	if !hasAVX2 || len(a) == 0 {
		dotFloatsPlain(a, b, r)
		return
	}
	dotFloatsAVX2(&a[0], &b[0], len(a), r)
}

// addFloats takes vectors whose length is a multiple of accumulateBlock.
func addFloats(sum, v []float32) {
	if !hasAVX2 || len(sum) == 0 {
		addPlain(sum, v)
		return
	}
	addFloatsAVX2(&sum[0], &v[0], len(sum))
}

// dotsAVX2 writes count dot products of the first width components; vectors of base begin every stride bytes.
// width is a positive multiple of dotBlock, count is positive.
//
//go:noescape
func dotsAVX2(query, base *int8, stride, width, count int, out *int32)

// accumulateAVX2 adds scale·row to the first width components of sum; width is a positive multiple of accumulateBlock.
//
//go:noescape
func accumulateAVX2(sum *float32, row *int8, scale float32, width int)

// dotFloatsAVX2 writes the running sums of width components; width is a positive multiple of dotSums.
//
//go:noescape
func dotFloatsAVX2(a, b *float32, width int, r *[dotSums]float32)

// addFloatsAVX2 adds width components of v to sum; width is a positive multiple of accumulateBlock.
//
//go:noescape
func addFloatsAVX2(sum, v *float32, width int)

package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernels of this machine and the loops in Go have to give the same bits; sizes go around every block length.
var testLengths = []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 96, 100, 127, 128, 129, 255, 256, 257, 300, 768, 1023, 1024}

func randomInt8s(random *rand.Rand, n int) []int8 {
	out := make([]int8, n)
	for i := range out {
		out[i] = int8(random.IntN(256))
	}
	return out
}

func constantInt8s(value int8, n int) []int8 {
	return slices.Repeat([]int8{value}, n)
}

func TestDotsAgreeWithPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, dimension := range testLengths {
		for count := range 10 {
			fills := map[string][2][]int8{
				"random": {randomInt8s(random, dimension), randomInt8s(random, dimension*count)},
				"lowest": {constantInt8s(-128, dimension), constantInt8s(-128, dimension*count)},
				"mixed":  {constantInt8s(-128, dimension), constantInt8s(127, dimension*count)},
				"top":    {constantInt8s(127, dimension), constantInt8s(127, dimension*count)},
			}
			for name, fill := range fills {
				// Guards behind the output and rubbish in it: nothing outside may be written, all inside must be.
				got := slices.Repeat([]int32{-7}, count+1)
				want := make([]int32, count)
				Dots(fill[0], fill[1], got[:count])
				dotsFrom(0, fill[0], fill[1], want)
				if !slices.Equal(got[:count], want) || got[count] != -7 {
					t.Fatalf("%s, dimension %d, count %d: got %v, want %v", name, dimension, count, got, want)
				}
			}
		}
	}
}

func TestAccumulateAgreesWithPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	scales := []float32{0, 1, -1, 0.1, 1e-30, 1e30, math.SmallestNonzeroFloat32, math.MaxFloat32 / 128, -math.MaxFloat32 / 128, 0.4097}
	for _, dimension := range testLengths {
		for _, scale := range scales {
			for _, row := range [][]int8{randomInt8s(random, dimension), constantInt8s(-128, dimension), constantInt8s(127, dimension)} {
				got := make([]float32, dimension+1)
				for i := range got {
					got[i] = float32(random.NormFloat64()) * float32(math.Ldexp(1, random.IntN(60)-30))
				}
				want := slices.Clone(got)
				for range 3 {
					Accumulate(got[:dimension], row, scale)
					accumulatePlain(want[:dimension], row, scale)
				}
				for i := range got {
					if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
						t.Fatalf("dimension %d, scale %g, component %d: got %x, want %x", dimension, scale, i, got[i], want[i])
					}
				}
			}
		}
	}
}

// TestAccumulateIsNotFused uses values where a fused multiply-add keeps a bit that two roundings lose.
func TestAccumulateIsNotFused(t *testing.T) {
	scale := float32(1 + 1.0/(1<<23)) // 127·scale needs more than 24 bits
	product := float32(127 * float64(scale))
	for _, dimension := range []int{1, 8, 33} {
		sum := slices.Repeat([]float32{-product}, dimension)
		Accumulate(sum, constantInt8s(127, dimension), scale)
		for i, x := range sum {
			if x != 0 {
				t.Errorf("dimension %d, component %d: %g is the remainder of a fused product", dimension, i, x)
			}
		}
	}
}

func randomFloats(random *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(random.NormFloat64()) * float32(math.Ldexp(1, random.IntN(60)-30))
	}
	return out
}

func TestFloatKernelsAgreeWithPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, dimension := range testLengths {
		a, b := randomFloats(random, dimension), randomFloats(random, dimension+1)
		var got, want [dotSums]float32
		whole := dimension &^ (dotSums - 1)
		dotFloats(a[:whole], b[:whole], &got)
		dotFloatsPlain(a[:whole], b[:whole], &want)
		if got != want {
			t.Errorf("dimension %d: running sums %v, want %v", dimension, got, want)
		}
		sum, plain := slices.Clone(b), slices.Clone(b)
		Add(sum[:dimension], a)
		addPlain(plain[:dimension], a)
		if !slices.Equal(sum, plain) {
			t.Errorf("dimension %d: sum %v, want %v", dimension, sum, plain)
		}
	}
}

func FuzzDots(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdefX"), uint8(3))
	f.Add([]byte{0x80, 0x80, 0x7f}, uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, dimension uint8) {
		values := make([]int8, len(data))
		for i, b := range data {
			values[i] = int8(b)
		}
		width := min(int(dimension), len(values))
		query, base := values[:width], values[width:]
		count := 0
		if width > 0 {
			count = len(base) / width
		}
		got, want := make([]int32, count), make([]int32, count)
		Dots(query, base, got)
		dotsFrom(0, query, base, want)
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func BenchmarkDotsPlain(b *testing.B) {
	query, base, out := benchmarkDots()
	b.SetBytes(int64(len(base)))
	for b.Loop() {
		clear(out)
		dotsFrom(0, query, base, out)
	}
}

func BenchmarkAccumulatePlain(b *testing.B) {
	sum, row := make([]float32, 256), constantInt8s(3, 256)
	b.SetBytes(256)
	for b.Loop() {
		accumulatePlain(sum, row, 0.25)
	}
}

func BenchmarkDots(b *testing.B) {
	query, base, out := benchmarkDots()
	b.SetBytes(int64(len(base)))
	for b.Loop() {
		Dots(query, base, out)
	}
}

func BenchmarkAccumulate(b *testing.B) {
	sum, row := make([]float32, 256), constantInt8s(3, 256)
	b.SetBytes(256)
	for b.Loop() {
		Accumulate(sum, row, 0.25)
	}
}

// benchmarkDots is 50,000 vectors of 256 components.
func benchmarkDots() (query, base []int8, out []int32) {
	random := rand.New(rand.NewPCG(5, 6))
	return randomInt8s(random, 256), randomInt8s(random, 256*50_000), make([]int32, 50_000)
}

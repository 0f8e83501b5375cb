package vector_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/vector"
)

func TestQuantize(t *testing.T) {
	infinity, nan := float32(math.Inf(1)), float32(math.NaN())
	tests := []struct {
		name  string
		in    []float32
		scale float32
		out   []int8
	}{
		{"empty", nil, 0, []int8{}},
		{"zeros", []float32{0, 0}, 0, []int8{0, 0}},
		{"scale by the largest", []float32{127, -63, 1}, 1, []int8{127, -63, 1}},
		{"negative is largest", []float32{-254, 2}, 2, []int8{-127, 1}},
		{"half to even", []float32{127, 0.5, 1.5, 2.5, -0.5, -1.5}, 1, []int8{127, 0, 2, 2, 0, -2}},
		{"infinite", []float32{1, infinity}, 0, []int8{0, 0}},
		{"not a number", []float32{1, nan, 2}, 0, []int8{0, 0, 0}},
		{"too small", []float32{math.SmallestNonzeroFloat32}, 0, []int8{0}},
		{"smallest scale", []float32{190 * math.SmallestNonzeroFloat32}, math.SmallestNonzeroFloat32, []int8{127}},
		{"largest floats", []float32{math.MaxFloat32, -math.MaxFloat32}, math.MaxFloat32 / 127, []int8{127, -127}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := slices.Repeat([]int8{99}, len(test.in))
			if scale := vector.Quantize(test.in, out); scale != test.scale {
				t.Errorf("scale %g, want %g", scale, test.scale)
			}
			if diff := cmp.Diff(test.out, out); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestQuantizeError(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		in, out := make([]float32, 257), make([]int8, 257)
		for i := range in {
			in[i] = float32(random.NormFloat64() * 3)
		}
		scale := vector.Quantize(in, out)
		for i, x := range in {
			if off := math.Abs(float64(x) - float64(scale)*float64(out[i])); off > float64(scale)*0.50001 {
				t.Fatalf("component %d: %g is stored as %d·%g, off by %g", i, x, out[i], scale, off)
			}
		}
	}
}

func TestDotSumsInItsOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for n := range 100 {
		a, b := make([]float32, n), make([]float32, n+1)
		for i := range a {
			a[i], b[i] = float32(random.NormFloat64()), float32(random.NormFloat64())
		}
		var lanes [8]float32
		for i := range n - n%8 {
			lanes[i%8] += float32(a[i] * b[i])
		}
		want := ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
		for i := n - n%8; i < n; i++ {
			want += float32(a[i] * b[i])
		}
		if got := vector.Dot(a, b); got != want {
			t.Errorf("length %d: got %g, want %g", n, got, want)
		}
	}
}

func TestDotsOfOneRow(t *testing.T) {
	out := []int32{7}
	if vector.Dots([]int8{1, -2, 3}, []int8{4, 5, -128, 9}, out); out[0] != 4-10-384 {
		t.Errorf("got %d", out[0])
	}
	if vector.Dots(nil, nil, out); out[0] != 0 {
		t.Errorf("empty: got %d", out[0])
	}
}

func BenchmarkQuantize(b *testing.B) {
	in, out := make([]float32, 256), make([]int8, 256)
	for i := range in {
		in[i] = float32(i%19) - 9
	}
	b.SetBytes(1024)
	for b.Loop() {
		vector.Quantize(in, out)
	}
}

func BenchmarkDot(b *testing.B) {
	x := make([]float32, 256)
	b.SetBytes(1024)
	for b.Loop() {
		vector.Dot(x, x)
	}
}

package model2vec

import "math"

// IEEE 754 binary16: 11 significant bits, normal exponents from -14 to 15.
const (
	halfSmallestExponent = -14
	halfFractionBits     = 10
	halfLargest          = 65504
)

// halfToFloat32 decodes a binary16 number, without loss.
func halfToFloat32(half uint16) float32 {
	sign := uint32(half>>15) << 31
	exponent := uint32(half>>halfFractionBits) & 0x1F
	fraction := uint32(half) & (1<<halfFractionBits - 1)
	switch exponent {
	case 0: // zero and subnormal numbers
		value := math.Ldexp(float64(fraction), halfSmallestExponent-halfFractionBits)
		return math.Float32frombits(sign | math.Float32bits(float32(value)))
	case 0x1F: // infinity and NaN
		return math.Float32frombits(sign | 0xFF<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// roundToHalf rounds to the nearest binary16 number, ties to even.
func roundToHalf(x float64) float64 {
	if x-x != 0 {
		return x
	}
	exponent := int(math.Float64bits(x)>>52&0x7FF) - 1023
	step := math.Ldexp(1, max(exponent, halfSmallestExponent)-halfFractionBits)
	rounded := math.RoundToEven(x/step) * step // both exact: step is a power of two
	if math.Abs(rounded) > halfLargest {
		return math.Copysign(math.Inf(1), x)
	}
	return rounded
}

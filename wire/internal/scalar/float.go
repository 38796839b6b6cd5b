package scalar

import "math"

// In canonical form equal floats have equal bytes: there is one zero and one NaN.
const (
	canonicalNaN32 = 0x7fc00000
	canonicalNaN64 = 0x7ff8000000000000
)

// Canonical32 returns the canonical bits of the float32 with the bits b.
func Canonical32(b uint32) uint32 {
	if f := math.Float32frombits(b); f == 0 {
		return 0
	} else if f != f {
		return canonicalNaN32
	}
	return b
}

// Canonical64 returns the canonical bits of the float64 with the bits b.
func Canonical64(b uint64) uint64 {
	if f := math.Float64frombits(b); f == 0 {
		return 0
	} else if f != f {
		return canonicalNaN64
	}
	return b
}

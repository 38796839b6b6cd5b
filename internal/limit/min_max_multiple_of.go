package limit

import (
	"cmp"
	"math"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// order compares the number at a+off with the bound, as cmp.Compare does. ok is false for NaN,
// which has no order.
func order(n *shape.Number, s *shape.Shape, a mem.Pointer, off uintptr) (order int, ok bool) {
	switch {
	case s.Kind <= shape.Int64:
		return cmp.Compare(loadInt(s, a, off), n.Int), true
	case s.Kind <= shape.Uintptr:
		return cmp.Compare(loadUint(s, a, off), n.Uint), true
	}
	f := loadFloat(s, a, off)
	return cmp.Compare(f, n.Float), !math.IsNaN(f)
}

func loadInt(s *shape.Shape, a mem.Pointer, off uintptr) int64 {
	unused := 64 - 8*s.Size
	return int64(loadUint(s, a, off)<<unused) >> unused
}

func loadUint(s *shape.Shape, a mem.Pointer, off uintptr) uint64 {
	return mem.Bits(a.Add(off), s.Size)
}

func loadFloat(s *shape.Shape, a mem.Pointer, off uintptr) float64 {
	if s.Kind == shape.Float32 {
		return float64(mem.Load[float32](a, off))
	}
	return mem.Load[float64](a, off)
}

// numberText formats the number at a+off as in Limits.Enum.
func numberText(s *shape.Shape, a mem.Pointer, off uintptr) string {
	switch {
	case s.Kind <= shape.Int64:
		return strconv.FormatInt(loadInt(s, a, off), 10)
	case s.Kind <= shape.Uintptr:
		return strconv.FormatUint(loadUint(s, a, off), 10)
	}
	return strconv.FormatFloat(loadFloat(s, a, off), 'g', -1, s.Type.Bits())
}

// isMultiple reports whether the number at a+off is a whole multiple of n. For a float the
// quotient may differ from a whole number by the rounding error of the float's type: 0.3 is a
// multiple of 0.1.
func isMultiple(n *shape.Number, s *shape.Shape, a mem.Pointer, off uintptr) bool {
	switch {
	case s.Kind <= shape.Int64:
		return loadInt(s, a, off)%n.Int == 0
	case s.Kind <= shape.Uintptr:
		return loadUint(s, a, off)%n.Uint == 0
	}
	q := loadFloat(s, a, off) / n.Float
	digits := 1e-12
	if s.Kind == shape.Float32 {
		digits = 1e-6
	}
	return math.Abs(q-math.Round(q)) <= digits*math.Max(1, math.Abs(q))
}

//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"math"
	"testing"
)

// Named float types.
type (
	celsius float64
	ratio   float32
)

// TestNotFinite encodes infinite floats and NaN, and expects the errors of the standard library. It
// tests each float type, as a root value, a field, an element, and a value in a map and an
// interface.
func TestNotFinite(t *testing.T) {
	sets := []uint32{0, 1 << 31}
	for i := range flags {
		sets = append(sets, 1<<i, 1<<31|1<<i)
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		c, r := celsius(f), ratio(f)
		for _, v := range []any{
			f, float32(f), c, r, &c, &r, []celsius{1, c}, []ratio{r}, [2]celsius{0, c}, []*celsius{nil, &c},
			map[string]celsius{"a": c}, map[string]ratio{"a": r}, map[int]celsius{1: c}, map[string]float64{"a": f},
			[]any{c}, []any{f}, map[string]any{"a": r}, struct{ A, B celsius }{1, c}, struct{ A []celsius }{[]celsius{c}},
			struct {
				F float64
				R ratio `json:",string"`
			}{1, r},
			map[celsius]int{c: 1},
		} {
			for _, bits := range sets {
				bothWays(t, v, bits)
			}
		}
	}
}

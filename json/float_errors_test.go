package json

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"
)

// Named float types.
type (
	celsius      float64
	ratio32      float32
	quotedFloats struct {
		A int      `json:"a"`
		C celsius  `json:"c,string"`
		R ratio32  `json:"r,string"`
		P *celsius `json:"p"`
	}
)

// TestNotFinite encodes infinite floats and NaN, and expects the errors of encoding/json. It tests
// each float type, as a root value, a field, an element, and a value in a map, a pointer and an
// interface.
func TestNotFinite(t *testing.T) {
	byHone(t)
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		c, r := celsius(f), ratio32(f)
		for _, v := range []any{
			f, float32(f), c, r, &c, &r, []celsius{1, c}, []ratio32{r}, [2]celsius{0, c}, []*celsius{nil, &c},
			map[string]celsius{"a": c}, map[string]ratio32{"a": r}, map[int]celsius{1: c}, map[string]float64{"a": f},
			quotedFloats{C: c}, quotedFloats{R: r}, quotedFloats{P: &c}, []any{c}, []any{f}, map[string]any{"a": r},
			struct{ A, B celsius }{1, c}, struct{ A []celsius }{[]celsius{c}},
			struct {
				F float64
				R ratio32
			}{1, r},
		} {
			_, want := json.Marshal(v)
			_, got := Marshal(v)
			var w, g *json.UnsupportedValueError
			if !errors.As(want, &w) || !errors.As(got, &g) {
				t.Errorf("%T: got %v, want %v", v, got, want)
				continue
			}
			if g.Str != w.Str || g.Value.IsValid() != w.Value.IsValid() {
				t.Errorf("%T: got %q %v, want %q %v", v, g.Str, g.Value, w.Str, w.Value)
				continue
			}
			if w.Value.IsValid() && (g.Value.Type() != w.Value.Type() || !sameFloat(g.Value, w.Value)) {
				t.Errorf("%T: the value is %v %v, want %v %v", v, g.Value.Type(), g.Value, w.Value.Type(), w.Value)
			}
		}
	}
}

func sameFloat(a, b reflect.Value) bool {
	return a.Float() == b.Float() || math.IsNaN(a.Float()) && math.IsNaN(b.Float())
}

package schema_test

import (
	"testing"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

// TestKeysInAnyOrder encodes maps whose struct keys have their members in each order. Keys with
// equal members must be duplicates, and all others must not.
func TestKeysInAnyOrder(t *testing.T) {
	type inner struct{ A, B int }
	type key struct {
		X int
		Y inner
	}
	s := wire.Must(wire.SchemaOf[map[key]bool]())
	of := func(x, a, b int, reversed bool) schema.Struct {
		in := schema.Struct{{Name: "A", Value: int64(a)}, {Name: "B", Value: int64(b)}}
		out := schema.Struct{{Name: "X", Value: int64(x)}, {Name: "Y", Value: in}}
		if reversed {
			in[0], in[1] = in[1], in[0]
			out[0], out[1] = out[1], out[0]
		}
		return out
	}
	for _, test := range []struct {
		a, b  schema.Struct
		equal bool
	}{
		{of(1, 2, 3, false), of(1, 2, 3, true), true},
		{of(1, 2, 3, true), of(1, 2, 3, true), true},
		{of(1, 2, 3, false), of(1, 3, 2, true), false},
		{of(2, 1, 1, true), of(1, 1, 2, false), false},
	} {
		data, err := s.Encode(nil, schema.Map{{Key: test.a, Value: true}, {Key: test.b, Value: false}})
		if (err != nil) != test.equal {
			t.Errorf("%v and %v: %x, %v", test.a, test.b, data, err)
		}
		if err == nil {
			if _, err := s.Decode(data); err != nil {
				t.Errorf("%v and %v are written, and not read: %v", test.a, test.b, err)
			}
		}
	}
}

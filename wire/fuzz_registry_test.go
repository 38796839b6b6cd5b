package wire_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/wire"
)

// FuzzRegistry makes a type with interfaces from a seed, some of them in keys of maps, and decodes data
// into a value of the type. Nothing may panic. A decoded value must be encoded again without an error,
// in canonical form as the same bytes. The schema must be finite.
func FuzzRegistry(f *testing.F) {
	for seed := range uint64(60) {
		for _, data := range [][]byte{{1, 1, 1, 2, 5}, {1, 3, 1, 1, 7}, {1, 6, 3, 1, 1, 7}, {1, 4, 1, 4, 1, 4, 0}, {2, 5, 1, 1, 'a', 2, 1, 'b', 0, 1, 2}} {
			f.Add(seed, data, seed%2 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte, canonical bool) {
		typ := random.Type(rand.New(rand.NewPCG(seed, 3)), 2, []string{""},
			reflect.TypeFor[any](), reflect.TypeFor[[]any](), reflect.TypeFor[map[any]int](), reflect.TypeFor[map[string]any](),
			reflect.TypeFor[map[[2]any]any](), reflect.TypeFor[map[struct{ K any }]string]())
		c, err := wire.ForType(typ, wire.Options{Types: registry(t), Canonical: canonical})
		if err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		if s := c.Schema(); len(s.Reads(s)) > 0 {
			t.Fatalf("%v: the schema does not read itself", typ)
		}
		v := reflect.New(typ)
		if err := c.Unmarshal(data, v.Interface()); err != nil {
			if e := (*wire.DecodeError)(nil); !errors.As(err, &e) {
				t.Fatalf("%v: %T %v", typ, err, err)
			}
			return
		}
		again, err := c.Append(nil, v.Interface())
		if err != nil {
			t.Fatalf("%v: a decoded value is not encoded: %v", typ, err)
		}
		if canonical && !bytes.Equal(again, data) {
			t.Fatalf("%v: %x and %x are encodings of the same value", typ, data, again)
		}
	})
}

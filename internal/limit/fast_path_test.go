package limit

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/shape"
)

// A pair has limits that fit the types of its fields. Random struct types rarely have such limits.
type pair struct {
	Small  int8     `min:"-3" max:"100"`
	Big    int64    `min:"0"`
	Text   string   `length:"2..7"`
	Free   string   `length:"..4"`
	Must   string   `length:"1.."`
	List   []string `length:"1..3"`
	Every  []int16  `max:"9000"`
	Choice string   `enum:"a,b"`
	Maybe  int16    `json:",omitempty" min:"1" max:"9000"`
	Inner  struct {
		Must string `length:"1.."`
	} `json:",omitzero"`
	Next *pair
	Kids []pair `length:"..2"`
}

// FuzzHolds checks random values with the fast tests of fast_path.go and with the walk. The fast
// tests must hold exactly if the walk finds no violation.
func FuzzHolds(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	tags := []string{"", `min:"1"`, `max:"40"`, `length:"1..3"`, `length:"..2"`, `length:"2.."`, `min:"-5" max:"5"`, `enum:"a,b,1"`, `uniqueItems:"true"`, `json:",omitempty" min:"1"`, `json:",omitzero" length:"1.."`}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		typ := reflect.TypeFor[pair]()
		if seed%2 == 0 {
			typ = random.Type(r, 3, tags, typ)
		}
		p, err := Body(shape.Of(typ))
		if err != nil || p == nil {
			t.Skip(err)
		}
		for range 20 {
			v := reflect.New(typ)
			random.Fill(r, v.Elem(), r.IntN(6))
			a, c := mem.OfPointer(v), new(check)
			p.root.check(c, a, 0)
			if held := p.tests.hold(a, 0, Unlimited()); held != (len(c.found) == 0) {
				t.Fatalf("%v: the fast tests return %v, but the walk found %v in\n%#v", typ, held, c.found, v.Elem())
			}
		}
	})
}

// TestHoldsLong uses a minimum length that overflows an integer if it is multiplied by four. A
// shorter string must still be a violation.
func TestHoldsLong(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("the length does not fit in an int of 32 bits")
	}
	type long struct {
		Text string `length:"4611686018427387904.."`
	}
	p, err := Body(shape.Of(reflect.TypeFor[long]()))
	if err != nil {
		t.Fatal(err)
	}
	if found := p.Check(&long{"x"}, Unlimited()); len(found) != 1 {
		t.Errorf("found %v", found)
	}
}

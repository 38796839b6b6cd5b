package wire

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/wire/internal/program"
)

// FuzzCanonical feeds bytes to canonical decoders. If a decoder accepts the input, encoding the value
// must give the same bytes, and the default decoder must decode the same value.
func FuzzCanonical(f *testing.F) {
	f.Add(uint64(1), []byte("\x02\x01a\x01\x01b\x01"))
	f.Add(uint64(2), []byte("\x02\x01b\x01\x01a\x01"))
	f.Add(uint64(3), []byte("\x01\x00\x00\x00\x80"))
	f.Add(uint64(5), []byte("\x01\x04\x02\x00\x00\x00"))
	f.Add(uint64(6), []byte("\x00\x00\x02\x00"))
	f.Add(uint64(7), []byte("\x01\x030x5"))
	f.Add(uint64(8), []byte("\x02\x03\x02\x00\x00\x05\x80\x01\x00\x01\x07"))
	f.Add(uint64(4), []byte("\x01\x00\x00\x00\x00\x00\x00\xf8\x7f\x00"))
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		onlyOne[map[string]uint8](t, data)
		onlyOne[map[float64]bool](t, data)
		onlyOne[map[int8]map[uint16]string](t, data)
		onlyOne[[]float32](t, data)
		onlyOne[struct {
			A int
			B map[[2]bool][]int16
			C complex128
			D *uint32
		}](t, data)
		onlyOne[time.Time](t, data)
		onlyOne[map[time.Time]bool](t, data)
		onlyOne[[]evolved](t, data)
		onlyOne[[]changed](t, data)
		onlyOne[big.Int](t, data)
		onlyOne[[]netip.Prefix](t, data)
		onlyOne[[]inText](t, data)
		onlyOne[[]big.Rat](t, data)
		sameBytes(t, seed)
	})
}

// evolved ends with a field without bytes.
type evolved struct {
	_ Evolving
	A int
	B *time.Time
	C struct{}
}

// changed has a removed field and a wire.Unknown.
type changed struct {
	_ Evolving
	A int8 `wire:",varint"`
	_ Removed[map[string]float64]
	B Raw[int]
	Unknown
}

func onlyOne[T any](t *testing.T, data []byte) {
	t.Helper()
	c := Must(For[T](Options{Canonical: true}))
	var v, plain T
	if c.Unmarshal(data, &v) != nil {
		return
	}
	if again, err := c.Append(nil, &v); err != nil || !bytes.Equal(again, data) {
		t.Fatalf("%T: %x is accepted, and encoded again as %x, %v", v, data, again, err)
	}
	if err := Unmarshal(data, &plain); err != nil {
		t.Fatalf("%T: %x is canonical, and the default decoder refuses it: %v", v, data, err)
	}
	if again, err := c.Append(nil, &plain); err != nil || !bytes.Equal(again, data) {
		t.Fatalf("%T: %x is encoded again as %x, %v", v, data, again, err)
	}
}

// sameBytes makes a type and the same value of it twice. The maps of the two values have different
// orders of iteration, but the encodings must be equal.
func sameBytes(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 5))
	typ := random.Type(r, 3, []string{""})
	state := r.Uint64()
	var all [2][]byte
	for i := range all {
		v := reflect.New(typ).Elem()
		random.Fill(rand.New(rand.NewPCG(state, 6)), v, 4)
		p := compile(typ, program.Mode{Canonical: true}, nil)
		data, err := p.Append(nil, false, ofValue(v), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		all[i] = data
		back := reflect.New(typ).Elem()
		if err := p.Unmarshal(data, false, ofValue(back), Limits{}, false); err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		if again, err := p.Append(nil, false, ofValue(back), Limits{}); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%v: %x reads back as %x, %v", typ, data, again, err)
		}
	}
	if !bytes.Equal(all[0], all[1]) {
		t.Fatalf("%v: %x, %x", typ, all[0], all[1])
	}
}

package wire_test

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/wire"
)

// registry returns Types with values that hold interfaces, and with types that cannot be map
// keys.
func registry(t *testing.T) *wire.Types {
	t.Helper()
	types := new(wire.Types)
	for _, err := range []error{
		wire.RegisterType[int](types, 1), wire.RegisterType[string](types, 2), wire.RegisterType[[]int](types, 3),
		wire.RegisterType[[]any](types, 4), wire.RegisterType[map[string]any](types, 5), wire.RegisterType[struct{ A any }](types, 6),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return types
}

func anyCodec[T any](t *testing.T, o wire.Options) *wire.AnyCodec {
	t.Helper()
	c, err := wire.ForType(reflect.TypeFor[T](), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestKeysThatCannotBeHashed decodes maps whose interface keys hold slices: directly, in structs
// and arrays, in nested maps, and in canonical form. The decoder must return ErrKey instead of a
// panic.
func TestKeysThatCannotBeHashed(t *testing.T) {
	type key struct{ K any }
	slice := []byte{3, 1, 2} // an id, and a slice of one element
	for name, test := range map[string]struct {
		codec func(wire.Options) *wire.AnyCodec
		into  any
		input []byte
	}{
		"interface":         {codec: func(o wire.Options) *wire.AnyCodec { return anyCodec[map[any]int](t, o) }, into: new(map[any]int), input: append(append([]byte{1}, slice...), 7)},
		"struct":            {codec: func(o wire.Options) *wire.AnyCodec { return anyCodec[map[key]int](t, o) }, into: new(map[key]int), input: append(append([]byte{1}, slice...), 7)},
		"array":             {codec: func(o wire.Options) *wire.AnyCodec { return anyCodec[map[[1]any]int](t, o) }, into: new(map[[1]any]int), input: append(append([]byte{1}, slice...), 7)},
		"nested map":        {codec: func(o wire.Options) *wire.AnyCodec { return anyCodec[map[string]map[any]int](t, o) }, into: new(map[string]map[any]int), input: append(append([]byte{1, 1, 'a', 1}, slice...), 7)},
		"struct in a value": {codec: func(o wire.Options) *wire.AnyCodec { return anyCodec[map[any]int](t, o) }, into: new(map[any]int), input: append(append([]byte{1, 6}, slice...), 7)},
	} {
		for _, canonical := range []bool{false, true} {
			c := test.codec(wire.Options{Types: registry(t), Canonical: canonical})
			if err := c.Unmarshal(test.input, test.into); !errors.Is(err, wire.ErrKey) {
				t.Errorf("%s, canonical %v: error %v, want ErrKey", name, canonical, err)
			}
		}
	}
	good := map[any]int{1: 2, "a": 3}
	c := anyCodec[map[any]int](t, wire.Options{Types: registry(t)})
	data, err := c.Append(nil, &good)
	var back map[any]int
	if err == nil {
		err = c.Unmarshal(data, &back)
	}
	if err != nil || !reflect.DeepEqual(back, good) {
		t.Errorf("keys that can be hashed: %v, %v", back, err)
	}
}

// TestSchemaOfInterfacesThatHoldThemselves describes types with an interface that may hold the
// same type again. The schema must be finite, and must be able to read its own encodings.
func TestSchemaOfInterfacesThatHoldThemselves(t *testing.T) {
	for name, c := range map[string]*wire.AnyCodec{
		"any": anyCodec[any](t, wire.Options{Types: registry(t)}), "slice": anyCodec[[]any](t, wire.Options{Types: registry(t)}),
		"map": anyCodec[map[string]any](t, wire.Options{Types: registry(t)}), "struct": anyCodec[struct{ A, B any }](t, wire.Options{Types: registry(t)}),
	} {
		s := c.Schema()
		if problems := s.Reads(s); len(problems) > 0 {
			t.Errorf("%s: the schema does not read itself: %v", name, problems)
		}
		if s.Fingerprint() != c.Schema().Fingerprint() {
			t.Errorf("%s: two fingerprints", name)
		}
	}
}

type (
	embedsEvolving struct {
		wire.Evolving
		A int
	}
	namesEvolving struct {
		E wire.Evolving
		A int
	}
	pointsToEvolving struct {
		_ *wire.Evolving
		A int
	}
)

// TestEvolvingMisplaced uses Evolving in places where it would have no effect. Each is an error,
// because the struct would otherwise be frozen unnoticed.
func TestEvolvingMisplaced(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[embedsEvolving](), reflect.TypeFor[namesEvolving](), reflect.TypeFor[pointsToEvolving](), reflect.TypeFor[[]embedsEvolving]()} {
		var e *wire.TypeError
		if _, err := wire.ForType(typ); !errors.As(err, &e) || !strings.Contains(err.Error(), "blank field") {
			t.Errorf("%v: error %v", typ, err)
		}
	}
}

// TestZeroCodec calls the methods of a zero Codec and of a zero AnyCodec. Each must return
// ErrNoCodec, or no schema.
func TestZeroCodec(t *testing.T) {
	var c wire.Codec[int]
	var any wire.AnyCodec
	v := 1
	_, appended := c.Append(nil, &v)
	_, marshaled := c.Marshal(&v)
	_, sized := c.Size(&v)
	_, first := c.UnmarshalFirst([]byte{1}, &v)
	_, anyAppended := any.Append(nil, &v)
	for i, err := range []error{appended, marshaled, sized, first, c.Unmarshal([]byte{1}, &v), anyAppended, any.Unmarshal([]byte{1}, &v), c.WithLimits(wire.Limits{Depth: 1}).Unmarshal([]byte{1}, &v)} {
		if !errors.Is(err, wire.ErrNoCodec) {
			t.Errorf("call %d: error %v", i, err)
		}
	}
	if c.Schema() != nil || any.Schema() != nil {
		t.Error("a zero codec has a schema")
	}
	if _, err := wire.ForType(nil); err == nil {
		t.Error("ForType(nil) returns a codec")
	}
}

// TestValuesWithoutMemory decodes and encodes slices of values of size 0. Each value counts as one
// byte of memory: a handler that returns its input as JSON writes two bytes for each value.
func TestValuesWithoutMemory(t *testing.T) {
	const most = 64<<10 + 3*256 // the default budget for an encoding of three bytes
	type empty struct{}
	encode := func(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
	for _, test := range []struct {
		n    int
		fits bool
	}{{10_000, true}, {most, true}, {most + 1, false}, {1 << 30, false}} {
		data := encode(test.n)
		var s []struct{}
		err := wire.Unmarshal(data, &s)
		if fits := err == nil && len(s) == test.n; fits != test.fits || !fits && !errors.Is(err, wire.ErrLimit) {
			t.Errorf("%d values: error %v, length %d", test.n, err, len(s))
		}
		var arrays [][0]int
		if err := wire.Unmarshal(data, &arrays); (err == nil) != test.fits {
			t.Errorf("%d arrays: %v", test.n, err)
		}
		values := make([]empty, test.n)
		out, err := wire.Marshal(&values)
		if (err == nil) != test.fits || err != nil && !errors.Is(err, wire.ErrLimit) {
			t.Errorf("%d values are encoded as %d bytes, %v", test.n, len(out), err)
		}
	}
	large := wire.Must(wire.For[[]struct{}](wire.Options{Limits: wire.Limits{Bytes: 1 << 20}}))
	var s []struct{}
	if err := large.Unmarshal(encode(1<<20), &s); err != nil || len(s) != 1<<20 {
		t.Errorf("within an explicit limit: %v, %d", err, len(s))
	}
	if err := large.Unmarshal(encode(1<<20+1), &s); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("past an explicit limit: %v, %d", err, len(s))
	}
	if err := wire.Unmarshal([]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40}, &s); !errors.Is(err, wire.ErrLimit) && !errors.Is(err, wire.ErrOverflow) { // ErrOverflow where an int has 32 bits
		t.Errorf("error %v, length %d", err, len(s))
	}
}

// TestReusedBytes decodes into a slice that points into an older input. The older input must not
// change.
func TestReusedBytes(t *testing.T) {
	alias := wire.Must(wire.For[[]byte](wire.Options{AliasInput: true}))
	input := []byte{3, 1, 2, 3}
	var v []byte
	if err := alias.Unmarshal(input, &v); err != nil {
		t.Fatal(err)
	}
	if err := wire.Unmarshal([]byte{2, 9, 9}, &v); err != nil {
		t.Fatal(err)
	}
	if want := []byte{3, 1, 2, 3}; !reflect.DeepEqual(input, want) {
		t.Errorf("the older input changed to %v", input)
	}
}

// A lateReader times out before each byte.
type lateReader struct {
	data []byte
	late bool
}

func (r *lateReader) Read(p []byte) (int, error) {
	if r.late = !r.late; r.late {
		return 0, os.ErrDeadlineExceeded
	}
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	p[0], r.data = r.data[0], r.data[1:]
	return 1, nil
}

// TestDeadlines continues to read after each timeout of the reader. Nothing may be lost.
func TestDeadlines(t *testing.T) {
	d := wire.NewDecoder(&lateReader{data: []byte{2, 0x80, 1, 1, 5}}, 0)
	var got []uint16
	for range 40 {
		var v uint16
		err := d.Decode(&v)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			continue
		}
		if err != nil {
			if err != io.EOF {
				t.Error(err)
			}
			break
		}
		got = append(got, v)
	}
	if want := []uint16{128, 5}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A retainer is a type whose UnmarshalBinary retains its argument, although the interface forbids it.
type retainer struct{ Kept []byte }

func (k *retainer) UnmarshalBinary(b []byte) error      { k.Kept = b; return nil }
func (k retainer) MarshalBinary() (b []byte, err error) { return k.Kept, nil }

// TestKeptBlocks decodes into a type that retains its argument, and overwrites the input. The
// values must not change.
func TestKeptBlocks(t *testing.T) {
	input := []byte{2, 3, 'a', 'b', 'c', 1, 'd'}
	var v []retainer
	if err := wire.Unmarshal(input, &v); err != nil {
		t.Fatal(err)
	}
	clear(input)
	if want := []retainer{{[]byte("abc")}, {[]byte("d")}}; !reflect.DeepEqual(v, want) {
		t.Errorf("got %q, want %q", v, want)
	}
}

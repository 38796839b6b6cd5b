package wire_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

type (
	trip    struct{ From, To string }
	swapped struct{ To, From string }

	orderV1 struct {
		_    wire.Evolving
		ID   int
		Name string
	}
	orderV2 struct {
		_    wire.Evolving
		ID   int
		Name string
		Tags []string
	}
	emptyStruct struct{}
)

func schemaOf[T any]() *schema.Schema { return wire.Must(wire.SchemaOf[T]()) }

func withFingerprint(f ...wire.Fingerprints) *wire.FingerprintCodec {
	return wire.Must(wire.ForAny().WithFingerprint(f...))
}

// TestSwapped reads values of one struct as another struct with the same types of fields.
func TestSwapped(t *testing.T) {
	c := withFingerprint()
	data, err := c.Append(nil, &trip{"Oslo", "Rome"})
	if err != nil {
		t.Fatal(err)
	}
	var same trip
	if err := c.Unmarshal(data, &same); err != nil || same != (trip{"Oslo", "Rome"}) {
		t.Errorf("%v, %v", same, err)
	}
	other := swapped{"unchanged", ""}
	var fault *wire.FingerprintError
	if err := c.Unmarshal(data, &other); !errors.As(err, &fault) || other != (swapped{"unchanged", ""}) {
		t.Errorf("another struct was read as %v, %v", other, err)
	} else if !strings.Contains(err.Error(), "swapped") || fault.Type != reflect.TypeFor[swapped]() || fault.Got != schemaOf[trip]().Fingerprint() {
		t.Errorf("the error does not name the type or the fingerprint: %v", err)
	}
	// A value and a pointer have the same bytes, and a codec of one type is like a codec of all types.
	byValue, _ := c.Append(nil, trip{"Oslo", "Rome"})
	one := wire.Must(wire.Must(wire.ForType(reflect.TypeFor[trip]())).WithFingerprint())
	byType, err := one.Append(nil, &trip{"Oslo", "Rome"})
	if !bytes.Equal(byValue, data) || !bytes.Equal(byType, data) {
		t.Errorf("%x, %x, %v; want %x", byValue, byType, err, data)
	}
}

// TestRollingDeployment has a program of each step of a deployment that adds a field. The table says which
// programs read the values of which.
func TestRollingDeployment(t *testing.T) {
	v1, v2 := schemaOf[orderV1](), schemaOf[orderV2]()
	type program struct {
		codec *wire.FingerprintCodec
		is    any // a pointer to the program's type
	}
	programs := map[string]program{
		"old":            {withFingerprint(), new(orderV1)},
		"old, knows new": {withFingerprint(wire.Fingerprints{Versions: []wire.Version{wire.Accept[orderV1](v2)}}), new(orderV1)},
		"new, writes as": {withFingerprint(wire.Fingerprints{Versions: []wire.Version{wire.WriteAs[orderV2](v1)}}), new(orderV2)},
		"new, accepts":   {withFingerprint(wire.Fingerprints{Versions: []wire.Version{wire.Accept[orderV2](v1)}}), new(orderV2)},
		"new":            {withFingerprint(), new(orderV2)},
	}
	refused := map[[2]string]bool{ // writer, reader
		{"new", "old"}: true, {"new, accepts", "old"}: true,
		{"old", "new"}: true, {"old, knows new", "new"}: true, {"new, writes as", "new"}: true,
	}
	for writing, w := range programs {
		var v any = &orderV1{ID: 7, Name: "a"}
		if _, is := w.is.(*orderV2); is {
			v = &orderV2{ID: 7, Name: "a", Tags: []string{"x"}}
		}
		data, err := w.codec.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		for reading, r := range programs {
			got := reflect.New(reflect.TypeOf(r.is).Elem())
			err := r.codec.Unmarshal(data, got.Interface())
			if refused[[2]string{writing, reading}] {
				if fault := (*wire.FingerprintError)(nil); !errors.As(err, &fault) {
					t.Errorf("%q read a value of %q: %v", reading, writing, err)
				}
				continue
			}
			if id := got.Elem().FieldByName("ID").Int(); err != nil || id != 7 {
				t.Errorf("%q did not read a value of %q: %v", reading, writing, err)
			}
		}
	}
}

// TestPlain decodes values without a fingerprint.
func TestPlain(t *testing.T) {
	strict, both := withFingerprint(), withFingerprint(wire.Fingerprints{Plain: true})
	if strict.AcceptsPlain() || !both.AcceptsPlain() {
		t.Error("AcceptsPlain is wrong")
	}
	for _, v := range []trip{{}, {"Oslo", "Rome"}, {"a long name of a city", "another one"}} {
		plain, err := wire.Append(nil, &v)
		if err != nil {
			t.Fatal(err)
		}
		var got trip
		if err := both.Unmarshal(plain, &got); err != nil || got != v {
			t.Errorf("%v, %v; want %v", got, err, v)
		}
		if err := strict.Unmarshal(plain, &got); err == nil {
			t.Errorf("%x has no fingerprint and was read as %v", plain, got)
		}
		marked, _ := both.Append(nil, &v)
		if err := both.Unmarshal(marked, &got); err != nil || got != v {
			t.Errorf("%v, %v; want %v", got, err, v)
		}
	}
	other, _ := strict.Append(nil, &swapped{strings.Repeat("x", 300), ""})
	var fault *wire.FingerprintError
	var decode *wire.DecodeError
	if err := both.Unmarshal(other, new(trip)); !errors.As(err, &fault) || !errors.As(err, &decode) {
		t.Errorf("neither the fingerprint nor the value fits, and the error is %v", err)
	}
}

// TestFingerprintedDamage truncates and changes a value in every place, and decodes random bytes.
func TestFingerprintedDamage(t *testing.T) {
	for _, c := range []*wire.FingerprintCodec{withFingerprint(), withFingerprint(wire.Fingerprints{Plain: true})} {
		data, err := c.Append(nil, &orderV2{ID: 7, Name: "name", Tags: []string{"a", "b"}})
		if err != nil {
			t.Fatal(err)
		}
		decode := func(data []byte) error {
			var v orderV2
			return c.Unmarshal(bytes.Clone(data), &v)
		}
		for n := range data {
			err := decode(data[:n])
			if !errors.Is(err, io.ErrUnexpectedEOF) && !c.AcceptsPlain() {
				t.Errorf("%d of %d bytes: %v", n, len(data), err)
			}
			var fault *wire.DecodeError
			if n >= 8 && !c.AcceptsPlain() && (!errors.As(err, &fault) || fault.Offset < 8 || fault.Offset > int64(n)) {
				t.Errorf("%d of %d bytes: the offset is wrong: %v", n, len(data), err)
			}
		}
		for i := range 8 {
			changed := bytes.Clone(data)
			changed[i] ^= 0x10
			if err := decode(changed); err == nil && !c.AcceptsPlain() {
				t.Errorf("a changed fingerprint was accepted: byte %d", i)
			}
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			noise := make([]byte, random.IntN(40))
			for i := range noise {
				noise[i] = byte(random.Uint32())
			}
			if err := decode(noise); err == nil && !c.AcceptsPlain() {
				t.Errorf("%x was accepted", noise)
			}
			_ = decode(append(bytes.Clone(data[:8]), noise...))
		}
		if err := decode(append(bytes.Clone(data), 0)); !errors.Is(err, wire.ErrTrailing) && !c.AcceptsPlain() {
			t.Errorf("a byte after the value: %v", err)
		}
	}
}

// TestFingerprintedAppend appends to slices of several lengths and capacities.
func TestFingerprintedAppend(t *testing.T) {
	c := withFingerprint()
	for _, v := range []any{&trip{"Oslo", "Rome"}, &emptyStruct{}, &[]int{1, 2, 3}} {
		want, err := c.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		want = bytes.Clone(want)
		for size := range 24 {
			for room := range 24 {
				dst := append(make([]byte, 0, size+room), bytes.Repeat([]byte{'x'}, size)...)
				got, err := c.Append(dst, v)
				if err != nil || !bytes.Equal(got[size:], want) || !bytes.Equal(got[:size], dst) {
					t.Fatalf("%T, %d bytes with room for %d: %x, %v", v, size, room, got, err)
				}
				clear(got[size:]) // nothing of the codec may be in the result
			}
		}
	}
	if got, err := c.Append([]byte("abc"), (*trip)(nil)); err == nil || string(got) != "abc" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestWithEncoder(t *testing.T) {
	f := withFingerprint()
	stable := f.WithEncoder(wire.ForAny(wire.Options{Canonical: true}))
	v := map[string]int{"a": 1, "b": 2, "c": 3}
	want, err := stable.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if got, _ := stable.Append(nil, &v); !bytes.Equal(got, want) {
			t.Fatalf("%x and %x", got, want)
		}
	}
	var got map[string]int
	if err := f.Unmarshal(want, &got); err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestFingerprintedAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	c, plain := withFingerprint(), wire.ForAny()
	v := &trip{"Oslo", "Rome"}
	data, _ := c.Append(nil, v)
	buf, out := make([]byte, 0, 64), new(int)
	number, _ := c.Append(nil, out)
	for name, test := range map[string]struct {
		want float64
		f    func()
	}{
		"new memory": {testing.AllocsPerRun(100, func() { _, _ = plain.Append(nil, v) }), func() { _, _ = c.Append(nil, v) }},
		"a buffer":   {0, func() { buf, _ = c.Append(buf[:0], v) }},
		"decoding":   {0, func() { _ = c.Unmarshal(number, out) }},
		"strings":    {testing.AllocsPerRun(100, func() { _ = plain.Unmarshal(data[8:], v) }), func() { _ = c.Unmarshal(data, v) }},
	} {
		if got := testing.AllocsPerRun(100, test.f); got > test.want {
			t.Errorf("%s: %v allocs, budget %v", name, got, test.want)
		}
	}
}

// TestFingerprintsWrongUse has declarations that WithFingerprint refuses.
func TestFingerprintsWrongUse(t *testing.T) {
	invalid := &schema.Schema{Version: 1, Type: &schema.Type{Kind: "ref", Name: "missing"}}
	var typeErr *wire.TypeError
	for name, test := range map[string]struct {
		version wire.Version
		want    string
	}{
		"zero":         {wire.Version{}, "without a schema"},
		"no schema":    {wire.Accept[trip](nil), "without a schema"},
		"invalid":      {wire.Accept[trip](invalid), "a version of wire_test.trip"},
		"swapped":      {wire.Accept[trip](schemaOf[swapped]()), "cannot read the version"},
		"another type": {wire.Accept[trip](schemaOf[int]()), "cannot read the version"},
		"narrow":       {wire.WriteAs[struct{ N int64 }](schemaOf[struct{ N int16 }]()), "cannot read struct"},
		"channel":      {wire.Accept[chan int](schemaOf[int]()), "chan int"},
	} {
		_, err := wire.ForAny().WithFingerprint(wire.Fingerprints{Versions: []wire.Version{test.version}})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if name == "channel" && !errors.As(err, &typeErr) {
			t.Errorf("not a TypeError: %v", err)
		}
	}
	c := withFingerprint()
	for _, v := range []any{nil, trip{}, (*trip)(nil), new(chan int), new(any)} {
		for _, data := range [][]byte{nil, make([]byte, 20)} {
			if err := c.Unmarshal(data, v); err == nil {
				t.Errorf("decoding into %T: no error", v)
			}
		}
		if _, err := c.Append(nil, v); err == nil && v != any(trip{}) {
			t.Errorf("encoding %T: no error", v)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("two Fingerprints did not panic")
		}
	}()
	withFingerprint(wire.Fingerprints{}, wire.Fingerprints{})
}

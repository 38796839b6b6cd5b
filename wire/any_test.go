package wire

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
)

// anyValues returns pointers to values of many types. Go stores some of these values directly in
// the data word of an interface, and the others behind a pointer.
func anyValues() []any {
	p := ptr(int64(5))
	return []any{
		&record{Name: "n", Phone: "0", BirthDay: time.Unix(5, 0).UTC()}, ptr(7), ptr("text"), ptr([]byte("bytes")), ptr(map[string]int{"k": 1}),
		&p, ptr(&p), ptr(struct{ P *int64 }{p}), ptr([1]map[string]bool{{"k": true}}), ptr(struct{}{}), big.NewInt(-3), &inText{4},
		ptr(mo.Some(3)), ptr(time.Unix(5, 0).UTC()), ptr([]string(nil)), ptr(uint8(200)), &tree{Kids: []tree{{V: 1}}}, ptr([3]string{"a"}),
	}
}

// TestAny encodes and decodes each value with AppendAny and UnmarshalAny. The results must be the
// same as for the typed functions Append and Unmarshal.
func TestAny(t *testing.T) {
	for _, v := range anyValues() {
		rv := reflect.ValueOf(v)
		want, err := marshalValue(rv.Elem())
		if err != nil {
			t.Fatal(err)
		}
		got, err := AppendAny([]byte("x"), v)
		if err != nil || string(got) != "x"+string(want) {
			t.Errorf("AppendAny of a %T = %x, %v, want %x", v, got, err, want)
		}
		// AppendAny encodes the target of a pointer.
		if held := rv.Elem().Interface(); rv.Elem().Kind() != reflect.Pointer {
			if got, err = AppendAny([]byte("x"), held); err != nil || string(got) != "x"+string(want) {
				t.Errorf("AppendAny of a %T = %x, %v, want %x", held, got, err, want)
			}
		}
		back := reflect.New(rv.Type().Elem())
		if err := UnmarshalAny(want, back.Interface()); err != nil {
			t.Errorf("UnmarshalAny into a %T: %v", v, err)
		}
		if again, err := AppendAny(nil, back.Interface()); err != nil || string(again) != string(want) {
			t.Errorf("a %T is decoded as %x, %v, want %x", v, again, err, want)
		}
	}
}

func TestAnyFaults(t *testing.T) {
	for _, c := range []*AnyCodec{nil, ForAny()} {
		put, get := AppendAny, UnmarshalAny
		if c != nil {
			put, get = c.Append, c.Unmarshal
		}
		for _, test := range []struct {
			v       any
			encode  string // part of the error, or ""
			decode  string
			badType bool
		}{
			{v: nil, encode: "v is nil", decode: "v is nil"},
			{v: (*int)(nil), encode: "(int): v is nil", decode: "(int) at byte 0: v is nil"},
			{v: 5, decode: "(int) at byte 0: v is not a pointer"},
			{v: make(chan int), encode: "chan int", decode: "v is not a pointer"},
			{v: new(chan int), encode: "chan int", decode: "chan int", badType: true},
			{v: new(*int), decode: "unexpected EOF"},
		} {
			dst, err := put([]byte("kept"), test.v)
			if (err == nil) != (test.encode == "") || err != nil && (string(dst) != "kept" || !strings.Contains(err.Error(), test.encode)) {
				t.Errorf("encoding a %T: %q, %v", test.v, dst, err)
			}
			err = get(nil, test.v)
			var te *TypeError
			var de *DecodeError
			if err == nil || !strings.Contains(err.Error(), test.decode) || !errors.As(err, &de) && !test.badType || test.badType && !errors.As(err, &te) {
				t.Errorf("decoding into a %T: %v", test.v, err)
			}
		}
	}
}

// mutating has a method that changes its receiver.
type mutating struct{ N int }

func (m *mutating) MarshalBinary() ([]byte, error) { m.N++; return []byte{byte(m.N)}, nil }
func (m *mutating) UnmarshalBinary(b []byte) error { m.N = int(b[0]); return nil }

// TestAnyCopies encodes an interface value whose encoding method changes its receiver. The value in
// the interface must not change, because other variables may share it.
func TestAnyCopies(t *testing.T) {
	var held any = struct{ M mutating }{mutating{7}}
	if data, err := AppendAny(nil, held); err != nil || string(data) != "\x01\x08" {
		t.Errorf("%x, %v", data, err)
	}
	if n := held.(struct{ M mutating }).M.N; n != 7 {
		t.Errorf("the value in the interface changed to %d", n)
	}
}

func TestForAny(t *testing.T) {
	types := shapes(t)
	c := ForAny(Options{Canonical: true, Types: types, Limits: Limits{Depth: 5}})
	if c.Schema() != nil {
		t.Error("a codec for any type has a schema")
	}
	for _, v := range []any{&drawing{Any: "a"}, ptr(map[string]int{"b": 1, "a": 2}), drawing{Any: "a"}, ptr([]float64{0})} {
		rt := reflect.TypeOf(v)
		if rt.Kind() == reflect.Pointer {
			rt = rt.Elem()
		}
		one, err := ForType(rt, Options{Canonical: true, Types: types})
		if err != nil {
			t.Fatal(err)
		}
		p := v
		if reflect.TypeOf(v) == rt {
			held := reflect.New(rt)
			held.Elem().Set(reflect.ValueOf(v))
			p = held.Interface()
		}
		want, err := one.Append(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Append(nil, v); err != nil || string(got) != string(want) {
			t.Errorf("a %T: %x, %v, want %x", v, got, err, want)
		}
		back := reflect.New(rt)
		if err := c.Unmarshal(want, back.Interface()); err != nil {
			t.Errorf("a %T: %v", v, err)
		}
	}
	if err := c.Unmarshal([]byte("\x02\x01b\x02\x01a\x02"), new(map[string]int)); !errors.Is(err, ErrUnsorted) {
		t.Errorf("in another order: %v", err)
	}
	deep := &tree{Left: &tree{Left: &tree{Left: &tree{Left: &tree{Left: &tree{}}}}}}
	if _, err := c.Append(nil, deep); !errors.Is(err, ErrDepth) {
		t.Errorf("past the depth limit: %v", err)
	}
	if _, err := c.WithLimits(Limits{}).Append(nil, deep); err != nil {
		t.Error(err)
	}
	// A later registration has no effect, even for a type that the codec has not used yet.
	if err := RegisterType[float64](types, 99); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Append(nil, ptr[any](1.5)); !errors.Is(err, ErrUnregistered) {
		t.Errorf("a type registered after the codec was made: %v", err)
	}
	data := []byte("\x04text")
	var s []byte
	if err := ForAny(Options{AliasInput: true}).Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if data[1] = 'n'; string(s) != "next" {
		t.Errorf("%q does not alias the input", s)
	}
}

// TestAnyAllocs counts the allocations of AppendAny, UnmarshalAny and the methods of an AnyCodec.
// Only a conversion of the caller's struct to an interface may add one.
func TestAnyAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	buf := make([]byte, 0, 1<<10)
	r := record{"a name of sixteen", time.Unix(1e9, 1).UTC(), "0123456789", 4, true, 1.5}
	var value, direct, pointer any = r, map[string]int{"k": 1}, &r
	data := Must(Marshal(&r))
	var back record
	c := ForAny()
	wantAllocs(t, "AppendAny", 0, func() { buf, _ = AppendAny(buf[:0], pointer) })
	wantAllocs(t, "AppendAny of an address", 0, func() { buf, _ = AppendAny(buf[:0], &r) })
	wantAllocs(t, "AppendAny of a value in an interface", 0, func() { buf, _ = AppendAny(buf[:0], value) })
	wantAllocs(t, "AppendAny of a map", 0, func() { buf, _ = AppendAny(buf[:0], direct) })
	wantAllocs(t, "AppendAny of a struct", 1, func() { buf, _ = AppendAny(buf[:0], r) })
	wantAllocs(t, "AnyCodec.Append", 0, func() { buf, _ = c.Append(buf[:0], &r) })
	wantAllocs(t, "UnmarshalAny, two strings", 1, func() { _ = UnmarshalAny(data, &back) })
	wantAllocs(t, "AnyCodec.Unmarshal, two strings", 1, func() { _ = c.Unmarshal(data, &back) })
}

// FuzzAny generates a type and a value of it. Encoding the value in an interface must give the same
// bytes as encoding it through a pointer.
func FuzzAny(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 12))
		typ := random.Type(r, 3, []string{""})
		v := reflect.New(typ)
		random.Fill(r, v.Elem(), 4)
		canonical := ForAny(Options{Canonical: true})
		want, err := canonical.Append(nil, v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		if v.Elem().Kind() != reflect.Pointer {
			if got, err := canonical.Append(nil, v.Elem().Interface()); err != nil || string(got) != string(want) {
				t.Fatalf("%v: %x, %v, want %x", typ, got, err, want)
			}
		}
		back := reflect.New(typ)
		if err := UnmarshalAny(want, back.Interface()); err != nil || !reflect.DeepEqual(back.Interface(), v.Interface()) {
			t.Fatalf("%v: %v", typ, err)
		}
	})
}

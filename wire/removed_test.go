package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/internal/spec"
)

// Pairs of types: the first has the field Gone of type T, and in the second this field is removed.
// The types of the second pair are not evolving. A frozen vector contains the name "without", so it
// must stay.
type (
	with[T any] struct {
		_    Evolving
		A    int
		Gone T
		Z    string
	}
	without[T any] struct {
		_ Evolving
		A int
		_ Removed[T] `wire:",was=Gone"`
		Z string
	}
	frozenWith[T any] struct {
		A    int
		Gone T
		Z    string
	}
	frozenWithout[T any] struct {
		A int
		_ Removed[T] `wire:",was=Gone"`
		Z string
	}
)

// removes checks that the version with a field and the version without it read each other's
// encodings, and that both refuse truncated input.
func removes[T any](t *testing.T, gone T) {
	t.Helper()
	old := with[T]{A: -5, Gone: gone, Z: "z"}
	data, err := Marshal(&old)
	if err != nil {
		t.Fatal(err)
	}
	v := without[T]{A: 9}
	if err := Unmarshal(data, &v); err != nil || v.A != -5 || v.Z != "z" {
		t.Errorf("%T: %+v, %v", gone, v, err)
	}
	for n := range data {
		body := append([]byte{byte(n)}, data[1:]...)[:n+1]
		if oldErr, newErr := Unmarshal(body, new(with[T])), Unmarshal(body, new(without[T])); (oldErr == nil) != (newErr == nil) && errors.Is(oldErr, io.ErrUnexpectedEOF) {
			t.Errorf("%T: %d of %d bytes: %v, without the field: %v", gone, n, len(data), oldErr, newErr)
		}
	}
	var zero with[T]
	zero.A, zero.Z = -5, "z"
	want, err := Marshal(&zero)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = Marshal(&v); err != nil || !bytes.Equal(data, want) {
		t.Errorf("%T: %x, %v, want %x", gone, data, err, want)
	}
	old = with[T]{A: 1}
	if err := Unmarshal(data, &old); err != nil || !reflect.DeepEqual(old, zero) {
		t.Errorf("%T: %+v, %v, want %+v", gone, old, err, zero)
	}
	frozen, err := Marshal(&frozenWith[T]{1, gone, "z"})
	var f frozenWithout[T]
	if err != nil || Unmarshal(frozen, &f) != nil || f.A != 1 || f.Z != "z" {
		t.Errorf("%T, frozen: %+v, %v", gone, f, err)
	}
	c, cOld := Must(For[without[T]](Options{Canonical: true})), Must(For[with[T]](Options{Canonical: true}))
	if data, err = c.Marshal(&v); err != nil || c.Unmarshal(data, &v) != nil || cOld.Unmarshal(data, &old) != nil {
		t.Errorf("%T, canonical: %x, %v", gone, data, err)
	}
	old.Gone = gone
	if data, err = cOld.Marshal(&old); err != nil || !errors.Is(c.Unmarshal(data, &v), ErrCanonical) {
		t.Errorf("%T, canonical: %x, %v", gone, data, err)
	}
}

func TestRemoved(t *testing.T) {
	removes(t, true)
	removes(t, int8(-1))
	removes(t, 300)
	removes(t, uint16(9))
	removes(t, 1.5)
	removes(t, complex64(1))
	removes(t, "text")
	removes(t, []byte("bytes"))
	removes(t, time.Unix(5, 0).UTC())
	removes(t, []string{"a", "b"})
	removes(t, [3]int{1, 2, 3})
	removes(t, map[string][]int{"k": {1}})
	removes(t, ptr("p"))
	removes(t, mo.Some(5))
	removes(t, mo.Err[int](errors.New("no")))
	removes(t, mo.Left[string, int]("l"))
	removes(t, struct {
		A int
		B []string
	}{1, []string{"b"}})
	removes(t, config5{Name: "n", Tags: []string{"a"}})
	removes(t, *big.NewInt(77))
	removes(t, netip.MustParseAddr("192.0.2.1"))
	removes(t, tree{Kids: []tree{{V: 1}}})
	removes(t, Raw[int]("\x02"))
}

// TestRemovedOptions removes fields with tag options, and a field that is an interface of several
// types. The decoder must skip their values.
func TestRemovedOptions(t *testing.T) {
	type before struct {
		A int64 `wire:",fixed"`
		B int8  `wire:",varint"`
		C any
		D bool
	}
	type after struct {
		_ Removed[int64] `wire:",fixed,was=A"`
		_ Removed[int8]  `wire:",varint"`
		_ Removed[any]
		D bool
	}
	o := Options{Types: shapes(t)}
	data := Must(Must(For[before](o)).Marshal(&before{A: 1, B: -100, C: []int{1, 2}, D: true}))
	c := Must(For[after](o))
	var v after
	if err := c.Unmarshal(data, &v); err != nil || !v.D {
		t.Errorf("%+v, %v", v, err)
	}
	if data, err := c.Marshal(&v); err != nil || string(data) != strings.Repeat("\x00", 10)+"\x01" {
		t.Errorf("%x, %v", data, err)
	}
	if err := c.Unmarshal([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x63\x01"), &v); !errors.Is(err, ErrUnregistered) {
		t.Errorf("an unknown id: %v", err)
	}
}

// TestRemovedFaults decodes malformed values of a removed field. A reader that skips the field must
// find these faults too, since it cannot find the end of the value otherwise.
func TestRemovedFaults(t *testing.T) {
	for _, test := range []struct {
		unmarshal func([]byte) error
		in        string
		cause     error
		offset    int64
	}{
		{as[frozenWithout[string]], "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", io.ErrUnexpectedEOF, 11},
		{as[frozenWithout[string]], "\x00\x80\x00", ErrNonMinimal, 2},
		{as[frozenWithout[[]int]], "\x00\xff\xff\xff\x07\x02", io.ErrUnexpectedEOF, 6},
		{as[frozenWithout[map[struct{}]struct{}]], "\x00\xff\xff\xff\xff\xff\xff\xff\xff\x7f", io.ErrUnexpectedEOF, 10},
		{as[frozenWithout[*int]], "\x00\x02\x00\x00", ErrFlag, 1},
		{as[frozenWithout[mo.Option[int]]], "\x00\x07\x00\x00", ErrFlag, 1},
		{as[frozenWithout[mo.Result[int]]], "\x00\x02\x00\x00", ErrTag, 1},
		{as[frozenWithout[tree]], "\x00\x02" + strings.Repeat("\x01\x02", 2000), ErrDepth, 2002},
		{as[frozenWithout[int]], "\x00", io.ErrUnexpectedEOF, 1},
	} {
		err := test.unmarshal([]byte(test.in))
		var de *DecodeError
		if !errors.As(err, &de) || !errors.Is(err, test.cause) || de.Offset != test.offset {
			t.Errorf("%.40x: %v, want %v at %d", test.in, err, test.cause, test.offset)
		} else if !strings.HasPrefix(de.Path, ".Gone") && de.Path != ".Z" {
			t.Errorf("%x: path %s", test.in, de.Path)
		}
	}
}

func as[T any](data []byte) error { return Unmarshal(data, new(T)) }

// TestRemovedMemory skips the value of a removed field, and writes its zero value. Both must
// allocate nothing.
func TestRemovedMemory(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	data := Must(Marshal(&with[[]string]{Gone: make([]string, 1000)}))
	var v without[[]string]
	wantAllocs(t, "skipping", 0, func() { _ = Unmarshal(data, &v) })
	if err := Must(For[without[[]string]](Options{Limits: Limits{Bytes: -1}})).Unmarshal(data, &v); err != nil {
		t.Error(err)
	}
	buf := make([]byte, 0, 100)
	wantAllocs(t, "writing", 0, func() { buf, _ = Append(buf[:0], &v) })
	if a, b := reflect.TypeFor[without[[4]string]]().Size(), reflect.TypeFor[with[struct{}]]().Size(); a != b {
		t.Errorf("a removed field takes %d bytes of the struct", a-b)
	}
}

type (
	goneItself struct {
		A int
		_ Removed[goneItself]
	}
	refuses           struct{}
	embedsRemoved     struct{ Removed[int] }
	keyWithoutAField  struct{ _ Removed[int] }
	insideKeyOfAField struct{ In [2]frozenWithout[int] }
)

func (refuses) MarshalBinary() ([]byte, error) { return nil, errors.New("never") }
func (*refuses) UnmarshalBinary([]byte) error  { return nil }

func TestRemovedRefused(t *testing.T) {
	for _, test := range []struct {
		err  func() error
		want string
	}{
		{codecError[struct{ Gone Removed[int] }], ".Gone wire.Removed[int]: a wire.Removed must be a blank field"},
		{codecError[embedsRemoved], "a wire.Removed must be a blank field"},
		{codecError[[]Removed[int]], "[] wire.Removed[int]: a wire.Removed must be a blank field"},
		{codecError[Removed[int]], "a wire.Removed must be a blank field"},
		{codecError[struct{ _ Removed[chan int] }], "._ chan int: a chan has no meaning"},
		{codecError[struct{ _ Removed[struct{}] }], "._ struct {}: cannot be removed: its zero value has no bytes, so delete the field"},
		{codecError[struct {
			_ Removed[[5000]bool] `wire:",was=Map"`
		}], ".Map [5000]bool: cannot be removed: its zero value has more than 4096 bytes"},
		{codecError[struct {
			_ Removed[[1 << 15][1 << 10]bool]
		}], "has more than"},
		{codecError[goneItself], "cannot be removed: its zero value would contain itself"},
		{codecError[struct{ _ Removed[refuses] }], "cannot be removed: never"},
		{codecError[struct {
			_ Removed[string] `wire:",fixed"`
		}], "the tag option fixed applies only to integers"},
		{codecError[map[keyWithoutAField]bool], "a struct with a removed field cannot be a map key or a part of one"},
		{codecError[map[insideKeyOfAField]bool], "a struct with a removed field"},
	} {
		var te *TypeError
		if err := test.err(); !errors.As(err, &te) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// FuzzRemoved makes a type and a value of it. A removed field of this type must be written as the
// zero value of the type, and a value in its place must be skipped completely.
func FuzzRemoved(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 13))
		typ := random.Type(r, 3, []string{""}, reflect.TypeFor[big.Int](), reflect.TypeFor[config5](), reflect.TypeFor[complex64](), reflect.TypeFor[netip.Addr](),
			reflect.TypeFor[mo.Nullable[int]](), reflect.TypeFor[mo.Either[int, string]](), reflect.TypeFor[Raw[int]]())
		zero, err := marshalValue(reflect.New(typ).Elem())
		if err != nil {
			t.Fatal(err)
		}
		v := reflect.New(typ).Elem()
		random.Fill(r, v, 4)
		data, err := marshalValue(v)
		if err != nil {
			t.Fatal(err)
		}
		// Reflection cannot instantiate Removed with the type, so the spec is made here.
		got, skipped, err := removedAs(typ, append(bytes.Clone(data), "behind"...))
		switch {
		case len(zero) == 0 || len(zero) > 4096:
			if err == nil {
				t.Fatalf("%v: is removed, and its zero value takes %d bytes", typ, len(zero))
			}
		case err != nil || !bytes.Equal(got, zero):
			t.Fatalf("%v: %x, %v, want %x", typ, got, err, zero)
		case skipped != len(data):
			t.Fatalf("%v: %x is skipped up to %d", typ, data, skipped)
		}
		for n := range data {
			if len(data) > 300 && n%(len(data)/100) != 0 {
				continue
			}
			if _, _, err := removedAs(typ, data[:n]); err == nil && len(zero) > 0 {
				t.Fatalf("%v: %d of %d bytes are a value: %x", typ, n, len(data), data)
			}
		}
	})
}

func TestRenamed(t *testing.T) {
	type before struct {
		_    Evolving
		A, B int16
	}
	type after struct {
		_ Evolving
		B int64 `wire:",was=First,was=A"`
		C int32 `wire:",was=B"`
		A string
	}
	data := Must(Marshal(&before{A: 1, B: 2}))
	var v after
	if err := Unmarshal(data, &v); err != nil || v != (after{B: 1, C: 2}) {
		t.Errorf("%+v, %v", v, err)
	}
	older, newer := Must(SchemaOf[before]()), Must(SchemaOf[after]())
	if p := newer.Reads(older); len(p) > 0 {
		t.Error(p)
	}
	if p := fmt.Sprint(older.Reads(newer)); p != "[.A is read as int16 varint and written as int64 varint: it may not fit .B is read as int16 varint and written as int32 varint: it may not fit]" {
		t.Error(p)
	}
	type swapped struct {
		_ Evolving
		B int64
		C int32
		A string
	}
	if p := fmt.Sprint(Must(SchemaOf[swapped]()).Reads(older)); !strings.Contains(p, "fields have changed places") {
		t.Errorf("without the old names: %v", p)
	}
	if a, b := newer.Fingerprint(), Must(SchemaOf[swapped]()).Fingerprint(); a != b {
		t.Error("old names count in a fingerprint")
	}
	for _, err := range []error{
		codecError[struct {
			A int `wire:",was="`
		}](),
		codecError[struct {
			A int `wire:",was=A"`
		}](),
		codecError[struct {
			A int
			b int `wire:",was=A"`
		}](),
		codecError[struct {
			A int `wire:",fixed,varint"`
		}](),
	} {
		var te *TypeError
		if !errors.As(err, &te) {
			t.Errorf("%v", err)
		}
	}
}

// removedAs returns the bytes that are written for a removed field of type t, and the number of
// bytes of data that are skipped in its place.
func removedAs(t reflect.Type, data []byte) (zero []byte, skipped int, err error) {
	d := deriver{root: t, made: map[*shape.Shape]*spec.Spec{}}
	spec := &spec.Spec{Form: spec.FormRemoved, Type: reflect.TypeFor[struct{}](), Elem: d.derive(shape.Of(t), "")}
	d.removedFields = []specAt{{spec, ".Gone"}}
	if d.fillRemoved(); d.err != nil {
		return nil, 0, d.err
	}
	p := program.Compile(spec, program.Mode{})
	skipped, err = p.UnmarshalFirst(data, false, mem.Of(new(struct{})), Limits{}, false, false)
	if err != nil {
		return nil, 0, err
	}
	zero, err = p.Append(nil, false, mem.Of(new(struct{})), Limits{})
	return zero, skipped, err
}

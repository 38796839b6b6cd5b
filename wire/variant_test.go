package wire

import (
	"errors"
	"reflect"
	"testing"

	"github.com/hone-go/hone/mo"
)

func variant[T any](t *testing.T, v T, want string) {
	t.Helper()
	data, err := Marshal(&v)
	if err != nil || string(data) != want {
		t.Errorf("%T %v is written as %x, %v, want %x", v, v, data, err, want)
	}
	var back T
	if err := Unmarshal([]byte(want), &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%x is decoded as %+v, %v, want %+v", want, back, err, v)
	}
	for n := range len(want) {
		if err := Unmarshal([]byte(want[:n]), new(T)); err == nil {
			t.Errorf("%T: %x is accepted as a value", v, want[:n])
		}
	}
	var de *DecodeError
	if err := Unmarshal([]byte("\x09"), new(T)); !errors.Is(err, ErrTag) || !errors.As(err, &de) || de.Offset != 0 {
		t.Errorf("%T: an unknown tag: %v", v, err)
	}
}

func TestVariants(t *testing.T) {
	variant(t, mo.Ok(5), "\x00\x0a")
	variant(t, mo.Err[int](errors.New("boom")), "\x01\x04boom")
	variant(t, mo.Left[string, int]("a"), "\x01\x01a")
	variant(t, mo.Right[string](-1), "\x00\x01")
	variant(t, mo.NewEither3Arg2[int8, string, bool]("x"), "\x01\x01x")
	variant(t, mo.NewEither4Arg3[int8, string, bool, uint8](true), "\x02\x01")
	variant(t, mo.NewEither5Arg5[int8, string, bool, uint8](uint16(300)), "\x04\xac\x02")
	variant(t, mo.Absent[int](), "\x00")
	variant(t, mo.Null[int](), "\x01")
	variant(t, mo.Value(7), "\x02\x0e")
}

// TestVariantReuse decodes one case into a value that holds another case. Nothing of the old value
// may remain.
func TestVariantReuse(t *testing.T) {
	v := mo.Left[[]string, int]([]string{"old"})
	if err := Unmarshal([]byte("\x00\x02"), &v); err != nil || !reflect.DeepEqual(v, mo.Right[[]string](1)) {
		t.Errorf("%+v, %v", v, err)
	}
	r := mo.Err[string](errors.New("old"))
	if err := Unmarshal([]byte("\x00\x01a"), &r); err != nil || !reflect.DeepEqual(r, mo.Ok("a")) {
		t.Errorf("%+v, %v", r, err)
	}
	o := []mo.Option[int]{mo.Some(3)}
	if err := Unmarshal([]byte("\x01\x00"), &o); err != nil || o[0] != mo.None[int]() {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestHidden encodes and decodes options and pointers of structs whose first field is not encoded.
// The encoding must contain only the other field.
func TestHidden(t *testing.T) {
	type number struct {
		Hidden uint32 `wire:"-"`
		N      int64
	}
	type float struct {
		Hidden [3]string `wire:"-"`
		F      float64
	}
	type count struct {
		Hidden uint8 `wire:"-"`
		U      uint64
	}
	type all struct {
		P *number
		F mo.Option[float]
		U mo.Option[count]
		Q *float
	}
	v := all{&number{N: 5}, mo.Some(float{F: 1}), mo.Some(count{U: 300}), &float{F: 2}}
	want := "\x01\x0a\x01\x00\x00\x00\x00\x00\x00\xf0\x3f\x01\xac\x02\x01\x00\x00\x00\x00\x00\x00\x00\x40"
	data, err := Marshal(&v)
	if err != nil || string(data) != want {
		t.Errorf("%x, %v, want %x", data, err, want)
	}
	var back all
	if err := Unmarshal([]byte(want), &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v, %v", back, err)
	}
	var f formatter
	serialize := Must(MakeSerializer[all]())
	if err := serialize(&f, &v); err != nil || string(f.b) != want {
		t.Errorf("%x, %v, want %x", f.b, err, want)
	}
}

// TestOptions encodes and decodes options of many kinds of values, each between two other fields.
// The encoding must be the same as the oracle's, and no proper prefix of it may be accepted.
func TestOptions(t *testing.T) {
	type options struct {
		A mo.Option[float64]
		B mo.Option[uint64]
		C mo.Option[int64]
		D mo.Option[string]
		E mo.Option[mo.Option[uint32]]
		F mo.Option[struct {
			X, Y int64
			Z    []string
		}]
		G mo.Option[*int16]
		H mo.Option[[]byte]
		I mo.Option[[3]int8]
		J mo.Option[struct{}]
		K int64
		L uint64
		M int64
	}
	some := options{A: mo.Some(1.5), B: mo.Some[uint64](300), C: mo.Some[int64](-1), D: mo.Some("d"), E: mo.Some(mo.Some[uint32](4)),
		G: mo.Some(ptr(int16(5))), H: mo.Some([]byte{6}), I: mo.Some([3]int8{7, 8, 9}), J: mo.Some(struct{}{}), K: -1, L: 1 << 63, M: 1}
	inner := some.F.OrEmpty()
	inner.X, inner.Y, inner.Z = 1, 2, []string{"z"}
	some.F = mo.Some(inner)
	none := options{K: 5}
	half := some
	half.B, half.F, half.E, half.I = mo.None[uint64](), none.F, mo.Some(mo.None[uint32]()), none.I
	for _, v := range []options{some, none, half} {
		data, err := Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		if slow := slowAppend(nil, reflect.ValueOf(v)); string(slow) != string(data) {
			t.Errorf("%x, the oracle writes %x", data, slow)
		}
		for _, back := range []options{some, none, half} {
			if err := Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, v) {
				t.Errorf("%+v, %v, want %+v", back, err, v)
			}
		}
		for n := range data {
			if err := Unmarshal(data[:n], new(options)); err == nil {
				t.Errorf("%d of %d bytes are accepted as a value", n, len(data))
			}
		}
	}
}

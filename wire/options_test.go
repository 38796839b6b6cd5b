package wire

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/hone-go/hone/internal/memory/mem"
)

type canon struct {
	M  map[string]int
	F  map[float64]bool
	N  map[int8]map[uint16]string
	A  [2]float32
	C  complex128
	Z  []float64
	By map[[2]int8]int
}

// TestCanonical encodes equal values that were made in different ways. Their encodings must be equal.
func TestCanonical(t *testing.T) {
	c := Must(For[canon](Options{Canonical: true}))
	build := func(reverse bool) canon {
		v := canon{M: map[string]int{}, F: map[float64]bool{}, N: map[int8]map[uint16]string{}, By: map[[2]int8]int{}}
		for i := range 40 {
			if reverse {
				i = 39 - i
			}
			k := string(rune('a'+i%26)) + string(rune('a'+i/26))
			v.M[k] = i
			v.F[float64(i)] = true
			v.N[int8(i-20)] = map[uint16]string{uint16(i * 999): "x", uint16(i): "y"}
			v.By[[2]int8{int8(i), -1}] = i
		}
		v.A[0], v.C, v.Z = 0, 0, []float64{0, math.NaN()}
		if reverse {
			v.A[0] = float32(math.Copysign(0, -1))
			v.C = complex(math.Copysign(0, -1), math.Copysign(0, -1))
			v.Z = []float64{math.Copysign(0, -1), math.Float64frombits(0xfff8_0000_0000_1234)}
		}
		return v
	}
	one, other := build(false), build(true)
	a, err := c.Append(nil, &one)
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Append(nil, &other)
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("%x\n%x, %v", a, b, err)
	}
	var back canon
	if err := c.Unmarshal(a, &back); err != nil {
		t.Fatal(err)
	}
	if again, err := c.Append(nil, &back); err != nil || !bytes.Equal(again, a) {
		t.Errorf("%x, %v", again, err)
	}
	// The default decoder reads the canonical form too.
	if err := Unmarshal(a, new(canon)); err != nil {
		t.Error(err)
	}
}

func TestNotCanonical(t *testing.T) {
	decode := func(cause error, codec interface{ read(data string) error }, in string) {
		t.Helper()
		var de *DecodeError
		if err := codec.read(in); !errors.Is(err, cause) || !errors.As(err, &de) {
			t.Errorf("%x: %v, want %v", in, err, cause)
		}
	}
	m := canonically[map[string]uint8](t)
	if err := m.read("\x02\x01a\x01\x01b\x01"); err != nil {
		t.Error(err)
	}
	decode(ErrUnsorted, m, "\x02\x01b\x01\x01a\x01")
	decode(ErrCanonical, m, "\x02\x01b\x01\x01a\x01")
	decode(ErrUnsorted, m, "\x02\x01a\x01\x01a\x01")
	decode(ErrNonMinimal, m, "\x82\x00")
	decode(ErrDuplicate, mapReader{}, "\x02\x01a\x01\x01a\x01")
	decode(ErrFlag, canonically[bool](t), "\x02")
	f := canonically[[]float32](t)
	if err := f.read("\x02\x00\x00\x00\x00\x00\x00\xc0\x7f"); err != nil {
		t.Error(err)
	}
	decode(ErrCanonical, f, "\x01\x00\x00\x00\x80")
	decode(ErrCanonical, f, "\x01\x01\x00\xc0\x7f")
	decode(ErrCanonical, canonically[float64](t), "\x00\x00\x00\x00\x00\x00\x00\x80")
	decode(ErrCanonical, canonically[complex64](t), "\x00\x00\x00\x00\x00\x00\x00\x80")
	decode(ErrCanonical, canonically[complex128](t), "\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00")
	// Two NaNs are different keys in Go, and the same key in the encoding.
	nans := map[float64]int{math.NaN(): 1, math.Float64frombits(0x7ff8_0000_0000_0001 + 1): 2}
	if _, err := Must(For[map[float64]int](Options{Canonical: true})).Append(nil, &nans); !errors.Is(err, ErrDuplicate) {
		t.Errorf("two NaNs: %v", err)
	}
}

type canonical[T any] struct{ codec *Codec[T] }

func canonically[T any](t *testing.T) canonical[T] {
	t.Helper()
	c, err := For[T](Options{Canonical: true})
	if err != nil {
		t.Fatal(err)
	}
	return canonical[T]{c}
}

func (c canonical[T]) read(data string) error { return c.codec.Unmarshal([]byte(data), new(T)) }

type mapReader struct{}

func (mapReader) read(data string) error { return Unmarshal([]byte(data), new(map[string]uint8)) }

// TestAlias overwrites the input after decoding. Without AliasInput the decoded value must not
// change; with AliasInput its strings and bytes change too.
func TestAlias(t *testing.T) {
	type texts struct {
		S string
		B []byte
		L []string
		M map[int]string
	}
	v := texts{"some text", []byte("bytes"), []string{"first", "second"}, map[int]string{1: "element"}}
	data, err := Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	for _, alias := range []bool{false, true} {
		in := bytes.Clone(data)
		c := Must(For[texts](Options{AliasInput: alias}))
		var got texts
		if err := c.Unmarshal(in, &got); err != nil {
			t.Fatal(err)
		}
		for i := range in {
			in[i] = 'x'
		}
		follows := got.S == "xxxxxxxxx" && string(got.B) == "xxxxx" && got.L[1] == "xxxxxx" && got.M[1] == "xxxxxxx"
		kept := got.S == v.S && string(got.B) == string(v.B) && got.L[1] == v.L[1] && got.M[1] == v.M[1]
		if !alias && !kept || alias && string(got.B) != "xxxxx" || alias && mem.CastMaps && !follows { // purego copies strings
			t.Errorf("Alias %t: %+v", alias, got)
		}
		if alias && cap(got.B) != len(got.B) {
			t.Error("an append to aliased bytes would write over what follows them in the input")
		}
	}
}

func TestMust(t *testing.T) {
	if c := Must(For[int]()); c == nil {
		t.Error("Must does not return its argument")
	}
	defer func() {
		var te *TypeError
		if err, ok := recover().(error); !ok || !errors.As(err, &te) {
			t.Errorf("Must panics with %v", err)
		}
	}()
	Must(For[chan int]())
}

func TestUnmarshalFirst(t *testing.T) {
	c := Must(For[[]string]())
	data := []byte("\x01\x01a\x02\x00\x01b\x05")
	var v []string
	rest, err := c.UnmarshalFirst(data, &v)
	if err != nil || len(v) != 1 || string(rest) != "\x02\x00\x01b\x05" {
		t.Fatalf("%q, %q, %v", v, rest, err)
	}
	if rest, err = c.UnmarshalFirst(rest, &v); err != nil || len(v) != 2 || string(rest) != "\x05" {
		t.Fatalf("%q, %q, %v", v, rest, err)
	}
	if rest, err = c.UnmarshalFirst(rest, &v); err == nil || string(rest) != "\x05" {
		t.Errorf("on error UnmarshalFirst returns %q, %v", rest, err)
	}
}

package layout

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type account struct {
	Name   string
	Age    uint8
	Tags   []string
	Email  *string
	Score  mo.Option[float64]
	Flags  [3]bool
	Inner  point
	Extra  map[int16]string
	secret int
}

type point struct{ X, Y int32 }

func (a *account) Secret() int     { return a.secret }
func (a *account) SetSecret(v int) { a.secret = v }

func accountLayout() *wire.Codec[account] {
	at := wire.Must(New(func(l *Fields, p *point) {
		Int32(l, &p.X, BE)
		Int32(l, &p.Y, LE)
	}))
	return wire.Must(New(func(l *Fields, a *account) {
		Varchar(l, &a.Name)
		Uint8(l, &a.Age)
		Slice(l, &a.Tags, LenU8, SmallVarcharType)
		Optional(l, &a.Email, VarcharType)
		Option(l, &a.Score, Float64Type(LE))
		Array(l, a.Flags[:], BoolType)
		Struct(l, &a.Inner, at)
		Map(l, &a.Extra, LenU16BE, Int16Type(LE), SmallVarcharType)
		Property(l, a, (*account).Secret, (*account).SetSecret, IntType(BE))
		l.Skip(3)
	}))
}

func TestLayout(t *testing.T) {
	c := accountLayout()
	v := account{"ann", 42, []string{"a", ""}, ptr("m@x"), mo.Some(1.0), [3]bool{true, false, true}, point{1, 2}, map[int16]string{-1: "e"}, 77}
	want := "\x03\x00ann" + "\x2a" + "\x02\x01a\x00" + "\x01\x03\x00m@x" + "\x01\x00\x00\x00\x00\x00\x00\xf0\x3f" + "\x01\x00\x01" +
		"\x00\x00\x00\x01\x02\x00\x00\x00" + "\x00\x01\xff\xff\x01e" + "\x00\x00\x00\x00\x00\x00\x00\x4d" + "\x00\x00\x00"
	data, err := c.Append(nil, &v)
	if err != nil || string(data) != want {
		t.Fatalf("%x, %v\nwant %x", data, err, want)
	}
	var back account
	if err := c.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v, %v", back, err)
	}
	for n := range data {
		if err := c.Unmarshal(data[:n], new(account)); err == nil {
			t.Errorf("%d of %d bytes are taken for a value", n, len(data))
		}
	}
	// What is skipped may hold anything.
	copy(data[len(data)-3:], "new")
	if err := c.Unmarshal(data, &back); err != nil {
		t.Error(err)
	}
	if size, err := c.Size(&v); err != nil || size != len(want) {
		t.Errorf("Size = %d, %v", size, err)
	}
	if rest, err := c.UnmarshalFirst(append(data, "rest"...), &back); err != nil || string(rest) != "rest" {
		t.Errorf("UnmarshalFirst leaves %q, %v", rest, err)
	}
	// Nothing, and something over it again.
	none := account{}
	if data, err = c.Append(data[:0], &none); err != nil {
		t.Fatal(err)
	}
	if err := c.Unmarshal(data, &back); err != nil || back.Email != nil || back.Score.IsSome() || len(back.Tags) != 0 || back.Tags == nil || back.Extra == nil || back.secret != 0 {
		t.Errorf("%+v, %v", back, err)
	}
}

// TestLayoutRefused declares what cannot be laid out: each is an error when the
// layout is made, with the field's name if it has one.
func TestLayoutRefused(t *testing.T) {
	var elsewhere account
	var nobody *int16
	for name, test := range map[string]struct {
		path    string
		declare func(l *Fields, a *account)
	}{
		"an address elsewhere":  {"", func(l *Fields, _ *account) { Uint8(l, &elsewhere.Age) }},
		"nil":                   {"", func(l *Fields, _ *account) { Int16(l, nobody, LE) }},
		"an element of a slice": {"", func(l *Fields, a *account) { a.Tags = []string{""}; Varchar(l, &a.Tags[0]) }},
		"what a pointer is to":  {"", func(l *Fields, a *account) { a.Email = new(string); Varchar(l, a.Email) }},
		"the zero Type":         {".Age", func(l *Fields, a *account) { Field(l, &a.Age, Type[uint8]{}) }},
		"a nil codec":           {".Inner", func(l *Fields, a *account) { Struct(l, &a.Inner, nil) }},
		"no such length":        {".Name", func(l *Fields, a *account) { String(l, &a.Name, 99) }},
		"no such order":         {".Inner.X", func(l *Fields, a *account) { Int32(l, &a.Inner.X, 7) }},
		"no such order within":  {".Tags", func(l *Fields, a *account) { Slice(l, &a.Tags, 50, SmallVarcharType) }},
		"a negative skip":       {"", func(l *Fields, _ *account) { l.Skip(-1) }},
		"a list of less than 0": {".Tags", func(l *Fields, a *account) { List(l, &a.Tags, -1, SmallVarcharType) }},
		"half a property":       {"", func(l *Fields, a *account) { Property(l, a, (*account).Secret, nil, IntType(LE)) }},
		"a property of another": {"", func(l *Fields, _ *account) {
			Property(l, &elsewhere, (*account).Secret, (*account).SetSecret, IntType(LE))
		}},
		"a property of no type":   {"", func(l *Fields, a *account) { Property(l, a, (*account).Secret, (*account).SetSecret, Type[int]{}) }},
		"a panic":                 {"", func(*Fields, *account) { panic("in the declaration") }},
		"a map of the zero Type":  {".Extra", func(l *Fields, a *account) { Map(l, &a.Extra, LenU8, Type[int16]{}, SmallVarcharType) }},
		"an option of the zero":   {".Score", func(l *Fields, a *account) { Option(l, &a.Score, Type[float64]{}) }},
		"an array of another one": {"", func(l *Fields, _ *account) { Array(l, elsewhere.Flags[:], BoolType) }},
	} {
		c, err := New(test.declare)
		var te *wire.TypeError
		if !errors.As(err, &te) || c != nil || te.Root != reflect.TypeFor[account]() || test.path != "" && te.Path != test.path {
			t.Errorf("%s: %v (path %v)", name, err, te)
		}
	}
	if _, err := New(func(l *Fields, v *struct{ A [2]int8 }) {
		Field(l, &v.A, ArrayType(func(a *[2]int8) []int8 { return a[:1] }, Int8Type))
	}); err == nil {
		t.Error("an array type over a part of the array is accepted")
	}
}

// TestLengthOverflow writes one more than each length can say: an error before
// anything is written, where a header that wraps would hold a small number.
func TestLengthOverflow(t *testing.T) {
	// The longer ones take more memory than there is.
	for l, n := range map[Len]int{
		LenU8: math.MaxUint8, LenI8: math.MaxInt8, LenU16LE: math.MaxUint16, LenU16BE: math.MaxUint16, LenI16LE: math.MaxInt16, LenI16BE: math.MaxInt16,
	} {
		type all struct {
			S string
			B []byte
			L []bool
			M map[int32]bool
		}
		full := all{strings.Repeat("x", n), make([]byte, n), make([]bool, n), map[int32]bool{}}
		for i := range n {
			full.M[int32(i)] = true
		}
		c := wire.Must(New(func(f *Fields, v *all) {
			String(f, &v.S, l)
			Blob(f, &v.B, l)
			Slice(f, &v.L, l, BoolType)
			Map(f, &v.M, l, Int32Type(LE), BoolType)
		}))
		data, err := c.Append(nil, &full)
		if err != nil {
			t.Fatalf("%v: %d: %v", l, n, err)
		}
		var back all
		if err := c.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, full) {
			t.Errorf("%v: %d elements do not come back: %v", l, n, err)
		}
		for path, v := range map[string]all{
			".S": {S: full.S + "x"}, ".B": {B: append(full.B, 0)}, ".L": {L: append(full.L, true)}, ".M": {M: func() map[int32]bool {
				m := map[int32]bool{-1: true}
				for k := range full.M {
					m[k] = true
				}
				return m
			}()},
		} {
			got, err := c.Append([]byte("kept"), &v)
			var ee *wire.EncodeError
			if !errors.Is(err, wire.ErrTooLong) || !errors.As(err, &ee) || ee.Path != path || string(got) != "kept" {
				t.Errorf("%v: one more than %d in %s: %v, %.20q", l, n, path, err, got)
			}
		}
	}
	// The same within a map, whose keys have a length of their own.
	long := map[string]string{strings.Repeat("k", 256): ""}
	keys := codecOf(t, MapType(LenU8, SmallVarcharType, SmallVarcharType))
	if got, err := keys.Append([]byte("kept"), &long); !errors.Is(err, wire.ErrTooLong) || string(got) != "kept" {
		t.Errorf("a key of 256 bytes: %v, %.20q", err, got)
	}
	long = map[string]string{"": strings.Repeat("k", 256)}
	if got, err := keys.Append([]byte("kept"), &long); !errors.Is(err, wire.ErrTooLong) || string(got) != "kept" {
		t.Errorf("an element of 256 bytes: %v, %.20q", err, got)
	}
	negative := codecOf(t, BlobType(LenI16LE))
	if err := negative.Unmarshal([]byte("\xff\xff"), new([]byte)); !errors.Is(err, wire.ErrOverflow) {
		t.Errorf("a negative length: %v", err)
	}
}

func TestSkipAndList(t *testing.T) {
	type lists struct {
		L []uint16
		E []struct{}
	}
	c := wire.Must(New(func(l *Fields, v *lists) {
		l.Skip(100_000)
		List(l, &v.L, 3, Uint16Type(BE))
	}))
	data, err := c.Append(nil, &lists{L: []uint16{1, 2, 3}})
	if err != nil || len(data) != 100_006 || !bytes.Equal(data[:100_000], make([]byte, 100_000)) || string(data[100_000:]) != "\x00\x01\x00\x02\x00\x03" {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	var back lists
	if err := c.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back.L, []uint16{1, 2, 3}) {
		t.Errorf("%v, %v", back, err)
	}
	var ee *wire.EncodeError
	for _, v := range [][]uint16{nil, {1, 2}, {1, 2, 3, 4}} {
		if _, err := c.Append(nil, &lists{L: v}); !errors.Is(err, ErrCount) || !errors.As(err, &ee) || ee.Path != ".L" {
			t.Errorf("%d of 3: %v", len(v), err)
		}
	}
}

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
		Field(l, &p.X, Int32(BE))
		Field(l, &p.Y, Int32(LE))
	}))
	return wire.Must(New(func(l *Fields, a *account) {
		Field(l, &a.Name, Varchar)
		Field(l, &a.Age, Uint8)
		Field(l, &a.Tags, Slice(LenU8, SmallVarchar))
		Field(l, &a.Email, Optional(Varchar))
		Field(l, &a.Score, Option(Float64(LE)))
		Field(l, &a.Flags, Array[[3]bool](Bool))
		Field(l, &a.Inner, Struct(at))
		Field(l, &a.Extra, Map(LenU16BE, Int16(LE), SmallVarchar))
		Property(l, a, (*account).Secret, (*account).SetSecret, Int(BE))
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
			t.Errorf("%d of %d bytes are accepted as a value", n, len(data))
		}
	}
	// Skipped bytes may have any value.
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
	// An empty value is decoded into a value that was full before.
	none := account{}
	if data, err = c.Append(data[:0], &none); err != nil {
		t.Fatal(err)
	}
	if err := c.Unmarshal(data, &back); err != nil || back.Email != nil || back.Score.IsSome() || len(back.Tags) != 0 || back.Tags == nil || back.Extra == nil || back.secret != 0 {
		t.Errorf("%+v, %v", back, err)
	}
}

// TestLayoutRefused declares impossible layouts. Each must be an error when the layout is made,
// with the name of the field if it has one.
func TestLayoutRefused(t *testing.T) {
	var elsewhere account
	var nobody *int16
	inner := wire.Must(wire.For[point]())
	for name, test := range map[string]struct {
		path    string
		declare func(l *Fields, a *account)
	}{
		"an address elsewhere":  {"", func(l *Fields, _ *account) { Field(l, &elsewhere.Age, Uint8) }},
		"nil":                   {"", func(l *Fields, _ *account) { Field(l, nobody, Int16(LE)) }},
		"an element of a slice": {"", func(l *Fields, a *account) { a.Tags = []string{""}; Field(l, &a.Tags[0], Varchar) }},
		"what a pointer is to":  {"", func(l *Fields, a *account) { a.Email = new(string); Field(l, a.Email, Varchar) }},
		"the zero Type":         {".Age", func(l *Fields, a *account) { Field(l, &a.Age, Type[uint8]{}) }},
		"a nil codec":           {".Inner", func(l *Fields, a *account) { Field(l, &a.Inner, Struct[point](nil)) }},
		"no such length":        {".Name", func(l *Fields, a *account) { Field(l, &a.Name, String(99)) }},
		"no such order":         {".Inner.X", func(l *Fields, a *account) { Field(l, &a.Inner.X, Int32(7)) }},
		"no such order within":  {".Tags", func(l *Fields, a *account) { Field(l, &a.Tags, Slice(50, SmallVarchar)) }},
		"a negative skip":       {"", func(l *Fields, _ *account) { l.Skip(-1) }},
		"a list of less than 0": {".Tags", func(l *Fields, a *account) { Field(l, &a.Tags, List(-1, SmallVarchar)) }},
		"half a property":       {"", func(l *Fields, a *account) { Property(l, a, (*account).Secret, nil, Int(LE)) }},
		"a property of another": {"", func(l *Fields, _ *account) {
			Property(l, &elsewhere, (*account).Secret, (*account).SetSecret, Int(LE))
		}},
		"a property of no type":  {"", func(l *Fields, a *account) { Property(l, a, (*account).Secret, (*account).SetSecret, Type[int]{}) }},
		"a panic":                {"", func(*Fields, *account) { panic("in the declaration") }},
		"a map of the zero Type": {".Extra", func(l *Fields, a *account) { Field(l, &a.Extra, Map(LenU8, Type[int16]{}, SmallVarchar)) }},
		"an option of the zero":  {".Score", func(l *Fields, a *account) { Field(l, &a.Score, Option(Type[float64]{})) }},
		"a field twice":          {".Age", func(l *Fields, a *account) { Field(l, &a.Age, Uint8); l.Skip(1); Field(l, &a.Age, Uint8) }},
		"a part of a field":      {".Inner.X", func(l *Fields, a *account) { Field(l, &a.Inner, Struct(inner)); Field(l, &a.Inner.X, Int32(LE)) }},
		"a field with its part":  {".Inner", func(l *Fields, a *account) { Field(l, &a.Inner.Y, Int32(LE)); Field(l, &a.Inner, Struct(inner)) }},
		"an element and the array": {".Flags", func(l *Fields, a *account) {
			Field(l, &a.Flags[1], Bool)
			Field(l, &a.Flags, Array[[3]bool](Bool))
		}},
		"an array of another one": {"", func(l *Fields, _ *account) { Field(l, &elsewhere.Flags, Array[[3]bool](Bool)) }},
	} {
		c, err := New(test.declare)
		var te *wire.TypeError
		if !errors.As(err, &te) || c != nil || te.Root != reflect.TypeFor[account]() || test.path != "" && te.Path != test.path {
			t.Errorf("%s: %v (path %v)", name, err, te)
		}
	}
	// A property may use a field that is laid out.
	if _, err := New(func(l *Fields, a *account) {
		Field(l, &a.Inner, Struct(inner))
		Property(l, a, (*account).Secret, (*account).SetSecret, Int(LE))
		Property(l, a, (*account).Secret, (*account).SetSecret, Int(LE))
	}); err != nil {
		t.Error(err)
	}
	for name, of := range map[string]Type[[2]int8]{
		"elements of another type": Array[[2]int8](Uint8),
		"elements of no type":      Array[[2]int8](Type[int8]{}),
	} {
		if _, err := New(func(l *Fields, v *[2]int8) { Field(l, v, of) }); err == nil {
			t.Errorf("an array with %s is accepted", name)
		}
	}
	if _, err := New(func(l *Fields, v *[]int8) { Field(l, v, Array[[]int8](Int8)) }); err == nil {
		t.Error("a slice is accepted as an array")
	}
}

// TestAs lays out values of named types as their underlying types. As must refuse a type with
// another underlying type.
func TestAs(t *testing.T) {
	type (
		age    uint8
		label  string
		labels []string
		ages   map[string]uint8
		pair   [2]uint8
		at     point
		next   *uint8
	)
	type named struct {
		A age
		L label
		S labels
		M ages
		P pair
		T at
		N next
	}
	points := Struct(wire.Must(New(func(l *Fields, p *point) { Field(l, &p.X, Int32(LE)) })))
	c := wire.Must(New(func(l *Fields, v *named) {
		Field(l, &v.A, As[age](Uint8))
		Field(l, &v.L, As[label](SmallVarchar))
		Field(l, &v.S, As[labels](Slice(LenU8, SmallVarchar)))
		Field(l, &v.M, As[ages](Map(LenU8, SmallVarchar, Uint8)))
		Field(l, &v.P, As[pair](Array[[2]uint8](Uint8)))
		Field(l, &v.T, As[at](points))
		Field(l, &v.N, As[next](Optional(Uint8)))
	}))
	v := named{1, "l", labels{"s"}, ages{"m": 2}, pair{3, 4}, at{X: 5}, ptr(uint8(6))}
	data, err := c.Append(nil, &v)
	if want := "\x01" + "\x01l" + "\x01\x01s" + "\x01\x01m\x02" + "\x03\x04" + "\x05\x00\x00\x00" + "\x01\x06"; err != nil || string(data) != want {
		t.Fatalf("%x, %v, want %x", data, err, want)
	}
	var back named
	if err := c.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v, %v", back, err)
	}
	for name, fault := range map[string]string{
		"another size":              As[uint16](Uint8).fault(),
		"text of a number":          As[string](Int32(LE)).fault(),
		"a slice of other elements": As[[]label](Slice(LenU8, SmallVarchar)).fault(),
		"a map of other keys":       As[map[label]uint8](Map(LenU8, SmallVarchar, Uint8)).fault(),
		"a longer array":            As[[3]uint8](Array[[2]uint8](Uint8)).fault(),
		"another struct":            As[named](points).fault(),
		"the zero Type":             As[age](Type[uint8]{}).fault(),
	} {
		if fault == "" {
			t.Errorf("As takes %s", name)
		}
	}
}

// TestArrayType encodes and decodes arrays of a named type, and arrays without elements.
func TestArrayType(t *testing.T) {
	type key [4]byte
	type keys struct {
		K    key
		None [0]key
		Two  [2]key
	}
	c := wire.Must(New(func(l *Fields, v *keys) {
		Field(l, &v.K, Array[key](Uint8))
		Field(l, &v.None, Array[[0]key](Array[key](Uint8)))
		Field(l, &v.Two, Array[[2]key](Array[key](Uint8)))
	}))
	v := keys{K: key{1, 2, 3, 4}, Two: [2]key{{5}, {6}}}
	data, err := c.Append(nil, &v)
	if err != nil || string(data) != "\x01\x02\x03\x04\x05\x00\x00\x00\x06\x00\x00\x00" {
		t.Fatalf("%x, %v", data, err)
	}
	var back keys
	if err := c.Unmarshal(data, &back); err != nil || back != v {
		t.Errorf("%v, %v", back, err)
	}
}

// TestLengthOverflow writes one element more than each length can represent. The encoder must
// refuse it before it writes anything: a length that wrapped around would be written as a small
// number.
func TestLengthOverflow(t *testing.T) {
	// Lengths of more than 16 bits are left out: a test of their maximum would need too much
	// memory.
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
			Field(f, &v.S, String(l))
			Field(f, &v.B, Blob(l))
			Field(f, &v.L, Slice(l, Bool))
			Field(f, &v.M, Map(l, Int32(LE), Bool))
		}))
		data, err := c.Append(nil, &full)
		if err != nil {
			t.Fatalf("%v: %d: %v", l, n, err)
		}
		var back all
		if err := c.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, full) {
			t.Errorf("%v: %d elements are not decoded: %v", l, n, err)
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
	// The same holds for the keys of a map, which have their own length encoding.
	long := map[string]string{strings.Repeat("k", 256): ""}
	keys := codecOf(t, Map(LenU8, SmallVarchar, SmallVarchar))
	if got, err := keys.Append([]byte("kept"), &long); !errors.Is(err, wire.ErrTooLong) || string(got) != "kept" {
		t.Errorf("a key of 256 bytes: %v, %.20q", err, got)
	}
	long = map[string]string{"": strings.Repeat("k", 256)}
	if got, err := keys.Append([]byte("kept"), &long); !errors.Is(err, wire.ErrTooLong) || string(got) != "kept" {
		t.Errorf("an element of 256 bytes: %v, %.20q", err, got)
	}
	negative := codecOf(t, Blob(LenI16LE))
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
		Field(l, &v.L, List(3, Uint16(BE)))
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

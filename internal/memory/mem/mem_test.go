package mem_test

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/memory/mem"
)

type (
	text  string
	count int64
	inner struct {
		A int8
		B [3]struct {
			X uint16
			Y text
		}
	}
	outer struct {
		Void  struct{}
		First inner
		P     *inner
		S     []inner
		M     map[text]count
		Any   any
		B     []byte
		ID    [4]byte
		F     []float64
		I     int
		Last  bool
	}
)

func offset(t *testing.T, path ...string) (off uintptr) {
	typ := reflect.TypeFor[outer]()
	for _, name := range path {
		f, ok := typ.FieldByName(name)
		if !ok {
			t.Fatalf("no field %s", name)
		}
		off, typ = off+f.Offset, f.Type
	}
	return off
}

func TestLoadStore(t *testing.T) {
	v := outer{First: inner{A: -5}, Last: true, I: 7}
	a := mem.Of(&v)
	if got := mem.Load[int8](a, offset(t, "First", "A")); got != -5 {
		t.Errorf("A = %d", got)
	}
	y := offset(t, "First", "B") + 2*reflect.TypeOf(v.First.B[0]).Size() + reflect.TypeOf(v.First.B[0]).Field(1).Offset
	mem.Store(a, y, "why")
	if v.First.B[2].Y != "why" {
		t.Errorf("stored %+v", v)
	}
	if got := mem.Load[string](a.Add(offset(t, "First")), y-offset(t, "First")); got != "why" {
		t.Errorf("Y = %q", got)
	}
	if !mem.Load[bool](a, offset(t, "Last")) {
		t.Error("Last = false")
	}
	if reflect.TypeFor[int]().Size() == 8 {
		mem.Store(a, offset(t, "I"), int64(9))
	} else {
		mem.Store(a, offset(t, "I"), int32(9))
	}
	if v.I != 9 {
		t.Errorf("an int stored as its sized kind is %d", v.I)
	}
}

func TestReferences(t *testing.T) {
	var v outer
	a := mem.Of(&v)
	p := offset(t, "P")
	if !a.Elem(p).IsNil() {
		t.Error("Elem of a nil pointer is not nil")
	}
	mem.Store(a.SetNew(p, reflect.TypeFor[inner]()), 0, int8(3))
	if v.P == nil || v.P.A != 3 || mem.Load[int8](a.Elem(p), 0) != 3 {
		t.Errorf("P = %+v", v.P)
	}
	a.SetNil(p)
	if v.P != nil {
		t.Error("SetNil left the pointer")
	}

	s := offset(t, "S")
	if !a.SliceIsNil(s) {
		t.Error("SliceIsNil of a nil slice is false")
	}
	a.Value(s, reflect.TypeFor[[]inner]()).Grow(3)
	a.SetLen(s, 3)
	first, n := a.Slice(s)
	mem.Store(first.Add(2*reflect.TypeFor[inner]().Size()), 0, int8(4))
	if n != 3 || a.Cap(s) < 3 || a.SliceIsNil(s) || v.S[2].A != 4 {
		t.Errorf("S = %+v", v.S)
	}
	a.ClearSlice(s)
	if v.S != nil {
		t.Error("ClearSlice left the slice")
	}

	if a.SetEmptySlice(s); v.S == nil || len(v.S) != 0 || cap(v.S) != 0 {
		t.Errorf("SetEmptySlice: %#v", v.S)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("SetLen set a length that is more than the capacity")
			}
		}()
		a.SetLen(s, 1)
	}()

	a.SetBytes(offset(t, "B"), []byte("bytes"))
	a.PutArray(offset(t, "ID"), []byte{1, 2, 3, 4})
	if string(a.Bytes(offset(t, "B"))) != "bytes" || v.ID != [4]byte{1, 2, 3, 4} || string(a.Array(offset(t, "ID"), 4)) != "\x01\x02\x03\x04" {
		t.Errorf("bytes %q, array %v", v.B, v.ID)
	}
	mem.SetSlice(a, offset(t, "F"), []float64{1, 2})
	if got := mem.SliceAt[float64](a, offset(t, "F")); len(v.F) != 2 || got[1] != 2 {
		t.Errorf("F = %v, %v", v.F, got)
	}
	a.SetAny(offset(t, "Any"), "x")
	if a.Any(offset(t, "Any")) != "x" || v.Any != "x" {
		t.Errorf("Any = %v", v.Any)
	}
	a.SetAny(offset(t, "Any"), nil)
	if v.Any != nil || !a.MapIsNil(offset(t, "M")) {
		t.Error("Any of a nil interface is not nil")
	}
	if got := a.Addr(offset(t, "First"), reflect.TypeFor[inner]()); got != &v.First {
		t.Errorf("Addr = %p, want %p", got, &v.First)
	}
	if got := mem.Load[int8](mem.OfPointer(reflect.ValueOf(&v.First)), 0); got != v.First.A {
		t.Errorf("A = %d, want %d", got, v.First.A)
	}
	value := mem.AddressTypeOf(reflect.TypeFor[inner]()).Value(a, offset(t, "First"))
	if value.SetZero(); !value.CanAddr() || !reflect.DeepEqual(v.First, inner{}) {
		t.Errorf("Value is not the field: %+v", v.First)
	}
	if got := mem.At[inner](a, offset(t, "First")); got != &v.First {
		t.Errorf("At = %p, want %p", got, &v.First)
	}
}

// TestInterfaceWord stores values of several types in interfaces. It fails if a value is not in the
// data word where Direct says so in this Go release, or if it is there otherwise.
func TestInterfaceWord(t *testing.T) {
	n := int64(5)
	for _, x := range []any{
		int64(5), struct{ V int64 }{5}, [1]int64{5}, struct {
			V int64
			W string
		}{5, "w"},
	} {
		if mem.Direct(reflect.TypeOf(x)) {
			t.Errorf("Direct is true for %T", x)
		} else if got := mem.Load[int64](mem.OfData(x), 0); got != 5 {
			t.Errorf("%T: %d", x, got)
		}
	}
	for _, x := range []any{
		&n, struct{ P *int64 }{&n}, [1]*int64{&n}, struct {
			_ struct{}
			P *int64
		}{P: &n}, struct{ In struct{ P *int64 } }{struct{ P *int64 }{&n}},
	} {
		place := mem.OfData(x)
		if mem.Direct(reflect.TypeOf(x)) {
			place = mem.OfWord(&x)
		}
		if got := mem.Load[int64](place.Elem(0), 0); got != 5 {
			t.Errorf("%T: %d", x, got)
		}
	}
}

// TestMapCast fails if a Go release gives maps with the same key and element kinds different
// layouts.
func TestMapCast(t *testing.T) {
	if !mem.CastMaps {
		t.Skip("this build does not cast maps")
	}
	type (
		key  uint32
		flag bool
	)
	m := map[text]count{}
	cast := mem.MapAt[string, int64](mem.Of(&m), 0)
	words := map[key]flag{}
	castWords := mem.MapAt[uint32, bool](mem.Of(&words), 0)
	for i := range 1000 {
		(*cast)[fmt.Sprint(i)] = int64(i)
		(*castWords)[uint32(i)] = i%3 == 0
	}
	for i := range 1000 {
		m[text(fmt.Sprint(i+1000))] = count(i + 1000)
		if m[text(fmt.Sprint(i))] != count(i) || bool(words[key(i)]) != (i%3 == 0) {
			t.Fatalf("entry %d is missing", i)
		}
	}
	if n := mem.Of(&m).MapLen(0); n != 2000 {
		t.Errorf("%d elements", n)
	}
	if n := mem.Of(&words).MapLen(0); n != 1000 {
		t.Errorf("%d elements", n)
	}
	seen := map[int64]bool{}
	for k, v := range *cast {
		if k != fmt.Sprint(v) || seen[v] {
			t.Fatalf("%q: %d", k, v)
		}
		seen[v] = true
	}
	delete(*cast, "5")
	if _, ok := m["5"]; ok || len(seen) != 2000 || len(m) != 1999 {
		t.Errorf("%d entries seen, %d left", len(seen), len(m))
	}
	var none map[text]count
	if got := mem.MapAt[string, int64](mem.Of(&none), 0); *got != nil {
		t.Error("MapIsNil of a nil map is false")
	}
}

func TestString(t *testing.T) {
	if s := mem.String([]byte("abc")); s != "abc" || mem.String(nil) != "" {
		t.Error("String differs from the bytes")
	}
}

// TestIsZero sets one byte at a time of values of each size.
func TestIsZero(t *testing.T) {
	for n := range 20 {
		v := reflect.New(reflect.ArrayOf(n, reflect.TypeFor[uint8]()))
		if a := mem.OfPointer(v); !a.IsZero(v.Type().Elem()) {
			t.Errorf("%d bytes of zeros are not zero", n)
		}
		for i := range n {
			b := v.Elem().Index(i)
			b.SetUint(1)
			if mem.OfPointer(v).IsZero(v.Type().Elem()) {
				t.Errorf("%d bytes with a one at %d are zero", n, i)
			}
			b.SetUint(0)
		}
	}
}

func TestUncleared(t *testing.T) {
	for _, n := range []int{1, 7, 8, 100, 5000, 1 << 20} {
		b := mem.Uncleared(n)
		if len(b) != n {
			t.Fatalf("%d bytes, want %d", len(b), n)
		}
		for i := range b {
			b[i] = byte(i)
		}
		other := mem.Uncleared(n)
		clear(other)
		for i := range b {
			if b[i] != byte(i) {
				t.Fatalf("two results of %d bytes share memory", n)
			}
		}
	}
}

// TestBits reads and writes numbers of every kind as bits. The bits must be the written ones.
func TestBits(t *testing.T) {
	var v struct {
		A int8
		B uint8
		C int16
		D uint16
		E int32
		F float32
		G uint32
		H int64
		I float64
		J uint64
	}
	a, typ := mem.Of(&v), reflect.TypeOf(v)
	at := func(name string) mem.Pointer {
		f, _ := typ.FieldByName(name)
		return a.Add(f.Offset)
	}
	mem.SetBits8(at("A"), 0x80)
	mem.SetBits8(at("B"), 0x81)
	mem.SetBits16(at("C"), 0x8002)
	mem.SetBits16(at("D"), 0x8003)
	mem.SetBits32(at("E"), 0x80000004)
	mem.SetBits32(at("F"), math.Float32bits(-1.5))
	mem.SetBits32(at("G"), 0x80000005)
	mem.SetBits64(at("H"), 1<<63|6)
	mem.SetBits64(at("I"), math.Float64bits(math.Pi))
	mem.SetBits64(at("J"), 1<<63|7)
	if v.A != -128 || v.B != 0x81 || v.C != -0x7ffe || v.D != 0x8003 || v.E != math.MinInt32+4 || v.F != -1.5 ||
		v.G != 0x80000005 || v.H != math.MinInt64+6 || v.I != math.Pi || v.J != 1<<63|7 {
		t.Errorf("set %+v", v)
	}
	for name, got := range map[string]uint64{"A": uint64(mem.Bits8(at("A"))), "B": uint64(mem.Bits8(at("B")))} {
		if got>>7 != 1 {
			t.Errorf("%s = %#x", name, got)
		}
	}
	if mem.Bits16(at("C")) != 0x8002 || mem.Bits16(at("D")) != 0x8003 || mem.Bits32(at("E")) != 0x80000004 ||
		mem.Bits32(at("F")) != math.Float32bits(-1.5) || mem.Bits32(at("G")) != 0x80000005 || mem.Bits64(at("H")) != 1<<63|6 ||
		mem.Bits64(at("I")) != math.Float64bits(math.Pi) || mem.Bits64(at("J")) != 1<<63|7 {
		t.Errorf("bits of %+v", v)
	}
	for _, f := range reflect.VisibleFields(typ) {
		bits := mem.Bits(at(f.Name), f.Type.Size())
		mem.SetBits(at(f.Name), f.Type.Size(), bits^1)
		if got := mem.Bits(at(f.Name), f.Type.Size()); got != bits^1 || bits == 0 || bits>>(8*f.Type.Size()-1) > 1 {
			t.Errorf("%s: bits %#x, then %#x", f.Name, bits, got)
		}
	}
}

func TestPut(t *testing.T) {
	b := make([]byte, 17)
	mem.Put8(b, 1, 0xa1)
	mem.Put16(b, 2, 0xb2b1)
	mem.Put32(b, 4, 0xc4c3c2c1)
	mem.Put64(b, 8, 0xd8d7d6d5d4d3d2d1)
	if got := fmt.Sprintf("%x", b); got != "00a1b1b2c1c2c3c4d1d2d3d4d5d6d7d800" {
		t.Errorf("bytes %s", got)
	}
	if mem.Get32(b, 4) != 0xc4c3c2c1 || mem.Get64(b, 8) != 0xd8d7d6d5d4d3d2d1 {
		t.Error("Get returned another number")
	}
	mem.Copy16(b, 1, "0123456789abcdefghi", 2)
	if got := string(b[1:]); got != "23456789abcdefgh" {
		t.Errorf("bytes %q", got)
	}
	if w, h := mem.Word("0abcdefgh1", 1), mem.HalfWord("0abcd1", 1); w != 0x6867666564636261 || h != 0x64636261 {
		t.Errorf("words %#x and %#x", w, h)
	}
	v := [2]uint16{0x0102, 0x0304}
	if mem.Bulk && string(mem.Of(&v).Array(0, 4)) != "\x02\x01\x04\x03" {
		t.Error("Bulk is true on a big-endian machine")
	}
	if n := 5; *mem.NoEscape(&n) != 5 {
		t.Error("NoEscape is not the identity")
	}
}

func TestAnyFloat(t *testing.T) {
	f := math.Pi
	x := mem.AnyFloat(&f)
	if x != any(math.Pi) || reflect.TypeOf(x) != reflect.TypeFor[float64]() {
		t.Errorf("%T %v", x, x)
	}
}

// TestRawWords fails if a Go release changes one of two rules: a nil interface or pointer is a zero
// word, and the length of a string or a slice is its second word.
func TestRawWords(t *testing.T) {
	if !mem.RawWords {
		t.Skip("this build does not read raw words")
	}
	const size = bits.UintSize / 8
	text, list, one := "abc", []int{1, 2}, 1
	var none any
	pointer, held := &one, any(1)
	for name, test := range map[string]struct{ got, want uintptr }{
		"length of a string":   {mem.Load[uintptr](mem.Of(&text), size), 3},
		"length of a slice":    {mem.Load[uintptr](mem.Of(&list), size), 2},
		"of a nil interface":   {mem.Load[uintptr](mem.Of(&none), 0), 0},
		"pointer is not nil":   {min(1, mem.Load[uintptr](mem.Of(&pointer), 0)), 1},
		"interface is not nil": {min(1, mem.Load[uintptr](mem.Of(&held), 0)), 1},
	} {
		if test.got != test.want {
			t.Errorf("%s: %d, want %d", name, test.got, test.want)
		}
	}
}

// TestMapBits fails if a Go release gives maps with numbers of the same size different layouts.
func TestMapBits(t *testing.T) {
	if !mem.CastMaps {
		t.Skip("this build does not cast maps")
	}
	floats, signed := map[string]float64{}, map[int64]float32{}
	castFloats, castSigned := mem.MapAt[string, uint64](mem.Of(&floats), 0), mem.MapAt[uint64, uint32](mem.Of(&signed), 0)
	for i := range 1000 {
		(*castFloats)[fmt.Sprint(i)] = math.Float64bits(float64(i))
		(*castSigned)[uint64(-i)] = math.Float32bits(float32(i))
	}
	for i := range 1000 {
		if floats[fmt.Sprint(i)] != float64(i) || signed[int64(-i)] != float32(i) {
			t.Fatalf("entry %d is missing", i)
		}
	}
}

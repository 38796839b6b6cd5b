//lint:file-ignore U1000 fields that no engine may touch are what is tested

package wire

import (
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/internal/testkit"
	"github.com/hone-go/hone/internal/testkit/random"
	"github.com/hone-go/hone/mo"
)

// marshalValue and unmarshalValue are Marshal and Unmarshal for a type that is
// known only when the test runs. V is addressable.
func marshalValue(v reflect.Value) ([]byte, error) {
	p := programs.Get(v.Type())
	if p == nil {
		p = compile(v.Type())
	}
	return p.encode(nil, false, mem.OfPointer(v.Addr()))
}

func unmarshalValue(data []byte, v reflect.Value) error {
	p := programs.Get(v.Type())
	if p == nil {
		p = compile(v.Type())
	}
	return p.decode(data, false, mem.OfPointer(v.Addr()), Limits{})
}

var fieldTags = []string{"", "", "", `wire:"-"`}

// FuzzTypes makes a type and a value of it from a seed. The programs write what
// the oracle writes but for the order of maps, which is Go's, and both read
// both.
func FuzzTypes(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		typ := random.Type(r, 3, fieldTags)
		v := reflect.New(typ).Elem()
		random.Fill(r, v, 4)
		clearSkipped(v)
		fast, err := marshalValue(v)
		if err != nil {
			t.Fatal(err)
		}
		slow := slowAppend(nil, v)
		if len(fast) != len(slow) {
			t.Fatalf("%v\nfast %x\nslow %x", typ, fast, slow)
		}
		for _, data := range [][]byte{fast, slow} {
			got := reflect.New(typ).Elem()
			if err := unmarshalValue(data, got); err != nil {
				t.Fatalf("%v: %v", typ, err)
			}
			if !reflect.DeepEqual(got.Interface(), v.Interface()) {
				t.Fatalf("%v\ngot  %+v\nwant %+v", typ, got, v)
			}
			if err := slowUnmarshal(data, got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Interface(), v.Interface()) {
				t.Fatalf("the oracle reads %v\ngot  %+v\nwant %+v", typ, got, v)
			}
			for n := range data {
				if len(data) > 300 && n%(len(data)/100) != 0 {
					continue
				}
				err := unmarshalValue(data[:n], reflect.New(typ).Elem())
				if de := (*DecodeError)(nil); !errors.As(err, &de) {
					t.Fatalf("%v: %d of %d bytes: %v", typ, n, len(data), err)
				}
			}
		}
	})
}

// clearSkipped zeroes the fields that are not on the wire.
func clearSkipped(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); !f.CanSet() {
				continue
			} else if onWire(v.Type().Field(i)) {
				clearSkipped(f)
			} else {
				f.SetZero()
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			clearSkipped(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			clearSkipped(v.Elem())
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			elem := reflect.New(v.Type().Elem()).Elem()
			elem.Set(it.Value())
			clearSkipped(elem)
			v.SetMapIndex(it.Key(), elem)
		}
	}
}

// FuzzDecode feeds bytes to the default decoder. It accepts exactly what the
// oracle accepts, as the same value, which encodes to bytes of the same length.
func FuzzDecode(f *testing.F) {
	v := full(f)
	data, err := Marshal(&v)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte{})
	f.Add([]byte{0x80, 0x00})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Add([]byte{2, 1, 1, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		decodeBoth[everything](t, data)
		decodeBoth[tree](t, data)
		decodeBoth[[]tree](t, data)
		decodeBoth[map[string][]int](t, data)
		decodeBoth[map[int8]map[[2]bool]inner](t, data)
		decodeBoth[[][][]uint16](t, data)
		decodeBoth[***string](t, data)
		decodeBoth[time.Time](t, data)
		decodeBoth[struct{ X, Y []struct{} }](t, data)
		decodeBoth[[5]float32](t, data)
		decodeBoth[complex64](t, data)
	})
}

func decodeBoth[T any](t *testing.T, data []byte) {
	t.Helper()
	var fast, slow T
	err, slowErr := Unmarshal(data, &fast), slowUnmarshal(data, reflect.ValueOf(&slow).Elem())
	if errors.Is(err, ErrLimit) {
		return
	}
	if (err == nil) != (slowErr == nil) {
		t.Fatalf("Unmarshal(%x, %T): %v; the oracle: %v", data, fast, err, slowErr)
	}
	if err != nil {
		de := (*DecodeError)(nil)
		if !errors.As(err, &de) || de.Offset < 0 || de.Offset > int64(len(data)) || de.Err == nil || de.Type == nil {
			t.Fatalf("Unmarshal(%x, %T): %#v", data, fast, err)
		}
		return
	}
	again, err := Marshal(&fast)
	if err != nil {
		t.Fatal(err)
	}
	// A local time of another zone reads back as a time of a fixed one, which
	// is written with its name.
	_, hasTime := any(fast).(everything)
	_, isTime := any(fast).(time.Time)
	if len(again) != len(data) && !hasTime && !isTime {
		t.Fatalf("%x decodes to a %T that encodes to %x", data, fast, again)
	}
	if back := slowAppend(nil, reflect.ValueOf(&slow).Elem()); len(back) != len(again) {
		t.Fatalf("%x is one value to the decoder and another to the oracle: %x, %x", data, again, back)
	}
}

// TestMemory decodes input that promises more than it holds, and checks that
// the memory it gets is bounded by what the default limits say.
func TestMemory(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	type node struct{ Kids []node }
	type wide struct {
		A [100]string
		M map[string]string
	}
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x0f}
	nested := make([]byte, 2000)
	for i := range nested {
		nested[i] = 1
	}
	ones := make([]byte, 1<<16)
	copy(ones, []byte{0xf0, 0xff, 0x03})
	for name, decode := range map[string]func() error{
		"slice":   func() error { return Unmarshal(huge, new([]uint64)) },
		"structs": func() error { return Unmarshal(huge, new([]wide)) },
		"string":  func() error { return Unmarshal(huge, new(string)) },
		"map":     func() error { return Unmarshal(huge, new(map[string]int)) },
		"nested":  func() error { return Unmarshal(nested, new(node)) },
		"maps":    func() error { return Unmarshal(ones, new([]map[uint64]wide)) },
		"options": func() error { return Unmarshal(ones, new([]*wide)) },
		"empties": func() error { return Unmarshal(ones, new([][]string)) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := decode()
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(maxFactor/8*(1<<16)); got > most {
			t.Errorf("%s: %d bytes of memory", name, got)
		}
	}
}

func TestDecodeError(t *testing.T) {
	type item struct {
		Name  string
		Price *int32
	}
	type order struct {
		ID    int
		Items []item
		ByKey map[string]item
	}
	for _, test := range []struct {
		in     []byte
		offset int64
		path   string
		cause  error
	}{
		{nil, 0, ".ID", io.ErrUnexpectedEOF},
		{[]byte{0x80, 0x80}, 2, ".ID", io.ErrUnexpectedEOF},
		{[]byte{0x80, 0x00}, 1, ".ID", ErrNonMinimal},
		{[]byte{2, 2, 1, 'a', 0, 1, 'b', 7, 0}, 7, ".Items[1].Price", ErrFlag},
		{[]byte{2, 1, 1, 'a', 1, 0xff, 0xff, 0xff, 0xff, 0x7f, 0}, 5, ".Items[0].Price", ErrOverflow},
		{[]byte{2, 1, 9, 'a'}, 4, ".Items[0].Name", io.ErrUnexpectedEOF},
		{[]byte{2, 0, 1, 1, 'k', 1, 'n', 3}, 7, `.ByKey["k"].Price`, ErrFlag},
		{[]byte{2, 0, 2, 1, 'k', 0, 0, 1, 'k', 0, 0}, 7, ".ByKey", ErrDuplicate},
		{[]byte{2, 0, 0, 5}, 3, "", ErrTrailing},
	} {
		err := Unmarshal(test.in, new(order))
		de := (*DecodeError)(nil)
		if !errors.As(err, &de) || de.Offset != test.offset || de.Path != test.path || !errors.Is(err, test.cause) {
			t.Errorf("Unmarshal(%v) = %v\nwant offset %d, path %q, %v", test.in, err, test.offset, test.path, test.cause)
		}
	}
}

func TestTypeError(t *testing.T) {
	type secret struct{ a, b int }
	type hiddenPointer struct{ *embedded }
	for _, test := range []struct {
		err  error
		path string
	}{
		{codecError[chan int](), ""},
		{codecError[struct{ A []struct{ B func() } }](), ".A[].B"},
		{codecError[struct{ M map[string]any }](), ".M[]"},
		{codecError[uintptr](), ""},
		{codecError[struct{ S *secret }](), ".S"},
		{codecError[hiddenPointer](), ".embedded"},
	} {
		te := (*TypeError)(nil)
		if !errors.As(test.err, &te) || te.Path != test.path {
			t.Errorf("%v, want a TypeError at %q", test.err, test.path)
		}
	}
	ch := make(chan int)
	if _, err := Marshal(&ch); err == nil {
		t.Error("Marshal takes a channel")
	}
	if err := Unmarshal([]byte{1}, &ch); err == nil {
		t.Error("Unmarshal takes a channel")
	}
}

func codecError[T any]() error { _, err := For[T](); return err }

func TestCycle(t *testing.T) {
	loop := &tree{V: 1}
	loop.Left = loop
	dst, err := Append([]byte("kept"), loop)
	ee := (*EncodeError)(nil)
	if !errors.As(err, &ee) || !errors.Is(err, ErrDepth) || len(ee.Path) < 10 || len(ee.Path) > 1000 || string(dst) != "kept" {
		t.Errorf("Append of a cycle = %q, %v", dst, err)
	}
	if _, err := Append[tree](nil, nil); err == nil {
		t.Error("Append of nil: no error")
	}
	if err := Unmarshal[tree](nil, nil); err == nil {
		t.Error("Unmarshal into nil: no error")
	}
	deep := &tree{}
	for range 600 {
		deep = &tree{Left: deep}
	}
	data, err := Marshal(deep)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := For[tree]()
	if err != nil {
		t.Fatal(err)
	}
	if err := codec.Unmarshal(data, new(tree)); err != nil {
		t.Error(err)
	}
	if err := codec.WithLimits(Limits{Depth: 100}).Unmarshal(data, new(tree)); !errors.Is(err, ErrDepth) {
		t.Errorf("past the depth limit: %v", err)
	}
	if err := codec.WithLimits(Limits{Bytes: 100}).Unmarshal(data, new(tree)); !errors.Is(err, ErrLimit) {
		t.Errorf("past the memory limit: %v", err)
	}
}

// TestReuse decodes over a value that holds something already.
func TestReuse(t *testing.T) {
	v, got := full(t), full(t)
	got.Strs, got.Tree.Kids, got.M, got.O = make([]string, 0, 9), nil, map[int]int{1: 1}, v.O
	got.Skipped, got.hidden = "kept", 7
	data, err := Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	if err := Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Skipped != "kept" || got.hidden != 7 {
		t.Error("fields that are not on the wire were changed")
	}
	got.Skipped, got.hidden, got.T = "", 0, v.T
	if !reflect.DeepEqual(got, v) {
		t.Errorf("got  %+v\nwant %+v", got, v)
	}
	var zero everything
	if data, err = Marshal(&zero); err != nil {
		t.Fatal(err)
	}
	if err := Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, zero) {
		t.Errorf("after a zero value: %+v", got)
	}
}

func TestTimes(t *testing.T) {
	zone := func(name string) *time.Location {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return loc
	}
	for _, want := range []time.Time{
		{}, time.Unix(0, 0).UTC(), time.Unix(0, 1), time.Now(), time.Date(-5000000, 1, 1, 0, 0, 0, 999999999, time.UTC),
		time.Date(50000000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 1, 1, 0, 0, 0, 0, zone("Asia/Kathmandu")),
		time.Date(2024, 7, 1, 0, 0, 0, 0, zone("America/Argentina/Buenos_Aires")), time.Date(2024, 7, 1, 0, 0, 0, 0, zone("CET")),
		time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("", 12345)), time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("EST", -5*3600)),
		time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("UTC", 0)),
	} {
		data, err := Marshal(&want)
		if err != nil {
			t.Fatal(err)
		}
		var got time.Time
		if err := Unmarshal(data, &got); err != nil {
			t.Errorf("%v: %v", want, err)
			continue
		}
		_, o1 := got.Zone()
		_, o2 := want.Zone()
		if !got.Equal(want) || o1 != o2 || got.Location().String() != want.Location().String() || got.IsZero() != want.IsZero() {
			t.Errorf("%v reads back as %v", want, got)
		}
	}
}

func TestAnyCodec(t *testing.T) {
	codec, err := ForType(reflect.TypeFor[tree]())
	if err != nil {
		t.Fatal(err)
	}
	v := tree{V: 1, Kids: []tree{{V: 2}}}
	data, err := codec.Append([]byte("x"), &v)
	want, _ := Marshal(&v)
	if err != nil || string(data) != "x"+string(want) {
		t.Errorf("Append = %q, %v", data, err)
	}
	var back tree
	if err := codec.Unmarshal(data[1:], &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("Unmarshal: %+v, %v", back, err)
	}
	for _, bad := range []any{nil, v, new(int), (*tree)(nil)} {
		if dst, err := codec.Append([]byte("kept"), bad); err == nil || string(dst) != "kept" {
			t.Errorf("Append of %T = %q, %v", bad, dst, err)
		}
		if err := codec.Unmarshal(data[1:], bad); err == nil {
			t.Errorf("Unmarshal into a %T: no error", bad)
		}
	}
	if err := codec.WithLimits(Limits{Depth: 1}).Unmarshal(data[1:], &back); !errors.Is(err, ErrDepth) {
		t.Errorf("past the depth limit: %v", err)
	}
	if _, err := ForType(reflect.TypeFor[chan int]()); err == nil {
		t.Error("a channel has a codec")
	}
}

// keeper keeps what its methods are given.
type keeper struct{ V byte }

var kept []*keeper

func (k *keeper) MarshalBinary() ([]byte, error) {
	kept = append(kept, k)
	return []byte{k.V}, nil
}

func (k *keeper) UnmarshalBinary(b []byte) error {
	if len(b) != 1 {
		return io.ErrUnexpectedEOF
	}
	k.V = b[0]
	kept = append(kept, k)
	return nil
}

// TestKept checks that memory which a method has seen is not used again.
func TestKept(t *testing.T) {
	kept = nil
	in := map[string]keeper{"a": {1}, "b": {2}, "c": {3}}
	data, err := Marshal(&in)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]keeper
	if err := Unmarshal(data, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Fatalf("%v, %v", out, err)
	}
	sum, seen := 0, map[*keeper]bool{}
	for _, k := range kept {
		sum += int(k.V)
		seen[k] = true
	}
	if len(seen) != 6 || sum != 12 {
		t.Errorf("%d of 6 kept values are apart, their sum is %d, not 12", len(seen), sum)
	}
}

// TestSparse reads back, at the default limits, values that take much more
// memory than bytes on the wire.
func TestSparse(t *testing.T) {
	options := make([]mo.Option[struct {
		A, B, C, D, E, F, G, H string
		T                      time.Time
	}], 3000)
	pointers := make([]struct{ M [40]map[int8]*[300]int64 }, 2000)
	voids := make([]struct{}, 1<<30)
	nested := make([][4096]struct{ A [4096]struct{} }, 1000)
	for _, v := range []any{&options, &pointers, &voids, &nested} {
		rv := reflect.ValueOf(v).Elem()
		data, err := marshalValue(rv)
		if err != nil {
			t.Fatal(err)
		}
		back := reflect.New(rv.Type()).Elem()
		if err := unmarshalValue(data, back); err != nil || back.Len() != rv.Len() {
			t.Errorf("%d elements of %v in %d bytes: %d, %v", rv.Len(), rv.Type().Elem(), len(data), back.Len(), err)
		}
	}
}

// TestZoneNames decodes names of zones that nobody has heard of: long ones are
// not kept, and few are looked for on disk.
func TestZoneNames(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 200 {
		zone := time.FixedZone(strings.Repeat("x", 100<<10)+strconv.Itoa(i), 60)
		at := time.Unix(1, 0).In(zone)
		data, err := Marshal(&at)
		if err != nil {
			t.Fatal(err)
		}
		var got time.Time
		if err := Unmarshal(data, &got); err != nil || got.Location().String() != zone.String() {
			t.Fatal(err)
		}
		at = time.Unix(1, 0).In(time.FixedZone("No/Where"+strconv.Itoa(i), 60))
		if data, err = Marshal(&at); err != nil {
			t.Fatal(err)
		}
		if err := Unmarshal(data, &got); err != nil || got.Location().String() != at.Location().String() {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("%d bytes of zone names are kept", grown)
	}
}

package wire

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/testkit/random"
)

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

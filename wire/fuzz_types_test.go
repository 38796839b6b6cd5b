package wire

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit/random"
)

var fieldTags = []string{"", "", "", `wire:"-"`}

// FuzzTypes makes a type and a value of it from a seed. The program must write the same bytes as the
// oracle, except for the order of maps. Program and oracle must decode each other's bytes.
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
				part := reflect.New(typ).Elem()
				err := unmarshalValue(data[:n], part)
				de := (*DecodeError)(nil)
				if !errors.As(err, &de) {
					t.Fatalf("%v: %d of %d bytes: %v", typ, n, len(data), err)
				}
				if !sameBefore(v, part, de.Path) {
					t.Fatalf("%v: %d of %d bytes: the values before %s are not stored: %+v; want %+v", typ, n, len(data), de.Path, part, v)
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

// sameBefore reports whether got has the same values as full before the place path, at which decoding into
// got failed.
func sameBefore(full, got reflect.Value, path string) bool {
	switch {
	case full.Kind() == reflect.Pointer:
		return full.IsNil() || got.IsNil() || sameBefore(full.Elem(), got.Elem(), path)
	case full.Kind() == reflect.Struct && strings.HasPrefix(path, "."):
		name, rest := path[1:], ""
		if end := strings.IndexAny(name, ".["); end >= 0 {
			name, rest = name[:end], name[end:]
		}
		if _, ok := full.Type().FieldByName(name); !ok {
			return true // a part of an option or a union
		}
		for i := range full.NumField() {
			if full.Type().Field(i).Name == name {
				return sameBefore(full.Field(i), got.Field(i), rest)
			}
			if full.Type().Field(i).IsExported() && !reflect.DeepEqual(full.Field(i).Interface(), got.Field(i).Interface()) {
				return false
			}
		}
	case (full.Kind() == reflect.Slice || full.Kind() == reflect.Array) && strings.HasPrefix(path, "[") && got.Len() == full.Len():
		number, rest, _ := strings.Cut(path[1:], "]")
		k, err := strconv.Atoi(number)
		if err != nil || k >= full.Len() {
			return false
		}
		for i := range k {
			if full.Index(i).CanInterface() && !reflect.DeepEqual(full.Index(i).Interface(), got.Index(i).Interface()) {
				return false
			}
		}
		return sameBefore(full.Index(k), got.Index(k), rest)
	}
	return true
}

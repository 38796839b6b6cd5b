package wire

import (
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/testkit"
)

// FuzzEvolving feeds bytes to each version of an evolving struct, and to a
// reading of its definition: a length, and within it fields until it ends.
func FuzzEvolving(f *testing.F) {
	v := make5[config5](3)
	data, err := Marshal(&v)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("\x02\x03\x01a\x05\x00\x00"))
	f.Add([]byte("\x02\x05\x01a\x80\x00\x00\x00\x00"))
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		evolvesAs[config1](t, data)
		evolvesAs[config2](t, data)
		evolvesAs[config3](t, data)
		evolvesAs[config4](t, data)
		evolvesAs[config5](t, data)
	})
}

func evolvesAs[T any](t *testing.T, data []byte) {
	t.Helper()
	fast, slow := make5[T](7), around[T]{}
	err := Unmarshal(data, &fast)
	ok := slowly(data, func(r *slowReader) {
		r.read(reflect.ValueOf(&slow.Before).Elem())
		r.evolving(reflect.ValueOf(&slow.One).Elem())
		for range r.count(1) {
			var one T
			r.evolving(reflect.ValueOf(&one).Elem())
			slow.Many = append(slow.Many, one)
		}
		r.read(reflect.ValueOf(&slow.Last).Elem())
	})
	if ok != (err == nil) {
		t.Fatalf("%T from %x: %v, to the oracle it is a value: %t", fast, data, err, ok)
	}
	if ok && !reflect.DeepEqual(fast, slow) {
		t.Fatalf("%T from %x: %+v, to the oracle %+v", fast, data, fast, slow)
	}
}

// evolving reads a struct that is behind its length.
func (r *slowReader) evolving(v reflect.Value) {
	body := slowReader{in: r.bytes(r.uvarint()), depth: r.depth}
	for i := range v.NumField() {
		f := v.Field(i)
		if v.Type().Field(i).Name == "_" {
			continue
		}
		if len(body.in) == 0 {
			return
		}
		body.field(f)
	}
}

// field reads what may be an evolving struct, or hold such.
func (r *slowReader) field(v reflect.Value) {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Pointer && evolvingStruct(t.Elem()):
		if r.flag() {
			v.Set(reflect.New(t.Elem()))
			r.evolving(v.Elem())
		}
	case t.Kind() == reflect.Map && evolvingStruct(t.Elem()):
		n := r.count(2)
		if n == 0 {
			return
		}
		v.Set(reflect.MakeMap(t))
		for range n {
			key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			r.read(key)
			r.evolving(elem)
			v.SetMapIndex(key, elem)
		}
		if v.Len() != n {
			panic(errSlow)
		}
	default:
		r.read(v)
	}
}

func evolvingStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Type == evolvingType
}

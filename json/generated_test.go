package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/random"
)

var fieldTags = []string{"", "", `json:"name,omitempty"`, `json:",omitzero"`, `json:",string"`, `json:"-"`, `json:"f0"`, `json:"<é>"`, `json:"F1,omitempty,string"`}

type (
	// mayFail has a marshal method with a pointer receiver, which fails for some values.
	mayFail struct{ Fail bool }
	// keepsText has an unmarshal method that retains its argument. Methods must not do so, but some
	// do.
	keepsText struct{ Kept []byte }
	marshals  interface{ MarshalJSON() ([]byte, error) }
)

// marshalsByValue has a marshal method with a value receiver.
type marshalsByValue int

func (m marshalsByValue) MarshalJSON() ([]byte, error) { return []byte{'0' + byte(m)}, nil }

func (m *mayFail) MarshalJSON() ([]byte, error) {
	if m.Fail {
		return nil, errors.New("no JSON today")
	}
	return []byte(`{"Fail":true}`), nil
}
func (k *keepsText) UnmarshalText(text []byte) error { k.Kept = text; return nil }
func (k keepsText) MarshalText() ([]byte, error)     { return append([]byte("<\n"), k.Kept...), nil }

// methodTypes are types with methods. Whether a method is called depends on whether the value is in
// a pointer or an interface, and whether it is addressable.
var methodTypes = []reflect.Type{
	reflect.TypeFor[mayFail](), reflect.TypeFor[**mayFail](), reflect.TypeFor[marshals](), reflect.TypeFor[*marshals](),
	reflect.TypeFor[keepsText](), reflect.TypeFor[**keepsText](), reflect.TypeFor[any](), reflect.TypeFor[*any](),
}

// fillInterfaces sets the interfaces in v, which random.Fill leaves nil.
func fillInterfaces(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		switch v.Addr().Interface().(type) {
		case *marshals:
			v.Set([]reflect.Value{reflect.ValueOf(&mayFail{r.IntN(4) == 0}), reflect.ValueOf(marshalsByValue(r.IntN(9)))}[r.IntN(2)])
		case *any:
			n := r.IntN(100)
			v.Set([]reflect.Value{reflect.ValueOf(&keepsText{}), reflect.ValueOf(&n), reflect.ValueOf(n), reflect.ValueOf([]any{&keepsText{}}), reflect.Zero(v.Type())}[r.IntN(5)])
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fillInterfaces(r, v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			fillInterfaces(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillInterfaces(r, v.Field(i))
			}
		}
	}
}

// valueOf returns a pointer to a random value of type t. Equal seeds yield equal values.
func valueOf(t reflect.Type, seed uint64) reflect.Value {
	r := rand.New(rand.NewPCG(seed, 2))
	v := reflect.New(t)
	random.Fill(r, v.Elem(), 4)
	fillInterfaces(r, v.Elem())
	return v
}

// FuzzTypes generates a type and a value of it from a seed. It encodes the value, and decodes the
// result into a zero value and into another value of the type. The results must be the same as with
// encoding/json.
func FuzzTypes(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		typ := random.Type(rand.New(rand.NewPCG(seed, 1)), 3, fieldTags, methodTypes...)
		v := valueOf(typ, seed)
		sameEncoding(t, v.Interface())
		sameEncoding(t, v.Elem().Interface())
		if !strings.Contains(typ.String(), "mo.") { // see sameEncoding
			sameEncoding(t, &[]any{v.Interface()}[0])
		}
		data, err := json.Marshal(v.Interface())
		if err != nil {
			return
		}
		for _, held := range []func() reflect.Value{
			func() reflect.Value { return reflect.New(typ) },
			func() reflect.Value { return valueOf(typ, seed+1) },
			func() reflect.Value { x := valueOf(typ, seed+1).Interface(); return reflect.ValueOf(&x) },
		} {
			std, ours := held().Interface(), held().Interface()
			input := bytes.Clone(data) // must not change
			wantErr, err := json.Unmarshal(data, std), Unmarshal(input, ours)
			compare(t, "Unmarshal", data, [2]any{std, ours}, err, wantErr)
		}
	})
}

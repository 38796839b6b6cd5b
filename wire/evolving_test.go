package wire

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/hone-go/hone/wire/schema"
)

// Five versions of one struct. Each has the fields of the version before it, and more.
type (
	config1 struct {
		_    Evolving
		Name string
	}
	config2 struct {
		_    Evolving
		Name string
		Port uint16
	}
	config3 struct {
		_    Evolving
		Name string
		Port uint16
		At   struct{ X, Y int32 }
		Tags []string
	}
	config4 struct {
		_    Evolving
		Name string
		Port uint16
		At   struct{ X, Y int32 }
		Tags []string
		Next *config4
		By   map[string]config1
	}
	config5 struct {
		_    Evolving
		Name string
		Port uint16
		At   struct{ X, Y int32 }
		Tags []string
		Next *config4
		By   map[string]config1
		Long string
	}
)

// enclosing has an evolving struct between other fields.
type enclosing[T any] struct {
	Before int
	One    T
	Many   []T
	Last   string
}

func set(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		switch v.Type().Field(i).Name {
		case "Name":
			f.SetString("n")
		case "Port":
			f.SetUint(8080)
		case "At":
			f.Field(0).SetInt(-1)
			f.Field(1).SetInt(2)
		case "Tags":
			f.Set(reflect.ValueOf([]string{"a", "b"}))
		case "Next":
			f.Set(reflect.ValueOf(&config4{Name: "next"}))
		case "By":
			f.Set(reflect.ValueOf(map[string]config1{"k": {Name: "v"}}))
		case "Long":
			f.SetString(string(make([]byte, 300)))
		}
	}
}

func make5[T any](n int) enclosing[T] {
	var v enclosing[T]
	v.Before, v.Last, v.Many = 1, "last", make([]T, n)
	set(reflect.ValueOf(&v.One).Elem())
	for i := range v.Many {
		set(reflect.ValueOf(&v.Many[i]).Elem())
	}
	return v
}

// TestEvolution decodes the encoding of each version as every other version. Fields that both
// versions have must be equal, and new fields must be zero.
func TestEvolution(t *testing.T) {
	matrix[config1](t)
	matrix[config2](t)
	matrix[config3](t)
	matrix[config4](t)
	matrix[config5](t)
}

func matrix[W any](t *testing.T) {
	t.Helper()
	v := make5[W](2)
	data, err := Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	evolves[W, config1](t, data)
	evolves[W, config2](t, data)
	evolves[W, config3](t, data)
	evolves[W, config4](t, data)
	evolves[W, config5](t, data)
	for n := range data {
		if err := Unmarshal(data[:n], new(enclosing[W])); err == nil {
			t.Fatalf("%d of %d bytes are accepted as a value", n, len(data))
		}
	}
	old, err := SchemaOf[enclosing[W]]()
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []*schema.Schema{
		Must(SchemaOf[enclosing[config1]]()), Must(SchemaOf[enclosing[config2]]()), Must(SchemaOf[enclosing[config3]]()),
		Must(SchemaOf[enclosing[config4]]()), Must(SchemaOf[enclosing[config5]]()),
	} {
		if p := append(old.Reads(other), other.Reads(old)...); len(p) > 0 {
			t.Errorf("%T: %v", v, p)
		}
	}
}

// evolves checks that an R reads the encoding of a W: fields that both have are equal, and fields
// that only R has are zero, even if they were set before.
func evolves[W, R any](t *testing.T, data []byte) {
	t.Helper()
	got, want := make5[R](1), make5[R](2)
	if err := Unmarshal(data, &got); err != nil {
		t.Errorf("%T by a %T: %v", *new(W), *new(R), err)
		return
	}
	known := reflect.TypeFor[W]()
	forget := func(v reflect.Value) {
		for i := range v.NumField() {
			if _, ok := known.FieldByName(v.Type().Field(i).Name); !ok {
				v.Field(i).SetZero()
			}
		}
	}
	forget(reflect.ValueOf(&want.One).Elem())
	for i := range want.Many {
		forget(reflect.ValueOf(&want.Many[i]).Elem())
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%T by a %T: %+v\nwant %+v", *new(W), *new(R), got, want)
	}
}

func TestEvolvingBytes(t *testing.T) {
	type point struct {
		_    Evolving
		X, Y int8
	}
	v := []point{{X: 1, Y: 2}, {X: 3}}
	data, err := Marshal(&v)
	if err != nil || string(data) != "\x02\x02\x01\x02\x02\x03\x00" {
		t.Errorf("%x, %v", data, err)
	}
	for _, test := range []struct {
		in    string
		cause error
	}{
		{"\x01\x03\x01\x02", io.ErrUnexpectedEOF},
		{"\x01\x80\x00", ErrNonMinimal},
		{"\x01\x02\x01\x02\x00", ErrTrailing},
	} {
		if err := Unmarshal([]byte(test.in), &v); !errors.Is(err, test.cause) {
			t.Errorf("%x: %v, want %v", test.in, err, test.cause)
		}
	}
	// The input ends within a field. So it is truncated, and was not written by an older version.
	type wide struct {
		_ Evolving
		N int64 `wire:",fixed"`
	}
	err = Unmarshal([]byte("\x04\x01\x02\x03\x04\x05\x06\x07\x08"), new(wide))
	de := (*DecodeError)(nil)
	if !errors.As(err, &de) || de.Path != ".N" || de.Err != io.ErrUnexpectedEOF {
		t.Errorf("half a field: %v", err)
	}
	if s := fmt.Sprint(Must(SchemaOf[point]()).Canonical()); s != `@0=struct evolving{"X":int little 8,"Y":int little 8}` {
		t.Error(s)
	}
}

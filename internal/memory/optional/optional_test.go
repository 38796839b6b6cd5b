package optional_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/memory/optional"
	"github.com/hone-go/hone/mo"
)

type mine mo.Option[int]

func TestOption(t *testing.T) {
	present, value, ok := optional.Option(reflect.TypeFor[mo.Option[string]]())
	if !ok || present.Type.Kind() != reflect.Bool || value.Type.Kind() != reflect.String {
		t.Errorf("got %v, %v, %v", present, value, ok)
	}
	for _, other := range []reflect.Type{reflect.TypeFor[mine](), reflect.TypeFor[mo.Result[int]](), reflect.TypeFor[int](), reflect.TypeFor[*mo.Option[int]]()} {
		if _, _, ok := optional.Option(other); ok {
			t.Errorf("Option(%v): ok is true", other)
		}
	}
}

// TestUnionOf checks the tag and the value for each case of each union.
func TestUnionOf(t *testing.T) {
	boom := errors.New("boom")
	for _, test := range []struct {
		values []any // one value for each case
		held   []any // the held value, or nil
	}{
		{[]any{mo.Nullable[int]{}, mo.Null[int](), mo.Value(7)}, []any{nil, nil, 7}},
		{[]any{mo.Ok(7), mo.Err[int](boom)}, []any{7, boom}},
		{[]any{mo.Right[string](7), mo.Left[string, int]("x")}, []any{7, "x"}},
		{[]any{mo.NewEither3Arg1[int, string, bool](7), mo.NewEither3Arg2[int, string, bool]("x"), mo.NewEither3Arg3[int, string](true)}, []any{7, "x", true}},
		{[]any{mo.NewEither4Arg1[int, string, bool, int8](7), mo.NewEither4Arg2[int, string, bool, int8]("x"), mo.NewEither4Arg3[int, string, bool, int8](true), mo.NewEither4Arg4[int, string, bool](int8(4))}, []any{7, "x", true, int8(4)}},
		{[]any{mo.NewEither5Arg1[int, string, bool, int8, uint](7), mo.NewEither5Arg2[int, string, bool, int8, uint]("x"), mo.NewEither5Arg3[int, string, bool, int8, uint](true), mo.NewEither5Arg4[int, string, bool, int8, uint](int8(4)), mo.NewEither5Arg5[int, string, bool, int8](uint(5))}, []any{7, "x", true, int8(4), uint(5)}},
	} {
		typ := reflect.TypeOf(test.values[0])
		u, ok := optional.UnionOf(typ)
		if !ok || len(u.Cases) != len(test.values) {
			t.Errorf("%v: %d cases, want %d", typ, len(u.Cases), len(test.values))
			continue
		}
		for i, v := range test.values {
			rv := reflect.ValueOf(v)
			if tag := number(rv.FieldByIndex(u.Tag.Index)); tag != i {
				t.Errorf("%+v: the tag is %d, want %d", v, tag, i)
			}
			c := u.Cases[i]
			if c.Value.Type == nil {
				if test.held[i] != nil {
					t.Errorf("%+v: the case has no value", v)
				}
				continue
			}
			copied := reflect.New(typ).Elem()
			copied.Set(rv)
			field := copied.FieldByIndex(c.Value.Index)
			if got, want := describe(field), describe(reflect.ValueOf(test.held[i])); got != want {
				t.Errorf("%+v: case %q holds %s, want %s", v, c.Name, got, want)
			}
		}
	}
	for _, other := range []reflect.Type{reflect.TypeFor[mo.Option[int]](), reflect.TypeFor[int](), reflect.TypeFor[reflect.Value]()} {
		if _, ok := optional.UnionOf(other); ok {
			t.Errorf("UnionOf(%v): ok is true", other)
		}
	}
}

func number(v reflect.Value) int {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case reflect.Int8:
		return int(v.Int())
	}
	return int(v.Uint())
}

// describe formats the value of v, which may be in an unexported field.
func describe(v reflect.Value) string {
	if v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		return describe(v.Elem())
	}
	if v.Kind() == reflect.Struct { // the struct of an error
		return v.Field(0).String()
	}
	return strings.TrimSpace(v.Kind().String() + " " + text(v))
}

func text(v reflect.Value) string {
	switch {
	case v.CanInt():
		return string(rune('0' + v.Int()))
	case v.CanUint():
		return string(rune('0' + v.Uint()))
	case v.Kind() == reflect.Bool:
		return map[bool]string{true: "true", false: "false"}[v.Bool()]
	}
	return v.String()
}

func TestPathAndText(t *testing.T) {
	if want := reflect.TypeFor[mo.Option[int]]().PkgPath(); optional.Path != want {
		t.Errorf("Path is %q, want %q", optional.Path, want)
	}
	if mo.ErrNil.Error() != optional.NilError {
		t.Errorf("NilError is %q, want %q", optional.NilError, mo.ErrNil)
	}
}

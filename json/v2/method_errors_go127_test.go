//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"encoding/json"
	stdtext "encoding/json/jsontext"
	std "encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
)

// methodError is the error that all methods of the types below return.
var methodError error

type (
	errText   string
	errAppend string
	errJSON   string
	errStream struct{ A int } // its methods first read or write a value
	errLazy   struct{ A int }
)

func (errText) MarshalText() ([]byte, error)              { return []byte("x"), methodError }
func (*errText) UnmarshalText([]byte) error               { return methodError }
func (errAppend) AppendText(b []byte) ([]byte, error)     { return append(b, 'x'), methodError }
func (*errAppend) UnmarshalText([]byte) error             { return methodError }
func (errJSON) MarshalJSON() ([]byte, error)              { return []byte(`"x"`), methodError }
func (*errJSON) UnmarshalJSON([]byte) error               { return methodError }
func (errLazy) MarshalJSONTo(*stdtext.Encoder) error      { return methodError }
func (*errLazy) UnmarshalJSONFrom(*stdtext.Decoder) error { return methodError }

func (errStream) MarshalJSONTo(e *stdtext.Encoder) error {
	_ = e.WriteToken(stdtext.Null)
	return methodError
}

func (*errStream) UnmarshalJSONFrom(d *stdtext.Decoder) error {
	_ = d.SkipValue()
	return methodError
}

func methodErrors() []error {
	return []error{
		io.EOF, io.ErrUnexpectedEOF, fmt.Errorf("wrapped: %w", io.EOF), errors.New("plain"), errors.ErrUnsupported, fmt.Errorf("wrapped: %w", errors.ErrUnsupported),
		&json.SyntaxError{Offset: 3}, &json.UnmarshalTypeError{Value: "number", Type: reflect.TypeFor[int](), Offset: 2}, &json.MarshalerError{Type: reflect.TypeFor[int](), Err: io.EOF},
		&json.UnsupportedValueError{Str: "x"}, &stdtext.SyntacticError{ByteOffset: 4, Err: io.ErrUnexpectedEOF}, &stdtext.SyntacticError{Err: io.EOF},
		&std.SemanticError{Err: io.EOF}, &std.SemanticError{ByteOffset: 2, GoType: reflect.TypeFor[string](), Err: io.ErrUnexpectedEOF}, std.ErrUnknownName, stdtext.ErrNonStringName,
		&std.SemanticError{JSONPointer: "/x", Err: errors.New("placed")}, stdtext.ErrDuplicateName,
	}
}

// TestErrorsOfMethods calls methods that return errors with a special meaning for the engine. The
// errors of this package must be the same as with the standard library.
func TestErrorsOfMethods(t *testing.T) {
	defer func() { methodError = nil }()
	for i := range methodErrors() {
		for _, bits := range []uint32{0, 1 << 31} {
			errorsOf[errText](t, i, bits)
			errorsOf[errAppend](t, i, bits)
			errorsOf[errJSON](t, i, bits)
		}
		// Known differences: see docs/migrating/json-v2.md.
		switch err := methodErrors()[i]; err.(type) {
		case *std.SemanticError, *stdtext.SyntacticError:
		default:
			errorsOf[errStream](t, i, 1<<31)
			if !errors.Is(err, errors.ErrUnsupported) {
				errorsOf[errLazy](t, i, 1<<31)
			}
		}
	}
}

type places[T any] struct {
	A int
	F T
	B int
	P *T
	L []T
	M map[string]T
	I any
}

func errorsOf[T comparable](t *testing.T, i int, bits uint32) {
	t.Helper()
	var v T
	for _, value := range []any{v, &v, []T{v}, map[string]T{"k": v}, places[T]{F: v}, places[T]{P: &v, L: []T{v}}, places[T]{M: map[string]T{"a": v}}, places[T]{I: &v}, map[T]int{v: 1}, struct{ A map[T]int }{map[T]int{v: 1}}} {
		methodError = methodErrors()[i] // an engine may have modified the previous error
		options := optionsOf(bits)
		_, want := std.Marshal(value, options...)
		methodError = methodErrors()[i]
		_, got := Marshal(value, options...)
		if say(got) != say(want) {
			t.Errorf("a method returns %T: %[1]v: Marshal(%T), options%s\ngot  %s\nwant %s", methodErrors()[i], value, optionNames(bits), say(got), say(want))
		}
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[T](), reflect.TypeFor[*T](), reflect.TypeFor[[]T](), reflect.TypeFor[[2]T](), reflect.TypeFor[map[string]T](), reflect.TypeFor[places[T]](),
		reflect.TypeFor[struct{ Around places[T] }](), reflect.TypeFor[map[T]int](), reflect.TypeFor[[]map[T]T](),
	} {
		for _, text := range []string{
			`"x"`, `["x","y"]`, `{"a":"x","b":"y"}`, `{"A":1,"F":"x","B":2}`, `{"A":"bad","F":"x","B":2}`, `{"F":"x","A":"bad","B":2}`, `{"F":"x","B":2,"A":}`,
			`{"P":"x","B":7}`, `{"L":["x","y"],"B":8}`, `{"M":{"k":"x","l":"x"},"B":9}`, `{"Around":{"A":1,"L":["x"],"B":2}}`, `[{"k":1},{"k":"x"}]`, ` "x" `, `1`, `null`, `{"k":1,"k":2}`, `"x`, `["x"`,
		} {
			methodError = methodErrors()[i]
			want, wantValue := decoded(typ, text, bits, std.Unmarshal)
			methodError = methodErrors()[i]
			got, gotValue := decoded(typ, text, bits, func(b []byte, v any, o ...Options) error { return Unmarshal(b, v, o...) })
			if got != want || gotValue != wantValue {
				t.Errorf("a method returns %T: %[1]v: Unmarshal(%q, %v), options%s\ngot  %s, %s\nwant %s, %s", methodErrors()[i], text, typ, optionNames(bits), got, gotValue, want, wantValue)
			}
		}
	}
}

func decoded(typ reflect.Type, text string, bits uint32, unmarshal func([]byte, any, ...Options) error) (err, value string) {
	v := reflect.New(typ)
	err = say(unmarshal([]byte(text), v.Interface(), optionsOf(bits)...))
	return err, describe(v.Interface())
}

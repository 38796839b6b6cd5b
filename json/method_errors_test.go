package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

// methodError is the error that all methods of the types below return.
var methodError error

type (
	failingText string
	failingJSON string
	failingBoth struct{ A int }
)

func (failingText) MarshalText() ([]byte, error)  { return []byte("x"), methodError }
func (*failingText) UnmarshalText([]byte) error   { return methodError }
func (failingJSON) MarshalJSON() ([]byte, error)  { return []byte(`"x"`), methodError }
func (*failingJSON) UnmarshalJSON([]byte) error   { return methodError }
func (*failingBoth) MarshalJSON() ([]byte, error) { return []byte(`{"A":1}`), methodError }
func (*failingBoth) UnmarshalJSON([]byte) error   { return methodError }

// methodErrors returns errors that an engine could mistake for its own.
func methodErrors() []error {
	return append([]error{
		io.EOF, io.ErrUnexpectedEOF, fmt.Errorf("wrapped: %w", io.EOF), errors.New("plain"), errors.ErrUnsupported,
		&SyntaxError{Offset: 3}, &UnmarshalTypeError{Value: "number", Type: reflect.TypeFor[int](), Offset: 2},
		&InvalidUnmarshalError{}, &MarshalerError{Type: reflect.TypeFor[int](), Err: io.EOF},
		&UnsupportedTypeError{Type: reflect.TypeFor[chan int]()}, &UnsupportedValueError{Str: "x"},
	}, methodErrorsOfRelease()...)
}

// places contains a T as a field, and in a pointer, a slice, a map and an interface.
type places[T any] struct {
	A int
	F T
	B int
	P *T
	L []T
	M map[string]T
	I any
}

// TestErrorsOfMethods calls methods that return errors with a special meaning for the engine. The
// errors of Unmarshal and Decode must be the same as with encoding/json.
func TestErrorsOfMethods(t *testing.T) {
	errorsOf[failingText](t, true)
	errorsOf[failingJSON](t, false)
	errorsOf[failingBoth](t, false)
	errorsOfRelease(t)
}

func errorsOf[T comparable](t *testing.T, name bool) {
	defer func() { methodError = nil }()
	targets := []func() any{
		func() any { return new(T) }, func() any { return new(*T) }, func() any { return new([]T) }, func() any { return new([2]T) },
		func() any { return new(map[string]T) }, func() any { return new(map[string]*T) }, func() any { return new(places[T]) },
		func() any { return &struct{ A any }{new(T)} }, func() any { return &struct{ Around places[T] }{} },
		func() any { return new([]places[T]) }, func() any { return &struct{ *places[T] }{new(places[T])} },
	}
	if name {
		targets = append(targets, func() any { return new(map[T]int) }, func() any { return &struct{ A map[T]int }{} }, func() any { return new([]map[T]T) })
	}
	values := []string{
		`"x"`, `["x","y"]`, `{"a":"x","b":"y"}`, `{"A":1,"F":"x","B":2}`, `{"A":"bad","F":"x","B":2}`, `{"F":"x","A":"bad","B":2}`, `{"F":"x","B":2,"A":}`,
		`{"P":"x","B":7}`, `{"L":["x","y"],"B":8}`, `{"M":{"k":"x","l":"x"},"B":9}`, `{"A":{"k":1}}`, `{"A":"x"}`, `{"Around":{"A":1,"L":["x"],"B":2}}`,
		`[{"k":1},{"k":"x"}]`, `[{"F":"x","B":1},{"B":2}]`, ` "x" `, `1`, `null`, `{"F":"x"}  {"B":1}`, `{"k":1} {"B":"x"} [`,
	}
	same := func(text, call string, pair [2]any, err, wantErr error) {
		if !sameError(err, wantErr) || !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("a method returns %#v: %s(%q, %T)\nerror %#v\nwant  %#v\ngot  %+v\nwant %+v", methodError, call, text, pair[1], err, wantErr, pair[1], pair[0])
		}
	}
	for _, methodError = range methodErrors() {
		if readsItself(new(T)) && isFatal(methodError) {
			continue // known difference: see docs/migrating/encoding-json.md
		}
		for _, target := range targets {
			for _, text := range values {
				pair := [2]any{target(), target()}
				wantErr, err := json.Unmarshal([]byte(text), pair[0]), Unmarshal([]byte(text), pair[1])
				same(text, "Unmarshal", pair, err, wantErr)
				pair = [2]any{target(), target()}
				std, ours := json.NewDecoder(strings.NewReader(text+text)), NewDecoder(strings.NewReader(text+text))
				for range 4 {
					wantErr, err := std.Decode(pair[0]), ours.Decode(pair[1])
					same(text, "Decode", pair, err, wantErr)
					if std.InputOffset() != ours.InputOffset() {
						t.Errorf("Decode(%q, %T): offset %d, want %d", text, pair[1], ours.InputOffset(), std.InputOffset())
					}
				}
				// The caller may have modified the returned error.
				methodError = fresh(methodError)
			}
		}
		var v T
		for _, value := range []any{v, &v, []T{v}, map[string]T{"k": v}, places[T]{F: v, P: &v, L: []T{v}, M: map[string]T{"a": v}, I: &v}, map[T]int{v: 1}, struct{ A map[T]int }{map[T]int{v: 1}}} {
			want, wantErr := json.Marshal(value)
			got, err := Marshal(value)
			if !sameError(err, wantErr) || !bytes.Equal(got, want) {
				t.Errorf("a method returns %#v: Marshal(%T)\n%s, %#v\nwant\n%s, %#v", methodError, value, got, err, want, wantErr)
			}
			methodError = fresh(methodError)
		}
	}
}

// fresh returns a copy of err. Nothing else refers to the copy.
func fresh(err error) error {
	v := reflect.ValueOf(err)
	if v.Kind() != reflect.Pointer || v.IsNil() || strings.HasPrefix(v.Type().String(), "*errors.") {
		return err
	}
	out := reflect.New(v.Type().Elem())
	out.Elem().Set(v.Elem())
	return out.Interface().(error)
}

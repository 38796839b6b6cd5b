package json

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/jsontext"
)

// A Marshaler is a value with a method that encodes the value as JSON. The interface is
// encoding/json's Marshaler.
type Marshaler = rules.Marshaler

// An Unmarshaler is a value with a method that decodes JSON into the value. The method must not
// retain or modify its argument. The interface is encoding/json's Unmarshaler.
type Unmarshaler = rules.Unmarshaler

// A MarshalerTo is a value with a method that encodes the value by writing one JSON value to a
// stream. If the method writes nothing and returns [errors.ErrUnsupported], the value is encoded
// with another method of its type, or by the rules for its kind. The method must not retain the
// Encoder.
type MarshalerTo interface {
	MarshalJSONTo(*jsontext.Encoder) error
}

// An UnmarshalerFrom is a value with a method that reads one JSON value from a stream and decodes
// it into the value. If the method reads nothing and returns [errors.ErrUnsupported], the value is
// decoded with another method of its type, or by the rules for its kind. The method must not retain
// the Decoder.
type UnmarshalerFrom interface {
	UnmarshalJSONFrom(*jsontext.Decoder) error
}

// Marshalers is a list of functions that encode values of certain types; see [WithMarshalers]. A
// nil *Marshalers is an empty list.
type Marshalers struct {
	list     *rules.Functions
	standard *standardMarshalers
}

// Unmarshalers is a list of functions that decode values of certain types; see [WithUnmarshalers].
// A nil *Unmarshalers is an empty list.
type Unmarshalers struct {
	list     *rules.Functions
	standard *standardUnmarshalers
}

func (m *Marshalers) functions() *rules.Functions {
	if m == nil {
		return nil
	}
	return m.list
}

func (u *Unmarshalers) functions() *rules.Functions {
	if u == nil {
		return nil
	}
	return u.list
}

// WithMarshalers encodes values with the functions of v, which take precedence over methods.
func WithMarshalers(v *Marshalers) Options { return option.Functions(option.Marshalers, v) }

// WithUnmarshalers decodes values with the functions of v, which take precedence over methods.
func WithUnmarshalers(v *Unmarshalers) Options { return option.Functions(option.Unmarshalers, v) }

// JoinMarshalers returns the functions of all ms, in order. A value is encoded with the first
// function for its type. If this function returns [errors.ErrUnsupported], the next one is tried.
func JoinMarshalers(ms ...*Marshalers) *Marshalers {
	var lists []*rules.Functions
	for _, m := range ms {
		lists = append(lists, m.functions())
	}
	if list := rules.Join(lists...); list != nil {
		return &Marshalers{list, joinStandardMarshalers(ms)}
	}
	return nil
}

// JoinUnmarshalers is like [JoinMarshalers], for decoding.
func JoinUnmarshalers(us ...*Unmarshalers) *Unmarshalers {
	var lists []*rules.Functions
	for _, u := range us {
		lists = append(lists, u.functions())
	}
	if list := rules.Join(lists...); list != nil {
		return &Unmarshalers{list, joinStandardUnmarshalers(us)}
	}
	return nil
}

// MarshalFunc returns Marshalers with fn, which returns the JSON of a value of type T. If T is an
// interface type, fn is called for all types that implement T, or whose pointers implement T. If T
// is a pointer type, fn is called for values of its element type. MarshalFunc panics if T is a named
// pointer type.
func MarshalFunc[T any](fn func(T) ([]byte, error)) *Marshalers {
	t := checked[T](true)
	cast := castTo[T](t)
	return &Marshalers{rules.NewFunctions(rules.Function{Type: t, Bytes: func(p any) ([]byte, error) { return fn(cast(p)) }}), standardMarshalFunc(fn)}
}

// MarshalToFunc is like [MarshalFunc], for a function that writes one value to a stream. To decline
// a value, the function returns [errors.ErrUnsupported].
func MarshalToFunc[T any](fn func(*jsontext.Encoder, T) error) *Marshalers {
	t := checked[T](true)
	cast := castTo[T](t)
	return &Marshalers{rules.NewFunctions(rules.Function{Type: t, To: func(to *jsontext.Encoder, p any) error { return fn(to, cast(p)) }}), standardMarshalToFunc(fn)}
}

// UnmarshalFunc returns Unmarshalers with fn, which decodes JSON into a T. T must be an unnamed
// pointer type or an interface type, otherwise UnmarshalFunc panics. If T is an interface type, fn
// is called for all pointers that implement T.
func UnmarshalFunc[T any](fn func([]byte, T) error) *Unmarshalers {
	t := checked[T](false)
	cast := castTo[T](t)
	return &Unmarshalers{rules.NewFunctions(rules.Function{Type: t, Text: func(data []byte, p any) error { return fn(data, cast(p)) }}), standardUnmarshalFunc(fn)}
}

// UnmarshalFromFunc is like [UnmarshalFunc], for a function that reads one value from a stream. To
// decline a value, the function returns [errors.ErrUnsupported].
func UnmarshalFromFunc[T any](fn func(*jsontext.Decoder, T) error) *Unmarshalers {
	t := checked[T](false)
	cast := castTo[T](t)
	return &Unmarshalers{rules.NewFunctions(rules.Function{Type: t, From: func(from *jsontext.Decoder, p any) error { return fn(from, cast(p)) }}), standardUnmarshalFromFunc(fn)}
}

// checked returns the type T. It panics if functions for T are not supported.
func checked[T any](encoding bool) reflect.Type {
	t := reflect.TypeFor[T]()
	switch k := t.Kind(); {
	case k == reflect.Interface, k == reflect.Pointer && t.Name() == "", k != reflect.Pointer && encoding:
		return t
	}
	if encoding {
		panic(fmt.Sprintf("input type %v must be an interface type, an unnamed pointer type, or a non-pointer type", t))
	}
	panic(fmt.Sprintf("input type %v must be an interface type or an unnamed pointer type", t))
}

// castTo returns a function that converts the address of a value to type T.
func castTo[T any](t reflect.Type) func(p any) T {
	if k := t.Kind(); k == reflect.Interface || k == reflect.Pointer {
		return func(p any) T { return p.(T) }
	}
	return func(p any) T { return *p.(*T) }
}

package json

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/jsontext"
)

// A Marshaler encodes itself as JSON text. It is encoding/json's.
type Marshaler = rules.Marshaler

// An Unmarshaler decodes JSON text, which it must not keep or change. It is encoding/json's.
type Unmarshaler = rules.Unmarshaler

// A MarshalerTo encodes itself by writing one value to a stream, or returns
// [errors.ErrUnsupported] and writes nothing, for the type's next way to be encoded. It must
// not keep the Encoder.
type MarshalerTo interface {
	MarshalJSONTo(*jsontext.Encoder) error
}

// An UnmarshalerFrom decodes itself by reading one value from a stream, or returns
// [errors.ErrUnsupported] and reads nothing. It must not keep the Decoder.
type UnmarshalerFrom interface {
	UnmarshalJSONFrom(*jsontext.Decoder) error
}

// Marshalers are functions that encode values of some types; see [WithMarshalers]. A nil
// *Marshalers has none.
type Marshalers struct {
	list     *rules.Functions
	standard *standardMarshalers
}

// Unmarshalers are functions that decode values of some types; see [WithUnmarshalers]. A nil
// *Unmarshalers has none.
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

// WithMarshalers makes functions encode the values that they are for, instead of what the
// types do.
func WithMarshalers(v *Marshalers) Options { return option.Functions(option.Marshalers, v) }

// WithUnmarshalers makes functions decode the values that they are for, instead of what the
// types do.
func WithUnmarshalers(v *Unmarshalers) Options { return option.Functions(option.Unmarshalers, v) }

// JoinMarshalers returns the functions of all, in this order. Of several that are for a
// value the first counts, unless it declines by [errors.ErrUnsupported].
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

// JoinUnmarshalers is [JoinMarshalers] for decoding.
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

// MarshalFunc makes Marshalers of a function that returns the JSON of values of type T: an
// interface type stands for all types that implement it, by pointers perhaps, and a pointer
// type for what it points to. T must not be a pointer type with a name.
func MarshalFunc[T any](fn func(T) ([]byte, error)) *Marshalers {
	t := checked[T](true)
	cast := castTo[T](t)
	return &Marshalers{rules.NewFunctions(rules.Function{Type: t, Bytes: func(p any) ([]byte, error) { return fn(cast(p)) }}), standardMarshalFunc(fn)}
}

// MarshalToFunc is [MarshalFunc] for a function that writes one value to a stream. It may
// decline by [errors.ErrUnsupported].
func MarshalToFunc[T any](fn func(*jsontext.Encoder, T) error) *Marshalers {
	t := checked[T](true)
	cast := castTo[T](t)
	return &Marshalers{rules.NewFunctions(rules.Function{Type: t, To: func(to *jsontext.Encoder, p any) error { return fn(to, cast(p)) }}), standardMarshalToFunc(fn)}
}

// UnmarshalFunc makes Unmarshalers of a function that decodes JSON text into a T: a pointer
// type without a name, or an interface type, which stands for the pointers that implement it.
func UnmarshalFunc[T any](fn func([]byte, T) error) *Unmarshalers {
	t := checked[T](false)
	cast := castTo[T](t)
	return &Unmarshalers{rules.NewFunctions(rules.Function{Type: t, Text: func(data []byte, p any) error { return fn(data, cast(p)) }}), standardUnmarshalFunc(fn)}
}

// UnmarshalFromFunc is [UnmarshalFunc] for a function that reads one value from a stream. It
// may decline by [errors.ErrUnsupported].
func UnmarshalFromFunc[T any](fn func(*jsontext.Decoder, T) error) *Unmarshalers {
	t := checked[T](false)
	cast := castTo[T](t)
	return &Unmarshalers{rules.NewFunctions(rules.Function{Type: t, From: func(from *jsontext.Decoder, p any) error { return fn(from, cast(p)) }}), standardUnmarshalFromFunc(fn)}
}

// checked returns T, which it panics for if no function can be for it.
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

// castTo returns how the address of a value becomes a T.
func castTo[T any](t reflect.Type) func(p any) T {
	if k := t.Kind(); k == reflect.Interface || k == reflect.Pointer {
		return func(p any) T { return p.(T) }
	}
	return func(p any) T { return *p.(*T) }
}

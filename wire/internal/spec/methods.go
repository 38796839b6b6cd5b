package spec

import (
	"encoding"
	"reflect"
)

// Methods are the functions by which a type encodes itself.
type Methods struct {
	Form   Form // FormNone if the type does not encode itself
	Append func(dst []byte, v any) ([]byte, error)
	Read   func(b []byte, v any) error
}

// The following functions call a method of v. MethodsOf has checked that v implements the
// interface. The marshal functions ignore dst and return the memory of the method.
func appendBinary(dst []byte, v any) ([]byte, error) {
	return v.(encoding.BinaryAppender).AppendBinary(dst)
}

func appendText(dst []byte, v any) ([]byte, error) {
	return v.(encoding.TextAppender).AppendText(dst)
}

func marshalBinary(_ []byte, v any) ([]byte, error) {
	return v.(encoding.BinaryMarshaler).MarshalBinary()
}

func marshalText(_ []byte, v any) ([]byte, error) { return v.(encoding.TextMarshaler).MarshalText() }

func unmarshalBinary(b []byte, v any) error { return v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b) }

func unmarshalText(b []byte, v any) error { return v.(encoding.TextUnmarshaler).UnmarshalText(b) }

var (
	binaryAppender    = reflect.TypeFor[encoding.BinaryAppender]()
	binaryMarshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	textAppender      = reflect.TypeFor[encoding.TextAppender]()
	textMarshaler     = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// MethodsOf returns the methods of a type that encodes itself: the type, or a pointer to it,
// has both methods of a pair in package encoding. Binary methods are preferred to text methods.
// A method that appends is preferred to a method that allocates.
func MethodsOf(t reflect.Type) Methods {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return Methods{}
	}
	if m, ok := bigNumbers[t.Name()]; ok && t.PkgPath() == "math/big" {
		return m
	}
	p := reflect.PointerTo(t)
	switch {
	case p.Implements(binaryAppender) && p.Implements(binaryUnmarshaler):
		return Methods{FormBinary, appendBinary, unmarshalBinary}
	case p.Implements(binaryMarshaler) && p.Implements(binaryUnmarshaler):
		return Methods{FormBinary, marshalBinary, unmarshalBinary}
	case p.Implements(textAppender) && p.Implements(textUnmarshaler):
		return Methods{FormTextual, appendText, unmarshalText}
	case p.Implements(textMarshaler) && p.Implements(textUnmarshaler):
		return Methods{FormTextual, marshalText, unmarshalText}
	}
	return Methods{}
}

//go:build !(go1.27 && goexperiment.jsonv2)

package encode

import (
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// anyKey names keys of any kind by the rules from Go 1.27 on: pointers and interfaces by what they
// hold, and floats as numbers. Other kinds without a method for text have no name.
func anyKey(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	switch kind := key.Kind(); kind {
	case reflect.Float32:
		return e.floatKey(key, 32)
	case reflect.Float64:
		return e.floatKey(key, 64)
	case reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return "", &rules.UnsupportedTypeError{Type: key.Type()}
	case reflect.Pointer, reflect.Interface:
		// A float64 in an interface is written as a number, which is not a name.
		if kind == reflect.Interface && !key.IsNil() && key.Elem().Type() == rules.FloatType {
			if _, err := e.floatKey(key.Elem(), 64); err != nil {
				return "", err
			}
		} else if !key.IsNil() {
			name, _ := e.Mode.keyNamerOf(shape.Of(key.Elem().Type()))
			return name(e, dst, t, key.Elem())
		}
	}
	return "", notName(append(dst[e.Start:len(dst):len(dst)], '{'))
}

// marshalJSON returns the JSON that a value's own method makes.
func (e *Encoder) marshalJSON(v any) ([]byte, error) { return v.(rules.Marshaler).MarshalJSON() }

// restError returns the error for a text that should hold the other members of a struct, and is
// not an object.
func restError(text []byte) error {
	if syntax.Valid(text) {
		return &rules.UnsupportedValueError{Str: rules.ErrRestNotObject.Error()}
	}
	f := syntax.FaultOf(text)
	where := stream.SyntacticError{ByteOffset: int64(f.Read - 1), Err: errInvalidCharacter}
	if f.Read == len(text) {
		where.ByteOffset, where.Err = int64(f.After), io.ErrUnexpectedEOF
	}
	return &rules.UnsupportedValueError{Str: where.Error()}
}

//go:build !(go1.27 && goexperiment.jsonv2)

package encode

import (
	"fmt"
	"reflect"
	"time"

	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

const appendsText = false // AppendText means nothing

// unsupported returns the error for v, which may lie in memory that is used again.
func unsupported(v reflect.Value, why string) error {
	held := reflect.New(v.Type()).Elem()
	held.Set(v)
	return &rules.UnsupportedValueError{Value: held, Str: why}
}

// throughPointer names the pointer type t in the error of a marshal method that
// was called on what such a pointer points to, if t has that method too.
func throughPointer(err error, t reflect.Type) error {
	if e, ok := err.(*rules.MarshalerError); ok && e.Type == t.Elem() && (t.Implements(rules.MarshalerType) || t.Implements(rules.TextMarshalerType)) {
		e.Type = t
	}
	return err
}

// methodType returns the type that errors of a marshal method name: that of the place
// where it was called.
func methodType(t reflect.Type, _ any) reflect.Type { return t }

// numberError returns the error for text that is no number, in a Number.
func numberError(text string, _ bool) error {
	return fmt.Errorf("json: invalid number literal %q", text)
}

// keyError returns the error of a text method of a key of the map type t.
func keyError(t reflect.Type, _ reflect.Value, err error) error {
	return fmt.Errorf("json: encoding error for type %q: %q", t.String(), err.Error())
}

// timeError returns the error for a time that has no JSON.
func timeError(_ *time.Time, err error) error {
	return &rules.MarshalerError{Type: rules.TimeType, Err: err}
}

// methodError returns the error of a value's own method.
func methodError(t reflect.Type, _ any, err error) error {
	return &rules.MarshalerError{Type: t, Err: err}
}

// keyNamerOf returns how keys of a type are named, or nil if maps of such have no JSON. It
// reports whether they are strings as they are.
func keyNamerOf(key *shape.Shape) (name keyNamer, plain bool) {
	switch {
	case key.Kind == shape.String:
		return stringKey, true
	case key.Kind == shape.Interface && key.Type.Implements(rules.TextMarshalerType):
		return heldKey, false
	case key.Type.Implements(rules.TextMarshalerType):
		return textKey, false
	}
	return kindKey(key.Kind), false
}

// heldKey names keys of an interface type that has MarshalText, by what they hold.
func heldKey(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	if key.IsNil() {
		panic("unexpected map key type")
	}
	return textKey(e, dst, t, key)
}

func marshalJSON(v any, _ bool) ([]byte, error) { return v.(rules.Marshaler).MarshalJSON() }

// standardRest and restNotObject are for v1, which has no such fields.
func standardRest(dst, _ []byte, _ bool) ([]byte, error) { return dst, nil }

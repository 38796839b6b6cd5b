//go:build !(go1.27 && goexperiment.jsonv2)

package encode

import (
	"fmt"
	"reflect"
	"time"

	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// appendsText is whether AppendText is one of the methods that encoding/json calls.
const appendsText = false

// unsupported returns the error for a value that has no JSON form. It copies the value, whose
// memory may be used again.
func unsupported(v reflect.Value, why string) error {
	held := reflect.New(v.Type()).Elem()
	held.Set(v)
	return &rules.UnsupportedValueError{Value: held, Str: why}
}

// throughPointer changes the error of a marshal method that was called through a pointer of
// type t: encoding/json names t if that has the method too.
func throughPointer(err error, t reflect.Type) error {
	if e, ok := err.(*rules.MarshalerError); ok && e.Type == t.Elem() && (t.Implements(rules.MarshalerType) || t.Implements(rules.TextMarshalerType)) {
		e.Type = t
	}
	return err
}

// methodType returns the type that an error of a marshal method names.
func methodType(t reflect.Type, _ any) reflect.Type { return t }

// numberError returns the error for a Number whose text is not a number.
func numberError(text string, _ bool) error {
	return fmt.Errorf("json: invalid number literal %q", text)
}

// keyError returns the error for a key whose text method failed. T is the type of the map.
func keyError(t reflect.Type, _ reflect.Value, err error) error {
	return fmt.Errorf("json: encoding error for type %q: %q", t.String(), err.Error())
}

// timeError returns the error for a time that has no JSON form.
func timeError(_ *time.Time, err error) error {
	return &rules.MarshalerError{Type: rules.TimeType, Err: err}
}

// methodError returns the error for a marshal method that failed.
func methodError(t reflect.Type, _ any, err error) error {
	return &rules.MarshalerError{Type: t, Err: err}
}

// keyNamerOf returns the keyNamer of keys of this shape, or nil if such maps cannot be encoded.
// Plain reports whether the name is the key itself.
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

// heldKey names keys of an interface type by the method of the value that they hold.
func heldKey(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	if key.IsNil() {
		panic("unexpected map key type")
	}
	return textKey(e, dst, t, key)
}

// marshalJSON returns the JSON that a value's own method makes.
func marshalJSON(v any, _ bool) ([]byte, error) { return v.(rules.Marshaler).MarshalJSON() }

// standardRest appends the members of an object that a struct holds as text. If the text is not
// an object, encoding/json returns the error.
func standardRest(dst, _ []byte, _ bool) ([]byte, error) { return dst, nil }

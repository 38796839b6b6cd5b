//go:build !(go1.27 && goexperiment.jsonv2)

package decode

import (
	"reflect"

	"github.com/hone-go/hone/json/internal/rules"
)

// keyOfAnyKind sets key, of a type without a method for text, to the value that the name at t
// stands for, and reports whether it fits.
func (d *Decoder) keyOfAnyKind(t int, key reflect.Value) (fits bool, err error) {
	for key.Kind() == reflect.Pointer {
		key.Set(reflect.New(key.Type().Elem()))
		key = key.Elem()
		if key.Addr().Type().Implements(rules.TextUnmarshalerType) {
			return d.keyByMethodSecond(t, key)
		}
	}
	text := string(d.TextOf(t))
	refused := &rules.UnmarshalTypeError{Value: "string", Type: key.Type()}
	switch kind := key.Kind(); {
	case kind == reflect.String:
		key.SetString(text)
		return true, nil
	case kind == reflect.Interface && key.NumMethod() == 0:
		key.Set(reflect.ValueOf(text))
		return true, nil
	case kind == reflect.Interface:
		refused.Offset = int64(len("{"))
	case kind >= reflect.Int && kind <= reflect.Float64:
		if text == "null" || parseQuoted(key, text) {
			return true, nil
		}
		refused.Value = "number " + text
	}
	d.notKey(refused, t)
	return false, nil
}

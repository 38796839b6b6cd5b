//go:build go1.27 && goexperiment.jsonv2

package decode

import (
	"encoding/json"
	"reflect"

	"github.com/hone-go/hone/json/internal/rules"
)

// keyOfAnyKind sets key, of a type without a method for text, to the value that the name at t
// stands for, and reports whether it fits. The methods of version 2 need a stream, which only
// encoding/json makes: a map with this one name is decoded by it, and the key taken out.
func (d *Decoder) keyOfAnyKind(t int, key reflect.Value) (fits bool, err error) {
	one := reflect.New(reflect.MapOf(key.Type(), reflect.TypeFor[struct{}]()))
	text := append(append([]byte{'{'}, d.Raw(t)...), ":{}}"...)
	err = json.Unmarshal(text, one.Interface())
	if e, ok := err.(*rules.UnmarshalTypeError); ok {
		d.notKey(e, t)
		return false, nil
	}
	for _, k := range one.Elem().MapKeys() {
		key.Set(k)
	}
	return true, err
}

//go:build go1.27 && goexperiment.jsonv2

package go127

import (
	"encoding/json"
	"reflect"

	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// standardKey decodes the name at t into key, and reports whether this succeeded. The type of key
// has a method that takes a stream of the standard library. Only encoding/json can create such a
// stream. So standardKey lets encoding/json decode a map with this name as its only key, and
// copies the key.
func standardKey(d *v1.Decoder, t int, key reflect.Value) (fits bool, err error) {
	one := reflect.New(reflect.MapOf(key.Type(), reflect.TypeFor[struct{}]()))
	text := append(append([]byte{'{'}, d.Raw(t)...), ":{}}"...)
	err = json.Unmarshal(text, one.Interface())
	if e, ok := err.(*rules.UnmarshalTypeError); ok {
		notKey(d, e, t)
		return false, nil
	}
	for _, k := range one.Elem().MapKeys() {
		key.Set(k)
	}
	return true, err
}

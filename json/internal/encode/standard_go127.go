//go:build go1.27 && goexperiment.jsonv2

package encode

import (
	"encoding/json"
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// standardKey is the keyNamer for types with a method that writes to a stream of the standard
// library. It uses encoding/json to encode a map that has only this key.
func standardKey(e *Encoder, dst []byte, _ reflect.Type, key reflect.Value) (string, error) {
	one := reflect.MakeMap(reflect.MapOf(key.Type(), reflect.TypeFor[struct{}]()))
	one.SetMapIndex(key, reflect.ValueOf(struct{}{}))
	text, err := json.Marshal(one.Interface())
	if err != nil {
		if u, ok := err.(*rules.UnsupportedValueError); ok && strings.Contains(u.Str, stream.ErrNonStringName.Error()) {
			err = notName(append(dst[e.Start:len(dst):len(dst)], '{'))
		}
		return "", err
	}
	name, _ := syntax.AppendUnquoted(nil, text[1:len(text)-len(":{}}")])
	return string(name), nil
}

// marshalJSON calls v's MarshalJSON method, or MarshalJSONTo with a stream of the standard library.
func (e *Encoder) marshalJSON(v any) ([]byte, error) {
	if !e.Mode.First() {
		if _, ok := v.(jsonv2.MarshalerTo); ok && rules.WritesItself(reflect.TypeOf(v)) {
			return jsonv2.Marshal(v, json.DefaultOptionsV1(), stdtext.EscapeForHTML(e.EscapesHTML()))
		}
	}
	return v.(rules.Marshaler).MarshalJSON()
}

// restError returns the error for a field of unknown members whose JSON text is not an object.
func restError(text []byte) error {
	_, err := json.Marshal(struct {
		Rest stdtext.Value `json:",embed"`
	}{text})
	return err
}

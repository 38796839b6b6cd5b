//go:build go1.27 && goexperiment.jsonv2

package go127

import (
	"encoding/json"
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// standardName returns the name for a key with a method that writes to a stream of the standard
// library. It uses encoding/json to encode a map that has only this key.
func standardName(e *encode.Encoder, dst []byte, _ reflect.Type, key reflect.Value) (string, error) {
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

// CallJSON implements [v1.EncodeRelease]. It calls MarshalJSONTo with a stream of the standard library
// if v has this method.
func (*encodeRelease) CallJSON(e *encode.Encoder, v any) ([]byte, error) {
	if _, ok := v.(jsonv2.MarshalerTo); ok && rules.WritesItself(reflect.TypeOf(v)) {
		return jsonv2.Marshal(v, json.DefaultOptionsV1(), stdtext.EscapeForHTML(e.EscapesHTML()))
	}
	return v.(rules.Marshaler).MarshalJSON()
}

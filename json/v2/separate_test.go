package json

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/json/jsontext"
)

// TestSeparateStrings decodes equal strings with the option SeparateStrings. They must not share
// memory.
func TestSeparateStrings(t *testing.T) {
	byHone(t) // the standard library may return one string for two equal ones
	type document struct {
		ID     string
		Number jsontext.Value
		Names  map[string]string
		Any    any
	}
	const text = `{"ID":"0123456789","Names":{"a name":"a value"},"Any":["another value"]}`
	option := SeparateStrings(true)
	codec := For[document](option)
	for name, decode := range map[string]func(v *document) error{
		"Unmarshal":     func(v *document) error { return Unmarshal([]byte(text), v, option) },
		"UnmarshalRead": func(v *document) error { return UnmarshalRead(strings.NewReader(text), v, option) },
		"UnmarshalDecode": func(v *document) error {
			return UnmarshalDecode(jsontext.NewDecoder(strings.NewReader(text), option), v)
		},
		"Codec":   func(v *document) error { return codec.Unmarshal([]byte(text), v) },
		"numbers": func(v *document) error { return Unmarshal([]byte(text), v, option, StringifyNumbers(true)) },
	} {
		var a, b document
		if err := decode(&a); err != nil {
			t.Fatal(name, err)
		}
		if err := decode(&b); err != nil {
			t.Fatal(name, err)
		}
		if reflect.ValueOf(a.ID).Pointer() == reflect.ValueOf(b.ID).Pointer() {
			t.Errorf("%s: two decoded strings share memory", name)
		}
		if reflect.ValueOf(a.Names["a name"]).Pointer() == reflect.ValueOf(b.Names["a name"]).Pointer() {
			t.Errorf("%s: the values of two maps share memory", name)
		}
		for x := range a.Names {
			for y := range b.Names {
				if reflect.ValueOf(x).Pointer() == reflect.ValueOf(y).Pointer() {
					t.Errorf("%s: the keys of two maps share memory", name)
				}
			}
		}
		x, y := a.Any.([]any)[0].(string), b.Any.([]any)[0].(string)
		if reflect.ValueOf(x).Pointer() == reflect.ValueOf(y).Pointer() {
			t.Errorf("%s: two strings in interfaces share memory", name)
		}
	}
}

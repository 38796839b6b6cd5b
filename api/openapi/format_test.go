package openapi

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hone-go/hone/json/format"
)

// TestSchemaType has types that describe themselves.
func TestSchemaType(t *testing.T) {
	for _, test := range []struct {
		v    any
		want string
	}{
		{format.Duration(0), `{"type":"string"}`}, {format.ISODuration(0), `{"type":"string","format":"duration"}`}, {format.Seconds(0), `{"type":"number"}`},
		{format.Nanoseconds(0), `{"type":"integer","format":"int64"}`}, {format.UnixMilli{}, `{"type":"number"}`}, {format.Date{}, `{"type":"string","format":"date"}`},
		{format.RFC3339{}, `{"type":"string","format":"date-time"}`}, {format.Hex{}, `{"type":"string","format":"base16"}`}, {new(format.Date), `{"type":["string","null"],"format":"date"}`},
		{[]format.Seconds{}, `{"type":["array","null"],"items":{"type":"number"}}`}, {struct{ format.Date }{}, `{"type":"string","format":"date"}`}, {struct{ *format.Date }{}, `{}`},
	} {
		c := &schemas{components: map[string]*Schema{}, names: map[schemaKey]string{}}
		if got, err := json.Marshal(c.of(reflect.TypeOf(test.v))); string(got) != test.want || err != nil {
			t.Errorf("%T: %s, %v; want %s", test.v, got, err, test.want)
		}
	}
}

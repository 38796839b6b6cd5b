package openapi

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/json/format"
	"github.com/hone-go/hone/mo"
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
		c := newSchemas()
		if got, err := json.Marshal(c.of(reflect.TypeOf(test.v))); string(got) != test.want || err != nil {
			t.Errorf("%T: %s, %v; want %s", test.v, got, err, test.want)
		}
	}
}

// TestTimeParameters: the document has the format of a time parameter that the server accepts.
func TestTimeParameters(t *testing.T) {
	a := api.New(api.Mux(http.NewServeMux()))
	api.Handle(a, "GET /x", func(context.Context, *struct {
		Default time.Time            `query:"default"`
		At      *time.Time           `query:"at" format:"date-time"`
		Local   mo.Option[time.Time] `query:"local" format:"date-time-local"`
		Day     time.Time            `query:"day" format:"date"`
		Days    []time.Time          `query:"days" format:"2006-01-02"`
		Year    time.Time            `query:"year" format:"2006"`
	}) (*struct{}, error) {
		return nil, nil
	})
	want := map[string]string{"default": "date-time", "at": "date-time", "local": "date-time-local", "day": "date", "days": "date", "year": ""}
	for _, p := range Describe(a, Config{}).Paths["/x"]["get"].Parameters {
		schema := p.Schema
		if schema.Items != nil {
			schema = schema.Items
		}
		if schema.Format != want[p.Name] {
			t.Errorf("%s: %q, want %q", p.Name, schema.Format, want[p.Name])
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("not documented: %v", want)
	}
}

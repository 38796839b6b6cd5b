package openapi

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/json/format"
	"github.com/hone-go/hone/mo"
)

// TestSchemaType: the schema of a type with a method SchemaType has the type and the format that the method returns.
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
		Clock   time.Time            `query:"clock" format:"time"`
		Local2  time.Time            `query:"local2" format:"time-local"`
		Year    time.Time            `query:"year" format:"2006"`
	}) (*struct{}, error) {
		return nil, nil
	})
	want := map[string]string{"default": "date-time", "at": "date-time", "local": "date-time-local", "day": "date", "days": "date", "clock": "time", "local2": "time-local", "year": ""}
	for _, p := range Describe(a, Config{}).Paths["/x"]["get"].Parameters {
		schema := p.Schema
		if schema.Items != nil {
			schema = schema.Items
		}
		if schema.Format != want[p.Name] {
			t.Errorf("%s: %q, want %q", p.Name, schema.Format, want[p.Name])
		}
		if (schema.Pattern == "^[0-9]{4}$") != (p.Name == "year") {
			t.Errorf("%s: the pattern is %q", p.Name, schema.Pattern)
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("not documented: %v", want)
	}
}

// TestLayoutPattern formats random times in many layouts. The pattern of the layout matches them, and does not match
// texts that are not times.
func TestLayoutPattern(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	layouts := []string{
		time.Layout, time.ANSIC, time.UnixDate, time.RubyDate, time.RFC822, time.RFC822Z, time.RFC850, time.RFC1123, time.RFC1123Z,
		time.RFC3339, time.RFC3339Nano, time.Kitchen, time.Stamp, time.StampMilli, time.StampNano, time.DateTime, time.DateOnly, time.TimeOnly,
		"02.01.2006", "2006-002", "15h04", "3:4:5 pm", "_2006_", "Jan _2 '06 (Mon)", "15:04:05,000", "20060102T150405Z0700", "é 2006",
	}
	elements := []string{"2006", "06", "01", "1", "Jan", "January", "02", "2", "_2", "002", "15", "03", "3", "04", "4", "05", "5", "05.000", "05.999", "PM", "pm", "-07:00", "Z07:00", "Mon", "Monday"}
	for range 300 {
		layout := ""
		for range 1 + random.IntN(5) {
			layout += elements[random.IntN(len(elements))] + []string{"-", " ", "/", "T", "."}[random.IntN(5)]
		}
		layouts = append(layouts, layout)
	}
	for _, layout := range layouts {
		pattern, err := regexp.Compile(layoutPattern(layout))
		if err != nil {
			t.Errorf("%q: %v", layout, err)
			continue
		}
		for range 50 {
			at := time.Unix(random.Int64N(1<<33), random.Int64N(1e9)).In(time.FixedZone("", (random.IntN(48)-24)*1800))
			if text := at.Format(layout); !pattern.MatchString(text) {
				t.Errorf("%q: %q does not match %s", layout, text, pattern)
				break
			}
		}
		if pattern.MatchString("") || pattern.MatchString("never a time") {
			t.Errorf("%q: %s matches anything", layout, pattern)
		}
	}
}

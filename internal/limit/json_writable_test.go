package limit

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/shape"
)

// TestWritable compares the checks with encoding: a value passes if, and only if, JSON can write it.
func TestWritable(t *testing.T) {
	zone := func(seconds int) time.Time {
		return time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", seconds))
	}
	year := func(y int) time.Time { return time.Date(y, 6, 1, 0, 0, 0, 0, time.UTC) }
	for _, v := range []any{
		0.0, math.Copysign(0, -1), 1e308, math.SmallestNonzeroFloat64, math.NaN(), math.Inf(1), math.Inf(-1), math.Float64frombits(0x7ff0000000000001),
		float32(1), float32(math.MaxFloat32), float32(math.NaN()), float32(math.Inf(-1)),
		time.Time{}, year(0), year(-1), year(9999), year(10000), year(36812), time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -3600)),
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.FixedZone("", -3600)), time.Date(0, 1, 1, 0, 0, 0, 0, time.FixedZone("", 3600)),
		zone(0), zone(1), zone(-59), zone(24*3600 - 1), zone(24 * 3600), zone(-24*3600 + 1), zone(-24 * 3600), zone(-24*3600 - 59), zone(100 * 3600), zone(-100 * 3600),
		json.Number(""), json.Number("1"), json.Number("-1.5e+9"), json.Number("x"), json.Number("1 "), json.Number(" 1"), json.Number("01"), json.Number("+1"),
		json.Number("null"), json.Number(`"1"`), json.Number("1,2"), json.Number("NaN"),
		json.RawMessage(nil), json.RawMessage(""), json.RawMessage("{}"), json.RawMessage("{"), json.RawMessage("1 2"),
		"a", "\xff", "\xed\xa0\x80", "",
	} {
		place := reflect.New(reflect.TypeOf(v))
		place.Elem().Set(reflect.ValueOf(v))
		_, err := json.Marshal(place.Interface())
		program, failed := Binary(shape.Of(reflect.TypeOf(v)), false)
		if failed != nil {
			t.Fatal(failed)
		}
		if found := program.Check(place.Interface(), Unlimited()); (found == nil) != (err == nil) {
			t.Errorf("%T %v: %v, but encoding: %v", v, v, found, err)
		}
	}
}

// TestWritablePlaces puts a value that JSON cannot write in fields, elements, keys, options and so
// on. The check must find it and report its path.
func TestWritablePlaces(t *testing.T) {
	type inner struct {
		F float64 `json:"f"`
	}
	type outer struct {
		F       float32            `json:"f"`
		Limited float64            `json:"limited" max:"5"`
		List    []float64          `json:"list"`
		Array   [2]float64         `json:"array"`
		Map     map[string]float64 `json:"map"`
		Pointer *time.Time         `json:"pointer"`
		Times   []time.Time        `json:"times"`
		Inner   []inner            `json:"inner"`
		Next    *outer             `json:"next"`
	}
	late := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	nan := math.NaN()
	program, err := Binary(shape.For[outer](), false)
	if err != nil {
		t.Fatal(err)
	}
	if found := program.Check(&outer{List: []float64{1}, Next: &outer{}, Times: []time.Time{{}}}, Unlimited()); found != nil {
		t.Errorf("%v", found)
	}
	for path, v := range map[string]outer{
		".f":               {F: float32(nan)},
		".limited":         {Limited: math.Inf(-1)},
		".list[1]":         {List: []float64{0, nan}},
		".array[1]":        {Array: [2]float64{0, nan}},
		`.map.k`:           {Map: map[string]float64{"k": nan}},
		".pointer":         {Pointer: &late},
		".times[0]":        {Times: []time.Time{late}},
		".inner[0].f":      {Inner: []inner{{nan}}},
		".next.next.f":     {Next: &outer{Next: &outer{F: float32(math.Inf(1))}}},
		".next.inner[1].f": {Next: &outer{Inner: []inner{{}, {math.Inf(1)}}}},
	} {
		found := program.Check(&v, Unlimited())
		if len(found) != 1 || found[0].Path != path || !strings.HasPrefix(found[0].Detail, "must be a") {
			t.Errorf("%s: %+v", path, found)
		}
	}
}

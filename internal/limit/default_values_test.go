package limit_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

// TestDefaultsWithinLimits: a default that breaks a limit of its field is an error at set-up, wherever the limit is. A
// default within the limits is not.
func TestDefaultsWithinLimits(t *testing.T) {
	type inner struct {
		N int `json:"n" min:"2"`
	}
	for _, test := range []struct {
		good, bad any
		detail    string
	}{
		{struct {
			A int `json:"a" query:"a" default:"1" min:"1"`
		}{}, struct {
			A int `json:"a" query:"a" default:"0" min:"1"`
		}{}, "at least 1"},
		{struct {
			A float64 `json:"a" query:"a" default:"1.5" multipleOf:"0.5"`
		}{}, struct {
			A float64 `json:"a" query:"a" default:"1.6" multipleOf:"0.5"`
		}{}, "multiple"},
		{struct {
			A string `json:"a" query:"a" default:"b" enum:"a,b"`
		}{}, struct {
			A string `json:"a" query:"a" default:"c" enum:"a,b"`
		}{}, "one of"},
		{struct {
			A *string `json:"a" query:"a" default:"xy" pattern:"^x"`
		}{}, struct {
			A *string `json:"a" query:"a" default:"yx" pattern:"^x"`
		}{}, "match"},
		{struct {
			A mo.Option[string] `json:"a" query:"a" default:"ab" length:"2.."`
		}{}, struct {
			A mo.Option[string] `json:"a" query:"a" default:"a" length:"2.."`
		}{}, "at least 2"},
		{struct {
			A []int `json:"a" query:"a" default:"1,2" uniqueItems:"true" max:"2"`
		}{}, struct {
			A []int `json:"a" query:"a" default:"1,3" uniqueItems:"true" max:"2"`
		}{}, "at most 2"},
		{struct {
			A []int `json:"a" query:"a" default:"1,2" uniqueItems:"true"`
		}{}, struct {
			A []int `json:"a" query:"a" default:"1,1" uniqueItems:"true"`
		}{}, "equal elements"},
		{struct {
			A colour `json:"a" query:"a" default:"red"`
		}{}, struct {
			A colour `json:"a" query:"a" default:"green"`
		}{}, "one of"},
		{struct {
			A time.Time `json:"a" query:"a" default:"2020-01-01T00:00:00Z"`
		}{}, struct {
			A time.Time `json:"a" query:"a" default:"2020-01-01T00:00:00+24:00"`
		}{}, "RFC 3339"},
		{struct {
			A inner `json:"a" default:"{\"n\":2}"`
		}{}, struct {
			A inner `json:"a" default:"{\"n\":1}"`
		}{}, "at least 2"},
		{struct {
			A struct {
				B []inner `json:"b" default:"[{\"n\":2}]"`
			} `json:"a"`
		}{}, struct {
			A struct {
				B []inner `json:"b" default:"[{\"n\":2},{\"n\":1}]"`
			} `json:"a"`
		}{}, "at least 2"},
	} {
		for name, compile := range map[string]func(*shape.Shape) (*limit.Program, error){"body": limit.Body, "parameters": limit.Params} {
			good, bad := shape.Of(reflect.TypeOf(test.good)), shape.Of(reflect.TypeOf(test.bad))
			if name == "parameters" && len(bad.Request().Params) == 0 {
				continue
			}
			if _, err := compile(good); err != nil {
				t.Errorf("%s: %T: %v", name, test.good, err)
			}
			if _, err := compile(bad); err == nil || !strings.Contains(err.Error(), "the value breaks a limit: ") || !strings.Contains(err.Error(), test.detail) {
				t.Errorf("%s: %T: %v, want %q", name, test.bad, err, test.detail)
			}
		}
	}
}

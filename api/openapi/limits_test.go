package openapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/shape"
)

// TestLimits has a value that breaks each limit. The tag is read, the value is refused, and the
// schema shows the limit. The test fails if a limit lacks a row in one of the three tables, or a
// value here.
func TestLimits(t *testing.T) {
	broken := map[string]any{
		"min": &struct {
			V int `min:"1"`
		}{0},
		"max": &struct {
			V float64 `max:"1"`
		}{2},
		"multipleOf": &struct {
			V int `multipleOf:"5"`
		}{7},
		"length": &struct {
			V []string `length:"1..2"`
		}{[]string{"a", "b", "c"}},
		"uniqueItems": &struct {
			V []string `uniqueItems:"true"`
		}{[]string{"a", "a"}},
		"pattern": &struct {
			V string `pattern:"^[a-z]+$"`
		}{"A"},
		"enum": &struct {
			V string `enum:"asc,desc"`
		}{"up"},
		"format": &struct {
			V string `format:"email"`
		}{"x"},
	}
	for _, tag := range shape.LimitTags() {
		v := broken[tag]
		if v == nil {
			t.Errorf("%s: the test has no value that breaks the limit", tag)
			continue
		}
		s := shape.Of(reflect.TypeOf(v).Elem())
		if limits, err := s.Fields[0].Limits(); limits == nil || err != nil {
			t.Errorf("%s: read as %v, %v", tag, limits, err)
		}
		if program, err := limit.Body(s); err != nil || len(program.Check(v, limit.Unlimited())) != 1 {
			t.Errorf("%s: %v does not have exactly one violation: %v", tag, v, err)
		}
		c := newSchemas()
		with, err := json.Marshal(c.field(&s.Fields[0]))
		without, err2 := json.Marshal(c.of(s.Fields[0].Shape.Type))
		if err != nil || err2 != nil || string(with) == string(without) {
			t.Errorf("%s: the schema does not show the limit: %s, %v, %v", tag, with, err, err2)
		}
	}
}

// TestLimitKeywords: every tag that shape reads has exactly one row.
func TestLimitKeywords(t *testing.T) {
	var tags []string
	for _, k := range limitKeywords {
		tags = append(tags, k.tag)
	}
	want := shape.LimitTags()
	slices.Sort(tags)
	slices.Sort(want)
	if !slices.Equal(tags, want) {
		t.Errorf("the keywords are of %q, but shape reads %q", tags, want)
	}
}

package openapi

import (
	"encoding"
	"reflect"
	"slices"

	"github.com/hone-go/hone/shape"
)

var (
	textUnmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()
	paramUnmarshaler  = reflect.TypeFor[shape.ParamUnmarshaler]()
	paramsUnmarshaler = reflect.TypeFor[shape.ParamsUnmarshaler]()
)

// parameter returns the schema of a parameter. It differs from the schema of a member, because package
// bind reads a parameter as text: a parameter may be absent, but is never null.
func (in *input) parameter(f *shape.Field) *Schema {
	s := in.field(f).ofText(f.Shape)
	if s.Type == "array" && s.Items != nil {
		elem := f.Shape
		for elem.Held() != nil {
			elem = elem.Held()
		}
		if elem.Elem != nil {
			s.Items = s.Items.ofText(elem.Elem)
		}
	}
	for _, at := range []*Schema{s, s.Items} {
		if layout := f.TimeLayout(); at != nil && at.Format == "date-time" && layout != "" {
			if at.Format = shape.TimeFormat(layout); at.Format == "" {
				at.Pattern = layoutPattern(layout)
			}
		}
	}
	return s
}

// ofText changes the schema of values of the given shape to the schema of their text.
func (s *Schema) ofText(values *shape.Shape) *Schema {
	for values.Held() != nil {
		values = values.Held()
	}
	switch t := values.Type; {
	case values.Kind == shape.Time, t.Kind() == reflect.Interface, has(t, typer):
	case has(t, paramsUnmarshaler):
		return &Schema{Type: "array", Items: &Schema{Type: "string"}, Description: s.Description}
	case (has(t, paramUnmarshaler) || has(t, textUnmarshaler)) && s.Type != "string" && values.Values() == nil:
		return &Schema{Type: "string", Description: s.Description}
	}
	if len(s.AnyOf) == 2 && s.AnyOf[1].Type == "null" {
		s.AnyOf[0].Description = s.Description
		s = s.AnyOf[0]
	}
	if several, ok := s.Type.([]string); ok {
		s.Type = several[0]
		s.Enum = slices.DeleteFunc(s.Enum, func(v any) bool { return v == nil })
	}
	return s
}

package openapi

import (
	"reflect"
	"slices"

	"github.com/hone-go/hone/shape"
)

// An input gathers what a handler's input type says.
type input struct {
	*schemas
	params   []*Parameter
	body     reflect.Type // of the field for it
	required bool         // the body is
	form     *Schema
	tagged   bool // some field says where it comes from
}

// read gathers the fields of t. A parameter that several fields take is listed
// once.
func (in *input) read(t reflect.Type) {
	s := shape.Of(t)
	if s.Kind != shape.Struct {
		return
	}
	request := s.Request()
	in.tagged = len(request.Params) > 0 || len(request.Bodies) > 0
	for _, body := range request.Bodies {
		in.body = body.Field.Shape.Type
		in.required = in.body.Kind() != reflect.Func && !optional(body.Field.Shape)
	}
	for i := range request.Params {
		p := &request.Params[i]
		schema := in.withoutNull(p.Field)
		if p.Source == shape.FromForm {
			if in.form == nil {
				in.form = &Schema{Type: "object", Properties: map[string]*Schema{}}
			}
			in.form.Properties[p.Name] = schema
			continue
		}
		if in.has(string(p.Source), p.Name) {
			continue
		}
		in.params = append(in.params, &Parameter{Name: p.Name, In: string(p.Source),
			Description: schema.Description, Required: p.Source == shape.FromPath, Schema: schema})
		schema.Description = ""
	}
}

func (in *input) has(source, name string) bool {
	return slices.ContainsFunc(in.params, func(p *Parameter) bool { return p.In == source && p.Name == name })
}

// withoutNull is the schema of a parameter, which is there or not, but never
// null.
func (in *input) withoutNull(f *shape.Field) *Schema {
	s := in.field(f)
	if several, ok := s.Type.([]string); ok {
		s.Type = several[0]
		s.Enum = slices.DeleteFunc(s.Enum, func(v any) bool { return v == nil })
	}
	if len(s.AnyOf) == 2 {
		s.AnyOf[0].Description = s.Description
		s = s.AnyOf[0]
	}
	return s
}

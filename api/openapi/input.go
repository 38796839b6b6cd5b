package openapi

import (
	"reflect"
	"slices"
	"strings"

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

func (in *input) walk(t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if _, body := f.Tag.Lookup("body"); body {
			in.body, in.tagged = f.Type, true
			in.required = f.Type.Kind() != reflect.Func && !optional(shape.Of(f.Type))
			continue
		}
		source, name := sourceOf(f)
		switch {
		case name == "-":
			in.tagged = true
		case source == "form":
			in.tagged = true
			if in.form == nil {
				in.form = &Schema{Type: "object", Properties: map[string]*Schema{}}
			}
			in.form.Properties[name] = in.withoutNull(f)
		case source != "":
			in.tagged = true
			schema := in.withoutNull(f)
			p := &Parameter{Name: name, In: source, Description: schema.Description, Required: source == "path", Schema: schema}
			schema.Description = ""
			in.params = append(in.params, p)
		case f.Anonymous:
			in.walk(f.Type)
		}
	}
}

// withoutNull is the schema of a parameter, which is there or not, but never
// null.
func (in *input) withoutNull(f reflect.StructField) *Schema {
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

// sourceOf returns where a field comes from, and its name there.
func sourceOf(f reflect.StructField) (source, name string) {
	for _, source := range []string{"path", "param", "query", "header", "cookie", "form"} {
		if tag, ok := f.Tag.Lookup(source); ok {
			name, _, _ := strings.Cut(tag, ",")
			if source == "param" {
				source = "path"
			}
			return source, name
		}
	}
	return "", ""
}

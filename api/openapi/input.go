package openapi

import (
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/shape"
)

// An input collects the parameters and the body of a handler's input type.
type input struct {
	*schemas
	params   []*Parameter
	body     reflect.Type // the type of the field for the body
	required bool         // the body is required
	oneForm  bool         // all media types of the body have the same schema
	form     *Schema
	tagged   bool // a field has a tag for its source
	others   bool // a field collects the parameters that match no other field
}

// read collects the fields of t. A parameter with several fields is listed once.
func (in *input) read(t reflect.Type) {
	s := shape.Of(t)
	if s.Kind != shape.Struct {
		return
	}
	request := s.Request()
	in.tagged = len(request.Params) > 0 || len(request.Bodies) > 0
	for _, body := range request.Bodies {
		in.body = body.Field.Shape.Type
		types, _ := body.Field.BodyTypes()
		in.oneForm = types != nil
		in.required = in.body.Kind() != reflect.Func && !optional(body.Field.Shape)
	}
	needed := neededBy(s)
	for i := range request.Params {
		p := &request.Params[i]
		if p.Name == "*" && (p.Source == shape.FromQuery || p.Source == shape.FromForm) {
			in.rest(p)
			continue
		}
		schema := in.parameter(p.Field)
		required := p.Source == shape.FromPath || p.Field.RequiredParam() || needed[p.Name] == p.Source
		if p.Source == shape.FromForm {
			if in.form == nil {
				in.form = &Schema{Type: "object", Properties: map[string]*Schema{}}
			}
			in.form.Properties[p.Name] = schema
			if required {
				in.form.Required = append(in.form.Required, p.Name)
			}
			continue
		}
		if in.has(string(p.Source), p.Name) || p.Source == shape.FromHeader && slices.Contains(notParameters, http.CanonicalHeaderKey(p.Name)) {
			continue
		}
		param := &Parameter{Name: p.Spelling(), In: string(p.Source), Description: schema.Description, Required: required, Schema: schema}
		if schema.Type == "array" && p.Source == shape.FromCookie {
			// The default, explode, would join several cookies with an ampersand. In the path and the header,
			// the default is a list with commas too, and in the query it is a parameter for each element.
			param.Style, param.Explode = "form", new(bool)
		}
		in.params = append(in.params, param)
		schema.Description = ""
	}
}

// notParameters are header fields that a document must not list as parameters, because media types
// and security schemes describe them (OpenAPI 3.1, Parameter Object).
var notParameters = []string{"Accept", "Authorization", "Content-Type"}

// rest describes a field for all parameters that have no field of their own.
func (in *input) rest(p *shape.Param) {
	values := &Schema{Type: "array", Items: &Schema{Type: "string"}}
	if p.Source == shape.FromForm {
		if in.form == nil {
			in.form = &Schema{Type: "object", Properties: map[string]*Schema{}}
		}
		in.form.AdditionalProperties = values
		return
	}
	in.others = true
	explode := true
	in.params = append(in.params, &Parameter{
		Name: strings.ToLower(p.Field.Name), In: "query", Style: "form", Explode: &explode, Description: p.Field.Doc(),
		Schema: &Schema{Type: "object", AdditionalProperties: values},
	})
}

// neededBy returns the parameters that are optional by type but required by a limit, with the
// source of each.
func neededBy(s *shape.Shape) map[string]shape.Source {
	needed := map[string]shape.Source{}
	program, err := limit.Params(s)
	if err != nil {
		return needed // not reached: a handler with such a type cannot be registered
	}
	withDefault := map[string]bool{}
	for _, p := range s.Request().Params {
		if _, ok := p.Field.Default(); ok {
			withDefault[p.Name] = true
		}
	}
	for _, v := range program.Check(reflect.New(s.Type).Interface(), limit.Unlimited()) {
		if !withDefault[v.Path] {
			needed[v.Path] = v.Source
		}
	}
	return needed
}

func (in *input) has(source, name string) bool {
	return slices.ContainsFunc(in.params, func(p *Parameter) bool {
		return p.In == source && (p.Name == name || source == "header" && strings.EqualFold(p.Name, name))
	})
}

package openapi

import (
	"maps"
	"reflect"
	"slices"

	"github.com/hone-go/hone/api"
)

// Version30 returns the document in the terms of OpenAPI 3.0.4
// (https://spec.openapis.org/oas/v3.0.4.html), for tools that do not know 3.1. It shares no schemas
// with d, which stays unchanged.
//
// A value that may be null has the keyword nullable, or an alternative that matches null. The result leaves
// out the parts that 3.0 cannot express: the constraints on the names of a map's members, all examples but
// the first, and the scopes of security schemes other than OAuth 2 and OpenID Connect. So it may allow more
// than d.
//
// Operations with other methods, and the flow of OAuth for devices, are extensions; see [Document.Extended].
func (d *Document) Version30() *Document {
	out := *d
	out.OpenAPI = "3.0.4"
	if l := d.Info.License; l != nil && l.Identifier != "" {
		license := License{Name: l.Name, URL: l.URL}
		if license.URL == "" {
			license.URL = "https://spdx.org/licenses/" + l.Identifier + ".html"
		}
		out.Info.License = &license
	}
	out.Self = ""
	out.Paths = map[string]PathItem{}
	for path, methods := range d.Paths {
		out.Paths[path] = PathItem{}
		for method, op := range methods {
			out.Paths[path][method] = op.version30(d.Components.SecuritySchemes)
		}
	}
	out.Components.Schemas = schemas30(d.Components.Schemas)
	out.Components.SecuritySchemes = schemesWith(d.Components.SecuritySchemes, func(f *Flows) {
		f.DeviceAuthorization, f.XDeviceAuthorization = nil, deviceFlow(f)
	})
	return &out
}

func (o *Operation) version30(schemes map[string]*SecurityScheme) *Operation {
	if o == nil {
		return nil
	}
	out := *o
	out.Security = nil
	for _, requirement := range o.Security {
		r := Requirement{}
		for name, scopes := range requirement {
			if scheme := schemes[name]; scheme != nil && scheme.Flows == nil && scheme.OpenIDConnectURL == "" {
				scopes = []string{}
			}
			r[name] = scopes
		}
		out.Security = append(out.Security, r)
	}
	out.Parameters = nil
	for _, p := range o.Parameters {
		if p != nil {
			parameter := *p
			parameter.Schema = p.Schema.version30()
			p = &parameter
		}
		out.Parameters = append(out.Parameters, p)
	}
	if o.RequestBody != nil {
		out.RequestBody = &RequestBody{o.RequestBody.Required, content30(o.RequestBody.Content)}
	}
	out.Responses = map[string]*Response{}
	for status, r := range o.Responses {
		out.Responses[status] = r.version30()
	}
	return &out
}

func (r *Response) version30() *Response {
	if r == nil {
		return nil
	}
	out := *r
	out.Content = content30(r.Content)
	out.Headers = maps.Clone(r.Headers)
	for name, h := range r.Headers {
		if h != nil {
			header := *h
			header.Schema = h.Schema.version30()
			out.Headers[name] = &header
		}
	}
	return &out
}

func content30(content map[string]Media) map[string]Media {
	if content == nil {
		return nil
	}
	out := map[string]Media{}
	for mediaType, m := range content {
		if mediaType == api.MediaTypeEvents {
			m = m.version31()
		}
		// 3.1 describes a file by its media type alone, and 3.0 by a schema.
		if m.Schema == nil && m.Events == nil {
			m.Schema = &Schema{Type: "string", Format: "binary"}
		}
		out[mediaType] = Media{Schema: m.Schema.version30(), Events: schemas30(m.Events)}
	}
	return out
}

func schemas30(all map[string]*Schema) map[string]*Schema {
	if all == nil {
		return nil
	}
	out := map[string]*Schema{}
	for name, s := range all {
		out[name] = s.version30()
	}
	return out
}

func list30(all []*Schema) []*Schema {
	var out []*Schema
	for _, s := range all {
		out = append(out, s.version30())
	}
	return out
}

// version30 returns the schema in the terms of OpenAPI 3.0.
func (s *Schema) version30() *Schema {
	if s == nil || s.False {
		return s
	}
	out := *s
	out.Properties = schemas30(s.Properties)
	out.Items = s.Items.version30()
	out.AdditionalProperties = s.AdditionalProperties.version30()
	out.AnyOf, out.OneOf = list30(s.AnyOf), list30(s.OneOf)
	out.PropertyNames, out.ContentMediaType, out.ContentSchema = nil, "", nil
	if s.ContentEncoding == "base64" {
		out.ContentEncoding, out.Format = "", "byte"
	}
	if len(s.Examples) > 0 {
		out.Example, out.Examples = s.Examples[0], nil
	}
	out.typeAndNull()
	// Keywords next to a reference are ignored in 3.0.
	if out.Ref != "" {
		if reflect.DeepEqual(out, Schema{Ref: out.Ref}) {
			return &out
		}
		out.AllOf, out.Ref = []*Schema{{Ref: out.Ref}}, ""
	}
	return &out
}

// typeAndNull replaces the type null by the keyword nullable.
func (s *Schema) typeAndNull() {
	if _, one := s.Type.(string); !one && s.Type != nil {
		several := typeNames(s.Type)
		types := slices.DeleteFunc(slices.Clone(several), func(t string) bool { return t == "null" })
		s.Type, s.Nullable = nil, len(types) < len(several)
		switch {
		case len(types) == 1:
			s.Type = types[0]
		case len(types) > 1:
			for _, t := range types {
				s.AnyOf = append(s.AnyOf, &Schema{Type: t, Nullable: s.Nullable})
			}
			s.Nullable = false
		case s.Nullable:
			s.Type = "null"
		}
	}
	if s.Type == "null" {
		// The schema matches only null. It needs a type, because nullable has an effect only next to a type.
		s.Type, s.Nullable, s.Enum = "string", true, []any{nil}
	}
}

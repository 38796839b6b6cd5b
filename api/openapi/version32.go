package openapi

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hone-go/hone/api"
)

// Version32 returns the document in the terms of OpenAPI 3.2.0 (https://spec.openapis.org/oas/v3.2.0.html). It shares
// schemas with d, which stays unchanged.
//
// All methods have a place in their path items. Streams of events and of JSON lines have an itemSchema, and the schema
// of an event describes its fields. The flow of OAuth for devices is no longer an extension.
func (d *Document) Version32() *Document {
	out := *d
	out.OpenAPI = "3.2.0"
	out.Paths = map[string]PathItem{}
	for path, item := range d.Paths {
		out.Paths[path] = PathItem{}
		for key, op := range item {
			out.Paths[path][key] = op.version32()
		}
	}
	out.Components.SecuritySchemes = schemesWith(d.Components.SecuritySchemes, func(f *Flows) {
		f.DeviceAuthorization, f.XDeviceAuthorization = deviceFlow(f), nil
	})
	return &out
}

// schemesWith returns copies of the schemes, whose flows are changed by a function.
func schemesWith(all map[string]*SecurityScheme, change func(*Flows)) map[string]*SecurityScheme {
	out := maps.Clone(all)
	for name, s := range all {
		if s == nil || s.Flows == nil {
			continue
		}
		scheme, flows := *s, *s.Flows
		change(&flows)
		scheme.Flows = &flows
		out[name] = &scheme
	}
	return out
}

// deviceFlow returns the flow for devices in a document of any version.
func deviceFlow(f *Flows) *Flow {
	if f.DeviceAuthorization != nil {
		return f.DeviceAuthorization
	}
	return f.XDeviceAuthorization
}

func (o *Operation) version32() *Operation {
	if o == nil {
		return nil
	}
	out := *o
	if o.RequestBody != nil {
		out.RequestBody = &RequestBody{o.RequestBody.Required, content32(o.RequestBody.Content)}
	}
	out.Responses = map[string]*Response{}
	for status, r := range o.Responses {
		if r != nil {
			response := *r
			response.Content = content32(r.Content)
			r = &response
		}
		out.Responses[status] = r
	}
	return &out
}

func content32(content map[string]Media) map[string]Media {
	out := maps.Clone(content)
	for mediaType, m := range content {
		switch array := content["application/json"].Schema; {
		case m.ItemSchema != nil:
		case mediaType == api.MediaTypeEvents:
			out[mediaType] = Media{ItemSchema: itemOf(m)}
		case mediaType == api.MediaTypeNDJSON && array != nil:
			m.ItemSchema = array.Items
			out[mediaType] = m
		}
	}
	return out
}

// itemOf describes an event of a stream that m describes in the terms of OpenAPI 3.1: the fields of the event, whose data
// is a string.
func itemOf(m Media) *Schema {
	if len(m.Events) == 0 {
		return eventSchema(&Schema{Type: "string"})
	}
	var all []*Schema
	for _, name := range slices.Sorted(maps.Keys(m.Events)) {
		s := eventSchema(&Schema{Type: "string", ContentMediaType: "application/json", ContentSchema: m.Events[name]})
		switch {
		case name != "":
			s.Properties["event"] = &Schema{Type: "string", Enum: []any{name}}
			s.Required = append(s.Required, "event")
		case len(m.Events) > 1:
			s.Properties["event"] = &Schema{False: true}
		}
		all = append(all, s)
	}
	if len(all) == 1 {
		return all[0]
	}
	return &Schema{OneOf: all}
}

// eventSchema describes the fields of an event (https://html.spec.whatwg.org/multipage/server-sent-events.html) with
// the given data.
func eventSchema(data *Schema) *Schema {
	return &Schema{Type: "object", Required: []string{"data"}, Properties: map[string]*Schema{
		"data": data, "event": {Type: "string"}, "id": {Type: "string"}, "retry": {Type: "integer", Minimum: "0"},
	}}
}

// version31 returns a stream of events in the terms of OpenAPI 3.1: the schema of the data of all events, and the types
// of events by name.
func (m Media) version31() Media {
	if m.ItemSchema == nil || m.Schema != nil {
		return m
	}
	alternatives := slices.Concat(m.ItemSchema.OneOf, m.ItemSchema.AnyOf)
	if alternatives == nil {
		alternatives = []*Schema{m.ItemSchema}
	}
	types := map[string]*Schema{}
	for _, s := range alternatives {
		if s == nil {
			continue
		}
		data, name := s.Properties["data"], ""
		if event := s.Properties["event"]; event != nil && len(event.Enum) == 1 {
			name = fmt.Sprint(event.Enum[0])
		}
		if data != nil && data.ContentSchema != nil {
			types[name] = data.ContentSchema
		}
	}
	if len(types) == 0 {
		return Media{Schema: &Schema{Type: "string"}}
	}
	return eventMedia(types)
}

// eventMedia describes a stream of events in the terms of OpenAPI 3.1.
func eventMedia(types map[string]*Schema) Media {
	m := Media{Schema: &Schema{}, Events: types}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		m.Schema.OneOf = append(m.Schema.OneOf, types[name])
	}
	if len(m.Schema.OneOf) == 1 {
		m.Schema = m.Schema.OneOf[0]
	}
	return m
}

package openapi

import (
	"fmt"
	"strconv"
)

// complete returns an error if an element of a list or a map of the document is null. A
// document from another program may have such elements.
func (d *Document) complete() error {
	c := nullFinder{met: map[*Schema]bool{}}
	walkMap(&c, "components.schemas", d.Components.Schemas, c.schema)
	walkMap(&c, "components.securitySchemes", d.Components.SecuritySchemes, nil)
	for path, methods := range d.Paths {
		walkMap(&c, "paths."+path, methods, c.operation)
	}
	if c.found != "" {
		return fmt.Errorf("openapi: %s is null", c.found)
	}
	return nil
}

// A nullFinder walks through a document. It records the first null in alphabetical order, so that
// the error does not depend on the order of maps.
type nullFinder struct {
	found string
	met   map[*Schema]bool
}

// walkMap calls walk for the elements of a map that are not nil, and records the nil elements.
func walkMap[T any](c *nullFinder, at string, m map[string]*T, walk func(at string, v *T)) {
	for key, v := range m {
		at := at + "." + key
		switch {
		case v == nil && (c.found == "" || at < c.found):
			c.found = at
		case v != nil && walk != nil:
			walk(at, v)
		}
	}
}

// walkList is like walkMap, for a list.
func walkList[T any](c *nullFinder, at string, s []*T, walk func(at string, v *T)) {
	m := map[string]*T{}
	for i, v := range s {
		m[strconv.Itoa(i)] = v
	}
	walkMap(c, at, m, walk)
}

func (c *nullFinder) operation(at string, op *Operation) {
	walkList(c, at+".parameters", op.Parameters, func(at string, p *Parameter) { c.schema(at+".schema", p.Schema) })
	if op.RequestBody != nil {
		c.content(at+".requestBody.content", op.RequestBody.Content)
	}
	walkMap(c, at+".responses", op.Responses, func(at string, r *Response) {
		walkMap(c, at+".headers", r.Headers, func(at string, h *Header) { c.schema(at+".schema", h.Schema) })
		c.content(at+".content", r.Content)
	})
}

func (c *nullFinder) content(at string, content map[string]Media) {
	for mediaType, m := range content {
		c.schema(at+"."+mediaType+".schema", m.Schema)
		c.schema(at+"."+mediaType+".itemSchema", m.ItemSchema)
		walkMap(c, at+"."+mediaType+".x-events", m.Events, c.schema)
	}
}

// schema walks through a schema, which may be nil: most schemas are optional.
func (c *nullFinder) schema(at string, s *Schema) {
	if s == nil || c.met[s] {
		return
	}
	c.met[s] = true
	walkMap(c, at+".properties", s.Properties, c.schema)
	walkList(c, at+".anyOf", s.AnyOf, c.schema)
	walkList(c, at+".oneOf", s.OneOf, c.schema)
	c.schema(at+".items", s.Items)
	c.schema(at+".contentSchema", s.ContentSchema)
	c.schema(at+".additionalProperties", s.AdditionalProperties)
	c.schema(at+".propertyNames", s.PropertyNames)
}

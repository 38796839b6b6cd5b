package apidiff

import (
	"maps"
	"slices"
)

func (c *comparison) requestBody(a, b operation) {
	p, q := c.older.resolve(a.of["requestBody"]), c.newer.resolve(b.of["requestBody"])
	switch {
	case p == nil && q == nil:
		return
	case p == nil && yes(q["required"]):
		c.breaks("a body is now required")
		return
	case p == nil:
		c.note("a body is now allowed")
		return
	case q == nil:
		c.breaks("a body is no longer accepted")
		return
	case yes(q["required"]) && !yes(p["required"]):
		c.breaks("the body is now required")
	case yes(p["required"]) && !yes(q["required"]):
		c.note("the body is no longer required")
	}
	c.media(object(p["content"]), object(q["content"]), "the body is no longer accepted as %s", "the body is also accepted as %s", func(mediaType string, was, is any) {
		c.request("the body", was, is)
	})
}

// media compares the schemas for each media type. If several media types have the same change, the
// change is recorded once.
func (c *comparison) media(older, newer map[string]any, gone, added string, compare func(mediaType string, was, is any)) {
	before := len(c.changes)
	for _, mediaType := range slices.Sorted(maps.Keys(older)) {
		q, ok := newer[mediaType]
		if !ok {
			c.breaks(gone, mediaType)
			continue
		}
		was, has := c.older.schemaIn(mediaType, object(older[mediaType]))
		is, stillHas := c.newer.schemaIn(mediaType, object(q))
		if has && stillHas {
			compare(mediaType, was, is)
		}
	}
	c.changes = append(c.changes[:before], unique(c.changes[before:])...)
	for _, mediaType := range slices.Sorted(maps.Keys(newer)) {
		if _, ok := older[mediaType]; !ok {
			c.note(added, mediaType)
		}
	}
}

// schemaIn returns the schema of a body of a media type. For a stream of events, it is the schema of the data of all
// events, which OpenAPI 3.2 has in the schema of an event. For any other stream whose elements have a schema, it is the
// schema of an array of them.
func (d *document) schemaIn(mediaType string, media map[string]any) (schema any, ok bool) {
	if schema, ok = media["schema"]; ok {
		return schema, true
	}
	item, ok := media["itemSchema"]
	if !ok {
		return nil, false
	}
	made := map[string]any{"type": "array", "items": item}
	if mediaType == "text/event-stream" {
		made = d.eventData(item)
	}
	d.made = append(d.made, made)
	return made, true
}

// eventData returns the schema of the data of the events that item describes.
func (d *document) eventData(item any) map[string]any {
	event := d.resolve(item)
	alternatives := slices.Concat(list(event["oneOf"]), list(event["anyOf"]))
	if len(alternatives) == 0 {
		alternatives = []any{event}
	}
	var all []any
	for _, one := range alternatives {
		data := d.resolve(object(d.resolve(one)["properties"])["data"])
		if content, ok := data["contentSchema"]; ok {
			all = append(all, content)
		} else if data != nil {
			all = append(all, data)
		}
	}
	if len(all) == 1 {
		if only := object(all[0]); only != nil {
			return only
		}
	}
	return map[string]any{"oneOf": all}
}

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
		was, has := object(older[mediaType])["schema"]
		is, stillHas := object(q)["schema"]
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

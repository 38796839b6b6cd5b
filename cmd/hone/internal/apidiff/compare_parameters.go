package apidiff

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// parameters returns the parameters of an operation. The keys are the descriptions of parameters in
// messages.
func (d *document) parameters(op operation) map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, p := range slices.Concat(list(op.path["parameters"]), list(op.of["parameters"])) {
		p := d.resolve(p)
		in, name := text(p["in"]), text(p["name"])
		key := "the " + in + " parameter " + name
		switch in {
		case "header":
			key = "the header field " + strings.ToLower(name)
		case "cookie":
			key = "the cookie " + name
		case "path": // identified by its position, because clients do not send its name
			key = fmt.Sprintf("the path parameter %d", slices.Index(op.names, name)+1)
		}
		out[key] = p
	}
	return out
}

func (c *comparison) parameters(a, b operation) {
	older, newer := c.older.parameters(a), c.newer.parameters(b)
	for _, key := range slices.Sorted(maps.Keys(older)) {
		p, q := older[key], newer[key]
		switch {
		case q == nil && strings.HasPrefix(key, "the path"):
			continue
		case q == nil:
			c.breaks("%s was removed", key)
			continue
		case yes(q["required"]) && !yes(p["required"]):
			c.breaks("%s is now required", key)
		case yes(p["required"]) && !yes(q["required"]):
			c.note("%s is no longer required", key)
		}
		for _, keyword := range []string{"style", "explode", "allowReserved"} {
			if was, is := serialization(p, keyword), serialization(q, keyword); was != is {
				c.breaks("the encoding of %s has changed: %s was %v and is now %v", key, keyword, was, is)
			}
		}
		c.request(key, schemaOf(p), schemaOf(q))
	}
	for _, key := range slices.Sorted(maps.Keys(newer)) {
		switch {
		case older[key] != nil || strings.HasPrefix(key, "the path"):
		case yes(newer[key]["required"]):
			c.breaks("%s is new and required", key)
		default:
			c.note("%s is new and optional", key)
		}
	}
}

// serialization returns a keyword of a parameter, or its default.
func serialization(p map[string]any, keyword string) any {
	if v := p[keyword]; v != nil {
		return v
	}
	form := text(p["in"]) == "query" || text(p["in"]) == "cookie"
	switch keyword {
	case "style":
		return map[bool]string{true: "form", false: "simple"}[form]
	case "explode":
		style := serialization(p, "style")
		return style == "form"
	}
	return false
}

// schemaOf returns the schema of a parameter or a header: the member schema, or else the schema of
// the only media type in the member content.
func schemaOf(p map[string]any) any {
	if s, ok := p["schema"]; ok {
		return s
	}
	for _, media := range object(p["content"]) {
		return object(media)["schema"]
	}
	return nil
}

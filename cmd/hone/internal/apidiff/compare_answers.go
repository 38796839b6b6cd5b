package apidiff

import (
	"maps"
	"slices"
	"strings"
)

func (c *comparison) responses(a, b operation) {
	older, newer := object(a.of["responses"]), object(b.of["responses"])
	success := func(status string) bool { return status[0] == '2' || status[0] == '3' }
	for _, status := range slices.Sorted(maps.Keys(older)) {
		if status == "" || strings.HasPrefix(status, "x-") {
			continue
		}
		what := "the answer of status " + status
		if status == "default" {
			what = "the answer of any other status"
		}
		p := c.older.resolve(older[status])
		q := c.newer.resolve(newer[status])
		switch {
		case q == nil && success(status):
			c.breaks("there is no longer an answer of status %s", status)
			continue
		case q == nil:
			c.note("there is no longer an answer of status %s", status)
			continue
		}
		c.media(object(p["content"]), object(q["content"]), what+" is no longer available as %s", what+" is also available as %s", func(_ string, was, is any) {
			c.response(what, was, is)
		})
		c.headers(what, object(p["headers"]), object(q["headers"]))
	}
	for _, status := range slices.Sorted(maps.Keys(newer)) {
		if _, ok := older[status]; !ok && status != "" {
			c.note("there is now an answer of status %s", status)
		}
	}
}

func (c *comparison) headers(what string, older, newer map[string]any) {
	lower := map[string]any{}
	for name, h := range newer {
		lower[strings.ToLower(name)] = h
	}
	for _, name := range slices.Sorted(maps.Keys(older)) {
		p, q := c.older.resolve(older[name]), c.newer.resolve(lower[strings.ToLower(name)])
		switch {
		case q == nil && yes(p["required"]):
			c.breaks("%s no longer has the header field %s", what, name)
		case q == nil:
			c.note("%s no longer has the optional header field %s", what, name)
		default:
			if yes(p["required"]) && !yes(q["required"]) {
				c.breaks("the header field %[2]s of %[1]s may now be missing", what, name)
			}
			c.response(what+": the header field "+name, schemaOf(p), schemaOf(q))
		}
	}
}

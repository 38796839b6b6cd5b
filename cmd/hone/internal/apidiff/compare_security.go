package apidiff

import (
	"maps"
	"slices"
	"strings"
)

// security compares the security requirements of a request.
func (c *comparison) security(a, b operation) {
	older, newer := c.older.security(a), c.newer.security(b)
	for _, was := range older {
		met := slices.ContainsFunc(newer, func(is map[string][]string) bool {
			for scheme, scopes := range is {
				had, ok := was[scheme]
				if !ok || slices.ContainsFunc(scopes, func(s string) bool { return !slices.Contains(had, s) }) {
					return false
				}
			}
			return true
		})
		switch {
		case met:
		case len(was) == 0:
			c.breaks("a request must now be authenticated")
		default:
			c.breaks("a request that is authenticated by %s is now refused", strings.Join(slices.Sorted(maps.Keys(was)), " and "))
		}
	}
	for _, was := range older {
		for _, name := range slices.Sorted(maps.Keys(was)) {
			p := c.older.resolve(c.older.component("securitySchemes", name))
			q := c.newer.resolve(c.newer.component("securitySchemes", name))
			for _, keyword := range []string{"type", "in", "name", "scheme"} {
				if p != nil && q != nil && text(p[keyword]) != text(q[keyword]) {
					c.breaks("the %[2]s of the security scheme %[1]s was %[4]q and is now %[3]q", name, keyword, text(q[keyword]), text(p[keyword]))
				}
			}
		}
	}
}

func (d *document) component(kind, name string) any {
	return object(object(d.root["components"])[kind])[name]
}

// security returns the alternatives of an operation. Each alternative has the scopes of its
// schemes.
func (d *document) security(op operation) (out []map[string][]string) {
	all, ok := op.of["security"].([]any)
	if !ok {
		all = list(d.root["security"])
	}
	for _, one := range all {
		needs := map[string][]string{}
		for scheme, scopes := range object(one) {
			needs[scheme] = nil
			for _, s := range list(scopes) {
				needs[scheme] = append(needs[scheme], text(s))
			}
		}
		out = append(out, needs)
	}
	if len(out) == 0 {
		out = append(out, map[string][]string{})
	}
	return out
}

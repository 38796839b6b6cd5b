// Package apidiff compares two OpenAPI documents, of version 3.0 or 3.1. It classifies each change
// by its effect on clients that were written for the older document.
package apidiff

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Change is one difference.
type Change struct {
	Breaks bool   // the change breaks clients that follow the older document
	Where  string // an operation, such as "GET /v1/hosts"; "" for the document
	Text   string // a sentence
}

// Compare returns the differences between two documents in the order of operations. The documents
// have the types that package encoding/json decodes into an any. A reference to another document is
// compared by its name alone. For a pair of schemas, Compare returns at most 1,000 differences. If
// there are more, a breaking Change reports that the others are omitted. The error reports a value that
// is not an OpenAPI 3 document, or schemas that are too complex to compare.
func Compare(older, newer any) ([]Change, error) {
	c := &comparison{older: &document{root: object(older)}, newer: &document{root: object(newer)}}
	for _, d := range []*document{c.older, c.newer} {
		if version, _ := d.root["openapi"].(string); !strings.HasPrefix(version, "3.") {
			return nil, fmt.Errorf("not an OpenAPI 3 document (openapi: %q)", version)
		}
	}
	c.operations()
	if c.tangled() {
		return nil, errTangled
	}
	return c.changes, nil
}

// tangled reports whether the comparison has taken too many steps. If it has, its result must not be
// used.
func (c *comparison) tangled() bool {
	return c.steps > maxSteps || c.older.work > maxWork || c.newer.work > maxWork
}

var errTangled = errors.New("the schemas refer to each other in too many ways to be compared")

const (
	maxSteps    = 10_000_000 // the maximum number of comparisons of schemas and variants, which may grow exponentially
	maxDepth    = 60         // the maximum nesting of schemas; deeper schemas count as equal
	maxWithin   = 1000       // the maximum nesting of references, allOf, anyOf and oneOf in one schema
	maxWork     = 40_000_000 // the maximum number of parts of variants that are copied or compared for one document
	maxFindings = 1000       // the maximum number of findings of one pair of schemas
	maxPaths    = 32 << 20   // the maximum number of bytes of the paths of all findings
)

type comparison struct {
	older, newer *document
	changes      []Change
	where        string
	steps        int
	paths        int // total bytes of the paths that beneath has built
}

// A document is one of the two documents.
type document struct {
	root  map[string]any
	flat  map[uintptr][]*variant // caches the results of the method variants, by the address of the schema
	known map[uintptr][]*variant // caches the results of the method variantsOf, by the address of the schema
	work  int                    // parts of variants that were copied; see variant.size
}

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }
func list(v any) []any            { l, _ := v.([]any); return l }
func text(v any) string           { s, _ := v.(string); return s }
func yes(v any) bool              { b, _ := v.(bool); return b }

// resolve follows references within the document. It returns nil if the target does not exist.
func (d *document) resolve(v any) map[string]any {
	m := object(v)
	for range 50 {
		ref, ok := m["$ref"].(string)
		if !ok {
			return m
		}
		next := d.target(ref)
		if next == nil {
			return m
		}
		m = next
	}
	return nil
}

// target returns the value at the JSON Pointer in the fragment of a reference.
func (d *document) target(ref string) map[string]any {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	var v any = d.root
	for part := range strings.SplitSeq(path, "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}", "%20", " ").Replace(part)
		switch at := v.(type) {
		case map[string]any:
			v = at[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(at) {
				return nil
			}
			v = at[i]
		default:
			return nil
		}
	}
	return object(v)
}

func (c *comparison) breaks(format string, args ...any) {
	c.changes = append(c.changes, Change{true, c.where, fmt.Sprintf(format, args...)})
}

func (c *comparison) note(format string, args ...any) {
	c.changes = append(c.changes, Change{false, c.where, fmt.Sprintf(format, args...)})
}

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// An operation is one method of a path.
type operation struct {
	name  string // the method and path as in the document
	of    map[string]any
	path  map[string]any // the path item
	names []string       // the names of the path's parameters
}

// operations returns the operations of a document. The keys are the method and the path without the
// names of its parameters.
func (d *document) operations() map[string]operation {
	out := map[string]operation{}
	for path, item := range object(d.root["paths"]) {
		item := d.resolve(item)
		var key strings.Builder
		var names []string
		rest := path
		for {
			before, behind, ok := strings.Cut(rest, "{")
			key.WriteString(before)
			if !ok {
				break
			}
			name, after, _ := strings.Cut(behind, "}")
			names = append(names, name)
			key.WriteString("{}")
			rest = after
		}
		for _, method := range methods {
			if of := object(item[method]); of != nil {
				name := strings.ToUpper(method)
				out[key.String()+" "+name] = operation{name + " " + path, of, item, names}
			}
		}
	}
	return out
}

func (c *comparison) operations() {
	older, newer := c.older.operations(), c.newer.operations()
	for _, key := range slices.Sorted(maps.Keys(older)) {
		a := older[key]
		c.where = a.name
		b, ok := newer[key]
		if !ok {
			c.breaks("the operation was removed")
			continue
		}
		if yes(b.of["deprecated"]) && !yes(a.of["deprecated"]) {
			c.note("it is now deprecated")
		}
		if was, is := text(a.of["operationId"]), text(b.of["operationId"]); was != is && was != "" {
			c.note("its operationId was %q and is now %q: the method of generated clients has another name", was, is)
		}
		c.parameters(a, b)
		c.requestBody(a, b)
		c.responses(a, b)
		c.security(a, b)
	}
	for _, key := range slices.Sorted(maps.Keys(newer)) {
		if _, ok := older[key]; !ok {
			c.where = newer[key].name
			c.note("the operation is new")
		}
	}
}

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

func unique(changes []Change) []Change {
	var out []Change
	for _, change := range changes {
		if !slices.Contains(out, change) {
			out = append(out, change)
		}
	}
	return out
}

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

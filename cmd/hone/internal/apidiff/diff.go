// Package apidiff compares two OpenAPI documents, of versions 3.0 to 3.2. It classifies each change
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
	made  []map[string]any       // the schemas that schemaIn has made, whose addresses must stay unique
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

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// methodsOf returns the operations of a path item by method. OpenAPI 3.2 has other methods in additionalOperations. Hone
// has them in an extension in documents of older versions.
func methodsOf(item map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, method := range methods {
		if of := object(item[method]); of != nil {
			out[strings.ToUpper(method)] = of
		}
	}
	for _, name := range []string{"additionalOperations", "x-additional-operations"} {
		for method, of := range object(item[name]) {
			if of := object(of); of != nil {
				out[method] = of
			}
		}
	}
	return out
}

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
		for method, of := range methodsOf(item) {
			out[key.String()+" "+method] = operation{method + " " + path, of, item, names}
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

func unique(changes []Change) []Change {
	var out []Change
	for _, change := range changes {
		if !slices.Contains(out, change) {
			out = append(out, change)
		}
	}
	return out
}

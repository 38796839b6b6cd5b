package apidiff

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A variant is a set of values that a schema allows: values of some types that satisfy all
// keywords. The values of a schema are the values of all its variants.
type variant struct {
	label      string                 // the name of the schema, if it has one
	types      []string               // nil for any type
	enum       []any                  // nil for any value
	limits     map[string][]any       // other keywords that limit values, by name
	properties map[string]*schemaList // the properties of an object
	required   []string
	others     *schemaList // the schemas of members that are not among the properties; nil for any value
	items      *schemaList // the schemas of the elements of an array
	odd        []string    // keywords that are not compared
}

// A schemaList is a list of schemas. Its values satisfy all of them.
type schemaList struct {
	all   []any
	never bool // no value satisfies them
}

// maxVariants is the maximum number of variants of a schema.
const maxVariants = 64

var never = &schemaList{never: true}

// variants returns variants for the values that satisfy all schemas in s.
func (d *document) variants(s *schemaList) []*variant {
	if s == nil {
		return []*variant{{}}
	}
	if s.never {
		return nil
	}
	if len(s.all) == 1 {
		if m, ok := s.all[0].(map[string]any); ok {
			key := reflect.ValueOf(m).Pointer()
			if known, ok := d.flat[key]; ok {
				return known
			}
			out, _ := d.flatten(s.all, nil)
			if d.flat == nil {
				d.flat = map[uintptr][]*variant{}
			}
			d.flat[key] = out
			return out
		}
	}
	out, _ := d.flatten(s.all, nil)
	return out
}

// flatten computes the variants of schemas. within identifies the enclosing schemas, the outermost
// first. If the schemas contain enclosing schemas, the result depends on those, and cycle is the
// smallest index in within of such a schema. Otherwise cycle is at least len(within).
func (d *document) flatten(all []any, within []uintptr) (out []*variant, cycle int) {
	out, cycle = []*variant{{}}, len(within)
	for _, one := range all {
		variants, to := d.variantsOf(one, within)
		out, cycle = d.product(out, variants), min(cycle, to)
	}
	return out, cycle
}

// product returns the combinations of a variant of a and a variant of b, at most maxVariants.
func (d *document) product(a, b []*variant) []*variant {
	var out []*variant
	for _, v := range a {
		for _, w := range b {
			if d.work += v.size() + w.size() + v.common(w); d.work > maxWork || len(out) == maxVariants {
				return out
			}
			if both := v.intersect(w); both != nil {
				out = append(out, both)
			}
		}
	}
	return out
}

// size returns the number of parts of a variant. Copying the variant takes time in proportion to it.
func (v *variant) size() int {
	n := 10 + len(v.enum) + len(v.required) + len(v.odd)
	for _, values := range v.limits {
		n += len(values)
	}
	for _, schemas := range v.properties {
		n += 1 + len(schemas.all)
	}
	return n
}

// common returns the maximum number of comparisons that v.intersect(w) makes.
func (v *variant) common(w *variant) int {
	n := len(v.enum) * len(w.enum)
	for name, values := range v.limits {
		n += len(values) * len(w.limits[name])
	}
	for name, schemas := range v.properties {
		if other := w.properties[name]; other != nil {
			n += len(schemas.all) * len(other.all)
		}
	}
	return n
}

// variantsOf returns the variants of a schema. Its result cycle has the same meaning as in flatten.
// variantsOf caches a result that does not depend on the enclosing schemas.
func (d *document) variantsOf(schema any, within []uintptr) (out []*variant, cycle int) {
	m, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return nil, len(within)
		}
		return []*variant{{}}, len(within)
	}
	at := reflect.ValueOf(m).Pointer()
	if known, ok := d.known[at]; ok {
		return known, len(within)
	}
	if i := slices.Index(within, at); i >= 0 {
		return []*variant{{}}, i // the schema contains itself, which adds no condition
	}
	if d.work += 50 + len(within); d.work > maxWork || len(within) > maxWithin {
		return []*variant{{}}, 0
	}
	out, cycle = d.combined(m, append(slices.Clip(within), at))
	if cycle >= len(within) {
		if d.known == nil {
			d.known = map[uintptr][]*variant{}
		}
		d.known[at] = out
	}
	return out, cycle
}

// combined returns the variants of the schema m, and cycle as flatten does. The last element of within
// identifies m.
func (d *document) combined(m map[string]any, within []uintptr) (out []*variant, cycle int) {
	cycle = len(within)
	own := d.keywords(m)
	out = []*variant{own}
	if ref, ok := m["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		target := d.target(ref)
		if target == nil {
			own.limits = map[string][]any{"$ref": {ref}} // a reference to another document
		} else {
			variants, to := d.variantsOf(target, within)
			d.work += len(variants)
			there := make([]*variant, len(variants))
			for i, v := range variants {
				named := *v
				named.label = name
				there[i] = &named
			}
			out, cycle = d.product(out, there), min(cycle, to)
		}
	}
	if all := list(m["allOf"]); len(all) > 0 {
		variants, to := d.flatten(all, within)
		out, cycle = d.product(out, variants), min(cycle, to)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if several, ok := m[keyword].([]any); ok {
			var any []*variant
			for _, one := range several {
				variants, to := d.variantsOf(one, within)
				any, cycle = append(any, variants...), min(cycle, to)
			}
			out = d.product(out, any)
		}
	}
	if yes(m["nullable"]) && own.types != nil { // only OpenAPI 3.0 has nullable
		out = append(out, &variant{types: []string{"null"}})
	}
	return out, cycle
}

// limiting are the keywords of numbers, strings and arrays that are compared one by one.
var limiting = []string{
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format",
	"contentEncoding", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
}

// keywords returns the variant of a schema. It ignores the keywords that combine schemas.
func (d *document) keywords(m map[string]any) *variant {
	v := &variant{limits: map[string][]any{}}
	switch t := m["type"].(type) {
	case string:
		v.types = []string{t}
	case []any:
		v.types = []string{}
		for _, one := range t {
			v.types = append(v.types, text(one))
		}
	}
	if enum, ok := m["enum"].([]any); ok {
		v.enum = enum
	}
	if value, ok := m["const"]; ok {
		v.enum = []any{value}
	}
	for _, name := range limiting {
		if value, ok := m[name]; ok && value != false {
			v.limits[name] = []any{value}
		}
	}
	for _, name := range list(m["required"]) {
		v.required = append(v.required, text(name))
	}
	for name, schema := range object(m["properties"]) {
		if v.properties == nil {
			v.properties = map[string]*schemaList{}
		}
		v.properties[name] = &schemaList{all: []any{schema}}
	}
	switch others := m["additionalProperties"].(type) {
	case bool:
		if !others {
			v.others = never
		}
	case map[string]any:
		v.others = &schemaList{all: []any{others}}
	}
	if items, ok := m["items"]; ok {
		v.items = &schemaList{all: []any{items}}
	}
	for _, name := range []string{"not", "if", "then", "else", "patternProperties", "dependentRequired", "dependentSchemas",
		"propertyNames", "contains", "prefixItems", "unevaluatedProperties", "unevaluatedItems"} {
		if _, ok := m[name]; ok {
			v.odd = append(v.odd, name)
		}
	}
	return v
}

// intersect returns the intersection of two variants, or nil if it is empty.
func (v *variant) intersect(w *variant) *variant {
	out := &variant{label: v.label, types: v.types, enum: v.enum, limits: map[string][]any{}, items: both(v.items, w.items), others: both(v.others, w.others)}
	if out.label == "" {
		out.label = w.label
	}
	switch {
	case v.types == nil:
		out.types = w.types
	case w.types != nil:
		out.types = []string{}
		for _, t := range v.types {
			switch {
			case slices.Contains(w.types, t), t == "integer" && slices.Contains(w.types, "number"):
				out.types = append(out.types, t)
			case t == "number" && slices.Contains(w.types, "integer"):
				out.types = append(out.types, "integer")
			}
		}
		if len(out.types) == 0 && len(v.types)+len(w.types) > 0 {
			return nil
		}
	}
	switch {
	case v.enum == nil:
		out.enum = w.enum
	case w.enum != nil:
		out.enum = []any{}
		for _, e := range v.enum {
			if slices.ContainsFunc(w.enum, func(f any) bool { return reflect.DeepEqual(e, f) }) {
				out.enum = append(out.enum, e)
			}
		}
		if len(out.enum) == 0 {
			return nil
		}
	}
	for _, from := range []*variant{v, w} {
		for name, values := range from.limits {
			out.limits[name] = union(out.limits[name], values)
		}
		for name, schema := range from.properties {
			if out.properties == nil {
				out.properties = map[string]*schemaList{}
			}
			out.properties[name] = both(out.properties[name], schema)
		}
		out.required = append(out.required, from.required...)
		for _, name := range from.odd {
			if !slices.Contains(out.odd, name) {
				out.odd = append(out.odd, name)
			}
		}
	}
	slices.Sort(out.required)
	out.required = slices.Compact(out.required)
	return out
}

func both(a, b *schemaList) *schemaList {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.never || b.never:
		return never
	}
	return &schemaList{all: union(a.all, b.all)}
}

// union returns the values of a, and after them the values of b that a does not have.
func union(a, b []any) []any {
	all := slices.Clip(a)
	for _, one := range b {
		if !slices.ContainsFunc(all, func(other any) bool { return reflect.DeepEqual(one, other) }) {
			all = append(all, one)
		}
	}
	return all
}

// split returns a copy of the variant for each of its types, or the variant itself if it has no
// types. An enum without a type has the types of its values.
func (v *variant) split() []*variant {
	types := v.types
	if types == nil && v.enum != nil {
		met := map[string]bool{}
		for _, e := range v.enum {
			met[typeOf(e)] = true
		}
		types = slices.Sorted(maps.Keys(met))
	}
	if types == nil {
		return []*variant{v}
	}
	var out []*variant
	for _, t := range types {
		one := *v
		one.types = []string{t}
		if v.enum != nil {
			one.enum = []any{}
			for _, e := range v.enum {
				if is := typeOf(e); is == t || is == "integer" && t == "number" {
					one.enum = append(one.enum, e)
				}
			}
			if len(one.enum) == 0 {
				continue
			}
		}
		out = append(out, &one)
	}
	return out
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
	}
	return "number"
}

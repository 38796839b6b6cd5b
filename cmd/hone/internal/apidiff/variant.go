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
	label      string              // the name of the schema, if it has one
	types      []string            // nil for any type
	enum       []any               // nil for any value
	limits     map[string][]any    // other keywords that limit values, by name
	properties map[string]*several // the properties of an object
	required   []string
	others     *several // the schemas of members that are not among the properties; nil for any value
	items      *several // the schemas of the elements of an array
	odd        []string // keywords that are not compared
}

// A several is a list of schemas. Its values satisfy all of them.
type several struct {
	all   []any
	never bool // no value satisfies them
}

// maxVariants is the maximum number of variants of a schema.
const maxVariants = 64

var never = &several{never: true}

// variants returns the variants of schemas whose values satisfy all of them.
func (d *document) variants(s *several) []*variant {
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
			out := d.flatten(s.all, nil)
			if d.flat == nil {
				d.flat = map[uintptr][]*variant{}
			}
			d.flat[key] = out
			return out
		}
	}
	return d.flatten(s.all, nil)
}

// flatten computes the variants of schemas. Within identifies the enclosing schemas.
func (d *document) flatten(all []any, within []uintptr) []*variant {
	out := []*variant{{}}
	for _, one := range all {
		out = product(out, d.one(one, within))
	}
	return out
}

// product returns all combinations of a variant of a and a variant of b.
func product(a, b []*variant) []*variant {
	var out []*variant
	for _, v := range a {
		for _, w := range b {
			if both := v.and(w); both != nil && len(out) < maxVariants {
				out = append(out, both)
			}
		}
	}
	return out
}

func (d *document) one(schema any, within []uintptr) []*variant {
	m, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return nil
		}
		return []*variant{{}}
	}
	at := reflect.ValueOf(m).Pointer()
	if slices.Contains(within, at) || len(within) > maxDepth {
		return []*variant{{}} // a schema that contains itself adds no condition
	}
	within = append(slices.Clip(within), at)
	own := d.keywords(m)
	out := []*variant{own}
	if ref, ok := m["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		target := d.at(ref)
		if target == nil {
			own.limits = map[string][]any{"$ref": {ref}} // a reference to another document
		} else {
			there := d.one(target, within)
			for i, v := range there {
				named := *v
				named.label = name
				there[i] = &named
			}
			out = product(out, there)
		}
	}
	out = product(out, d.flatten(list(m["allOf"]), within))
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if several, ok := m[keyword].([]any); ok {
			var any []*variant
			for _, one := range several {
				any = append(any, d.one(one, within)...)
			}
			out = product(out, any)
		}
	}
	if yes(m["nullable"]) && own.types != nil { // nullable exists in OpenAPI 3.0
		out = append(out, &variant{types: []string{"null"}})
	}
	return out
}

// limiting are the keywords of numbers, strings and arrays that are compared one by one.
var limiting = []string{
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format",
	"contentEncoding", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
}

// keywords returns the variant of a schema, without the keywords that combine schemas.
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
			v.properties = map[string]*several{}
		}
		v.properties[name] = &several{all: []any{schema}}
	}
	switch others := m["additionalProperties"].(type) {
	case bool:
		if !others {
			v.others = never
		}
	case map[string]any:
		v.others = &several{all: []any{others}}
	}
	if items, ok := m["items"]; ok {
		v.items = &several{all: []any{items}}
	}
	for _, name := range []string{"not", "if", "then", "else", "patternProperties", "dependentRequired", "dependentSchemas",
		"propertyNames", "contains", "prefixItems", "unevaluatedProperties", "unevaluatedItems"} {
		if _, ok := m[name]; ok {
			v.odd = append(v.odd, name)
		}
	}
	return v
}

// and returns the intersection of two variants, or nil if it is empty.
func (v *variant) and(w *variant) *variant {
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
			out.limits[name] = append(slices.Clip(out.limits[name]), values...)
		}
		for name, schema := range from.properties {
			if out.properties == nil {
				out.properties = map[string]*several{}
			}
			out.properties[name] = both(out.properties[name], schema)
		}
		out.required = append(out.required, from.required...)
		out.odd = append(out.odd, from.odd...)
	}
	slices.Sort(out.required)
	out.required = slices.Compact(out.required)
	return out
}

func both(a, b *several) *several {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.never || b.never:
		return never
	}
	all := slices.Clone(a.all)
	for _, one := range b.all {
		if !slices.ContainsFunc(all, func(other any) bool { return reflect.DeepEqual(one, other) }) {
			all = append(all, one)
		}
	}
	return &several{all: all}
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

package openapi

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

// jsonTags are names and options of json tags. Some of the names are not valid.
var jsonTags = []string{"", "a", "b", "c", "A", "F0", "F1", "-", "-,", "a,omitempty", ",string", "b,string", "c,omitzero",
	`a b!\"`, "x\\y", "é", ",", "a.b", "a,unknown,string"}

var leafTypes = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[float64](), reflect.TypeFor[*int](),
	reflect.TypeFor[[]int](), reflect.TypeFor[[2]int](), reflect.TypeFor[mo.Option[int]](), reflect.TypeFor[[]*int](),
}

// memberType returns a random struct type whose numbers all have the maximum 0.
func memberType(r *rand.Rand, depth int) reflect.Type {
	fields := make([]reflect.StructField, 1+r.IntN(4))
	for i := range fields {
		f := &fields[i]
		f.Name, f.Type = "F"+strconv.Itoa(i), leafTypes[r.IntN(len(leafTypes))]
		f.Tag = reflect.StructTag(fmt.Sprintf(`json:"%s" max:"0"`, jsonTags[r.IntN(len(jsonTags))]))
		if depth == 0 || r.IntN(3) == 0 {
			continue
		}
		f.Type, f.Anonymous = memberType(r, depth-1), r.IntN(2) == 0
		if f.Tag = ""; r.IntN(2) == 0 {
			f.Tag = reflect.StructTag(fmt.Sprintf(`json:"%s"`, jsonTags[r.IntN(len(jsonTags))]))
		}
		switch r.IntN(4) {
		case 0:
			f.Type = reflect.PointerTo(f.Type)
		case 1:
			if !f.Anonymous {
				f.Type = reflect.SliceOf(f.Type)
			}
		}
	}
	return reflect.StructOf(fields)
}

// setOnes sets every number in v to 1, which breaks its limit.
func setOnes(v reflect.Value) {
	switch v.Kind() {
	case reflect.Int:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		setOnes(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			setOnes(v.Index(i))
		}
	case reflect.Struct:
		if o, ok := v.Addr().Interface().(*mo.Option[int]); ok {
			*o = mo.Some(1)
			return
		}
		for i := range v.NumField() {
			setOnes(v.Field(i))
		}
	}
}

// textPaths adds the paths of the numbers in decoded JSON.
func textPaths(to map[string]bool, at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, one := range v {
			textPaths(to, at+path.Name(name), one)
		}
	case []any:
		for i, one := range v {
			textPaths(to, at+path.Index(i), one)
		}
	default:
		to[at] = true
	}
}

// schemaPaths adds the paths of a schema, with two elements for each array.
func schemaPaths(to map[string]bool, at string, s *Schema) {
	for len(s.AnyOf) > 0 {
		s = s.AnyOf[0]
	}
	switch {
	case s.Items != nil:
		for i := range 2 {
			schemaPaths(to, at+path.Index(i), s.Items)
		}
	case s.Properties != nil:
		for name, one := range s.Properties {
			schemaPaths(to, at+path.Name(name), one)
		}
	case strings.Contains(fmt.Sprint(s.Type), "object"): // an object type without members
	default:
		to[at] = true
	}
}

// fits reports whether the type keywords of a schema allow a JSON value, and its required members are there.
func fits(s *Schema, v any) bool {
	if len(s.AnyOf) > 0 {
		return slices.ContainsFunc(s.AnyOf, func(one *Schema) bool { return fits(one, v) })
	}
	kind := "null"
	switch v := v.(type) {
	case bool:
		kind = "boolean"
	case float64:
		kind = "number"
	case string:
		kind = "string"
	case []any:
		kind = "array"
		if s.Items != nil && slices.ContainsFunc(v, func(one any) bool { return !fits(s.Items, one) }) {
			return false
		}
	case map[string]any:
		kind = "object"
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				return false
			}
		}
		for name, one := range v {
			if member := s.Properties[name]; member != nil && !fits(member, one) {
				return false
			}
		}
	}
	types, ok := s.Type.([]string)
	if !ok {
		types = []string{fmt.Sprint(s.Type)}
	}
	return s.Type == nil || slices.Contains(types, kind) || kind == "number" && slices.Contains(types, "integer")
}

// FuzzMembers generates a struct type from a seed. It compares three lists of members: in the API
// document, in the JSON that package json writes, and in the violations. The JSON of the value, and of a zero value,
// must have the documented types.
func FuzzMembers(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		typ := memberType(r, 3)
		v := reflect.New(typ)
		setOnes(v.Elem())

		text, err := json.Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		var decoded any
		if err := stdjson.Unmarshal(text, &decoded); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		written := map[string]bool{}
		textPaths(written, "", decoded)

		described := map[string]bool{}
		schemaPaths(described, "", newSchemas().of(typ))
		if !maps.Equal(written, described) {
			t.Errorf("%v\njson writes            %q\nthe document describes %q", typ, sorted(written), sorted(described))
		}

		zero, err := json.Marshal(reflect.New(typ).Interface())
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{text, zero} {
			var v any
			if err := stdjson.Unmarshal(text, &v); err != nil || !fits(newSchemas().of(typ), v) {
				schema, _ := json.Marshal(newSchemas().of(typ))
				t.Errorf("%v: the schema %s does not allow %s (%v)", typ, schema, text, err)
			}
		}

		program, err := limit.Body(shape.Of(typ))
		if err != nil {
			t.Fatal(err)
		}
		limited := map[string]bool{}
		if program != nil {
			for _, x := range program.Check(v.Interface(), limit.Unlimited()) {
				limited[x.Path] = true
			}
		}
		if len(limited) >= limit.MaxViolations {
			return // further violations are not listed
		}
		if !maps.Equal(written, limited) {
			t.Errorf("%v\njson writes  %q\nlimits name  %q", typ, sorted(written), sorted(limited))
		}
	})
}

func sorted(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), " ")
}

package union_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/union"
)

// The declared types of the tests: each form, value and pointer cases, recursion through every kind
// of container, generic cases, a case that an interface stores in its data word, and an interface
// that a struct embeds.
type (
	Event interface{ isEvent() }

	Created struct {
		ID    int      `json:"id"`
		Name  string   `json:"name,omitempty"`
		Inner Event    `json:"inner"`
		Tags  []string `json:"tags"`
	}
	Deleted struct {
		ID   int64            `json:"id"`
		All  []Event          `json:"all"`
		By   map[string]Event `json:"by"`
		Pair [2]Event         `json:"pair"`
		At   *Event           `json:"at"`
	}
	Empty struct{}
	Word  struct {
		To *int `json:"to"`
	}
	Boxed[T any] struct {
		Value T `json:"value"`
	}
	Wrap struct {
		Event `json:"wrapped"`
		Shape Shape `json:"shape"`
		Node  Node  `json:"node"`
	}

	// Shape is adjacent.
	Shape  interface{ Area() float64 }
	Circle struct {
		R float64 `json:"r"`
	}
	Square  float64
	Polygon []Boxed[float64]
	Group   struct {
		Of   []Shape `json:"of"`
		Note Event   `json:"note"`
	}

	// Node is external.
	Node interface{ isNode() }
	Leaf string
	Tree map[string]Node
	Pair struct {
		L Node  `json:"l"`
		R *Node `json:"r,omitzero"`
	}
)

func (Created) isEvent()     {}
func (*Deleted) isEvent()    {}
func (Empty) isEvent()       {}
func (Word) isEvent()        {}
func (Boxed[T]) isEvent()    {}
func (Circle) Area() float64 { return 0 }
func (Square) Area() float64 { return 0 }
func (Polygon) Area() float64 {
	return 0
}
func (*Group) Area() float64 { return 0 }
func (Leaf) isNode()         {}
func (Tree) isNode()         {}
func (*Pair) isNode()        {}

var _ = union.Internal[Event]("type",
	union.Case[Created]("created", 1),
	union.Case[*Deleted]("deleted", 2),
	union.Case[Empty]("empty", 3),
	union.Case[Word]("word", 4),
	union.Case[Boxed[string]]("text <&>", 5),
	union.Case[*Boxed[Shape]]("boxé", 6),
	union.Case[Wrap]("wrap", 7))

var _ = union.Adjacent[Shape]("kind", "data",
	union.Case[Circle]("circle", 1),
	union.Case[Square]("square", 2),
	union.Case[Polygon]("polygon", 3),
	union.Case[*Group]("group", 4))

var _ = union.External[Node](
	union.Case[Leaf]("leaf", 1),
	union.Case[Tree]("tree", 2),
	union.Case[*Pair]("pair", 3))

// names has the names of the cases for the oracle, which does not use the declarations.
var names = map[reflect.Type]string{
	reflect.TypeFor[Created](): "created", reflect.TypeFor[*Deleted](): "deleted", reflect.TypeFor[Empty](): "empty", reflect.TypeFor[Word](): "word",
	reflect.TypeFor[Boxed[string]](): "text <&>", reflect.TypeFor[*Boxed[Shape]](): "boxé", reflect.TypeFor[Wrap](): "wrap",
	reflect.TypeFor[Circle](): "circle", reflect.TypeFor[Square](): "square", reflect.TypeFor[Polygon](): "polygon", reflect.TypeFor[*Group](): "group",
	reflect.TypeFor[Leaf](): "leaf", reflect.TypeFor[Tree](): "tree", reflect.TypeFor[*Pair](): "pair",
}

var (
	eventType = reflect.TypeFor[Event]()
	shapeType = reflect.TypeFor[Shape]()
	nodeType  = reflect.TypeFor[Node]()
)

// casesOf returns the types of the cases of an interface by their names.
func casesOf(t reflect.Type) map[string]reflect.Type {
	cases := map[string]reflect.Type{}
	for of, name := range names {
		if of.Implements(t) {
			cases[name] = of
		}
	}
	return cases
}

// slowEncode is the oracle of encoding. It walks over the value with reflection, and encodes scalars
// with encoding/json. The members are in the order of the fields, or in random order if r is not nil.
func slowEncode(v reflect.Value, r *rand.Rand) string {
	object := func(members []string) string {
		if r != nil {
			r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() {
			return "null"
		}
		held := v.Elem()
		name := scalar(names[held.Type()])
		switch v.Type() {
		case shapeType:
			return object([]string{`"kind":` + name, `"data":` + slowEncode(held, r)})
		case nodeType:
			return "{" + name + ":" + slowEncode(held, r) + "}"
		}
		if held.Kind() == reflect.Pointer {
			held = held.Elem()
		}
		return object(append([]string{`"type":` + name}, slowMembers(held, r)...))
	case reflect.Pointer:
		if v.IsNil() {
			return "null"
		}
		return slowEncode(v.Elem(), r)
	case reflect.Struct:
		return object(slowMembers(v, r))
	case reflect.Map:
		if v.IsNil() {
			return "null"
		}
		// encoding/json sorts the names.
		keys := map[string]stdjson.RawMessage{}
		for _, key := range v.MapKeys() {
			keys[key.String()] = stdjson.RawMessage(slowEncode(v.MapIndex(key), r))
		}
		return scalar(keys)
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return "null"
		}
		var list []string
		for i := range v.Len() {
			list = append(list, slowEncode(v.Index(i), r))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	return scalar(v.Interface())
}

func slowMembers(v reflect.Value, r *rand.Rand) (members []string) {
	for i := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		f := v.Field(i)
		if (option == "omitempty" || option == "omitzero") && (f.Kind() == reflect.Pointer && f.IsNil() || f.Kind() == reflect.String && f.Len() == 0) {
			continue
		}
		members = append(members, scalar(name)+":"+slowEncode(f, r))
	}
	return members
}

func scalar(v any) string {
	b, err := stdjson.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// slowDecode is the oracle of decoding, for objects without repeated names. It splits arrays and
// objects with encoding/json.
func slowDecode(text []byte, v reflect.Value) error {
	if string(text) == "null" {
		v.SetZero()
		return nil
	}
	switch v.Kind() {
	case reflect.Interface:
		var members map[string]stdjson.RawMessage
		if err := stdjson.Unmarshal(text, &members); err != nil {
			return err
		}
		var name string
		value := text
		switch v.Type() {
		case nodeType:
			if len(members) != 1 {
				return fmt.Errorf("%d members", len(members))
			}
			for name, value = range members {
			}
		default:
			tag := map[reflect.Type]string{eventType: "type", shapeType: "kind"}[v.Type()]
			if tag := members[tag]; len(tag) == 0 || tag[0] != '"' || stdjson.Unmarshal(tag, &name) != nil {
				return fmt.Errorf("no tag")
			}
			if v.Type() == shapeType {
				value = members["data"]
			}
		}
		t := casesOf(v.Type())[name]
		if t == nil {
			return fmt.Errorf("%q is not a case", name)
		}
		held := reflect.New(t).Elem()
		if t.Kind() == reflect.Pointer {
			held.Set(reflect.New(t.Elem()))
			if value != nil && string(value) != "null" {
				if err := slowDecode(value, held.Elem()); err != nil {
					return err
				}
			}
		} else if value != nil {
			if err := slowDecode(value, held); err != nil {
				return err
			}
		}
		v.Set(held)
		return nil
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return slowDecode(text, v.Elem())
	case reflect.Struct:
		var members map[string]stdjson.RawMessage
		if err := stdjson.Unmarshal(text, &members); err != nil {
			return err
		}
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if member, has := members[name]; has {
				if err := slowDecode(member, v.Field(i)); err != nil {
					return err
				}
			}
		}
		return nil
	case reflect.Map:
		var members map[string]stdjson.RawMessage
		if err := stdjson.Unmarshal(text, &members); err != nil {
			return err
		}
		v.Set(reflect.MakeMap(v.Type()))
		for name, member := range members {
			elem := reflect.New(v.Type().Elem()).Elem()
			if err := slowDecode(member, elem); err != nil {
				return err
			}
			v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), elem)
		}
		return nil
	case reflect.Slice, reflect.Array:
		var list []stdjson.RawMessage
		if err := stdjson.Unmarshal(text, &list); err != nil {
			return err
		}
		if v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		} else if len(list) != v.Len() {
			return fmt.Errorf("%d elements", len(list)) // version 1 accepts arrays of another length, so the tests contain none
		}
		for i := range list {
			if err := slowDecode(list[i], v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	return stdjson.Unmarshal(text, v.Addr().Interface())
}

// fill sets v to a random value.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Interface:
		cases := casesOf(v.Type())
		if depth <= 0 || r.IntN(6) == 0 {
			return
		}
		var list []reflect.Type
		for _, name := range []string{"created", "deleted", "empty", "word", "text <&>", "boxé", "wrap", "circle", "square", "polygon", "group", "leaf", "tree", "pair"} {
			if t := cases[name]; t != nil {
				list = append(list, t)
			}
		}
		held := reflect.New(list[r.IntN(len(list))]).Elem()
		if held.Kind() == reflect.Pointer {
			held.Set(reflect.New(held.Type().Elem()))
			fill(r, held.Elem(), depth-1)
		} else {
			fill(r, held, depth-1)
		}
		v.Set(held)
	case reflect.Pointer:
		if depth > 0 && r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth-1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i), depth)
		}
	case reflect.Slice:
		if r.IntN(4) > 0 {
			v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
			for i := range v.Len() {
				fill(r, v.Index(i), depth-1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i), depth-1)
		}
	case reflect.Map:
		if r.IntN(4) > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range r.IntN(3) {
				elem := reflect.New(v.Type().Elem()).Elem()
				fill(r, elem, depth-1)
				v.SetMapIndex(reflect.ValueOf(texts[r.IntN(len(texts))]), elem)
			}
		}
	case reflect.String:
		v.SetString(texts[r.IntN(len(texts))])
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(r.IntN(1000)) - 500)
	case reflect.Float64:
		v.SetFloat(float64(r.IntN(100)) / 8)
	}
}

var texts = []string{"", "a", "type", "kind", "created", "<&>", "é\n\"", "a longer text that is not shared \u2028"}

// roots are the types that the tests encode and decode.
var roots = []reflect.Type{
	reflect.TypeFor[Event](), reflect.TypeFor[[]Event](), reflect.TypeFor[map[string]Shape](), reflect.TypeFor[Wrap](),
	reflect.TypeFor[Pair](), reflect.TypeFor[Boxed[[]Node]](), reflect.TypeFor[*Deleted](), reflect.TypeFor[Shape](), reflect.TypeFor[Node](),
}

// FuzzUnions encodes and decodes random values, and decodes slightly damaged JSON. Both versions
// must agree with the oracle.
func FuzzUnions(f *testing.F) {
	for seed := range uint64(600) {
		f.Add(seed, uint16(seed), byte(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, at uint16, with byte) {
		r := rand.New(rand.NewPCG(seed, 1))
		root := roots[r.IntN(len(roots))]
		v := reflect.New(root)
		fill(r, v.Elem(), 5)
		want := slowEncode(v.Elem(), nil)
		got, err := json.Marshal(v.Interface())
		if err != nil || string(got) != want {
			t.Fatalf("%v: %v\ngot  %s\nwant %s", root, err, got, want)
		}
		// Version 2 writes {} and [] for nil, and no escapes, so these options are set to get the
		// text of version 1.
		got, err = jsonv2.Marshal(v.Interface(), jsonv2.FormatNilMapAsNull(true), jsonv2.FormatNilSliceAsNull(true), jsonv2.Deterministic(true))
		if err != nil || !sameJSON(got, []byte(want)) {
			t.Fatalf("%v by version 2: %v\ngot  %s\nwant %s", root, err, got, want)
		}
		text := []byte(slowEncode(v.Elem(), r))
		decodeBoth(t, root, text)
		if len(text) > 0 {
			text[int(at)%len(text)] = with
			decodeBoth(t, root, text)
		}
	})
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return stdjson.Unmarshal(a, &x) == nil && stdjson.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// decodeBoth decodes text by both versions, whole and as a stream, and compares the results with the oracle.
func decodeBoth(t *testing.T, root reflect.Type, text []byte) {
	t.Helper()
	want := reflect.New(root)
	failed := slowDecode(bytes.TrimSpace(text), want.Elem())
	if !stdjson.Valid(text) {
		failed = fmt.Errorf("not JSON")
	}
	odd := unusual(text)
	for name, decode := range map[string]func(v any) error{
		"version 1":             func(v any) error { return json.Unmarshal(text, v) },
		"version 1, a stream":   func(v any) error { return json.NewDecoder(bytes.NewReader(text)).Decode(v) },
		"version 1, std":        func(v any) error { return json.Config{Engine: json.StdEngine}.Unmarshal(text, v) },
		"version 1, own memory": func(v any) error { return json.Config{SeparateStrings: true}.Unmarshal(text, v) },
		"version 2":             func(v any) error { return jsonv2.Unmarshal(text, v) },
		"version 2, a stream":   func(v any) error { return jsonv2.UnmarshalRead(bytes.NewReader(text), v) },
	} {
		got := reflect.New(root)
		err := decode(got.Interface())
		switch {
		case odd: // it must not panic
		case failed == nil && (err != nil || !reflect.DeepEqual(got.Interface(), want.Interface())):
			t.Fatalf("%s, %v, %s: %v\ngot  %s\nwant %s", name, root, text, err, slowEncode(got.Elem(), nil), slowEncode(want.Elem(), nil))
		case failed != nil && err == nil && name != "version 1, a stream":
			t.Fatalf("%s, %v, %s: no error, but %v\ngot  %s", name, root, text, failed, slowEncode(got.Elem(), nil))
		}
	}
}

// unusual reports whether the versions and the oracle may treat a damaged text differently: it has
// a repeated name, a name that differs from a field's name only in case, or a string that is not
// UTF-8.
func unusual(text []byte) bool {
	if !utf8.Valid(text) || bytes.Contains(text, []byte(`\ud`)) {
		return true
	}
	var levels []map[string]bool
	d := stdjson.NewDecoder(bytes.NewReader(text))
	name := []bool{}
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		switch token {
		case stdjson.Delim('{'), stdjson.Delim('['):
			if len(name) > 0 {
				name[len(name)-1] = true
			}
			object := map[string]bool(nil)
			if token == stdjson.Delim('{') {
				object = map[string]bool{}
			}
			levels, name = append(levels, object), append(name, object != nil)
			continue
		case stdjson.Delim('}'), stdjson.Delim(']'):
			levels, name = levels[:len(levels)-1], name[:len(name)-1]
			continue
		}
		if len(levels) == 0 || levels[len(levels)-1] == nil {
			continue
		}
		if !name[len(name)-1] {
			name[len(name)-1] = true
			continue
		}
		name[len(name)-1] = false
		text := token.(string)
		folded := shape.Fold(text)
		if levels[len(levels)-1][folded] || folds[folded] && !known[text] {
			return true
		}
		levels[len(levels)-1][folded] = true
	}
}

// known contains the JSON names of the members of all types in the tests.
var known = map[string]bool{"id": true, "name": true, "inner": true, "tags": true, "all": true, "by": true, "pair": true, "at": true, "to": true,
	"value": true, "wrapped": true, "shape": true, "node": true, "r": true, "of": true, "note": true, "l": true, "type": true, "kind": true, "data": true}

// folds contains the names in known, case-folded.
var folds = func() map[string]bool {
	folded := map[string]bool{}
	for name := range known {
		folded[shape.Fold(name)] = true
	}
	return folded
}()

package json

import (
	"encoding"
	"reflect"
	"unicode"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/shape"
)

// A node decodes JSON into one place of a type: what its kind takes, and whose
// methods are asked first. Nodes of a recursive type refer to themselves.
type node struct {
	shape  *shape.Shape
	method method
	number bool  // a Number
	elem   *node // of a Slice, Bytes, Array, Pointer, Map or Option
	object *object
	key    keyForm // of a Map
	// slot is the type that errors of a text method name: that of the field
	// or element which the node, behind pointers perhaps, belongs to. It is
	// nil where that is the root.
	slot reflect.Type
}

type method uint8

const (
	noMethod      method = iota
	jsonMethod           // a pointer to the value is an Unmarshaler
	textMethod           // or a TextUnmarshaler
	timeOwnMethod        // it is a time.Time
)

// A keyForm says how the name of an element becomes a key of the map.
type keyForm uint8

const (
	keyUnsupported keyForm = iota
	keyString
	keyInt
	keyUint
	keyText
)

// An object is how a struct type takes the elements of a JSON object.
type object struct {
	fields []field
	byName map[string]int
	byFold map[string]int // by the name without its case; of several the first
}

type field struct {
	name   string
	offset uintptr // from where the last hop points
	node   *node
	hops   []shape.Hop
	quoted bool
	path   []string // the names that errors give: embedded structs and the field
}

// find returns the field that takes a key. Keys mostly come in the order of the
// fields, so guess, the index after the last one found, is tried first.
func (o *object) find(key []byte, guess int) int {
	if guess < len(o.fields) && o.fields[guess].name == string(key) {
		return guess
	}
	if i, ok := o.byName[string(key)]; ok {
		return i
	}
	var room [64]byte
	if i, ok := o.byFold[string(appendFolded(room[:0], key))]; ok {
		return i
	}
	return -1
}

// appendFolded appends name in a form that it shares with all names that differ
// from it in case alone: each rune is the smallest of those it folds with.
func appendFolded(dst, name []byte) []byte {
	for i := 0; i < len(name); {
		if c := name[i]; c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(name[i:])
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		dst = utf8.AppendRune(dst, least)
		i += size
	}
	return dst
}

var nodes plan.Cache[node]

// nodeOf returns the node for what a pointer of type t points to.
func nodeOf(t reflect.Type) *node {
	if n := nodes.Get(t); n != nil {
		return n
	}
	c := nodeCompiler{nodes: map[nodeKey]*node{}}
	return nodes.Put(t, c.node(shape.Of(t.Elem()), t.Name() == "", nil))
}

type nodeKey struct {
	shape   *shape.Shape
	methods bool
	slot    reflect.Type
}

type nodeCompiler struct{ nodes map[nodeKey]*node }

// place returns the node for an s that is a field or an element. Only types
// with a name are asked for methods there, as encoding/json has it.
func (c *nodeCompiler) place(s *shape.Shape) *node { return c.node(s, s.Type.Name() != "", s.Type) }

func (c *nodeCompiler) node(s *shape.Shape, methods bool, slot reflect.Type) *node {
	key := nodeKey{s, methods, slot}
	if n := c.nodes[key]; n != nil {
		return n
	}
	n := &node{shape: s, slot: slot, number: s.Type == numberType}
	c.nodes[key] = n
	if s.Kind == shape.Option {
		n.elem = c.place(s.Elem)
		return n
	}
	if methods {
		n.method = methodOf(s.Type)
	}
	switch s.Kind {
	case shape.Pointer:
		n.elem = c.node(s.Elem, s.Type.Name() == "", slot)
	case shape.Slice, shape.Bytes, shape.Array:
		n.elem = c.place(s.Elem)
	case shape.Map:
		n.elem = c.place(s.Elem)
		n.key = keyFormOf(s.Key)
	case shape.Struct:
		n.object = c.object(s)
	}
	return n
}

var (
	unmarshaler     = reflect.TypeFor[Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func methodOf(t reflect.Type) method {
	if t.Kind() == reflect.Pointer {
		return noMethod
	}
	switch p := reflect.PointerTo(t); {
	case t == timeType:
		return timeOwnMethod
	case p.Implements(unmarshaler):
		return jsonMethod
	case p.Implements(textUnmarshaler):
		return textMethod
	}
	return noMethod
}

func keyFormOf(s *shape.Shape) keyForm {
	k := s.Kind
	switch {
	case reflect.PointerTo(s.Type).Implements(textUnmarshaler):
		return keyText
	case k == shape.String:
		return keyString
	case k >= shape.Int8 && k <= shape.Int64:
		return keyInt
	case k >= shape.Uint8 && k <= shape.Uintptr:
		return keyUint
	}
	return keyUnsupported
}

func (c *nodeCompiler) object(s *shape.Shape) *object {
	list := structFields(s)
	o := &object{fields: make([]field, len(list)), byName: make(map[string]int, len(list)), byFold: make(map[string]int, len(list))}
	for i, f := range list {
		o.fields[i] = field{
			name: f.Name, offset: f.Offset, node: c.place(f.Field.Shape),
			hops: f.Through, quoted: f.quoted, path: append(embedding(s.Type, f.Index), f.Name),
		}
		o.byName[f.Name] = i
		if folded := string(appendFolded(nil, []byte(f.Name))); !has(o.byFold, folded) {
			o.byFold[folded] = i
		}
	}
	return o
}

func has(m map[string]int, key string) bool {
	_, ok := m[key]
	return ok
}

// embedding returns the names of the embedded structs on the way to a field.
func embedding(t reflect.Type, index []int) (names []string) {
	for _, i := range index[:len(index)-1] {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		f := t.Field(i)
		names, t = append(names, f.Name), f.Type
	}
	return names
}

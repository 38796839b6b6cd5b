package decode

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A MapPlace is the address of a map, and the number of elements for which a new map there gets
// space.
type MapPlace struct {
	At   mem.Pointer
	Off  uintptr
	Room int
}

// A Node decodes JSON into one type, in one place such as a field or an element. A recursive type
// has a node that refers to itself. Nodes are immutable, except for pause.
type Node struct {
	Op    Op
	Shape *shape.Shape
	// The node of the element of a slice, an array, a pointer, a map or an Option, or the node that
	// decodes the value if the methods of this one decline it.
	Elem *Node
	// The cases of a union; nil for a case without a value.
	cases []*Node
	// The fields of a struct.
	object *object
	// How names become keys of a map.
	Key KeyForm
	// Decodes a map without reflection; may be nil.
	Fill MapFill
	// The largest number of elements of a slice or a map that are decoded.
	Most int
	// Null is a value of the type. Used only if members are checked.
	null bool
	// The number of a slice's node, which selects its room.
	number int

	// The value may be decoded in one pass. Set for nodes of roots only.
	direct bool
	// The number of decodes that will skip the one pass. Used for nodes of roots only.
	pause atomic.Int32

	// The node of a map's keys. Only for version 2.
	Keys *Node
	// The methods of NodeMethods, in the order in which they are tried.
	Methods []rules.MethodForm
	// The indexes of the functions of NodeFunctions.
	Calls []int
	// The type of the address that methods and functions get, or of the slice.
	Pointer mem.AddressType
	// The reason for NodeFail.
	Fault error
	// Numbers are written as strings. Only for NodeMethods and NodeNumber.
	Quoted bool
	// The value is the name of a member. Only for version 2.
	Name bool

	// The type in the errors of a text method: the type of the node's field or element, with its
	// pointers. It is nil for a root.
	slot reflect.Type
}

// An Op is the operation of a Node. The order matters: operations up to NodeFloat64 decode numbers,
// and operations up to NodeString decode scalars that have no memory but the bytes of a string.
type Op uint8

const (
	nodeInt8 Op = iota // in the order of shape's kinds
	nodeInt16
	nodeInt32
	nodeInt64
	NodeUint8
	nodeUint16
	nodeUint32
	nodeUint64
	NodeFloat32
	NodeFloat64
	// All operations up to here decode numbers.
	NodeBool
	NodeString
	// All operations up to here decode scalars that have no memory but the bytes of a string.
	NodeNumber
	nodeBytes
	NodeSlice
	nodeArray
	NodeStruct
	NodeMap
	nodePointer
	nodeInterface
	nodeOption
	NodeUnion
	NodeTime
	// A pointer to the value is an Unmarshaler, or a TextUnmarshaler.
	nodeMarshaler
	nodeText
	// Nothing but null fits.
	nodeUnsupported

	// Operations of version 2 only.

	// NodeQuoted is a scalar that is written as a string.
	NodeQuoted
	// NodeByteArray is an array of bytes in base64.
	NodeByteArray
	// NodeMethods calls the methods of a pointer to the value.
	NodeMethods
	// NodeFunctions calls functions from the option WithUnmarshalers.
	NodeFunctions
	// NodeFail is a type that version 2 refuses.
	NodeFail
)

// A KeyForm says how a name becomes a key of a map.
type KeyForm uint8

const (
	keyUnsupported KeyForm = iota
	KeyString
	keyInt
	keyUint
	// By a method of the key, or by encoding/json.
	KeyMethod
)

// An object describes how a JSON object is decoded into a struct type.
type object struct {
	fields []field
	names  shape.Names
	// One of the fields has the tag option case.
	cased bool
	// The field for the members without a field of their own; may be nil.
	rest *restReader
	// The reason for which version 2 refuses the type; may be nil.
	fault *shape.Fault
	// The treatment of unknown members if members are checked; see shape.Shape.Unknown.
	unknown string
	// The fields that are looked for if members are checked; may be nil.
	expects *expected

	// Guards byLoose.
	once    sync.Once
	byLoose map[string][]int
}

// A field describes how a member is decoded into one field of a struct.
type field struct {
	name nameText
	// The field has neither hops nor quoted.
	simple bool
	// The offset of the field in its struct, which is the struct that the last hop points to.
	offset uintptr
	node   *Node
	// The embedded pointers that lead to the field.
	hops []shape.Hop
	// The tag option string applies. Only for version 1.
	quoted bool
	// The type of the struct that is decoded, which errors name.
	in     reflect.Type
	casing shape.Casing
	// The rank of the field in a breadth-first order of all fields.
	order int
	// The names in errors: the embedded structs, and the field.
	path []string
}

// keyFormOfKind returns how names become keys of a kind without methods.
func keyFormOfKind(k shape.Kind) KeyForm {
	switch {
	case k == shape.String:
		return KeyString
	case k >= shape.Int8 && k <= shape.Int64:
		return keyInt
	case k >= shape.Uint8 && k <= shape.Uintptr:
		return keyUint
	}
	return keyUnsupported
}

// A MapFill decodes into maps with string keys and plain elements. It treats the map as the unnamed
// map type of the same kinds, which needs no reflection.
type MapFill interface {
	// Run decodes the members from word t up to word after.
	Run(d *Decoder, n *Node, t, after int, to MapPlace) error
	// Unique is like Run, for an empty map and an object that must not repeat a name.
	Unique(d *Decoder, n *Node, t, after int, to MapPlace) error
	// read reads the object at position i in one pass, as [Decoder.read] does.
	read(d *Decoder, n *Node, i int, a mem.Pointer, off uintptr) int
}

// A restReader stores the members without a field of their own, in a map or as text.
type restReader struct {
	hops   []shape.Hop
	offset uintptr
	// The field is a pointer to the map or the text.
	pointer bool
	// The shape of the map or the text.
	shape *shape.Shape
	// The node of the map's elements; nil for text.
	elem *Node
}

// A nameText is the name of a field in a form that is compared eight bytes at a time.
type nameText struct {
	text string
	// The first eight bytes as a little-endian word, padded with zeros.
	first uint64
	// All bits are set for the bytes of first that belong to the name.
	mask uint64
	// The last eight bytes as a word, if the name has at least eight bytes.
	last uint64
}

// mayBeDirect reports whether a root value may be decoded in one pass. Roots are excluded if the
// pass would only build an index for the whole root.
func mayBeDirect(n *Node) bool {
	return n.Op >= NodeSlice && n.Op <= NodeStruct && n.Shape.Size <= directZero && isDirect(n, map[*Node]bool{})
}

// isDirect reports whether n and all nodes below it may be decoded in one pass. Types with methods
// may not, since a method could see that a value is decoded twice.
func isDirect(n *Node, seen map[*Node]bool) bool {
	if n == nil || seen[n] {
		return true
	}
	seen[n] = true
	switch n.Op {
	case NodeUnion, nodeText, NodeMethods, NodeFunctions, NodeFail:
		return false
	case nodeMarshaler:
		return n.Shape.Type == rules.RawMessageType
	case NodeMap:
		if n.Key == KeyMethod && n.Keys == nil || !isDirect(n.Keys, seen) {
			return false
		}
	case nodeInterface:
		return n.Shape.Type.NumMethod() == 0
	case NodeStruct:
		o := n.object
		if o.cased || o.rest != nil || o.fault != nil || len(o.fields) > directFields {
			return false
		}
		for i := range o.fields {
			f := &o.fields[i]
			if end, wide := syntax.ReadText([]byte(f.name.text), 0); end < len(f.name.text) || wide {
				return false
			}
			if f.node != nil && !f.simple || !isDirect(f.node, seen) {
				return false
			}
		}
	}
	return isDirect(n.Elem, seen)
}

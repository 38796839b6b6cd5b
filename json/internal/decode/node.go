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

// A MapPlace is where a map is, and how many elements one that is made there
// gets room for.
type MapPlace struct {
	At   mem.Pointer
	Off  uintptr
	Room int
}

// A Node decodes JSON into one place of a type: what its kind takes, and whose
// methods are asked first. Nodes of a recursive type refer to themselves.
type Node struct {
	Op     Op
	Shape  *shape.Shape
	Elem   *Node   // of a Slice, Bytes, Array, Pointer, Map or Option
	cases  []*Node // of a Union; nil for a case without a value
	object *object
	Key    KeyForm // of a Map
	Fill   MapFill // of a Map with a cast; may be nil
	Most   int     // of a Slice or a Map: how many elements are decoded
	null   bool    // null is a value of the type, if option.CheckMembers asks
	number int     // of a Slice, that tells it from others

	// Of the node of a root.
	direct bool         // it may be decoded in one pass
	pause  atomic.Int32 // how many decodes go without that

	// Those of V2.
	Keys    *Node              // of a Map
	Methods []rules.MethodForm // of NodeMethods
	Calls   []int              // of NodeFunctions: their indexes
	Pointer mem.AddressType    // of both, and of a Slice or Bytes
	Fault   error              // of NodeFail
	Quoted  bool               // of NodeMethods and NodeNumber: numbers are written as strings
	Name    bool               // the value is the name of a member

	// slot is the type that errors of a text method name: that of the field
	// or element which the node, behind pointers perhaps, belongs to. It is
	// nil where that is the root.
	slot reflect.Type
}

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
	NodeFloat64 // what is before it is a number too
	NodeBool
	NodeString // what is before it is a scalar too
	NodeNumber // a Number
	nodeBytes
	NodeSlice
	nodeArray
	NodeStruct
	NodeMap
	nodePointer
	nodeInterface
	nodeOption
	NodeUnion
	NodeTime        // a time.Time
	nodeMarshaler   // a pointer to the value is an Unmarshaler
	nodeText        // or a TextUnmarshaler
	nodeUnsupported // nothing but null fits

	// Those of V2.
	NodeQuoted    // a scalar that is written as a string
	NodeByteArray // an array of bytes in base64
	NodeMethods   // the methods of a pointer to the value
	NodeFunctions // functions of the call
	NodeFail      // an error
)

// A KeyForm says how the name of an element becomes a key of the map.
type KeyForm uint8

const (
	keyUnsupported KeyForm = iota
	KeyString
	keyInt
	keyUint
	KeyMethod // by its method, or as encoding/json does it
)

// An object is how a struct type takes the elements of a JSON object.
type object struct {
	fields  []field
	names   shape.Names
	cased   bool         // some field has the option case
	rest    *restReader  // of the members that no other field has; may be nil
	fault   *shape.Fault // what V2 refuses the type for; may be nil
	unknown string       // of option.CheckMembers; see shape.Shape.Unknown
	expects *expected    // of option.CheckMembers; may be nil

	once    sync.Once
	byLoose map[string][]int
}

type field struct {
	name   nameText
	simple bool    // neither hops nor quoted
	offset uintptr // from where the last hop points
	node   *Node
	hops   []shape.Hop
	quoted bool
	in     reflect.Type // the struct
	casing shape.Casing
	order  int      // level by level
	path   []string // the names that errors give: embedded structs and the field
}

// keyFormOfKind returns how names become keys without methods.
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

// A MapFill decodes into maps from strings to plain elements, seen through a
// native map type of the same kinds.
type MapFill interface {
	Run(d *Decoder, n *Node, t, after int, to MapPlace) error
	Unique(d *Decoder, n *Node, t, after int, to MapPlace) error     // into one that is empty, and may not have a name twice
	read(d *Decoder, n *Node, i int, a mem.Pointer, off uintptr) int // as [Decoder.read]
}

// A restReader keeps the members that no other field of a struct has, in a map or as text.
type restReader struct {
	hops    []shape.Hop
	offset  uintptr
	pointer bool         // to the map or the text
	shape   *shape.Shape // of the map or the text
	elem    *Node        // of the map
}

// A nameText is the name of a field, ready to be compared with text by the word.
type nameText struct {
	text  string
	first uint64 // the first eight bytes, the first in the lowest place
	mask  uint64 // of those that there are
	last  uint64 // the last eight bytes, if there are as many
}

// mayBeDirect reports whether the value of a root may be decoded in one pass. What would be
// read over an index as a whole may not.
func mayBeDirect(n *Node) bool {
	return n.Op >= NodeSlice && n.Op <= NodeStruct && n.Shape.Size <= directZero && isDirect(n, map[*Node]bool{})
}

// isDirect reports whether all nodes from n on may be decoded in one pass.
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

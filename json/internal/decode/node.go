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

// A MapPlace is the address of a map, and the capacity of a new map that is stored there.
type MapPlace struct {
	At       mem.Pointer
	Off      uintptr
	Capacity int
}

// A Node decodes JSON values into one type, in one place such as a field or an element. The node of
// a recursive type refers to itself. Nodes are immutable, except for pause and for the map that
// object.loose builds.
type Node struct {
	Op    Op
	Shape *shape.Shape
	// Decode decodes values other than null, if the rules of the mode decode the type: for bytes,
	// times, interfaces, the operations from NodeCustom on, and maps that require reflection.
	Decode Row
	// Null decodes null, if the rules of the mode treat it in a special way; otherwise it is nil.
	Null Row
	// Elem is the node of the element of a slice, an array, a pointer, a map or an Option. For a
	// type with methods, it is the node for values that the methods decline.
	Elem *Node
	// cases contains the nodes for the cases of a union. An element is nil if the case has no value.
	cases []*Node
	// sum describes the cases of an interface with declared cases.
	sum *sumCases
	// object describes the fields of a struct.
	object *object
	// Once is set if decoding calls methods or functions of the program, because these could observe
	// that a value is decoded twice.
	Once bool
	// keepsTail is set if an error in an element keeps the old elements of a slice after it.
	keepsTail bool
	// Key says how names are converted to map keys.
	Key KeyForm
	// Fill decodes into a map without reflection; it may be nil.
	Fill MapFill
	// Most is the maximum number of elements that are decoded into a slice or map.
	Most int
	// null is set if null is a valid value of the type. It is used only with option.CheckMembers.
	null bool
	// number is the number of a node for a slice or a map; it selects a stagingSlice in the Decoder.
	number int

	// direct is set if the value may be decoded in one pass. It is set only for nodes of root
	// values.
	direct bool
	// pause is the number of decodes that will still skip one pass. It is used only for nodes of
	// root values.
	pause atomic.Int32

	// Keys is the node for the keys of a map, or nil if Key says how they are decoded.
	Keys *Node
	// Methods contains the methods that a row of the rules tries, in this order.
	Methods []rules.MethodForm
	// Calls contains the indexes of the functions that a row of the rules tries, in the list of the
	// call.
	Calls []int
	// Pointer is the pointer type that methods and functions receive. In a node for a slice it is
	// the type of the slice itself, and in a node for a map that is decoded in one pass the type of a
	// slice of elements.
	Pointer mem.AddressType
	// Fault is the error of a type that the rules refuse.
	Fault error
	// Quoted is set if the tag option "string" or an option of the call requires numbers in strings.
	Quoted bool
	// Name is set if the value is the name of a member.
	Name bool

	// Slot is the type of the field or element, including its pointers, if errors of the rules
	// contain it. It is nil for a root value.
	Slot reflect.Type
}

// sumCases are the declared cases of a union: of an interface, or of an Either.
type sumCases struct {
	of  *shape.Sum
	tag nameText
	// names contains the member names that the decoder looks for. In a tagged union the first name
	// is the tag. If the value is a second member next to the tag, the name of this member is the
	// second one; see tagMember. In an untagged union they are the names of members that exactly
	// one case has.
	names shape.Names
	// owners is only for an untagged union: owners[i] is the index of the case that has the i-th
	// name in names.
	owners []int
	// cases contains the nodes of the cases of an interface. The nodes of an Either are in
	// Node.cases.
	cases []sumCase
}

// Indexes in sumCases.names if the union has tags.
const (
	tagMember = iota
	valueMember
)

// A sumCase is the node of a case. If the case is a pointer, the node is for its target.
type sumCase struct {
	node *Node
	held mem.Dynamic
}

// A Row decodes values of one type by the rules of a mode. The value is at word t, and n is its
// node. A Row returns the index of the word after the value.
type Row func(d *Decoder, n *Node, t int, a mem.Pointer, off uintptr) (int, error)

// An Op is the operation of a Node. The order matters: operations up to NodeFloat64 decode numbers,
// and operations up to NodeString decode scalars that contain no pointers except for a string's
// bytes.
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
	// The operations above decode numbers.
	NodeBool
	NodeString
	// The operations above decode scalars.
	NodeBytes
	NodeSlice
	nodeArray
	NodeStruct
	NodeMap
	NodePointer
	NodeInterface
	nodeOption
	NodeUnion
	nodeSum
	NodeTime
	// NodeUnsupported is for a type into which only null can be decoded.
	NodeUnsupported
	// NodeCustom is the first of the operations that the rules of a mode define. The engine calls
	// Node.Decode for them.
	NodeCustom
)

// A KeyForm says how a name is converted to a map key.
type KeyForm uint8

const (
	KeyUnsupported KeyForm = iota
	KeyString
	KeyInt
	KeyUint
	// KeyMethod means that the rules of the mode convert the name, for example by a method.
	KeyMethod
)

// An object describes how a JSON object is decoded into a struct type.
type object struct {
	fields []field
	// steps are the fields for one pass. It is empty if no value that contains the struct is decoded
	// in one pass.
	steps []step
	names shape.Names
	// cased is set if one of the fields has the tag option "case".
	cased bool
	// folds is set if a name also matches the first field whose name differs only in case.
	folds bool
	// rest describes the field for members that match none of the other fields; it may be nil.
	rest *restReader
	// fault is the reason why the rules refuse the type; it may be nil.
	fault *shape.Fault
	// unknown says how a tag of the struct treats unknown members; see shape.Shape.Unknown. It is
	// used only with option.CheckMembers.
	unknown string
	// expects lists the fields that are checked at the end of an object with option.CheckMembers;
	// it may be nil.
	expects *expected

	// once guards byLoose.
	once    sync.Once
	byLoose map[string][]int
}

// A field describes how a member is decoded into one field of a struct.
type field struct {
	name nameText
	// simple is set if hops is empty and quoted is nil.
	simple bool
	// offset is the offset of the field in bytes, from the start of the last hop's target. If there
	// are no hops, it is from the start of the struct.
	offset uintptr
	node   *Node
	// hops contains the embedded pointers that lead to the field.
	hops []shape.Hop
	// quoted decodes the field if it has the tag option "string" and the rules need a row for it;
	// otherwise it is nil.
	quoted Row
	// the struct type, for errors
	in     reflect.Type
	casing shape.Casing
	// order is the rank of the field in a breadth-first order of all fields.
	order int
	// path is the path in errors: the names of the embedded structs and of the field.
	path []string
}

// KeyFormOf returns the KeyForm for keys of kind k without methods.
func KeyFormOf(k shape.Kind) KeyForm {
	switch {
	case k == shape.String:
		return KeyString
	case k >= shape.Int8 && k <= shape.Int64:
		return KeyInt
	case k >= shape.Uint8 && k <= shape.Uintptr:
		return KeyUint
	}
	return KeyUnsupported
}

// A MapFill decodes into maps with string keys and elements of a basic type. It accesses a map of a
// named type as a map of the unnamed type, which needs no reflection.
type MapFill interface {
	// Run decodes the members that begin at word t and end before word after, into the map in the
	// given MapPlace. If names must be unique, the map is empty.
	Run(d *Decoder, n *Node, t, after int, to MapPlace) error
	// store stores a new map with the given names and elements at a+off, and returns the number of its
	// elements. from is the address of the slice of elements.
	store(names []string, from, a mem.Pointer, off uintptr, capacity int) (count int)
}

// A restReader stores the members that match no other field, in a map or as JSON text.
type restReader struct {
	in     reflect.Type // the struct type of the object
	hops   []shape.Hop
	offset uintptr
	// pointer is set if the field is a pointer to the map or the text.
	pointer bool
	// shape is the shape of the map or the text.
	shape *shape.Shape
	// elem is the node of the map's elements; it is nil for text.
	elem *Node
}

// A nameText is the name of a field, prepared for comparing eight bytes at a time.
type nameText struct {
	text string
	// first contains the first eight bytes as a little-endian word, padded with zeros.
	first uint64
	// mask has the bits of first set that belong to the name.
	mask uint64
	// last contains the last eight bytes as a word, if the name has at least eight bytes.
	last uint64
}

// mayBeDirect reports whether root values of n's type may be decoded in one pass. It excludes types
// for which the pass would only build an index of the whole text, and types of more than directZero
// bytes.
func mayBeDirect(n *Node) bool {
	return (n.Op >= NodeSlice && n.Op <= NodeStruct || n.Op == nodeSum || n.readsMap()) && n.Shape.Size <= directZero && isDirect(n, map[*Node]bool{})
}

// readsMap reports whether n is for a map that one pass decodes without an index.
func (n *Node) readsMap() bool { return n.Op == NodeMap && n.Key == KeyString }

// isDirect reports whether n and all nodes below it support one pass. Types with methods do not,
// because a method could observe that a value is decoded twice.
func isDirect(n *Node, seen map[*Node]bool) bool {
	if n == nil || seen[n] {
		return true
	}
	seen[n] = true
	if n.Once {
		return false
	}
	switch n.Op {
	case NodeUnion:
		return false
	case NodeMap:
		if !isDirect(n.Keys, seen) {
			return false
		}
	case NodeInterface:
		return n.Shape.Type.NumMethod() == 0
	case nodeSum:
		for i := range n.sum.cases {
			if !isDirect(n.sum.cases[i].node, seen) {
				return false
			}
		}
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

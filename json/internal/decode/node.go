package decode

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/internal/memory/mem"
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

package engine

import (
	"encoding"
	"math"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A Node decodes JSON into one place of a type: what its kind takes, and whose
// methods are asked first. Nodes of a recursive type refer to themselves.
type Node struct {
	op     nodeOp
	shape  *shape.Shape
	elem   *Node   // of a Slice, Bytes, Array, Pointer, Map or Option
	cases  []*Node // of a Union; nil for a case without a value
	object *object
	key    keyForm // of a Map
	fill   mapFill // of a Map with a cast; may be nil
	most   int     // of a Slice or a Map: how many elements are decoded
	null   bool    // null is a value of the type, if option.CheckMembers asks
	number int     // of a Slice, that tells it from others

	// Of the node of a root.
	direct bool         // it may be decoded in one pass
	pause  atomic.Int32 // how many decodes go without that

	// Those of v2.
	keys    *Node           // of a Map
	methods []methodForm    // of nodeMethods
	calls   []int           // of nodeFunctions: their indexes
	pointer mem.AddressType // of both, and of a Slice or Bytes
	fault   error           // of nodeFail
	quoted  bool            // of nodeMethods and nodeNumber: numbers are written as strings
	name    bool            // the value is the name of a member

	// slot is the type that errors of a text method name: that of the field
	// or element which the node, behind pointers perhaps, belongs to. It is
	// nil where that is the root.
	slot reflect.Type
}

type nodeOp uint8

const (
	nodeInt8 nodeOp = iota // in the order of shape's kinds
	nodeInt16
	nodeInt32
	nodeInt64
	nodeUint8
	nodeUint16
	nodeUint32
	nodeUint64
	nodeFloat32
	nodeFloat64 // what is before it is a number too
	nodeBool
	nodeString // what is before it is a scalar too
	nodeNumber // a Number
	nodeBytes
	nodeSlice
	nodeArray
	nodeStruct
	nodeMap
	nodePointer
	nodeInterface
	nodeOption
	nodeUnion
	nodeTime      // a time.Time
	nodeMarshaler // a pointer to the value is an Unmarshaler
	nodeText      // or a TextUnmarshaler
	nodeMisfit    // nothing but null fits

	// Those of v2.
	nodeQuoted    // a scalar that is written as a string
	nodeByteArray // an array of bytes in base64
	nodeMethods   // the methods of a pointer to the value
	nodeFunctions // functions of the call
	nodeFail      // an error
)

// A keyForm says how the name of an element becomes a key of the map.
type keyForm uint8

const (
	keyUnsupported keyForm = iota
	keyString
	keyInt
	keyUint
	keyMethod // by its method, or as encoding/json does it
)

// An object is how a struct type takes the elements of a JSON object.
type object struct {
	fields  []field
	names   shape.Names
	cased   bool         // some field has the option case
	rest    *restReader  // of the members that no other field has; may be nil
	fault   *shape.Fault // what v2 refuses the type for; may be nil
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

// nodes has the nodes that were made, and those of option.ByTags.
var nodes, limitedNodes plan.Cache[Node]

// NodeOf returns the node for what a pointer of type t points to.
func NodeOf(t reflect.Type) *Node { return cachedNode(&nodes, t, false) }

// slicesMade counts the nodes that have a number.
var slicesMade atomic.Int64

// rootNode returns the node for what a pointer of type t points to, by the options of a call.
func rootNode(t reflect.Type, on option.Flag) *Node {
	if on&option.ByTags != 0 {
		return cachedNode(&limitedNodes, t, true)
	}
	return NodeOf(t)
}

func cachedNode(cache *plan.Cache[Node], t reflect.Type, limited bool) *Node {
	if n := cache.Get(t); n != nil {
		return n
	}
	c := nodeCompiler{mode: &v1Decode, nodes: map[nodeKey]*Node{}, limited: limited}
	n := c.node(nodeKey{shape: shape.Of(t.Elem()), methods: methodsOfAll || t.Name() == "", most: math.MaxInt})
	n.direct = mayBeDirect(n)
	return cache.Put(t, n)
}

// A nodeKey is what a node is made from.
type nodeKey struct {
	shape   *shape.Shape
	methods bool
	slot    reflect.Type
	most    int // elements of the slice or the map in it

	// Those of v2.
	quoted   bool // by the option string
	name     bool // the value is the name of a member
	declined int8 // how many of functions and methods are not asked again
}

type nodeCompiler struct {
	mode    *decodeMode
	nodes   map[nodeKey]*Node
	limited bool // by the tags of fields beside json
}

// place returns the node for an s that is a field or an element. Only types
// with a name are asked for methods there, as encoding/json has it.
func (c *nodeCompiler) place(s *shape.Shape, most int) *Node {
	if !c.mode.isV1() {
		return c.node(nodeKey{shape: s, methods: true, most: most})
	}
	return c.node(nodeKey{shape: s, methods: methodsOfAll || s.Type.Name() != "", slot: s.Type, most: most})
}

func (c *nodeCompiler) node(key nodeKey) *Node {
	if n := c.nodes[key]; n != nil {
		return n
	}
	s, slot := key.shape, key.slot
	n := &Node{shape: s, slot: slot, most: key.most, name: key.name, quoted: key.quoted || key.name}
	c.nodes[key] = n
	if s.Kind == shape.Slice || s.Kind == shape.Bytes {
		n.pointer, n.number = mem.AddressTypeOf(s.Type), int(slicesMade.Add(1))
	}
	n.null = !c.limited || s.TakesNull()
	if !c.mode.isV1() {
		n.quoted = n.quoted || c.mode.flags&option.StringifyNumbers != 0
		if key.declined < plainNode && c.mode.rules.custom(c, key, n) {
			return n
		}
		n.op = opOf(s, false)
	} else {
		n.op = opOf(s, key.methods)
	}
	switch n.op {
	case nodeOption:
		n.elem = c.place(s.Elem, key.most)
	case nodeSlice, nodeBytes, nodeArray:
		n.elem = c.place(s.Elem, math.MaxInt)
	case nodePointer:
		elem := nodeKey{shape: s.Elem, methods: methodsOfAll || s.Type.Name() == "", slot: slot, most: key.most}
		if !c.mode.isV1() {
			elem.quoted, elem.name = key.quoted && !c.mode.stopsString(s), key.name
		}
		n.elem = c.node(elem)
	case nodeMap:
		n.elem = c.place(s.Elem, math.MaxInt)
		n.key = keyFormOf(s.Key)
		n.fill = fillOf(s, n.elem)
	case nodeStruct:
		n.object = c.object(s)
	case nodeUnion:
		n.cases = make([]*Node, len(s.Union.Cases))
		for i, held := range s.Union.Cases {
			if held.Elem != nil && held.Elem.Type != errorType {
				n.cases[i] = c.place(held.Elem, key.most)
			}
		}
	}
	return n
}

var (
	unmarshaler     = reflect.TypeFor[Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	rawMessage      = reflect.TypeFor[RawMessage]()
	errorType       = reflect.TypeFor[error]()
)

func opOf(s *shape.Shape, methods bool) nodeOp {
	switch {
	case s.Kind == shape.Option:
		return nodeOption
	case s.Union != nil:
		return nodeUnion
	case methods && s.Type.Kind() != reflect.Pointer:
		switch p := reflect.PointerTo(s.Type); {
		case s.Kind == shape.Time:
			return nodeTime
		case p.Implements(unmarshaler), readsItself(p):
			return nodeMarshaler
		case p.Implements(textUnmarshaler):
			return nodeText
		}
	}
	switch k := s.Kind; {
	case s.Type == numberType:
		return nodeNumber
	case k >= shape.Int8 && k <= shape.Uint64:
		return nodeInt8 + nodeOp(k-shape.Int8)
	case k == shape.Uintptr && s.Size == 4:
		return nodeUint32
	case k == shape.Uintptr:
		return nodeUint64
	case k == shape.Map && keyFormOf(s.Key) == keyUnsupported:
		return nodeMisfit
	}
	if op, ok := nodeOps[s.Kind]; ok {
		return op
	}
	return nodeMisfit
}

var nodeOps = map[shape.Kind]nodeOp{
	shape.Bool: nodeBool, shape.Float32: nodeFloat32, shape.Float64: nodeFloat64, shape.String: nodeString,
	shape.Bytes: nodeBytes, shape.Slice: nodeSlice, shape.Array: nodeArray, shape.Struct: nodeStruct,
	shape.Map: nodeMap, shape.Pointer: nodePointer, shape.Interface: nodeInterface,
	shape.Time: nodeStruct, // without its methods it is one, of no fields that JSON could set
}

// keyFormOfKind returns how names become keys without methods.
func keyFormOfKind(k shape.Kind) keyForm {
	switch {
	case k == shape.String:
		return keyString
	case k >= shape.Int8 && k <= shape.Int64:
		return keyInt
	case k >= shape.Uint8 && k <= shape.Uintptr:
		return keyUint
	}
	return keyUnsupported
}

// most returns how many elements of the slice or the map in f are decoded: one more
// than it may have, so that whoever checks that finds too many.
func (c *nodeCompiler) most(f *shape.Field) int {
	if !c.limited {
		return math.MaxInt
	}
	limits, err := f.Limits()
	if err != nil || limits == nil || limits.MaxLength < 0 {
		return math.MaxInt
	}
	return min(limits.MaxLength, math.MaxInt-1) + 1
}

func (c *nodeCompiler) object(s *shape.Shape) *object {
	list, rest := membersOf(s, c.mode.isV1())
	o := &object{fields: make([]field, len(list))}
	texts := make([]string, len(list))
	for i := range list {
		f := &list[i]
		texts[i] = f.Name
		path := f.Names()
		path[len(path)-1] = f.Name
		quoted := f.Quoted && c.mode.isV1()
		o.fields[i] = field{
			name: nameTextOf(f.Name), offset: f.Offset, node: c.field(f),
			hops: f.Through, quoted: quoted, simple: len(f.Through) == 0 && !quoted,
			in: s.Type, path: path, casing: f.Case, order: f.Order(),
		}
		o.cased = o.cased || f.Case != shape.CaseDefault
	}
	if c.limited {
		o.expect(list)
		o.unknown = s.Unknown()
	}
	o.names = shape.NamesOf(texts)
	if rest != nil {
		o.rest = c.rest(rest)
	}
	if !c.mode.isV1() {
		o.fault = c.mode.rules.fault(&c.mode.modeKey, s)
	}
	return o
}

// field returns the node for a field.
func (c *nodeCompiler) field(f *shape.Member) *Node {
	if c.mode.isV1() {
		return c.place(f.Field.Shape, c.most(f.Field))
	}
	return c.node(nodeKey{shape: f.Field.Shape, methods: true, most: c.most(f.Field), quoted: f.String})
}

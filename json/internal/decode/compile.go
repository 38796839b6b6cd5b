package decode

import (
	"math"
	"reflect"
	"sync/atomic"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Mode holds the nodes that are compiled by the same rules.
type Mode struct {
	rules.Key
	// The compiler of the types of version 2; nil in version 1.
	Rules Rules
	nodes plan.Cache[Node]
	// The mode with the same rules for the names of members.
	names atomic.Pointer[Mode]
	// The mode is for names of members.
	name bool
}

// ForNames returns the mode with the same rules for the names of members.
func (m *Mode) ForNames() *Mode {
	if names := m.names.Load(); names != nil {
		return names
	}
	// Two goroutines may get here at once. The mode of the first is kept.
	m.names.CompareAndSwap(nil, &Mode{Key: m.Key, Rules: m.Rules, name: true})
	return m.names.Load()
}

// v1 has the modes of v1, by release. No call has the flags of both releases.
var v1 = [option.Releases]Mode{
	{Key: rules.Key{Flags: option.V1 | rules.StandardErrors}},
	{Key: rules.Key{Flags: option.V1 | rules.StandardErrors | option.FirstEngine}},
	{Key: rules.Key{Flags: option.V1 | rules.StandardErrors | option.NewestPatch}},
}

// Node returns the node for a type.
func (m *Mode) Node(t reflect.Type) *Node {
	if n := m.nodes.Get(t); n != nil {
		return n
	}
	// Two goroutines may compile a type at once. Put returns the first of their nodes, so both use
	// the same one.
	c := Compiler{Mode: m, nodes: map[Key]*Node{}, limited: m.Flags&option.ByTags != 0}
	n := c.Node(Key{Shape: shape.Of(t), Methods: true, Most: math.MaxInt, Name: m.name})
	n.direct = mayBeDirect(n)
	return m.nodes.Put(t, n)
}

// nodes has the nodes of v1 by release, and limitedNodes the nodes that know the tags of fields
// other than json.
var nodes, limitedNodes [option.Releases]plan.Cache[Node]

// slicesMade counts the nodes of slices, to number them.
var slicesMade atomic.Int64

// NodeOf returns the node of v1 for the type that the pointer type t points to, by the options of a
// call. The keys of the caches are pointer types, as in the arguments of Unmarshal, which saves the
// lookup of the element type.
func NodeOf(t reflect.Type, on option.Flag) *Node {
	i, limited := option.ReleaseIndex(on), on&option.ByTags != 0
	cache := &nodes[i]
	if limited {
		cache = &limitedNodes[i]
	}
	if n := cache.Get(t); n != nil {
		return n
	}
	c := Compiler{Mode: &v1[i], nodes: map[Key]*Node{}, limited: limited}
	n := c.Node(Key{Shape: shape.Of(t.Elem()), Methods: c.Mode.asks(t.Name() == ""), Most: math.MaxInt})
	n.direct = mayBeDirect(n)
	return cache.Put(t, n)
}

// Rules compile the types that version 2 treats differently. Package decode/call implements it.
type Rules interface {
	// Custom fills in n if functions or methods decode the type, or version 2 refuses it. It
	// reports whether it did.
	Custom(c *Compiler, key Key, n *Node) bool
	// Fault returns the reason for which version 2 refuses a struct type, or nil.
	Fault(k *rules.Key, s *shape.Shape) *shape.Fault
}

// PlainNode, as Key.Declined, asks for the node of a scalar without its quotes. The node of a
// quoted scalar has it as its element.
const PlainNode = 3

// IsBytes reports whether a slice or an array of bytes is decoded from base64.
func (m *Mode) IsBytes(s *shape.Shape) bool {
	return m.Flags&option.FormatBytesWithLegacySemantics != 0 || s.Elem.Type.PkgPath() == ""
}

// asks reports whether methods of a type are called, at a place where the first engine calls them
// only for types with first set.
func (m *Mode) asks(first bool) bool { return first || !m.First() }

// A Key distinguishes the nodes of one type.
type Key struct {
	Shape   *shape.Shape
	Methods bool
	slot    reflect.Type
	// The limit on the decoded elements of the slice or the map.
	Most int

	// The tag option string applies. Only for version 2.
	Quoted bool
	// The value is the name of a member. Only for version 2.
	Name bool
	// The number of ways to decode the value that have declined it: functions first, then methods.
	// Only for version 2.
	Declined int8
}

// A Compiler makes the nodes of one root type. Nodes of a recursive type refer to each other,
// so a node is entered in the table before its parts are made.
type Compiler struct {
	Mode  *Mode
	nodes map[Key]*Node
	// Tags other than json are read too: limits, and required members.
	limited bool
}

// place returns the node for a field or an element. Before Go 1.27, v1 calls the methods of a
// field's type only if the type has a name.
func (c *Compiler) place(s *shape.Shape, most int) *Node {
	if !c.Mode.IsV1() {
		return c.Node(Key{Shape: s, Methods: true, Most: most})
	}
	return c.Node(Key{Shape: s, Methods: c.Mode.asks(s.Type.Name() != ""), slot: s.Type, Most: most})
}

// Node returns the node for key.
func (c *Compiler) Node(key Key) *Node {
	if n := c.nodes[key]; n != nil {
		return n
	}
	s, slot := key.Shape, key.slot
	// The node is in the table before its parts are made, so that a recursive type finds it.
	n := &Node{Shape: s, slot: slot, Most: key.Most, Name: key.Name, Quoted: key.Quoted || key.Name}
	c.nodes[key] = n
	// The number of a slice's node selects its room in a Decoder. Numbers are never reused, since
	// each type is compiled once.
	if s.Kind == shape.Slice || s.Kind == shape.Bytes {
		n.Pointer, n.number = mem.AddressTypeOf(s.Type), int(slicesMade.Add(1))
	}
	n.null = !c.limited || s.TakesNull()
	if !c.Mode.IsV1() {
		n.Quoted = n.Quoted || c.Mode.Flags&option.StringifyNumbers != 0
		// Version 2 decides first.
		if key.Declined < PlainNode && c.Mode.Rules.Custom(c, key, n) {
			return n
		}
		n.Op = c.Mode.opOf(s, false)
	} else {
		n.Op = c.Mode.opOf(s, key.Methods)
	}
	switch n.Op {
	// A limit on elements passes through an Option to the slice or map in it.
	case nodeOption:
		n.Elem = c.place(s.Elem, key.Most)
	case NodeSlice, nodeBytes, nodeArray:
		n.Elem = c.place(s.Elem, math.MaxInt)
	case nodePointer:
		// A pointer passes on the parts of the Key that concern the value it points to.
		elem := Key{Shape: s.Elem, Methods: c.Mode.asks(s.Type.Name() == ""), slot: slot, Most: key.Most}
		if !c.Mode.IsV1() {
			elem.Quoted, elem.Name = key.Quoted && !c.Mode.StopsString(s), key.Name
		}
		n.Elem = c.Node(elem)
	case nodeMarshaler:
		if rules.UnmarshalsFrom(reflect.PointerTo(s.Type)) {
			// The method with a stream may decline, and then the rules of the kind apply.
			n.Elem = c.Node(Key{Shape: s, slot: slot, Most: key.Most})
		}
	case NodeMap:
		n.Elem = c.place(s.Elem, math.MaxInt)
		n.Key = c.Mode.keyFormOf(s.Key)
		n.Fill = c.Mode.FillOf(s, n.Elem)
	case NodeStruct:
		n.object = c.object(s)
	// The error of a Result has no node: its text becomes an error by errors.New.
	case NodeUnion:
		n.cases = make([]*Node, len(s.Union.Cases))
		for i, held := range s.Union.Cases {
			if held.Elem != nil && held.Elem.Type != rules.ErrorType {
				n.cases[i] = c.place(held.Elem, key.Most)
			}
		}
	}
	return n
}

// opOf returns the operation of a node by the rules of v1. Methods says whether the methods of the
// type are called.
func (m *Mode) opOf(s *shape.Shape, methods bool) Op {
	switch {
	case s.Kind == shape.Option:
		return nodeOption
	case s.Union != nil:
		return NodeUnion
	// The methods of a pointer to the value count, since the value is addressable. A pointer type
	// has its own node, and the methods are those of the node's element.
	case methods && s.Type.Kind() != reflect.Pointer:
		switch p := reflect.PointerTo(s.Type); {
		case s.Kind == shape.Time:
			return NodeTime
		case p.Implements(rules.UnmarshalerType), !m.First() && rules.ReadsItself(p), rules.UnmarshalsFrom(p):
			return nodeMarshaler
		case p.Implements(rules.TextUnmarshalerType):
			return nodeText
		}
	}
	switch k := s.Kind; {
	case s.Type == rules.NumberType:
		return NodeNumber
	case k >= shape.Int8 && k <= shape.Uint64:
		return nodeInt8 + Op(k-shape.Int8)
	// A uintptr has the size of the machine's words.
	case k == shape.Uintptr && s.Size == 4:
		return nodeUint32
	case k == shape.Uintptr:
		return nodeUint64
	case k == shape.Map && m.keyFormOf(s.Key) == keyUnsupported:
		return nodeUnsupported
	}
	if op, ok := nodeOps[s.Kind]; ok {
		return op
	}
	return nodeUnsupported
}

// nodeOps has the operation of each kind that has one of its own.
var nodeOps = map[shape.Kind]Op{
	shape.Bool: NodeBool, shape.Float32: NodeFloat32, shape.Float64: NodeFloat64, shape.String: NodeString,
	shape.Bytes: nodeBytes, shape.Slice: NodeSlice, shape.Array: nodeArray, shape.Struct: NodeStruct,
	shape.Map: NodeMap, shape.Pointer: nodePointer, shape.Interface: nodeInterface,
	// Without its methods a time is a struct without exported fields.
	shape.Time: NodeStruct,
}

// most returns the number of elements that are decoded of the slice or the map in f. The number is
// one more than the limit in f's tag, so that a check of the length finds too many.
func (c *Compiler) most(f *shape.Field) int {
	if !c.limited {
		return math.MaxInt
	}
	// An invalid tag is ignored here: callers that check lengths check the tags before.
	limits, err := f.Limits()
	if err != nil || limits == nil || limits.MaxLength < 0 {
		return math.MaxInt
	}
	return min(limits.MaxLength, math.MaxInt-1) + 1
}

// object returns the object of a struct type.
func (c *Compiler) object(s *shape.Shape) *object {
	// Package shape has resolved promotion and conflicts of names: the list has each member once.
	list, rest := c.Mode.MembersOf(s)
	o := &object{fields: make([]field, len(list))}
	texts := make([]string, len(list))
	for i := range list {
		f := &list[i]
		texts[i] = f.Name
		path := f.Names()
		path[len(path)-1] = f.Name
		quoted := f.Quoted && c.Mode.IsV1()
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
	if !c.Mode.IsV1() {
		o.fault = c.Mode.Rules.Fault(&c.Mode.Key, s)
	}
	return o
}

// field returns the node for a field.
func (c *Compiler) field(f *shape.Member) *Node {
	if c.Mode.IsV1() {
		return c.place(f.Field.Shape, c.most(f.Field))
	}
	return c.Node(Key{Shape: f.Field.Shape, Methods: true, Most: c.most(f.Field), Quoted: f.String})
}

// rest returns the restReader of a field.
func (c *Compiler) rest(f *shape.Member) *restReader {
	r := &restReader{hops: f.Through, offset: f.Offset, shape: f.Field.Shape}
	if r.shape.Kind == shape.Pointer {
		r.pointer, r.shape = true, r.shape.Elem
	}
	if r.shape.Kind == shape.Map {
		r.elem = c.place(r.shape.Elem, 1<<31-1)
	}
	return r
}

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

// A Mode caches the nodes that are compiled by the same rules.
type Mode struct {
	rules.Key
	// Rules compiles the types that only version 2 treats in a special way; it is nil in version 1.
	Rules Rules
	nodes plan.Cache[Node]
	// names is the mode that ForNames returns, or nil.
	names atomic.Pointer[Mode]
	// name is set if the nodes of this mode decode names of members.
	name bool
}

// ForNames returns a mode with the rules of m for decoding the names of members instead of values.
func (m *Mode) ForNames() *Mode {
	if names := m.names.Load(); names != nil {
		return names
	}
	// If two goroutines get here at once, both use the mode that is stored first.
	m.names.CompareAndSwap(nil, &Mode{Key: m.Key, Rules: m.Rules, name: true})
	return m.names.Load()
}

// v1 holds the modes of version 1, indexed by option.ReleaseIndex. The index 3 would mean two
// releases at once. No call selects it, so its mode stays empty.
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
	// If two goroutines compile a type at once, Put keeps the node that is stored first, and
	// returns it to both goroutines.
	c := Compiler{Mode: m, nodes: map[Key]*Node{}, limited: m.Flags&option.ByTags != 0}
	return m.nodes.Put(t, c.root(Key{Shape: shape.Of(t), Methods: true, Most: math.MaxInt, Name: m.name}))
}

// nodes caches the nodes of version 1 by release. Nodes in limitedNodes also apply tags other than
// json.
var nodes, limitedNodes [option.Releases]plan.Cache[Node]

// slicesMade counts the slice nodes that were compiled. Each slice node takes the new count as its
// number.
var slicesMade atomic.Int64

// NodeOf returns the node of version 1 for t.Elem(), compiled for the given options. t must be a
// pointer type. The caches are keyed by pointer types, like the arguments of Unmarshal, so that a
// hit needs no call of Elem.
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
	return cache.Put(t, c.root(Key{Shape: shape.Of(t.Elem()), Methods: c.Mode.callsMethods(t.Name() == ""), Most: math.MaxInt}))
}

// root returns the node for key, which is for root values.
func (c *Compiler) root(key Key) *Node {
	n := c.Node(key)
	n.direct = mayBeDirect(n)
	return n
}

// Rules compile the types that version 2 treats in a special way. Package decode/call implements
// it.
type Rules interface {
	// Custom fills in n and reports true if functions or methods decode the type, or if version 2
	// does not support the type.
	Custom(c *Compiler, key Key, n *Node) bool
	// Fault returns the reason why version 2 refuses a struct type, or nil.
	Fault(k *rules.Key, s *shape.Shape) *shape.Fault
}

// PlainNode is the value of Key.Declined for the element of a NodeQuoted. The element decodes the
// scalar inside the quotes, and calls no functions or methods of version 2.
const PlainNode = 3

// IsBytes reports whether a slice or an array of bytes is decoded from base64. s is the shape of
// its type.
func (m *Mode) IsBytes(s *shape.Shape) bool {
	return m.Flags&option.FormatBytesWithLegacySemantics != 0 || s.Elem.Type.PkgPath() == ""
}

// callsMethods reports whether methods of a type are called. By the rules of version 1 before Go
// 1.27 the result is the argument first. By all other rules the result is true.
func (m *Mode) callsMethods(first bool) bool { return first || !m.First() }

// A Key identifies one of the nodes of a type.
type Key struct {
	Shape *shape.Shape
	// Methods is set if methods of the type are called.
	Methods bool
	// See Node.slot.
	slot reflect.Type
	// ignored is the JSON name of a struct's member that is skipped, or "" for none.
	ignored string
	// Most is the maximum number of elements that are decoded into the slice or map.
	Most int

	// Quoted is set if the field has the tag option "string". It is only for version 2.
	Quoted bool
	// Name is set if the value is the name of a member. It is only for version 2.
	Name bool
	// Declined counts the functions and methods that have declined the value. Functions and methods
	// are tried in a fixed order, and the node skips the first Declined of them. It is only for
	// version 2.
	Declined int8
}

// A Compiler makes the nodes of one root type. It stores a node in the table before it compiles the
// node's elements, because nodes of a recursive type refer to each other.
type Compiler struct {
	Mode  *Mode
	nodes map[Key]*Node
	// limited is set if tags other than json apply too: limits of lengths, and required members.
	limited bool
}

// nested returns the node for a field or an element of shape s. The argument most is the maximum
// number of elements that are decoded into a slice or a map. Before Go 1.27, version 1 calls the
// methods of the type of s only if the type has a name.
func (c *Compiler) nested(s *shape.Shape, most int) *Node {
	if !c.Mode.IsV1() {
		return c.Node(Key{Shape: s, Methods: true, Most: most})
	}
	return c.Node(Key{Shape: s, Methods: c.Mode.callsMethods(s.Type.Name() != ""), slot: s.Type, Most: most})
}

// Node returns the node for key.
func (c *Compiler) Node(key Key) *Node {
	if n := c.nodes[key]; n != nil {
		return n
	}
	s, slot := key.Shape, key.slot
	// Store the node before its elements are compiled, so that a recursive type finds it.
	n := &Node{Shape: s, slot: slot, Most: key.Most, Name: key.Name, Quoted: key.Quoted || key.Name}
	c.nodes[key] = n
	// The number of a slice node selects its staging slice. Each node gets a new number: a type is
	// compiled once, or a few times by goroutines that compile it at once.
	if s.Kind == shape.Slice || s.Kind == shape.Bytes {
		n.Pointer, n.number = mem.AddressTypeOf(s.Type), int(slicesMade.Add(1))
	}
	n.null = !c.limited || s.TakesNull()
	if !c.Mode.IsV1() {
		n.Quoted = n.Quoted || c.Mode.Flags&option.StringifyNumbers != 0
		// The rules of version 2 take precedence.
		if key.Declined < PlainNode && c.Mode.Rules.Custom(c, key, n) {
			return n
		}
		n.Op = c.Mode.opOf(s, false)
	} else {
		n.Op = c.Mode.opOf(s, key.Methods)
	}
	switch n.Op {
	// The limit on the elements of an Option applies to the slice or map in it.
	case nodeOption:
		n.Elem = c.nested(s.Elem, key.Most)
	case NodeSlice, nodeBytes, nodeArray:
		n.Elem = c.nested(s.Elem, math.MaxInt)
	case nodePointer:
		// The node for the pointer's target inherits these fields of the Key.
		elem := Key{Shape: s.Elem, Methods: c.Mode.callsMethods(s.Type.Name() == ""), slot: slot, Most: key.Most}
		if !c.Mode.IsV1() {
			elem.Quoted, elem.Name = key.Quoted && !c.Mode.StopsString(s), key.Name
		}
		n.Elem = c.Node(elem)
	case nodeMarshaler:
		if rules.UnmarshalsFrom(reflect.PointerTo(s.Type)) {
			// If the method declines, the value is decoded by its kind, as if the type had no
			// methods.
			n.Elem = c.Node(Key{Shape: s, slot: slot, Most: key.Most})
		}
	case NodeMap:
		n.Elem = c.nested(s.Elem, math.MaxInt)
		n.Key = c.Mode.keyFormOf(s.Key)
		n.Fill = c.Mode.FillOf(s, n.Elem)
	case NodeStruct:
		n.object = c.object(s, key.ignored)
	case nodeSum:
		n.sum, n.object = c.sum(s), &object{}
	// The error of an mo.Result has no node: Decoder.Union creates it with errors.New.
	case NodeUnion:
		n.cases = make([]*Node, len(s.Union.Cases))
		if s.Union.Sum != nil {
			n.sum, n.object = c.eitherCases(n, s.Union), &object{}
			break
		}
		for i, held := range s.Union.Cases {
			if held.Elem != nil && held.Elem.Type != rules.ErrorType {
				n.cases[i] = c.nested(held.Elem, key.Most)
			}
		}
	}
	return n
}

// sum returns the cases of the interface type s. In an internally tagged union the tag is a member
// of the case's object, so the node of the case's struct ignores the member with the tag's name.
func (c *Compiler) sum(s *shape.Shape) *sumCases {
	n := sumCasesOf(s.Sum)
	n.cases = make([]sumCase, len(s.Sum.Cases))
	for i := range s.Sum.Cases {
		of := &s.Sum.Cases[i]
		n.cases[i].held = mem.DynamicOf(s.Type, of.Type)
		if i == s.Sum.Unknown {
			continue
		}
		held := of.Shape
		if held.Kind == shape.Pointer {
			held = held.Elem
		}
		key := Key{Shape: held, Methods: true, slot: of.Type, Most: math.MaxInt}
		if s.Sum.Form == shape.SumInternal {
			key.ignored = s.Sum.Tag
		}
		n.cases[i].node = c.Node(key)
	}
	return n
}

// sumCasesOf returns the cases of s without their nodes.
func sumCasesOf(s *shape.Sum) *sumCases {
	n := &sumCases{of: s, tag: nameTextOf(s.Tag)}
	names := []string{s.Tag}
	switch s.Form {
	case shape.SumAdjacent:
		names = append(names, s.Value)
	case shape.SumUntagged:
		names = names[:0]
		for i := range s.Cases {
			for range s.Cases[i].Own {
				n.owners = append(n.owners, i)
			}
			names = append(names, s.Cases[i].Own...)
		}
	}
	n.names = shape.NamesOf(names)
	return n
}

// eitherCases returns the cases of an Either with declared cases, and sets their nodes in n.cases.
// The value of a case is decoded into the memory of the Either, whereas the value of an interface's
// case is newly allocated. If the union is internally tagged, the node of the case's struct ignores
// the tag; see sum.
func (c *Compiler) eitherCases(n *Node, u *shape.Union) *sumCases {
	for i, held := range u.Cases {
		key := Key{Shape: held.Elem, Methods: true, slot: held.Elem.Type, Most: math.MaxInt}
		if u.Sum.Form == shape.SumInternal {
			key.ignored = u.Sum.Tag
		}
		n.cases[i] = c.Node(key)
	}
	return sumCasesOf(u.Sum)
}

// opOf returns the operation of a node by the rules of version 1. The argument methods says whether
// the methods of the type are called.
func (m *Mode) opOf(s *shape.Shape, methods bool) Op {
	switch {
	case s.Kind == shape.Option:
		return nodeOption
	case s.Union != nil:
		return NodeUnion
	case s.Sum != nil:
		return nodeSum
	// The value is addressable, so methods with a pointer receiver are called too. A pointer type
	// has its own node, and the node of its element calls the methods.
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
	// The size of a uintptr depends on the platform.
	case k == shape.Uintptr && s.Size == 4:
		return nodeUint32
	case k == shape.Uintptr:
		return nodeUint64
	case k == shape.Map && m.keyFormOf(s.Key) == keyUnsupported, s.Endless():
		return nodeUnsupported
	}
	if op, ok := nodeOps[s.Kind]; ok {
		return op
	}
	return nodeUnsupported
}

// nodeOps maps a kind to its operation, for all kinds whose operation depends on nothing but the
// kind.
var nodeOps = map[shape.Kind]Op{
	shape.Bool: NodeBool, shape.Float32: NodeFloat32, shape.Float64: NodeFloat64, shape.String: NodeString,
	shape.Bytes: nodeBytes, shape.Slice: NodeSlice, shape.Array: nodeArray, shape.Struct: NodeStruct,
	shape.Map: NodeMap, shape.Pointer: nodePointer, shape.Interface: nodeInterface,
	// Without its methods a time is a struct without exported fields.
	shape.Time: NodeStruct,
}

// maxElements returns the maximum number of elements that are decoded into the slice or map in the field
// f. It is one more than the limit in f's tag, so that a later check of the length fails if there
// are too many elements.
func (c *Compiler) maxElements(f *shape.Field) int {
	if !c.limited {
		return math.MaxInt
	}
	// Ignore an invalid tag: callers that check lengths have checked the tags before.
	limits, err := f.Limits()
	if err != nil || limits == nil || limits.MaxLength < 0 {
		return math.MaxInt
	}
	return min(limits.MaxLength, math.MaxInt-1) + 1
}

// object compiles the description of a struct type: its fields and their nodes.
func (c *Compiler) object(s *shape.Shape, ignored string) *object {
	// MembersOf resolves promoted fields and conflicts of names, so the list has each member once.
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
	if ignored != "" {
		texts = append(texts, ignored)
		o.fields = append(o.fields, field{name: nameTextOf(ignored), in: s.Type, path: []string{ignored}, order: len(list)})
	}
	o.names = shape.NamesOf(texts)
	if rest != nil {
		o.rest = c.restReader(s.Type, rest)
	}
	if !c.Mode.IsV1() {
		o.fault = c.Mode.Rules.Fault(&c.Mode.Key, s)
	}
	return o
}

// field returns the node for a field.
func (c *Compiler) field(f *shape.Member) *Node {
	if c.Mode.IsV1() {
		return c.nested(f.Field.Shape, c.maxElements(f.Field))
	}
	return c.Node(Key{Shape: f.Field.Shape, Methods: true, Most: c.maxElements(f.Field), Quoted: f.String})
}

// restReader returns the restReader for the field f of the struct type in.
func (c *Compiler) restReader(in reflect.Type, f *shape.Member) *restReader {
	r := &restReader{in: in, hops: f.Through, offset: f.Offset, shape: f.Field.Shape}
	if r.shape.Kind == shape.Pointer {
		r.pointer, r.shape = true, r.shape.Elem
	}
	if r.shape.Kind == shape.Map {
		r.elem = c.nested(r.shape.Elem, 1<<31-1)
	}
	return r
}

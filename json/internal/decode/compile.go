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
	// Rules compile the types about which rules differ.
	Rules Rules
	// FoldsNames is set if a name also matches a field whose name differs only in case.
	FoldsNames bool
	// KeepsTail is set if an error in an element keeps the old elements of a slice after it.
	KeepsTail bool
	// ByPlace is set if methods are called only for types with a name and in some places also for
	// pointers without one, and if errors contain the type of the place; see [Node.Slot].
	ByPlace bool

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

// NodeOf returns the node for t.Elem(). t must be a pointer type. The cache is keyed by pointer
// types, like the arguments of Unmarshal, so that a hit needs no call of Elem.
func (m *Mode) NodeOf(t reflect.Type) *Node {
	if n := m.nodes.Get(t); n != nil {
		return n
	}
	// If two goroutines compile a type at once, Put keeps the node that is stored first, and
	// returns it to both goroutines.
	c := Compiler{Mode: m, nodes: map[Key]*Node{}, limited: m.Flags&option.ByTags != 0}
	return m.nodes.Put(t, c.root(Key{Shape: shape.Of(t.Elem()), Methods: m.callsMethods(t.Name() == ""), Most: math.MaxInt, Name: m.name}))
}

// slicesMade counts the slice nodes that were compiled. Each slice node takes the new count as its
// number.
var slicesMade atomic.Int64

// root returns the node for key, which is for root values.
func (c *Compiler) root(key Key) *Node {
	n := c.Node(key)
	if n.direct = mayBeDirect(n); n.direct {
		for _, n := range c.nodes {
			switch {
			case n.Op == NodeStruct:
				n.object.steps = stepsOf(n.object)
			case n.readsMap():
				n.Pointer, n.number = mem.AddressTypeOf(reflect.SliceOf(n.Shape.Elem.Type)), int(slicesMade.Add(1))
			}
		}
	}
	return n
}

// Rules compile the types about which the versions and releases of encoding/json differ. Each version
// and each release has a package below json/internal/rules that implements it.
type Rules interface {
	// Custom fills in n and reports true if the rules decode the type, or refuse it. Otherwise the
	// engine compiles the type by its kind.
	Custom(c *Compiler, key Key, n *Node) bool
	// Members returns the members of a struct, and the field of unknown members or nil.
	Members(s *shape.Shape) ([]shape.Member, *shape.Member)
	// Quoted returns the row for fields with the tag option "string". It returns nil if Custom
	// compiles the nodes of these fields, for which Key.Quoted is set.
	Quoted() Row
	// Fault returns the reason why a struct type is refused, or nil.
	Fault(k *rules.Key, s *shape.Shape) *shape.Fault
}

// IsBytes reports whether a slice or an array of bytes is decoded from base64. s is the shape of
// its type.
func (m *Mode) IsBytes(s *shape.Shape) bool {
	return m.Flags&option.FormatBytesWithLegacySemantics != 0 || s.Elem.Type.PkgPath() == ""
}

// callsMethods reports whether the methods of a type are called in a place. If the rules call them only
// in some places, the argument here says whether this is such a place.
func (m *Mode) callsMethods(here bool) bool { return here || !m.ByPlace }

// A Key identifies one of the nodes of a type.
type Key struct {
	Shape *shape.Shape
	// Methods is set if methods of the type are called.
	Methods bool
	// See Node.Slot.
	slot reflect.Type
	// ignored is the JSON name of a struct's member that is skipped, or "" for none.
	ignored string
	// Most is the maximum number of elements that are decoded into the slice or map.
	Most int

	// Quoted is set if the field has the tag option "string", and [Rules.Quoted] has no row for it.
	Quoted bool
	// Name is set if the value is the name of a member.
	Name bool
	// Declined counts the functions and methods that have declined the value. Functions and methods
	// are tried in a fixed order, and the node skips the first Declined of them.
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

// Nested returns the node for a field or an element of shape s. The argument most is the maximum
// number of elements that are decoded into a slice or a map.
func (c *Compiler) Nested(s *shape.Shape, most int) *Node { return c.Node(c.place(s, most)) }

// place returns the Key for Nested.
func (c *Compiler) place(s *shape.Shape, most int) Key {
	return Key{Shape: s, Methods: c.Mode.callsMethods(s.Type.Name() != ""), slot: c.slot(s.Type), Most: most}
}

// slot returns the type of a place for Key.slot.
func (c *Compiler) slot(t reflect.Type) reflect.Type {
	if c.Mode.ByPlace {
		return t
	}
	return nil
}

// Node returns the node for key.
func (c *Compiler) Node(key Key) *Node {
	if n := c.nodes[key]; n != nil {
		return n
	}
	s := key.Shape
	// Store the node before its elements are compiled, so that a recursive type finds it.
	n := &Node{Shape: s, Slot: key.slot, Most: key.Most, Name: key.Name, Quoted: key.Quoted || key.Name, keepsTail: c.Mode.KeepsTail}
	c.nodes[key] = n
	// The number of a slice node selects its staging slice. Each node gets a new number: a type is
	// compiled once, or a few times by goroutines that compile it at once.
	if s.Kind == shape.Slice || s.Kind == shape.Bytes {
		n.Pointer, n.number = mem.AddressTypeOf(s.Type), int(slicesMade.Add(1))
	}
	n.null = !c.limited || s.TakesNull()
	if c.Mode.Rules.Custom(c, key, n) {
		return n
	}
	n.Op = opOf(s)
	switch n.Op {
	// The limit on the elements of an Option applies to the slice or map in it.
	case nodeOption:
		n.Elem = c.Nested(s.Elem, key.Most)
	case NodeSlice, nodeArray:
		n.Elem = c.Nested(s.Elem, math.MaxInt)
	case NodePointer:
		// The node for the pointer's target inherits these fields of the Key.
		n.Elem = c.Node(Key{
			Shape: s.Elem, Methods: c.Mode.callsMethods(s.Type.Name() == ""), slot: key.slot, Most: key.Most,
			Quoted: key.Quoted && !c.Mode.StopsString(s), Name: key.Name,
		})
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
				n.cases[i] = c.Nested(held.Elem, key.Most)
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
		key := Key{Shape: held, Methods: true, slot: c.slot(of.Type), Most: math.MaxInt}
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
		key := Key{Shape: held.Elem, Methods: true, slot: c.slot(held.Elem.Type), Most: math.MaxInt}
		if u.Sum.Form == shape.SumInternal {
			key.ignored = u.Sum.Tag
		}
		n.cases[i] = c.Node(key)
	}
	return sumCasesOf(u.Sum)
}

// opOf returns the operation of a node that the engine compiles.
func opOf(s *shape.Shape) Op {
	switch k := s.Kind; {
	case k == shape.Option:
		return nodeOption
	case s.Union != nil:
		return NodeUnion
	case s.Sum != nil:
		return nodeSum
	case k >= shape.Int8 && k <= shape.Uint64:
		return nodeInt8 + Op(k-shape.Int8)
	// The size of a uintptr depends on the platform.
	case k == shape.Uintptr && s.Size == 4:
		return nodeUint32
	case k == shape.Uintptr:
		return nodeUint64
	case s.Endless():
		return NodeUnsupported
	}
	if op, ok := nodeOps[s.Kind]; ok {
		return op
	}
	return NodeUnsupported
}

// nodeOps maps a kind to its operation, for all kinds whose operation depends on nothing but the
// kind.
var nodeOps = map[shape.Kind]Op{
	shape.Bool: NodeBool, shape.Float32: NodeFloat32, shape.Float64: NodeFloat64, shape.String: NodeString,
	shape.Slice: NodeSlice, shape.Array: nodeArray, shape.Struct: NodeStruct, shape.Pointer: NodePointer,
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
	// Members resolves promoted fields and conflicts of names, so the list has each member once.
	list, rest := c.Mode.Rules.Members(s)
	o := &object{fields: make([]field, len(list)), fault: c.Mode.Rules.Fault(&c.Mode.Key, s)}
	texts := make([]string, len(list))
	for i := range list {
		f := &list[i]
		texts[i] = f.Name
		path := f.Names()
		path[len(path)-1] = f.Name
		key, quoted := c.place(f.Field.Shape, c.maxElements(f.Field)), c.Mode.Rules.Quoted()
		if quoted == nil {
			key.Quoted = f.String
		} else if !f.Quoted {
			quoted = nil
		}
		o.fields[i] = field{
			name: nameTextOf(f.Name), offset: f.Offset, node: c.Node(key),
			hops: f.Through, quoted: quoted, simple: len(f.Through) == 0 && quoted == nil,
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
	o.names, o.folds = shape.NamesOf(texts), c.Mode.FoldsNames && !o.cased
	if rest != nil {
		o.rest = c.restReader(s.Type, rest)
	}
	return o
}

// restReader returns the restReader for the field f of the struct type in.
func (c *Compiler) restReader(in reflect.Type, f *shape.Member) *restReader {
	r := &restReader{in: in, hops: f.Through, offset: f.Offset, shape: f.Field.Shape}
	if r.shape.Kind == shape.Pointer {
		r.pointer, r.shape = true, r.shape.Elem
	}
	if r.shape.Kind == shape.Map {
		r.elem = c.Nested(r.shape.Elem, 1<<31-1)
	}
	return r
}

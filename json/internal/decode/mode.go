package decode

import (
	"math"
	"reflect"
	"sync/atomic"

	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Mode holds the nodes that are compiled by the same rules.
type Mode struct {
	rules.Key
	// Compiles the types of version 2; nil in version 1.
	Rules Rules
	nodes plan.Cache[Node]
	// The same rules for names of members.
	names atomic.Pointer[Mode]
	// The mode is for names of members.
	name bool
}

// ForNames returns the same rules for the names of members.
func (m *Mode) ForNames() *Mode {
	if names := m.names.Load(); names != nil {
		return names
	}
	// Two goroutines may get here at once. The mode of the first is kept.
	m.names.CompareAndSwap(nil, &Mode{Key: m.Key, Rules: m.Rules, name: true})
	return m.names.Load()
}

// v1 are the rules of v1, by release. No call has both flags of a release.
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
	// Two goroutines may compile a type at once. Put returns the node that was kept, so both use
	// the same one.
	c := Compiler{Mode: m, nodes: map[Key]*Node{}, limited: m.Flags&option.ByTags != 0}
	n := c.Node(Key{Shape: shape.Of(t), Methods: true, Most: math.MaxInt, Name: m.name})
	n.direct = mayBeDirect(n)
	return m.nodes.Put(t, n)
}

// nodes has the nodes of v1 by release, and limitedNodes the nodes that know the tags of fields
// other than json.
var nodes, limitedNodes [option.Releases]plan.Cache[Node]

// slicesMade counts the nodes of slices, each of which has a number.
var slicesMade atomic.Int64

// NodeOf returns the node of v1 for the type that the pointer type t points to, by the options of
// a call. The keys of the caches are pointer types, as Unmarshal gets them. That spares a lookup
// of the pointer's element.
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

// Rules compile the types that only version 2 treats otherwise. Package decode/call implements
// it.
type Rules interface {
	// Custom fills in a node that functions or methods decode, or that version 2 refuses. It
	// reports whether it did.
	Custom(c *Compiler, key Key, n *Node) bool
	// Fault returns the fault of a struct type that makes version 2 refuse it, or nil.
	Fault(k *rules.Key, s *shape.Shape) *shape.Fault
}

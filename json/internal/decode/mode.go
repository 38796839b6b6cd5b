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

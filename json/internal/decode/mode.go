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

// A Mode holds the nodes that are made by the same rules.
type Mode struct {
	rules.Key
	Rules Rules // nil by the rules of v1
	nodes plan.Cache[Node]
	names atomic.Pointer[Mode] // for names of members
	name  bool
}

// ForNames returns the same rules for the names of members.
func (m *Mode) ForNames() *Mode {
	if names := m.names.Load(); names != nil {
		return names
	}
	m.names.CompareAndSwap(nil, &Mode{Key: m.Key, Rules: m.Rules, name: true})
	return m.names.Load()
}

var v1 = Mode{Key: rules.Key{Flags: option.V1 | rules.StandardErrors}}

// Node returns the node for a type.
func (m *Mode) Node(t reflect.Type) *Node {
	if n := m.nodes.Get(t); n != nil {
		return n
	}
	c := Compiler{Mode: m, nodes: map[Key]*Node{}, limited: m.Flags&option.ByTags != 0}
	n := c.Node(Key{Shape: shape.Of(t), Methods: true, Most: math.MaxInt, Name: m.name})
	n.direct = mayBeDirect(n)
	return m.nodes.Put(t, n)
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
	c := Compiler{Mode: &v1, nodes: map[Key]*Node{}, limited: limited}
	n := c.Node(Key{Shape: shape.Of(t.Elem()), Methods: methodsOfAll || t.Name() == "", Most: math.MaxInt})
	n.direct = mayBeDirect(n)
	return cache.Put(t, n)
}

type Rules interface {
	Custom(c *Compiler, key Key, n *Node) bool
	Fault(k *rules.Key, s *shape.Shape) *shape.Fault
}

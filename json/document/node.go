package document

import (
	"github.com/hone-go/hone/internal/syntax"
)

// A node is a value of an [Edit]. It has one of three forms: a value of a Document, a text that has not been
// parsed yet, or, after expand, an array or object whose children may change.
type node struct {
	source *Document
	t      int
	raw    []byte // if source and open are nil; without white space around it
	open   *container
	name   []byte // the quoted name, if the node has been added as a member
}

// kind returns the kind of the value.
func (n *node) kind() Kind {
	switch {
	case n.open != nil && n.open.object:
		return Object
	case n.open != nil:
		return Array
	case n.source != nil:
		return n.source.kind(n.t)
	}
	return kindOf[n.raw[0]]
}

// value returns the value of a node that is not expanded.
func (n *node) value() Value {
	if n.source == nil {
		d := new(Document)
		if err := d.Parse(n.raw); err != nil {
			return Value{} // raw was too long for an index
		}
		n.source, n.raw = d, nil
	}
	return n.source.at(n.t)
}

// expand returns the children of an array or object, which may then change. It returns nil for a scalar.
func (n *node) expand() *container {
	if n.open != nil {
		return n.open
	}
	if k := n.kind(); k != Object && k != Array || !n.value().ok() {
		return nil
	}
	d, t := n.source, n.t
	c := &container{source: d, object: d.kind(t) == Object, live: d.count(t)}
	c.addLayout(t)
	step := 0
	if c.object {
		step = 1
	}
	for t, after := t+syntax.ContainerWords, syntax.After(d.words, t); t < after; t = d.after(t + step) {
		c.push(child{t: uint32(t)})
	}
	n.open = c
	return c
}

// length returns the length in bytes of a value that is not expanded.
func (n *node) length() int {
	if n.source != nil {
		return len(n.source.valueText(n.t))
	}
	return len(n.raw)
}

// append appends the text of the value. depth is the number of enclosing arrays and objects. The result is
// false if they are too many.
func (n *node) append(dst []byte, depth int) ([]byte, bool) {
	if depth > syntax.MaxDepth {
		return dst, false
	}
	switch {
	case n.open != nil:
		return n.open.append(dst, depth+1)
	case n.source != nil:
		return append(dst, n.source.valueText(n.t)...), true
	}
	return append(dst, n.raw...), true
}

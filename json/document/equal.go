package document

import (
	"bytes"

	"github.com/hone-go/hone/internal/syntax"
)

// Equal reports whether v and other are equal as JSON: strings have the same content, numbers the same
// value, as decimal fractions of any precision, arrays the same elements, and objects the same members in any
// order. Of members with the same name, the last one counts. Failures are equal to nothing. The values may be
// of different Documents.
func (v Value) Equal(other Value) bool {
	kind := v.Kind()
	if kind != other.Kind() {
		return false
	}
	switch kind {
	case Null:
		return true
	case Bool:
		return v.doc.data[v.Offset()] == other.doc.data[other.Offset()]
	case Number:
		return equalNumbers(v.Raw(), other.Raw())
	case String:
		var a, b [128]byte
		return bytes.Equal(v.doc.content(int(v.index), a[:0]), other.doc.content(int(other.index), b[:0]))
	case Array:
		return v.equalElements(other)
	case Object:
		return v.contains(other) && v.namesIn(other)
	}
	return false
}

func (v Value) equalElements(other Value) bool {
	if v.Len() != other.Len() {
		return false
	}
	t, u := int(v.index)+syntax.ContainerWords, int(other.index)+syntax.ContainerWords
	for range v.Len() {
		if !v.at(t).Equal(other.at(u)) {
			return false
		}
		t, u = v.doc.after(t), other.doc.after(u)
	}
	return true
}

// contains reports whether v has a member that is equal to each member of other.
func (v Value) contains(other Value) bool {
	for name, member := range other.lastMembers {
		mine, ok := v.Lookup(name)
		if !ok || !mine.Equal(member) {
			return false
		}
	}
	return true
}

// namesIn reports whether other has each name of v.
func (v Value) namesIn(other Value) bool {
	for name := range v.lastMembers {
		if _, ok := other.Lookup(name); !ok {
			return false
		}
	}
	return true
}

// lastMembers calls yield for each name of the object v, with the last member of this name.
func (v Value) lastMembers(yield func(string, Value) bool) {
	for name, member := range v.Members() {
		key := name.String()
		if last, _ := v.Lookup(key); last == member && !yield(key, member) {
			return
		}
	}
}

// equal reports whether a node has a value. It subtracts from room by how many bytes the text of the node is
// longer than v, and reports false if room becomes negative.
func (n *node) equal(v Value, room *int) bool {
	if n.open == nil {
		mine := n.value()
		*room -= max(0, len(mine.Raw())-len(v.Raw()))
		return *room >= 0 && mine.Equal(v)
	}
	c := n.open
	if c.object {
		return v.Kind() == Object && c.equalMembers(v, room)
	}
	if v.Kind() != Array || v.Len() != c.live {
		return false
	}
	t := int(v.index) + syntax.ContainerWords
	for _, ch := range c.children {
		if !c.node(ch).equal(v.at(t), room) {
			return false
		}
		t = v.doc.after(t)
	}
	return true
}

// equalMembers reports whether an object has the same members as v.
func (c *container) equalMembers(v Value, room *int) bool {
	n := 0
	for name, member := range v.lastMembers {
		i := c.index(name)
		if i < 0 || !c.node(c.at(i)).equal(member, room) {
			return false
		}
		n++
	}
	if n == c.live {
		return true
	}
	// The object may have names that occur several times.
	for _, ch := range c.children {
		if _, ok := v.Lookup(c.nameOf(ch)); !ok {
			return false
		}
	}
	return true
}

// equalNumbers reports whether two JSON numbers have the same value.
func equalNumbers(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, y := decimalOf(a), decimalOf(b)
	return x.negative == y.negative && x.length == y.length && x.exponent == y.exponent && x.equalDigits(y)
}

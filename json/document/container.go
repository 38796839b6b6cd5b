package document

import (
	"slices"

	"github.com/hone-go/hone/internal/syntax"
)

// A child is a member or an element of a container.
type child struct {
	value *node  // nil if it has not changed
	t     uint32 // the word of the element, or of the name, in the source of the container; 0 if it is new
}

// A container is an array or object whose children may change. The children are in chunks, so that an
// insertion moves few of them. The removed members of an object stay, with a value that is
// removedMember, so that the numbers in byName do not change.
type container struct {
	source *Document
	object bool
	live   int // the number of children without those removed
	chunks [][]child
	byName map[string][]int // the members of an object with more than minTable members, once needed

	// The space of the text: before the first child, before a new child, and after the last one; and the
	// text between a new name and its value.
	first, others, last []byte
	inner               []byte // the space in an array or object that has been empty
	colon               []byte
	firstChild          uint32 // the field t of the first child of the text
	afterLast           uint32 // the word after the last child of the text
}

// maxChunk is the largest number of children in a chunk.
const maxChunk = 1024

var removedMember = new(node)

// newObject returns the node of an empty object.
func newObject() *node { return &node{open: &container{object: true, colon: []byte(":")}} }

// push adds a child at the end. It does not count it.
func (c *container) push(ch child) {
	if n := len(c.chunks); n == 0 || len(c.chunks[n-1]) >= maxChunk/2 && !c.object {
		c.chunks = append(c.chunks, nil)
	}
	last := &c.chunks[len(c.chunks)-1]
	*last = append(*last, ch)
}

// locate returns the chunk and the place in it of child i, which may be the place after the last child.
func (c *container) locate(i int) (chunk, place int) {
	for chunk < len(c.chunks)-1 && i >= len(c.chunks[chunk]) {
		i -= len(c.chunks[chunk])
		chunk++
	}
	return chunk, i
}

// at returns child i.
func (c *container) at(i int) *child {
	chunk, place := c.locate(i)
	return &c.chunks[chunk][place]
}

// insert inserts a child of an array before child i.
func (c *container) insert(i int, ch child) {
	c.live++
	if len(c.chunks) == 0 {
		c.chunks = [][]child{nil}
	}
	k, place := c.locate(i)
	chunk := slices.Insert(c.chunks[k], place, ch)
	if c.chunks[k] = chunk; len(chunk) > maxChunk {
		half := len(chunk) / 2
		c.chunks[k] = slices.Clip(chunk[:half])
		c.chunks = slices.Insert(c.chunks, k+1, slices.Clone(chunk[half:]))
	}
}

// remove removes child i of an array.
func (c *container) remove(i int) {
	c.live--
	k, place := c.locate(i)
	if c.chunks[k] = slices.Delete(c.chunks[k], place, place+1); len(c.chunks[k]) == 0 {
		c.chunks = slices.Delete(c.chunks, k, k+1)
	}
}

// node returns the node of a child.
func (c *container) node(ch *child) *node {
	if ch.value == nil {
		t := int(ch.t)
		if c.object {
			t++
		}
		ch.value = &node{source: c.source, t: t}
	}
	return ch.value
}

// index returns the number of the child that a token means, or -1. For a name that occurs several times,
// it is the number of the last member.
func (c *container) index(token string) int {
	if !c.object {
		if i, ok := arrayIndex(token); ok && i < c.live {
			return i
		}
		return -1
	}
	last := -1
	for _, i := range c.named(token) {
		if c.at(i).value != removedMember {
			last = i
		}
	}
	return last
}

// named returns the numbers of the members that have or had this name, in rising order.
func (c *container) named(name string) (list []int) {
	if len(c.chunks) == 0 {
		return nil
	}
	members := c.chunks[0]
	if len(members) > minTable && c.byName == nil {
		c.byName = make(map[string][]int, len(members))
		for i := range members {
			if members[i].value != removedMember {
				key := c.nameOf(&members[i])
				c.byName[key] = append(c.byName[key], i)
			}
		}
	}
	if c.byName != nil {
		return c.byName[name]
	}
	for i := range members {
		if c.isNamed(&members[i], name) {
			list = append(list, i)
		}
	}
	return list
}

// nameOf returns the name of a member, without quotes.
func (c *container) nameOf(ch *child) string {
	if ch.t == 0 {
		out, _, _ := syntax.ReadUnquoted(nil, ch.value.name, 0)
		return string(out)
	}
	var buf [128]byte
	return string(c.source.content(int(ch.t), buf[:0]))
}

func (c *container) isNamed(ch *child, name string) bool {
	switch {
	case ch.value == removedMember:
		return false
	case ch.t != 0:
		return c.source.isString(int(ch.t), name)
	}
	return c.nameOf(ch) == name
}

// set sets the member called name to n, and removes other members of this name.
func (c *container) set(name string, n *node) {
	list := c.named(name)
	last := c.index(name)
	for _, i := range list {
		if i != last {
			c.removeMember(i)
		}
	}
	if last >= 0 {
		ch := c.at(last)
		if ch.t == 0 {
			n.name = ch.value.name
		}
		ch.value = n
		return
	}
	n.name = quoted(name)
	c.push(child{value: n})
	c.live++
	if c.byName != nil {
		c.byName[name] = append(c.byName[name], len(c.chunks[0])-1)
	}
}

// removeName removes all members called name.
func (c *container) removeName(name string) {
	for _, i := range c.named(name) {
		c.removeMember(i)
	}
	delete(c.byName, name)
}

func (c *container) removeMember(i int) {
	if ch := c.at(i); ch.value != removedMember {
		ch.value, ch.t = removedMember, 0
		c.live--
	}
}

// children calls yield for each child that has not been removed, with its number.
func (c *container) children(yield func(int, *child) bool) {
	n := 0
	for _, chunk := range c.chunks {
		for i := range chunk {
			if chunk[i].value == removedMember {
				continue
			}
			if !yield(n, &chunk[i]) {
				return
			}
			n++
		}
	}
}

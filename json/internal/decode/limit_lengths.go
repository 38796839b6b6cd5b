package decode

import (
	"math"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/shape"
)

// A cutter copies valid JSON without the elements that option.LimitLengths drops. It is used for
// JSON that is decoded without an index. It skips values with the functions of package syntax, and
// follows the nodes of the type. It does not use package stream: a stream of tokens would allocate
// four bytes for each byte of JSON, and every program that decodes would link the package.
type cutter struct {
	in, out []byte
	pos     int
}

// Cut returns a copy of data, which must be valid JSON for the value that v points to, without the
// elements that option.LimitLengths drops. The nodes of m must apply this option. If a member matches
// no field, Cut replaces its value by 0. If v is not a pointer, Cut returns data itself, because
// decoding then fails.
func (m *Mode) Cut(data []byte, v reflect.Value) []byte {
	if v.Kind() != reflect.Pointer {
		return data
	}
	c := cutter{in: data, out: make([]byte, 0, len(data))}
	c.value(m.NodeOf(v.Type()))
	return c.out
}

// value copies the next value. The argument n is its node, or nil if no limits apply to the value.
func (c *cutter) value(n *Node) {
	c.pos = syntax.SkipSpace(c.in, c.pos)
	switch {
	// No limits apply: copy the whole value.
	case n == nil:
	case n.Op == nodeOption || n.Op == NodePointer:
		c.value(n.Elem)
		return
	case n.Op == NodeUnion && n.Shape.Union.Nullable() >= 0:
		c.value(n.cases[n.Shape.Union.Nullable()])
		return
	case (n.Op == NodeSlice || n.Op == nodeArray) && c.in[c.pos] == '[':
		elements := 0
		c.list(func() {
			if elements++; elements <= n.Most {
				c.next()
				c.value(n.Elem)
			} else {
				c.pos = syntax.SkipValue(c.in, c.pos)
			}
		})
		return
	case (n.Op == NodeStruct || n.Op == NodeMap) && c.in[c.pos] == '{':
		// The limit applies to the distinct keys of a map, and not to the members of a struct.
		keys := map[string]bool{}
		c.list(func() {
			end, _ := syntax.SkipString(c.in, c.pos)
			quoted := c.in[c.pos:end]
			colon := syntax.SkipSpace(c.in, end)
			elem, there := n.member(quoted, keys)
			c.pos = syntax.SkipSpace(c.in, colon+1)
			if !there {
				c.pos = syntax.SkipValue(c.in, c.pos)
				return
			}
			c.next()
			c.out = append(append(c.out, quoted...), ':')
			if elem == nil && n.ignoresOthers() {
				// The member matches no field, so its value is never used.
				c.out = append(c.out, '0')
				c.pos = syntax.SkipValue(c.in, c.pos)
				return
			}
			c.value(elem)
		})
		return
	}
	end := syntax.SkipValue(c.in, c.pos)
	c.out = append(c.out, c.in[c.pos:end]...)
	c.pos = end
}

// list copies an array or an object. It calls copyOrSkip at the start of each element.
func (c *cutter) list(copyOrSkip func()) {
	c.out = append(c.out, c.in[c.pos])
	// The text is valid, so the closing bracket is found.
	closing := c.in[c.pos] + 2 // in ASCII ] is [ + 2, and } is { + 2
	c.pos = syntax.SkipSpace(c.in, c.pos+1)
	for c.in[c.pos] != closing {
		copyOrSkip()
		c.pos = syntax.SkipSpace(c.in, c.pos)
		if c.in[c.pos] == ',' {
			c.pos = syntax.SkipSpace(c.in, c.pos+1)
		}
	}
	c.out = append(c.out, closing)
	c.pos++
}

// next writes a comma unless the next element is the first one.
func (c *cutter) next() {
	if last := c.out[len(c.out)-1]; last != '[' && last != '{' {
		c.out = append(c.out, ',')
	}
}

// member returns the node for the member with the given name, or nil if no limits apply to the
// member, and whether to copy the member. The argument keys is the set of map keys that were copied
// so far.
func (n *Node) member(quoted []byte, keys map[string]bool) (elem *Node, there bool) {
	name, _ := syntax.AppendUnquoted(nil, quoted)
	if n.Op == NodeStruct {
		i, _ := shape.Find(&n.object.names, name)
		if i < 0 {
			return nil, true
		}
		return n.object.fields[i].node, true
	}
	if n.Most == math.MaxInt {
		return n.Elem, true
	}
	key := string(name)
	switch n.Key {
	case KeyInt, KeyUint: // "7" and "+7" are one key
		if i, err := strconv.ParseInt(key, 10, 64); err == nil {
			key = strconv.FormatInt(i, 10)
		}
	case KeyMethod:
		// A method converts each name to a key, so it is unknown here whether two names become the
		// same key. Copy all members.
		return n.Elem, true
	}
	if !keys[key] && len(keys) >= n.Most {
		return nil, false
	}
	keys[key] = true
	return n.Elem, true
}

// ignoresOthers reports whether n ignores members that match no field.
func (n *Node) ignoresOthers() bool { return n.Op == NodeStruct && n.object.rest == nil }

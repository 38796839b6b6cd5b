package route

import (
	"encoding/binary"
	"strings"
)

// The routes form a radix tree. A node stands for the literal bytes of its
// prefix, for one parameter, or for the rest of a path; its children are tried
// in the order literal, parameter, rest, and a child that fails is backed out
// of. Each node is tried at most once for a path, so a search takes at most time
// linear in the tree, whatever the path.
type node[T Target] struct {
	prefix string // literal nodes only; never empty except at the root
	// first holds the first bytes of prefix, up to eight, as wordAt reads them.
	// A word begins with them if it differs from first in its upper shift bits alone.
	first uint64
	// table holds the literal children, each at the low bits of its first byte.
	// Its length is the smallest power of two in which each has a place of its own.
	table []*node[T]
	param *node[T]
	rest  *leaf[T] // of a pattern that ends in a Rest here
	leaf  *leaf[T] // of a pattern that ends here
	// tail is set on a parameter that nothing follows in any pattern: it takes
	// the rest of the path, slashes and all.
	tail  bool
	shift uint8 // 64, less the bits of first
}

// insert returns the leaf for a pattern, growing the tree where it must. The
// root stands for the slash that every pattern begins with. With segments, a
// parameter that ends the pattern stops at a slash.
func (n *node[T]) insert(parts []Part, segments bool) *leaf[T] {
	for i, p := range parts {
		n.tail = false
		switch p.Kind {
		case Literal:
			n = n.insertLiteral(p.below(i))
		case Param:
			if n.param == nil {
				n.param = &node[T]{tail: true}
			}
			n = n.param
		case Rest:
			if n.rest == nil {
				n.rest = &leaf[T]{}
			}
			return n.rest
		}
	}
	n.tail = n.tail && !segments
	if n.leaf == nil {
		n.leaf = &leaf[T]{}
	}
	return n.leaf
}

// lookUp returns the leaf of a pattern, or nil.
func (n *node[T]) lookUp(parts []Part) *leaf[T] {
	for i, p := range parts {
		switch p.Kind {
		case Literal:
			for text := p.below(i); text != ""; text = text[len(n.prefix):] {
				if n = n.child(uint64(text[0])); n == nil || !strings.HasPrefix(text, n.prefix) {
					return nil
				}
			}
		case Param:
			if n = n.param; n == nil {
				return nil
			}
		case Rest:
			return n.rest
		}
	}
	return n.leaf
}

// below is the text of a pattern's part i, without the slash of the root.
func (p Part) below(i int) string {
	if i == 0 {
		return p.Text[1:]
	}
	return p.Text
}

func (n *node[T]) insertLiteral(text string) *node[T] {
	for text != "" {
		child := n.child(uint64(text[0]))
		if child == nil || child.prefix[0] != text[0] {
			child = &node[T]{}
			child.setPrefix(text)
			n.adopt(child)
			return child
		}
		common := commonPrefix(child.prefix, text)
		if common < len(child.prefix) {
			lower := *child
			lower.setPrefix(child.prefix[common:])
			*child = node[T]{}
			child.setPrefix(text[:common])
			child.adopt(&lower)
		}
		n, text = child, text[common:]
	}
	return n
}

func (n *node[T]) setPrefix(text string) {
	n.prefix = text
	n.first, n.shift = wordAt(text, 0), uint8(64-8*min(len(text), 8))
}

// adopt adds a literal child whose first byte no other has.
func (n *node[T]) adopt(child *node[T]) {
	children := []*node[T]{child}
	if size := len(n.table); size > 0 {
		if place := &n.table[int(child.prefix[0])&(size-1)]; *place == nil {
			*place = child
			return
		}
		for _, c := range n.table {
			if c != nil {
				children = append(children, c)
			}
		}
	}
	for size := max(1, 2*len(n.table)); !n.tabulate(children, size); size *= 2 {
	}
}

// tabulate makes the table of a size, unless two children fall into one place.
func (n *node[T]) tabulate(children []*node[T], size int) bool {
	table := make([]*node[T], size)
	for _, c := range children {
		place := &table[int(c.prefix[0])&(size-1)]
		if *place != nil {
			return false
		}
		*place = c
	}
	n.table = table
	return true
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// child returns the literal child that begins with the lowest byte of word, if
// there is one. If there is none, it returns nil or another child.
func (n *node[T]) child(word uint64) *node[T] {
	if len(n.table) == 0 {
		return nil
	}
	return n.table[int(word)&(len(n.table)-1)]
}

// wordAt returns s[at:at+8] as a number, the first byte lowest, and zeros for
// what is beyond the end of s.
func wordAt(s string, at int) (word uint64) {
	switch {
	case at <= len(s)-8:
		word = binary.LittleEndian.Uint64([]byte(s[at:]))
	case len(s) >= 8:
		word = binary.LittleEndian.Uint64([]byte(s[len(s)-8:])) >> (uint(at-len(s)) * 8 & 63)
	default:
		for i := len(s) - 1; i >= at; i-- {
			word = word<<8 | uint64(s[i])
		}
	}
	return word
}

package route

import (
	"encoding/binary"
	"strings"
)

// The routes form a radix tree. A node matches the literal bytes of its prefix, one
// parameter, or the rest of a path. Its children are tried in the order literal,
// parameter, rest, and the search backtracks from a child that fails.
//
// Without inline verbs each node is tried at most once for a path, so a search takes at most
// time linear in the size of the tree. A parameter that is followed by an inline verb may end at
// each colon of its segment, and the nodes of the verb are tried once for each of these ends. All
// other nodes are tried at most once.
type node[T Target] struct {
	prefix string // literal nodes only; never empty except at the root
	// first holds the first bytes of prefix, up to eight, as returned by wordAt. The text of a word
	// begins with these bytes if (word^first)<<shift is 0.
	first uint64
	// table holds the literal children, each at the index in the low bits of its first byte. The
	// length of table is the smallest power of two at which the indexes are distinct.
	table []*node[T]
	param *node[T]
	verb  *node[T] // the literal child of a parameter node that begins with a colon
	rest  *leaf[T] // leaf of the pattern that continues with a Rest after this node
	leaf  *leaf[T] // leaf of the pattern that ends at this node
	// tail is set on a parameter node if nothing but inline verbs follows it in any pattern. The
	// parameter then matches the rest of the path, including slashes.
	tail  bool
	shift uint8 // 64 minus the number of bits used in first
}

// insert returns the leaf for a pattern, and adds nodes to the tree as needed. The root matches
// the slash with which every pattern begins. If segments is set, a parameter at the end of the
// pattern ends at the next slash.
func (n *node[T]) insert(parts []Part, segments bool) *leaf[T] {
	for i, p := range parts {
		verb := i > 0 && p.Kind == Literal && p.Text[0] == ':'
		n.tail = n.tail && verb
		switch p.Kind {
		case Literal:
			param := n
			n = n.insertLiteral(p.text(i))
			if verb {
				param.verb = param.child(':')
			}
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
			for text := p.text(i); text != ""; text = text[len(n.prefix):] {
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

// text returns the text of the part with the index i in its pattern. It omits the first slash of the
// pattern, which the root matches.
func (p Part) text(i int) string {
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

// adopt adds a literal child. No other child has the same first byte.
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

// tabulate builds a table of the given size. It returns false if two children have the same index.
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

// child returns the literal child that begins with the lowest byte of word. If no child
// does, it returns nil or another child.
func (n *node[T]) child(word uint64) *node[T] {
	if len(n.table) == 0 {
		return nil
	}
	return n.table[int(word)&(len(n.table)-1)]
}

// wordAt returns s[at:at+8] as a number, the first byte lowest. Bytes past the end of s
// are zero.
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

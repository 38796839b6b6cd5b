package encode

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
)

// order sorts the names of a map. It sorts keys of 16 bytes instead of the names themselves, so
// that sorting moves less memory.
type order struct {
	names []string // in iteration order
	keys  []orderKey
}

// An orderKey is the sort key for one name. The field at is the index of the name in order.names.
// Most names differ within their first eight bytes, and comparing one number is faster than
// comparing two strings.
type orderKey struct {
	// prefix contains the first bytes of the name as a big-endian word, padded with zeros. It is
	// valid only before sort, which may move the indexes (at) without their prefixes.
	prefix uint64
	at     int
}

// add adds a name.
func (o *order) add(name string) {
	o.keys = append(o.keys, orderKey{prefixOf(name), len(o.names)})
	o.names = append(o.names, name)
}

// prefixOf returns the first eight bytes of a name, padded with zeros, as a big-endian number. So
// the numbers have the same order as the names.
func prefixOf(name string) (prefix uint64) {
	// The first byte is the most significant one.
	if len(name) >= 8 {
		return bits.ReverseBytes64(mem.Word(name, 0))
	}
	for i := range len(name) {
		prefix |= uint64(name[i]) << (56 - 8*i)
	}
	return prefix
}

// insertionNames is the maximum number of names for insertion sort.
const insertionNames = 64

// sort sorts the keys by name and returns them.
func (o *order) sort() []orderKey {
	if len(o.keys) > insertionNames {
		slices.SortFunc(o.keys, o.compare)
	} else {
		o.insert()
	}
	return o.keys
}

// insert sorts at most insertionNames keys by insertion. It packs each key into one word: seven
// bytes of the name, and the index in the lowest byte. Comparing or moving a packed key takes one
// instruction. Keys whose seven bytes are equal are then sorted by their full names.
func (o *order) insert() {
	const last = insertionNames - 1 // a mask that proves to the compiler that indexes are in range
	var words [insertionNames]uint64
	for i, k := range o.keys {
		// At most 64 names, so the index fits into the lowest byte.
		w := k.prefix&^0xff | uint64(i)
		j := i
		for ; j > 0 && words[(j-1)&last] > w; j-- {
			words[j&last] = words[(j-1)&last]
		}
		words[j&last] = w
	}
	for i := range o.keys {
		// Keys with equal bytes are adjacent now. Sort them by their full names.
		w := words[i&last]
		j := i
		for ; j > 0 && words[(j-1)&last]>>8 == w>>8 && o.names[w&0xff] < o.names[words[(j-1)&last]&0xff]; j-- {
			words[j&last] = words[(j-1)&last]
		}
		words[j&last] = w
	}
	for i := range o.keys {
		o.keys[i].at = int(words[i&last] & 0xff)
	}
}

// compare compares two keys by their names.
func (o *order) compare(a, b orderKey) int {
	if c := cmp.Compare(a.prefix, b.prefix); c != 0 {
		return c
	}
	return strings.Compare(o.names[a.at], o.names[b.at])
}

// reset removes the names. It keeps the memory unless its capacity is more than maxNames names.
func (o *order) reset() {
	clear(o.names)
	if cap(o.names) > maxNames {
		o.names, o.keys = nil, nil
	}
	o.names, o.keys = o.names[:0], o.keys[:0]
}

// maxNames is the maximum number of names whose memory is kept.
const maxNames = 4096

package encode

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
)

// order sorts the names of a map. Names and keys are in separate slices, so that sorting moves only
// 16 bytes for each name.
type order struct {
	names []string // in the order of the map's iteration
	keys  []orderKey
}

// An orderKey represents the name at index at. Most names differ within their first eight bytes,
// and comparing one number is faster than comparing two strings.
type orderKey struct {
	// The first bytes as a big-endian word, padded with zeros. Sorting makes it invalid.
	prefix uint64
	at     int
}

// add adds a name.
func (o *order) add(name string) {
	o.keys = append(o.keys, orderKey{prefixOf(name), len(o.names)})
	o.names = append(o.names, name)
}

// prefixOf returns the first eight bytes of a name, padded with zeros, as a number that sorts as
// the names do.
func prefixOf(name string) (prefix uint64) {
	// The first byte is the most significant one, so that numbers sort as the names do.
	if len(name) >= 8 {
		return bits.ReverseBytes64(mem.Word(name, 0))
	}
	for i := range len(name) {
		prefix |= uint64(name[i]) << (56 - 8*i)
	}
	return prefix
}

// insertionNames is the largest number of names for which sorting by insertion is faster.
const insertionNames = 64

// sort returns the keys, sorted by name.
func (o *order) sort() []orderKey {
	if len(o.keys) > insertionNames {
		slices.SortFunc(o.keys, o.compare)
	} else {
		o.insert()
	}
	return o.keys
}

// insert sorts at most insertionNames keys by insertion. It packs each key into one word, seven
// bytes of the name and the index in the lowest byte, so that comparing and moving a key are one
// instruction each. Keys with the same seven bytes are then sorted by their names.
func (o *order) insert() {
	const last = insertionNames - 1 // tells the compiler that indexes are in range
	var words [insertionNames]uint64
	for i, k := range o.keys {
		// Seven bytes of the name, and the index in the lowest byte. There are at most 64
		// names, so the index fits.
		w := k.prefix&^0xff | uint64(i)
		j := i
		for ; j > 0 && words[(j-1)&last] > w; j-- {
			words[j&last] = words[(j-1)&last]
		}
		words[j&last] = w
	}
	for i := range o.keys {
		// Keys with the same seven bytes are adjacent now. Their names are compared as a whole.
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

// compare compares the names of two keys.
func (o *order) compare(a, b orderKey) int {
	if c := cmp.Compare(a.prefix, b.prefix); c != 0 {
		return c
	}
	return strings.Compare(o.names[a.at], o.names[b.at])
}

// reset removes the names. It keeps the memory, unless the map had more than maxNames names.
func (o *order) reset() {
	clear(o.names)
	if cap(o.names) > maxNames {
		o.names, o.keys = nil, nil
	}
	o.names, o.keys = o.names[:0], o.keys[:0]
}

// maxNames is the largest number of names whose memory is kept.
const maxNames = 4096

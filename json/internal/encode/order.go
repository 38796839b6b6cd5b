package encode

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
)

// An order is where the names of a map's elements are sorted.
type order struct {
	names []string // in the order of the map's iteration
	keys  []orderKey
}

// An orderKey stands for names[at]. Most names differ within their first eight
// bytes, and numbers compare faster than strings.
type orderKey struct {
	prefix uint64 // the bytes, the first in the highest place; zeros behind; until it is sorted
	at     int
}

func (o *order) add(name string) {
	o.keys = append(o.keys, orderKey{prefixOf(name), len(o.names)})
	o.names = append(o.names, name)
}

func prefixOf(name string) (prefix uint64) {
	if len(name) >= 8 {
		return bits.ReverseBytes64(mem.Word(name, 0))
	}
	for i := range len(name) {
		prefix |= uint64(name[i]) << (56 - 8*i)
	}
	return prefix
}

// insertionNames is up to how many names sorting by insertion is faster.
const insertionNames = 64

// sort returns the keys in the order of their names.
func (o *order) sort() []orderKey {
	if len(o.keys) > insertionNames {
		slices.SortFunc(o.keys, o.compare)
	} else {
		o.insert()
	}
	return o.keys
}

// insert sorts no more than insertionNames keys by insertion: as words of seven bytes of the
// name and its place, of which two compare and move as one each. Then it sorts the names
// whose seven bytes are equal.
func (o *order) insert() {
	const last = insertionNames - 1 // tells the compiler that indexes are in range
	var words [insertionNames]uint64
	for i, k := range o.keys {
		w := k.prefix&^0xff | uint64(i)
		j := i
		for ; j > 0 && words[(j-1)&last] > w; j-- {
			words[j&last] = words[(j-1)&last]
		}
		words[j&last] = w
	}
	for i := range o.keys {
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

func (o *order) compare(a, b orderKey) int {
	if c := cmp.Compare(a.prefix, b.prefix); c != 0 {
		return c
	}
	return strings.Compare(o.names[a.at], o.names[b.at])
}

// reset forgets the names. It keeps the memory unless a map was large.
func (o *order) reset() {
	clear(o.names)
	if cap(o.names) > maxNames {
		o.names, o.keys = nil, nil
	}
	o.names, o.keys = o.names[:0], o.keys[:0]
}

const maxNames = 4096

package shape

import (
	"unicode"
	"unicode/utf8"
)

// Names looks up keys, such as JSON member names or parameter names, in a list of names. Create one
// with [NamesOf].
type Names struct {
	exact  table
	folded table  // table of the case-folded names
	lens   uint64 // bit n: a folded name has n bytes; bit 63: 63 or more
}

// A table is a hash table of names.
type table struct {
	list  []string
	slots []uint32 // open addressing: an index into list plus one, or 0
	shift uint8    // digest>>shift is an index into slots
}

// tableOf returns the table of a list. If several names are equal, it contains the first.
func tableOf(list []string) table {
	size, shift := 4, uint8(62)
	for size < 2*len(list) {
		size, shift = 2*size, shift-1
	}
	t := table{list: list, slots: make([]uint32, size), shift: shift}
	for i, name := range list {
		if at, found := seek(&t, name); found < 0 {
			t.slots[at] = uint32(i + 1)
		}
	}
	return t
}

// seek returns the slot and the index of a name. If the name is not in the table, it returns a free
// slot for it and -1.
func seek[K string | []byte](t *table, name K) (slot uint64, index int) {
	mask := uint64(len(t.slots) - 1)
	for slot = digest(name) >> t.shift; t.slots[slot] != 0; slot = (slot + 1) & mask {
		if i := int(t.slots[slot] - 1); t.list[i] == string(name) {
			return slot, i
		}
	}
	return slot, -1
}

// NamesOf returns the Names of a list, and retains the list. If several names are equal, lookups
// find the first.
func NamesOf(list []string) Names {
	folded := make([]string, len(list))
	n := Names{exact: tableOf(list)}
	for i, name := range list {
		folded[i] = Fold(name)
		n.lens |= 1 << min(len(folded[i]), 63)
	}
	n.folded = tableOf(folded)
	return n
}

// Find returns the index of the name that is equal to key, and true. If there is none, it returns
// the index of the first name that differs from key only in case, or -1, and false. It allocates
// nothing for keys up to 64 bytes.
func Find[K string | []byte](n *Names, key K) (index int, exact bool) {
	if _, i := seek(&n.exact, key); i >= 0 {
		return i, true
	}
	// Folding does not change the length of an ASCII key, so no name matches the key if no folded name
	// has its length.
	if n.lens>>min(len(key), 63)&1 == 0 && isASCII(key) {
		return -1, false
	}
	var room [64]byte
	_, i := seek(&n.folded, appendFolded(room[:0], key))
	return i, false
}

// FindExact returns the index of the name equal to key, or -1.
func FindExact[K string | []byte](n *Names, key K) int {
	_, i := seek(&n.exact, key)
	return i
}

func isASCII[K string | []byte](key K) bool {
	for i := 0; i < len(key); i++ {
		if key[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// digest hashes the length of a key and the bytes at its ends, which usually differ between the
// names of a struct.
func digest[K string | []byte](key K) uint64 {
	n := len(key)
	h := uint64(n)
	switch {
	case n >= 8:
		h += word(key, 0) ^ word(key, n-8)*0xff51afd7ed558ccd
	case n >= 4:
		h += half(key, 0) ^ half(key, n-4)<<32
	case n > 0:
		h += uint64(key[0])<<8 | uint64(key[n/2])<<16 | uint64(key[n-1])<<24
	}
	h ^= h >> 32
	return h * 0x9e3779b97f4a7c15
}

// word reads eight bytes of key in little-endian order, half reads four.
func word[K string | []byte](key K, i int) uint64 {
	b := key[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

func half[K string | []byte](key K, i int) uint64 {
	b := key[i : i+4]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
}

// Fold returns the common form of all names that differ from name only in case. It allocates if the
// form differs from name.
func Fold(name string) string {
	var room [64]byte
	if folded := appendFolded(room[:0], name); string(folded) != name {
		return string(folded)
	}
	return name
}

// appendFolded appends name with each rune replaced by the smallest rune that differs from it only
// in case.
func appendFolded[K string | []byte](dst []byte, name K) []byte {
	for i := 0; i < len(name); {
		if c := name[i]; c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(string(name[i:min(i+utf8.UTFMax, len(name))]))
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		dst = utf8.AppendRune(dst, least)
		i += size
	}
	return dst
}

package shape

import (
	"unicode"
	"unicode/utf8"
)

// Names finds the field that takes a key: an object's name in JSON, or that of a
// parameter. Make one with [NamesOf].
type Names struct {
	list   []string       // by index
	table  []uint32       // open addressing by digest: an index and one, or zero
	shift  uint8          // of a digest, to an index into table
	folded map[string]int // by the name without its case; of several the first
	lens   uint64         // bit n is set if a folded name has n bytes, 63 or more
}

// NamesOf returns the table of a list of names, which it keeps. Of equal ones
// the first is found.
func NamesOf(list []string) Names {
	size, shift := 4, uint8(62)
	for size < 2*len(list) {
		size, shift = 2*size, shift-1
	}
	n := Names{list: list, table: make([]uint32, size), shift: shift, folded: make(map[string]int, len(list))}
	for i, name := range list {
		at := digest(name) >> shift
		for n.table[at] != 0 {
			at = (at + 1) & uint64(size-1)
		}
		n.table[at] = uint32(i + 1)
		folded := Fold(name)
		if _, ok := n.folded[folded]; !ok {
			n.folded[folded] = i
		}
		n.lens |= 1 << min(len(folded), 63)
	}
	return n
}

// Find returns the index of the name that takes a key, and whether the two are
// equal. If none is, it is the first name that differs from the key in case
// alone, or -1. Find allocates nothing for keys up to 64 bytes.
func Find[K string | []byte](n *Names, key K) (index int, exact bool) {
	mask := uint64(len(n.table) - 1)
	for at := digest(key) >> n.shift; n.table[at] != 0; at = (at + 1) & mask {
		if i := int(n.table[at] - 1); n.list[i] == string(key) {
			return i, true
		}
	}
	var room [64]byte
	folded := appendFolded(room[:0], key)
	if n.lens>>min(len(folded), 63)&1 == 0 {
		return -1, false
	}
	if i, ok := n.folded[string(folded)]; ok {
		return i, false
	}
	return -1, false
}

// digest mixes the length of a key with the bytes at its ends, which tell the
// names of one struct apart as a rule.
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

// word reads eight bytes of key, half reads four, the first in the lowest place.
func word[K string | []byte](key K, i int) uint64 {
	b := key[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

func half[K string | []byte](key K, i int) uint64 {
	b := key[i : i+4]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
}

// Fold returns name in the form that it shares with all names that differ from
// it in case alone.
func Fold(name string) string { return string(appendFolded(nil, name)) }

// appendFolded appends each rune of name as the smallest of those it folds with.
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

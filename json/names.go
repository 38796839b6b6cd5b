package json

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/mem"
)

// names finds the field that takes a key.
type names struct {
	list   []string       // of the fields, by index
	table  []uint32       // open addressing by digest: an index and one, or zero
	shift  uint8          // of a digest, to an index into table
	folded map[string]int // by the name without its case; of several the first
	lens   uint64         // bit n is set if a folded name has n bytes, 63 or more
}

func namesOf(list []string) names {
	size, shift := 4, uint8(62)
	for size < 2*len(list) {
		size, shift = 2*size, shift-1
	}
	n := names{list: list, table: make([]uint32, size), shift: shift, folded: make(map[string]int, len(list))}
	for i, name := range list {
		at := digest([]byte(name)) >> shift
		for n.table[at] != 0 {
			at = (at + 1) & uint64(size-1)
		}
		n.table[at] = uint32(i + 1)
		folded := string(appendFolded(nil, []byte(name)))
		if _, ok := n.folded[folded]; !ok {
			n.folded[folded] = i
		}
		n.lens |= 1 << min(len(folded), 63)
	}
	return n
}

// find returns the index of the field that takes a key, or -1: one of that
// name, or else the first whose name differs in case alone.
func (n *names) find(key []byte) int {
	mask := uint64(len(n.table) - 1)
	for at := digest(key) >> n.shift; n.table[at] != 0; at = (at + 1) & mask {
		if i := int(n.table[at] - 1); n.list[i] == string(key) {
			return i
		}
	}
	var room [64]byte
	folded := appendFolded(room[:0], key)
	if n.lens>>min(len(folded), 63)&1 == 0 {
		return -1
	}
	if i, ok := n.folded[string(folded)]; ok {
		return i
	}
	return -1
}

// digest mixes the length of a key with the bytes at its ends, which tell the
// names of one struct apart as a rule.
func digest(key []byte) uint64 {
	n := len(key)
	h := uint64(n)
	switch {
	case n >= 8:
		h += binary.LittleEndian.Uint64(key) ^ binary.LittleEndian.Uint64(key[n-8:])*0xff51afd7ed558ccd
	case n >= 4:
		h += uint64(binary.LittleEndian.Uint32(key)) ^ uint64(binary.LittleEndian.Uint32(key[n-4:]))<<32
	case n > 0:
		h += uint64(key[0])<<8 | uint64(key[n/2])<<16 | uint64(key[n-1])<<24
	}
	h ^= h >> 32
	return h * 0x9e3779b97f4a7c15
}

// appendFolded appends name in a form that it shares with all names that differ
// from it in case alone: each rune is the smallest of those it folds with.
func appendFolded(dst, name []byte) []byte {
	for i := 0; i < len(name); {
		if c := name[i]; c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(name[i:])
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		dst = utf8.AppendRune(dst, least)
		i += size
	}
	return dst
}

// A nameText is the name of a field, ready to be compared with text by the word.
type nameText struct {
	text  string
	first uint64 // the first eight bytes, the first in the lowest place
	mask  uint64 // of those that there are
	last  uint64 // the last eight bytes, if there are as many
}

func nameTextOf(text string) nameText {
	n := nameText{text: text}
	for i := range min(len(text), 8) {
		n.first |= uint64(text[i]) << (8 * i)
		n.mask |= 0xff << (8 * i)
	}
	if len(text) >= 8 {
		n.last = mem.Word(text, len(text)-8)
	}
	return n
}

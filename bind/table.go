package bind

import "strings"

// A table finds a field by the name of its parameter, whatever the case of its
// ASCII letters. It is open-addressed and at most a quarter full; the hash looks
// at a name's length and three of its bytes, which tells the names of most
// structs apart. A key from a request is compared with a name only if the hash
// and the length agree.
type table struct {
	slots   []int32 // index into fields plus one; 0 is free
	fields  []field
	mask    uint32
	longest int // of the names
}

// newTable has the first field of each name.
func newTable(fields []field) table {
	size := 8
	for size < 4*len(fields) {
		size *= 2
	}
	t := table{slots: make([]int32, size), fields: fields, mask: uint32(size - 1)}
	for i := range fields {
		if j, exact := t.find(fields[i].name); j >= 0 && exact {
			continue
		}
		h := t.hash(fields[i].name)
		for t.slots[h] != 0 {
			h = (h + 1) & t.mask
		}
		t.slots[h] = int32(i + 1)
		t.longest = max(t.longest, len(fields[i].name))
	}
	return t
}

func (t *table) hash(name string) uint32 {
	n := len(name)
	if n == 0 {
		return 0
	}
	h := uint32(name[0]) | uint32(name[n/2])<<8 | uint32(name[n-1])<<16 | uint32(n)<<24
	h |= 0x202020 // letters of both cases are one
	h *= 0x9E3779B1
	return (h ^ h>>15) & t.mask
}

// find returns the index of the field with a name, or -1. The name is exact
// unless no field has it but for the case of its letters.
func (t *table) find(name string) (index int, exact bool) {
	if len(name) > t.longest {
		return -1, false
	}
	index = -1
	for h := t.hash(name); ; h = (h + 1) & t.mask {
		i := t.slots[h]
		if i == 0 {
			return index, false
		}
		of := t.fields[i-1].name
		if of == name {
			return int(i - 1), true
		}
		if index < 0 && len(of) == len(name) && strings.EqualFold(of, name) {
			index = int(i - 1)
		}
	}
}

// Package budget defines the limits of a value, and counts the memory that the value uses.
//
// The size of a [Budget] follows from [Limits] and the length of an encoding. Decoding, measuring
// and the check after encoding spend the budget by the same methods, so a codec reads back every
// value that it wrote within the same limits.
package budget

import (
	"math"
	"math/bits"
)

// Limits bound a value. The same limits apply to encoding and to decoding, so a codec with the
// same limits reads back every value that was written. The zero value is the default.
type Limits struct {
	Depth int // levels of nesting; 0 means 1,000

	// Bytes is the memory of slices, maps, strings, interfaces and pointers. 0 means 64 KiB
	// plus 256 bytes for each byte of the encoding, but at most AtMost. A negative number means no
	// memory.
	Bytes int

	// AtMost bounds the default of Bytes. 0 means no bound.
	AtMost int
}

// DefaultDepth is the limit of the levels of nesting if [Limits.Depth] is 0.
const DefaultDepth = 1000

const (
	// The default of Limits.Bytes is baseBudget plus PerByte times the length of the encoding.
	// A program whose types cannot exceed PerByte needs no check: see Program.afford.
	baseBudget = 64 << 10
	PerByte    = 256 // bytes of memory for each byte of the encoding
)

// Depth returns the levels of nesting that l allows.
func Depth(l Limits) int {
	if l.Depth <= 0 {
		return DefaultDepth
	}
	return l.Depth
}

// Of returns the budget for a value whose encoding has n bytes.
func Of(l Limits, n int) Budget {
	if l.Bytes != 0 {
		return Budget(max(l.Bytes, 0))
	}
	byLength := baseBudget + min(n, (math.MaxInt-baseBudget)/PerByte)*PerByte
	if l.AtMost > 0 {
		return Budget(min(byLength, l.AtMost))
	}
	return Budget(byLength)
}

// A Budget is the memory that a value may still use, in bytes. A decoder spends it as it
// allocates. An encoder checks that the decoder's budget suffices. Both count by the same
// methods: [Budget.Take] for the elements of slices and for the targets of pointers and
// interfaces, [Budget.TakeMap] for maps, and [Budget.TakeBlock] for strings and bytes.
type Budget int

// Take spends the memory of n values of size bytes. It returns false, and spends nothing, if the
// budget is too small.
//
// A value of size 0 counts as one byte, since a loop over the elements of a slice takes time
// for each element.
func (b *Budget) Take(n int, size uintptr) bool {
	size = max(size, 1)
	if n > int(*b)/int(size) {
		return false
	}
	*b -= Budget(n * int(size))
	return true
}

// TakeBlock spends the memory of a block of n bytes and reports whether the budget was
// sufficient. The budget may become negative, so that a loop can check it once at its end. A
// string of one byte costs nothing, since the runtime does not allocate for it.
func (b *Budget) TakeBlock(n int) bool {
	if n > 1 {
		*b -= Budget(n)
	}
	return *b >= 0
}

// TakeMap spends the memory of a map of n entries. It returns false, and spends nothing, if the
// budget is too small.
func (b *Budget) TakeMap(n int, key, elem uintptr) bool {
	if n > int(*b) {
		return false // an entry has more than one byte
	}
	size := MapSize(n, key, elem)
	if size > uint64(*b) {
		return false
	}
	*b -= Budget(size)
	return true
}

// MapSize returns the bytes that a Go map allocates for n entries. n is at most 2³¹. A map has
// a header and groups of eight slots with one control byte each. The number of slots is a power
// of two. At most seven eighths of the slots are used, except in a map of one group. A key or
// an element longer than 128 bytes is allocated separately, and its slot contains a pointer.
func MapSize(n int, key, elem uintptr) uint64 {
	const header, word, longest = 48, 8, 128
	slots, slot, outside := uint64(8), uint64(1), uint64(0)
	if n > 8 {
		slots = 1 << bits.Len64(uint64(n)*8/7)
	}
	for _, size := range [...]uintptr{key, elem} {
		if size > longest {
			outside += uint64(size)
			size = word
		}
		slot += uint64(size)
	}
	return header + slots*slot + uint64(n)*outside
}

package program

import (
	"errors"
	"math"
	"math/bits"
	"runtime"

	"github.com/hone-go/hone/internal/memory/mem"
)

// Limits bound a value. They hold where it is decoded and where it is encoded, so
// what a codec writes is read by one with the same limits. The zero value is the
// default.
type Limits struct {
	Depth int // nesting; 0 means 1,000

	// Bytes is the memory that slices, maps, strings, interfaces and pointers may
	// take. 0 means 64 KiB and 256 bytes for each byte of the encoding; less than
	// 0, none.
	Bytes int
}

// DefaultDepth is how deeply values may nest if no limit says otherwise.
const DefaultDepth = 1000

const (
	baseBudget = 64 << 10
	perByte    = 256 // of the encoding
)

func (l Limits) depth() int {
	if l.Depth <= 0 {
		return DefaultDepth
	}
	return l.Depth
}

// budget returns the memory that a value may take whose encoding has n bytes.
func (l Limits) budget(n int) budget {
	if l.Bytes != 0 {
		return budget(max(l.Bytes, 0))
	}
	return budget(baseBudget + min(n, (math.MaxInt-baseBudget)/perByte)*perByte)
}

// A budget is the memory that a value may still take, in bytes. What takes memory is
// listed once here, as decoding spends a budget and encoding checks that it will do:
// elements of slices, what pointers and interfaces hold, maps by mapSize, and blocks
// of more than one byte (a string of one byte takes no memory of its own).
type budget int

// maxEmpty is how many values that take no memory a slice may have, so that a walk
// over them ends.
const maxEmpty = math.MaxInt32

// take spends the memory of n values of size bytes, if it is there.
func (b *budget) take(n int, size uintptr) bool {
	if size == 0 {
		return n <= maxEmpty
	}
	if n > int(*b)/int(size) {
		return false
	}
	*b -= budget(n * int(size))
	return true
}

// takeBlock spends the memory of a block of n bytes. It may overdraw the budget.
func (b *budget) takeBlock(n int) bool {
	if n > 1 {
		*b -= budget(n)
	}
	return *b >= 0
}

// takeMap spends the memory of a map of n entries.
func (b *budget) takeMap(n int, key, elem uintptr) bool {
	if n > int(*b) {
		return false // an entry takes more than a byte
	}
	size := mapSize(n, key, elem)
	if size > uint64(*b) {
		return false
	}
	*b -= budget(size)
	return true
}

// mapSize returns the bytes that Go's maps take for n entries, n at most 2³¹. They have
// a header, and slots in groups of eight with a byte for each, as many as a power of
// two; at most seven of eight are in use, but in a map of one group. What is longer
// than 128 bytes lies elsewhere, and a pointer to it in the slot.
func mapSize(n int, key, elem uintptr) uint64 {
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

// afford checks that data, an encoding that this program has made, is read within
// the limits.
func (p *Program) afford(l Limits, data []byte) error {
	if l.Bytes == 0 && p.ratio <= perByte {
		return nil
	}
	b := l.budget(len(data))
	if p.ratio <= uint64(b)/uint64(max(len(data), 1)) {
		return nil
	}
	w := Window{buf: data, Limit: len(data)}
	m := Measure{Window: mem.NoEscape(&w), Depth: math.MaxInt, budget: mem.NoEscape(&b)}
	ok := mem.NoEscape(&m).Value(p.Root)
	runtime.KeepAlive(&w) // see mem.NoEscape
	runtime.KeepAlive(&b)
	if !ok {
		return &EncodeError{Type: p.Type, Err: m.Cause}
	}
	return nil
}

// ErrNoCodec is the cause of an error about a codec that was not made by a
// function of package wire or wire/layout.
var ErrNoCodec = errors.New("a zero codec has no type")

// ErrNilValue is the cause of an error about a nil pointer to a value.
var ErrNilValue = errors.New("v is nil")

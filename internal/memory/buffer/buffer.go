// Package buffer has a pool of byte slices. Calls use them for bodies and for text that is being
// encoded.
package buffer

import "sync"

// A Buffer is a byte slice that is reused by later calls.
type Buffer struct {
	B     []byte
	spare int // bytes written since a call last used at least a quarter of the slice, plus spareUse for each call
}

const (
	// Large is the capacity above which a slice is dropped if calls use little of it.
	Large = 64 << 10

	// A call that uses less than a quarter of a large slice is a small use. The slice is dropped
	// when consecutive small uses have written more than spares times its capacity in total. Each
	// use counts as spareUse bytes more than it has written. Calls of an encoder from marshal
	// methods count as small uses too.
	spares   = 8
	spareUse = 256
)

var buffers = sync.Pool{New: func() any { return &Buffer{B: make([]byte, 0, 1024)} }}

// Take returns an empty Buffer from the pool.
func Take() *Buffer { return buffers.Get().(*Buffer) }

// Release returns the Buffer to the pool. The caller must not use its bytes afterwards. The
// garbage collector frees Buffers that are not taken again.
func (b *Buffer) Release() {
	b.Reset()
	buffers.Put(b)
}

// Reset empties the Buffer for another call. It keeps the slice, unless the slice is large and
// calls have long used less than a quarter of it.
func (b *Buffer) Reset() {
	if cap(b.B) <= Large || len(b.B) >= cap(b.B)/4 {
		b.spare = 0
	} else if b.spare += len(b.B) + spareUse; b.spare/spares > cap(b.B) {
		b.B, b.spare = nil, 0
	}
	b.B = b.B[:0]
}

// Package buffer keeps byte slices for use by later calls, for bodies and for
// text that is being encoded.
package buffer

import "sync"

// A Buffer is a slice that is kept between calls.
type Buffer struct {
	B     []byte
	spare int // bytes that calls have written which used little of it, since one used much
}

const (
	// Large is the capacity from which on a slice is not kept if it is hardly
	// used.
	Large = 64 << 10

	// A large slice stays while small uses of it have written less than spares times
	// its size, of which each counts for spareUse bytes more. Text in which marshal
	// methods call an encoder again is made of small uses, and has no more of them.
	spares   = 8
	spareUse = 256
)

var buffers = sync.Pool{New: func() any { return &Buffer{B: make([]byte, 0, 1024)} }}

// Take returns an empty Buffer.
func Take() *Buffer { return buffers.Get().(*Buffer) }

// Release puts the Buffer back. Nothing may use its bytes any longer. The garbage
// collector frees Buffers that are not taken again.
func (b *Buffer) Release() {
	b.Reset()
	buffers.Put(b)
}

// Reset empties the Buffer for another call. It keeps the slice, but not if that is
// large and calls have long used less than a quarter of it.
func (b *Buffer) Reset() {
	if cap(b.B) <= Large || len(b.B) >= cap(b.B)/4 {
		b.spare = 0
	} else if b.spare += len(b.B) + spareUse; b.spare/spares > cap(b.B) {
		b.B, b.spare = nil, 0
	}
	b.B = b.B[:0]
}

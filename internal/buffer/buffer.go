// Package buffer keeps byte slices for use by later calls, for bodies and for
// text that is being encoded.
package buffer

import "sync"

// A Buffer is a slice that is kept between calls.
type Buffer struct {
	B     []byte
	spare int // calls in a row that used little of it
}

const (
	// Large is the capacity from which on a slice is not kept if it is hardly
	// used.
	Large    = 64 << 10
	maxSpare = 4
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
// large and the last few calls used less than a quarter of it.
func (b *Buffer) Reset() {
	if b.spare++; cap(b.B) <= Large || len(b.B) >= cap(b.B)/4 {
		b.spare = 0
	} else if b.spare > maxSpare {
		b.B, b.spare = nil, 0
	}
	b.B = b.B[:0]
}

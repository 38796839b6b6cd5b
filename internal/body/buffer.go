// Package body reads request bodies, up to a limit, into buffers that are used
// again, for web and api.
package body

import "sync"

// A Buffer holds a body while it is decoded, or between encoding and sending.
// Nothing refers to its bytes but the function that took it.
type Buffer struct{ B []byte }

// keep is the largest capacity that goes back to the pool: one giant body
// should not hold its memory for ever.
const keep = 64 << 10

var buffers = sync.Pool{New: func() any { return &Buffer{B: make([]byte, 0, 1024)} }}

// Take returns an empty Buffer.
func Take() *Buffer { return buffers.Get().(*Buffer) }

// Release puts the Buffer back. Nothing may use its bytes any longer.
func (b *Buffer) Release() {
	if cap(b.B) > keep {
		return
	}
	b.B = b.B[:0]
	buffers.Put(b)
}

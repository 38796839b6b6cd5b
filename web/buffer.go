package web

import "sync"

// A buffer holds an encoded body between encoding and sending it. It comes from
// a pool and goes back as soon as it has been written; nothing refers to it in
// between but the function that took it.
type buffer struct{ b []byte }

// keepBuffer is the largest capacity that goes back to the pool: one giant
// response should not hold its memory for ever.
const keepBuffer = 64 << 10

var buffers = sync.Pool{New: func() any { return &buffer{b: make([]byte, 0, 1024)} }}

func takeBuffer() *buffer { return buffers.Get().(*buffer) }

func (b *buffer) release() {
	if cap(b.b) > keepBuffer {
		return
	}
	b.b = b.b[:0]
	buffers.Put(b)
}

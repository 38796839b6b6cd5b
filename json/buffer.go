package json

import "sync"

// A buffer is scratch space that is kept between calls.
type buffer struct {
	bytes []byte
	spare int // calls in a row that used little of it
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

const (
	// largeBuffer is the size from which on a buffer is not kept if it is
	// hardly used.
	largeBuffer = 64 << 10
	maxSpare    = 4
)

// keep keeps b, which grew out of the buffer, for another call: not if it is large
// and the last few calls used less than a quarter of it.
func (u *buffer) keep(b []byte) {
	u.bytes = b[:0]
	if u.spare++; cap(b) <= largeBuffer || len(b) >= cap(b)/4 {
		u.spare = 0
	} else if u.spare > maxSpare {
		u.bytes, u.spare = nil, 0
	}
}

// giveBack ends a call that took the buffer from buffers. What nobody asks for
// the garbage collector takes.
func (u *buffer) giveBack(b []byte) {
	u.keep(b)
	buffers.Put(u)
}

// copyOf returns b's bytes in a slice of their own.
func copyOf(b []byte) []byte {
	out := make([]byte, len(b))
	copy(out, b)
	return out
}

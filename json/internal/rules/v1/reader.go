package v1

import (
	"encoding/json"
	"io"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/json/internal/option"
)

// A Reader reads values and tokens from a stream by the rules of one release. It implements the
// Decoder of package json.
type Reader interface {
	// Element decodes the next value into v, and reports whether there was a value. It reads the
	// comma or colon before the value.
	Element(v any) (read bool, err error)
	Token() (json.Token, error)
	More() bool
	Buffered() io.Reader
	InputOffset() int64
	// SetOptions adds flags to the options of the following calls.
	SetOptions(on option.Flag)
	// Std returns a decoder of encoding/json that continues at the position of the Reader.
	Std() *json.Decoder
}

// MaxRest is the number of bytes of unread input that a Memory can store in itself. This is enough
// for the newline after the only value of a request body.
const MaxRest = 32

// A Memory provides a Reader with a buffer from the pool. A Reader has no Close method, and most
// programs read only one value with each Reader, so the buffer is released after each value if
// almost nothing is unread.
type Memory struct {
	// Borrowed is set if decoded values may alias the buffer. It is then never released.
	Borrowed bool
	taken    *buffer.Buffer
	rest     [MaxRest]byte
}

// Taken reports whether m has a buffer from the pool.
func (m *Memory) Taken() bool { return m.taken != nil }

// Take takes a buffer from the pool, and returns it with the unread input.
func (m *Memory) Take(unread []byte) []byte {
	m.taken = buffer.Take()
	return append(m.taken.B, unread...)
}

// MayRelease reports whether the buffer can be released. unread is the unread input.
func (m *Memory) MayRelease(unread []byte) bool {
	return m.taken != nil && !m.Borrowed && len(unread) <= MaxRest
}

// Release returns buf, the current buffer, to the pool. The result contains the unread input.
func (m *Memory) Release(buf, unread []byte) []byte {
	rest := m.rest[:copy(m.rest[:], unread)]
	m.taken.B = buf
	m.taken.Release()
	m.taken = nil
	return rest
}

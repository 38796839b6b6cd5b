package program

import (
	"bytes"
	"fmt"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// methodRoom is the number of bytes that are first reserved for the result of a method that
// appends.
const methodRoom = 64

// putMethod writes the result of a method of the type as a block. A method that appends writes
// directly into the buffer, one byte after n: if the length is below 128, nothing is copied. A
// longer block, or a block that the method has allocated, is copied.
func (r *ref) putMethod(e *Encoder, n int, at mem.Pointer) (int, *EncodeError) {
	dst := e.Room(n, methodRoom)
	b, err := r.spec.Methods.Append(dst[n+1:n+1], at.Addr(0, r.spec.Type))
	if err != nil {
		return n, r.fail(err)
	}
	// The method has appended in place if its result begins where its argument begins.
	// Otherwise the method has allocated the result.
	if size := len(b); size > 0 && size < 0x80 && &b[0] == &dst[n+1] {
		dst[n] = byte(size)
		return n + 1 + size, nil
	}
	var head [16]byte
	w := scalar.PutUvarint(head[:], 0, uint64(len(b)))
	if len(b) > 0 && n+1 < len(dst) && &b[0] == &dst[n+1] {
		// If Room moves the buffer, it copies only the bytes before the position in its first
		// argument. This position must therefore be the end of the block, which begins at n+1.
		size := len(b)
		dst = e.Room(n+1+size, w)
		b = dst[n+1 : n+1+size]
	} else {
		dst = e.Room(n, len(b)+w)
	}
	// The block is moved before the length is written, since the two may overlap.
	copy(dst[n+w:], b)
	copy(dst[n:], head[:w])
	return n + w + len(b), nil
}

// readMethod reads a block and passes it to a method of the type.
func (r *ref) readMethod(d *Decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	b, next, cause := scalar.Block(d.in, pos, scalar.LenVarint)
	if cause != nil {
		return next, d.fail(next, r.spec.Type, cause)
	}
	// The argument is a copy, because some methods keep it though they must not, and the caller may
	// change the input. With aliases it is a part of the input, without capacity for an append.
	given := b[:len(b):len(b)]
	if !d.alias {
		if !d.TakeBlock(len(b)) {
			return pos, d.fail(pos, r.spec.Type, fault.ErrBudget)
		}
		given = bytes.Clone(b)
	}
	// The method may keep the address of the value, so this memory is not reused: see
	// Program.Methods.
	v := at.Addr(0, r.spec.Type)
	cause = r.spec.Methods.Read(given, v)
	// The value is encoded again: in canonical form the result must be the input.
	if cause == nil && r.canonical {
		var again []byte
		if again, cause = r.spec.Methods.Append(nil, v); cause == nil && !bytes.Equal(again, b) {
			cause = fault.ErrCanonical
		}
	}
	if cause != nil {
		// The block is complete, even if the method returns ErrTruncated. An unwrapped
		// ErrTruncated would mean that more input may help: see layout.ModelDecoder.Decode.
		if cause == fault.ErrTruncated {
			cause = fmt.Errorf("%w", cause)
		}
		return pos, d.fail(pos, r.spec.Type, cause)
	}
	return next, nil
}

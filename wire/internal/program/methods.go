package program

import (
	"bytes"
	"fmt"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// methodRoom is the room that an appending method gets after the length at first, in bytes.
const methodRoom = 64

// putMethod writes a block with a method of the type. A method that appends writes directly into
// the buffer, one byte after n: a length below 128 then needs no copy. A longer block, or one
// that the method made elsewhere, is copied.
func (r *ref) putMethod(e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	dst := e.room(n, methodRoom)
	b, err := r.spec.Methods.Append(dst[n+1:n+1], at.Addr(0, r.spec.Type))
	if err != nil {
		return n, r.fail(err)
	}
	// The method has appended in place if its result begins where its argument began. Append may also
	// have moved the bytes to memory of its own.
	if size := len(b); size > 0 && size < 0x80 && &b[0] == &dst[n+1] {
		dst[n] = byte(size)
		return n + 1 + size, nil
	}
	var head [16]byte
	w := scalar.PutUvarint(head[:], 0, uint64(len(b)))
	if len(b) > 0 && n+1 < len(dst) && &b[0] == &dst[n+1] {
		// The block is in the buffer, which goes back to its pool if it has to grow: the room is
		// asked for after the block, so that the block moves along.
		size := len(b)
		dst = e.room(n+1+size, w)
		b = dst[n+1 : n+1+size]
	} else {
		dst = e.room(n, len(b)+w)
	}
	// The block is moved before the length is written, since the two may overlap.
	copy(dst[n+w:], b)
	copy(dst[n:], head[:w])
	return n + w + len(b), nil
}

// readMethod reads a block with a method of the type.
func (r *ref) readMethod(d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	b, next, cause := scalar.Block(d.in, pos, scalar.LenVarint)
	if cause != nil {
		return next, d.fail(next, r.spec.Type, cause)
	}
	// A method must not keep its argument, and some do. So the argument is a copy, since the
	// caller may change the input. With aliases it is the input, with no room to append to it.
	given := b[:len(b):len(b)]
	if !d.alias {
		if !d.TakeBlock(len(b)) {
			return pos, d.fail(pos, r.spec.Type, fault.ErrBudget)
		}
		given = bytes.Clone(b)
	}
	// The method sees the address of the value itself, and may keep it. So memory that a method has
	// seen is not used again: see Program.Methods.
	v := at.Addr(0, r.spec.Type)
	cause = r.spec.Methods.Read(given, v)
	// The method writes the value again. In canonical form the two encodings are the same.
	if cause == nil && r.canonical {
		var again []byte
		if again, cause = r.spec.Methods.Append(nil, v); cause == nil && !bytes.Equal(again, b) {
			cause = fault.ErrCanonical
		}
	}
	if cause != nil {
		// The block is complete, whatever the method reports. A plain ErrTruncated would mean
		// that more input may help: see layout.ModelDecoder.Decode.
		if cause == fault.ErrTruncated {
			cause = fmt.Errorf("%w", cause)
		}
		return pos, d.fail(pos, r.spec.Type, cause)
	}
	return next, nil
}

package program

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// putStrings writes a slice of strings. The bytes of the slice's length are reserved, and
// putStrings reserves the bytes of each string.
func putStrings(e *Encoder, n int, s []string) int {
	n = scalar.PutUvarint(e.buf, n, uint64(len(s)))
	for _, v := range s {
		// Ten bytes suffice for any length. scalar.Slack is for bytes after the string that
		// PutUvarint may overwrite.
		buf := e.Room(n, len(v)+10+scalar.Slack)
		n = scalar.PutUvarint(buf, n, uint64(len(v)))
		n += copy(buf[n:], v)
	}
	return n
}

// chunk is the number of varints for which putVarints reserves bytes in one call. With a larger
// chunk putVarints would need scratch memory more often, although the slice fits into the caller's
// buffer.
const chunk = 64

// integer lists the types whose slices are encoded by putVarints. Slices of smaller integers
// run a program.
type integer interface {
	int32 | int64 | uint32 | uint64
}

// putVarints writes a slice of integers as varints, zigzag coded if T is signed.
func putVarints[T integer](e *Encoder, n int, s []T) int {
	n = scalar.PutUvarint(e.buf, n, uint64(len(s)))
	for len(s) > 0 {
		// Reserve bytes for the longest varints. The size of the chunk bounds the number of bytes
		// that short varints waste.
		some := s[:min(len(s), chunk)]
		buf := e.Room(n, 10*len(some)+scalar.Slack)
		for _, v := range some {
			u := uint64(v)
			if ^T(0) < 0 { // T is signed
				u = scalar.Zigzag(int64(v))
			}
			n = scalar.PutUvarint(buf, n, u)
		}
		s = s[len(some):]
	}
	return n
}

// readVarints reads a slice of integers. After it has read all of them, it stores the slice in *at.
func readVarints[T integer](d *Decoder, pos int, at mem.Pointer) (int, error) {
	// Each varint has at least one byte, so the length is bounded by the rest of the input.
	s, next, cause := room[T](d, pos, scalar.LenVarint, 1, at)
	if cause != nil {
		return next, cause
	}
	in := d.in
	for i := range s {
		var u uint64
		after := next + 1
		if next < len(in) && in[next] < 0x80 {
			u = uint64(in[next])
		} else if u, after = scalar.UvarintLong(in, next); after == 0 {
			return scalar.NumberFault(in, next)
		}
		if ^T(0) < 0 {
			u = uint64(scalar.Unzigzag(u))
		}
		v := T(u)
		if uint64(v) != u { // the conversion extends the sign of a signed T
			return scalar.NumberFault(in, next)
		}
		s[i], next = v, after
	}
	// All numbers were valid, so store the slice. A return above leaves the slice *at as it was,
	// except that its memory may contain new numbers.
	mem.SetSlice(at, 0, s)
	return next, nil
}

// putElements writes a slice, a list or an array whose elements have a program.
func (r *ref) putElements(e *Encoder, n int, in *instr, at mem.Pointer) (int, *EncodeError) {
	// The elements of an array begin at its own address. A slice or a list points to its
	// elements.
	first, count := at, r.count
	if in.op != opArray {
		first, count = at.Slice(0)
	}
	switch in.op {
	case opSlice:
		next, ok := scalar.PutLen(e.buf, n, in.len, count)
		if !ok {
			return n, r.fail(fault.TooLong(count, scalar.Most(in.len)))
		}
		n = next
	case opList:
		// The encoding of a list has no length, so the slice must have the number of elements
		// of the layout.
		if count != r.count {
			return n, r.fail(fault.Count(count, r.count))
		}
	}
	// Elements with an empty encoding are represented by their number alone.
	if count == 0 || len(r.program.code) == 0 {
		return n, nil
	}
	if r.raw > 0 {
		size := count * int(r.raw)
		buf := e.Room(n, size+scalar.Slack)
		return n + copy(buf[n:], first.Array(0, size)), nil
	}
	return r.program.putAll(e, n, first, count, r.stride)
}

// readSlice reads a slice or a list. If the old slice is large enough, readSlice reuses its
// memory and the memory that its elements refer to.
func (r *ref) readSlice(d *Decoder, i *instr, pos int, at mem.Pointer) (int, *DecodeError) {
	// Count refuses a length if the rest of the input could not hold so many elements even in their
	// shortest encodings. So a hostile length allocates at most a small multiple of the input. Only
	// the budget bounds the number of elements with an empty encoding.
	n, next, cause := r.count, pos, error(nil)
	if i.op == opSlice {
		n, next, cause = scalar.Count(d.in, pos, i.len, r.program.least)
	} else if r.program.least > 0 && n > (len(d.in)-pos)/r.program.least {
		next, cause = len(d.in), fault.ErrTruncated
	}
	if cause == nil && n > 0 && !d.Take(n, r.stride) {
		cause = fault.ErrBudget
	}
	if cause != nil {
		return next, d.fail(next, r.spec.Type, cause)
	}
	if n == 0 && !r.empty {
		at.ClearSlice(0)
		return next, nil
	}
	// If the old slice is nil or too short, a new one with zero values replaces it.
	if at.SliceIsNil(0) || at.Cap(0) < n {
		s := at.Value(0, r.spec.Type)
		if n == 0 {
			s.Set(reflect.MakeSlice(r.spec.Type, 0, 0))
			return next, nil
		}
		// Without SetZero, Grow would copy the old elements.
		s.SetZero()
		s.Grow(n)
	}
	// The elements between the old length and n may contain old values, which decoding
	// overwrites or reuses.
	at.SetLen(0, n)
	if n == 0 {
		return next, nil
	}
	// The address is taken after the slice has its final memory.
	first, _ := at.Slice(0)
	if r.raw > 0 {
		size := n * int(r.raw) // does not overflow, because Count has compared it with the length of the input
		first.PutArray(0, d.in[next:next+size])
		return next + size, nil
	}
	return r.readElements(d, next, n, first)
}

// readElements reads n elements, which begin at the address first.
func (r *ref) readElements(d *Decoder, pos, n int, first mem.Pointer) (int, *DecodeError) {
	if n == 0 || len(r.program.code) == 0 {
		return pos, nil // elements with an empty encoding
	}
	return r.program.readAll(d, pos, first, n, r.stride)
}

// room reads the length of a slice and returns a slice of this length, or nil if the length is 0.
// It returns *at with its old elements if the capacity suffices, and otherwise a new slice. The
// caller must store the result in *at.
func room[T mem.Plain](d *Decoder, pos int, form scalar.Len, least int, at mem.Pointer) (s []T, next int, cause error) {
	n, next, cause := scalar.Count(d.in, pos, form, least)
	if cause != nil || n == 0 {
		return nil, next, cause
	}
	// The budget is spent even if the old memory is reused, so that the result of a decode does
	// not depend on the old value.
	if !d.Take(n, reflect.TypeFor[T]().Size()) {
		return nil, pos, fault.ErrBudget
	}
	// The caller overwrites all old elements.
	s = mem.SliceAt[T](at, 0)
	if cap(s) < n {
		s = make([]T, n)
	}
	return s[:n], next, nil
}

// readStrings reads a slice of strings.
func readStrings(d *Decoder, pos int, at mem.Pointer) (int, error) {
	s, next, cause := room[string](d, pos, scalar.LenVarint, 1, at)
	if cause != nil {
		return next, cause
	}
	in := d.in
	for i := range s {
		var n uint64
		from := next + 1
		if next < len(in) && in[next] < 0x80 {
			n = uint64(in[next])
		} else {
			n, from = scalar.UvarintLong(in, next)
		}
		if from == 0 || n > uint64(len(in)-from) {
			// Block reads the string again and returns the cause of the fault.
			_, next, cause = scalar.Block(in, next, scalar.LenVarint)
			return next, cause
		}
		next = from + int(n)
		s[i] = d.text(in[from:next])
	}
	mem.SetSlice(at, 0, s)
	return next, nil
}

// readBulk copies a slice of numbers. T is the unsigned type of their size.
func readBulk[T uint8 | uint16 | uint32 | uint64](d *Decoder, i *instr, pos int, at mem.Pointer) (int, error) {
	s, next, cause := room[T](d, pos, i.len, int(i.arg), at)
	if cause != nil {
		return next, cause
	}
	// Any bits are a valid number of a fixed width, so the bytes are copied unchecked. The
	// memory of an element is its encoding: see compiler.raw.
	if len(s) > 0 {
		size := len(s) * int(i.arg)
		mem.Of(&s[0]).PutArray(0, d.in[next:next+size])
		next += size
	}
	mem.SetSlice(at, 0, s)
	return next, nil
}

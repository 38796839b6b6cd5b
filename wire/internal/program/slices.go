package program

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

func putStrings(e *encoder, n int, s []string) int {
	n = putUvarint(e.buf, n, uint64(len(s)))
	for _, v := range s {
		buf := e.room(n, len(v)+10+slack)
		n = putUvarint(buf, n, uint64(len(v)))
		n += copy(buf[n:], v)
	}
	return n
}

// chunk is how many varints of a slice are written at a time, so that room is made
// once for all of them.
const chunk = 64

type integer interface {
	int32 | int64 | uint32 | uint64
}

// putVarints writes a slice of varints, zigzag coded if T is signed.
func putVarints[T integer](e *encoder, n int, s []T) int {
	n = putUvarint(e.buf, n, uint64(len(s)))
	for len(s) > 0 {
		some := s[:min(len(s), chunk)]
		buf := e.room(n, 10*len(some)+slack)
		for _, v := range some {
			u := uint64(v)
			if ^T(0) < 0 {
				u = zigzag(int64(v))
			}
			n = putUvarint(buf, n, u)
		}
		s = s[len(some):]
	}
	return n
}

func readVarints[T integer](d *decoder, pos int, at mem.Pointer) (int, error) {
	s, next, cause := room[T](d, pos, LenVarint, 1, at)
	if cause != nil {
		return next, cause
	}
	in := d.in
	for i := range s {
		var u uint64
		after := next + 1
		if next < len(in) && in[next] < 0x80 {
			u = uint64(in[next])
		} else if u, after = uvarintLong(in, next); after == 0 {
			return numberFault(in, next)
		}
		if ^T(0) < 0 {
			u = uint64(Unzigzag(u))
		}
		v := T(u)
		if uint64(v) != u { // the sign is extended, if there is one
			return numberFault(in, next)
		}
		s[i], next = v, after
	}
	mem.SetSlice(at, 0, s)
	return next, nil
}

// putElements writes a slice, a list or an array of what has a program.
func (r *ref) putElements(e *encoder, n int, in *instr, at mem.Pointer) (int, *EncodeError) {
	first, count := at, r.count
	if in.op != opArray {
		first, count = at.Slice(0)
	}
	switch in.op {
	case opSlice:
		next, ok := putLen(e.buf, n, in.len, count)
		if !ok {
			return n, r.fail(ErrTooLong)
		}
		n = next
	case opList:
		if count != r.count {
			return n, r.fail(ErrCount)
		}
	}
	if count == 0 || len(r.program.code) == 0 {
		if r.stride == 0 && count > maxEmpty {
			return n, r.fail(errBudget)
		}
		return n, nil
	}
	if r.raw > 0 {
		size := count * int(r.raw)
		buf := e.room(n, size+slack)
		return n + copy(buf[n:], first.Array(0, size)), nil
	}
	return r.program.putAll(e, n, first, count, r.stride)
}

func (r *ref) readSlice(d *decoder, i *instr, pos int, at mem.Pointer) (int, *DecodeError) {
	n, next, cause := r.count, pos, error(nil)
	if i.op == opSlice {
		n, next, cause = Count(d.in, pos, i.len, r.program.least)
	} else if r.program.least > 0 && n > (len(d.in)-pos)/r.program.least {
		next, cause = len(d.in), ErrTruncated
	}
	if cause == nil && n > 0 && !d.take(n, r.stride) {
		cause = errBudget
	}
	if cause != nil {
		return next, d.fail(next, r.spec.Type, cause)
	}
	if n == 0 && !r.empty {
		at.ClearSlice(0)
		return next, nil
	}
	if at.SliceIsNil(0) || at.Cap(0) < n {
		s := at.Value(0, r.spec.Type)
		if n == 0 {
			s.Set(reflect.MakeSlice(r.spec.Type, 0, 0))
			return next, nil
		}
		s.SetZero()
		s.Grow(n)
	}
	at.SetLen(0, n)
	if n == 0 {
		return next, nil
	}
	first, _ := at.Slice(0)
	if r.raw > 0 {
		size := n * int(r.raw) // least is the stride, so it is there
		first.PutArray(0, d.in[next:next+size])
		return next + size, nil
	}
	return r.readElements(d, next, n, first)
}

func (r *ref) readElements(d *decoder, pos, n int, first mem.Pointer) (int, *DecodeError) {
	if n == 0 || len(r.program.code) == 0 {
		return pos, nil // nothing to read, however many there are
	}
	return r.program.readAll(d, pos, first, n, r.stride)
}

// room reads the length of a slice and returns the slice at a with that length,
// nil if it is 0.
func room[T mem.Plain](d *decoder, pos int, form Len, least int, at mem.Pointer) (s []T, next int, cause error) {
	n, next, cause := Count(d.in, pos, form, least)
	if cause != nil || n == 0 {
		return nil, next, cause
	}
	if !d.take(n, reflect.TypeFor[T]().Size()) {
		return nil, pos, errBudget
	}
	s = mem.SliceAt[T](at, 0)
	if cap(s) < n {
		s = make([]T, n)
	}
	return s[:n], next, nil
}

func readStrings(d *decoder, pos int, at mem.Pointer) (int, error) {
	s, next, cause := room[string](d, pos, LenVarint, 1, at)
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
			n, from = uvarintLong(in, next)
		}
		if from == 0 || n > uint64(len(in)-from) {
			_, next, cause = block(in, next, LenVarint)
			return next, cause
		}
		next = from + int(n)
		s[i] = d.text(in[from:next])
	}
	mem.SetSlice(at, 0, s)
	return next, nil
}

// readBulk copies a slice of numbers, which may be of another kind than T but
// have its size.
func readBulk[T uint8 | uint16 | uint32 | uint64](d *decoder, i *instr, pos int, at mem.Pointer) (int, error) {
	s, next, cause := room[T](d, pos, i.len, int(i.arg), at)
	if cause != nil {
		return next, cause
	}
	if len(s) > 0 {
		size := len(s) * int(i.arg)
		mem.Of(&s[0]).PutArray(0, d.in[next:next+size])
		next += size
	}
	mem.SetSlice(at, 0, s)
	return next, nil
}

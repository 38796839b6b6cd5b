package program

import (
	"runtime"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
)

// An encoder is the state of one encode that its programs share. It lies on the
// caller's stack.
type encoder struct {
	buf   []byte   // all of it is room
	depth int      // how much deeper the value may nest
	from  *scratch // where buf is from; nil if it is the caller's
}

// grow makes room for more bytes behind the first n of the buffer. The room comes
// from scratch memory, which the caller of the encoder is never handed: see
// [Program.Append].
func (e *encoder) grow(n, more int) []byte {
	next := borrow(max(2*len(e.buf), n+more))
	copy(next.b, e.buf[:n])
	if e.from != nil {
		e.from.release()
	}
	e.buf, e.from = next.b, next
	return next.b
}

// room makes sure that there is room for more bytes behind the first n.
func (e *encoder) room(n, more int) []byte {
	if len(e.buf)-n < more {
		return e.grow(n, more)
	}
	return e.buf
}

// Append appends the value at a to dst.
//
// The instructions reserve room for the longest encoding of those that follow
// and then write without looking. What does not fit dst by that measure is made
// in scratch memory, and copied back if it fits after all: a buffer of the right
// size is used.
func (p *Program) Append(dst []byte, isNil bool, a mem.Pointer, limits Limits) ([]byte, error) {
	if p == nil || p.Err != nil || isNil {
		return dst, p.unfit()
	}
	var state encoder // field by field: a literal is made elsewhere and copied
	state.buf, state.depth = dst[:cap(dst)], limits.depth()
	start := len(dst)
	if cap(dst)-start < p.need {
		state.from = borrow(p.need)
		state.buf, start = state.from.b, 0
	}
	n, err := p.put(mem.NoEscape(&state), start, a)
	if from := state.from; from != nil { // by its own name: see mem.NoEscape
		return p.keep(from, dst, start, n, err, limits)
	}
	if err != nil {
		return dst, err
	}
	if err := p.afford(limits, state.buf[start:n]); err != nil {
		return dst, err
	}
	return dst[:n], nil
}

// unfit says why p encodes nothing.
func (p *Program) unfit() error {
	switch {
	case p == nil:
		return &EncodeError{Err: ErrNoCodec}
	case p.Err != nil:
		return p.Err
	}
	return &EncodeError{Type: p.Type, Err: ErrNilValue}
}

// keep appends to dst what was made elsewhere, from start to n, and releases
// that.
func (p *Program) keep(from *scratch, dst []byte, start, n int, err *EncodeError, limits Limits) ([]byte, error) {
	defer from.release()
	if err != nil {
		return dst, err
	}
	made := from.b[start:n]
	if err := p.afford(limits, made); err != nil {
		return dst, err
	}
	if len(made) > cap(dst)-len(dst) {
		// With room for the next value of this type to be made in place.
		next := make([]byte, len(dst), max(len(dst)+len(made)+p.room, 2*cap(dst)))
		copy(next, dst)
		dst = next
	}
	return append(dst, made...), nil
}

// marshalRoom is what [Program.Marshal] has on its stack.
const marshalRoom = 256

// Marshal returns the encoding of the value at a in a slice of its own, no longer
// than it needs to be.
func (p *Program) Marshal(isNil bool, a mem.Pointer, limits Limits) ([]byte, error) {
	if p == nil || p.Err != nil || isNil {
		return nil, p.unfit()
	}
	if more := p.sizes.room(p.aside); more > 0 && !p.Methods {
		return p.marshalAside(more, a, limits)
	}
	var state encoder
	var room [marshalRoom]byte
	if p.Methods || p.need > marshalRoom {
		// Methods may keep what they are given.
		state.from = borrow(p.need)
		state.buf = state.from.b
	} else {
		state.buf = (*mem.NoEscape(&room))[:]
	}
	state.depth = limits.depth()
	n, err := p.put(mem.NoEscape(&state), 0, a)
	made := state.buf[:n] // by its own name: see mem.NoEscape
	out := make([]byte, len(made))
	copy(out, made)
	runtime.KeepAlive(&room)
	if state.from != nil {
		state.from.release()
		p.sizes.note(n)
	}
	if err != nil {
		return nil, err
	}
	if err := p.afford(limits, out); err != nil {
		return nil, err
	}
	return out, nil
}

// marshalAside is Marshal for a value whose encoding is expected to fit size bytes, with
// little to spare.
func (p *Program) marshalAside(size int, a mem.Pointer, limits Limits) ([]byte, error) {
	var state encoder
	state.buf, state.depth = mem.Uncleared(size), limits.depth()
	n, err := p.put(mem.NoEscape(&state), 0, a)
	out := state.buf[:n:n] // by its own name: see mem.NoEscape
	if state.from != nil || size-n > n/8 {
		out = append(make([]byte, 0, n), out...)
	}
	if state.from != nil {
		state.from.release()
	}
	if err != nil {
		return nil, err
	}
	p.sizes.note(n)
	if err := p.afford(limits, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Size returns the length of the encoding of the value at a.
func (p *Program) Size(isNil bool, a mem.Pointer, limits Limits) (int, error) {
	if p == nil || p.Err != nil || isNil {
		return 0, p.unfit()
	}
	from := borrow(p.need)
	state := encoder{buf: from.b, depth: limits.depth(), from: from}
	n, err := p.put(mem.NoEscape(&state), 0, a)
	defer state.from.release() // by its own name: see mem.NoEscape
	if err != nil {
		return 0, err
	}
	if err := p.afford(limits, state.from.b[:n]); err != nil {
		return 0, err
	}
	return n, nil
}

func (p *Program) refuse(pc int, cause error) *EncodeError {
	at := p.at(pc, 0)
	return &EncodeError{Path: at.name, Type: at.Type, Err: cause}
}

// put runs the program over the value at a and writes to e.buf[n:]. It returns
// the position behind what it wrote.
//
// Common instructions next to each other are for [Program.putCommon]. The loop here has what
// that leaves, and what stands alone; rare instructions are in functions of their own.
func (p *Program) put(e *encoder, n int, a mem.Pointer) (int, *EncodeError) {
	if e.depth == 0 {
		return n, &EncodeError{Type: p.Type, Err: ErrDepth}
	}
	if e.depth == 1 {
		if pc := p.tooDeep(0, a); pc < uint(len(p.code)) {
			return n, p.refuse(int(pc)+1, ErrDepth)
		}
	}
	e.room(n, p.need)
	code := p.code
	for pc := uint(0); pc < uint(len(code)); pc++ {
		if code[pc].common {
			if pc, n = p.putCommon(e.buf, pc, n, a); pc >= uint(len(code)) {
				break
			}
		}
		in := &code[pc]
		at := a.Add(uintptr(in.off))
		switch in.op {
		case opBool:
			n = putBool(e.buf, n, mem.Load[bool](at, 0))
		case opByte:
			mem.Put8(e.buf, n, mem.Bits8(at))
			n++
		case opInt16:
			n = putUvarint(e.buf, n, zigzag(int64(mem.Load[int16](at, 0))))
		case opInt32:
			n = putUvarint(e.buf, n, zigzag(int64(mem.Load[int32](at, 0))))
		case opInt64:
			n = putUvarint(e.buf, n, zigzag(mem.Load[int64](at, 0)))
		case opUint16:
			n = putUvarint(e.buf, n, uint64(mem.Load[uint16](at, 0)))
		case opUint32:
			n = putUvarint(e.buf, n, uint64(mem.Load[uint32](at, 0)))
		case opUint64:
			n = putUvarint(e.buf, n, mem.Load[uint64](at, 0))
		case opRun:
			n = putRun(e, n, in, at)
		case opFix16:
			mem.Put16(e.buf, n, mem.Bits16(at))
			n += 2
		case opFix32:
			mem.Put32(e.buf, n, mem.Bits32(at))
			n += 4
		case opFix64:
			mem.Put64(e.buf, n, mem.Bits64(at))
			n += 8
		case opTime:
			t := mem.At[time.Time](at, 0)
			n = putUvarint(e.buf, n, zigzag(t.Unix()))
			n = putUvarint(e.buf, n, uint64(t.Nanosecond()))
			if t.Location() == time.UTC {
				mem.Put8(e.buf, n, zoneUTC)
				n++
			} else {
				n = putZone(e, n, t, int(in.need))
			}
		case opString:
			s := mem.Load[string](at, 0)
			buf := e.room(n, len(s)+10+int(in.need))
			n = putUvarint(buf, n, uint64(len(s)))
			n += copy(buf[n:], s)
		case opText:
			s := mem.Load[string](at, 0)
			buf := e.room(n, len(s)+10+int(in.need))
			next, ok := putLen(buf, n, in.len, len(s))
			if !ok {
				return n, p.refuse(int(pc), ErrTooLong)
			}
			n = next + copy(buf[next:], s)
		case opBytes:
			b := at.Bytes(0)
			buf := e.room(n, len(b)+10+int(in.need))
			next, ok := putLen(buf, n, in.len, len(b))
			if !ok {
				return n, p.refuse(int(pc), ErrTooLong)
			}
			n = next + copy(buf[next:], b)
		case opRaw:
			size := int(in.arg)
			buf := e.room(n, size+int(in.need))
			n += copy(buf[n:], at.Array(0, size))
		case opStrings:
			n = putStrings(e, n, mem.SliceAt[string](at, 0))
			e.room(n, int(in.need))
		case opInt32s:
			n = putVarints(e, n, mem.SliceAt[int32](at, 0))
			e.room(n, int(in.need))
		case opInt64s:
			n = putVarints(e, n, mem.SliceAt[int64](at, 0))
			e.room(n, int(in.need))
		case opUint32s:
			n = putVarints(e, n, mem.SliceAt[uint32](at, 0))
			e.room(n, int(in.need))
		case opUint64s:
			n = putVarints(e, n, mem.SliceAt[uint64](at, 0))
			e.room(n, int(in.need))
		case opBulk:
			first, length := at.Slice(0)
			next, ok := putLen(e.buf, n, in.len, length)
			if !ok {
				return n, p.refuse(int(pc), ErrTooLong)
			}
			n = next
			size := length * int(in.arg)
			buf := e.room(n, size+int(in.need))
			if size > 0 {
				n += copy(buf[n:], first.Array(0, size))
			}
		case opField:
			e.room(n, int(in.need))
		case opOption:
			if mem.Load[bool](at, 0) {
				mem.Put8(e.buf, n, 1)
				n++
				continue
			}
			mem.Put8(e.buf, n, 0)
			n++
			pc += uint(in.arg)
			e.room(n, int(in.need))
		case opOptionFix64:
			// The value is written in any case, and overwritten if it is not there.
			there := 0
			if mem.Load[bool](at, 0) {
				there = 1
			}
			mem.Put8(e.buf, n, byte(there))
			mem.Put64(e.buf, n+1, mem.Bits64(at.Add(uintptr(in.arg))))
			n += 1 + there*8
			pc++
		case opOptionUint64:
			pc++
			if !mem.Load[bool](at, 0) {
				mem.Put8(e.buf, n, 0)
				n++
				continue
			}
			mem.Put8(e.buf, n, 1)
			n = putUvarint(e.buf, n+1, mem.Load[uint64](at, uintptr(in.arg)))
		case opPointerTo:
			to := at.Elem(0)
			pc++
			if to.IsNil() {
				mem.Put8(e.buf, n, 0)
				n++
				e.room(n, int(in.need))
				continue
			}
			mem.Put8(e.buf, n, 1)
			n++
			in = &code[pc]
			n = putPlain(e, n, in, to.Add(uintptr(in.off)))
		case opCast:
			if e.depth == 1 {
				return n, p.refuse(int(pc), ErrDepth)
			}
			r := &p.refs[in.arg]
			next := r.cast.put(e, n, in.len, r, at)
			if next < 0 {
				return n, p.refuse(int(pc), ErrTooLong)
			}
			n = next
			e.room(n, int(in.need))
		default:
			next, err := p.putRef(e, n, in, at)
			if err != nil {
				return n, err.within(p.at(int(pc), 0).name)
			}
			n = next
			e.room(n, int(in.need))
		}
	}
	return n, nil
}

// putPlain runs an instruction that is plain by its row of ops, for what a pointer
// points to.
func putPlain(e *encoder, n int, in *instr, at mem.Pointer) int {
	switch in.op {
	case opBool:
		return putBool(e.buf, n, mem.Load[bool](at, 0))
	case opInt32:
		return putUvarint(e.buf, n, zigzag(int64(mem.Load[int32](at, 0))))
	case opInt64:
		return putUvarint(e.buf, n, zigzag(mem.Load[int64](at, 0)))
	case opUint64:
		return putUvarint(e.buf, n, mem.Load[uint64](at, 0))
	case opFix64:
		mem.Put64(e.buf, n, mem.Bits64(at))
		return n + 8
	}
	s := mem.Load[string](at, 0) // opString
	buf := e.room(n, len(s)+10+int(in.need))
	n = putUvarint(buf, n, uint64(len(s)))
	return n + copy(buf[n:], s)
}

// putAll runs the program over the count values from first on, each stride
// bytes after the one before.
func (p *Program) putAll(e *encoder, n int, first mem.Pointer, count int, stride uintptr) (int, *EncodeError) {
	for k := 0; ; {
		next, err := p.put(e, n, first)
		if err != nil {
			return n, err.within(Index("", k))
		}
		n = next
		if k++; k >= count {
			return n, nil
		}
		first = first.Add(stride)
	}
}

func (r *ref) fail(cause error) *EncodeError { return &EncodeError{Type: r.spec.Type, Err: cause} }

// putBlock writes a length and the bytes of s.
func putBlock(e *encoder, n int, s string) int {
	buf := e.room(n, len(s)+10+slack)
	n = putUvarint(buf, n, uint64(len(s)))
	return n + copy(buf[n:], s)
}

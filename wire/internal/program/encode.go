package program

import (
	"runtime"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// An Encoder is the state of one encode, which the programs share. It is on the caller's stack:
// see mem.NoEscape.
type Encoder struct {
	buf   []byte       // writable over its whole length; the position n is a parameter of each function
	depth int          // remaining levels of nesting
	from  *scratch     // the scratch memory that buf is in; nil if buf is the caller's
	err   *EncodeError // set if generated code has failed
}

// grow replaces the buffer by scratch memory that has at least size bytes after the first n, and
// copies the first n bytes. The result of an encode is never in scratch memory: see
// [Program.Append].
func (e *Encoder) grow(n, size int) []byte {
	// The buffer at least doubles, so on average each byte is copied a constant number of
	// times.
	next := borrow(max(2*len(e.buf), n+size))
	// If the buffer was the caller's, the bytes before the encoding are copied too. They are not
	// needed, but copying them keeps all positions the same.
	copy(next.b, e.buf[:n])
	if e.from != nil {
		e.from.release()
	}
	e.buf, e.from = next.b, next
	return next.b
}

// Append appends the encoding of the value at a to dst. On error it returns dst unchanged.
//
// An instruction reserves buffer space for the longest encoding of the instructions after it, which
// then write without checks. If dst is too small for this space, the encoder continues in scratch
// memory. The encoding is copied to dst if its real length fits, so a buffer of the exact size is
// used.
func (p *Program) Append(dst []byte, isNil bool, a mem.Pointer, limits budget.Limits) ([]byte, error) {
	if p == nil || p.Err != nil || isNil {
		return dst, p.unusable()
	}
	var state Encoder // not a composite literal, which the compiler would build elsewhere and copy
	state.buf, state.depth = dst[:cap(dst)], budget.Depth(limits)
	start := len(dst)
	// If dst has too little space for the first run of instructions, the encoding begins in scratch
	// memory.
	if cap(dst)-start < p.need {
		state.from = borrow(p.need)
		state.buf, start = state.from.b, 0
	}
	// The encoder may move from dst to scratch memory, where the positions are the same as in
	// dst.
	var n int
	var err *EncodeError
	if p.generated != nil {
		n, err = p.putGenerated(mem.NoEscape(&state), start, a)
	} else {
		n, err = p.put(mem.NoEscape(&state), start, a)
	}
	if from := state.from; from != nil { // read state, not a pointer to it: see mem.NoEscape
		return p.copyOut(from, dst, start, n, err, limits)
	}
	if err != nil {
		return dst, err
	}
	if !p.affordsAll(limits) {
		if err := p.afford(limits, state.buf[start:n]); err != nil {
			return dst, err
		}
	}
	return dst[:n], nil
}

// unusable returns the error of a program that cannot encode.
func (p *Program) unusable() error {
	switch {
	case p == nil:
		return &EncodeError{Err: fault.ErrNoCodec}
	case p.Err != nil:
		return p.Err
	}
	return &EncodeError{Type: p.Type, Err: fault.ErrNilValue}
}

// copyOut appends the encoding source.b[start:n] to dst and releases source.
func (p *Program) copyOut(source *scratch, dst []byte, start, n int, err *EncodeError, limits budget.Limits) ([]byte, error) {
	// Scratch memory returns to its pool after the copy, even on error.
	defer source.release()
	if err != nil {
		return dst, err
	}
	made := source.b[start:n]
	if err := p.afford(limits, made); err != nil {
		return dst, err
	}
	if len(made) > cap(dst)-len(dst) {
		// p.room is added so that the next value of this type can be encoded in place.
		next := make([]byte, len(dst), max(len(dst)+len(made)+p.room, 2*cap(dst)))
		copy(next, dst)
		dst = next
	}
	return append(dst, made...), nil
}

// marshalRoom is the size of the buffer on the stack of [Program.Marshal].
const marshalRoom = 256

// Marshal returns the encoding of the value at a in a new slice, whose capacity is its length or
// little more.
//
// If p.sizes has a guess at the length, Marshal encodes into memory of that length: see
// marshalAside. Otherwise it encodes a small value on the stack and a large one in scratch
// memory, and copies the result.
func (p *Program) Marshal(isNil bool, a mem.Pointer, limits budget.Limits) ([]byte, error) {
	if p == nil || p.Err != nil || isNil {
		return nil, p.unusable()
	}
	// Methods may keep the buffer, so it must not become the result.
	if more := p.sizes.room(p.aside); more > 0 && !p.Methods {
		return p.marshalAside(more, a, limits)
	}
	var state Encoder
	var room [marshalRoom]byte
	if p.Methods || p.need > marshalRoom {
		// Methods may keep the buffer, so it must not be on the stack.
		state.from = borrow(p.need)
		state.buf = state.from.b
	} else {
		state.buf = (*mem.NoEscape(&room))[:]
	}
	state.depth = budget.Depth(limits)
	var n int
	var err *EncodeError
	if p.generated != nil {
		n, err = p.putGenerated(mem.NoEscape(&state), 0, a)
	} else {
		n, err = p.put(mem.NoEscape(&state), 0, a)
	}
	made := state.buf[:n] // read state, not a pointer to it: see mem.NoEscape
	out := make([]byte, len(made))
	copy(out, made)
	runtime.KeepAlive(&room)
	// Only the lengths of values that did not fit on the stack are recorded as guesses for the next
	// call.
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

// marshalAside encodes into new memory of size bytes. It returns that memory if the encoding
// fits and leaves at most an eighth unused. Otherwise it copies the encoding.
func (p *Program) marshalAside(size int, a mem.Pointer, limits budget.Limits) ([]byte, error) {
	var state Encoder
	state.buf, state.depth = mem.Uncleared(size), budget.Depth(limits)
	var n int
	var err *EncodeError
	if p.generated != nil {
		n, err = p.putGenerated(mem.NoEscape(&state), 0, a)
	} else {
		n, err = p.put(mem.NoEscape(&state), 0, a)
	}
	out := state.buf[:n:n] // read state, not a pointer to it: see mem.NoEscape
	// The guess was too small, or so large that the result would waste memory.
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

// Size returns the length of the encoding of the value at a. It encodes into scratch memory.
func (p *Program) Size(isNil bool, a mem.Pointer, limits budget.Limits) (int, error) {
	if p == nil || p.Err != nil || isNil {
		return 0, p.unusable()
	}
	from := borrow(p.need)
	state := Encoder{buf: from.b, depth: budget.Depth(limits), from: from}
	n, err := p.put(mem.NoEscape(&state), 0, a)
	defer state.from.release() // read state, not a pointer to it: see mem.NoEscape
	if err != nil {
		return 0, err
	}
	if err := p.afford(limits, state.from.b[:n]); err != nil {
		return 0, err
	}
	return n, nil
}

// refuse returns an error that names the first value of the instruction at pc.
func (p *Program) refuse(pc int, cause error) *EncodeError {
	at := p.kthPart(pc, 0)
	return &EncodeError{Path: at.name, Type: at.Type, Err: cause}
}

// put runs the program over the value at a, writes to e.buf[n:] and returns the position after
// the bytes that it wrote.
//
// [Program.putCommon] runs sequences of common instructions. This loop runs common instructions
// outside such sequences, and all other instructions except rare ones, which rare_instructions.go
// runs.
//
// On entry put reserves p.need bytes, which suffice up to the first instruction that reserves bytes
// itself. Such an instruction reserves in.need bytes beyond its own, for its successors.
func (p *Program) put(e *Encoder, n int, a mem.Pointer) (int, *EncodeError) {
	if e.depth == 0 {
		return n, &EncodeError{Type: p.Type, Err: fault.ErrDepth}
	}
	if p.generated != nil && e.depth > 1 {
		return p.putGenerated(e, n, a)
	}
	// putCommon does not count levels, so at the last level the pointers are examined here.
	if e.depth == 1 {
		if pc := p.tooDeep(0, a); pc < uint(len(p.code)) {
			return n, p.refuse(int(pc)+1, fault.ErrDepth)
		}
	}
	// The caller may not have reserved these bytes. Each case below reads e.buf again, since any
	// call may replace it.
	e.Room(n, p.need)
	code := p.code
	for pc := uint(0); pc < uint(len(code)); pc++ {
		// putCommon gets the buffer, not e, since it never grows the buffer.
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
			n = scalar.PutUvarint(e.buf, n, scalar.Zigzag(int64(mem.Load[int16](at, 0))))
		case opInt32:
			n = scalar.PutUvarint(e.buf, n, scalar.Zigzag(int64(mem.Load[int32](at, 0))))
		case opInt64:
			n = scalar.PutUvarint(e.buf, n, scalar.Zigzag(mem.Load[int64](at, 0)))
		case opUint16:
			n = scalar.PutUvarint(e.buf, n, uint64(mem.Load[uint16](at, 0)))
		case opUint32:
			n = scalar.PutUvarint(e.buf, n, uint64(mem.Load[uint32](at, 0)))
		case opUint64:
			n = scalar.PutUvarint(e.buf, n, mem.Load[uint64](at, 0))
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
		// The two numbers and the zone of UTC fit the reserved space. putZone reserves space for a
		// named zone.
		case opTime:
			t := mem.At[time.Time](at, 0)
			n = scalar.PutUvarint(e.buf, n, scalar.Zigzag(t.Unix()))
			n = scalar.PutUvarint(e.buf, n, uint64(t.Nanosecond()))
			if t.Location() == time.UTC {
				mem.Put8(e.buf, n, scalar.ZoneUTC)
				n++
			} else {
				n = putZone(e, n, t, int(in.need))
			}
		// A string has no maximum length, so its bytes are not reserved yet. This case and the
		// following ones reserve the bytes of the value and of the next run with one check.
		case opString:
			s := mem.Load[string](at, 0)
			// Ten bytes are enough for any length.
			buf := e.Room(n, len(s)+10+int(in.need))
			n = scalar.PutUvarint(buf, n, uint64(len(s)))
			n += copy(buf[n:], s)
		case opText:
			s := mem.Load[string](at, 0)
			buf := e.Room(n, len(s)+10+int(in.need))
			next, ok := scalar.PutLen(buf, n, in.len, len(s))
			if !ok {
				return n, p.refuse(int(pc), fault.TooLong(len(s), scalar.Most(in.len)))
			}
			n = next + copy(buf[next:], s)
		case opBytes:
			b := at.Bytes(0)
			buf := e.Room(n, len(b)+10+int(in.need))
			next, ok := scalar.PutLen(buf, n, in.len, len(b))
			if !ok {
				return n, p.refuse(int(pc), fault.TooLong(len(b), scalar.Most(in.len)))
			}
			n = next + copy(buf[next:], b)
		// Adjacent fields, or an array, whose memory is their encoding.
		case opRaw:
			size := int(in.arg)
			buf := e.Room(n, size+int(in.need))
			n += copy(buf[n:], at.Array(0, size))
		// putStrings reserves space for the strings. Then reserve space for the next run of
		// instructions.
		case opStrings:
			// The bytes for the length of the slice are reserved already.
			n = putStrings(e, n, mem.SliceAt[string](at, 0))
			e.Room(n, int(in.need))
		case opInt32s:
			n = putVarints(e, n, mem.SliceAt[int32](at, 0))
			e.Room(n, int(in.need))
		case opInt64s:
			n = putVarints(e, n, mem.SliceAt[int64](at, 0))
			e.Room(n, int(in.need))
		case opUint32s:
			n = putVarints(e, n, mem.SliceAt[uint32](at, 0))
			e.Room(n, int(in.need))
		case opUint64s:
			n = putVarints(e, n, mem.SliceAt[uint64](at, 0))
			e.Room(n, int(in.need))
		case opBulk:
			first, length := at.Slice(0)
			next, ok := scalar.PutLen(e.buf, n, in.len, length)
			if !ok {
				return n, p.refuse(int(pc), fault.TooLong(length, scalar.Most(in.len)))
			}
			n = next
			size := length * int(in.arg)
			buf := e.Room(n, size+int(in.need))
			if size > 0 {
				n += copy(buf[n:], first.Array(0, size))
			}
		// opField precedes each field of an evolving struct. Each field starts a new run of
		// reserved space, since the decoder may stop here.
		case opField:
			e.Room(n, int(in.need))
		// The instructions of the value follow. Their space is reserved already.
		case opOption:
			if mem.Load[bool](at, 0) {
				mem.Put8(e.buf, n, 1)
				n++
				continue
			}
			mem.Put8(e.buf, n, 0)
			n++
			pc += uint(in.arg)
			// An instruction of the skipped value would have reserved the space for the next run.
			e.Room(n, int(in.need))
		case opOptionFix64:
			there := 0 // the value is always written; n moves past it only if it is present
			if mem.Load[bool](at, 0) {
				there = 1
			}
			mem.Put8(e.buf, n, byte(there))
			// Eight bytes are reserved even if the value is absent. The next value overwrites them.
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
			n = scalar.PutUvarint(e.buf, n+1, mem.Load[uint64](at, uintptr(in.arg)))
		// The next instruction is for the target. Its offset is relative to the target.
		case opPointerTo:
			to := at.Elem(0)
			pc++
			if to.IsNil() {
				mem.Put8(e.buf, n, 0)
				n++
				e.Room(n, int(in.need))
				continue
			}
			mem.Put8(e.buf, n, 1)
			n++
			in = &code[pc]
			n = putPlain(e, n, in, to.Add(uintptr(in.off)))
		case opCast:
			// The map is a level of nesting, though no program runs for it.
			if e.depth == 1 {
				return n, p.refuse(int(pc), fault.ErrDepth)
			}
			r := &p.refs[in.arg]
			next := r.cast.put(e, n, in.len, r, at)
			if next < 0 {
				return n, p.refuse(int(pc), fault.TooLong(at.Value(0, r.spec.Type).Len(), scalar.Most(in.len)))
			}
			n = next
			e.Room(n, int(in.need))
		// Rare instructions, and instructions that run another program. The path in an error of
		// that program is relative, so the path of this instruction is prepended.
		default:
			next, err := p.putRef(e, n, in, at)
			if err != nil {
				return n, err.within(p.kthPart(int(pc), 0).name)
			}
			n = next
			e.Room(n, int(in.need))
		}
	}
	return n, nil
}

// putPlain runs the instruction for the target of an opPointerTo. The op of this instruction has
// plain set in the table.
func putPlain(e *Encoder, n int, in *instr, at mem.Pointer) int {
	switch in.op {
	case opBool:
		return putBool(e.buf, n, mem.Load[bool](at, 0))
	case opInt32:
		return scalar.PutUvarint(e.buf, n, scalar.Zigzag(int64(mem.Load[int32](at, 0))))
	case opInt64:
		return scalar.PutUvarint(e.buf, n, scalar.Zigzag(mem.Load[int64](at, 0)))
	case opUint64:
		return scalar.PutUvarint(e.buf, n, mem.Load[uint64](at, 0))
	case opFix64:
		mem.Put64(e.buf, n, mem.Bits64(at))
		return n + 8
	}
	s := mem.Load[string](at, 0) // opString
	buf := e.Room(n, len(s)+10+int(in.need))
	n = scalar.PutUvarint(buf, n, uint64(len(s)))
	return n + copy(buf[n:], s)
}

// putAll runs the program over count values, which begin at the address first and are stride bytes
// apart. count is at least 1.
func (p *Program) putAll(e *Encoder, n int, first mem.Pointer, count int, stride uintptr) (int, *EncodeError) {
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

// fail returns an error about the value of r.
func (r *ref) fail(cause error) *EncodeError { return &EncodeError{Type: r.spec.Type, Err: cause} }

// putBlock reserves space for the length and the bytes of s, and writes both.
func putBlock(e *Encoder, n int, s string) int {
	buf := e.Room(n, len(s)+10+scalar.Slack)
	n = scalar.PutUvarint(buf, n, uint64(len(s)))
	return n + copy(buf[n:], s)
}

package program

import (
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// A Decoder is the state of one decode, which the programs share. It is on the caller's stack:
// see mem.NoEscape.
type Decoder struct {
	in []byte
	budget.Budget
	alias  bool
	depth  int          // remaining levels of nesting
	shared []byte       // unused part of the allocation for short strings
	chunk  int          // size of the last such allocation
	err    *DecodeError // set if generated code has failed

	generated bool // generated code has run
	interpret bool // generated code must not run
}

// Short strings share an allocation, so that a slice of short strings does not need an allocation for
// each string. A string keeps the whole allocation alive. The allocation has at most maxShared bytes,
// and is not longer than the input.
const (
	maxShort  = 64
	minShared = 64
	maxShared = 512
)

// text returns b as a string. If the budget is exhausted it returns "" and overdraws the budget,
// which UnmarshalFirst checks.
func (d *Decoder) text(b []byte) string {
	switch n := len(b); {
	case n <= 1:
		return string(b) // the runtime does not allocate for one byte
	case d.alias:
		return mem.String(b)
	case !d.TakeBlock(n):
		return ""
	case n > maxShort:
		return string(b)
	// The string does not fit into the unused part of the allocation, so make a new one. The garbage collector frees
	// the unused part together with the strings before it.
	case n > len(d.shared):
		// The allocations double, so that an input with one short string does not allocate much
		// more than that string.
		d.chunk = min(max(2*d.chunk, minShared), maxShared)
		d.shared = make([]byte, max(n, min(d.chunk, len(d.in))))
	}
	// Strings cannot overlap: a string has no capacity, and shared begins after it.
	s := d.shared[:len(b)]
	d.shared = d.shared[len(b):]
	copy(s, b)
	return mem.String(s)
}

// Unmarshal decodes the whole of data into the value at a. The error is nil, p.Err or a
// *DecodeError.
func (p *Program) Unmarshal(data []byte, isNil bool, a mem.Pointer, limits budget.Limits, alias bool) error {
	_, err := p.UnmarshalFirst(data, isNil, a, limits, alias, true)
	return err
}

// UnmarshalFirst decodes the value at the start of data and returns its length. If whole is set,
// bytes after the value are an error. With alias, strings and byte slices point into data.
func (p *Program) UnmarshalFirst(data []byte, isNil bool, a mem.Pointer, limits budget.Limits, alias, whole bool) (int, error) {
	if p == nil {
		return 0, &DecodeError{Err: fault.ErrNoCodec}
	}
	if p.Err != nil {
		return 0, p.Err
	}
	var state Decoder // not a composite literal, which the compiler would build elsewhere and copy
	state.in, state.alias = data, alias
	state.Budget, state.depth = budget.Of(limits, len(data)), budget.Depth(limits)
	d := mem.NoEscape(&state)
	if isNil {
		return 0, d.fail(0, p.Type, fault.ErrNilValue)
	}
	// If a string overdraws the budget, it is decoded as empty and Program.read succeeds, so check the budget too.
	var pos int
	var err *DecodeError
	if p.generated != nil {
		pos, err = p.readGenerated(d, 0, a)
	} else {
		pos, err = p.read(d, 0, a)
	}
	overdrawn := state.Budget < 0 // read state, not a pointer to it: see mem.NoEscape
	if (err != nil || overdrawn) && state.generated {
		pos, err = p.readAgain(d, data, a, limits, alias)
		overdrawn = state.Budget < 0
	}
	switch {
	case err != nil && overdrawn:
		err.Err = fault.ErrBudget // the budget was exhausted before the fault
		return 0, err
	case err != nil:
		return 0, err
	case overdrawn:
		return 0, d.fail(pos, p.Type, fault.ErrBudget)
	}
	// Bytes after the value are checked last, since a fault in the value is the better error.
	if whole && pos != len(state.in) {
		return 0, d.fail(pos, p.Type, fault.ErrTrailing)
	}
	return pos, nil
}

// readAgain decodes data with the engine after generated code has found a fault. Generated code and the
// engine differ in the parts of a value that they store before a fault, and the stored value must not
// depend on generated code.
//
//go:noinline
func (p *Program) readAgain(d *Decoder, data []byte, a mem.Pointer, limits budget.Limits, alias bool) (int, *DecodeError) {
	*d = Decoder{in: data, alias: alias, Budget: budget.Of(limits, len(data)), depth: budget.Depth(limits), interpret: true}
	return p.read(d, 0, a)
}

// fail returns an error for the value of type t at pos. The callers prepend the path.
func (d *Decoder) fail(pos int, t reflect.Type, cause error) *DecodeError {
	return &DecodeError{Offset: int64(pos), Type: t, Err: cause}
}

// pointee returns the target of *at, a pointer. If *at is nil, pointee allocates a new elem and
// stores its address in *at. It returns nil if the budget does not suffice. The budget is spent even for
// an old target, so that the result of a decode does not depend on the old value.
func (d *Decoder) pointee(at mem.Pointer, elem reflect.Type) (to mem.Pointer) {
	if !d.Take(1, elem.Size()) {
		return to
	}
	if to = at.Elem(0); to.IsNil() {
		to = at.SetNew(0, elem)
	}
	return to
}

// read runs the program over the value at a, reads from d.in[pos:] and returns the position after
// the encoding.
//
// The code of common instructions is in the loop, since a call costs as much as such an
// instruction. A case that succeeds continues the loop. A case that cannot accept the input
// stores nothing and leaves the switch, and fault then finds the cause.
//
// d.depth is the number of levels that are left, including the level of this call.
func (p *Program) read(d *Decoder, pos int, a mem.Pointer) (int, *DecodeError) {
	if d.depth == 0 {
		return pos, d.fail(pos, p.Type, fault.ErrDepth)
	}
	if p.generated != nil && d.depth > 1 && !d.interpret {
		return p.readGenerated(d, pos, a)
	}
	// The local variables save loads: the compiler would load fields of d and p again after
	// each store, since it cannot know that the value does not overlap them.
	in := d.in
	code := p.code
	for pc := 0; pc < len(code); pc++ {
		// readCommon returns the first instruction that it could not run. That instruction has
		// changed nothing yet and runs below.
		if code[pc].common {
			left, next := p.readCommon(d, uint(pc), pos, a)
			pc, pos = int(left), next
			if pc >= len(code) {
				break
			}
		}
		// The address is computed before the switch, since nearly all cases need it.
		i := &code[pc]
		at := a.Add(uintptr(i.off))
	again:
		switch i.op {
		case opBool:
			// Any other byte would be an invalid bool in memory, so it is a fault and not
			// stored.
			if pos < len(in) && in[pos] <= 1 {
				mem.Store(at, 0, in[pos] == 1)
				pos++
				continue
			}
		case opByte:
			if pos < len(in) {
				// Every byte is a valid number of 8 bits.
				mem.SetBits8(at, in[pos])
				pos++
				continue
			}
		case opInt16, opInt32, opUint16, opUint32:
			if next := readVarint(i.op, in, pos, at); next > 0 {
				pos = next
				continue
			}
		// A number of one byte needs no call.
		case opInt64:
			if pos < len(in) && in[pos] < 0x80 { // the fast path of Uvarint, which is not inlined
				mem.Store(at, 0, scalar.Unzigzag(uint64(in[pos])))
				pos++
				continue
			}
			v, next := scalar.UvarintLong(in, pos)
			if next > 0 {
				mem.Store(at, 0, scalar.Unzigzag(v))
				pos = next
				continue
			}
		case opUint64:
			if pos < len(in) && in[pos] < 0x80 {
				mem.Store(at, 0, uint64(in[pos]))
				pos++
				continue
			}
			v, next := scalar.UvarintLong(in, pos)
			if next > 0 {
				mem.Store(at, 0, v)
				pos = next
				continue
			}
		// The error of a run names the number that failed, so this case returns the error itself.
		case opRun:
			next, k, ok := readRun(in, pos, i, at)
			if !ok {
				return p.failPart(d, pc, k, next)
			}
			pos = next
			continue
		case opFix16:
			if len(in)-pos >= 2 {
				mem.SetBits16(at, uint16(in[pos])|uint16(in[pos+1])<<8)
				pos += 2
				continue
			}
		case opFix32:
			if len(in)-pos >= 4 {
				mem.SetBits32(at, mem.Get32(in, pos))
				pos += 4
				continue
			}
		case opFix64:
			if len(in)-pos >= 8 {
				mem.SetBits64(at, mem.Get64(in, pos))
				pos += 8
				continue
			}
		// The length is a uvarint, whose first byte is read here.
		case opString:
			var n uint64
			next := pos + 1
			if pos < len(in) && in[pos] < 0x80 {
				n = uint64(in[pos])
			} else {
				n, next = scalar.UvarintLong(in, pos)
			}
			// The length is compared with the rest of the input before any memory is allocated.
			if next > 0 && n <= uint64(len(in)-next) {
				mem.Store(at, 0, d.text(in[next:next+int(n)]))
				pos = next + int(n)
				continue
			}
		// The length has a fixed width or is a uvarint: see scalar.Block.
		case opText:
			if b, next, cause := scalar.Block(in, pos, i.len); cause == nil {
				mem.Store(at, 0, d.text(b))
				pos = next
				continue
			}
		case opBytes:
			if b, next, cause := scalar.Block(in, pos, i.len); cause == nil {
				d.bytes(at, b, i.arg == 1)
				pos = next
				continue
			}
		// PutArray sets adjacent fields, or an array, in one copy.
		case opRaw:
			if n := int(i.arg); n <= len(in)-pos {
				// The compiler emits opRaw only for types whose memory may have any bits: no bool, no pointer,
				// and no float in canonical form.
				at.PutArray(0, in[pos:pos+n])
				pos += n
				continue
			}
		// Skipped bytes may have any value.
		case opSkip:
			if n := int(i.arg); n <= len(in)-pos {
				pos += n
				continue
			}
		case opTime:
			if next, cause := scalar.ReadTime(in, pos, mem.At[time.Time](at, 0)); cause == nil {
				pos = next
				continue
			}
		// This case reads only the flag. The following instructions decode the value in place.
		case opOption, opOptionFix64, opOptionUint64:
			if pos < len(in) && in[pos] <= 1 {
				pos++
				if in[pos-1] == 1 {
					// The flag is set before the value is decoded: if decoding fails halfway, the option is
					// present, so decoding None into it later clears the partial value.
					mem.Store(at, 0, true)
					continue
				}
				if mem.Load[bool](at, 0) {
					at.Value(0, p.kthPart(pc, 0).Type).SetZero()
				}
				// The instructions of the value are skipped.
				pc += i.body()
				continue
			}
		// A pointer that is not nil keeps its target, which is decoded in place.
		case opPointerTo:
			if pos < len(in) && in[pos] <= 1 {
				pos++
				if in[pos-1] == 0 {
					at.SetNil(0)
					pc++
					continue
				}
				to := d.pointee(at, p.refs[i.arg].program.Type)
				if to.IsNil() {
					return p.fail(d, pc, pos-1, fault.ErrBudget)
				}
				// The target would nest too deeply.
				if d.depth == 1 {
					return p.fail(d, pc, pos, fault.ErrDepth)
				}
				pc++
				i = &code[pc]
				at = to.Add(uintptr(i.off))
				// The next instruction is for the target. It runs now, at the target's address,
				// and the loop then continues after it.
				goto again
			}
		// opField precedes each field of an evolving struct.
		case opField:
			// If the input of the struct ends here, an older version has written it. d.in ends
			// with the struct: see readEvolving.
			if pos == len(in) {
				p.zeroRest(pc, a)
				return pos, nil
			}
			continue
		// The other instructions are rare, or have a ref and cost a level of nesting.
		default:
			if ops[i.op].argument == argRef {
				d.depth--
				next, err := p.readRef(d, i, pos, at)
				d.depth++
				if err != nil {
					return next, err.within(p.kthPart(pc, 0).name)
				}
				pos = next
				continue
			}
			next, cause := p.readPlain(d, i, pos, at)
			if cause != nil {
				return p.fail(d, pc, next, cause)
			}
			pos = next
			continue
		}
		return p.fault(d, pc, pos, at)
	}
	return pos, nil
}

// fail returns pos and an error. The error names the first value that the instruction at pc decodes.
func (p *Program) fail(d *Decoder, pc, pos int, cause error) (int, *DecodeError) {
	part := p.kthPart(pc, 0)
	return pos, d.fail(pos, part.Type, cause).within(part.name)
}

// fault finds the reason why the instruction at pc refused the input at pos. It examines the
// input again, so that the loop needs no code for causes. at is the address of the instruction's value.
func (p *Program) fault(d *Decoder, pc, pos int, at mem.Pointer) (int, *DecodeError) {
	// Each case repeats the checks of the loop in the same order, so that the first fault of
	// the input is reported.
	in, i := d.in, &p.code[pc]
	var cause error
	switch i.op {
	case opBool, opByte, opOption, opOptionFix64, opOptionUint64, opPointerTo:
		cause = fault.ErrFlag
		if pos >= len(in) {
			cause = fault.ErrTruncated
		}
	case opInt16, opInt32, opInt64, opUint16, opUint32, opUint64:
		pos, cause = scalar.NumberFault(in, pos)
	case opString, opText, opBytes:
		_, pos, cause = scalar.Block(in, pos, i.len)
	case opTime:
		var t time.Time
		pos, cause = scalar.ReadTime(in, pos, &t)
	case opRaw:
		// The input ends within the bytes of several fields. The error names the field at which
		// it ends, and the fields before it are stored.
		part := p.partAt(pc, uintptr(i.off)+uintptr(len(in)-pos))
		if whole := int(part.off) - int(i.off); whole > 0 {
			at.PutArray(0, in[pos:pos+whole])
		}
		return len(in), d.fail(len(in), part.Type, fault.ErrTruncated).within(part.name)
	default: // a fixed width
		pos, cause = len(in), fault.ErrTruncated
	}
	return p.fail(d, pc, pos, cause)
}

// failPart returns the error of the k-th varint of the instruction at pc.
func (p *Program) failPart(d *Decoder, pc, k, pos int) (int, *DecodeError) {
	pos, cause := scalar.NumberFault(d.in, pos)
	part := p.kthPart(pc, k)
	return pos, d.fail(pos, part.Type, cause).within(part.name)
}

// readAll runs the program over count values, which begin at the address first and are stride bytes
// apart. count is at least 1. The address never moves past the last value.
func (p *Program) readAll(d *Decoder, pos int, first mem.Pointer, count int, stride uintptr) (int, *DecodeError) {
	for k := 0; ; {
		// The caller has counted the level of nesting, which is the same for all elements.
		next, err := p.read(d, pos, first)
		if err != nil {
			return next, err.within(Index("", k))
		}
		pos = next
		if k++; k >= count {
			return pos, nil
		}
		first = first.Add(stride)
	}
}

// bytes sets *at, a []byte, to a copy of b, or to b itself if the codec aliases its input. It does
// not overwrite the bytes of the old slice, since they may belong to another input.
func (d *Decoder) bytes(at mem.Pointer, b []byte, empty bool) {
	if len(b) > 0 || empty {
		b = d.Block(b)
	} else {
		b = nil
	}
	at.SetBytes(0, b)
}

// Block returns a copy of b, or b itself if the codec aliases its input. If the budget is exhausted, it returns nil,
// and the decode fails at its end.
func (d *Decoder) Block(b []byte) []byte {
	switch {
	// The capacity ends with b, so that an append does not write into the input.
	case d.alias:
		return b[:len(b):len(b)]
	case !d.TakeBlock(len(b)):
		return nil
	}
	return append([]byte{}, b...)
}

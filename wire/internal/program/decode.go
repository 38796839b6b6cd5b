package program

import (
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
)

// A decoder is the state of one decode that its programs share. It lies on the
// caller's stack.
type decoder struct {
	in []byte
	budget
	alias  bool
	depth  int    // how much deeper the value may nest
	shared []byte // room for the next short strings
	chunk  int    // bytes of the last room
}

// Short strings share an allocation, so that a slice of them does not take one
// for each. A string that is kept keeps all of its allocation: at most maxShared
// bytes, and never more than the input has.
const (
	maxShort  = 64
	minShared = 64
	maxShared = 512
)

// text returns b as a string; "" if there is no budget for it, which is overdrawn then.
func (d *decoder) text(b []byte) string {
	switch n := len(b); {
	case n <= 1:
		return string(b) // which allocates nothing
	case d.alias:
		return mem.String(b)
	case !d.takeBlock(n):
		return ""
	case n > maxShort:
		return string(b)
	case n > len(d.shared):
		d.chunk = min(max(2*d.chunk, minShared), maxShared)
		d.shared = make([]byte, max(n, min(d.chunk, len(d.in))))
	}
	s := d.shared[:len(b)]
	d.shared = d.shared[len(b):]
	copy(s, b)
	return mem.String(s)
}

// Unmarshal decodes the whole of data into the value at a.
func (p *Program) Unmarshal(data []byte, isNil bool, a mem.Pointer, limits Limits, alias bool) error {
	_, err := p.UnmarshalFirst(data, isNil, a, limits, alias, true)
	if err != nil {
		return err
	}
	return nil
}

// UnmarshalFirst decodes the value that data starts with and returns its length.
// Whole says that nothing may come behind it.
func (p *Program) UnmarshalFirst(data []byte, isNil bool, a mem.Pointer, limits Limits, alias, whole bool) (int, error) {
	if p == nil {
		return 0, &DecodeError{Err: ErrNoCodec}
	}
	if p.Err != nil {
		return 0, p.Err
	}
	var state decoder // field by field: a literal is made elsewhere and copied
	state.in, state.alias = data, alias
	state.budget, state.depth = limits.budget(len(data)), limits.depth()
	d := mem.NoEscape(&state)
	if isNil {
		return 0, d.fail(0, p.Type, ErrNilValue)
	}
	pos, err := p.read(d, 0, a)
	overdrawn := state.budget < 0 // by its own name: see mem.NoEscape
	switch {
	case err != nil && overdrawn:
		err.Err = errBudget // the fault before it
		return 0, err
	case err != nil:
		return 0, err
	case overdrawn:
		return 0, d.fail(pos, p.Type, errBudget)
	}
	if whole && pos != len(state.in) {
		return 0, d.fail(pos, p.Type, ErrTrailing)
	}
	return pos, nil
}

func (d *decoder) fail(pos int, t reflect.Type, cause error) *DecodeError {
	return &DecodeError{Offset: int64(pos), Type: t, Err: cause}
}

// pointee returns what the pointer at at points to: what it held, or a new elem;
// nil if there is no budget for that.
func (d *decoder) pointee(at mem.Pointer, elem reflect.Type) mem.Pointer {
	to := at.Elem(0)
	if to.IsNil() && d.take(1, elem.Size()) {
		to = at.SetNew(0, elem)
	}
	return to
}

// read runs the program over the value at a and returns the position after its
// encoding.
//
// It is long because a call costs as much as a common instruction does, so the loop
// has the code of those. It does not tell what is wrong with the input: fault does.
func (p *Program) read(d *decoder, pos int, a mem.Pointer) (int, *DecodeError) {
	if d.depth == 0 {
		return pos, d.fail(pos, p.Type, ErrDepth)
	}
	in := d.in
	code := p.code
	for pc := 0; pc < len(code); pc++ {
		if code[pc].common {
			left, next := p.readCommon(d, uint(pc), pos, a)
			pc, pos = int(left), next
			if pc >= len(code) {
				break
			}
		}
		i := &code[pc]
		at := a.Add(uintptr(i.off))
	again:
		switch i.op {
		case opBool:
			if pos < len(in) && in[pos] <= 1 {
				mem.Store(at, 0, in[pos] == 1)
				pos++
				continue
			}
		case opByte:
			if pos < len(in) {
				mem.SetBits8(at, in[pos])
				pos++
				continue
			}
		case opInt16, opInt32, opUint16, opUint32:
			if next := readVarint(i.op, in, pos, at); next > 0 {
				pos = next
				continue
			}
		case opInt64:
			if pos < len(in) && in[pos] < 0x80 { // as in Uvarint, which is not inlined
				mem.Store(at, 0, Unzigzag(uint64(in[pos])))
				pos++
				continue
			}
			v, next := uvarintLong(in, pos)
			if next > 0 {
				mem.Store(at, 0, Unzigzag(v))
				pos = next
				continue
			}
		case opUint64:
			if pos < len(in) && in[pos] < 0x80 {
				mem.Store(at, 0, uint64(in[pos]))
				pos++
				continue
			}
			v, next := uvarintLong(in, pos)
			if next > 0 {
				mem.Store(at, 0, v)
				pos = next
				continue
			}
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
		case opString:
			var n uint64
			next := pos + 1
			if pos < len(in) && in[pos] < 0x80 {
				n = uint64(in[pos])
			} else {
				n, next = uvarintLong(in, pos)
			}
			if next > 0 && n <= uint64(len(in)-next) {
				mem.Store(at, 0, d.text(in[next:next+int(n)]))
				pos = next + int(n)
				continue
			}
		case opText:
			if b, next, cause := block(in, pos, i.len); cause == nil {
				mem.Store(at, 0, d.text(b))
				pos = next
				continue
			}
		case opBytes:
			if b, next, cause := block(in, pos, i.len); cause == nil {
				d.bytes(at, b, i.arg == 1)
				pos = next
				continue
			}
		case opRaw:
			if n := int(i.arg); n <= len(in)-pos {
				at.PutArray(0, in[pos:pos+n])
				pos += n
				continue
			}
		case opSkip:
			if n := int(i.arg); n <= len(in)-pos {
				pos += n
				continue
			}
		case opTime:
			if next, cause := readTime(in, pos, mem.At[time.Time](at, 0)); cause == nil {
				pos = next
				continue
			}
		case opOption, opOptionFix64, opOptionUint64:
			if pos < len(in) && in[pos] <= 1 {
				pos++
				if in[pos-1] == 1 {
					// Present even after a fault, so that what was read can be
					// reached and a later None clears it.
					mem.Store(at, 0, true)
					continue
				}
				if mem.Load[bool](at, 0) {
					at.Value(0, p.at(pc, 0).Type).SetZero()
				}
				pc += i.body()
				continue
			}
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
					return p.fail(d, pc, pos-1, errBudget)
				}
				if d.depth == 1 {
					return p.fail(d, pc, pos, ErrDepth)
				}
				pc++
				i = &code[pc]
				at = to.Add(uintptr(i.off))
				goto again
			}
		case opField:
			if pos == len(in) {
				p.zeroRest(pc, a)
				return pos, nil
			}
			continue
		default:
			if ops[i.op].argument == argRef {
				d.depth--
				next, err := p.readRef(d, i, pos, at)
				d.depth++
				if err != nil {
					return next, err.within(p.at(pc, 0).name)
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
		return p.fault(d, pc, pos)
	}
	return pos, nil
}

func (p *Program) fail(d *decoder, pc, pos int, cause error) (int, *DecodeError) {
	part := p.at(pc, 0)
	return pos, d.fail(pos, part.Type, cause).within(part.name)
}

// fault says what is wrong with the input at pos, which the instruction at pc
// could not take.
func (p *Program) fault(d *decoder, pc, pos int) (int, *DecodeError) {
	in, i := d.in, &p.code[pc]
	var cause error
	switch i.op {
	case opBool, opByte, opOption, opOptionFix64, opOptionUint64, opPointerTo:
		cause = ErrFlag
		if pos >= len(in) {
			cause = ErrTruncated
		}
	case opInt16, opInt32, opInt64, opUint16, opUint32, opUint64:
		pos, cause = numberFault(in, pos)
	case opString, opText, opBytes:
		_, pos, cause = block(in, pos, i.len)
	case opTime:
		_, pos, cause = ReadTime(in, pos)
	case opRaw:
		part := p.partAt(pc, uintptr(i.off)+uintptr(len(in)-pos))
		return len(in), d.fail(len(in), part.Type, ErrTruncated).within(part.name)
	default: // of a fixed width
		pos, cause = len(in), ErrTruncated
	}
	return p.fail(d, pc, pos, cause)
}

// failPart is what is wrong with the k-th varint of the instruction at pc.
func (p *Program) failPart(d *decoder, pc, k, pos int) (int, *DecodeError) {
	pos, cause := numberFault(d.in, pos)
	part := p.at(pc, k)
	return pos, d.fail(pos, part.Type, cause).within(part.name)
}

// readAll runs the program over the count values from first on, each stride bytes
// after the one before.
func (p *Program) readAll(d *decoder, pos int, first mem.Pointer, count int, stride uintptr) (int, *DecodeError) {
	for k := 0; ; {
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

// bytes sets the []byte at a to a copy of b, or to b as it lies in the input if that
// was asked for. What it held stays as it is: it may be a part of another input.
func (d *decoder) bytes(at mem.Pointer, b []byte, empty bool) {
	switch {
	case len(b) == 0 && !empty:
		b = nil
	case d.alias:
		b = b[:len(b):len(b)]
	case !d.takeBlock(len(b)):
		b = nil
	default:
		b = append([]byte{}, b...)
	}
	at.SetBytes(0, b)
}

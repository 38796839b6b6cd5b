package program

import (
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// The functions in this file run the instructions that have no case in the loops: rare ones, and
// those with a program of their own. A new instruction begins here. It moves into a loop when a
// benchmark shows a gain.
//
// putRef encodes. The room for the bound of the instruction is reserved. The caller reserves room
// again after it returns.
func (p *Program) putRef(e *encoder, n int, in *instr, at mem.Pointer) (int, *EncodeError) {
	switch in.op {
	case opFix16B, opFix32B, opFix64B, opWide, opFloat32, opFloat64, opComplex64, opComplex128:
		return putNumber(e.buf, n, in, at), nil
	// The instant alone: two times that are equal have one canonical encoding, whatever their zones.
	case opInstant:
		return scalar.PutInstant(e.buf, n, mem.At[time.Time](at, 0)), nil
	// A time outside the range of 64-bit nanoseconds has no encoding.
	case opTimeUTC:
		v, ok := scalar.UnixNano(*mem.At[time.Time](at, 0))
		if !ok {
			return n, &EncodeError{Type: reflect.TypeFor[time.Time](), Err: fault.ErrTime}
		}
		mem.Put64(e.buf, n, uint64(v))
		return n + 8, nil
	case opTimeZone:
		return putTimeZone(e, n, *mem.At[time.Time](at, 0))
	// The buffer has old bytes, so the skip is cleared.
	case opSkip:
		size := int(in.arg)
		buf := e.room(n, size+scalar.Slack)
		clear(buf[n : n+size])
		return n + size, nil
	// The text of an error is all that survives. Its type is lost.
	case opError:
		return putBlock(e, n, errorText(at)), nil
	// Declared layouts may have integers of 8 bits as varints. Derived types write them as a byte.
	case opInt8:
		return scalar.PutUvarint(e.buf, n, scalar.Zigzag(int64(int8(mem.Bits8(at))))), nil
	case opUint8:
		return scalar.PutUvarint(e.buf, n, uint64(mem.Bits8(at))), nil
	case opUnknown:
		return putUnknown(e, n, in, at)
	}
	// From here on arg is an index into refs.
	r := &p.refs[in.arg]
	switch in.op {
	case opBinary, opTextual:
		// A method writes a block of unknown length, so it makes room by itself.
		return r.putMethod(e, n, at)
	case opRemoved:
		return r.putRemoved(e, n), nil
	}
	// Methods and removed fields run no program, so they cost no level.
	// The level is given back on errors too, though nobody asks for it then.
	e.depth--
	next, err := r.putDeeper(e, n, in, at)
	e.depth++
	return next, err
}

// putDeeper is putRef for the instructions that cost a level of nesting.
func (r *ref) putDeeper(e *encoder, n int, in *instr, at mem.Pointer) (int, *EncodeError) {
	switch in.op {
	// One function for all three: they differ in their length.
	case opSlice, opList, opArray:
		return r.putElements(e, n, in, at)
	case opPointer:
		to := at.Elem(0)
		if to.IsNil() {
			mem.Put8(e.buf, n, 0)
			return n + 1, nil
		}
		mem.Put8(e.buf, n, 1)
		// Only the byte of the flag is reserved. The program makes the room for the target, and this
		// program makes room again for its own next run.
		return r.program.put(e, n+1, to)
	// A map without a cast. A map with one is in the loop.
	case opMap:
		return r.putMap(e, n, in.len, at)
	case opVariant:
		return r.putVariant(e, n, at)
	case opInterface:
		return r.putInterface(e, n, at)
	case opEvolving:
		// An evolving struct has its length before its fields, so it is written and then measured.
		return r.putEvolving(e, n, at)
	case opAccessor:
		return r.accessor.put(r.program, e, n, at)
	}
	panic("wire: instruction without an interpreter")
}

// readPlain decodes slices of numbers and strings, and rare instructions that have no program. On
// error it returns the position of the fault.
func (p *Program) readPlain(d *decoder, i *instr, pos int, at mem.Pointer) (int, error) {
	in := d.in
	// Slices of numbers and strings are here and not in the loop, since their own loops take much
	// longer than the call.
	switch i.op {
	case opStrings:
		return readStrings(d, pos, at)
	case opInt32s:
		return readVarints[int32](d, pos, at)
	case opInt64s:
		return readVarints[int64](d, pos, at)
	case opUint32s:
		return readVarints[uint32](d, pos, at)
	case opUint64s:
		return readVarints[uint64](d, pos, at)
	case opBulk:
		// A slice is decoded as one of unsigned numbers of the same size.
		switch i.arg {
		case 1:
			return readBulk[uint8](d, i, pos, at)
		case 2:
			return readBulk[uint16](d, i, pos, at)
		case 4:
			return readBulk[uint32](d, i, pos, at)
		}
		// The compiler emits opBulk for elements of 1, 2, 4 and 8 bytes only.
		return readBulk[uint64](d, i, pos, at)
	case opFix16B, opFix32B, opFix64B, opFloat32, opFloat64, opComplex64, opComplex128, opWide:
		return readNumber(in, pos, i, at)
	case opInstant:
		return scalar.ReadInstant(in, pos, mem.At[time.Time](at, 0))
	case opTimeUTC:
		if len(in)-pos < 8 {
			return len(in), fault.ErrTruncated
		}
		*mem.At[time.Time](at, 0) = scalar.OfUnixNano(int64(mem.Get64(in, pos)))
		return pos + 8, nil
	case opTimeZone:
		// The field is set only if all parts of the time are valid.
		t, next, cause := scalar.ReadTimeZone(in, pos)
		if cause == nil {
			*mem.At[time.Time](at, 0) = t
		}
		return next, cause
	case opError:
		return readError(d, pos, at)
	case opInt8, opUint8:
		return readInt8(in, pos, i, at)
	case opUnknown:
		return readUnknown(d, pos, i, at), nil
	}
	panic("wire: instruction without an interpreter")
}

// readRef decodes the instructions whose arg is an index into refs. The caller has taken a level
// of d.depth.
func (p *Program) readRef(d *decoder, i *instr, pos int, at mem.Pointer) (int, *DecodeError) {
	r := &p.refs[i.arg]
	t := r.spec.Type
	switch i.op {
	// An array has no length, and its memory is there already.
	case opArray:
		return r.readElements(d, pos, r.count, at)
	case opPointer:
		if pos >= len(d.in) {
			return pos, d.fail(pos, t, fault.ErrTruncated)
		}
		// The flag is checked before memory is allocated.
		if d.in[pos] > 1 {
			return pos, d.fail(pos, t, fault.ErrFlag)
		}
		if d.in[pos] == 0 {
			at.SetNil(0)
			return pos + 1, nil
		}
		to := d.pointee(at, r.program.Type)
		if to.IsNil() {
			return pos, d.fail(pos, t, fault.ErrBudget)
		}
		// The target is decoded in place. A target that was there before keeps its address, so other
		// pointers to it see the new value.
		return r.program.read(d, pos+1, to)
	case opSlice, opList:
		return r.readSlice(d, i, pos, at)
	case opMap, opCast:
		// Both ops read their length alike; readMap looks for a cast after that.
		return r.readMap(d, pos, i.len, at)
	case opBinary, opTextual:
		return r.readMethod(d, pos, at)
	case opVariant:
		return r.readVariant(d, pos, at)
	case opInterface:
		return r.readInterface(d, pos, at)
	case opEvolving:
		return r.readEvolving(d, pos, at)
	case opAccessor:
		return r.accessor.read(r.program, d, pos, at)
	case opRemoved:
		// The value of a removed field is skipped by its spec. It has no place in memory.
		return r.readRemoved(d, pos)
	}
	panic("wire: instruction without an interpreter")
}

// walkRef hands the parts of a value to w, for instructions that have no case in walk.
func (p *Program) walkRef(w BinaryWriter, in *instr, at mem.Pointer, depth int) *EncodeError {
	switch in.op {
	case opTime:
		walkTime(w, mem.At[time.Time](at, 0))
		return nil
	case opError:
		w.WriteString(errorText(at))
		return nil
	case opComplex64:
		c := mem.Load[complex64](at, 0)
		w.WriteFloat32(real(c))
		w.WriteFloat32(imag(c))
		return nil
	case opComplex128:
		c := mem.Load[complex128](at, 0)
		w.WriteFloat64(real(c))
		w.WriteFloat64(imag(c))
		return nil
	case opInt8:
		w.WriteInt8(int8(mem.Bits8(at)))
		return nil
	case opUint8:
		w.WriteUint8(mem.Bits8(at))
		return nil
	case opUnknown, opRemoved: // not part of the value
		return nil
	}
	r := &p.refs[in.arg]
	switch in.op {
	case opSlice, opArray:
		// The length of an array is known from its type, so a BinaryWriter does not get it.
		first, count := at, r.count
		if in.op == opSlice {
			first, count = at.Slice(0)
			w.WriteUint(uint64(count))
		}
		// Elements without parts are represented by their number.
		if count == 0 || len(r.program.code) == 0 {
			return nil
		}
		for k := range count {
			if err := r.program.walk(w, first.Add(uintptr(k)*r.stride), depth); err != nil {
				return err.within(Index("", k))
			}
		}
		return nil
	case opPointer:
		to := at.Elem(0)
		w.WriteBool(!to.IsNil())
		if to.IsNil() {
			return nil
		}
		return r.program.walk(w, to, depth)
	case opMap, opCast:
		return r.walkMap(w, at, depth)
	case opBinary, opTextual:
		// The method gets no buffer of ours, since its result becomes a string that w may keep.
		b, err := r.spec.Methods.Append(nil, at.Addr(0, r.spec.Type))
		if err != nil {
			return r.fail(err)
		}
		w.WriteString(string(b))
		return nil
	case opVariant:
		// A variant is walked as it is encoded: the index of its case and the value of that case.
		is := &r.cases[r.union.Held(at, 0)]
		w.WriteUint8(uint8(is.ID))
		if is.program == nil {
			return nil
		}
		return is.program.walk(w, at.Add(is.Off), depth)
	case opEvolving:
		return r.program.walk(w, at, depth)
	}
	panic("wire: instruction without a walk")
}

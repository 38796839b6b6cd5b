package program

import (
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// The functions in this file run the instructions that have no case in the loops: rare ones,
// and instructions that run another program. A new instruction is added here first. It moves
// into a loop if a benchmark shows a gain.
//
// putRef encodes the value of an instruction. Before the call, the caller reserves the bytes of the
// instruction's bound (see table.go). After the call, the caller reserves the bytes for the
// instructions that follow.
func (p *Program) putRef(e *Encoder, n int, in *instr, at mem.Pointer) (int, *EncodeError) {
	switch in.op {
	case opFix16B, opFix32B, opFix64B, opWide, opFloat32, opFloat64, opComplex64, opComplex128:
		return putNumber(e.buf, n, in, at), nil
	// Only the instant is encoded: equal times have one canonical encoding, whatever their
	// zones.
	case opInstant:
		return scalar.PutInstant(e.buf, n, mem.At[time.Time](at, 0)), nil
	// A time outside the range of 64-bit nanoseconds has no encoding.
	case opTimeUTC:
		v, ok := scalar.UnixNano(*mem.At[time.Time](at, 0))
		if !ok {
			return n, &EncodeError{Type: reflect.TypeFor[time.Time](), Err: errNanoseconds}
		}
		mem.Put64(e.buf, n, uint64(v))
		return n + 8, nil
	case opTimeZone:
		return putTimeZone(e, n, *mem.At[time.Time](at, 0))
	// The buffer may contain old bytes, so the skip is cleared.
	case opSkip:
		size := int(in.arg)
		buf := e.Room(n, size+scalar.Slack)
		clear(buf[n : n+size])
		return n + size, nil
	// Only the text of an error is encoded, not its type.
	case opError:
		return putBlock(e, n, errorText(at)), nil
	// An integer of 8 bits as a varint, for the tag option "varint".
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
		// A method writes a block of unknown length, so putMethod reserves the space.
		return r.putMethod(e, n, at)
	case opRemoved:
		return r.putRemoved(e, n), nil
	}
	// The instructions above run no program, so they cost no level. All others do.
	e.depth--
	next, err := r.putDeeper(e, n, in, at)
	e.depth++
	return next, err
}

// putDeeper implements putRef for the instructions that cost a level of nesting.
func (r *ref) putDeeper(e *Encoder, n int, in *instr, at mem.Pointer) (int, *EncodeError) {
	switch in.op {
	// The three ops differ only in the encoding of their length.
	case opSlice, opList, opArray:
		return r.putElements(e, n, in, at)
	case opPointer:
		to := at.Elem(0)
		if to.IsNil() {
			mem.Put8(e.buf, n, 0)
			return n + 1, nil
		}
		mem.Put8(e.buf, n, 1)
		// Only the byte of the flag is reserved. r.program reserves the bytes of the target.
		return r.program.put(e, n+1, to)
	// opMap uses reflection. The loop handles maps with a cast.
	case opMap:
		return r.putMap(e, n, in.len, at)
	case opVariant:
		return r.putVariant(e, n, at)
	case opInterface:
		return r.putInterface(e, n, at)
	case opEvolving:
		// The length of an evolving struct precedes its fields but is known only after they are
		// written.
		return r.putEvolving(e, n, at)
	case opAccessor:
		return r.accessor.put(r.program, e, n, at)
	}
	panic("wire: putRef does not support this instruction")
}

// readPlain decodes slices of numbers and strings, and rare instructions that have no program. On
// error it returns the position of the fault.
func (p *Program) readPlain(d *Decoder, i *instr, pos int, at mem.Pointer) (int, error) {
	in := d.in
	// Slices of numbers and strings have loops, so a call costs little and they need no case in
	// read.
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
		// The elements are decoded as unsigned numbers of the same size.
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
	panic("wire: readPlain does not support this instruction")
}

// readRef decodes the instructions whose arg is an index into refs. The caller has subtracted a
// level from d.depth.
func (p *Program) readRef(d *Decoder, i *instr, pos int, at mem.Pointer) (int, *DecodeError) {
	r := &p.refs[i.arg]
	t := r.spec.Type
	switch i.op {
	// The encoding of an array has no length prefix, and its elements are decoded in place.
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
		// The target is decoded in place. Other pointers to an existing target see the new
		// value.
		return r.program.read(d, pos+1, to)
	case opSlice, opList:
		return r.readSlice(d, i, pos, at)
	case opMap, opCast:
		// readMap uses the cast if r has one.
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
		// A removed field has no memory. Its value is skipped by its spec.
		return r.readRemoved(d, pos)
	}
	panic("wire: readRef does not support this instruction")
}

// walkRef passes the parts of a value to w, for instructions without a case in walk.
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
		// A BinaryWriter does not get the length of an array, which its type shows.
		first, count := at, r.count
		if in.op == opSlice {
			first, count = at.Slice(0)
			w.WriteUint(uint64(count))
		}
		// Elements without parts are not written. The number of elements of a slice has been written.
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
		// The method must allocate its result, since w may keep it as a string.
		b, err := r.spec.Methods.Append(nil, at.Addr(0, r.spec.Type))
		if err != nil {
			return r.fail(err)
		}
		w.WriteString(string(b))
		return nil
	case opVariant:
		// A variant is walked as it is encoded: the index of the case, and the value.
		is := &r.cases[r.union.Held(at, 0)]
		w.WriteUint8(uint8(is.ID))
		if is.program == nil {
			return nil
		}
		return is.program.walk(w, at.Add(is.Off), depth)
	case opEvolving:
		return r.program.walk(w, at, depth)
	}
	panic("wire: walkRef does not support this instruction")
}

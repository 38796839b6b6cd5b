package program

import (
	"math"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// A BinaryWriter receives the parts of a value: see wire.BinaryWriter.
type BinaryWriter interface {
	WriteBool(bool)
	WriteInt8(int8)
	WriteUint8(uint8)
	WriteInt(int64)   // a signed integer of more than 8 bits
	WriteUint(uint64) // an unsigned integer of more than 8 bits, or the length of a slice or a map
	WriteFloat32(float32)
	WriteFloat64(float64)
	WriteString(string)
}

// Walk passes the parts of the value at a to w. The error is nil or an *EncodeError; w may have
// received parts before the error.
func (p *Program) Walk(w BinaryWriter, a mem.Pointer) error {
	// A nil *EncodeError must not become an error that is not nil.
	if err := p.walk(w, a, budget.DefaultDepth); err != nil {
		return err
	}
	return nil
}

// walk passes the parts of the value at a to w. The program is compiled with Mode.Unfused, so
// each instruction is for one value.
func (p *Program) walk(w BinaryWriter, a mem.Pointer, depth int) *EncodeError {
	if depth == 0 {
		return &EncodeError{Type: p.Type, Err: fault.ErrDepth}
	}
	code := p.code
	for pc := 0; pc < len(code); pc++ {
		in := &code[pc]
		at := a.Add(uintptr(in.off))
		switch in.op {
		case opBool:
			w.WriteBool(mem.Load[bool](at, 0))
		// arg has the kind of the number.
		case opByte:
			if in.arg == numberSigned {
				w.WriteInt8(int8(mem.Bits8(at)))
			} else {
				w.WriteUint8(mem.Bits8(at))
			}
		case opInt16:
			// Integers of more than 8 bits are passed to WriteInt or WriteUint as 64 bits. So an int32
			// and an int64 with the same value give the same parts.
			w.WriteInt(int64(mem.Load[int16](at, 0)))
		case opInt32:
			w.WriteInt(int64(mem.Load[int32](at, 0)))
		case opInt64:
			w.WriteInt(mem.Load[int64](at, 0))
		case opUint16:
			w.WriteUint(uint64(mem.Load[uint16](at, 0)))
		case opUint32:
			w.WriteUint(uint64(mem.Load[uint32](at, 0)))
		case opUint64:
			w.WriteUint(mem.Load[uint64](at, 0))
		case opFix16:
			walkFixed(w, in.arg, uint64(mem.Bits16(at)), 16)
		case opFix32, opWide:
			walkFixed(w, in.arg, uint64(mem.Bits32(at)), 32)
		case opFix64:
			walkFixed(w, in.arg, mem.Bits64(at), 64)
		case opString:
			w.WriteString(mem.Load[string](at, 0))
		// A []byte has the same parts as any other slice: the length and the elements.
		case opBytes:
			b := at.Bytes(0)
			w.WriteUint(uint64(len(b)))
			for _, c := range b {
				w.WriteUint8(c)
			}
		case opInt32s:
			walkVarints(w, mem.SliceAt[int32](at, 0))
		case opInt64s:
			walkVarints(w, mem.SliceAt[int64](at, 0))
		case opUint32s:
			walkVarints(w, mem.SliceAt[uint32](at, 0))
		case opUint64s:
			walkVarints(w, mem.SliceAt[uint64](at, 0))
		case opStrings:
			s := mem.SliceAt[string](at, 0)
			w.WriteUint(uint64(len(s)))
			for _, v := range s {
				w.WriteString(v)
			}
		// An evolving struct in memory has all its fields, so walk ignores the marker.
		case opField:
		// The instructions of the value follow.
		case opOption:
			// A program that is compiled with Unfused has no fused options.
			there := mem.Load[bool](at, 0)
			w.WriteBool(there)
			if !there {
				pc += int(in.arg)
			}
		default:
			// Every other op has a ref, or is rare and ignores the depth.
			if err := p.walkRef(w, in, at, depth-1); err != nil {
				return err.within(p.kthPart(pc, 0).name)
			}
		}
	}
	return nil
}

// walkVarints passes the length of a slice and its integers to w.
func walkVarints[T integer](w BinaryWriter, s []T) {
	w.WriteUint(uint64(len(s)))
	for _, v := range s {
		// The condition is a constant for each T.
		if ^T(0) < 0 {
			w.WriteInt(int64(v))
		} else {
			w.WriteUint(uint64(v))
		}
	}
}

// walkFixed passes the number with the bits v to w. size is the number of bits.
func walkFixed(w BinaryWriter, kind uint32, v uint64, size int) {
	switch {
	case kind == numberSigned:
		// The two shifts extend the sign of a number of size bits.
		w.WriteInt(int64(v<<(64-size)) >> (64 - size))
	case kind == numberUnsigned:
		w.WriteUint(v)
	case size == 32:
		w.WriteFloat32(math.Float32frombits(uint32(v)))
	default:
		w.WriteFloat64(math.Float64frombits(v))
	}
}

// walkTime passes the parts of a time to w, in the order of the encoding.
func walkTime(w BinaryWriter, t *time.Time) {
	w.WriteInt(t.Unix())
	w.WriteUint(uint64(t.Nanosecond()))
	loc := t.Location()
	if loc == time.UTC {
		w.WriteUint8(scalar.ZoneUTC)
		return
	}
	_, offset := t.Zone()
	if loc == time.Local {
		w.WriteUint8(scalar.ZoneLocal)
		w.WriteInt(int64(offset))
		return
	}
	w.WriteUint8(scalar.ZoneNamed)
	w.WriteInt(int64(offset))
	w.WriteString(loc.String())
}

// walkMap passes the length of a map and its entries to w, in the random order of iteration.
// For a stable order the caller must use another type than a map.
func (r *ref) walkMap(w BinaryWriter, at mem.Pointer, depth int) *EncodeError {
	if depth == 0 {
		return r.fail(fault.ErrDepth)
	}
	// Maps without a cast are read with reflection.
	if r.cast != nil {
		r.cast.walk(w, r, at)
		return nil
	}
	m := at.Value(0, r.spec.Type)
	w.WriteUint(uint64(m.Len()))
	// An empty map needs no scratch memory.
	if m.Len() == 0 {
		return nil
	}
	s := r.scratch.Get().(*mapScratch)
	defer s.release(r.scratch, r.methods)
	s.iter.Reset(m)
	for s.iter.Next() {
		if r.methods {
			s.renew()
		}
		s.key.SetIterKey(&s.iter)
		s.elem.SetIterValue(&s.iter)
		if err := r.key.walk(w, mem.OfPointer(s.key.Addr()), depth); err != nil {
			return err.within("[key]")
		}
		if err := r.program.walk(w, mem.OfPointer(s.elem.Addr()), depth); err != nil {
			return err.within(keyPath(s.key))
		}
	}
	return nil
}

package program

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

var bytesType = reflect.TypeFor[[]byte]()

// An evolving struct is its length in bytes and its fields.

func (r *ref) putEvolving(e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	// The length is guessed to take one byte; a longer body is moved up.
	start := n + 1
	end, err := r.program.put(e, start, at)
	if err != nil {
		return n, err
	}
	size := end - start
	if size < 0x80 {
		mem.Put8(e.buf, n, byte(size))
		return end, nil
	}
	dst := e.room(end, 10)
	var head [16]byte
	w := putUvarint(head[:], 0, uint64(size))
	copy(dst[n+w:], dst[start:end])
	copy(dst[n:], head[:w])
	return n + w + size, nil
}

func (r *ref) readEvolving(d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	b, end, cause := block(d.in, pos, LenVarint)
	if cause != nil {
		return end, d.fail(end, r.spec.Type, cause)
	}
	in := d.in
	d.in = in[:end]
	next, err := r.program.read(d, end-len(b), at)
	d.in = in
	if r.canonical && (err == nil && next < end || err != nil && err.Err == ErrTruncated && next == end) {
		// The canonical form has the fields of this version, all of them.
		return next, d.fail(next, r.spec.Type, ErrCanonical)
	}
	return end, err
}

// The rest of an evolving struct is what lies behind the fields that the reader
// knows: fields that a newer version has added.

func putUnknown(e *encoder, n int, in *instr, at mem.Pointer) (int, *EncodeError) {
	b := at.Bytes(0)
	if in.arg == 1 && len(b) > 0 {
		return n, &EncodeError{Type: bytesType, Err: ErrCanonical}
	}
	buf := e.room(n, len(b)+slack)
	return n + copy(buf[n:], b), nil
}

// readUnknown takes all that is left of the struct; nothing for a canonical reader,
// which refuses what is left.
func readUnknown(d *decoder, pos int, i *instr, at mem.Pointer) int {
	if i.arg == 1 {
		at.SetBytes(0, nil)
		return pos
	}
	d.bytes(at, d.in[pos:], false)
	return len(d.in)
}

// zeroRest sets the fields from that of the instruction at pc on to zero: what
// the writer did not know of. It returns the position of the last instruction.
func (p *Program) zeroRest(pc int, a mem.Pointer) {
	for ; pc < len(p.code); pc++ {
		in := &p.code[pc]
		if in.op != opField {
			continue
		}
		if s := p.refs[in.arg].spec; s.Form == FormStruct {
			s.zero(a.Add(uintptr(in.off)))
		} else if s.Size > 0 {
			a.Add(uintptr(in.off)).Value(0, s.Type).SetZero()
		}
	}
}

// zero sets what of a struct is on the wire to zero, and leaves the rest.
func (s *Spec) zero(a mem.Pointer) {
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Spec.Form == FormStruct {
			f.Spec.zero(a.Add(f.Off))
		} else if f.Spec.Size > 0 {
			a.Add(f.Off).Value(0, f.Spec.Type).SetZero()
		}
	}
}

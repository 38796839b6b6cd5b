package program

import (
	"bytes"
	"reflect"
	"runtime"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/measure"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// bytesType is the type in errors about unknown fields.
var bytesType = reflect.TypeFor[[]byte]()

// putEvolving writes the length in bytes of an evolving struct, and its fields.
func (r *ref) putEvolving(e *Encoder, n int, at mem.Pointer) (int, *EncodeError) {
	// One byte is left for the length. If the fields have 128 bytes or more, they are moved
	// afterwards.
	start := n + 1
	// Only the byte of the length is reserved. The opField before each field reserves the space for
	// the field.
	end, err := r.program.put(e, start, at)
	if err != nil {
		return n, err
	}
	size := end - start
	if size < 0x80 {
		mem.Put8(e.buf, n, byte(size))
		return end, nil
	}
	// Move the fields to make space for the longer length.
	dst := e.Room(end, 10)
	var head [16]byte
	w := scalar.PutUvarint(head[:], 0, uint64(size))
	copy(dst[n+w:], dst[start:end])
	copy(dst[n:], head[:w])
	return n + w + size, nil
}

// readEvolving reads an evolving struct. It cuts the input to the length of the struct, so that no
// field reads past the end. It skips the bytes after the last known field, unless the struct has a
// wire.Unknown, which keeps them. A canonical decoder refuses such bytes.
func (r *ref) readEvolving(d *Decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	b, end, cause := scalar.Block(d.in, pos, scalar.LenVarint)
	if cause != nil {
		return end, d.fail(end, r.spec.Type, cause)
	}
	in := d.in
	// The offsets of faults still count from the start of the input.
	d.in = in[:end]
	next, err := r.program.read(d, end-len(b), at)
	d.in = in
	if r.canonical && (err == nil && next < end || err != nil && err.Err == fault.ErrTruncated && next == end) {
		// The canonical form has exactly the fields of this version.
		return next, d.fail(next, r.spec.Type, fault.ErrCanonical)
	}
	// The bytes between the positions next and end are fields of a newer version.
	return end, err
}

// putUnknown writes the bytes of fields that a newer version has added, after the fields that
// this version knows.
func putUnknown(e *Encoder, n int, in *instr, at mem.Pointer) (int, *EncodeError) {
	b := at.Bytes(0)
	// A canonical encoder cannot know whether unknown fields are in canonical form.
	if in.arg == 1 && len(b) > 0 {
		return n, &EncodeError{Type: bytesType, Err: fault.ErrCanonical}
	}
	buf := e.Room(n, len(b)+scalar.Slack)
	return n + copy(buf[n:], b), nil
}

// readUnknown reads the last bytes of the struct, which this version does not know. A canonical
// decoder reads nothing, and readEvolving then refuses these bytes.
func readUnknown(d *Decoder, pos int, i *instr, at mem.Pointer) int {
	if i.arg == 1 {
		at.SetBytes(0, nil)
		return pos
	}
	d.bytes(at, d.in[pos:], false)
	return len(d.in)
}

// zeroRest sets the fields from the instruction at pc on to zero, since an older version has
// not written them.
func (p *Program) zeroRest(pc int, a mem.Pointer) {
	for ; pc < len(p.code); pc++ {
		in := &p.code[pc]
		if in.op != opField {
			continue
		}
		zeroField(p.refs[in.arg].spec, a.Add(uintptr(in.off)))
	}
}

// putRemoved writes the zero value of a removed field, which older versions read.
func (r *ref) putRemoved(e *Encoder, n int) int {
	zero := r.spec.Zero
	buf := e.Room(n, len(zero)+scalar.Slack)
	return n + copy(buf[n:], zero)
}

// readRemoved skips the value of a removed field that an older version has written. It
// allocates no memory and calls no methods. It examines the value only as far as necessary to
// find its end.
func (r *ref) readRemoved(d *Decoder, pos int) (int, *DecodeError) {
	zero := r.spec.Zero
	if bytes.HasPrefix(d.in[pos:], zero) {
		return pos + len(zero), nil // a match is the whole value: no encoding is a prefix of another one
	}
	window := measure.Over(d.in[pos:])
	// The caller has subtracted a level for this instruction, but the value may use it.
	m := measure.Measure{Window: mem.NoEscape(&window), Depth: d.depth + 1}
	ok := mem.NoEscape(&m).Value(r.spec.Elem)
	runtime.KeepAlive(&window) // see mem.NoEscape
	switch {
	case ok && r.canonical:
		return pos, d.fail(pos, r.spec.Elem.Type, fault.ErrCanonical)
	case ok:
		return pos + m.Pos, nil
	case m.Cause == fault.ErrLimit: // the end of the window is the end of the input
		return len(d.in), d.fail(len(d.in), r.spec.Elem.Type, fault.ErrTruncated)
	}
	return pos + m.Pos, d.fail(pos+m.Pos, r.spec.Elem.Type, m.Cause)
}

// zeroFields sets the encoded fields of a struct to zero. It does not change the other fields.
func zeroFields(s *spec.Spec, a mem.Pointer) {
	for i := range s.Fields {
		f := &s.Fields[i]
		zeroField(f.Spec, a.Add(f.Off))
	}
}

// zeroField sets a field to zero. The fields of a nested struct that are not encoded keep their values.
func zeroField(s *spec.Spec, a mem.Pointer) {
	if s.Form == spec.FormStruct {
		zeroFields(s, a)
	} else if s.Size > 0 {
		a.Value(0, s.Type).SetZero()
	}
}

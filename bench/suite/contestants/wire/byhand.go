package wire

import (
	"encoding/binary"
	"math"
	"time"
	"unsafe"

	"github.com/hone-go/hone/wire"
)

// These functions are hand-written codecs for the structs, in the format that wire derives. They append to a slice,
// and use only the standard library.

func appendFlagged(dst []byte, p *int) []byte {
	if p == nil {
		return append(dst, 0)
	}
	return binary.AppendVarint(append(dst, 1), int64(*p))
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func appendInts(dst []byte, l []int) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(l)))
	for _, v := range l {
		dst = binary.AppendVarint(dst, int64(v))
	}
	return dst
}

func appendSimple(dst []byte, v *Simple) []byte {
	dst = binary.AppendVarint(dst, int64(v.I))
	dst = binary.AppendUvarint(dst, uint64(v.U))
	dst = appendFlagged(appendInts(appendText(dst, v.S), v.L), v.P)
	dst = binary.AppendUvarint(dst, uint64(len(v.M)))
	for k, e := range v.M {
		dst = binary.AppendVarint(binary.AppendVarint(dst, int64(k)), int64(e))
	}
	return dst
}

func appendNested(dst []byte, v *Nested) []byte {
	dst = binary.AppendVarint(dst, int64(v.I))
	dst = binary.AppendUvarint(dst, uint64(v.U))
	dst = appendFlagged(appendInts(appendText(dst, v.S), v.L), v.P)
	for _, a := range v.N.A {
		dst = binary.AppendVarint(dst, int64(a))
	}
	return append(dst, v.N.B)
}

func appendRecord(dst []byte, v *Record) []byte {
	dst = appendText(dst, v.Name)
	dst = binary.AppendVarint(dst, v.BirthDay.Unix())
	dst = append(binary.AppendUvarint(dst, uint64(v.BirthDay.Nanosecond())), 0)
	dst = binary.AppendVarint(appendText(dst, v.Phone), int64(v.Siblings))
	spouse := byte(0)
	if v.Spouse {
		spouse = 1
	}
	return binary.LittleEndian.AppendUint64(append(dst, spouse), math.Float64bits(v.Money))
}

// appendNewRecord allocates memory for the whole record at once.
func appendNewRecord(_ []byte, v *Record) []byte {
	return appendRecord(make([]byte, 0, len(v.Name)+len(v.Phone)+40), v)
}

// A cursor reads the output of the hand-written encoders. It detects truncated input only by the
// bounds checks of slices, as hand-written code commonly does.
type cursor struct {
	in  []byte
	pos int
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.in[c.pos:])
	c.pos += n
	return v
}

func (c *cursor) varint() int64 {
	v, n := binary.Varint(c.in[c.pos:])
	c.pos += n
	return v
}

func (c *cursor) byte() byte {
	c.pos++
	return c.in[c.pos-1]
}

func (c *cursor) text() string {
	n := int(c.uvarint())
	s := string(c.in[c.pos : c.pos+n])
	c.pos += n
	return s
}

func (c *cursor) ints(l []int) []int {
	n := int(c.uvarint())
	if cap(l) < n {
		l = make([]int, n)
	}
	l = l[:n]
	for i := range l {
		l[i] = int(c.varint())
	}
	return l
}

func (c *cursor) pointer(p *int) *int {
	if c.byte() == 0 {
		return nil
	}
	if p == nil {
		p = new(int)
	}
	*p = int(c.varint())
	return p
}

func readSimple(in []byte, v *Simple) {
	c := cursor{in: in}
	v.I, v.U, v.S = int(c.varint()), uint(c.uvarint()), c.text()
	v.L, v.P = c.ints(v.L), c.pointer(v.P)
	n := int(c.uvarint())
	if v.M == nil {
		v.M = make(map[int]int, n)
	} else {
		clear(v.M)
	}
	for range n {
		k := int(c.varint())
		v.M[k] = int(c.varint())
	}
}

func readNested(in []byte, v *Nested) {
	c := cursor{in: in}
	v.I, v.U, v.S = int(c.varint()), uint(c.uvarint()), c.text()
	v.L, v.P = c.ints(v.L), c.pointer(v.P)
	for i := range v.N.A {
		v.N.A[i] = int(c.varint())
	}
	v.N.B = c.byte()
}

func readRecord(in []byte, v *Record) {
	c := cursor{in: in}
	v.Name = c.text()
	sec := c.varint()
	v.BirthDay = time.Unix(sec, int64(c.uvarint())).UTC()
	c.byte()
	v.Phone, v.Siblings, v.Spouse = c.text(), int(c.varint()), c.byte() == 1
	v.Money = math.Float64frombits(binary.LittleEndian.Uint64(c.in[c.pos:]))
}

// alias returns text that points into the input.
func (c *cursor) alias() string {
	n := int(c.uvarint())
	s := c.in[c.pos : c.pos+n]
	c.pos += n
	return unsafe.String(unsafe.SliceData(s), n)
}

func readRecordAliased(in []byte, v *Record) {
	c := cursor{in: in}
	v.Name = c.alias()
	sec := c.varint()
	v.BirthDay = time.Unix(sec, int64(c.uvarint())).UTC()
	c.byte()
	v.Phone, v.Siblings, v.Spouse = c.alias(), int(c.varint()), c.byte() == 1
	v.Money = math.Float64frombits(binary.LittleEndian.Uint64(c.in[c.pos:]))
}

// These functions pass the parts of a value to a BinaryWriter.

func writeHead(w wire.BinaryWriter, i int, u uint, s string, l []int, p *int) {
	w.WriteInt(int64(i))
	w.WriteUint(uint64(u))
	w.WriteString(s)
	w.WriteUint(uint64(len(l)))
	for _, v := range l {
		w.WriteInt(int64(v))
	}
	w.WriteBool(p != nil)
	if p != nil {
		w.WriteInt(int64(*p))
	}
}

func writeSimple(w wire.BinaryWriter, v *Simple) {
	writeHead(w, v.I, v.U, v.S, v.L, v.P)
	w.WriteUint(uint64(len(v.M)))
	for k, e := range v.M {
		w.WriteInt(int64(k))
		w.WriteInt(int64(e))
	}
}

func writeNested(w wire.BinaryWriter, v *Nested) {
	writeHead(w, v.I, v.U, v.S, v.L, v.P)
	for _, a := range v.N.A {
		w.WriteInt(int64(a))
	}
	w.WriteUint8(v.N.B)
}

// nullWriter's methods are called, but do nothing.
type nullWriter struct{}

//go:noinline
func (*nullWriter) WriteBool(bool) {}

//go:noinline
func (*nullWriter) WriteInt8(int8) {}

//go:noinline
func (*nullWriter) WriteUint8(uint8) {}

//go:noinline
func (*nullWriter) WriteInt(int64) {}

//go:noinline
func (*nullWriter) WriteUint(uint64) {}

//go:noinline
func (*nullWriter) WriteFloat32(float32) {}

//go:noinline
func (*nullWriter) WriteFloat64(float64) {}

//go:noinline
func (*nullWriter) WriteString(string) {}

// recordingWriter keeps its arguments.
type recordingWriter struct{ calls []any }

func (r *recordingWriter) WriteBool(v bool)       { r.calls = append(r.calls, v) }
func (r *recordingWriter) WriteInt8(v int8)       { r.calls = append(r.calls, v) }
func (r *recordingWriter) WriteUint8(v uint8)     { r.calls = append(r.calls, v) }
func (r *recordingWriter) WriteInt(v int64)       { r.calls = append(r.calls, v) }
func (r *recordingWriter) WriteUint(v uint64)     { r.calls = append(r.calls, v) }
func (r *recordingWriter) WriteFloat32(v float32) { r.calls = append(r.calls, v) }
func (r *recordingWriter) WriteFloat64(v float64) { r.calls = append(r.calls, v) }
func (r *recordingWriter) WriteString(v string)   { r.calls = append(r.calls, v) }

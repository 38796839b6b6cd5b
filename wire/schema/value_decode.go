package schema

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// Decode returns the value of the encoding data, in the Go types that are listed at [Struct].
// The value does not point into data. The schema must have passed [Schema.Check].
//
// Decode refuses duplicate map keys and, in canonical mode, every encoding that is not
// canonical. It cannot check whether the methods of a Go type accept their bytes, and it does
// not check whether a zone is in the time zone database.
//
// The error is a [*DecodeError]. The memory of the value is at most about 1 MiB plus 1 KiB for
// each byte of data. A value that needs more, such as an array of many structs without fields, is
// refused with wire.ErrLimit before memory is allocated for it. Values nest at most 1,000 levels.
func (s *Schema) Decode(data []byte) (v any, err error) {
	d := newDecoder(s, data)
	err = d.run(func() { v = d.whole() })
	return v, err
}

// A decoder reads values by a schema. At a fault its methods panic with a *DecodeError, which run
// returns.
type decoder struct {
	walk
	in     []byte
	pos    int
	memory int64 // number of bytes that may still be used
}

// newDecoder returns a decoder of data. Its memory limit follows from the length of data.
func newDecoder(s *Schema, data []byte) *decoder {
	return &decoder{walk: newWalk(s), in: data, memory: baseMemory + memoryPerByte*int64(len(data))}
}

// run calls read. If read panics with a *DecodeError, run returns this error.
func (d *decoder) run(read func()) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			e, ok := fault.(*DecodeError)
			if !ok {
				panic(fault)
			}
			err = e
		}
	}()
	read()
	return nil
}

// fail panics with a DecodeError at the current path.
func (d *decoder) fail(pos int, cause error) {
	panic(&DecodeError{Offset: pos, Path: d.pathText(), Err: cause})
}

// whole reads a value of the schema. The value must be the whole input.
func (d *decoder) whole() any { return d.wholeOf(d.schema.Type) }

// wholeOf reads a value of t, which must be the whole input.
func (d *decoder) wholeOf(t *Type) any {
	v := d.value(t)
	if d.pos < len(d.in) {
		d.fail(d.pos, fault.ErrTrailing)
	}
	return v
}

// bytes returns the next n bytes of the input.
func (d *decoder) bytes(n int) []byte {
	if n > len(d.in)-d.pos {
		d.fail(len(d.in), fault.ErrTruncated)
	}
	d.pos += n
	return d.in[d.pos-n : d.pos]
}

func (d *decoder) uvarint() uint64 {
	v, next := scalar.Uvarint(d.in, d.pos)
	if next == 0 {
		d.fail(scalar.UvarintFault(d.in, d.pos))
	}
	d.pos = next
	return v
}

// length reads a length n. It checks that n parts of at least the given number of bytes each fit
// into the rest of the input.
func (d *decoder) length(form scalar.Len, least int) int {
	n, next, cause := scalar.Count(d.in, d.pos, form, least)
	if cause != nil {
		d.fail(next, cause)
	}
	d.pos = next
	return n
}

// block reads a length n and returns the next n bytes of the input, without copying them.
func (d *decoder) block(form scalar.Len) []byte {
	b := d.bytes(d.length(form, 1))
	d.take(len(b), 1)
	return b
}

// fixed reads a number of width bytes.
func (d *decoder) fixed(width int, big bool) (v uint64) {
	for i, c := range d.bytes(width) {
		if big {
			v = v<<8 | uint64(c)
		} else {
			v |= uint64(c) << (8 * i)
		}
	}
	return v
}

func (d *decoder) flag() bool {
	b := d.bytes(1)[0]
	if b > 1 {
		d.fail(d.pos-1, fault.ErrFlag)
	}
	return b == 1
}

// lengthOf returns the encoding of the length of a t. It is a uvarint for a kind without Length.
func lengthOf(t *Type) scalar.Len {
	l, _ := scalar.ParseLen(t.Length)
	return l
}

// value reads a value of t with the functions of its kind.
func (d *decoder) value(t *Type) any {
	t, row, cause := d.enter(t)
	if cause != nil {
		d.fail(d.pos, cause)
	}
	d.take(1, valueMemory)
	v := row.decode(d, t)
	d.leave(t, row)
	return v
}

func (d *decoder) optional(t *Type) any {
	if !d.flag() {
		return nil
	}
	return Some{d.value(t.Elem)}
}

// slice reads a length and elements. Unless the elements are empty, the rest of the input bounds
// the length.
func (d *decoder) slice(t *Type) any {
	least := 1
	if d.void(t.Elem) {
		least = 0
	}
	return d.elements(t, d.length(lengthOf(t), least))
}

// array reads the elements of an array. It first checks that the rest of the input can hold all of
// them, before it allocates memory.
func (d *decoder) array(t *Type) any {
	if !d.void(t.Elem) && t.Count > len(d.in)-d.pos {
		d.fail(len(d.in), fault.ErrTruncated)
	}
	return d.elements(t, t.Count)
}

func zeros(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// integer returns the bits of an integer. A signed integer is sign-extended to 64 bits.
func (d *decoder) integer(t *Type) uint64 {
	from, unused, signed := d.pos, 64-t.Bits, t.Kind == "int"
	if t.Coding != "varint" {
		v := d.fixed(t.Bits/8, t.Coding == "big")
		if signed {
			return uint64(int64(v<<unused) >> unused)
		}
		return v
	}
	v := d.uvarint()
	if signed {
		i := scalar.Unzigzag(v)
		if i != i<<unused>>unused {
			d.fail(from, fault.ErrOverflow)
		}
		return uint64(i)
	}
	if bits.Len64(v) > t.Bits {
		d.fail(from, fault.ErrOverflow)
	}
	return v
}

// The bits of the only NaN in canonical form.
const (
	nan32 = 0x7fc00000
	nan64 = 0x7ff8000000000000
)

func (d *decoder) float(t *Type) any {
	if t.Bits == 32 {
		return d.float32(t)
	}
	return d.float64(t)
}

func (d *decoder) complex(t *Type) any {
	if t.Bits == 32 {
		re := d.float32(t)
		return complex(re, d.float32(t))
	}
	re := d.float64(t)
	return complex(re, d.float64(t))
}

func (d *decoder) float32(t *Type) float32 {
	from := d.pos
	f := math.Float32frombits(uint32(d.fixed(4, t.Coding == "big")))
	if d.canonical() && math.Float32bits(canonical32(f)) != math.Float32bits(f) {
		d.fail(from, fault.ErrCanonical)
	}
	return f
}

func (d *decoder) float64(t *Type) float64 {
	from := d.pos
	f := math.Float64frombits(d.fixed(8, t.Coding == "big"))
	if d.canonical() && math.Float64bits(canonical64(f)) != math.Float64bits(f) {
		d.fail(from, fault.ErrCanonical)
	}
	return f
}

// canonical32 returns f, or the canonical zero or NaN.
func canonical32(f float32) float32 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return math.Float32frombits(nan32)
	}
	return f
}

func canonical64(f float64) float64 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return math.Float64frombits(nan64)
	}
	return f
}

// elements reads n elements.
func (d *decoder) elements(t *Type, n int) []any {
	// Each element uses at least valueMemory bytes, so a hostile number of elements allocates
	// nothing.
	if int64(n) > d.memory/valueMemory {
		d.fail(d.pos, fault.ErrLimit)
	}
	out := make([]any, n)
	for i := range out {
		d.push("", i)
		out[i] = d.value(t.Elem)
		d.pop()
	}
	return out
}

// entries reads a map and refuses duplicate keys. Each byte of a key counts as two more bytes
// of memory, for the set of keys that finds duplicates.
func (d *decoder) entries(t *Type) any {
	least := 0
	if !d.void(t.Key) {
		least++
	}
	if !d.void(t.Elem) {
		least++
	}
	n := d.length(lengthOf(t), least)
	d.take(n, entryMemory)
	out := make(Map, n)
	keys := newKeys(&d.walk)
	var last []byte
	for i := range out {
		from := d.pos
		d.push("[key]", 0)
		out[i].Key = d.value(t.Key)
		key := d.in[from:d.pos]
		d.take(len(key), 2)
		if d.canonical() && i > 0 && string(last) >= string(key) {
			d.fail(from, fault.ErrUnsorted)
		}
		last = key
		if cause := keys.add(t.Key, out[i].Key); cause != nil {
			d.fail(from, cause)
		}
		d.pop()
		d.push(keyStep(out[i].Key), 0)
		out[i].Value = d.value(t.Elem)
		d.pop()
	}
	return out
}

// keyStep returns the step of a path for a map key.
func keyStep(key any) string {
	switch key := key.(type) {
	case string:
		return path.Name(key)
	case int64, uint64, bool:
		return fmt.Sprintf("[%v]", key)
	}
	return "[…]"
}

// fields reads a struct. For an evolving struct it cuts the input to the length of the struct,
// so that no field reads past the end.
func (d *decoder) fields(t *Type) any {
	whole, end := d.in, -1
	if t.Evolving {
		end = d.length(scalar.LenVarint, 1)
		end += d.pos
		d.in = d.in[:end]
	}
	names := d.namesOf(t)
	var out Struct
	for _, i := range names.solid {
		if d.pos == end && (!d.canonical() || !d.void(t.Fields[i].Type)) {
			if d.canonical() {
				d.fail(d.pos, fault.ErrCanonical)
			}
			break // an older version has written fewer fields
		}
		d.take(1, entryMemory+len(names.of[i]))
		d.push(path.Name(names.of[i]), 0)
		if t.Fields[i].Removed != "" {
			d.removed(&t.Fields[i])
			d.pop()
			continue
		}
		v := d.value(t.Fields[i].Type)
		d.pop()
		if v == nil && !t.Evolving && d.isSkip(&t.Fields[i]) {
			continue // a skip of zeros has no member
		}
		out = append(out, Member{names.of[i], v})
	}
	if t.Evolving {
		if rest := d.in[d.pos:]; len(rest) > 0 {
			if d.canonical() {
				d.fail(d.pos, fault.ErrCanonical)
			}
			d.take(1, entryMemory+len(rest))
			out = append(out, Member{names.unknown, append([]byte{}, rest...)})
		}
		d.in, d.pos = whole, end
	}
	return out
}

// caseOf reads the id of a union and returns its case. If ids are uvarints, the id 0 represents nil, and ok
// is false.
func (d *decoder) caseOf(t *Type) (c *Case, ok bool) {
	from := d.pos
	var id uint64
	cause := fault.ErrTag
	if t.Tag == "byte" {
		id = d.fixed(1, false)
	} else if id = d.uvarint(); id == 0 {
		return nil, false
	} else {
		cause = fault.ErrUnregistered
	}
	i, ok := d.namesOf(t).byID[uint32(id)]
	if !ok || id > math.MaxUint32 {
		d.fail(from, fmt.Errorf("%w: %d", cause, id))
	}
	return &t.Cases[i], true
}

// union reads an id and the value of its case.
func (d *decoder) union(t *Type) any {
	c, ok := d.caseOf(t)
	if !ok {
		return nil
	}
	names := d.namesOf(t)
	name := names.of[names.byID[c.ID]]
	u := Union{ID: c.ID}
	d.take(1, entryMemory+len(name))
	if c.Type != nil {
		d.push(".("+name+")", 0)
		u.Value = d.value(c.Type)
		d.pop()
	}
	return u
}

// raw reads the length of a value and the value. The length 0 means no value.
func (d *decoder) raw(t *Type) any {
	n := d.length(lengthOf(t), 1)
	if n == 0 {
		return nil
	}
	whole := d.in
	d.in = d.in[:d.pos+n]
	d.raws++
	v := d.wholeOf(t.Elem)
	d.raws--
	d.in = whole
	return Some{v}
}

// time reads a derived time.
func (d *decoder) time(*Type) any {
	from := d.pos
	t := Time{Seconds: scalar.Unzigzag(d.uvarint())}
	at := d.pos
	nanos := d.uvarint()
	if nanos >= 1e9 {
		d.fail(at, fault.ErrTime)
	}
	t.Nanoseconds = uint32(nanos)
	at = d.pos
	kind := d.bytes(1)[0]
	if kind > byte(ZoneLocal) {
		d.fail(at, fault.ErrTime)
	}
	if t.Zone = Zone(kind); t.Zone == ZoneUTC {
		return t
	}
	if d.canonical() {
		d.fail(from, fault.ErrCanonical)
	}
	offset := scalar.Unzigzag(d.uvarint())
	if offset != int64(int32(offset)) {
		d.fail(at, fault.ErrTime)
	}
	t.Offset = int32(offset)
	if t.Zone == ZoneNamed {
		t.Name = string(d.block(scalar.LenVarint))
	}
	return t
}

// layoutTime reads a time of a declared layout.
func (d *decoder) layoutTime(t *Type) any {
	v := timeOf(scalar.OfUnixNano(int64(d.fixed(8, false))))
	if t.Kind == "time location" && d.flag() {
		v.Zone, v.Name = ZoneNamed, string(d.block(scalar.LenU8))
	}
	return v
}

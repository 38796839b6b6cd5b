package schema

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/hone-go/hone/wire/internal/program"
)

// What a value that is read may take: see [Schema.Decode].
const (
	baseMemory    = 1 << 20
	memoryPerByte = 1 << 10
)

// What parts of a value are counted as, in bytes. They cover the memory of the value
// and the JSON that it makes.
const (
	valueMemory = 32
	entryMemory = 64
)

// Decode returns the value that data is the encoding of, in the Go types that are
// listed at [Struct]. Nothing of it points into data. The schema has passed
// [Schema.Check].
//
// A map key that comes twice is refused, and so in canonical mode is whatever is
// not canonical. What only the Go type can tell is not: whether a type's own
// methods take their bytes, and whether a zone is in the time zone database.
//
// The error is a [*DecodeError]. The memory of the value is at most about 1 MiB and
// 1 KiB for each byte of data; what needs more, such as an array of many structs
// without fields, is refused before it is made, with wire.ErrLimit. Values nest at
// most 1,000 levels.
func (s *Schema) Decode(data []byte) (v any, err error) {
	d := newDecoder(s, data)
	err = d.run(func() { v = d.whole() })
	return v, err
}

// A decoder reads values by a schema. Its methods panic with a *DecodeError at a
// fault, which run returns.
type decoder struct {
	walk
	in     []byte
	pos    int
	memory int64 // that may still be taken
}

func newDecoder(s *Schema, data []byte) *decoder {
	return &decoder{walk: newWalk(s), in: data, memory: baseMemory + memoryPerByte*int64(len(data))}
}

// run calls read and returns the *DecodeError that it panics with.
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

func (d *decoder) fail(pos int, cause error) {
	panic(&DecodeError{Offset: pos, Path: d.where(), Err: cause})
}

// whole reads a value that all of the input is.
func (d *decoder) whole() any { return d.wholeOf(d.schema.Type) }

// wholeOf reads a t that all of the input is.
func (d *decoder) wholeOf(t *Type) any {
	v := d.value(t)
	if d.pos < len(d.in) {
		d.fail(d.pos, program.ErrTrailing)
	}
	return v
}

// take spends memory for n parts of size bytes.
func (d *decoder) take(n, size int) {
	if int64(n) > d.memory/int64(size) {
		d.fail(d.pos, program.ErrLimit)
	}
	d.memory -= int64(n) * int64(size)
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.in)-d.pos {
		d.fail(len(d.in), program.ErrTruncated)
	}
	d.pos += n
	return d.in[d.pos-n : d.pos]
}

func (d *decoder) uvarint() uint64 {
	v, next := program.Uvarint(d.in, d.pos)
	if next == 0 {
		d.fail(program.UvarintFault(d.in, d.pos))
	}
	d.pos = next
	return v
}

// length reads a length and checks that so many parts of at least least bytes may
// follow.
func (d *decoder) length(form program.Len, least int) int {
	n, next, cause := program.Count(d.in, d.pos, form, least)
	if cause != nil {
		d.fail(next, cause)
	}
	d.pos = next
	return n
}

func (d *decoder) block(form program.Len) []byte {
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
		d.fail(d.pos-1, program.ErrFlag)
	}
	return b == 1
}

// lengthOf returns how the length of a t is written.
func lengthOf(t *Type) program.Len {
	l, _ := program.ParseLen(t.Length) // what has none in its schema has a uvarint
	return l
}

func (d *decoder) value(t *Type) any {
	t, cause := d.enter(t)
	if cause != nil {
		d.fail(d.pos, cause)
	}
	d.take(1, valueMemory)
	v := d.kind(t)
	d.leave(t)
	return v
}

func (d *decoder) kind(t *Type) any {
	switch t.Kind {
	case "bool":
		return d.flag()
	case "int":
		return int64(d.integer(t))
	case "uint":
		return d.integer(t)
	case "bigint":
		from := d.pos
		b := d.block(lengthOf(t))
		if cause := program.CheckBigInt(b); cause != nil {
			d.fail(from, cause)
		}
		return BigInt{Negative: b[0] == 1, Magnitude: append([]byte{}, b[1:]...)}
	case "float":
		if t.Bits == 32 {
			return d.float32(t)
		}
		return d.float64(t)
	case "complex":
		if t.Bits == 32 {
			re := d.float32(t)
			return complex(re, d.float32(t))
		}
		re := d.float64(t)
		return complex(re, d.float64(t))
	case "string", "text":
		return string(d.block(lengthOf(t)))
	case "bytes", "binary":
		return append([]byte{}, d.block(lengthOf(t))...)
	case "time":
		return d.time()
	case "time utc", "time location":
		return d.layoutTime(t)
	case "skip":
		b := d.bytes(t.Count)
		if zeros(b) {
			return nil
		}
		d.take(len(b), 1)
		return append([]byte{}, b...)
	case "optional":
		if !d.flag() {
			return nil
		}
		return Some{d.value(t.Elem)}
	case "raw":
		return d.raw(t)
	case "slice":
		if d.void(t.Elem) {
			return d.elements(t, d.length(lengthOf(t), 0))
		}
		return d.elements(t, d.length(lengthOf(t), 1))
	case "array":
		if !d.void(t.Elem) && t.Count > len(d.in)-d.pos {
			d.fail(len(d.in), program.ErrTruncated)
		}
		return d.elements(t, t.Count)
	case "map":
		return d.entries(t)
	case "struct":
		return d.fields(t)
	case "union":
		return d.union(t)
	}
	d.fail(d.pos, errNoType)
	return nil
}

func zeros(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// integer returns the bits of an integer, those of a signed one extended to 64.
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
		i := program.Unzigzag(v)
		if i != i<<unused>>unused {
			d.fail(from, program.ErrOverflow)
		}
		return uint64(i)
	}
	if bits.Len64(v) > t.Bits {
		d.fail(from, program.ErrOverflow)
	}
	return v
}

// The bits of the one NaN of the canonical form.
const (
	nan32 = 0x7fc00000
	nan64 = 0x7ff8000000000000
)

func (d *decoder) float32(t *Type) float32 {
	from := d.pos
	f := math.Float32frombits(uint32(d.fixed(4, t.Coding == "big")))
	if d.canonical() && math.Float32bits(canonical32(f)) != math.Float32bits(f) {
		d.fail(from, program.ErrCanonical)
	}
	return f
}

func (d *decoder) float64(t *Type) float64 {
	from := d.pos
	f := math.Float64frombits(d.fixed(8, t.Coding == "big"))
	if d.canonical() && math.Float64bits(canonical64(f)) != math.Float64bits(f) {
		d.fail(from, program.ErrCanonical)
	}
	return f
}

// canonical32 returns f, but one zero for both and one NaN for all.
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

func (d *decoder) elements(t *Type, n int) []any {
	// An element takes as much at least, so a hostile number of them takes no memory.
	if int64(n) > d.memory/valueMemory {
		d.fail(d.pos, program.ErrLimit)
	}
	out := make([]any, n)
	for i := range out {
		d.push("", i)
		out[i] = d.value(t.Elem)
		d.pop()
	}
	return out
}

func (d *decoder) entries(t *Type) Map {
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
			d.fail(from, program.ErrUnsorted)
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

// keyStep is how a map's key is named in a path.
func keyStep(key any) string {
	switch key := key.(type) {
	case string:
		return "[" + strconv.Quote(key[:min(len(key), 32)]) + "]"
	case int64, uint64, bool:
		return fmt.Sprintf("[%v]", key)
	}
	return "[…]"
}

func (d *decoder) fields(t *Type) Struct {
	whole, end := d.in, -1
	if t.Evolving {
		end = d.length(program.LenVarint, 1)
		end += d.pos
		d.in = d.in[:end]
	}
	names := d.namesOf(t)
	var out Struct
	for _, i := range names.solid {
		if d.pos == end && (!d.canonical() || !d.void(t.Fields[i].Type)) {
			if d.canonical() {
				d.fail(d.pos, program.ErrCanonical)
			}
			break // the writer knew no more
		}
		d.take(1, entryMemory+len(names.of[i]))
		d.push("."+names.of[i], 0)
		if t.Fields[i].Removed != "" {
			d.removed(&t.Fields[i])
			d.pop()
			continue
		}
		v := d.value(t.Fields[i].Type)
		d.pop()
		if v == nil && !t.Evolving && d.isSkip(&t.Fields[i]) {
			continue // zeros, which are written where no others are given
		}
		out = append(out, Member{names.of[i], v})
	}
	if t.Evolving {
		if rest := d.in[d.pos:]; len(rest) > 0 {
			if d.canonical() {
				d.fail(d.pos, program.ErrCanonical)
			}
			d.take(1, entryMemory+len(rest))
			out = append(out, Member{names.unknown, append([]byte{}, rest...)})
		}
		d.in, d.pos = whole, end
	}
	return out
}

// which reads the id of a union and returns its case; ok is false for the 0 of a
// uvarint.
func (d *decoder) which(t *Type) (c *Case, ok bool) {
	from := d.pos
	var id uint64
	cause := program.ErrTag
	if t.Tag == "byte" {
		id = d.fixed(1, false)
	} else if id = d.uvarint(); id == 0 {
		return nil, false
	} else {
		cause = program.ErrUnregistered
	}
	i, ok := d.namesOf(t).byID[uint32(id)]
	if !ok || id > math.MaxUint32 {
		d.fail(from, fmt.Errorf("%w: %d", cause, id))
	}
	return &t.Cases[i], true
}

func (d *decoder) union(t *Type) any {
	c, ok := d.which(t)
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

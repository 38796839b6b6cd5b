package schema

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// Encode appends the encoding of v to dst. v has one of the Go types that are listed at
// [Struct], such as a result of [Schema.Decode]. The schema must have passed [Schema.Check].
// Members of a [Struct] may be in any order. In canonical mode Encode makes the canonical form:
// maps are sorted, and times are converted to UTC.
//
// Encode is the inverse of Decode: it encodes the result of Decode as the bytes that were decoded.
// Only removed fields may differ: Encode writes the zero value of a removed field. If an evolving
// struct lacks fields at its end, Encode also leaves out the removed fields after its last member.
//
// The error is an [*EncodeError], and dst is returned unchanged. The skips of a schema may use at
// most 1 MiB plus 1 KiB for each written value that is not a skip. Encode keeps neither dst nor v.
func (s *Schema) Encode(dst []byte, v any) (out []byte, err error) {
	e := encoder{walk: newWalk(s), out: dst, skips: baseMemory}
	defer func() {
		if fault := recover(); fault != nil {
			failed, ok := fault.(*EncodeError)
			if !ok {
				panic(fault)
			}
			out, err = dst, failed
		}
	}()
	e.value(s.Type, v)
	return e.out, nil
}

// An encoder writes values by a schema. At a fault its methods panic with an *EncodeError.
type encoder struct {
	walk
	out   []byte
	skips int64 // number of bytes that skips may still use
}

// fail panics with an EncodeError at the current path.
func (e *encoder) fail(cause error) { panic(&EncodeError{Path: e.pathText(), Err: cause}) }

// mismatch fails because v is not of the Go type of t's kind.
func (e *encoder) mismatch(t *Type, v any) {
	e.fail(fmt.Errorf("%w: %T is not the Go type of a schema's %s", ErrValue, v, t.Kind))
}

// valueAs returns v as a V, which is the Go type of t's kind. If v is not a V, valueAs fails.
func valueAs[V any](e *encoder, t *Type, v any) V {
	out, ok := v.(V)
	if !ok {
		e.mismatch(t, v)
	}
	return out
}

// value writes v, a value of t, with the functions of t's kind.
func (e *encoder) value(t *Type, v any) {
	t, row, cause := e.enter(t)
	if cause != nil {
		e.fail(cause)
	}
	if t.Kind != "skip" {
		e.skips += memoryPerByte
	}
	row.encode(e, t, v)
	e.leave(t, row)
}

func (e *encoder) optional(t *Type, v any) {
	if v == nil {
		e.flag(false)
		return
	}
	some := valueAs[Some](e, t, v)
	e.flag(true)
	e.value(t.Elem, some.Value)
}

func (e *encoder) slice(t *Type, v any) {
	list := valueAs[[]any](e, t, v)
	e.length(t, len(list))
	e.elements(t, list)
}

func (e *encoder) array(t *Type, v any) {
	list := valueAs[[]any](e, t, v)
	if len(list) != t.Count {
		e.fail(fmt.Errorf("%w: %d, not %d", fault.ErrCount, len(list), t.Count))
	}
	e.elements(t, list)
}

func (e *encoder) elements(t *Type, list []any) {
	for i := range list {
		e.push("", i)
		e.value(t.Elem, list[i])
		e.pop()
	}
}

func (e *encoder) flag(set bool) {
	b := byte(0)
	if set {
		b = 1
	}
	e.out = append(e.out, b)
}

func (e *encoder) integer(t *Type, v uint64) {
	unused, signed := 64-t.Bits, t.Kind == "int"
	if signed && int64(v)<<unused>>unused != int64(v) || !signed && bits.Len64(v) > t.Bits {
		e.fail(fault.ErrOverflow)
	}
	switch {
	case t.Coding != "varint":
		e.fixed(v, t.Bits/8, t.Coding == "big")
	case signed:
		e.out = binary.AppendVarint(e.out, int64(v))
	default:
		e.out = binary.AppendUvarint(e.out, v)
	}
}

// fixed writes the low width bytes of v.
func (e *encoder) fixed(v uint64, width int, big bool) {
	for i := range width {
		if big {
			e.out = append(e.out, byte(v>>(8*(width-1-i))))
		} else {
			e.out = append(e.out, byte(v>>(8*i)))
		}
	}
}

func (e *encoder) float(t *Type, v any) {
	if t.Bits == 32 {
		e.float32(t, valueAs[float32](e, t, v))
		return
	}
	e.float64(t, valueAs[float64](e, t, v))
}

func (e *encoder) complex(t *Type, v any) {
	if t.Bits == 32 {
		c := valueAs[complex64](e, t, v)
		e.float32(t, real(c))
		e.float32(t, imag(c))
		return
	}
	c := valueAs[complex128](e, t, v)
	e.float64(t, real(c))
	e.float64(t, imag(c))
}

func (e *encoder) float32(t *Type, f float32) {
	if e.canonical() {
		f = canonical32(f)
	}
	e.fixed(uint64(math.Float32bits(f)), 4, t.Coding == "big")
}

func (e *encoder) float64(t *Type, f float64) {
	if e.canonical() {
		f = canonical64(f)
	}
	e.fixed(math.Float64bits(f), 8, t.Coding == "big")
}

// length writes the length n of a value of t.
func (e *encoder) length(t *Type, n int) {
	if t.Length == "" || t.Length == "uvarint" {
		e.out = binary.AppendUvarint(e.out, uint64(n))
		return
	}
	digits, order := strings.TrimRight(t.Length[1:], "lbe"), strings.TrimLeft(t.Length[1:], "0123456789")
	size, err := strconv.Atoi(digits)
	if err != nil {
		e.fail(errNoType)
	}
	held := size
	if t.Length[0] == 'i' {
		held-- // a negative length is malformed, so one bit less is available
	}
	if bits.Len64(uint64(n)) > held {
		e.fail(fmt.Errorf("%w: %d does not fit in %s", fault.ErrTooLong, n, t.Length))
	}
	e.fixed(uint64(n), size/8, order == "be")
}

func (e *encoder) block(t *Type, b []byte) {
	e.length(t, len(b))
	e.out = append(e.out, b...)
}

// time writes a derived time. In canonical mode the zone is dropped, which keeps the instant.
func (e *encoder) time(typ *Type, v any) {
	t := valueAs[Time](e, typ, v)
	if t.Nanoseconds >= 1e9 || t.Zone > ZoneLocal {
		e.fail(fault.ErrTime)
	}
	if e.canonical() {
		t.Zone = ZoneUTC
	}
	e.out = binary.AppendVarint(e.out, t.Seconds)
	e.out = binary.AppendUvarint(e.out, uint64(t.Nanoseconds))
	switch t.Zone {
	case ZoneUTC:
		e.out = append(e.out, 0)
	case ZoneNamed:
		e.out = binary.AppendVarint(append(e.out, 1), int64(t.Offset))
		e.out = append(binary.AppendUvarint(e.out, uint64(len(t.Name))), t.Name...)
	case ZoneLocal:
		e.out = binary.AppendVarint(append(e.out, 2), int64(t.Offset))
	}
}

// layoutTime writes a time of a declared layout: the nanoseconds since 1970. For the zero time the
// multiplication overflows to the number that represents it: see [scalar.OfUnixNano].
func (e *encoder) layoutTime(t *Type, value any) {
	v := valueAs[Time](e, t, value)
	nanos := v.Seconds*1e9 + int64(v.Nanoseconds)
	back := scalar.OfUnixNano(nanos)
	if v.Nanoseconds >= 1e9 || back.Unix() != v.Seconds || back.Nanosecond() != int(v.Nanoseconds) {
		e.fail(fault.ErrTime)
	}
	e.fixed(uint64(nanos), 8, false)
	switch {
	case v.Zone == ZoneLocal || v.Offset != 0 || v.Zone == ZoneNamed && t.Kind == "time utc" || len(v.Name) > math.MaxUint8:
		e.fail(fault.ErrTime)
	case t.Kind == "time utc":
	case v.Zone == ZoneUTC:
		e.flag(false)
	default:
		e.flag(true)
		e.out = append(append(e.out, byte(len(v.Name))), v.Name...)
	}
}

// raw writes the length of a value and the value, or the length 0 if there is no value.
func (e *encoder) raw(t *Type, v any) {
	start := len(e.out)
	if v != nil {
		e.raws++
		e.value(t.Elem, valueAs[Some](e, t, v).Value)
		e.raws--
	}
	held := slices.Clone(e.out[start:])
	e.out = e.out[:start]
	e.block(t, held)
}

// entries writes a map, and checks that no key is duplicate. In canonical mode it
// encodes all entries, and then sorts the encodings by the bytes of their keys.
func (e *encoder) entries(t *Type, v any) {
	m := valueAs[Map](e, t, v)
	e.length(t, len(m))
	keys := newKeys(&e.walk)
	type written struct{ key, entry []byte }
	var sorted []written
	start := len(e.out)
	for i := range m {
		from := len(e.out)
		e.push("[key]", 0)
		e.value(t.Key, m[i].Key)
		if cause := keys.add(t.Key, m[i].Key); cause != nil {
			e.fail(cause)
		}
		e.pop()
		middle := len(e.out)
		e.push(keyStep(m[i].Key), 0)
		e.value(t.Elem, m[i].Value)
		e.pop()
		if e.canonical() {
			sorted = append(sorted, written{slices.Clone(e.out[from:middle]), slices.Clone(e.out[middle:])})
		}
	}
	if !e.canonical() {
		return
	}
	slices.SortFunc(sorted, func(a, b written) int { return bytes.Compare(a.key, b.key) })
	e.out = e.out[:start]
	for i, one := range sorted {
		if i > 0 && bytes.Equal(one.key, sorted[i-1].key) {
			e.fail(fault.ErrDuplicate)
		}
		e.out = append(append(e.out, one.key...), one.entry...)
	}
}

// fields writes a struct, whose members may be in any order. An evolving struct ends at its last
// member, or at its last field if only removed fields follow that member. If it has unknown
// fields, or in canonical mode, it must have all fields.
func (e *encoder) fields(t *Type, v any) {
	s := valueAs[Struct](e, t, v)
	names, start := e.namesOf(t), len(e.out)
	var unknown []byte
	members := make([]given, 0, len(s))
	for _, m := range s {
		if i, ok := names.index[m.Name]; ok {
			members = append(members, given{field: i, value: m.Value})
			continue
		}
		if m.Name != names.unknown || !t.Evolving || unknown != nil || e.canonical() {
			e.fail(fmt.Errorf("%w: unknown or duplicate field %q", ErrValue, m.Name))
		}
		if unknown = valueAs[[]byte](e, t, m.Value); unknown == nil {
			unknown = []byte{}
		}
	}
	all := !t.Evolving || e.canonical() || len(unknown) > 0
	if twice, _, missing := e.arrange(t, members, all); twice >= 0 {
		e.fail(fmt.Errorf("%w: duplicate member %q", ErrValue, names.of[twice]))
	} else if missing >= 0 {
		e.fail(fmt.Errorf("%w: the field %q is missing", ErrValue, names.of[missing]))
	}
	end := len(t.Fields)
	if !all {
		end = e.end(t, members)
	}
	for _, i := range names.solid {
		if i >= end {
			break
		}
		var v any
		if len(members) > 0 && members[0].field == i {
			v, members = members[0].value, members[1:]
		}
		if zero := t.Fields[i].Removed; zero != "" {
			e.hex(zero)
			continue
		}
		e.push(path.Name(names.of[i]), 0)
		e.value(t.Fields[i].Type, v)
		e.pop()
	}
	if t.Evolving {
		e.out = append(e.out, unknown...)
		var head [binary.MaxVarintLen64]byte
		n := binary.PutUvarint(head[:], uint64(len(e.out)-start))
		e.out = slices.Insert(e.out, start, head[:n]...)
	}
}

// end returns the number of fields of an evolving struct to write. It leaves out the fields after
// the last member of the value, unless all of them are removed fields.
func (e *encoder) end(t *Type, members []given) int {
	end := 0
	if len(members) > 0 {
		end = members[len(members)-1].field + 1
	}
	for i := end; i < len(t.Fields); i++ {
		if t.Fields[i].Removed == "" {
			return end
		}
	}
	return len(t.Fields)
}

// hex writes the zero value of a removed field, which the schema contains in hexadecimal.
func (e *encoder) hex(zero string) {
	e.out, _ = hex.AppendDecode(e.out, []byte(zero))
}

// union writes an id and the value of its case.
func (e *encoder) union(t *Type, v any) {
	if v == nil && t.Tag == "uvarint" {
		e.out = append(e.out, 0)
		return
	}
	u := valueAs[Union](e, t, v)
	names := e.namesOf(t)
	i, ok := names.byID[u.ID]
	if !ok || t.Tag == "byte" && u.ID > math.MaxUint8 {
		e.fail(fmt.Errorf("%w: %d", fault.ErrTag, u.ID))
	}
	if t.Tag == "byte" {
		e.out = append(e.out, byte(u.ID))
	} else {
		e.out = binary.AppendUvarint(e.out, uint64(u.ID))
	}
	c := &t.Cases[i]
	if c.Type == nil {
		if u.Value != nil {
			e.fail(fmt.Errorf("%w: the case %q has no value", ErrValue, names.of[i]))
		}
		return
	}
	e.push(".("+names.of[i]+")", 0)
	e.value(c.Type, u.Value)
	e.pop()
}

// timeOf returns a time without its zone.
func timeOf(t time.Time) Time {
	return Time{Seconds: t.Unix(), Nanoseconds: uint32(t.Nanosecond())}
}

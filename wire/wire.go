// Package wire encodes Go values in a compact binary form.
//
// A type is compiled once into a program and reused; [Append] into a large
// enough buffer allocates nothing. There is nothing to declare and nothing to
// generate:
//
//	type Reading struct {
//		Host   string
//		Time   time.Time
//		CPU    []float64
//		Celsius mo.Option[float64]
//	}
//
//	buf, err = wire.Append(buf[:0], &reading)
//	err = wire.Unmarshal(buf, &reading)
//
// The format is in docs/wire-format.md: varints for integers, a length before
// what has one, the fields of a struct in order with nothing between them. Both
// sides must know the type; the bytes do not describe themselves.
//
// # What can be encoded
//
// Booleans, integers, floats, complex numbers, strings, slices, arrays,
// structs, pointers, maps, time.Time, the types of package mo, recursive types,
// and every type with a pair of methods from package encoding (BinaryMarshaler or
// BinaryAppender with BinaryUnmarshaler, else the Text pair). Fields that are
// not exported, or tagged `wire:"-"`, are left out; integers in a field tagged
// `wire:",fixed"` have their full width. An interface can be encoded if [Types]
// lists what it may hold. Channels, functions, uintptr and structs without any
// exported field are a [*TypeError] that names the path.
//
// An empty slice or map and a nil one are the same on the wire, and read back
// as nil. A value nested deeper than 1,000 levels, so every cyclic one, is
// refused.
//
// # Three ways in
//
// A derived codec needs nothing but the type: [Append] and [Unmarshal], or a
// [Codec] from [For] that is resolved once. [Options] ask for a canonical form, or
// for strings that point into the input. Types that are known only when the program
// runs are for [AppendAny] and [UnmarshalAny], with options for [ForAny], or for
// [ForType] if it is one type.
//
// Package [github.com/hone-go/hone/wire/layout] declares byte for byte what is
// written, for formats that somebody else has defined. Its layouts are Codecs too.
//
// [MakeSerializer] hands the parts of a value to a [BinaryWriter] of yours.
//
// [NewEncoder] and [NewDecoder] write and read streams of records.
//
// # Evolution
//
// The fields of a struct are positional and frozen, at no cost in bytes. A struct
// marked as [Evolving] carries its length, and may grow at its end. Fields are
// renamed, widened and [Removed], and those of newer versions kept in an [Unknown].
// A [Raw] is a value that is decoded later. [SchemaOf]
// describes what is written; package [github.com/hone-go/hone/wire/schema] says
// whether one version reads another's bytes, and reads them without the Go type.
// The command hone does so from outside. See docs/wire-schema.md.
//
// # Guarantees
//
//   - Malformed input yields a [*DecodeError]; it never panics. Its memory is
//     bounded by [Limits].
//   - Every value has one length: a proper prefix of an encoding is never valid,
//     nor is an encoding with bytes after it.
//   - Strings and byte slices are copied out of the input, unless [Options] ask
//     for aliases.
//   - Encoding into a buffer with room allocates nothing, maps included; the
//     exceptions are maps in canonical form, interfaces, and what methods of the
//     types themselves allocate.
//   - Bytes written by v1.x stay readable by every later v1.y.
package wire

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/program"
)

// Append appends v's encoding to dst and returns the extended slice.
// On error it returns dst unchanged: no partial record is visible.
//
// What lies between dst's length and its capacity may be overwritten. If the
// encoding fits, dst is not moved and nothing is allocated.
//
// The error is a [*TypeError] if T cannot be encoded, or an [*EncodeError] if
// this value cannot. Append retains neither dst nor v.
func Append[T any](dst []byte, v *T) ([]byte, error) {
	p := derived(reflect.TypeFor[T]())
	return p.Append(dst, v == nil, mem.Of(v), program.Limits{})
}

// Marshal returns v's encoding in a slice of its own. The errors are those of
// [Append].
func Marshal[T any](v *T) ([]byte, error) {
	p := derived(reflect.TypeFor[T]())
	return p.Marshal(v == nil, mem.Of(v), program.Limits{})
}

// Size returns the length of v's encoding. It takes as long as encoding v. The
// errors are those of [Append].
func Size[T any](v *T) (int, error) {
	p := derived(reflect.TypeFor[T]())
	return p.Size(v == nil, mem.Of(v), program.Limits{})
}

// Unmarshal decodes the whole of data, which is one encoding of a T, into *v.
//
// Memory that *v holds already (slices with room, maps, what pointers point
// to) is reused, as encoding/json does; fields that are not on the wire keep
// their values. Unmarshal does not retain data. Short strings that were decoded
// together may share an allocation of up to 512 bytes.
//
// The error is a [*TypeError] if T cannot be decoded, otherwise a
// [*DecodeError]. *v then holds what was read before the fault.
func Unmarshal[T any](data []byte, v *T) error {
	p := derived(reflect.TypeFor[T]())
	return p.Unmarshal(data, v == nil, mem.Of(v), program.Limits{}, false)
}

// Limits bound a value; the zero value is the default. They hold where it is encoded
// and where it is decoded: what a codec writes is read by one with the same limits.
//
// Depth is how deeply values may nest, 0 means 1,000. Bytes is the memory that slices,
// maps, strings, interfaces and pointers may take; 0 means 64 KiB and 256 bytes for each
// byte of the encoding. Few types have values that take more, such as a long slice of
// large options that are absent: then [Append] says ErrLimit already.
type Limits = program.Limits

// programs has the programs of types that were derived with the default Options.
var programs plan.Cache[program.Program]

// derived returns the program of t, and makes it if there is none.
func derived(t reflect.Type) *program.Program {
	if p := programs.Get(t); p != nil {
		return p
	}
	return programs.Put(t, compile(t, program.Mode{}, nil))
}

func compile(t reflect.Type, m program.Mode, types *Types) *program.Program {
	d := deriver{root: t, made: map[*shape.Shape]*program.Spec{}}
	if types != nil {
		d.types, d.typ = types.list()
	}
	s := d.derive(shape.Of(t), "")
	d.checkKeys()
	if d.err == nil {
		d.fillRemoved()
	}
	if d.err != nil {
		return &program.Program{Type: t, Err: d.err}
	}
	p := program.Compile(s, m)
	p.Direct = shape.Of(t).Direct
	return p
}

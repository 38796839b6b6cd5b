// Package wire encodes Go values in a compact binary form.
//
// A type is compiled once into a program and reused; [Append] into a large enough buffer allocates
// nothing. Types need no declarations and no generated code:
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
// The format is in docs/wire-format.md: integers are varints, strings, slices and maps begin with
// their length, and the fields of a struct follow one another in order with nothing between them.
// Both sides must know the type; the bytes do not describe themselves.
//
// # Types
//
// These types have an encoding: booleans, integers, floats, complex numbers, strings, slices,
// arrays, structs, pointers, maps, time.Time, the types of package mo, recursive types, and every
// type with a pair of methods from package encoding (BinaryMarshaler or BinaryAppender with
// BinaryUnmarshaler, else the Text pair). Fields that are not exported, or tagged `wire:"-"`, are
// left out. Integers in a field tagged `wire:",fixed"` have their full width. An interface can be
// encoded if [Types] lists the types that it may hold. Channels, functions, uintptr and structs
// without any exported field cause a [*TypeError] that names the path.
//
// An empty slice or map and a nil one have the same encoding, and are decoded as nil. A value
// nested deeper than 1,000 levels is refused, and so is every cyclic value.
//
// # Codecs
//
// A derived codec needs only the type: [Append] and [Unmarshal], or a [Codec] from [For], which
// looks the type up once. [Options] select a canonical form, or strings that point into the input.
// [AppendAny] and [UnmarshalAny] are for types that are known only when the program runs. [ForAny]
// returns a codec for all such types, with options, and [ForType] returns a codec for one of them.
//
// Package [github.com/hone-go/hone/wire/layout] declares the encoding byte for byte, for formats
// of other programs. Its layouts are Codecs too.
//
// [MakeSerializer] passes the parts of a value to a [BinaryWriter] of the caller.
//
// [NewEncoder] and [NewDecoder] write and read streams of records. Package
// [github.com/hone-go/hone/wire/container] writes streams for long-term storage, with a schema,
// checksums and compression.
//
// # Evolution
//
// The encoding of a struct identifies fields only by their position, so the fields of a struct
// cannot change. A struct marked as [Evolving] starts with its length, and may grow at its end.
// Its fields can be renamed, widened and [Removed], and the fields of newer versions are kept in
// an [Unknown]. A [Raw] is a value that is decoded later. [SchemaOf] describes the encoding.
// Package [github.com/hone-go/hone/wire/schema] reports whether one version can read the bytes of
// another, and reads them without the Go type. The command hone does the same on the command line.
// See docs/wire-schema.md.
//
// A reader does not notice by itself that a value has another version: two fields of the same type that
// have changed places are exchanged. docs/wire-versions.md lists the changes that a value survives. A
// [FingerprintCodec] refuses the values of other versions, unless they are declared.
//
// # Guarantees
//
//   - Malformed input yields a [*DecodeError] and never a panic. [Limits] bound the memory that
//     decoding uses.
//   - The end of a value is known from its bytes: a proper prefix of an encoding is never valid,
//     nor is an encoding with bytes after it.
//   - Strings and byte slices are copied out of the input, unless [Options] ask
//     for aliases.
//   - Encoding into a large enough buffer allocates nothing, maps included. The exceptions are
//     maps in canonical form, interfaces, and allocations by methods of the types themselves.
//   - Bytes written by v1.x stay readable by every later v1.y.
package wire

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/internal/spec"
)

// Append appends v's encoding to dst and returns the extended slice. On error it returns dst
// unchanged: no partial record is visible.
//
// The bytes between dst's length and its capacity may be overwritten. If the encoding fits, dst is
// not moved. Append then allocates only in the cases that the package comment lists.
//
// The error is a [*TypeError] if T cannot be encoded, or an [*EncodeError] if this value cannot.
// Append retains neither dst nor v.
func Append[T any](dst []byte, v *T) ([]byte, error) {
	p := derived(reflect.TypeFor[T]())
	return p.Append(dst, v == nil, mem.Of(v), budget.Limits{})
}

// Marshal returns v's encoding in a new slice. The errors are the same as for [Append].
func Marshal[T any](v *T) ([]byte, error) {
	p := derived(reflect.TypeFor[T]())
	return p.Marshal(v == nil, mem.Of(v), budget.Limits{})
}

// Size returns the length of v's encoding. It takes as long as encoding v. The errors are the
// same as for [Append].
func Size[T any](v *T) (int, error) {
	p := derived(reflect.TypeFor[T]())
	return p.Size(v == nil, mem.Of(v), budget.Limits{})
}

// Unmarshal decodes the whole of data, which is one encoding of a T, into *v.
//
// As encoding/json does, it reuses the memory of *v: slices of sufficient capacity, maps, and the
// targets of pointers. Fields that are not encoded keep their values. Unmarshal does not retain
// data. Short strings that were decoded together may share an allocation of up to 512 bytes.
//
// The error is a [*TypeError] if T cannot be decoded, otherwise a [*DecodeError]. After a
// DecodeError *v has the values that were decoded before the fault.
func Unmarshal[T any](data []byte, v *T) error {
	p := derived(reflect.TypeFor[T]())
	return p.Unmarshal(data, v == nil, mem.Of(v), budget.Limits{}, false)
}

// Limits bound a value; the zero value is the default. The same limits apply to encoding and to
// decoding, so a codec with the same limits reads back every value that was written.
//
// Depth is the number of levels that values may nest; 0 means 1,000. Bytes is the memory of
// slices, maps, strings, interfaces and pointers; 0 means 64 KiB plus 256 bytes for each byte of
// the encoding, but at most AtMost bytes if AtMost is not 0. A few values need more memory than
// the default, for example a long slice of large options that are absent. The error of [Append]
// then wraps ErrLimit.
type Limits = budget.Limits

// programs caches the programs of types that were derived with the default Options.
var programs plan.Cache[program.Program]

// derived returns the program of t from the cache, or compiles it.
func derived(t reflect.Type) *program.Program {
	if p := programs.Get(t); p != nil {
		return p
	}
	return programs.Put(t, compile(t, program.Mode{}, nil))
}

// compile returns a new program of t. types lists the types that interfaces may hold, or is nil. If
// t cannot be encoded, the Err of the program is set.
func compile(t reflect.Type, m program.Mode, types *Types) *program.Program {
	d := deriver{root: t, made: map[*shape.Shape]*spec.Spec{}}
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

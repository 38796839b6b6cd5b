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
// for strings that point into the input.
//
// A [Layout] declares byte for byte what is written, for formats that somebody
// else has defined; its bytes are those of Parco. [Models] tell values of several
// types apart by ids. See docs/wire-layouts.md.
//
// [MakeSerializer] hands the parts of a value to a [BinaryWriter] of yours.
//
// [NewEncoder] and [NewDecoder] write and read streams of records.
//
// # Evolution
//
// The fields of a struct are positional and frozen, at no cost in bytes. A struct
// marked as [Evolving] carries its length, and may grow at its end. [SchemaOf]
// describes what is written, and [Schema.Reads] says whether one version reads
// another's bytes; the command hone does so from outside. See
// docs/wire-schema.md.
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
	"errors"
	"reflect"

	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/shape"
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
	p := programs.Get(reflect.TypeFor[T]())
	if p == nil {
		p = derive(reflect.TypeFor[T]())
	}
	return p.encode(dst, v == nil, mem.Of(v))
}

// Marshal returns v's encoding in a slice of its own. The errors are those of
// [Append].
func Marshal[T any](v *T) ([]byte, error) {
	p := programs.Get(reflect.TypeFor[T]())
	if p == nil {
		p = derive(reflect.TypeFor[T]())
	}
	return p.marshal(v == nil, mem.Of(v))
}

// Size returns the length of v's encoding. It takes as long as encoding v. The
// errors are those of [Append].
func Size[T any](v *T) (int, error) {
	p := programs.Get(reflect.TypeFor[T]())
	if p == nil {
		p = derive(reflect.TypeFor[T]())
	}
	return p.size(v == nil, mem.Of(v))
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
	p := programs.Get(reflect.TypeFor[T]())
	if p == nil {
		p = derive(reflect.TypeFor[T]())
	}
	return p.decode(data, v == nil, mem.Of(v), Limits{}, false)
}

// A Codec encodes and decodes values of one type, which was resolved when the
// Codec was made: from the type by [For] and [NewCodec], from a declaration by
// [Layout]. It is safe for concurrent use.
type Codec[T any] struct {
	program *program
	limits  Limits
	alias   bool
}

// For returns the codec of T. The error is a [*TypeError] that names the part
// of T that cannot be encoded.
func For[T any]() (*Codec[T], error) { return NewCodec[T](Options{}) }

// Options say how a codec is to be made from a type. The zero value is what
// [Append] and [Unmarshal] do.
type Options struct {
	// Canonical makes equal values have equal bytes: the entries of a map are
	// sorted by the bytes of their keys, there is one zero and one NaN. The
	// decoder refuses anything else. Types with marshal methods are as canonical
	// as those.
	Canonical bool

	// Alias lets strings and byte slices that are decoded point into the input,
	// which then must not change while they are in use, and is kept by them.
	Alias bool

	// Types lists what interfaces may hold. Without it a type that contains an
	// interface cannot be encoded. What is registered later does not count.
	Types *Types

	// Limits bound what a decode may do.
	Limits Limits
}

// NewCodec returns the codec of T that o describes. The errors are those of
// [For].
func NewCodec[T any](o Options) (*Codec[T], error) {
	p, err := o.program(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	return &Codec[T]{p, o.Limits, o.Alias}, nil
}

func (o *Options) program(t reflect.Type) (*program, error) {
	var p *program
	if o.Canonical || o.Types != nil {
		p = deriveMode(t, mode{canonical: o.Canonical}, o.Types)
	} else if p = programs.Get(t); p == nil {
		p = derive(t)
	}
	if p.err != nil {
		return nil, p.err
	}
	return p, nil
}

// Must returns v, and panics if there is an error. It is for codecs, layouts and
// registrations that a program makes when it starts.
func Must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// WithLimits returns a codec that decodes within l.
func (c *Codec[T]) WithLimits(l Limits) *Codec[T] { return &Codec[T]{c.program, l, c.alias} }

// Append is [Append] without the look-up of T.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	return c.program.encode(dst, v == nil, mem.Of(v))
}

// Marshal is [Marshal] without the look-up of T.
func (c *Codec[T]) Marshal(v *T) ([]byte, error) { return c.program.marshal(v == nil, mem.Of(v)) }

// Size is [Size] without the look-up of T.
func (c *Codec[T]) Size(v *T) (int, error) { return c.program.size(v == nil, mem.Of(v)) }

// Unmarshal is [Unmarshal] without the look-up of T, within the codec's limits.
func (c *Codec[T]) Unmarshal(data []byte, v *T) error {
	return c.program.decode(data, v == nil, mem.Of(v), c.limits, c.alias)
}

// UnmarshalFirst decodes the value that data begins with and returns what comes
// behind it. On error it returns all of data.
func (c *Codec[T]) UnmarshalFirst(data []byte, v *T) (rest []byte, err error) {
	n, err := c.program.decodeSome(data, v == nil, mem.Of(v), c.limits, c.alias, false)
	return data[n:], err
}

// Schema returns the codec's schema.
func (c *Codec[T]) Schema() *Schema { return c.program.schema() }

// Limits bound what one decode may do. The zero value is the default.
type Limits struct {
	Depth int // nesting; 0 means 1,000

	// Bytes is the memory that slices, maps and pointers may take. 0 means as
	// much as any valid encoding of the type needs: for each byte of input the
	// largest ratio in the type of an element's size to its shortest encoding,
	// from 64 to 4,096; and at least 64 KiB.
	Bytes int
}

const (
	defaultDepth = 1000
	minBudget    = 64 << 10
)

var errNilValue = errors.New("v is nil")

// programs keeps what was derived from types with nothing said about how.
var programs plan.Cache[program]

// derive makes and keeps the program of t.
func derive(t reflect.Type) *program {
	return programs.Put(t, deriveMode(t, mode{}, nil))
}

func deriveMode(t reflect.Type, m mode, types *Types) *program {
	d := deriver{root: t, made: map[*shape.Shape]*spec{}}
	if types != nil {
		d.types, d.typ = types.list()
	}
	s := d.derive(shape.Of(t), "")
	if d.err != nil {
		return &program{typ: t, err: d.err}
	}
	return compile(s, m)
}

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
// structs, pointers, maps, time.Time, mo.Option, recursive types, and every
// type with a pair of methods from package encoding (BinaryMarshaler or
// BinaryAppender with BinaryUnmarshaler, else the Text pair). Fields that are
// not exported, or tagged `wire:"-"`, are left out. Channels, functions,
// interfaces, uintptr and structs without any exported field are a [*TypeError].
//
// An empty slice or map and a nil one are the same on the wire, and read back
// as nil. A value nested deeper than 1,000 levels, so every cyclic one, is
// refused.
//
// # Guarantees
//
//   - Malformed input yields a [*DecodeError]; it never panics. Its memory is
//     bounded by [Limits].
//   - Every value has one length: a proper prefix of an encoding is never valid,
//     nor is an encoding with bytes after it.
//   - Strings and byte slices are copied out of the input.
package wire

import (
	"errors"
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/internal/plan"
)

// Append appends v's encoding to dst and returns the extended slice.
// On error it returns dst unchanged: no partial record is visible.
//
// The error is a [*TypeError] if T cannot be encoded, or an [*EncodeError] if
// this value cannot. Append retains neither dst nor v.
func Append[T any](dst []byte, v *T) ([]byte, error) {
	p := programs.Get(reflect.TypeFor[T]())
	if p == nil {
		p = compile(reflect.TypeFor[T]())
	}
	return p.encode(dst, v == nil, mem.Of(v))
}

// Marshal returns v's encoding in a slice of its own. The errors are those of
// [Append].
func Marshal[T any](v *T) ([]byte, error) {
	scratch := scratches.Get().(*[]byte)
	b, err := Append((*scratch)[:0], v)
	var out []byte
	if err == nil {
		out = append(make([]byte, 0, len(b)), b...)
	}
	if cap(b) <= maxScratch {
		*scratch = b
	}
	scratches.Put(scratch)
	return out, err
}

// maxScratch bounds the buffers that Marshal keeps for the next call.
const maxScratch = 64 << 10

var scratches = sync.Pool{New: func() any { return new([]byte) }}

// Unmarshal decodes the whole of data, which is one encoding of a T, into *v.
//
// Memory that *v holds already (slices with room, maps, what pointers point
// to) is reused, as encoding/json does; fields that are not on the wire keep
// their values. Unmarshal does not retain data.
//
// The error is a [*TypeError] if T cannot be decoded, otherwise a
// [*DecodeError]. *v then holds what was read before the fault.
func Unmarshal[T any](data []byte, v *T) error {
	p := programs.Get(reflect.TypeFor[T]())
	if p == nil {
		p = compile(reflect.TypeFor[T]())
	}
	return p.decode(data, v == nil, mem.Of(v), Limits{})
}

// A Codec encodes and decodes values of one type, which was resolved when the
// Codec was made. It is safe for concurrent use.
type Codec[T any] struct {
	program *program
	limits  Limits
}

// For returns the codec of T. The error is a [*TypeError] that names the part
// of T that cannot be encoded.
func For[T any]() (*Codec[T], error) {
	t := reflect.TypeFor[T]()
	p := programs.Get(t)
	if p == nil {
		p = compile(t)
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Codec[T]{program: p}, nil
}

// WithLimits returns a codec that decodes within l.
func (c *Codec[T]) WithLimits(l Limits) *Codec[T] { return &Codec[T]{c.program, l} }

// Append is [Append] without the look-up of T.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	return c.program.encode(dst, v == nil, mem.Of(v))
}

// Unmarshal is [Unmarshal] without the look-up of T, within the codec's limits.
func (c *Codec[T]) Unmarshal(data []byte, v *T) error {
	return c.program.decode(data, v == nil, mem.Of(v), c.limits)
}

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

var programs plan.Cache[program]

package wire

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/schema"
)

// Options select how a codec is derived from a type. The zero value selects the encoding of
// [Append] and [Unmarshal].
type Options struct {
	// Canonical makes equal values have equal bytes: the entries of a map are sorted by the bytes
	// of their keys, a float has one zero and one NaN, and times are in UTC. The decoder refuses
	// every other encoding. The decoder also refuses evolving structs with more or fewer fields
	// than it knows, values other than zero for removed fields, and text that the methods of a
	// type would write differently.
	Canonical bool

	// AliasInput lets decoded strings and byte slices point into the input. Such values keep the
	// input alive. The input must not change while they are in use.
	AliasInput bool

	// Types lists the types that interfaces may hold. Without it a type that contains an
	// interface cannot be encoded. Later registrations have no effect on the codec.
	Types *Types

	// Interpret ignores the generated code of types: see docs/generated-code.md.
	Interpret bool

	// Limits bound the values in both directions, encoding and decoding.
	Limits Limits
}

// A Codec encodes and decodes values of one type. [For] derives it from the type, and package
// [github.com/hone-go/hone/wire/layout] makes it from a declaration. A Codec is safe for
// concurrent use.
type Codec[T any] program.Codec[T]

// For returns the codec of T. The error is a [*TypeError] that names the part of T that cannot be
// encoded.
//
// For compiles a program for T. Codecs without Canonical, Types and Interpret share one program for each
// type with [Append]; that program is never freed.
func For[T any](options ...Options) (*Codec[T], error) {
	r, err := runnerOf(reflect.TypeFor[T](), variadic.Only(options))
	if err != nil {
		return nil, err
	}
	return (*Codec[T])(program.CodecOf[T](r)), nil
}

// runnerOf returns the program of t with the settings of o.
func runnerOf(t reflect.Type, o Options) (program.Runner, error) {
	var p *program.Program
	if o.Canonical || o.Types != nil || o.Interpret {
		p = compile(t, program.Mode{Canonical: o.Canonical, Interpret: o.Interpret}, o.Types)
	} else {
		p = derived(t)
	}
	if p.Err != nil {
		return program.Runner{}, p.Err
	}
	return program.Runner{Program: p, Limits: o.Limits, Alias: o.AliasInput}, nil
}

// Must returns v, or panics if err is not nil. Use it for codecs, layouts and registrations that a
// program makes at start-up.
func Must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

func (c *Codec[T]) runner() *program.Runner { return (*program.Codec[T])(c).Runner() }

// WithLimits returns a codec that encodes and decodes within l.
func (c *Codec[T]) WithLimits(l Limits) *Codec[T] {
	r := *c.runner()
	r.Limits = l
	return (*Codec[T])(program.CodecOf[T](r))
}

// Append is like the function [Append], within the codec's limits. It needs no look-up of T.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	return c.runner().Append(dst, v == nil, mem.Of(v))
}

// Marshal is like the function [Marshal], within the codec's limits. It needs no look-up of T.
func (c *Codec[T]) Marshal(v *T) ([]byte, error) { return c.runner().Marshal(v == nil, mem.Of(v)) }

// Size is like the function [Size], within the codec's limits. It needs no look-up of T.
func (c *Codec[T]) Size(v *T) (int, error) { return c.runner().Size(v == nil, mem.Of(v)) }

// Unmarshal is like the function [Unmarshal], within the codec's limits. It needs no look-up of T.
func (c *Codec[T]) Unmarshal(data []byte, v *T) error {
	return c.runner().Unmarshal(data, v == nil, mem.Of(v))
}

// UnmarshalFirst decodes the value at the start of data and returns the bytes after it. On error
// it returns all of data. The errors are the same as for [Unmarshal].
func (c *Codec[T]) UnmarshalFirst(data []byte, v *T) (rest []byte, err error) {
	n, err := c.runner().UnmarshalFirst(data, v == nil, mem.Of(v))
	return data[n:], err
}

// Schema returns the codec's schema, or nil for a zero Codec.
func (c *Codec[T]) Schema() *schema.Schema { return describe(c.runner()) }

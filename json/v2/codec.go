package json

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
)

// A Codec encodes and decodes values of type T with fixed options. [For] compiles T once. A Codec
// is safe for concurrent use.
type Codec[T any] struct {
	encode  encodeCall
	decode  decodeCall
	program *encode.Program
}

// For returns the Codec of T with the given options.
//
//	var users = json.For[User](json.RejectUnknownMembers(true))
//
//	buf, err = users.Append(buf[:0], &user)
func For[T any](opts ...Options) *Codec[T] {
	set := setOf(opts)
	c := &Codec[T]{encode: encodeBy(set), decode: decodeBy(set)}
	c.program = c.encode.Program(reflect.TypeFor[*T]())
	return c
}

// Append appends the encoding of *v to dst and returns the extended slice. On error it returns dst.
// A nil v is encoded as null. It allocates as the function [Append] does.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	if v == nil {
		return append(dst, "null"...), nil
	}
	if c.encode.Set.Has(option.Whitespace) || byStd(&c.encode.Set) {
		return c.encode.Append(dst, v)
	}
	return c.encode.AppendBy(c.program, dst, mem.Of(v))
}

// Marshal returns the encoding of *v in a new slice.
func (c *Codec[T]) Marshal(v *T) ([]byte, error) {
	scratch := buffer.Take()
	defer scratch.Release()
	var err error
	if scratch.B, err = c.Append(scratch.B, v); err != nil {
		return nil, err
	}
	return append(make([]byte, 0, len(scratch.B)), scratch.B...), nil
}

// Unmarshal decodes data into *v, by the rules of the function [Unmarshal].
func (c *Codec[T]) Unmarshal(data []byte, v *T) error { return c.decode.Unmarshal(data, v) }

package json

import (
	"io"
	"iter"
	"reflect"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/memory/mem"
	decoding "github.com/hone-go/hone/json/internal/decode/call"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/json/jsontext"
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

// Elements reads one JSON array from r and yields its elements one at a time, so the array may be
// larger than memory. If an element cannot be decoded into T, Elements yields the [*SemanticError]
// together with the part of the element that was decoded, and continues with the next element. Any
// other error ends the sequence. Elements does not check the input after the array, but it may have
// read some of it.
//
//	for user, err := range json.Elements[User](r) {
func Elements[T any](r io.Reader, opts ...Options) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		d := &stream.Decoder{}
		d.Reset(r, opts...)
		c := decodeBy(d.Set)
		token, err := d.ReadToken()
		if err == nil && token.Kind() != '[' {
			err = decoding.NotArray(d, reflect.TypeFor[[]T](), token.Kind())
		}
		if err != nil {
			yield(zero, unexpectedEnd(err))
			return
		}
		for d.PeekKind() != ']' {
			var v T
			err := c.UnmarshalDecode(d, &v)
			if _, isSemantic := err.(*SemanticError); !yield(v, unexpectedEnd(err)) || err != nil && !isSemantic {
				return
			}
		}
		if _, err := d.ReadToken(); err != nil {
			yield(zero, unexpectedEnd(err))
		}
	}
}

// unexpectedEnd returns err, but replaces io.EOF by io.ErrUnexpectedEOF, because the stream ended
// inside the array.
func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// WriteElements writes the values of seq to w as one JSON array, which may be larger than memory.
// It stops at the first error of seq, of an element's encoding, or of w. After an error it does not
// write the closing bracket, so that no reader mistakes the array for complete.
func WriteElements[T any](w io.Writer, seq iter.Seq2[T, error], opts ...Options) error {
	e := jsontext.NewEncoder(w, opts...)
	if err := e.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	held := new(T)
	for v, err := range seq {
		if err != nil {
			return err
		}
		*held = v
		if err := MarshalEncode(e, held); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndArray)
}

package json

import (
	"io"
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// A Codec encodes and decodes values of type T. [For] compiles T once. A Codec is safe for
// concurrent use.
type Codec[T any] struct {
	encode   *encode.Program
	decode   *decode.Node
	encoding *v1.Encoding // the rules of options
	decoding *v1.Decoding
	options  Config
	encodeOn option.Flag // the flags of options for encoding
	decodeOn option.Flag // the flags of options for decoding
	copies   *sync.Pool  // pool of *copied[T]; nil if encoding a T calls methods, which might retain the copy
}

// For returns the Codec of T with the given options. If there are several Configs, the last one
// applies. Without options it uses the defaults of encoding/json.
//
//	var users = json.For[User]()
//
//	buf, err = users.Append(buf[:0], &user)
func For[T any](options ...Config) *Codec[T] {
	pointer := reflect.TypeFor[*T]()
	codec := &Codec[T]{options: variadic.Only(options)}
	codec.encodeOn, codec.decodeOn = codec.options.encodeFlags(), codec.options.flags()
	codec.encoding, codec.decoding = encodingOf(codec.encodeOn), decodingOf(codec.decodeOn)
	codec.encode = codec.encoding.ProgramOf(pointer, codec.encodeOn)
	codec.decode = codec.decoding.NodeOf(pointer, codec.decodeOn)
	if !codec.encode.CallsMethods() {
		codec.copies = &sync.Pool{New: func() any { return new(copied[T]) }}
	}
	return codec
}

// Append appends the encoding of *v to dst and returns the extended slice. On error it returns dst
// unchanged. It allocates as the function [Append] does. A nil v is encoded as null.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	if v == nil {
		return append(dst, "null"...), nil
	}
	if c.options.byStd() && c.options.byStdFor(reflect.TypeFor[T]()) {
		return c.options.appendByStd(dst, v)
	}
	out, err := c.encoding.AppendBy(c.encode, dst, mem.Of(v), reflect.TypeFor[*T](), c.encodeOn)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Marshal returns the encoding of *v in a new slice.
func (c *Codec[T]) Marshal(v *T) ([]byte, error) {
	scratch := buffer.Take()
	b, err := c.Append(scratch.B, v)
	var out []byte
	if err == nil {
		out = copyOf(b)
	}
	scratch.B = b
	scratch.Release()
	return out, err
}

// MarshalWrite writes the encoding of v to w in one call of Write, without a newline at the end. If
// v cannot be encoded, it writes nothing. v is passed by value, so a temporary value stays on the
// caller's stack. If encoding a T calls marshal methods, MarshalWrite copies v to the heap, because
// the methods may retain its address. Otherwise MarshalWrite allocates as Append does.
func (c *Codec[T]) MarshalWrite(w io.Writer, v T) error {
	if c.copies == nil {
		held := new(T) // copy v only here: &v would move v to the heap in both branches
		*held = v
		return c.options.MarshalWrite(w, held)
	}
	d := c.copies.Get().(*copied[T])
	d.value = v
	b, err := c.Append(d.B, &d.value)
	var zero T
	d.value = zero
	if err == nil {
		_, err = w.Write(b)
	}
	d.B = b
	d.Reset()
	c.copies.Put(d)
	return err
}

// A copied holds a copy of the value that MarshalWrite encodes, and its output buffer.
type copied[T any] struct {
	value T
	buffer.Buffer
}

// Unmarshal decodes data into *v, by the rules of the function [Unmarshal].
func (c *Codec[T]) Unmarshal(data []byte, v *T) error {
	if c.options.byStd() && c.options.byStdFor(reflect.TypeFor[*T]()) {
		return c.options.unmarshalByStd(data, reflect.ValueOf(v))
	}
	d := c.decoding.Take()
	defer d.Put()
	return d.Unmarshal(data, reflect.ValueOf(v), c.decode, c.decodeOn)
}

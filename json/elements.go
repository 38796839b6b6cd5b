package json

import (
	"io"
	"iter"
	"reflect"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/variadic"
)

// Elements reads one JSON array from r and yields its elements one at a time, so the array may be
// larger than memory. If an element cannot be decoded into T, Elements yields the error together
// with the part of the element that was decoded, and continues with the next element. A syntax
// error or an error of r ends the sequence. Elements does not check the input after the array, but
// it may have read some of it. If there are several Configs, the last one applies.
//
//	for user, err := range json.Elements[User](r) {
//
// Elements keeps one element in memory, and a buffer of about the length of the element's JSON.
func Elements[T any](r io.Reader, options ...Config) iter.Seq2[T, error] {
	config := variadic.Only(options)
	return func(yield func(T, error) bool) {
		d := config.newReader(r)
		var zero T
		start, err := d.Token()
		if err == nil && start != Delim('[') {
			err = &UnmarshalTypeError{Value: kindOfToken(start), Type: reflect.TypeFor[[]T](), Offset: d.InputOffset()}
		}
		if err != nil {
			yield(zero, unexpected(err))
			return
		}
		for d.More() {
			var v T
			if read, err := d.Element(&v); err != nil {
				// After a syntax error or an error of r, nothing more can be read.
				if !yield(v, unexpected(err)) || !read {
					return
				}
			} else if !yield(v, nil) {
				return
			}
		}
		// This fails if the closing bracket is missing or r has failed.
		if _, err := d.Token(); err != nil {
			yield(zero, unexpected(err))
		}
	}
}

// unexpected returns err, but replaces io.EOF by io.ErrUnexpectedEOF, because the stream ended
// inside the array.
func unexpected(err error) error {
	if s, ok := err.(*SyntaxError); err == io.EOF || ok && s.Error() == "unexpected end of JSON input" {
		return io.ErrUnexpectedEOF
	}
	return err
}

func kindOfToken(t Token) string {
	switch t.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case string:
		return "string"
	case Delim:
		return "object"
	}
	return "number"
}

// WriteElements writes the values of seq to w as one JSON array, which may be larger than memory.
// It stops at the first error of seq, of an element's encoding, or of w. After an error it does not
// write the closing bracket, so that no reader mistakes the array for complete.
//
// It calls Write for about every 32 KiB of output.
func WriteElements[T any](w io.Writer, seq iter.Seq2[T, error], options ...Config) error {
	codec := For[T](options...)
	scratch := buffer.Take()
	b := append(scratch.B, '[')
	defer func() {
		scratch.B = b
		scratch.Release()
	}()
	first := true
	held := new(T)
	for v, err := range seq {
		if err != nil {
			return err
		}
		*held = v
		if !first {
			b = append(b, ',')
		}
		first = false
		if b, err = codec.Append(b, held); err != nil {
			return err
		}
		if len(b) > buffer.Large/2 {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	b = append(b, ']')
	_, err := w.Write(b)
	return err
}

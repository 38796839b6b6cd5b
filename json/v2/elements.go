package json

import (
	"io"
	"iter"
	"reflect"

	"github.com/hone-go/hone/json/internal/rules/v2/decoding"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/json/jsontext"
)

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

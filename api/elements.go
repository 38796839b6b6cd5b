package api

import (
	"errors"
	"io"
	"iter"
	"reflect"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/wire"
)

// Elements is a sequence that is never completely in memory: the input of a typed handler, or its
// answer.
//
//	type ImportIn struct {
//		Host string                `path:"host"`
//		Body api.Elements[Reading] `body:""`
//	}
//	api.Handle(r, "POST /v1/hosts/{host}/readings", func(ctx context.Context, in *ImportIn) (*Report, error) {
//		for reading, err := range in.Body {
//			if err != nil {
//				return nil, err
//			}
//			…
//		}
//		…
//	})
//	api.Handle(r, "GET /v1/readings", func(ctx context.Context, in *ExportIn) (*api.Elements[Reading], error) {
//		return api.ElementsOf(store.All(ctx)), nil
//	})
//
// The elements are sent as a JSON array, or as one JSON value per line if Content-Type or Accept
// selects [MediaTypeNDJSON]. If package wire can encode T, a stream of wire records
// ([MediaTypeWireStream]) can be selected too.
//
// # As input
//
// Elements are decoded one by one, while the body arrives. Each element is checked against
// the limits in T's tags and by its Validate methods, and may take 4 MiB. An element that
// does not fit T or breaks a limit is yielded with a [*Problem], which the handler may
// return. More elements may follow. After any other error, such as invalid syntax or a lost
// connection, the sequence ends. The sequence can be ranged over once, and only until the
// handler has returned.
//
// # As an answer
//
// The response begins with the first element, or after the Operation's OpenWait. An earlier error is
// answered with a problem document. A later error is logged and closes the connection, so that no
// client takes an incomplete sequence for a complete one. An element is sent within about 100
// ms after it was yielded. The sequence is stopped if the client has disconnected, accepts
// nothing for the Operation's StreamTimeout, or falls below its StreamRate. The handler's
// context lasts until the sequence has ended. A HEAD request runs the handler but not the
// sequence.
type Elements[T any] iter.Seq2[T, error]

// ElementsOf returns seq as the answer of a typed handler. The first error that
// seq yields ends the answer.
func ElementsOf[T any](seq iter.Seq2[T, error]) *Elements[T] {
	e := Elements[T](seq)
	return &e
}

// ValuesOf is ElementsOf for a sequence that cannot fail.
func ValuesOf[T any](seq iter.Seq[T]) *Elements[T] {
	return ElementsOf(func(yield func(T, error) bool) {
		for v := range seq {
			if !yield(v, nil) {
				return
			}
		}
	})
}

// Stream returns e as a stream of its values. Only this package and package client call it.
// They handle the elements without knowing T.
func (e *Elements[T]) Stream() message.Stream { return sequence[T]{e} }

var _ message.Streamer = (*Elements[int])(nil)

// A sequence implements [message.Elements] for an Elements.
type sequence[T any] struct{ of *Elements[T] }

func (s sequence[T]) Elem() reflect.Type { return reflect.TypeFor[T]() }

var errElementsTwice = errors.New("api: the elements of a body can be ranged over only once")

func (s sequence[T]) Fill(next func(v any) (more bool, err error), end func()) {
	used := false
	*s.of = func(yield func(T, error) bool) {
		var zero T
		if used {
			yield(zero, errElementsTwice)
			return
		}
		used = true
		defer end()
		for more := true; more; {
			var v T
			var err error
			if more, err = next(&v); err == io.EOF || !yield(v, err) {
				return
			}
		}
	}
}

func (s sequence[T]) WriteTo(w io.Writer, c message.Codec) error {
	if c.MediaType == MediaTypeWireStream {
		return s.writeRecords(w)
	}
	buf := buffer.Take()
	defer buf.Release()
	held := new(T)
	first, between, after, end := "[", ",", "", "]\n"
	if c.MediaType == MediaTypeNDJSON {
		first, between, after, end = "", "", "\n", ""
	}
	separator, begun := first, false
	if *s.of != nil {
		for v, err := range *s.of {
			if err != nil {
				return err
			}
			*held = v
			if buf.B, err = c.Append(append(buf.B[:0], separator...), held); err != nil {
				return err
			}
			buf.B = append(buf.B, after...)
			separator, begun = between, true
			if _, err := w.Write(buf.B); err != nil {
				return err
			}
		}
	}
	if !begun {
		end = first + end
	}
	_, err := w.Write([]byte(end))
	return err
}

// writeRecords writes the elements as wire records.
func (s sequence[T]) writeRecords(w io.Writer) error {
	codec, err := wire.For[T]()
	if err != nil {
		return err
	}
	encoder := wire.NewEncoder(w)
	held := new(T)
	if *s.of != nil {
		for v, err := range *s.of {
			if err != nil {
				return err
			}
			*held = v
			if err := wire.EncodeWith(encoder, codec, held); err != nil {
				return err
			}
		}
	}
	_, err = w.Write(nil) // begin the answer even if it has no elements
	return err
}

package api

import (
	"context"
	"io"
	"iter"
	"reflect"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// Elements is a sequence that need never be in memory as a whole: the input of a
// typed handler, or its answer.
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
// On the wire it is a JSON array or, as Content-Type and Accept say, one JSON
// value a line ([MediaTypeNDJSON]) or, if T has an encoding in package wire, a stream of its
// records ([MediaTypeWireStream]).
//
// # As input
//
// Elements are decoded one by one, while the body arrives; each is held to the
// limits of T's tags and its methods Validate, and may take 4 MiB. An element that does not fit T
// or breaks a limit comes with a [*Problem], which the handler may return, and
// the next may follow; any other error, of the text, the connection or the body
// as a whole, is the last. The sequence can be ranged over once, and until the
// handler has returned.
//
// # As an answer
//
// The response begins with the first element: an error before that is a problem
// document. One after that cuts the connection, so that no client takes half a
// sequence for a whole one, and is logged. An element reaches the client some
// 100 ms after it was yielded at the latest. When the client has gone, takes
// nothing for the Operation's StreamTimeout or falls short of its StreamRate, the
// sequence is asked for no more; the handler's context lasts until then. A request
// of HEAD runs the handler and not the sequence.
type Elements[T any] iter.Seq2[T, error]

// ElementsOf returns seq as the answer of a typed handler. The first error that
// it yields ends the answer.
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

// elements is a *Elements[T] whose T is not known.
type elements interface {
	elem() reflect.Type
	readFrom(ctx context.Context, from *bodyStream, f format, s *streamedBody)
	writeTo(w io.Writer, f format) error
	receive(body io.ReadCloser, f format) // of an answer, by a client
}

func (e *Elements[T]) elem() reflect.Type { return reflect.TypeFor[T]() }

func (e *Elements[T]) writeTo(w io.Writer, f format) error {
	if f == formatWireStream {
		return e.writeRecords(w)
	}
	codec := json.For[T](answerJSON(reflect.TypeFor[T]()))
	buf := buffer.Take()
	defer buf.Release()
	held := new(T)
	first, between, behind, end := "[", ",", "", "]\n"
	if f == formatNDJSON {
		first, between, behind, end = "", "", "\n", ""
	}
	separator, begun := first, false
	if *e != nil {
		for v, err := range *e {
			if err != nil {
				return err
			}
			*held = v
			if buf.B, err = codec.Append(append(buf.B[:0], separator...), held); err != nil {
				return err
			}
			buf.B = append(buf.B, behind...)
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

// writeRecords writes the elements in the wire format.
func (e *Elements[T]) writeRecords(w io.Writer) error {
	codec, err := wire.For[T]()
	if err != nil {
		return err
	}
	encoder := wire.NewEncoder(w)
	held := new(T)
	if *e != nil {
		for v, err := range *e {
			if err != nil {
				return err
			}
			*held = v
			if err := wire.EncodeWith(encoder, codec, held); err != nil {
				return err
			}
		}
	}
	_, err = w.Write(nil) // an answer without elements begins too
	return err
}

package api

import (
	"errors"
	"io"
	"iter"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/buffer"
	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/json"
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
// value a line ([MediaTypeNDJSON]).
//
// # As input
//
// Elements are decoded one by one, while the body arrives; each is held to the
// limits of T's tags and may take 4 MiB of JSON. An element that does not fit T
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
	readFrom(from *bodyStream, f format, limits *limit.Program)
	writeTo(w io.Writer, f format) error
	receive(body io.ReadCloser, f format) // of an answer, by a client
}

func (e *Elements[T]) elem() reflect.Type { return reflect.TypeFor[T]() }

// maxElement bounds the memory that one element of a body takes as JSON.
const maxElement = DefaultBodyLimit

var errElementsTwice = errors.New("api: the elements of a body can be ranged over once")

func (e *Elements[T]) readFrom(from *bodyStream, f format, limits *limit.Program) {
	used := false
	*e = func(yield func(T, error) bool) {
		var zero T
		if used {
			yield(zero, errElementsTwice)
			return
		}
		used = true
		r := elementReader{of: reflect.TypeFor[T](), d: json.NewDecoder(from), body: from, array: f == formatJSON}
		if err := r.open(); err != nil {
			yield(zero, err)
			return
		}
		for r.more() {
			var v T
			err := r.next(&v)
			if err == io.EOF {
				return
			}
			if err == nil {
				if found := limits.Check(&v); found != nil {
					err = notAllowed(r.name(), found)
				}
			}
			if !yield(v, err) || r.ended {
				return
			}
			r.n++
		}
		if err := r.close(); err != nil {
			yield(zero, err)
		}
	}
}

// An elementReader reads the elements of a body.
type elementReader struct {
	of    reflect.Type
	d     *json.Decoder
	body  *bodyStream
	array bool // else one value follows the other
	n     int  // which element is next
	ended bool // nothing can be read any more
}

func (r *elementReader) open() error {
	if !r.array {
		return nil
	}
	r.body.allowed = maxElement
	start, err := r.d.Token()
	if err != nil {
		return r.bad(err, 0)
	}
	if start != json.Delim('[') {
		return unreadable(nil, FieldProblem{In: "body", Detail: "no array"})
	}
	return nil
}

func (r *elementReader) more() bool {
	r.body.allowed = maxElement
	return !r.array || r.d.More()
}

// next decodes the next element. The error is io.EOF if there is none.
func (r *elementReader) next(v any) error {
	before := r.d.InputOffset()
	err := r.d.Decode(v)
	switch {
	case err == nil:
		return nil
	case err == io.EOF && !r.array:
		return io.EOF
	}
	// Only behind a value that was read as a whole there can be another one.
	r.ended = r.d.InputOffset() == before || r.body.err != nil ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, new(*json.SyntaxError))
	return r.bad(err, before)
}

// close reads the end of the array, and that of the body.
func (r *elementReader) close() error {
	if !r.array {
		return nil
	}
	_, err := r.d.Token()
	at := r.d.InputOffset()
	if err == nil {
		r.body.allowed = maxElement
		if _, err = r.d.Token(); err == io.EOF {
			return nil
		}
		if err == nil {
			return unreadable(nil, FieldProblem{In: "body", Detail: "something follows the array", Offset: at})
		}
	}
	return r.bad(err, at)
}

// endOfInput is what encoding/json says of a text that ends too early where it has no
// error of package io for that.
const endOfInput = "unexpected end of JSON input"

// bad tells the client where in the body reading stopped.
func (r *elementReader) bad(err error, offset int64) error {
	if r.body.err != nil {
		return r.body.err
	}
	var syntax *json.SyntaxError
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &syntax) && syntax.Error() == endOfInput {
		return unreadable(io.ErrUnexpectedEOF, FieldProblem{In: "body", Name: r.name(), Detail: "the body ends too early", Offset: offset})
	}
	err = badBody(err, r.of)
	if p, ok := err.(*Problem); ok {
		if p.Errors == nil {
			p.Errors = []FieldProblem{{In: "body", Detail: notOfThisKind}}
		}
		p.Errors[0].Name, p.Errors[0].Offset = r.name()+p.Errors[0].Name, offset
	}
	return err
}

func (r *elementReader) name() string { return "[" + strconv.Itoa(r.n) + "]" }

func (e *Elements[T]) writeTo(w io.Writer, f format) error {
	codec := json.For[T]()
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

package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// maxElement bounds the memory that one element of a body takes on the wire.
const maxElement = DefaultBodyLimit

var errElementsTwice = errors.New("api: the elements of a body can be ranged over once")

func (e *Elements[T]) readFrom(ctx context.Context, from *bodyStream, f format, s *streamedBody) {
	used := false
	*e = func(yield func(T, error) bool) {
		var zero T
		if used {
			yield(zero, errElementsTwice)
			return
		}
		used = true
		r := newElementReader(reflect.TypeFor[T](), from, f, s.known)
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
			faults, members := memberFaults(err)
			if err == nil || members {
				err = s.check(ctx, &v, r.name(), faults)
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

// check holds an element, whose name in the body is given, to its limits and methods. Faults
// are those of its members.
func (s *streamedBody) check(ctx context.Context, v any, name string, faults []FieldProblem) error {
	for i := range faults {
		faults[i].Name = name + faults[i].Name
	}
	if found := s.limits.Check(v); found != nil || faults != nil {
		return notAllowed(name, found, faults)
	}
	return invalid(name, s.limits.Validate(ctx, v))
}

// An elementReader reads the elements of a body.
type elementReader struct {
	of    reflect.Type
	d     *json.Decoder // nil for records of the wire format
	wire  *wire.Decoder
	body  *bodyStream
	array bool // else one value follows the other
	n     int  // which element is next
	ended bool // nothing can be read any more
}

func newElementReader(of reflect.Type, from *bodyStream, f format, known bool) *elementReader {
	r := &elementReader{of: of, body: from, array: f == formatJSON}
	if f == formatWireStream {
		r.wire = wire.NewDecoder(from, maxElement)
		return r
	}
	r.d = json.Config{CheckMembers: true, DisallowUnknownFields: known}.NewDecoder(from)
	return r
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
	if r.wire != nil {
		return true // and next comes to the end
	}
	r.body.allowed = maxElement
	return !r.array || r.d.More()
}

// next decodes the next element. The error is io.EOF if there is none.
func (r *elementReader) next(v any) error {
	if r.wire != nil {
		return r.nextRecord(v)
	}
	before := r.d.InputOffset()
	err := r.d.Decode(v)
	switch {
	case err == nil:
		return nil
	case errors.As(err, new(*json.MembersError)):
		return err
	case err == io.EOF && !r.array:
		return io.EOF
	}
	// Only behind a value that was read as a whole there can be another one.
	r.ended = r.d.InputOffset() == before || r.body.err != nil ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, new(*json.SyntaxError))
	return r.bad(err, before)
}

// nextRecord is next for the wire format.
func (r *elementReader) nextRecord(v any) error {
	err := r.wire.Decode(v)
	switch {
	case err == nil:
		return nil
	case err == io.EOF:
		return io.EOF
	}
	// Behind a record of a length that makes sense there can be another one.
	r.ended = r.body.err != nil || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, wire.ErrLimit) || errors.Is(err, wire.ErrOverflow) || !errors.As(err, new(*wire.DecodeError))
	var decode *wire.DecodeError
	if errors.Is(err, wire.ErrLimit) && errors.As(err, &decode) && decode.Path == "" {
		return NewProblem(http.StatusRequestEntityTooLarge, "an element of the request body is too large")
	}
	return r.bad(err, 0)
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

package api

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/http/body"
	"github.com/hone-go/hone/internal/http/header"
	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
)

var readerType = reflect.TypeFor[io.Reader]()

// A streamedBody is what a typed handler knows of a body that it reads bit by
// bit.
type streamedBody struct {
	elem   reflect.Type   // of the elements; nil if it reads bytes
	limits *limit.Program // of an element
	wire   bool           // elements may be in the wire format
	known  bool           // unknown members of elements are refused
	types  []string       // media types of bytes, in small letters; nil for any
	limit  int64          // in bytes; negative for none, 0 for that of the router

	timeout time.Duration
	rate    int64
}

// newStreamedBody returns nil if a body of type t is not a stream. The tag lists
// the media types that are taken.
func newStreamedBody(t reflect.Type, types []string, op Operation) (*streamedBody, error) {
	s := &streamedBody{limit: op.BodyLimit, known: op.Unknown == UnknownRefused}
	s.timeout, s.rate = op.patience()
	if t == readerType {
		for _, mediaType := range types {
			if _, _, err := mime.ParseMediaType(mediaType); err != nil || !strings.Contains(mediaType, "/") {
				return nil, errors.New("the tag of the body has " + mediaType + ", which is no media type")
			}
		}
		s.types = types
		return s, nil
	}
	e, ok := reflect.Zero(reflect.PointerTo(t)).Interface().(elements)
	if !ok {
		return nil, nil
	}
	s.elem = e.elem()
	_, err := wire.ForType(s.elem)
	s.wire = err == nil && !keepsMembers(shape.Of(s.elem)) // only JSON tells what was sent
	s.limits, err = limit.Body(shape.Of(s.elem))
	return s, err
}

// format tells how the body is to be read.
func (s *streamedBody) format(r *http.Request) (format, error) {
	if s.elem != nil {
		if f := requestFormat(r.Header, nil); f == formatJSON || f == formatNDJSON || f == formatWireStream && s.wire {
			return f, nil
		}
		return formatUnknown, unsupported(r)
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return formatUnknown, unsupported(r)
	}
	if s.types == nil {
		return formatUnknown, nil
	}
	mediaType := strings.ToLower(header.MediaType(r.Header.Get("Content-Type")))
	major, _, _ := strings.Cut(mediaType, "/")
	for _, t := range s.types {
		if t == mediaType || t == "*/*" && major != "" || t == major+"/*" && major != "" {
			return formatUnknown, nil
		}
	}
	return formatUnknown, unsupported(r)
}

// unsupported is the answer to a body of the wrong type, or to none.
func unsupported(r *http.Request) error {
	if r.ContentLength == 0 && r.Header.Get("Content-Type") == "" {
		return NewProblem(http.StatusBadRequest, "the request body is missing")
	}
	return NewProblem(http.StatusUnsupportedMediaType, "")
}

// open hands the body to *target, an io.Reader or an Elements.
// The context is for methods Validate of elements.
func (s *streamedBody) open(ctx context.Context, x *exchange, target any) error {
	r := x.r
	f, err := s.format(r)
	if err != nil {
		return err
	}
	control := http.NewResponseController(x.w)
	limit := x.bodyLimit(s.limit, DefaultBodyLimit)
	if r.ContentLength > limit {
		return body.TooLarge
	}
	b := &bodyStream{body: http.NoBody, allowed: -1, deadline: deadline{set: control.SetReadDeadline, timeout: s.timeout, rate: s.rate}}
	if r.Body != nil {
		b.body = body.Bound(x.w, r.Body, limit)
	}
	clearDeadlines(control) // they are for bodies that come at once
	switch target := target.(type) {
	case *io.Reader:
		*target = b
	case elements:
		target.readFrom(ctx, b, f, s)
	}
	return nil
}

// A bodyStream is the body of a request as a handler reads it. Its errors have
// the status that they are to be answered with.
type bodyStream struct {
	body     io.Reader
	deadline deadline
	allowed  int64 // bytes until the end of the element; negative for any number
	err      error
}

func (b *bodyStream) Read(p []byte) (int, error) {
	switch {
	case b.err != nil:
		return 0, b.err
	case b.allowed == 0:
		b.err = NewProblem(http.StatusRequestEntityTooLarge, "an element of the request body is too large")
		return 0, b.err
	case b.allowed > 0 && int64(len(p)) > b.allowed:
		p = p[:b.allowed]
	}
	n, err := b.deadline.wait(b.body.Read, p)
	if b.allowed > 0 {
		b.allowed -= int64(n)
	}
	switch {
	case err == nil:
		return n, nil
	case err == io.EOF:
		_ = b.deadline.set(time.Time{}) // the body is whole: nothing waits for the client any more
		return n, io.EOF
	case errors.As(err, new(interface{ StatusCode() int })):
		b.err = err
	default:
		b.err = NewProblem(body.StatusOf(err), "").Wrap(err)
	}
	return n, b.err
}

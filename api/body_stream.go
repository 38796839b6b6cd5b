package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/internal/http/body"
	"github.com/hone-go/hone/internal/http/header"
	"github.com/hone-go/hone/internal/http/problem"
)

// unsupported returns the problem for a body whose media type is not accepted, or for a missing body.
func unsupported(r *http.Request) error {
	if r.ContentLength == 0 && r.Header.Get("Content-Type") == "" {
		return NewProblem(http.StatusBadRequest, "the request body is missing")
	}
	return NewProblem(http.StatusUnsupportedMediaType, "")
}

// openStream sets *target, an io.Reader or an Elements, to read the body. The context is for the
// Validate methods of elements.
func (in *input) openStream(ctx context.Context, x *exchange, target any) error {
	r := x.r
	codec, ok := streamCodec(r, in.Stream)
	if !ok {
		return unsupported(r)
	}
	control := http.NewResponseController(x.w)
	limit := x.bodyLimit(in.limit, DefaultBodyLimit)
	if r.ContentLength > limit {
		return body.TooLarge
	}
	b := &bodyStream{body: http.NoBody, allowed: -1, deadline: deadline{set: control.SetReadDeadline, timeout: in.timeout, rate: in.rate}}
	if r.Body != nil {
		b.body = body.Bound(r.Body, limit)
	}
	clearDeadlines(control) // a body that is read while it arrives may take longer
	if reader, ok := target.(*io.Reader); ok {
		*reader = b
		return nil
	}
	newElementReader(&in.elements, b, codec.MediaType).fill(ctx, message.StreamOf(target).(message.Elements))
	return nil
}

// streamCodec returns the codec of the elements of a streamed body, or nil for bytes. It returns
// false if the handler does not accept the body's media type.
func streamCodec(r *http.Request, s *message.RequestStream) (*message.Codec, bool) {
	if s.Elem != nil {
		codec := message.ByContentType(r.Header, s.Codecs)
		return codec, codec != nil
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, false
	}
	mediaType := strings.ToLower(header.MediaType(r.Header.Get("Content-Type")))
	major, _, _ := strings.Cut(mediaType, "/")
	return nil, s.Types == nil || slices.ContainsFunc(s.Types, func(t string) bool {
		return t == mediaType || major != "" && (t == "*/*" || t == major+"/*")
	})
}

// A bodyStream is a request body that a handler reads. Its errors have the status of the answer.
type bodyStream struct {
	body     io.Reader
	deadline deadline
	n        int64 // bytes read
	allowed  int64 // bytes left for the current element; negative for no limit
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
	b.n += int64(n)
	if b.allowed > 0 {
		b.allowed -= int64(n)
	}
	switch {
	case err == nil:
		return n, nil
	case err == io.EOF:
		_ = b.deadline.set(time.Time{}) // the body is complete: stop waiting for the client
		return n, io.EOF
	case errors.As(err, new(problem.StatusCoder)):
		b.err = err
	default:
		b.err = NewProblem(body.StatusOf(err), "").Wrap(err)
	}
	return n, b.err
}

package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"runtime/debug"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/internal/http/problem"
	"github.com/hone-go/hone/internal/memory/buffer"
)

// A Problem is an error document (RFC 9457). It is also an error, which handlers and
// middleware can return, and an http.Handler that answers with the document.
type Problem struct {
	Type     string         `json:"type,omitempty"`  // a URI; "" means about:blank
	Title    string         `json:"title,omitempty"` // the same for all problems of a Type
	Status   int            `json:"status"`
	Detail   string         `json:"detail,omitempty"`
	Instance string         `json:"instance,omitempty"`
	Errors   []FieldProblem `json:"errors,omitempty"` // faults of single inputs

	err      error
	document error // the error that embeds the Problem and is sent in its place; may be nil
}

var _ problem.StatusCoder = (*Problem)(nil)

// A FieldProblem describes a fault of one input of a request.
type FieldProblem struct {
	In     string `json:"in"`               // path, query, header, cookie, form or body
	Name   string `json:"name,omitempty"`   // name of the parameter, or path into the body
	Detail string `json:"detail"`           // a description for people
	Offset int64  `json:"offset,omitempty"` // in the body, in bytes
}

// Error returns the place and the detail. A Validate method may return a FieldProblem, or
// several joined by errors.Join. In such errors, Name is the path relative to the value whose
// Validate method was called.
func (f FieldProblem) Error() string {
	if f.Name == "" {
		return f.Detail
	}
	return f.Name + " " + f.Detail
}

// NewProblem returns a problem of the given status, with the status' text as
// its title.
func NewProblem(status int, detail string) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Detail: detail}
}

func (p *Problem) Error() string {
	s := p.Title
	if p.Detail != "" {
		s += ": " + p.Detail
	}
	for _, f := range p.Errors {
		s += "; " + f.In + " " + f.Name + ": " + f.Detail
	}
	if p.err != nil && len(p.Errors) == 0 {
		s += ": " + p.err.Error()
	}
	return s
}

// StatusCode returns Status.
func (p *Problem) StatusCode() int { return p.Status }

// ProblemError returns the problem as a problem of package web, without Errors. With this
// method a Problem is a web.ProblemErrorer, for error handlers that do not know package api.
// web's own handler sends the whole Problem.
func (p *Problem) ProblemError() *problem.Error {
	return &problem.Error{Type: p.Type, Title: p.Title, Status: p.Status, Detail: p.Detail, Instance: p.Instance}
}

// Unwrap returns the cause, which is not part of the document.
func (p *Problem) Unwrap() error { return p.err }

// Wrap returns a copy of the problem with err as its cause.
func (p Problem) Wrap(err error) *Problem {
	p.err = err
	return &p
}

// embedded returns p. An error that embeds a Problem has this method too: ProblemOf recognizes such
// an error by the method.
func (p *Problem) embedded() *Problem { return p }

// ProblemOf returns the problem for an error. The problem comes from err's chain:
//
//   - from the first error that is a Problem or embeds a Problem; an error that embeds a Problem is
//     sent in place of the Problem
//   - else from the first error with a method StatusCode() int
//
// Otherwise it is a problem of status 500. The result of a method Detail() string of an error, such
// as a web.HTTPError, becomes the detail. No other text of an error is part of the problem.
func ProblemOf(err error) *Problem {
	if p, ok := err.(*Problem); ok {
		return p // errors.As would allocate
	}
	var embeds interface{ embedded() *Problem }
	if errors.As(err, &embeds) {
		p := embeds.embedded()
		if document, ok := embeds.(error); ok && any(p) != embeds {
			with := *p
			with.err, with.document = err, document
			return &with
		}
		return p
	}
	status, detail := http.StatusInternalServerError, ""
	var coder problem.StatusCoder
	if errors.As(err, &coder) && coder.StatusCode() != 0 {
		status = coder.StatusCode()
	}
	var detailed problem.Detailer
	if errors.As(err, &detailed) && detailed.Detail() != http.StatusText(status) {
		detail = detailed.Detail()
	}
	p := NewProblem(status, detail)
	p.err = err
	return p
}

// WriteError answers with the problem for an error. It does not log. With package web, this
// makes every error a problem document:
//
//	e.HTTPErrorHandler = web.WrapErrorHandler(api.WriteError)
func WriteError(w http.ResponseWriter, r *http.Request, err error) { ProblemOf(err).ServeHTTP(w, r) }

// ServeHTTP answers with the document. A status outside 400..599 becomes 500. The cause is
// neither sent nor logged.
func (p *Problem) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.Status < 400 || p.Status > 599 {
		changed := *p
		changed.Status = http.StatusInternalServerError
		p = &changed
	}
	x := exchange{w: w, r: r}
	if r.Method == http.MethodHead {
		w.WriteHeader(p.Status)
		return
	}
	buf := buffer.Take()
	defer buf.Release()
	var err error
	if buf.B, err = x.appendProblem(buf.B, p); err != nil {
		w.WriteHeader(p.Status)
		return
	}
	w.Header()["Content-Type"] = problemType // replaces the type set for the failed answer
	x.begin(p.Status, problemType)
	_, _ = w.Write(append(buf.B, '\n'))
}

// appendProblem appends the document of p. If the error that is sent in place of p cannot be encoded, it logs why, and
// appends p itself.
func (x *exchange) appendProblem(dst []byte, p *Problem) (out []byte, err error) {
	if p.document == nil {
		return appendJSON(dst, p)
	}
	defer func() {
		if v := recover(); v != nil {
			err = x.panicked(v, false)
		} else if err != nil {
			x.logger().LogAttrs(x.r.Context(), slog.LevelError, "api: error document cannot be encoded",
				slog.String("method", x.r.Method), slog.String("route", x.r.Pattern), slog.Any("error", err))
		}
		if err != nil {
			out, err = appendJSON(dst, p)
		}
	}()
	return appendJSON(dst, p.document)
}

// These are values of Content-Type and X-Content-Type-Options. All answers share them, because net/http only reads
// them.
var (
	problemType = []string{MediaTypeProblem}
	nosniff     = []string{"nosniff"}
)

// appendJSON appends the JSON of v with the options for answers.
func appendJSON(dst []byte, v any) ([]byte, error) {
	return message.AnswerJSON(reflect.TypeOf(v)).Append(dst, v)
}

// panicked logs the value of a panic with the stack, and returns a problem of status 500. If the
// answer has begun, it panics with http.ErrAbortHandler instead. If the value is
// http.ErrAbortHandler, panicked only panics with it again, and logs nothing.
func (x *exchange) panicked(v any, begun bool) error {
	if v == http.ErrAbortHandler {
		panic(v)
	}
	x.logger().LogAttrs(x.r.Context(), slog.LevelError, "api: panic",
		slog.String("method", x.r.Method), slog.String("route", x.r.Pattern),
		slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
	if begun {
		panic(http.ErrAbortHandler) // closes the connection, so that the client sees that the body is incomplete
	}
	return NewProblem(http.StatusInternalServerError, "")
}

// problemOf returns the problem for an error of a typed handler.
func (x *exchange) problemOf(err error) *Problem {
	if errors.Is(err, context.Canceled) && x.r.Context().Err() != nil {
		return NewProblem(http.StatusServiceUnavailable, "").Wrap(err)
	}
	return ProblemOf(err)
}

// fail answers with the problem of err, for a router that does not handle errors. If the answer has begun, fail
// only logs err. It also logs err if the status is 500 or more and the problem wraps an error, since the client
// does not get the text of that error.
func (x *exchange) fail(err error, begun bool) {
	p := ProblemOf(err)
	level := slog.LevelError
	if errors.Is(err, context.Canceled) {
		level = slog.LevelInfo // the client has disconnected
	}
	if begun || p.Status >= http.StatusInternalServerError && p.err != nil {
		x.logger().LogAttrs(x.r.Context(), level, "api: request failed",
			slog.String("method", x.r.Method), slog.String("route", x.r.Pattern), slog.Any("error", err))
	}
	if !begun {
		p.ServeHTTP(x.w, x.r)
	}
}

package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
)

// A Problem is an error document (RFC 9457), and the error that carries it to
// the [HTTPErrorHandler].
type Problem struct {
	Type     string         `json:"type,omitempty"`  // a URI; "" means about:blank
	Title    string         `json:"title,omitempty"` // the same for every problem of a Type
	Status   int            `json:"status"`
	Detail   string         `json:"detail,omitempty"`
	Instance string         `json:"instance,omitempty"`
	Errors   []FieldProblem `json:"errors,omitempty"` // what is wrong with single inputs

	err error
}

// A FieldProblem says what is wrong with one input of a request.
type FieldProblem struct {
	In     string `json:"in"`               // path, query, header, cookie, form or body
	Name   string `json:"name,omitempty"`   // of the parameter, or the path into the body
	Detail string `json:"detail"`           // in words
	Offset int64  `json:"offset,omitempty"` // into the body, in bytes
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

// Unwrap returns the cause, which is not part of the document.
func (p *Problem) Unwrap() error { return p.err }

// Wrap returns a copy of the problem that has err as its cause.
func (p Problem) Wrap(err error) *Problem {
	p.err = err
	return &p
}

// ProblemOf returns the problem that stands for an error: the one in its chain,
// or one made of its status. The text of an error that is not meant for the
// client stays out of it.
func ProblemOf(err error) *Problem {
	if p, ok := err.(*Problem); ok {
		return p // errors.As would allocate
	}
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	status := StatusCode(err)
	if status == 0 {
		status = http.StatusInternalServerError
	}
	p = NewProblem(status, "")
	p.err = err
	var he *HTTPError
	if errors.As(err, &he) && he.Message != http.StatusText(status) {
		p.Detail = he.Message
	}
	return p
}

// ProblemErrorHandler returns a handler that answers every error with a problem
// document, not only those of typed handlers.
func ProblemErrorHandler() HTTPErrorHandler {
	return func(c *Context, err error) {
		if resp, e := UnwrapResponse(c.Response()); e == nil && resp.Committed {
			c.Logger().LogAttrs(c.Request().Context(), slog.LevelWarn, "web: error after the response began",
				slog.String("method", c.Request().Method), slog.String("route", c.Path()), slog.Any("error", err))
			return
		}
		_ = ProblemOf(err).write(c)
	}
}

// write sends the document, and logs the cause of a server error, since the
// client does not get to see it.
func (p *Problem) write(c *Context) error {
	status := p.Status
	if status < 400 || status > 599 {
		status = http.StatusInternalServerError
		changed := *p
		changed.Status = status
		p = &changed
	}
	r := c.Request()
	if status >= 500 && p.err != nil {
		level := slog.LevelError
		if errors.Is(p.err, context.Canceled) {
			level = slog.LevelInfo // the client went away
		}
		c.Logger().LogAttrs(r.Context(), level, "web: request failed",
			slog.String("method", r.Method), slog.String("route", c.Path()),
			slog.Int("status", status), slog.Any("error", p.err))
	}
	if r.Method == http.MethodHead {
		return c.NoContent(status)
	}
	buf := takeBuffer()
	defer buf.release()
	if err := buf.json(p, ""); err != nil {
		return err
	}
	c.begin(status, problemType)
	_, err := c.Response().Write(buf.b)
	return err
}

package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/http/body"
)

// An exchange is one request and its answer.
type exchange struct {
	w    http.ResponseWriter
	r    *http.Request
	path interface{ PathValue(name string) string }
	log  *slog.Logger // the API's logger; nil for slog.Default()
}

// A requestPath returns the path values that the router has set on the request.
type requestPath http.Request

func (p *requestPath) Get(name string) (string, bool) {
	v := (*http.Request)(p).PathValue(name)
	return v, v != ""
}

// A pathFunc is a bind.Lookup for any type with a method PathValue.
type pathFunc struct {
	path interface{ PathValue(name string) string }
}

func (p pathFunc) Get(name string) (string, bool) {
	v := p.path.PathValue(name)
	return v, v != ""
}

// pathValues returns the path values for package bind. For the routers of net/http and package web it allocates
// nothing.
func (x *exchange) pathValues() bind.Lookup {
	switch path := x.path.(type) {
	case *http.Request:
		return (*requestPath)(path)
	case bind.Lookup:
		return path
	}
	return pathFunc{x.path}
}

// bodyLimit returns the limit of a body. It is the first one that is set of own, which is the
// operation's limit, the router's limit, and byDefault.
func (x *exchange) bodyLimit(own, byDefault int64) int64 {
	var router int64
	if path, ok := x.path.(interface{ BodyLimit() int64 }); ok {
		router = path.BodyLimit()
	}
	return body.Limit(own, router, byDefault)
}

func (x *exchange) logger() *slog.Logger {
	if path, ok := x.path.(interface{ Logger() *slog.Logger }); ok {
		return path.Logger()
	}
	if x.log != nil {
		return x.log
	}
	return slog.Default()
}

// begin sends the header of an answer with a body. The media type is mediaType unless
// middleware has already set one.
func (x *exchange) begin(status int, mediaType []string) {
	h := x.w.Header()
	if set := h["Content-Type"]; len(set) == 0 || set[0] == "" {
		h["Content-Type"] = mediaType
	}
	h["X-Content-Type-Options"] = nosniff
	x.w.WriteHeader(status)
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

// Package middleware contains middleware for package web, with the API of Echo v5's package. Each middleware has a
// function with the default configuration, a WithConfig twin, and a Config whose method ToMiddleware reports
// mistakes in the configuration.
//
//	e.Use(middleware.RequestLogger(), middleware.RequestID(), middleware.Recover(), middleware.Secure())
//
// A function WithConfig panics with the error of ToMiddleware, if there is one.
//
// Everything that depends only on the configuration, above all header values, is
// rendered when the middleware is made. Memory that a handler or an outer middleware
// can still refer to is never reused for another request.
package middleware

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"github.com/hone-go/hone/web"
)

// A Skipper reports whether a middleware skips a request.
type Skipper func(c *web.Context) bool

// A BeforeFunc runs just before a middleware.
type BeforeFunc func(c *web.Context)

// DefaultSkipper never skips.
func DefaultSkipper(c *web.Context) bool { return false }

// These are sizes in bytes.
const (
	_  = int64(1 << (10 * iota))
	KB // 1024 bytes
	MB // 1024 KB
	GB // 1024 MB
	TB // 1024 GB
	PB // 1024 TB
	EB // 1024 PB
)

func orPanic(m web.MiddlewareFunc, err error) web.MiddlewareFunc {
	if err != nil {
		panic(err)
	}
	return m
}

// skippable makes middleware that runs handle for requests that are not skipped.
func skippable(skipped Skipper, handle func(c *web.Context, next web.HandlerFunc) error) web.MiddlewareFunc {
	if skipped == nil {
		skipped = DefaultSkipper
	}
	return func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			if skipped(c) {
				return next(c)
			}
			return handle(c, next)
		}
	}
}

// A wrapper is a base for response writers that wrap another writer. It forwards the
// optional methods of the wrapped writer.
type wrapper struct{ http.ResponseWriter }

// Flush panics if the wrapped writer cannot flush, as [web.Response.Flush] does.
func (w wrapper) Flush() {
	if err := w.FlushError(); errors.Is(err, http.ErrNotSupported) {
		panic(fmt.Errorf("middleware: response writer %T does not support flushing (http.Flusher interface)", w.ResponseWriter))
	}
}

func (w wrapper) FlushError() error { return http.NewResponseController(w.ResponseWriter).Flush() }

func (w wrapper) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

func (w wrapper) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A rendered header is shared by all responses. net/http only reads it, and Header.Set
// and Header.Add replace or copy it.
type rendered struct {
	name  string
	value []string
}

func render(name, value string) rendered {
	return rendered{http.CanonicalHeaderKey(name), []string{value}}
}

// addTo adds the value to the header's existing values.
func (r rendered) addTo(h http.Header) {
	if old := h[r.name]; len(old) > 0 {
		h[r.name] = append(old[:len(old):len(old)], r.value...)
		return
	}
	h[r.name] = r.value
}

// field is Header.Get for a canonical name.
func field(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// checkOrigin returns an error if a string is not an origin: a scheme, a host, and
// optionally a port.
func checkOrigin(origin, what string) error {
	u, err := url.Parse(origin)
	switch {
	case err != nil:
		return fmt.Errorf("cannot parse %s: %w", what, err)
	case u.Scheme == "" || u.Host == "":
		return fmt.Errorf("%s is missing scheme or host: %s", what, origin)
	case u.Path != "" || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%s can not have path, query, and fragments: %s", what, origin)
	}
	return nil
}

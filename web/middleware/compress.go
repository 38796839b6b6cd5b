package middleware

import (
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/hone-go/hone/web"
)

// A Compressor writes one content coding. The writers of compress/gzip are Compressors, and so
// are the writers of many other packages.
//
// Reset starts a new stream that is written to w. Flush writes all buffered data, so that a
// client can read all bytes written so far. Close ends the stream, and does not close w. Write
// neither modifies nor retains its argument.
type Compressor interface {
	io.WriteCloser
	Flush() error
	Reset(w io.Writer)
}

// A Coding is a content coding that Compress can write.
type Coding struct {
	// Name is the name in Accept-Encoding and Content-Encoding, such as "gzip".
	Name string
	// New creates a Compressor. It is reset before it is used. Between two responses it is kept in
	// a pool, and must not refer to a response. The coding must allow a body of several consecutive
	// streams: if an outer middleware writes after the end of the first stream, another stream
	// begins.
	New func() Compressor
}

// A CompressConfig configures CompressWithConfig.
type CompressConfig struct {
	Skipper Skipper
	// MinLength is the minimum length of a body that is compressed. A body that is
	// flushed before it reaches MinLength is compressed too.
	MinLength int
	// Codings are the available codings, in order of preference. There must be at least one.
	Codings []Coding
}

// CompressWithConfig compresses the response. The weights in Accept-Encoding select the coding;
// among codings with equal weights it is the first in Codings. A response that already has a
// content coding, that has no body, or that is part of a body (206) is not compressed.
// CompressWithConfig panics if ToMiddleware returns an error.
func CompressWithConfig(config CompressConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

var varyAcceptEncoding = render(web.HeaderVary, web.HeaderAcceptEncoding)

// ToMiddleware makes the middleware. The error names a coding without a name or without New, or
// a coding whose name appears twice.
func (config CompressConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	codings, err := config.codings()
	if err != nil {
		return nil, err
	}
	minLength := max(config.MinLength, 0)
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		outer := c.Response()
		varyAcceptEncoding.addTo(outer.Header())
		chosen := choose(codings, c.Request().Header[web.HeaderAcceptEncoding])
		if chosen == nil {
			return next(c)
		}
		w := newCompressWriter(outer, c.Request(), chosen, minLength)
		c.SetResponse(w)
		defer func() {
			w.finish()
			if !w.compressing {
				c.SetResponse(outer)
			}
		}()
		return next(c)
	}), nil
}

// Handler wraps an http.Handler in the middleware. It returns the errors of
// ToMiddleware. A Skipper is an error too, because it needs a web.Context.
func (config CompressConfig) Handler(next http.Handler) (http.Handler, error) {
	if config.Skipper != nil {
		return nil, errors.New("a Skipper needs a web.Context, which an http.Handler does not have")
	}
	codings, err := config.codings()
	if err != nil {
		return nil, err
	}
	minLength := max(config.MinLength, 0)
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		varyAcceptEncoding.addTo(rw.Header())
		chosen := choose(codings, r.Header[web.HeaderAcceptEncoding])
		if chosen == nil {
			next.ServeHTTP(rw, r)
			return
		}
		w := newCompressWriter(rw, r, chosen, minLength)
		defer w.finish()
		next.ServeHTTP(w, r)
	}), nil
}

// A coding is a Coding with its pool and the value of Content-Encoding.
type coding struct {
	name  string
	field []string
	pool  sync.Pool
}

func (config CompressConfig) codings() ([]*coding, error) {
	if len(config.Codings) == 0 {
		return nil, errors.New("at least one content coding is required")
	}
	var all []*coding
	for _, c := range config.Codings {
		name := strings.ToLower(c.Name)
		if name == "" || name == "identity" || c.New == nil || strings.ContainsAny(name, " \t,;*") {
			return nil, fmt.Errorf("content coding %q is invalid: its Name must be a token other than identity, and New must not be nil", c.Name)
		}
		for _, other := range all {
			if other.name == name {
				return nil, fmt.Errorf("content coding %q is listed twice", c.Name)
			}
		}
		one := &coding{name: name, field: []string{name}}
		one.pool.New = func() any { return &compressor{Compressor: c.New()} }
		all = append(all, one)
	}
	return all, nil
}

// choose returns the coding that a client prefers, or nil if it accepts none (RFC 9110, 12.5.3).
// A client that weighs identity below a coding, or equally, prefers the coding.
func choose(codings []*coding, accept []string) (best *coding) {
	if len(accept) == 0 {
		return nil
	}
	least := 1
	if w := weight(accept, "identity"); w.listed {
		least = max(least, w.q)
	}
	for _, c := range codings {
		if q := weight(accept, c.name).q; q >= least {
			best, least = c, q+1
		}
	}
	return best
}

// refusesIdentity reports whether a client refuses a body without a coding (RFC 9110, 12.5.3).
func refusesIdentity(accept []string) bool {
	w := weight(accept, "identity")
	return (w.listed || w.any) && w.q == 0
}

// A codingWeight is the weight of a coding in Accept-Encoding. listed is set if the coding is
// listed by its name, and any if it is only matched by "*".
type codingWeight struct {
	q           int
	listed, any bool
}

// weight returns the weight of the named coding in the fields Accept-Encoding.
func weight(accept []string, name string) (w codingWeight) {
	for _, list := range accept {
		for more := true; more; {
			var item string
			item, list, more = strings.Cut(list, ",")
			item, params, _ := strings.Cut(item, ";")
			item = strings.TrimSpace(item)
			if strings.EqualFold(item, name) || name == gzipScheme && strings.EqualFold(item, "x-gzip") {
				return codingWeight{q: qvalue(params), listed: true}
			}
			if item == "*" {
				w.q, w.any = qvalue(params), true
			}
		}
	}
	return w
}

// qvalue returns the weight in parameters, in thousandths. It is 1000 if there is no weight or if
// the weight is malformed.
func qvalue(params string) int {
	for more := params != ""; more; {
		var p string
		p, params, more = strings.Cut(params, ";")
		name, value, _ := strings.Cut(p, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		whole, digits, _ := strings.Cut(strings.TrimSpace(value), ".")
		if whole == "" || strings.Trim(whole, "0") != "" {
			return 1000
		}
		q, unit := 0, 100
		for _, d := range digits {
			if d < '0' || d > '9' {
				return 1000
			}
			if q += int(d-'0') * unit; unit == 0 && d != '0' {
				q = max(q, 1) // a weight of 0.0001 is small, but not a refusal
			}
			unit /= 10
		}
		return q
	}
	return 1000
}

// A GzipConfig configures Gzip.
type GzipConfig struct {
	Skipper Skipper
	// Level is a level of package gzip; 0 means the default.
	Level int
	// MinLength is the minimum length of a body that is compressed. A body that is
	// flushed before it reaches MinLength is compressed too.
	MinLength int
}

const gzipScheme = "gzip"

// Gzip compresses the response for clients that accept gzip. A response that already
// has a content coding, that has no body, or that is part of a body (206) is not
// compressed. For other codings, or another implementation of gzip, use
// CompressWithConfig.
func Gzip() web.MiddlewareFunc { return GzipWithConfig(GzipConfig{}) }

// GzipWithConfig is Gzip with a configuration.
func GzipWithConfig(config GzipConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config GzipConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Level < gzip.HuffmanOnly || config.Level > gzip.BestCompression {
		return nil, errors.New("invalid gzip level")
	}
	level := cmp.Or(config.Level, gzip.DefaultCompression)
	return CompressConfig{Skipper: config.Skipper, MinLength: config.MinLength, Codings: []Coding{{
		Name: gzipScheme,
		New: func() Compressor {
			w, _ := gzip.NewWriterLevel(nil, level) // the level is valid
			return w
		},
	}}}.ToMiddleware()
}

package middleware

import (
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/hone-go/hone/web"
)

// A GzipConfig configures Gzip.
type GzipConfig struct {
	Skipper Skipper
	// Level is that of package gzip; 0 means the default.
	Level int
	// MinLength is how long a body must be to be compressed. A body that is
	// flushed before is compressed all the same.
	MinLength int
}

const gzipScheme = "gzip"

// Gzip compresses the response for clients that accept it. It leaves alone what
// is encoded already, what has no body, and parts of a body (206).
func Gzip() web.MiddlewareFunc { return GzipWithConfig(GzipConfig{}) }

// GzipWithConfig is Gzip as configured.
func GzipWithConfig(config GzipConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

var (
	varyAcceptEncoding = render(web.HeaderVary, web.HeaderAcceptEncoding)
	gzipEncoding       = []string{gzipScheme}
)

// ToMiddleware makes the middleware.
func (config GzipConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Level < gzip.HuffmanOnly || config.Level > gzip.BestCompression {
		return nil, errors.New("invalid gzip level")
	}
	config.Level = cmp.Or(config.Level, gzip.DefaultCompression)
	pool := &sync.Pool{New: func() any {
		z := &zipper{}
		z.Writer, _ = gzip.NewWriterLevel(&z.out, config.Level) // the level is a valid one
		return z
	}}
	minLength := max(config.MinLength, 0)
	return unless(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		outer := c.Response()
		varyAcceptEncoding.addTo(outer.Header())
		if !acceptsGzip(c.Request().Header[web.HeaderAcceptEncoding]) {
			return next(c)
		}
		w := &gzipWriter{wrapper: wrapper{outer}, pool: pool, minLength: minLength}
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

// acceptsGzip reads Accept-Encoding (RFC 9110, 12.5.3).
func acceptsGzip(fields []string) bool {
	star := false
	for _, list := range fields {
		for item := range strings.SplitSeq(list, ",") {
			coding, params, _ := strings.Cut(item, ";")
			coding = strings.TrimSpace(coding)
			if strings.EqualFold(coding, gzipScheme) || strings.EqualFold(coding, "x-gzip") {
				return !zeroWeight(params)
			}
			if coding == "*" {
				star = !zeroWeight(params)
			}
		}
	}
	return star
}

// zeroWeight reports whether the parameters hold q=0.
func zeroWeight(params string) bool {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			value = strings.TrimSpace(value)
			return strings.HasPrefix(value, "0") && strings.Trim(value, "0.") == ""
		}
	}
	return false
}

// A zipper is a gzip.Writer that can be cut off from its response. Resetting it
// does so too, but clears two thirds of a megabyte, more than it takes to
// compress a page: that happens once for a response, when it is taken.
type zipper struct {
	*gzip.Writer
	out outlet
}

// An outlet is where a zipper writes to; nil while that is in the pool.
type outlet struct{ io.Writer }

// A gzipWriter compresses a response. It is never used for another one; the
// zipper that it holds is, but only between taking it and giving it back. The lock
// is for a goroutine that goes on writing while the handler returns, against the
// rules: it must not write to a zipper that another response has.
//
// Once the handler has returned, the stream is complete. What an outer
// middleware writes after that becomes a further member of the gzip stream,
// which the client reads as one (RFC 1952, 2.2).
type gzipWriter struct {
	wrapper
	pool      *sync.Pool
	mu        sync.Mutex
	gz        *zipper // nil unless a member is open
	minLength int
	held      []byte // the body, while it may yet be too short
	status    int    // 0 until the response has begun

	decided     bool // whether to compress, which is in compressing
	compressing bool
	finished    bool
}

func (w *gzipWriter) WriteHeader(code int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writeHeader(code)
}

func (w *gzipWriter) writeHeader(code int) {
	switch {
	case code >= 100 && code < 200 && code != http.StatusSwitchingProtocols:
		w.ResponseWriter.WriteHeader(code)
	case w.decided:
		w.ResponseWriter.WriteHeader(code) // which complains
	case w.status == 0:
		w.status = code
		if !w.compressible() {
			w.pass()
		}
	}
}

// compressible reports whether the response may be compressed, by its status
// and its header.
func (w *gzipWriter) compressible() bool {
	if w.status < 200 || w.status == http.StatusNoContent || w.status == http.StatusNotModified || w.status == http.StatusPartialContent {
		return false
	}
	h := w.Header()
	return len(h[web.HeaderContentEncoding]) == 0 && len(h["Content-Range"]) == 0
}

// pass sends the header of a response that is left alone, and what was held.
func (w *gzipWriter) pass() {
	w.decided = true
	if w.status != 0 {
		w.ResponseWriter.WriteHeader(w.status)
	}
	if len(w.held) > 0 {
		_, _ = w.ResponseWriter.Write(w.held)
		w.held = nil
	}
}

// compress sends the header of a response that is compressed, and what was held.
func (w *gzipWriter) compress() error {
	w.decided, w.compressing = true, true
	h := w.Header()
	delete(h, web.HeaderContentLength)
	h[web.HeaderContentEncoding] = gzipEncoding
	if tag := h.Get("Etag"); strings.HasPrefix(tag, `"`) {
		h.Set("Etag", "W/"+tag) // the tag is of the body before compression
	}
	w.ResponseWriter.WriteHeader(w.status)
	w.open()
	held := w.held
	w.held = nil
	if len(held) == 0 {
		return nil
	}
	_, err := w.gz.Write(held)
	return err
}

func (w *gzipWriter) open() {
	w.gz = w.pool.Get().(*zipper)
	w.gz.out.Writer = w.ResponseWriter
	w.gz.Reset(&w.gz.out)
}

func (w *gzipWriter) close() {
	_ = w.gz.Close()
	w.gz.out.Writer = nil
	w.pool.Put(w.gz)
	w.gz = nil
}

func (w *gzipWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.decided {
		if h := w.Header(); len(h[web.HeaderContentType]) == 0 && len(h[web.HeaderContentEncoding]) == 0 {
			h.Set(web.HeaderContentType, http.DetectContentType(b))
		}
		if w.status == 0 {
			w.writeHeader(http.StatusOK)
		}
	}
	switch {
	case w.decided && !w.compressing:
		return w.ResponseWriter.Write(b)
	case w.finished:
		w.open()
		defer w.close()
	case !w.decided:
		if len(w.held)+len(b) < w.minLength {
			w.held = append(w.held, b...)
			return len(b), nil
		}
		if err := w.compress(); err != nil {
			return 0, err
		}
	}
	return w.gz.Write(b)
}

// FlushError sends what there is, compressed.
func (w *gzipWriter) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.decided {
		if w.status == 0 {
			w.writeHeader(http.StatusOK)
		}
		if !w.decided {
			if err := w.compress(); err != nil {
				return err
			}
		}
	}
	if w.gz != nil {
		if err := w.gz.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Flush is FlushError as an http.Flusher.
func (w *gzipWriter) Flush() { _ = w.FlushError() }

// Push implements http.Pusher.
func (w *gzipWriter) Push(target string, opts *http.PushOptions) error {
	if p, ok := w.ResponseWriter.(http.Pusher); ok {
		return p.Push(target, opts)
	}
	return http.ErrNotSupported
}

// finish ends the stream, or sends a body that stayed short.
func (w *gzipWriter) finish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.decided {
		w.pass()
	}
	if w.gz != nil {
		w.close()
	}
	w.finished = true
}

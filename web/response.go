package web

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
)

// A Response is the initial http.ResponseWriter of a [Context]. It records the
// status and the size of the response, and whether the response has begun.
type Response struct {
	http.ResponseWriter

	Status    int   // 0 until set or written
	Size      int64 // body bytes written
	Committed bool  // the header has been sent

	before   []func()
	after    []func()
	hijacked bool
	logger   *slog.Logger
}

// NewResponse returns a Response that writes to w.
func NewResponse(w http.ResponseWriter, logger *slog.Logger) *Response {
	return &Response{ResponseWriter: w, logger: logger}
}

// reset detaches the Response from the writer. It keeps the logger.
func (r *Response) reset() {
	if r.before != nil || r.after != nil {
		r.before, r.after = nil, nil
	}
	r.ResponseWriter = ended{}
	r.Status, r.Size, r.Committed = http.StatusOK, 0, false
}

// Before registers a function to run just before the header is sent.
func (r *Response) Before(fn func()) { r.before = append(r.before, fn) }

// After registers a function to run after each write of the body.
func (r *Response) After(fn func()) { r.after = append(r.after, fn) }

// WriteHeader sends the header. A second call is logged and has no effect.
func (r *Response) WriteHeader(code int) {
	if r.Committed {
		if r.logger != nil {
			r.logger.Warn("web: response header written twice", "status", r.Status, "again", code)
		}
		return
	}
	// Any number of informational responses (1xx) may precede the response.
	if code >= 100 && code < 200 && code != http.StatusSwitchingProtocols {
		r.ResponseWriter.WriteHeader(code)
		return
	}
	r.Status = code
	for _, fn := range r.before {
		fn()
	}
	r.ResponseWriter.WriteHeader(r.Status)
	r.Committed = true
}

// Write writes to the body. If the header has not been sent, it is sent first,
// with Status if that is set, else with 200.
func (r *Response) Write(b []byte) (n int, err error) {
	r.begin()
	n, err = r.ResponseWriter.Write(b)
	r.wrote(int64(n))
	return n, err
}

// WriteString is Write without copying s into a byte slice.
func (r *Response) WriteString(s string) (n int, err error) {
	r.begin()
	if w, ok := r.ResponseWriter.(stringWriter); ok {
		n, err = w.WriteString(s)
	} else {
		n, err = r.ResponseWriter.Write([]byte(s))
	}
	r.wrote(int64(n))
	return n, err
}

// ReadFrom copies src to the body. If src is a file, net/http can let the kernel copy
// the content (sendfile).
func (r *Response) ReadFrom(src io.Reader) (n int64, err error) {
	r.begin()
	n, err = io.Copy(r.ResponseWriter, src)
	r.wrote(n)
	return n, err
}

type stringWriter interface{ WriteString(s string) (int, error) }

func (r *Response) begin() {
	if !r.Committed {
		if r.Status == 0 {
			r.Status = http.StatusOK
		}
		r.WriteHeader(r.Status)
	}
}

func (r *Response) wrote(n int64) {
	r.Size += n
	for _, fn := range r.after {
		fn()
	}
}

// Flush sends buffered data. As in Echo, it panics if the underlying writer cannot flush; FlushError
// returns an error instead.
func (r *Response) Flush() {
	if err := r.FlushError(); errors.Is(err, http.ErrNotSupported) {
		panic(fmt.Errorf("echo: response writer %T does not support flushing (http.Flusher interface)", r.ResponseWriter))
	}
}

// FlushError is Flush with an error, for http.ResponseController.
func (r *Response) FlushError() error {
	r.begin()
	return http.NewResponseController(r.ResponseWriter).Flush()
}

// Hijack hands the connection to the caller; see http.Hijacker.
func (r *Response) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(r.ResponseWriter).Hijack()
	if err == nil {
		r.Committed = true
		r.hijacked = true
	}
	return conn, rw, err
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (r *Response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

var errNoResponse = errors.New("ResponseWriter does not implement 'Unwrap() http.ResponseWriter' interface or unwrap to *echo.Response")

// UnwrapResponse returns the Response inside a chain of wrapping writers.
func UnwrapResponse(rw http.ResponseWriter) (*Response, error) {
	for {
		switch w := rw.(type) {
		case *Response:
			return w, nil
		case interface{ Unwrap() http.ResponseWriter }:
			rw = w.Unwrap()
		default:
			return nil, errNoResponse
		}
	}
}

// ResolveResponseStatus returns rw's Response and the status that was sent. If the
// response has not begun, it returns the status that will be sent if the handler
// chain ends with err: the status of err, else the status set on the Response,
// else 200.
func ResolveResponseStatus(rw http.ResponseWriter, err error) (resp *Response, status int) {
	resp, _ = UnwrapResponse(rw)
	if resp != nil && resp.Committed {
		return resp, cmp.Or(resp.Status, http.StatusOK)
	}
	if err != nil {
		if status = StatusCode(err); status == 0 {
			status = http.StatusInternalServerError
		}
		return resp, status
	}
	if resp != nil && resp.Status != 0 {
		return resp, resp.Status
	}
	return resp, http.StatusOK
}

// withoutBody returns a handler for HEAD that runs h, a handler for GET. It sends only the
// header, with the length of the omitted body.
func withoutBody(h HandlerFunc) HandlerFunc {
	return func(c *Context) error {
		w := &headWriter{ResponseWriter: c.response}
		err := func() error {
			defer func() { c.response = w.ResponseWriter }() // also after a panic: the error response must not go through w
			c.response = w
			return h(c)
		}()
		w.finish()
		return err
	}
}

// A headWriter counts the bytes of the body instead of sending them, and delays the header until
// their number is known.
type headWriter struct {
	http.ResponseWriter
	status int // 0 until the response has begun
	length int64
	open   bool // the length is unknown because part of the body was flushed
}

func (w *headWriter) WriteHeader(code int) {
	switch {
	case code >= 100 && code < 200 && code != http.StatusSwitchingProtocols:
		w.ResponseWriter.WriteHeader(code) // an informational response precedes the response
	case w.status == 0:
		w.status = code
	}
}

func (w *headWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.length += int64(len(b))
	return len(b), nil
}

// FlushError sends nothing, because there is no body. A response that is flushed
// before its end has no Content-Length.
func (w *headWriter) FlushError() error {
	w.WriteHeader(http.StatusOK)
	w.open = true
	return nil
}

// Flush is FlushError for handlers that use http.Flusher.
func (w *headWriter) Flush() { _ = w.FlushError() }

func (w *headWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// finish sends the header, if the handler began a response.
func (w *headWriter) finish() {
	if w.status == 0 {
		return
	}
	h := w.Header()
	if !w.open && bodyAllowed(w.status) && h.Get(HeaderContentLength) == "" && h.Get("Transfer-Encoding") == "" {
		h.Set(HeaderContentLength, strconv.FormatInt(w.length, 10))
	}
	w.ResponseWriter.WriteHeader(w.status)
}

func bodyAllowed(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusResetContent && status != http.StatusNotModified
}

package web

import (
	"net/http"
	"strconv"
)

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

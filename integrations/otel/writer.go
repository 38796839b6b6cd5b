package otel

import (
	"bufio"
	"io"
	"net"
	"net/http"
)

// A responseWriter records the status of the response.
type responseWriter struct {
	http.ResponseWriter
	status int // 0 until the header is sent
}

func (w *responseWriter) WriteHeader(status int) {
	if w.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// begun sets the status to 200 if no status was sent before the body.
func (w *responseWriter) begun() {
	if w.status == 0 {
		w.status = http.StatusOK
	}
}

func (w *responseWriter) Write(p []byte) (int, error) {
	w.begun()
	return w.ResponseWriter.Write(p)
}

// ReadFrom implements io.ReaderFrom, so that the server can send files without copying them.
func (w *responseWriter) ReadFrom(r io.Reader) (int64, error) {
	w.begun()
	return io.Copy(w.ResponseWriter, r)
}

// Flush implements http.Flusher.
func (w *responseWriter) Flush() { _ = w.FlushError() }

func (w *responseWriter) FlushError() error {
	w.begun()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

func (w *responseWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil && w.status == 0 {
		w.status = http.StatusSwitchingProtocols
	}
	return conn, rw, err
}

// Unwrap supports http.ResponseController.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

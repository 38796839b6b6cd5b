package middleware

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/hone-go/hone/web"
)

// A compressor is a Compressor that writes to the response through its outlet. Clearing the
// outlet detaches the Compressor from the response. Reset would do so too, but the Reset of a
// gzip.Writer clears two thirds of a megabyte, which takes longer than compressing a page. So
// Reset is called only once for a response, when the compressor is taken from the pool.
type compressor struct {
	Compressor
	out  outlet
	text [2048]byte // part of a string that is being written
}

// WriteString writes the string piece by piece, as a Compressor has no WriteString.
func (c *compressor) WriteString(s string) (n int, err error) {
	for n < len(s) && err == nil {
		var wrote int
		wrote, err = c.Write(c.text[:copy(c.text[:], s[n:])])
		n += wrote
	}
	return n, err
}

// An outlet holds the writer of a compressor; nil while the compressor is in the pool.
type outlet struct{ io.Writer }

// A compressWriter compresses one response. A compressor is reused by other responses; a
// compressWriter is not. The body consists of one or more streams, called members. A compressWriter
// has a compressor only while a member is open. The lock protects against goroutines that break the
// rules and still write while the handler returns: such a goroutine must not write to a compressor
// that another response uses.
//
// When the handler has returned, the member is complete. If an outer middleware then writes more, the
// bytes become another member. The client decodes all members as one body, because gzip allows
// several members (RFC 1952, 2.2), and zstd several frames (RFC 8878, 3.1).
type compressWriter struct {
	wrapper
	coding    *coding
	mu        sync.Mutex
	member    *compressor // nil unless a member is open
	minLength int
	head      bool     // the request is HEAD, so there is no body
	held      heldBody // the body so far, while it is shorter than minLength
	status    int      // 0 until the response has begun

	decided     bool // whether to compress has been decided; see compressing
	compressing bool
	finished    bool
}

// newCompressWriter returns the writer for the response to r. Its minimum length is 0 if the client refuses a body that is
// not compressed.
func newCompressWriter(outer http.ResponseWriter, r *http.Request, chosen *coding, minLength int) *compressWriter {
	if minLength > 0 && refusesIdentity(r.Header[web.HeaderAcceptEncoding]) {
		minLength = 0
	}
	return &compressWriter{wrapper: wrapper{outer}, coding: chosen, minLength: minLength, head: r.Method == http.MethodHead}
}

func (w *compressWriter) WriteHeader(code int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writeHeader(code)
}

func (w *compressWriter) writeHeader(code int) {
	switch {
	case code >= 100 && code < 200 && code != http.StatusSwitchingProtocols:
		w.ResponseWriter.WriteHeader(code)
	case w.decided:
		w.ResponseWriter.WriteHeader(code) // the outer writer logs the superfluous call
	case w.status == 0:
		w.status = code
		if !w.compressible() {
			w.pass()
		}
	}
}

// compressible reports whether the status and the header of the response allow
// compressing it.
func (w *compressWriter) compressible() bool {
	if w.status < 200 || w.status == http.StatusNoContent || w.status == http.StatusNotModified || w.status == http.StatusPartialContent {
		return false
	}
	h := w.Header()
	return len(h[web.HeaderContentEncoding]) == 0 && len(h["Content-Range"]) == 0
}

// pass sends the header of a response that is not compressed, and the part of the body that was
// held back.
func (w *compressWriter) pass() {
	w.decided = true
	if w.status != 0 {
		w.ResponseWriter.WriteHeader(w.status)
	}
	if len(w.held) > 0 {
		_, _ = w.ResponseWriter.Write(w.held)
		w.held = nil
	}
}

// announce sends the header of a compressed response.
func (w *compressWriter) announce() {
	w.decided, w.compressing = true, true
	h := w.Header()
	delete(h, web.HeaderContentLength)
	delete(h, "Accept-Ranges") // a range would be part of the uncompressed body
	h[web.HeaderContentEncoding] = w.coding.field
	if tag := h.Get("Etag"); strings.HasPrefix(tag, `"`) {
		h.Set("Etag", "W/"+tag) // the strong tag identified the uncompressed body
	}
	w.ResponseWriter.WriteHeader(w.status)
}

// compress sends the header of a compressed response, and the part of the body that was held back.
func (w *compressWriter) compress() error {
	w.announce()
	w.open()
	held := w.held
	w.held = nil
	if len(held) == 0 {
		return nil
	}
	_, err := w.member.Write(held)
	return err
}

// open begins a member with a compressor from the pool.
func (w *compressWriter) open() {
	w.member = w.coding.pool.Get().(*compressor)
	w.member.out.Writer = w.ResponseWriter
	w.member.Reset(&w.member.out)
}

// close ends the member and returns its compressor to the pool.
func (w *compressWriter) close() {
	_ = w.member.Close()
	w.member.out.Writer = nil
	w.coding.pool.Put(w.member)
	w.member = nil
}

func (w *compressWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.untyped() {
		w.Header().Set(web.HeaderContentType, http.DetectContentType(b))
	}
	to, err := w.target(len(b))
	if err != nil {
		return 0, err
	}
	defer w.wrote()
	return to.Write(b)
}

// WriteString is Write without a copy of all of s.
func (w *compressWriter) WriteString(s string) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.untyped() {
		w.Header().Set(web.HeaderContentType, http.DetectContentType([]byte(s[:min(len(s), 512)])))
	}
	to, err := w.target(len(s))
	if err != nil {
		return 0, err
	}
	defer w.wrote()
	return io.WriteString(to, s)
}

// untyped reports whether the media type of the body has to be detected from its first bytes.
func (w *compressWriter) untyped() bool {
	if w.decided {
		return false
	}
	h := w.Header()
	return len(h[web.HeaderContentType]) == 0 && len(h[web.HeaderContentEncoding]) == 0
}

// target returns the writer for the next n bytes of the body. The caller calls wrote after it has written them.
func (w *compressWriter) target(n int) (io.Writer, error) {
	if !w.decided && w.status == 0 {
		w.writeHeader(http.StatusOK)
	}
	switch {
	case w.decided && !w.compressing:
		return w.ResponseWriter, nil
	case w.finished:
		w.open()
	case !w.decided:
		if len(w.held)+n < w.minLength {
			return &w.held, nil
		}
		if err := w.compress(); err != nil {
			return nil, err
		}
	}
	return w.member, nil
}

// wrote closes a member that was opened for one write only.
func (w *compressWriter) wrote() {
	if w.finished && w.member != nil {
		w.close()
	}
}

// A heldBody is the start of a body, held back until it is known whether the body is compressed.
type heldBody []byte

func (h *heldBody) Write(b []byte) (int, error) {
	*h = append(*h, b...)
	return len(b), nil
}

func (h *heldBody) WriteString(s string) (int, error) {
	*h = append(*h, s...)
	return len(s), nil
}

// FlushError sends all bytes written so far, compressed.
func (w *compressWriter) FlushError() error {
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
	if w.member != nil {
		if err := w.member.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Flush implements http.Flusher.
func (w *compressWriter) Flush() { _ = w.FlushError() }

// Push implements http.Pusher.
func (w *compressWriter) Push(target string, opts *http.PushOptions) error {
	if p, ok := w.ResponseWriter.(http.Pusher); ok {
		return p.Push(target, opts)
	}
	return http.ErrNotSupported
}

// length returns the Content-Length that the handler has set; 0 if it has set none.
func (w *compressWriter) length() int {
	n, _ := strconv.Atoi(field(w.Header(), web.HeaderContentLength))
	return n
}

// finish ends the stream, or sends a body that is shorter than minLength.
func (w *compressWriter) finish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.decided:
	case w.head && w.status != 0 && w.length() >= max(w.minLength, 1):
		w.announce() // the header must be the same as for GET: no Content-Length, which would count uncompressed bytes
	default:
		w.pass()
	}
	if w.member != nil {
		w.close()
	}
	w.finished = true
}

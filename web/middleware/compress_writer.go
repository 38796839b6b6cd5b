package middleware

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/hone-go/hone/web"
)

// A compressor is a Compressor that can be cut off from its response. Resetting it
// does so too, but for a gzip.Writer that clears two thirds of a megabyte, more than it
// takes to compress a page: it happens once for a response, when it is taken.
type compressor struct {
	Compressor
	out  outlet
	text [2048]byte // of a string that is written
}

// WriteString writes piece by piece, as a Compressor takes no strings.
func (c *compressor) WriteString(s string) (n int, err error) {
	for n < len(s) && err == nil {
		var wrote int
		wrote, err = c.Write(c.text[:copy(c.text[:], s[n:])])
		n += wrote
	}
	return n, err
}

// An outlet is where a compressor writes to; nil while that is in the pool.
type outlet struct{ io.Writer }

// A compressWriter compresses a response. It is never used for another one; the
// compressor that it holds is, but only between taking it and giving it back. The lock
// is for a goroutine that goes on writing while the handler returns, against the
// rules: it must not write to a compressor that another response has.
//
// Once the handler has returned, the stream is complete. What an outer
// middleware writes after that becomes a further member of the stream, which the
// client reads as one: a member of gzip (RFC 1952, 2.2), a frame of zstd (RFC 8878, 3.1).
type compressWriter struct {
	wrapper
	coding    *coding
	mu        sync.Mutex
	member    *compressor // nil unless a member is open
	minLength int
	head      bool     // there is no body
	held      heldBody // the body, while it may yet be too short
	status    int      // 0 until the response has begun

	decided     bool // whether to compress, which is in compressing
	compressing bool
	finished    bool
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
func (w *compressWriter) compressible() bool {
	if w.status < 200 || w.status == http.StatusNoContent || w.status == http.StatusNotModified || w.status == http.StatusPartialContent {
		return false
	}
	h := w.Header()
	return len(h[web.HeaderContentEncoding]) == 0 && len(h["Content-Range"]) == 0
}

// pass sends the header of a response that is left alone, and what was held.
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

// announce sends the header of a response that is compressed.
func (w *compressWriter) announce() {
	w.decided, w.compressing = true, true
	h := w.Header()
	delete(h, web.HeaderContentLength)
	h[web.HeaderContentEncoding] = w.coding.field
	if tag := h.Get("Etag"); strings.HasPrefix(tag, `"`) {
		h.Set("Etag", "W/"+tag) // the tag is of the body before compression
	}
	w.ResponseWriter.WriteHeader(w.status)
}

// compress sends the header of a response that is compressed, and what was held.
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

func (w *compressWriter) open() {
	w.member = w.coding.pool.Get().(*compressor)
	w.member.out.Writer = w.ResponseWriter
	w.member.Reset(&w.member.out)
}

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

// untyped reports whether the type of the body is to be found by its beginning.
func (w *compressWriter) untyped() bool {
	if w.decided {
		return false
	}
	h := w.Header()
	return len(h[web.HeaderContentType]) == 0 && len(h[web.HeaderContentEncoding]) == 0
}

// target says where n further bytes of the body go. Once they are there, wrote is to be called.
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

// wrote ends a member that is open for one write only.
func (w *compressWriter) wrote() {
	if w.finished && w.member != nil {
		w.close()
	}
}

// A heldBody is a body of which it is not known yet how long it becomes.
type heldBody []byte

func (h *heldBody) Write(b []byte) (int, error) {
	*h = append(*h, b...)
	return len(b), nil
}

func (h *heldBody) WriteString(s string) (int, error) {
	*h = append(*h, s...)
	return len(s), nil
}

// FlushError sends what there is, compressed.
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

// Flush is FlushError as an http.Flusher.
func (w *compressWriter) Flush() { _ = w.FlushError() }

// Push implements http.Pusher.
func (w *compressWriter) Push(target string, opts *http.PushOptions) error {
	if p, ok := w.ResponseWriter.(http.Pusher); ok {
		return p.Push(target, opts)
	}
	return http.ErrNotSupported
}

// length is how long the handler says that the body is; 0 if it does not say.
func (w *compressWriter) length() int {
	n, _ := strconv.Atoi(field(w.Header(), web.HeaderContentLength))
	return n
}

// finish ends the stream, or sends a body that stayed short.
func (w *compressWriter) finish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.decided:
	case w.head && w.status != 0 && w.length() >= max(w.minLength, 1):
		w.announce() // what GET would be answered: its length is not the one that the handler knows
	default:
		w.pass()
	}
	if w.member != nil {
		w.close()
	}
	w.finished = true
}

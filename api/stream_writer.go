package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

const (
	// DefaultStreamTimeout is how long a client may take to send the next bytes
	// of a body that is a stream, or to take those of an answer.
	DefaultStreamTimeout = 30 * time.Second
	// DefaultStreamRate is how many bytes a second a client has to send or take,
	// over all of the time that it is waited for but the first StreamTimeout.
	DefaultStreamRate = 64
	// streamDelay is how long bytes wait for more, at most, on their way to the
	// client.
	streamDelay = 100 * time.Millisecond
)

// A deadline of the connection moves along with the bytes, in place of the
// server's limit on the time for all of them. It is that of the timeout or, if
// that is earlier, that of the rate: without the second, a client that sends or
// takes a byte now and then holds the connection for ever. Only the time in which
// the client is waited for counts.
type deadline struct {
	set     func(time.Time) error
	timeout time.Duration
	rate    int64 // bytes a second; not positive for any

	at     time.Time     // what it was last set to
	waited time.Duration // for the client
	moved  int64         // bytes
}

// wait runs a read or a write, which returns how many bytes it has moved.
func (p *deadline) wait(move func([]byte) (int, error), b []byte) (int, error) {
	began := time.Now()
	p.renew(began)
	n, err := move(b)
	p.waited += time.Since(began)
	p.moved += int64(n)
	return n, err
}

func (p *deadline) renew(now time.Time) {
	limit := p.timeout
	if p.rate > 0 {
		limit = min(limit, p.timeout+time.Duration(float64(p.moved)/float64(p.rate)*float64(time.Second))-p.waited)
	}
	// Setting it for each small piece would cost more than sending the piece.
	at := now.Add(limit)
	if later := at.Sub(p.at); later < 0 || later >= p.timeout/4 {
		p.at = at
		_ = p.set(at) // where there is a connection
	}
}

// A streamWriter is the body of an answer that is written bit by bit. The
// response begins with the first of them.
type streamWriter struct {
	x         exchange
	ctx       context.Context
	status    int
	mediaType []string
	header    func(http.Header) // sets what else there is; may be nil
	duplex    bool              // the body is still being read
	out       http.ResponseWriter
	control   *http.ResponseController
	deadline  deadline

	mu      sync.Mutex // of what follows, and of out
	begun   bool
	written int64
	timer   *time.Timer // flushes
	waiting bool        // for the timer, which is running
	err     error       // of a flush
	closed  bool
}

func newStreamWriter(x *exchange, status int, mediaType []string, timeout time.Duration, rate int64) *streamWriter {
	control := http.NewResponseController(x.w)
	return &streamWriter{
		x: *x, ctx: x.r.Context(), status: status, mediaType: mediaType, out: x.w, control: control,
		deadline: deadline{set: control.SetWriteDeadline, timeout: timeout, rate: rate},
	}
}

func (w *streamWriter) Write(b []byte) (n int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.closed:
		return 0, errEnded
	case w.err != nil:
		return 0, w.err
	case w.ctx.Err() != nil:
		return 0, context.Cause(w.ctx)
	}
	w.begin()
	if len(b) == 0 {
		return 0, nil
	}
	n, err = w.deadline.wait(w.out.Write, b)
	w.written += int64(n)
	if !w.waiting {
		w.waiting = true
		if w.timer == nil {
			w.timer = time.AfterFunc(streamDelay, w.flush)
		} else {
			w.timer.Reset(streamDelay)
		}
	}
	return n, err
}

// begin sends the header, once. The caller holds the lock.
func (w *streamWriter) begin() {
	if !w.begun {
		w.begun = true
		if w.header != nil {
			w.header(w.out.Header())
		}
		if !w.duplex { // which has a deadline of its own
			_ = w.control.SetReadDeadline(time.Time{})
		}
		w.x.begin(w.status, w.mediaType)
	}
}

func (w *streamWriter) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting = false; w.closed || w.err != nil {
		return
	}
	_, err := w.deadline.wait(func([]byte) (int, error) { return 0, w.control.Flush() }, nil)
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		w.err = err
	}
}

// head answers HEAD: the header alone, without a length, as there is no body to
// measure.
func (w *streamWriter) head() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin()
	_ = w.control.Flush()
}

// run writes the answer by write.
func (w *streamWriter) run(write func() error) error {
	defer w.close()
	defer func() {
		if v := recover(); v != nil {
			if w.begun && v != http.ErrAbortHandler {
				_ = w.x.panicked(v, false)
				v = http.ErrAbortHandler // though the response, held back by a middleware, may seem unbegun
			}
			panic(v)
		}
	}()
	err := write()
	if err != nil && w.begun {
		w.cutOff(err)
	}
	return err
}

// cutOff ends the connection: the client must not take half an answer for a
// whole one.
func (w *streamWriter) cutOff(err error) {
	level := slog.LevelError
	if w.ctx.Err() != nil {
		level = slog.LevelInfo // the client has gone
	}
	r := w.x.r
	w.x.logger().LogAttrs(w.ctx, level, "api: answer cut off",
		slog.String("method", r.Method), slog.String("route", r.Pattern),
		slog.Int64("bytes", w.written), slog.Any("error", err))
	panic(http.ErrAbortHandler)
}

// close makes sure that nothing is written behind the end of the request.
func (w *streamWriter) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.begun {
		leaveDeadline(w.ctx, w.control)
	}
}

// leaveDeadline gives the rest of the answer the server's limit on time. Without
// one, ours would last into the next request.
func leaveDeadline(ctx context.Context, control *http.ResponseController) {
	var at time.Time
	if server, ok := ctx.Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout > 0 {
		at = time.Now().Add(server.WriteTimeout)
	}
	_ = control.SetWriteDeadline(at)
}

// clearDeadlines lifts the server's limits on the time for the request and the
// answer.
func clearDeadlines(control *http.ResponseController) {
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Time{})
}

var errEnded = errors.New("api: write after the handler returned")

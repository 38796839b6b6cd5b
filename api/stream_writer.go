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
	// DefaultStreamTimeout is the time that a client may take to send the next bytes of a
	// streamed body, or to accept the next bytes of an answer.
	DefaultStreamTimeout = 30 * time.Second
	// DefaultStreamRate is the average number of bytes a second that a client has to send or accept. The average
	// is over the time spent waiting for the client, without the first StreamTimeout.
	DefaultStreamRate = 64
	// DefaultOpenWait is the longest time before a streamed answer begins, unless Operation.OpenWait
	// sets another.
	DefaultOpenWait = time.Second
	// streamDelay is the maximum time for which bytes are buffered.
	streamDelay = 100 * time.Millisecond
)

// A deadline is the deadline of a connection whose body is streamed. It moves as bytes are sent or received, and
// replaces the server's limit on the whole transfer. It is the earlier of two times: the current time plus timeout,
// and the time at which the average falls below the rate. Without the rate, a client that sends or accepts a byte
// from time to time could hold the connection for ever. Only the time spent waiting for the client counts.
type deadline struct {
	set     func(time.Time) error
	timeout time.Duration
	rate    int64 // bytes per second; no minimum unless it is positive

	at     time.Time     // the deadline that was set last
	waited time.Duration // time spent waiting for the client
	moved  int64         // bytes sent or received
}

// wait renews the deadline and calls move, which is a read or a write. It adds the time of the call to waited, and
// the number of moved bytes to moved.
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
	// Setting the deadline takes longer than sending a small piece, so it is not set for each piece.
	at := now.Add(limit)
	if later := at.Sub(p.at); later < 0 || later >= p.timeout/4 {
		p.at = at
		_ = p.set(at) // fails without a connection, which needs no deadline
	}
}

// A streamWriter writes the body of an answer piece by piece. The response begins with the
// first piece, or when the time openWait has passed.
type streamWriter struct {
	x         exchange
	ctx       context.Context
	status    int
	mediaType []string
	header    func(http.Header) // sets further fields; may be nil
	duplex    bool              // the body is still being read
	openWait  time.Duration     // negative for no limit
	out       http.ResponseWriter
	control   *http.ResponseController
	deadline  deadline

	mu      sync.Mutex // guards the fields below, and out
	begun   bool
	written int64
	timer   *time.Timer // calls flush
	waiting bool        // the timer is running
	err     error       // the error of the timer's flush
	broken  any         // the panic of the timer's flush
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
		w.flushAfter(streamDelay)
	}
	return n, err
}

// openLater sends the header after openWait unless bytes are sent earlier. From this call until the answer
// begins, nothing else may use the fields of the header.
func (w *streamWriter) openLater() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.openWait >= 0 {
		w.flushAfter(w.openWait)
	}
}

// flushAfter calls flush after d. The caller holds the lock.
func (w *streamWriter) flushAfter(d time.Duration) {
	if w.timer == nil {
		w.timer = time.AfterFunc(d, w.flush)
	} else {
		w.timer.Reset(d)
	}
}

// begin sends the header, once. The caller holds the lock.
func (w *streamWriter) begin() {
	if !w.begun {
		w.begun = true
		if w.header != nil {
			w.header(w.out.Header())
		}
		if !w.duplex { // a duplex body has its own deadline
			_ = w.control.SetReadDeadline(time.Time{})
		}
		w.x.begin(w.status, w.mediaType)
	}
}

// flush sends the header and the buffered bytes. The timer calls it on a goroutine of its own, where a panic of
// middleware would end the process. So flush keeps the panic for run.
func (w *streamWriter) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() {
		if v := recover(); v != nil {
			w.broken, w.err = v, errEnded
		}
	}()
	if w.waiting = false; w.closed || w.err != nil || !w.begun && w.ctx.Err() != nil {
		return
	}
	w.begin()
	_, err := w.deadline.wait(func([]byte) (int, error) { return 0, w.control.Flush() }, nil)
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		w.err = err
	}
}

// head answers HEAD: it sends only the header. It has a Content-Length only if the function header sets one,
// because no body is produced.
func (w *streamWriter) head() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin()
	_ = w.control.Flush()
}

// run calls write, which writes the answer, and closes w. It returns the error of write. If the
// answer has begun by then, an error or a panic of write ends in a panic with
// http.ErrAbortHandler, which closes the connection.
func (w *streamWriter) run(write func() error) error {
	defer w.close()
	defer func() {
		if v := recover(); v != nil {
			if w.close() && v != http.ErrAbortHandler {
				_ = w.x.panicked(v, false)
				v = http.ErrAbortHandler // the response may have begun, even if middleware still buffers it
			}
			panic(v)
		}
	}()
	err := write()
	if v := w.panicOfFlush(); v != nil {
		panic(v)
	}
	if err != nil && w.close() {
		w.cutOff(err)
	}
	return err
}

func (w *streamWriter) panicOfFlush() any {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken
}

// cutOff logs err and panics with http.ErrAbortHandler. The panic closes the connection, so that the
// client does not take an incomplete answer for a complete one.
func (w *streamWriter) cutOff(err error) {
	level := slog.LevelError
	if w.ctx.Err() != nil {
		level = slog.LevelInfo // the client has disconnected
	}
	r := w.x.r
	w.x.logger().LogAttrs(w.ctx, level, "api: answer cut off",
		slog.String("method", r.Method), slog.String("route", r.Pattern),
		slog.Int64("bytes", w.written), slog.Any("error", err))
	panic(http.ErrAbortHandler)
}

// close stops the timer and makes later writes fail, so that nothing is written after the end
// of the request. It reports whether the answer has begun.
func (w *streamWriter) close() (begun bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed && w.begun {
		leaveDeadline(w.ctx, w.control)
	}
	w.closed = true
	if w.timer != nil {
		w.timer.Stop()
	}
	return w.begun
}

// leaveDeadline sets the server's write timeout for the rest of the answer. If the server has no
// write timeout, leaveDeadline removes the deadline, which would otherwise also apply to the next
// request.
func leaveDeadline(ctx context.Context, control *http.ResponseController) {
	var at time.Time
	if server, ok := ctx.Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout > 0 {
		at = time.Now().Add(server.WriteTimeout)
	}
	_ = control.SetWriteDeadline(at)
}

// clearDeadlines removes the server's deadlines for reading the request and writing the answer.
func clearDeadlines(control *http.ResponseController) {
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Time{})
}

var errEnded = errors.New("api: write after the handler returned")

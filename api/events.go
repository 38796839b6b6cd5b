package api

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/http/drain"
)

// HandleEvents registers a function that answers with a stream of server-sent
// events (https://html.spec.whatwg.org/multipage/server-sent-events.html). It is
// to [Handle] what a stream is to an answer: In is read in the same way, and an
// error that comes back before the stream is open becomes a problem document.
//
//	api.HandleEvents(r, "GET /v1/live", func(ctx context.Context, in *LiveIn, events *api.Events) error {
//		for {
//			select {
//			case reading := <-readings:
//				if err := events.SendJSON(reading.ID, reading); err != nil {
//					return err
//				}
//			case <-ctx.Done():
//				return nil
//			}
//		}
//	})
//
// The function's context ends when the client has gone, when it takes longer
// than [EventTimeout] to take an event, and when the server begins to shut
// down; the function returns then. A quiet stream is kept alive by a comment
// every Operation.Heartbeat. A client that comes back says in the header field
// Last-Event-ID where it was.
//
// The server is asked whether it shuts down by the request's context: web's says
// so, for others see [WithShutdown].
func HandleEvents[In any](r Router, pattern string, h func(ctx context.Context, in *In, events *Events) error, op ...Operation) {
	t := newHandler(r, pattern, op)
	t.need(h != nil, errNilHandler)
	input := inputOf[In](t)
	heartbeat := t.description.Heartbeat
	if heartbeat <= 0 {
		heartbeat = DefaultHeartbeat
	}
	t.description.Sends = []string{MediaTypeEvents}
	t.serve = func(x exchange) (begun bool, err error) {
		v := new(invocation[In])
		v.call.begin(&x)
		defer v.call.end()
		if input.Form {
			defer removeFiles(x.r)
		}
		if err := beforeEvents(&x, t.admits, input, v); err != nil {
			return false, err
		}
		if x.r.Method == http.MethodHead { // nothing would tell that the client has gone
			eventsHeader(x.w.Header())
			x.w.WriteHeader(http.StatusOK)
			return true, nil
		}
		return serveEvents(x, &v.call, heartbeat, func(ctx context.Context, events *Events) error { return h(ctx, &v.in, events) })
	}
	t.register(r)
}

// beforeEvents does what comes before a stream is open. The error is the answer.
func beforeEvents[In any](x *exchange, admits security, input *input[In], v *invocation[In]) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = x.panicked(p, false)
		} else if err != nil {
			err = x.problemOf(err)
		}
	}()
	if admits != nil {
		if err := admits.admit(x, &v.call); err != nil {
			return err
		}
	}
	return input.read(&v.call, x, &v.in)
}

// WithShutdown returns a context for http.Server.BaseContext, by which streams of
// events end when ch is closed, which http.Server.RegisterOnShutdown may do.
func WithShutdown(ctx context.Context, ch <-chan struct{}) context.Context {
	return drain.With(ctx, ch)
}

const (
	// DefaultHeartbeat is the time between two comments on a quiet stream:
	// shorter than proxies wait.
	DefaultHeartbeat = 15 * time.Second
	// EventTimeout is how long a client may take to take an event.
	EventTimeout = 10 * time.Second
)

// ErrStreamEnded is returned by the methods of [Events] when the client has gone,
// was too slow, or the server shuts down.
var ErrStreamEnded = errors.New("api: the stream of events has ended")

// Events is an open stream to one client. Its methods may be called by several
// goroutines, until the function that it was given to returns.
type Events struct {
	mu     sync.Mutex
	w      *http.ResponseController
	out    http.ResponseWriter
	buf    []byte
	opened bool
	ended  bool
	quiet  time.Time // when something was last sent
	cancel context.CancelCauseFunc
}

// An Event is one message of a stream.
type Event struct {
	ID    string        // what the client says it had last; none if it is empty
	Name  string        // of its kind; "" means "message"
	Retry time.Duration // how long the client waits before it comes back; 0 leaves that as it is
	// Data is any text; of several lines each is a line of the event. If it is
	// nil the client takes the rest, and sees no event.
	Data []byte
}

// Open begins the answer, so that the client knows that it is being served. The
// first event does so too.
func (e *Events) Open() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.write(e.buf[:0])
}

// Send sends an event. It returns when the event has been handed to the
// network, with [ErrStreamEnded] if that cannot be done any more. It refuses an
// ID or a Name that would break the event apart.
func (e *Events) Send(event Event) error {
	if strings.ContainsAny(event.ID, "\r\n\x00") || strings.ContainsAny(event.Name, "\r\n") {
		return errors.New("api: the ID or the name of an event has a line break")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	b := appendEvent(e.buf[:0], event)
	if event.Data != nil {
		for line := range dataLines(event.Data) {
			b = append(append(append(b, "data: "...), line...), '\n')
		}
	}
	return e.write(append(b, '\n'))
}

// SendJSON sends v as JSON, under the given ID; see [Events.Send].
func (e *Events) SendJSON(id string, v any) error {
	if strings.ContainsAny(id, "\r\n\x00") {
		return errors.New("api: the ID of an event has a line break")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	b := append(appendEvent(e.buf[:0], Event{ID: id}), "data: "...)
	b, err := appendJSON(b, v) // which has no line breaks
	if err != nil {
		return err
	}
	return e.write(append(b, "\n\n"...))
}

// dataLines yields the lines of data, at least one: a line ends with \n, \r or
// both.
func dataLines(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			i := bytes.IndexAny(data, "\r\n")
			if i < 0 {
				yield(data)
				return
			}
			line := data[:i]
			if data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
				i++
			}
			if data = data[i+1:]; !yield(line) {
				return
			}
		}
	}
}

// appendEvent appends all of an event but its data.
func appendEvent(b []byte, e Event) []byte {
	if e.ID != "" {
		b = append(append(append(b, "id: "...), e.ID...), '\n')
	}
	if e.Name != "" {
		b = append(append(append(b, "event: "...), e.Name...), '\n')
	}
	if e.Retry > 0 {
		b = append(b, "retry: "...)
		b = append(strconv.AppendInt(b, e.Retry.Milliseconds(), 10), '\n')
	}
	return b
}

// write sends b, and the head of the answer before it if need be. The caller
// holds the lock.
func (e *Events) write(b []byte) error {
	e.buf = b[:0]
	if e.ended {
		return ErrStreamEnded
	}
	if !e.opened {
		e.opened = true
		clearDeadlines(e.w) // they are for requests that end
		eventsHeader(e.out.Header())
		e.out.WriteHeader(http.StatusOK)
	}
	e.quiet = time.Now()
	_ = e.w.SetWriteDeadline(e.quiet.Add(EventTimeout))
	if len(b) > 0 {
		if _, err := e.out.Write(b); err != nil {
			return e.end()
		}
	}
	if err := e.w.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return e.end()
	}
	return nil
}

func eventsHeader(h http.Header) {
	h["Content-Type"] = []string{MediaTypeEvents}
	h["Cache-Control"] = []string{"no-store"}
	h["X-Accel-Buffering"] = []string{"no"} // tells nginx not to collect events
}

func (e *Events) end() error {
	e.ended = true
	e.cancel(ErrStreamEnded)
	return ErrStreamEnded
}

// serveEvents runs h over a stream, with a comment now and then.
func serveEvents(x exchange, parent context.Context, heartbeat time.Duration, h func(context.Context, *Events) error) (begun bool, err error) {
	ctx, cancel := context.WithCancelCause(parent)
	e := &Events{out: x.w, w: http.NewResponseController(x.w), cancel: cancel, quiet: time.Now()}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		beat := time.NewTicker(heartbeat)
		defer beat.Stop()
		for {
			select {
			case <-beat.C:
				e.mu.Lock()
				if e.opened && !e.ended && time.Since(e.quiet) >= heartbeat/2 {
					_ = e.write(append(e.buf[:0], ": still here\n\n"...))
				}
				e.mu.Unlock()
			case <-drain.Done(ctx):
				cancel(ErrStreamEnded)
				return
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() {
		cancel(nil)
		<-stopped // nothing is written behind the end of the request
		e.mu.Lock()
		defer e.mu.Unlock()
		e.ended = true
		if e.opened {
			leaveDeadline(x.r.Context(), e.w)
		}
	}()
	defer func() {
		if v := recover(); v != nil {
			begun = e.hasOpened()
			err = x.panicked(v, begun)
		}
	}()
	err = h(ctx, e)
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case err == nil && !e.opened && ctx.Err() == nil:
		return true, e.write(e.buf[:0]) // a stream without events
	case err == nil, e.opened && (errors.Is(err, ErrStreamEnded) || ctx.Err() != nil):
		return e.opened, nil
	case e.opened:
		return true, err // for the log
	}
	return false, x.problemOf(err)
}

func (e *Events) hasOpened() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.opened
}

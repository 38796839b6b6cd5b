package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/internal/http/drain"
	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/shape"
)

// HandleEvents registers a function that answers with a stream of server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html). As in [Handle], In is
// read from the request, and an error that is returned before the stream is open becomes a
// problem document. The stream opens with the first event, with [Events.Open], or after
// Operation.OpenWait.
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
// The function's context ends when the client disconnects, when the client takes longer than
// [EventTimeout] to accept an event, and when the server begins to shut down. The function should
// then return. A quiet stream is kept alive by a comment every Operation.Heartbeat. A client that
// reconnects sends the header field Last-Event-ID with the ID of the last event that it received.
//
// The shutdown of the server is detected through the request's context. Package web sets
// that context up; for other servers see [WithShutdown].
func HandleEvents[In any](r Router, pattern string, h func(ctx context.Context, in *In, events *Events) error, op ...Operation) {
	t := newHandler(r, pattern, variadic.Only(op))
	t.need(h != nil, errNilHandler)
	reader := readerOf[In](t)
	opening, heartbeat := t.description.openWait(), t.description.Heartbeat
	if heartbeat <= 0 {
		heartbeat = DefaultHeartbeat
	}
	t.description.Sends = []string{MediaTypeEvents}
	sums := sumsOf(t.description.Events)
	t.serve = func(x exchange) (begun bool, err error) {
		v := new(invocation[In])
		v.call.begin(&x)
		defer v.call.end()
		if reader.input.Form {
			defer removeFiles(x.r)
		}
		read := func() error { return reader.read(&v.call, &x, &v.in) }
		if err := beforeEvents(&x, t.gate, &v.call, read); err != nil {
			return false, err
		}
		if x.r.Method == http.MethodHead { // without a body to write, the server could not detect that the client disconnects
			eventsHeader(x.w.Header())
			x.w.WriteHeader(http.StatusOK)
			return true, nil
		}
		events := &Events{out: x.w, w: http.NewResponseController(x.w), sums: sums, described: t.description.Events}
		return events.serve(x, &v.call, opening, heartbeat, func(ctx context.Context) error { return h(ctx, &v.in, events) })
	}
	t.register(r)
}

// beforeEvents checks the security requirements and calls read, which reads the input, before a stream
// is open. The caller answers with its error.
func beforeEvents(x *exchange, gate *security.Gate, c *call, read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = x.panicked(p, false)
		} else if err != nil {
			err = x.problemOf(err)
		}
	}()
	if c.found, err = gate.Admit(x.w.Header(), x.r); err != nil {
		return err
	}
	return read()
}

// WithShutdown returns a context for http.Server.BaseContext. Streams of events end when
// ch is closed, for example by a function registered with http.Server.RegisterOnShutdown.
func WithShutdown(ctx context.Context, ch <-chan struct{}) context.Context {
	return drain.With(ctx, ch)
}

const (
	// DefaultHeartbeat is the time between two comments on a quiet stream. It is
	// shorter than the idle timeout of proxies.
	DefaultHeartbeat = 15 * time.Second
	// EventTimeout is the time that a client may take to accept an event.
	EventTimeout = 10 * time.Second
)

// ErrStreamEnded is returned by the methods of [Events] if the client has disconnected
// or was too slow, or if the server shuts down.
var ErrStreamEnded = errors.New("api: the stream of events has ended")

// Events is an open stream to one client. Its methods may be called concurrently, until
// the function that received the Events returns.
type Events struct {
	mu     sync.Mutex
	w      *http.ResponseController
	out    http.ResponseWriter
	buf    []byte
	opened bool
	ended  bool
	quiet  time.Time // time of the last write
	broken any       // the panic of a write by keepAlive
	cancel context.CancelCauseFunc
	sums   []*shape.Sum // the interfaces with declared cases among the operation's events
	// described are the operation's events by name; nil allows every name.
	described map[string]any
}

// An Event is one message of a stream.
type Event struct {
	ID    string        // the client sends the last ID when it reconnects; "" for no ID
	Name  string        // the event's type; "" means "message"
	Retry time.Duration // the client's delay before it reconnects; 0 leaves it unchanged
	// Data is any text. Each line becomes a line of the event. If Data is nil, the
	// client uses the other fields and dispatches no event.
	Data []byte
}

// Open begins the answer, so that the client knows that its request is being served. The
// first event and the end of Operation.OpenWait begin the answer too.
func (e *Events) Open() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open()
}

// open is Open. The caller holds the lock.
func (e *Events) open() error {
	if e.opened && !e.ended {
		return nil
	}
	return e.write(e.buf[:0])
}

// Send sends an event. It returns nil when the event has been passed to the network, and [ErrStreamEnded] if that
// is no longer possible. It refuses an ID or a Name with a line break, and an ID with a NUL. It also refuses an event
// whose Name is missing from Operation.Events, unless Operation.Events is nil.
func (e *Events) Send(event Event) error {
	if strings.ContainsAny(event.ID, "\r\n\x00") || strings.ContainsAny(event.Name, "\r\n") {
		return errors.New("api: the ID or the name of an event has a line break")
	}
	if err := e.checkName(event); err != nil {
		return err
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

// SendJSON sends v as JSON, under the given ID; see [Events.Send]. If Operation.Events lists an interface with
// declared cases and v implements it, v is sent with the name of its case. A value of any other interface with
// declared cases must be passed by a pointer to the interface.
func (e *Events) SendJSON(id string, v any) error {
	if strings.ContainsAny(id, "\r\n\x00") {
		return errors.New("api: the ID of an event has a line break")
	}
	if err := e.checkName(Event{Data: []byte{}}); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	b := append(appendEvent(e.buf[:0], Event{ID: id}), "data: "...)
	b, err := appendJSON(b, e.asSum(v)) // one data line is enough, because the JSON has no line breaks
	if err != nil {
		return err
	}
	return e.write(append(b, "\n\n"...))
}

// checkName returns an error for an event that the API document does not describe. Clients dispatch no event without
// data.
func (e *Events) checkName(event Event) error {
	if _, ok := e.described[event.Name]; ok || e.described == nil || event.Data == nil {
		return nil
	}
	return fmt.Errorf("api: Operation.Events does not list the event %q", event.Name)
}

// asSum returns v, or a pointer to an interface that holds v if v implements one of e.sums. If v implements the
// interface but is not one of its declared cases, encoding the pointer fails: no event is sent without the name of
// its case.
func (e *Events) asSum(v any) any {
	t := reflect.TypeOf(v)
	for _, s := range e.sums {
		if t != nil && t.Implements(s.Type) {
			held := reflect.New(s.Type)
			held.Elem().Set(reflect.ValueOf(v))
			return held.Interface()
		}
	}
	return v
}

// sumsOf returns the interfaces with declared cases among the events. Operation.Events lists such an interface by a
// pointer to it.
func sumsOf(events map[string]any) (sums []*shape.Sum) {
	for _, name := range slices.Sorted(maps.Keys(events)) {
		if t := reflect.TypeOf(events[name]); t != nil && t.Kind() == reflect.Pointer {
			if s := shape.Of(t.Elem()).Sum; s != nil {
				sums = append(sums, s)
			}
		}
	}
	return sums
}

// dataLines yields the lines of data, at least one. A line ends with \n, \r or \r\n.
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

// appendEvent appends all fields of an event except its data.
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

// write sends b. The first call sends the header of the answer before b. The caller holds the lock.
func (e *Events) write(b []byte) error {
	e.buf = b[:0]
	if e.ended {
		return ErrStreamEnded
	}
	if !e.opened {
		e.opened = true
		clearDeadlines(e.w) // a stream of events may last longer than the server's timeouts
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
	h["X-Accel-Buffering"] = []string{"no"} // turns off buffering in nginx
}

func (e *Events) end() error {
	e.ended = true
	e.cancel(ErrStreamEnded)
	return ErrStreamEnded
}

// serve runs h. It opens the stream after the time opening if h has not opened it, unless opening is
// negative, and sends a comment whenever an open stream has been quiet.
func (e *Events) serve(x exchange, parent context.Context, opening, heartbeat time.Duration, h func(context.Context) error) (begun bool, err error) {
	ctx, cancel := context.WithCancelCause(parent)
	e.cancel = cancel
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		e.keepAlive(ctx, opening, heartbeat)
	}()
	defer func() {
		cancel(nil)
		<-stopped // wait, so that nothing is written after the request has ended
		e.mu.Lock()
		defer e.mu.Unlock()
		e.ended = true
		if e.opened {
			leaveDeadline(x.r.Context(), e.w)
		}
	}()
	defer func() {
		if v := recover(); v != nil {
			begun = e.close()
			err = x.panicked(v, begun)
		}
	}()
	err = h(ctx)
	if v := e.panicOfKeepAlive(); v != nil {
		panic(v)
	}
	over := err == nil || ctx.Err() != nil && (errors.Is(err, ErrStreamEnded) || errors.Is(err, context.Canceled))
	if over && x.r.Context().Err() == nil {
		_ = e.Open() // the answer of a stream without events has a header too
	}
	switch opened := e.close(); {
	case opened && (over || ctx.Err() != nil):
		return true, nil
	case opened:
		return true, err // the answer has begun, so the error is only logged
	case err == nil:
		return false, nil // the client has disconnected
	}
	return false, x.problemOf(err)
}

// keepAlive opens the stream and sends comments until ctx ends. It ends ctx when the server begins to shut
// down.
func (e *Events) keepAlive(ctx context.Context, opening, heartbeat time.Duration) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	var late <-chan time.Time
	if opening >= 0 {
		timer := time.NewTimer(opening)
		defer timer.Stop()
		late = timer.C
	}
	for {
		select {
		case <-late:
			e.apart(e.open)
		case <-beat.C:
			e.apart(func() error {
				if e.opened && !e.ended && time.Since(e.quiet) >= heartbeat/2 {
					return e.write(append(e.buf[:0], ": still here\n\n"...))
				}
				return nil
			})
		case <-drain.Done(ctx):
			e.cancel(ErrStreamEnded)
			return
		case <-ctx.Done():
			return
		}
	}
}

// apart calls write with the lock, on the goroutine of keepAlive. A panic of middleware would end the process there.
// So apart ends the stream, and keeps the panic for serve.
func (e *Events) apart(write func() error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer func() {
		if v := recover(); v != nil {
			e.broken = v
			_ = e.end()
		}
	}()
	_ = write()
}

func (e *Events) panicOfKeepAlive() any {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.broken
}

// close makes later writes fail, and reports whether the answer has begun.
func (e *Events) close() (begun bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended = true
	return e.opened
}

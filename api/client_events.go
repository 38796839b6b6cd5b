package api

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/http/header"
	"github.com/hone-go/hone/json"
)

// EventOptions say how [CallEvents] keeps a stream of events open. The zero value is the
// default.
type EventOptions struct {
	// Once ends the sequence with the first connection, instead of connecting again.
	Once bool
	// Lost is told why there is no connection, each time: the error of an attempt, or
	// io.EOF if the server ended the stream. It is called by the goroutine that ranges
	// over the events.
	Lost func(error)
	// Quiet is how long a connection may bring nothing, not even a comment, before it
	// is taken for lost; 0 means for ever. A server of [HandleEvents] sends something
	// every 15 s, unless its Heartbeat is another.
	Quiet time.Duration
	// Wait is how long to wait before connecting again, where the server does not say
	// (retry:); 0 means 3 s. After each attempt that fails it is twice as long, up to
	// MaxWait, 0 for 60 s.
	Wait, MaxWait time.Duration
}

// CallEvents is [Call] for an operation of [HandleEvents], or of any server that sends
// server-sent events: it returns a function that connects when its result is ranged over,
// and yields the events.
//
//	live := api.CallEvents[LiveIn](client, "GET /v1/live")
//	for event, err := range live(ctx, &LiveIn{Host: "a"}) {
//		if err != nil {
//			return err
//		}
//		…
//	}
//
// A connection that is lost is made again, with the ID of the last event in
// Last-Event-ID, and after a time that grows with each attempt that fails; so is one
// that the server refuses with 408, 429 or 5xx. The sequence ends when the context does,
// with its error; when the server answers with 204; and with an error that another
// attempt would not mend: a [*Problem] of another status, an input that cannot be sent,
// an answer that is no stream of events, or an event of more than 4 MiB.
//
// The data of an event is the caller's to keep. Types that package json reads are had by
// [EventData].
func CallEvents[In any](c *Client, pattern string, options ...CallOptions) func(ctx context.Context, in *In) iter.Seq2[Event, error] {
	t := newCaller[In](c, pattern, options)
	t.accept = MediaTypeEvents
	return func(ctx context.Context, in *In) iter.Seq2[Event, error] {
		return func(yield func(Event, error) bool) {
			s := eventStream{ctx: ctx, EventOptions: t.options.Events, pattern: pattern, yield: yield, client: c}
			s.connect = func() (*http.Request, error) { return t.request(ctx, in) }
			s.run()
		}
	}
}

// EventData decodes the data of events, which is JSON.
//
//	for reading, err := range api.EventData[Reading](live(ctx, in)) {
//
// Data that is no T comes with an error, and the next event may follow.
func EventData[T any](events iter.Seq2[Event, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for event, err := range events {
			var v T
			if err == nil {
				if err = json.Unmarshal(event.Data, &v); err != nil {
					err = fmt.Errorf("api: the data of an event is no %v: %w", reflect.TypeFor[T](), err)
				}
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// An eventStream is one sequence of events, over one connection after the other.
type eventStream struct {
	EventOptions
	ctx     context.Context
	client  *Client
	pattern string
	connect func() (*http.Request, error)
	yield   func(Event, error) bool

	lastID string
	wait   time.Duration // that the server asks for
	served bool          // the connection brought something
}

const (
	defaultEventWait    = 3 * time.Second
	defaultMaxEventWait = time.Minute
	minEventWait        = 200 * time.Millisecond // where the server asks for none, and fails
)

func (s *eventStream) run() {
	s.wait = s.Wait
	if s.wait <= 0 {
		s.wait = defaultEventWait
	}
	if s.MaxWait <= 0 {
		s.MaxWait = defaultMaxEventWait
	}
	failed := 0
	for {
		s.served = false
		again, err := s.once()
		switch {
		case s.ctx.Err() != nil && again:
			s.yield(Event{}, context.Cause(s.ctx))
			return
		case again && s.Once && err == io.EOF, err == nil && !again:
			return
		case !again || s.Once:
			s.yield(Event{}, err)
			return
		}
		if s.Lost != nil {
			s.Lost(err)
		}
		if failed++; s.served {
			failed = 1
		}
		pause := s.wait
		if failed > 1 { // the first is as long as the server says
			pause = s.backOff(failed)
		}
		if !sleep(s.ctx, max(pause, min(retryAfter(err), time.Hour))) {
			s.yield(Event{}, context.Cause(s.ctx))
			return
		}
	}
}

// backOff returns how long to wait after some attempts that failed.
func (s *eventStream) backOff(failed int) time.Duration {
	pause, most := max(s.wait, minEventWait), max(s.wait, s.MaxWait)
	for i := 1; i < failed && pause < most; i++ {
		pause *= 2
	}
	return jitter(min(pause, most))
}

// once reads the events of one connection. It reports whether another may bring more;
// there is no error if the sequence has ended as it should.
func (s *eventStream) once() (again bool, err error) {
	r, err := s.connect()
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	r = r.WithContext(ctx)
	if s.lastID != "" {
		r.Header["Last-Event-Id"] = []string{s.lastID}
	}
	if r.Header["Cache-Control"] == nil {
		r.Header["Cache-Control"] = []string{"no-store"}
	}
	watch := s.watch(cancel)
	defer watch.stop()
	resp, err := s.client.once(r, s.pattern)
	if err != nil {
		if cause := context.Cause(ctx); cause == errQuiet {
			err = cause
		}
		return mayReconnect(err), err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNoContent {
		return false, nil
	}
	if mediaType := header.MediaType(resp.Header.Get("Content-Type")); !strings.EqualFold(mediaType, MediaTypeEvents) {
		return false, &AnswerError{Pattern: s.pattern, Status: resp.StatusCode, Header: resp.Header, Err: unexpectedType(resp)}
	}
	again, err = s.read(watch.reader(resp.Body))
	if cause := context.Cause(ctx); err != nil && cause == errQuiet {
		err = cause
	}
	return again, err
}

// mayReconnect reports whether a later connection may be served.
func mayReconnect(err error) bool {
	if errors.As(err, new(*prepareError)) || err == ErrNotModified {
		return false
	}
	var p *Problem
	if !errors.As(err, &p) {
		return true
	}
	return p.Status >= 500 || p.Status == http.StatusTooManyRequests || p.Status == http.StatusRequestTimeout
}

var errQuiet = errors.New("api: the stream of events has been quiet for too long")

// A watchdog ends a connection that brings nothing.
type watchdog struct {
	timer *time.Timer // nil for none
	quiet time.Duration
}

func (s *eventStream) watch(cancel context.CancelCauseFunc) watchdog {
	if s.Quiet <= 0 {
		return watchdog{}
	}
	return watchdog{time.AfterFunc(s.Quiet, func() { cancel(errQuiet) }), s.Quiet}
}

func (w watchdog) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w watchdog) reader(from io.Reader) io.Reader {
	if w.timer == nil {
		return from
	}
	return watchedReader{from, w}
}

type watchedReader struct {
	from io.Reader
	watchdog
}

func (w watchedReader) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	w.timer.Reset(w.quiet)
	return n, err
}

// read yields the events of a stream
// (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).
// An event that is not ended by an empty line is dropped.
func (s *eventStream) read(from io.Reader) (again bool, err error) {
	lines := eventLines{r: bufio.NewReader(from)}
	var event Event
	id := s.lastID
	var data []byte
	some := false // data has a line, though perhaps an empty one
	for {
		line, err := lines.next(maxElement - len(data))
		if err != nil {
			return err != ErrAnswerTooLarge, err
		}
		s.served = true
		if len(line) == 0 {
			s.lastID = id
			if some {
				event.ID, event.Data = id, data
				if !s.yield(event, nil) {
					return false, nil
				}
			}
			event, data, some = Event{}, nil, false
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "data":
			if some {
				data = append(data, '\n')
			}
			data, some = append(data, value...), true
			if data == nil {
				data = []byte{}
			}
		case "event":
			event.Name = string(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				id = string(value)
			}
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				s.wait = time.Duration(ms) * time.Millisecond
				event.Retry = s.wait
			}
		}
	}
}

// eventLines cuts a stream into lines, which end with \n, \r or both.
type eventLines struct {
	r     *bufio.Reader
	line  []byte
	begun bool
	cr    bool // the line before ended with \r: a \n that follows belongs to it
}

// next returns the next line of up to limit bytes, which is valid until the call after
// it. A line that is not ended is none.
func (l *eventLines) next(limit int) ([]byte, error) {
	l.line = l.line[:0]
	for {
		c, err := l.r.ReadByte()
		switch {
		case err != nil:
			return nil, err
		case c == '\n' && l.cr:
			l.cr = false
			continue
		}
		l.cr = c == '\r'
		if c == '\n' || c == '\r' {
			if !l.begun { // a byte order mark
				l.begun = true
				return bytes.TrimPrefix(l.line, []byte("\xef\xbb\xbf")), nil
			}
			return l.line, nil
		}
		if len(l.line) >= limit {
			return nil, ErrAnswerTooLarge
		}
		l.line = append(l.line, c)
	}
}

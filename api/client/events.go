package client

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
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/json"
)

// EventOptions configure how [CallEvents] keeps a stream of events open. The zero value is the
// default.
type EventOptions struct {
	// Once ends the sequence when the first connection ends, instead of connecting again.
	Once bool
	// Lost is called before each wait for a new attempt. Its argument is the error of the lost
	// connection or of the failed attempt, or io.EOF if the server ended the stream. The goroutine
	// that ranges over the events calls it.
	Lost func(error)
	// Quiet is the time that a connection may stay silent, without even a comment, before it
	// counts as lost; 0 means for ever. A server of [api.HandleEvents] sends a comment every
	// 15 s unless its Heartbeat is set.
	Quiet time.Duration
	// Wait is the time before connecting again if the server does not give one (retry:); 0 means
	// 3 s. The time doubles after each failed attempt, up to MaxWait. A MaxWait of 0 means 60 s.
	Wait, MaxWait time.Duration
}

// CallEvents is [Call] for an operation of [api.HandleEvents], or of any server that sends
// server-sent events. It returns a function whose result is a sequence. The sequence connects when a
// range loop starts, and yields the events.
//
//	live := client.CallEvents[LiveIn](c, "GET /v1/live")
//	for event, err := range live(ctx, &LiveIn{Host: "a"}) {
//		if err != nil {
//			return err
//		}
//		…
//	}
//
// When the connection is lost, the sequence waits and connects again. The wait grows with each
// failed attempt. The new request has the ID of the last event in Last-Event-ID. The sequence also
// tries again after an answer with status 408, 429 or 5xx. The sequence ends without an error when
// the server answers with 204. It ends with an error when the context ends, when the server
// answers with any other status ([*api.Problem]) or with an answer that is not text/event-stream,
// when the input cannot be sent, when Options.Prepare fails, and when an event has more than
// 4 MiB.
//
// The caller may keep the data of an event. [EventData] decodes data that is JSON.
func CallEvents[In any](c *Client, pattern string, options ...CallOptions) func(ctx context.Context, in *In) iter.Seq2[api.Event, error] {
	sender := senderOf[In](c, pattern, variadic.Only(options))
	t := sender.caller
	t.accept = api.MediaTypeEvents
	return func(ctx context.Context, in *In) iter.Seq2[api.Event, error] {
		return func(yield func(api.Event, error) bool) {
			s := eventStream{ctx: ctx, EventOptions: t.options.Events, pattern: pattern, yield: yield, client: c}
			s.connect = func() (*http.Request, error) { return sender.request(ctx, in) }
			s.run()
		}
	}
}

// EventData decodes the data of events, which is JSON.
//
//	for reading, err := range client.EventData[Reading](live(ctx, in)) {
//
// Data that does not decode into a T is yielded as an error, and the sequence continues with
// the next event.
func EventData[T any](events iter.Seq2[api.Event, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for event, err := range events {
			var v T
			if err == nil {
				if err = json.Unmarshal(event.Data, &v); err != nil {
					err = fmt.Errorf("api: the data of an event does not decode into %v: %w", reflect.TypeFor[T](), err)
				}
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// An eventStream is a sequence of events over successive connections.
type eventStream struct {
	EventOptions
	ctx     context.Context
	client  *Client
	pattern string
	connect func() (*http.Request, error)
	yield   func(api.Event, error) bool

	lastID string
	wait   time.Duration // the time before connecting again: Wait, or the value of the server's last field retry
	served bool          // whether the current connection has received a line
}

const (
	defaultEventWait    = 3 * time.Second
	defaultMaxEventWait = time.Minute
	minEventWait        = 200 * time.Millisecond // the minimum wait after a failed attempt, even if the server sent retry: 0
)

var errQuiet = errors.New("api: the stream of events has been quiet for too long")

// A watchdog ends a connection that stays silent for longer than quiet.
type watchdog struct {
	timer *time.Timer // nil if there is no limit
	quiet time.Duration
}

// watch starts the timer of a connection, which calls cancel with errQuiet.
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
// An event without an empty line at its end is dropped, as the specification says. again reports
// whether to connect again after err.
func (s *eventStream) read(from io.Reader) (again bool, err error) {
	lines := eventLines{r: bufio.NewReader(from)}
	var event api.Event
	id := s.lastID
	var data []byte
	some := false // whether the event has a data line, which may be empty
	for {
		line, err := lines.next(message.MaxElement - len(data))
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
			event, data, some = api.Event{}, nil, false
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
	cr    bool // whether the last line ended with \r: a \n after it belongs to the same line end
}

// next returns the next line, of up to limit bytes. The line is valid until the next call.
// Bytes after the last line end are dropped.
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
			if !l.begun { // skip a byte order mark at the start
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

package api

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/web"
)

// A slowReader is a content whose first byte arrives when release is closed.
type slowReader struct {
	io.ReadSeeker
	release <-chan struct{}
}

func (r slowReader) Read(p []byte) (int, error) {
	<-r.release
	return r.ReadSeeker.Read(p)
}

// addQuiet registers a stream of each kind. Its first event, element or byte is sent when wait returns. If wait
// returns an error, the stream ends with that error instead.
func addQuiet(r Router, op Operation, wait func(context.Context) error) {
	HandleEvents(r, "GET /events", func(ctx context.Context, _ *struct{}, events *Events) error {
		if err := wait(ctx); err != nil {
			return err
		}
		return events.SendJSON("", point{N: 7})
	}, op)
	Handle(r, "GET /elements", func(ctx context.Context, _ *struct{}) (*Elements[point], error) {
		return ElementsOf(func(yield func(point, error) bool) {
			err := wait(ctx)
			yield(point{N: 7}, err)
		}), nil
	}, op)
	Handle(r, "GET /body", func(ctx context.Context, _ *struct{}) (*Content, error) {
		return &Content{Type: "text/plain", Body: readerFunc(func(p []byte) (int, error) {
			if err := wait(ctx); err != nil {
				return 0, err
			}
			return copy(p, "7"), io.EOF
		})}, nil
	}, op)
	Handle(r, "GET /write", func(ctx context.Context, _ *struct{}) (*Content, error) {
		return &Content{Type: "text/plain", Write: func(w io.Writer) error {
			if err := wait(ctx); err != nil {
				return err
			}
			_, err := io.WriteString(w, "7")
			return err
		}}, nil
	}, op)
}

// TestPanicOfALateHeader: middleware panics while the header of a quiet stream is sent. The connection is cut, the panic
// is logged, and the server goes on.
func TestPanicOfALateHeader(t *testing.T) {
	var log lockedBuffer
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	hooked := make(chan struct{}, 1)
	e.Use(func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			if c.Path() == "/alive" {
				return next(c)
			}
			response, err := web.UnwrapResponse(c.Response())
			if err != nil {
				return err
			}
			response.Before(func() {
				hooked <- struct{}{}
				panic("a hook of " + c.Path())
			})
			return next(c)
		}
	})
	addQuiet(e, Operation{OpenWait: time.Millisecond}, func(context.Context) error { <-hooked; return nil })
	Handle(e, "GET /alive", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
	url, _ := startEvents(t, e)
	for _, s := range quietStreams {
		resp, err := http.Get(url + s.path)
		if err == nil {
			resp.Body.Close()
			t.Errorf("%s: status %d", s.path, resp.StatusCode)
		}
		if text := log.String(); !strings.Contains(text, "a hook of "+s.path) {
			t.Errorf("%s: the panic was not logged:\n%s", s.path, text)
		}
	}
	if alive := open(t, url+"/alive"); alive.status != http.StatusNoContent {
		t.Errorf("after the panics: status %d", alive.status)
	}
}

// A lockedBuffer is a log that several goroutines write and read.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// quietStreams are the streams that addQuiet registers, by path and Accept.
var quietStreams = []struct{ path, accept string }{
	{"/events", MediaTypeEvents},
	{"/elements", "application/json"},
	{"/elements", MediaTypeNDJSON},
	{"/elements", MediaTypeWireStream},
	{"/body", "text/plain"},
	{"/write", "text/plain"},
}

// TestQuietStreamsOpen requests streams whose first event, element or byte does not arrive: the client gets the header
// all the same, and the rest later.
func TestQuietStreamsOpen(t *testing.T) {
	e := web.New()
	release := make(chan struct{})
	addQuiet(e, Operation{OpenWait: time.Millisecond}, func(context.Context) error { <-release; return nil })
	Handle(e, "GET /file", func(context.Context, *struct{}) (*Content, error) {
		return &Content{Type: "text/plain", Body: slowReader{strings.NewReader("7"), release}}, nil
	}, Operation{OpenWait: time.Millisecond})
	url, _ := startEvents(t, e)
	streams := append(slices.Clone(quietStreams), struct{ path, accept string }{"/file", "text/plain"})
	var opened []stream
	for _, s := range streams {
		opened = append(opened, openAs(t, url+s.path, s.accept))
	}
	close(release)
	for i, s := range opened {
		if s.status != 200 || s.header.Get("Content-Type") != streams[i].accept {
			t.Errorf("%v: %d %v", streams[i], s.status, s.header)
		}
		body, err := io.ReadAll(s.body)
		if err != nil || !strings.ContainsAny(string(body), "7\x07\x0e") {
			t.Errorf("%v: %q, %v", streams[i], body, err)
		}
	}
}

// TestQuietStreamsFail ends streams with an error before their first event, element or byte. The answer is a problem
// until OpenWait has passed. Later, it is cut off.
func TestQuietStreamsFail(t *testing.T) {
	refused := NewProblem(http.StatusConflict, "not now")
	for _, test := range []struct {
		name     string
		openWait time.Duration
		wait     func(context.Context) error
		status   int
	}{
		{"within the default time", 0, func(context.Context) error { return refused }, 409},
		{"within a long time", time.Hour, func(context.Context) error { return refused }, 409},
		{"without a limit", -1, func(context.Context) error { time.Sleep(20 * time.Millisecond); return refused }, 409},
		{"a panic", time.Hour, func(context.Context) error { panic("boom") }, 500},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := streamed(t)
			addQuiet(e, Operation{OpenWait: test.openWait}, test.wait)
			url, _ := startEvents(t, e)
			for _, s := range quietStreams {
				status, body, h, err := fetch(t, "GET", url+s.path, "Accept", s.accept+", application/problem+json")
				if err != nil || status != test.status || h.Get("Content-Type") != MediaTypeProblem {
					t.Errorf("%s as %s: %d %v %s, %v", s.path, s.accept, status, h, body, err)
				}
				if status, _, _, err := fetch(t, "HEAD", url+s.path, "Accept", s.accept); err != nil || status != 200 {
					t.Errorf("HEAD %s as %s: %d, %v", s.path, s.accept, status, err)
				}
			}
		})
	}
}

// TestQuietStreamsFailLate ends streams with an error after their header has been sent.
func TestQuietStreamsFailLate(t *testing.T) {
	e := streamed(t)
	fail := make(chan struct{})
	addQuiet(e, Operation{OpenWait: time.Millisecond}, func(context.Context) error { <-fail; return NewProblem(http.StatusConflict, "not now") })
	url, _ := startEvents(t, e)
	var open []stream
	for _, s := range quietStreams {
		open = append(open, openAs(t, url+s.path, s.accept))
	}
	close(fail)
	for i, s := range open {
		body, err := io.ReadAll(s.body)
		cutOff := err != nil
		if events := quietStreams[i].path == "/events"; s.status != 200 || len(body) > 0 || cutOff == events { // the client of a stream of events connects again
			t.Errorf("%s as %s: %d %q, %v", quietStreams[i].path, quietStreams[i].accept, s.status, body, err)
		}
	}
}

// TestQuietEventsHaveHeartbeats reads comments of a stream whose handler never opens it.
func TestQuietEventsHaveHeartbeats(t *testing.T) {
	e := web.New()
	ended := make(chan error, 1)
	HandleEvents(e, "GET /quiet", func(ctx context.Context, _ *struct{}, _ *Events) error {
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return nil
	}, Operation{Heartbeat: 5 * time.Millisecond, OpenWait: time.Millisecond})
	url, _ := startEvents(t, e)
	s := openAs(t, url+"/quiet", MediaTypeEvents)
	lines := bufio.NewScanner(s.body)
	for range 3 {
		if !lines.Scan() || lines.Text() != ": still here" || !lines.Scan() || lines.Text() != "" {
			t.Fatalf("%q, %v", lines.Text(), lines.Err())
		}
	}
	s.body.Close()
	select {
	case cause := <-ended:
		if cause == nil {
			t.Error("ended without a cause")
		}
	case <-time.After(20 * time.Second):
		t.Error("the handler still runs although the client has disconnected")
	}
}

// TestUnopenedEventsEnd ends streams of events that have not been opened: by the client, and by the server's shutdown.
func TestUnopenedEventsEnd(t *testing.T) {
	for name, result := range map[string]func(context.Context) error{
		"nil":              func(context.Context) error { return nil },
		"the error of ctx": func(ctx context.Context) error { return ctx.Err() },
		"its cause":        context.Cause,
	} {
		e := web.New()
		begun, ended := make(chan struct{}, 2), make(chan error, 2)
		HandleEvents(e, "GET /quiet", func(ctx context.Context, _ *struct{}, _ *Events) error {
			begun <- struct{}{}
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return result(ctx)
		}, Operation{OpenWait: -1})
		url, stop := startEvents(t, e)

		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-begun; cancel() }()
		r, err := http.NewRequestWithContext(ctx, "GET", url+"/quiet", nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := http.DefaultClient.Do(r); err == nil {
			resp.Body.Close()
			t.Errorf("%s: the stream has been opened", name)
		}
		if cause := <-ended; cause == nil {
			t.Errorf("%s: ended without a cause", name)
		}

		stopped := make(chan error, 1)
		go func() { <-begun; stopped <- stop() }()
		s := open(t, url+"/quiet")
		body, err := io.ReadAll(s.body)
		if err != nil || s.status != 200 || s.header.Get("Content-Type") != MediaTypeEvents || len(body) > 0 {
			t.Errorf("%s: at the shutdown: %d %v %q, %v", name, s.status, s.header, body, err)
		}
		if err := <-stopped; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

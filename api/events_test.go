package api

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/web"
)

// startEvents serves e on its own port. It returns the address, and a function that begins the
// shutdown and waits for its end.
func startEvents(t *testing.T, e *web.Echo) (url string, stop func() error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- web.StartConfig{Listener: listener, HideBanner: true, HidePort: true, GracefulTimeout: 5 * time.Second}.Start(ctx, e)
	}()
	stop = func() error { cancel(); return <-done }
	t.Cleanup(cancel)
	return "http://" + listener.Addr().String(), stop
}

// A stream is an open response.
type stream struct {
	status int
	header http.Header
	body   io.ReadCloser
}

// open requests a stream, and closes it at the end of the test.
func open(t *testing.T, url string) stream { return openAs(t, url, "") }

// openAs requests a stream with the field Accept. The stream may last for a minute.
func openAs(t *testing.T, url, accept string) stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return stream{resp.StatusCode, resp.Header, resp.Body}
}

func TestEvents(t *testing.T) {
	e := web.New()
	var late *Events
	HandleEvents(e, "GET /events/{n}", func(ctx context.Context, in *struct {
		N int `path:"n" max:"9"`
	}, events *Events) error {
		late = events
		for _, err := range []error{
			events.Open(),
			events.Send(Event{ID: "1", Name: "greeting", Retry: 1500 * time.Millisecond, Data: []byte("a\nb\r\nc\rd\n")}),
			events.SendJSON("", map[string]any{"n": in.N, "text": "line\nbreak"}),
			events.Send(Event{ID: "2"}),
			events.Send(Event{Data: []byte{}}),
		} {
			if err != nil {
				return err
			}
		}
		for _, bad := range []Event{{ID: "a\nb"}, {ID: "a\x00"}, {Name: "a\rb"}} {
			if err := events.Send(bad); err == nil || errors.Is(err, ErrStreamEnded) {
				t.Errorf("%+v: %v", bad, err)
			}
		}
		if err := events.SendJSON("a\n", 1); err == nil {
			t.Error("an ID with a line break was sent")
		}
		if err := events.SendJSON("", func() {}); err == nil {
			t.Error("a function was sent")
		}
		return nil
	})
	url, stop := startEvents(t, e)
	resp := open(t, url+"/events/7")
	body, err := io.ReadAll(resp.body)
	want := "id: 1\nevent: greeting\nretry: 1500\ndata: a\ndata: b\ndata: c\ndata: d\ndata: \n\n" + `data: {"n":7,"text":"line\nbreak"}` + "\n\nid: 2\n\ndata: \n\n"
	if err != nil || string(body) != want || resp.header.Get("Content-Type") != "text/event-stream" || resp.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v %v\ngot  %q\nwant %q", err, resp.header, body, want)
	}
	if err := late.Send(Event{}); err != ErrStreamEnded {
		t.Errorf("after the end: %v", err)
	}
	for path, status := range map[string]int{"/events/10": 422, "/events/x": 400} {
		resp := open(t, url+path)
		if resp.status != status || resp.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %v", path, resp.status, resp.header)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// TestEventsOutsideTheDocument sends events whose names the operation does not list.
func TestEventsOutsideTheDocument(t *testing.T) {
	for _, test := range []struct {
		described map[string]any
		event     Event
		refused   bool
	}{
		{nil, Event{Name: "a", Data: []byte("1")}, false},
		{map[string]any{"a": 0}, Event{Name: "a", Data: []byte("1")}, false},
		{map[string]any{"a": 0}, Event{Name: "b", Data: []byte("1")}, true},
		{map[string]any{"a": 0}, Event{Data: []byte("1")}, true},
		{map[string]any{"": 0}, Event{Data: []byte("1")}, false},
		{map[string]any{}, Event{Name: "a", Data: []byte("1")}, true},
		{map[string]any{"a": 0}, Event{ID: "7", Name: "b"}, false}, // clients dispatch no event without data
	} {
		e := web.New()
		HandleEvents(e, "GET /events", func(_ context.Context, _ *struct{}, events *Events) error {
			if err := events.Send(test.event); (err != nil) != test.refused {
				t.Errorf("%v, %+v: %v", test.described, test.event, err)
			}
			if err := events.SendJSON("", 1); test.described != nil && test.described[""] == nil && err == nil {
				t.Errorf("%v: an event without a name was sent", test.described)
			}
			return nil
		}, Operation{Events: test.described})
		url, stop := startEvents(t, e)
		if resp := open(t, url+"/events"); resp.status != 200 {
			t.Errorf("%v, %+v: status %d", test.described, test.event, resp.status)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}

func TestEventsBeforeAndAfterOpening(t *testing.T) {
	e := web.New()
	e.HTTPErrorHandler = web.WrapErrorHandler(WriteError)
	HandleEvents(e, "GET /missing", func(context.Context, *struct{}, *Events) error { return NewProblem(404, "no such stream") })
	HandleEvents(e, "GET /panic", func(context.Context, *struct{}, *Events) error { panic("boom") })
	HandleEvents(e, "GET /empty", func(context.Context, *struct{}, *Events) error { return nil })
	HandleEvents(e, "GET /half", func(_ context.Context, _ *struct{}, events *Events) error {
		if err := events.SendJSON("", 1); err != nil {
			return err
		}
		return errors.New("then it failed")
	})
	url, _ := startEvents(t, e)
	for path, want := range map[string]string{"/missing": "404 no such stream", "/panic": "500 Internal", "/empty": "200 ", "/half": "200 data: 1"} {
		resp := open(t, url+path)
		body, err := io.ReadAll(resp.body)
		if status, text, _ := strings.Cut(want, " "); err != nil || strconv.Itoa(resp.status) != status || !strings.Contains(string(body), text) {
			t.Errorf("%s: %d %q, %v", path, resp.status, body, err)
		}
	}
}

func TestEventsHeartbeatAndEnd(t *testing.T) {
	e := web.New()
	ended := make(chan error, 10)
	HandleEvents(e, "GET /quiet", func(ctx context.Context, _ *struct{}, events *Events) error {
		if err := events.Open(); err != nil {
			return err
		}
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return ctx.Err()
	}, Operation{Heartbeat: 20 * time.Millisecond})
	url, stop := startEvents(t, e)

	resp := open(t, url+"/quiet")
	lines := bufio.NewScanner(resp.body)
	for range 3 {
		if !lines.Scan() || lines.Text() != ": still here" || !lines.Scan() || lines.Text() != "" {
			t.Fatalf("%q, %v", lines.Text(), lines.Err())
		}
	}
	// A client that disconnects ends the stream.
	resp.body.Close()
	select {
	case cause := <-ended:
		if cause == nil {
			t.Error("ended without a cause")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the stream continues although the client has disconnected")
	}
	// The server's shutdown ends a stream too, without interrupting it.
	resp = open(t, url+"/quiet")
	if err := stop(); err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if cause := <-ended; cause != ErrStreamEnded {
		t.Errorf("ended by %v", cause)
	}
	if _, err := io.Copy(io.Discard, resp.body); err != nil {
		t.Errorf("the stream was cut off: %v", err)
	}
}

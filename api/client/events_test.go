package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/internal/message"
)

type eventsIn struct {
	Room string `path:"room"`
	Last string `header:"Last-Event-ID"`
	Most int    `query:"most" max:"9"`
}

// TestCallEvents reads numbered events, none missing and none repeated, from a server that ends each
// connection after some events.
func TestCallEvents(t *testing.T) {
	connections := 0
	onRouters(t, func(r api.Router) {
		api.HandleEvents(r, "GET /rooms/{room}", func(_ context.Context, in *eventsIn, events *api.Events) error {
			if connections++; connections%3 == 2 {
				return api.NewProblem(http.StatusServiceUnavailable, "")
			}
			from, _ := strconv.Atoi(in.Last)
			if err := events.Send(api.Event{Retry: time.Millisecond}); err != nil {
				return err
			}
			for i := from + 1; i <= from+3; i++ {
				if err := events.SendJSON(strconv.Itoa(i), callNumber{i}); err != nil {
					return err
				}
			}
			return nil
		})
	}, func(t *testing.T, c *Client) {
		connections = 0
		lost := 0
		live := CallEvents[eventsIn](c, "GET /rooms/{room}", CallOptions{Events: EventOptions{Lost: func(error) { lost++ }}})
		n := 0
		for v, err := range EventData[callNumber](live(t.Context(), &eventsIn{Room: "a/b"})) {
			if n++; err != nil || v.N != n {
				t.Fatalf("event %d: %+v, %v", n, v, err)
			}
			if n == 10 {
				break
			}
		}
		if connections != 6 || lost != 5 {
			t.Errorf("%d connections, lost %d times", connections, lost)
		}
		var p *api.Problem
		for _, err := range live(t.Context(), &eventsIn{Room: "a", Most: 10}) {
			if !errors.As(err, &p) || p.Status != 422 {
				t.Errorf("got %v, want a problem of status 422", err)
			}
		}
		for _, err := range live(t.Context(), &eventsIn{}) {
			if err == nil {
				t.Error("an input without a room was sent")
			}
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		for e, err := range live(ctx, &eventsIn{Room: "a"}) {
			if cancel(errStopped); err != nil && err != errStopped {
				t.Errorf("%+v, %v", e, err)
			}
		}
	})
}

// TestCallEventsText reads, byte by byte, streams in every syntax that the specification allows.
func TestCallEventsText(t *testing.T) {
	type answer struct {
		text, mediaType string
		status          int
	}
	// next is atomic because a handler may still write to a client that has disconnected while
	// the test sets the next answer.
	var next atomic.Pointer[answer]
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := next.Load()
		w.Header().Set("Content-Type", a.mediaType)
		w.WriteHeader(a.status)
		for i := range len(a.text) {
			if _, err := io.WriteString(w, a.text[i:i+1]); err != nil {
				return
			}
			if len(a.text) < 1000 {
				w.(http.Flusher).Flush()
			}
		}
	}))
	defer s.Close()
	c := clientOf(t, s.URL)
	once := CallEvents[struct{}](c, "GET /x", CallOptions{Events: EventOptions{Once: true}})
	for _, test := range []struct {
		text string
		want []api.Event
	}{
		{"", nil},
		{"data: a\n\n", []api.Event{{Data: []byte("a")}}},
		{"data:a\ndata\ndata:  b\n\n", []api.Event{{Data: []byte("a\n\n b")}}},
		{"data\n\ndata\ndata\n\n", []api.Event{{Data: []byte{}}, {Data: []byte("\n")}}},
		{"\xef\xbb\xbfdata: a\r\ndata: b\rdata: c\r\r\ndata: d\r\n\r\n", []api.Event{{Data: []byte("a\nb\nc")}, {Data: []byte("d")}}},
		{": comment\nid: 7\nevent: tick\nretry: 20\ndata: a\n\ndata: b\n\n", []api.Event{
			{ID: "7", Name: "tick", Retry: 20 * time.Millisecond, Data: []byte("a")}, {ID: "7", Data: []byte("b")}}},
		{"id: 1\n\nid\ndata: a\n\nid: 2\x00\ndata: b\n\nretry: x\nunknown: y\ndata: c\n\n", []api.Event{{Data: []byte("a")}, {Data: []byte("b")}, {Data: []byte("c")}}},
		{"data: a\n\ndata: cut off\n", []api.Event{{Data: []byte("a")}}},
		{"event: e\n\ndata: a\n\n", []api.Event{{Data: []byte("a")}}},
	} {
		next.Store(&answer{test.text, api.MediaTypeEvents, 200})
		var got []api.Event
		for e, err := range once(t.Context(), nil) {
			if err != nil {
				t.Errorf("%q: %v", test.text, err)
			}
			got = append(got, e)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q:\ngot  %+v\nwant %+v", test.text, got, test.want)
		}
	}
	for _, test := range []struct {
		answer
		want string // part of the error
	}{
		{answer{"data: " + strings.Repeat("x", message.MaxElement) + "\n\n", api.MediaTypeEvents, 200}, ErrAnswerTooLarge.Error()},
		{answer{"<h1>", "text/html", 200}, `unexpected Content-Type "text/html"`},
		{answer{"no", "text/plain", 403}, "Forbidden: no"},
		{answer{"", api.MediaTypeEvents, 204}, ""},
	} {
		next.Store(&test.answer)
		got := ""
		for _, err := range CallEvents[struct{}](c, "GET /x")(t.Context(), nil) {
			got += fmt.Sprint(err)
		}
		if !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%.20q: %s", test.text, got)
		}
	}
}

// TestCallEventsQuiet calls a server that sends one event per connection, and then nothing. After the time in Quiet,
// the client connects again and gets the next event.
func TestCallEventsQuiet(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", api.MediaTypeEvents)
		_, _ = io.WriteString(w, "retry: 1\ndata: a\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer s.Close()
	var lost error
	live := CallEvents[struct{}](clientOf(t, s.URL), "GET /x", CallOptions{Events: EventOptions{Quiet: 50 * time.Millisecond, Lost: func(err error) { lost = err }}})
	n := 0
	for _, err := range live(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 3 {
			break
		}
	}
	if lost != errQuiet {
		t.Errorf("lost with %v", lost)
	}
}

package agent

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/wire"
)

// A fakeServer takes batches and answers as behave says.
type fakeServer struct {
	*httptest.Server
	mu       sync.Mutex
	received []telemetry.Batch
	behave   func(n int, w http.ResponseWriter) // n counts the posts from 0
}

func newServer(t *testing.T, behave func(n int, w http.ResponseWriter)) *fakeServer {
	s := &fakeServer{behave: behave}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var batch telemetry.Batch
		if err == nil {
			err = wire.Unmarshal(body, &batch)
		}
		if err != nil || r.Method != "POST" || r.URL.Path != "/v1/readings" || r.Header.Get("Content-Type") != api.MediaTypeWire {
			t.Errorf("%s %s of %s: %v", r.Method, r.URL, r.Header.Get("Content-Type"), err)
		}
		s.mu.Lock()
		n := len(s.received)
		s.received = append(s.received, batch)
		s.mu.Unlock()
		s.behave(n, w)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *fakeServer) posts() []telemetry.Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

// times are the moments of all readings in some batches, in the order of arrival.
func times(batches []telemetry.Batch) (list []time.Time) {
	for _, b := range batches {
		for _, r := range b.Readings {
			list = append(list, r.At)
		}
	}
	return list
}

func runFor(t *testing.T, options Options, until func() bool) (undelivered int) {
	t.Helper()
	options.Host, options.Log = "here", quiet
	if options.Interval == 0 {
		options.Interval = 20 * time.Millisecond
	}
	a, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan int)
	go func() { done <- a.Run(ctx) }()
	for deadline := time.Now().Add(20 * time.Second); !until(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Error("waited 20 seconds in vain")
			break
		}
	}
	stop()
	return <-done
}

// TestNothingIsLostToABadServer: answers that ask to try again, and connections
// that break before the answer, cost nothing but repeats.
func TestNothingIsLostToABadServer(t *testing.T) {
	s := newServer(t, func(n int, w http.ResponseWriter) {
		switch n {
		case 0:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 1:
			panic(http.ErrAbortHandler)
		case 2:
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	if lost := runFor(t, Options{Server: s.URL + "/"}, func() bool { return len(s.posts()) > 8 }); lost != 0 {
		t.Errorf("%d readings undelivered", lost)
	}
	posts := s.posts()
	first := posts[0].Readings[0].At
	for n, b := range posts[:4] {
		if !b.Readings[0].At.Equal(first) {
			t.Errorf("post %d does not start with the reading that was not confirmed", n)
		}
	}
	confirmed := times(posts[3:])
	if !slices.IsSortedFunc(confirmed, time.Time.Compare) || len(slices.CompactFunc(slices.Clone(confirmed), time.Time.Equal)) != len(confirmed) {
		t.Errorf("readings out of order or confirmed twice: %v", confirmed)
	}
}

func TestRefusedBatchIsGivenUp(t *testing.T) {
	s := newServer(t, func(n int, w http.ResponseWriter) {
		if n == 0 {
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
	})
	runFor(t, Options{Server: s.URL}, func() bool { return len(s.posts()) > 2 })
	posts := s.posts()
	if !posts[1].Readings[0].At.After(posts[0].Readings[0].At) {
		t.Error("a batch that was refused for good was sent again")
	}
}

func TestStoppingDeliversTheRest(t *testing.T) {
	var s *fakeServer
	slow := make(chan struct{})
	s = newServer(t, func(n int, w http.ResponseWriter) {
		if n == 0 {
			<-slow
		}
	})
	var a *Agent
	a, err := New(Options{Host: "here", Server: s.URL, Interval: 10 * time.Millisecond, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int)
	go func() { done <- a.Run(ctx) }()
	for a.buffer.len() < 20 {
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	close(slow)
	if lost := <-done; lost != 0 {
		t.Errorf("%d readings undelivered", lost)
	}
	if n := len(times(s.posts())); n < 20 {
		t.Errorf("%d readings delivered, want at least the 20 that waited", n)
	}
}

func TestBufferKeepsTheNewest(t *testing.T) {
	at := func(n int) telemetry.Reading { return telemetry.Reading{At: time.Unix(int64(n), 0)} }
	seconds := func(b *buffer) (list []int64) {
		readings, _ := b.oldest(100)
		for _, r := range readings {
			list = append(list, r.At.Unix())
		}
		return list
	}
	b := newBuffer(3)
	for i := range 3 {
		b.add(at(i))
	}
	_, end := b.oldest(2) // 0 and 1 are on their way
	if dropped := b.add(at(3)); dropped != 1 {
		t.Errorf("%d dropped, want 1", dropped)
	}
	b.confirm(end) // 0 has been dropped meanwhile, only 1 is left to forget
	if got := seconds(b); !slices.Equal(got, []int64{2, 3}) {
		t.Errorf("left: %v, want 2 and 3", got)
	}
	b.confirm(end)
	if got := seconds(b); !slices.Equal(got, []int64{2, 3}) {
		t.Errorf("left after confirming twice: %v, want 2 and 3", got)
	}
}

func TestNewRefusesBadServers(t *testing.T) {
	for _, server := range []string{"", "localhost:8080", "ftp://x", "http://", "http://a b"} {
		if _, err := New(Options{Server: server}); err == nil || !strings.Contains(err.Error(), "server URL") {
			t.Errorf("%q: %v", server, err)
		}
	}
}

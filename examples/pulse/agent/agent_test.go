package agent

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	if lost := runFor(t, Options{Servers: []string{s.URL + "/"}}, func() bool { return len(s.posts()) > 8 }); lost != 0 {
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
	runFor(t, Options{Servers: []string{s.URL}}, func() bool { return len(s.posts()) > 2 })
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
	a, err := New(Options{Host: "here", Servers: []string{s.URL}, Interval: 10 * time.Millisecond, Log: quiet})
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

// TestOneOfSeveralServers: a server that does not answer, or asks to come back, costs no pause
// and nothing of the order while another one takes readings.
func TestOneOfSeveralServers(t *testing.T) {
	var broken atomic.Int32 // the number of the server that is
	broken.Store(-1)
	var servers [3]*fakeServer
	var urls []string
	for i := range servers {
		servers[i] = newServer(t, func(n int, w http.ResponseWriter) {
			if broken.Load() != int32(i) {
				return
			}
			if n%2 == 0 {
				panic(http.ErrAbortHandler)
			}
			w.Header().Set("Retry-After", "10")
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		urls = append(urls, servers[i].URL)
	}
	counts := func() (list [3]int) {
		for i, s := range servers {
			list[i] = len(s.posts())
		}
		return list
	}
	var before [3]int
	var first, second, asked int
	phase := 0
	lost := runFor(t, Options{Servers: urls}, func() bool {
		now := counts()
		switch phase {
		case 0: // one of them gets everything
			for i := range now {
				if now[i] > 5 {
					first, phase, before = i, 1, now
					broken.Store(int32(i))
				}
			}
		case 1: // and another, when it breaks
			for i := range now {
				if i != first && now[i] > 5 {
					second, phase, before = i, 2, now
					broken.Store(-1)
				}
			}
			asked = now[first] - before[first]
		case 2: // which stays when the first is back
			return now[second] > before[second]+5
		}
		return false
	})
	now := counts()
	if lost != 0 || asked > 2 || now[first]+now[second] != now[0]+now[1]+now[2] {
		t.Errorf("%d readings undelivered; %v posts, first to %d, then to %d; the broken one was asked %d times", lost, now, first, second, asked)
	}
	list := times(append(servers[first].posts()[:before[first]], servers[second].posts()...))
	if !slices.IsSortedFunc(list, time.Time.Compare) {
		t.Errorf("readings out of order: %v", list)
	}
}

// TestAllServersBroken: the pause comes after each has been asked once.
func TestAllServersBroken(t *testing.T) {
	p, err := newPoster([]string{"http://a", "http://b", "http://c"}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]int{}
	for round := range 2 {
		for i := range 3 {
			asked[p.server()]++
			if more := p.next(); more != (i < 2) {
				t.Errorf("round %d, server %d: %v", round, i, more)
			}
		}
	}
	for server, n := range asked {
		if n != 2 {
			t.Errorf("%s was asked %d times in two rounds", server, n)
		}
	}
	starts := map[string]bool{}
	for range 100 {
		p, _ := newPoster([]string{"http://a", "http://b", "http://c"}, "", nil)
		starts[p.server()] = true
	}
	if len(starts) != 3 {
		t.Errorf("a hundred agents begin with %v", starts)
	}
}

func TestNewRefusesBadServers(t *testing.T) {
	for _, server := range []string{"", "localhost:8080", "ftp://x", "http://", "http://a b"} {
		if _, err := New(Options{Servers: []string{"http://fine", server}}); err == nil || !strings.Contains(err.Error(), "server URL") {
			t.Errorf("%q: %v", server, err)
		}
	}
}

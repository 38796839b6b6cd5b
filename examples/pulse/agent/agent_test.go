package agent

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
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
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// A fakeServer receives batches. The function behave answers them.
type fakeServer struct {
	*httptest.Server
	mu       sync.Mutex
	received []telemetry.Batch
	behave   func(n int, w http.ResponseWriter) // n counts the posts from 0
}

// A logText keeps a log.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newServer(t *testing.T, behave func(n int, w http.ResponseWriter)) *fakeServer {
	s := &fakeServer{behave: behave}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var batch telemetry.Batch
		if err == nil {
			err = wire.Unmarshal(body, &batch)
		}
		if err != nil || r.Method != "POST" || r.URL.Path != "/v2/readings" || r.Header.Get("Content-Type") != api.MediaTypeWire {
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

// times returns the times of all readings in the batches, in the order of arrival.
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
	options.Host = "here"
	if options.Log == nil {
		options.Log = quiet
	}
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
			t.Error("nothing happened within 20 seconds")
			break
		}
	}
	stop()
	return <-done
}

// TestNothingIsLostToABadServer: an agent sends readings again after an answer that asks for it, and
// after a connection that breaks before the answer. No reading is lost.
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
		t.Error("a batch that was refused permanently was sent again")
	}
}

// answerRefusals answers a post with a receipt.
func answerRefusals(t *testing.T, w http.ResponseWriter, refused ...telemetry.Refusal) {
	w.Header().Set("Content-Type", "application/json")
	body, err := json.Marshal(telemetry.Receipt{Refused: refused})
	if err == nil {
		_, err = w.Write(body)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestRefusalsAreLoggedOnce: an agent continues after refusals, and logs each reason once.
func TestRefusalsAreLoggedOnce(t *testing.T) {
	var log logText
	s := newServer(t, func(n int, w http.ResponseWriter) {
		if n%2 == 0 {
			answerRefusals(t, w, telemetry.Refusal{Index: 0, Field: fmt.Sprintf(".disks[%d].mount", n), Reason: "must match"})
		} else {
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprintf(w, `{"status":422,"errors":[{"in":"body","name":".readings[0].cpu","detail":"must be at most 100"}]}`)
		}
	})
	if lost := runFor(t, Options{Servers: []string{s.URL}, Log: slog.New(slog.NewTextHandler(&log, nil))}, func() bool { return len(s.posts()) > 9 }); lost != 0 {
		t.Errorf("%d readings undelivered", lost)
	}
	for _, reason := range []string{"must match", "must be at most 100"} {
		if n := strings.Count(log.String(), reason); n != 1 {
			t.Errorf("%q is logged %d times:\n%s", reason, n, log.String())
		}
	}
	if all := times(s.posts()); len(slices.CompactFunc(all, time.Time.Equal)) != len(times(s.posts())) {
		t.Error("a refused reading was posted again")
	}
}

// TestReadingsFromTheFuture postpones readings in a buffer. Once their times have come, they are the
// oldest readings again.
func TestReadingsFromTheFuture(t *testing.T) {
	b := newBuffer(10)
	at := func(n int) telemetry.Reading { return telemetry.Reading{At: time.Unix(int64(n), 0)} }
	for i := range 6 {
		b.add(at(i))
	}
	_, end := b.oldest(4)
	b.confirm(end)
	b.postpone([]telemetry.Reading{at(1), at(3)})
	b.resume(time.Unix(2, 0), 10)
	readings, end := b.oldest(10)
	var got []int64
	for _, r := range readings {
		got = append(got, r.At.Unix())
	}
	if !slices.Equal(got, []int64{1, 4, 5}) || b.len() != 4 {
		t.Errorf("%v are due, %d are kept; want 1 4 5, and 4", got, b.len())
	}
	b.confirm(end)
	if readings, _ := b.oldest(10); len(readings) != 0 || b.len() != 1 {
		t.Errorf("%v and %d are kept after they were delivered", readings, b.len())
	}
	for i := range 10 {
		b.add(at(i))
	}
	if b.len() != 10 || len(b.early) != 0 {
		t.Errorf("%d kept of 10, %d of them postponed", b.len(), len(b.early))
	}
}

// TestServerRefusesTheFuture runs an agent whose clock is ahead of the server's. The agent keeps the
// readings that the server will accept later, and delivers all others. When the server accepts the kept
// readings, the agent delivers them unchanged, after earlyRetry.
func TestServerRefusesTheFuture(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	// The server refuses readings as if its clock were behind, until accepts is set.
	var accepts atomic.Bool
	s := newServer(t, func(n int, w http.ResponseWriter) {
		switch {
		case accepts.Load():
			answerRefusals(t, w)
		case n%2 == 0:
			answerRefusals(t, w, telemetry.Refusal{Index: 0, Field: ".at", Reason: "is ahead", Later: true})
		default:
			w.WriteHeader(http.StatusConflict)
			fmt.Fprintf(w, `{"status":409,"errors":[{"in":"body","name":".readings[0].at","detail":"is ahead"}]}`)
		}
	})
	began := time.Now()
	first := 0
	lost := runFor(t, Options{Servers: []string{s.URL}, Interval: 100 * time.Millisecond}, func() bool {
		if posts := s.posts(); !accepts.Load() && len(posts) > 4 && time.Since(began) > time.Second {
			first = len(times(posts))
			accepts.Store(true)
		}
		return first > 0 && time.Since(began) > earlyRetry+time.Second
	})
	seen := map[time.Time]int{}
	for _, at := range times(s.posts()) {
		seen[at]++
	}
	again := 0
	for _, n := range seen {
		again += n - 1
	}
	if lost != 0 || again < 5 {
		t.Errorf("%d lost; %d readings were sent again of %d that were too early", lost, again, first)
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
	_, end := b.oldest(2) // readings 0 and 1 are being sent
	if dropped := b.add(at(3)); dropped != 1 {
		t.Errorf("%d dropped, want 1", dropped)
	}
	b.confirm(end) // after the call of oldest, reading 0 was dropped, so confirm removes only reading 1
	if got := seconds(b); !slices.Equal(got, []int64{2, 3}) {
		t.Errorf("left: %v, want 2 and 3", got)
	}
	b.confirm(end)
	if got := seconds(b); !slices.Equal(got, []int64{2, 3}) {
		t.Errorf("left after confirming twice: %v, want 2 and 3", got)
	}
	b.add(at(4))
	readings, _ := b.oldest(2)
	if !b.addNewest(readings) || readings[0].At.Unix() != 2 || readings[1].At.Unix() != 4 || !slices.Equal(seconds(b), []int64{2, 3, 4}) {
		t.Errorf("with the newest: %v", readings)
	}
	if readings, _ := b.oldest(3); b.addNewest(readings) || readings[2].At.Unix() != 4 {
		t.Errorf("all readings: %v", readings)
	}
}

// TestOneOfSeveralServers: if a server does not answer or asks the agent to retry, the agent uses
// another server without a pause, and keeps the order of readings.
func TestOneOfSeveralServers(t *testing.T) {
	var broken atomic.Int32 // the number of the broken server
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
		case 0: // one server gets all readings
			for i := range now {
				if now[i] > 5 {
					first, phase, before = i, 1, now
					broken.Store(int32(i))
				}
			}
		case 1: // when the first server breaks, another server gets the readings
			for i := range now {
				if i != first && now[i] > 5 {
					second, phase, before = i, 2, now
					broken.Store(-1)
				}
			}
			asked = now[first] - before[first]
		case 2: // the agent stays with this server when the first server works again
			return now[second] > before[second]+5
		}
		return false
	})
	now := counts()
	if lost != 0 || asked > 2 || now[first]+now[second] != now[0]+now[1]+now[2] {
		t.Errorf("%d readings undelivered; %v posts, first to %d, then to %d; the broken server got %d posts", lost, now, first, second, asked)
	}
	list := times(append(servers[first].posts()[:before[first]], servers[second].posts()...))
	if !slices.IsSortedFunc(list, time.Time.Compare) {
		t.Errorf("readings out of order: %v", list)
	}
}

// TestAllServersBroken: the agent pauses after each server has failed once.
func TestAllServersBroken(t *testing.T) {
	p, err := newPoster([]string{"http://a", "http://b", "http://c"}, "", nil, telemetry.Post{})
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
			t.Errorf("%s got %d posts in two rounds", server, n)
		}
	}
	starts := map[string]bool{}
	for range 100 {
		p, _ := newPoster([]string{"http://a", "http://b", "http://c"}, "", nil, telemetry.Post{})
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

// TestOlderServer: a server without a route for the present binary format gets JSON. It ignores the
// members that it does not know.
func TestOlderServer(t *testing.T) {
	var mu sync.Mutex
	paths := map[string]int{}
	mux := http.NewServeMux()
	type olderDisk struct{ Mount, Device string }
	type olderReading struct {
		Host  string
		Disks []olderDisk
	}
	type olderBatch struct {
		Readings []olderReading `json:"readings"`
	}
	api.Handle(api.Mux(mux), "POST /v1/readings", func(context.Context, *olderBatch) (*telemetry.Receipt, error) {
		return &telemetry.Receipt{Stored: 1}, nil
	})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		paths[r.URL.Path+" "+r.Header.Get("Content-Type")]++
		mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	defer s.Close()
	count := func(what string) int {
		mu.Lock()
		defer mu.Unlock()
		return paths[what]
	}
	lost := runFor(t, Options{Servers: []string{s.URL}, Interval: 20 * time.Millisecond}, func() bool { return count("/v1/readings application/json") >= 5 })
	if lost != 0 || count("/v2/readings "+api.MediaTypeWire) != 1 {
		t.Errorf("%d readings lost, requests %v", lost, paths)
	}
}

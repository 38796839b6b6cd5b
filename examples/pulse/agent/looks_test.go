package agent

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// A simulation is a server that an agent reaches without a network, on a simulated clock.
type simulation struct {
	t     *testing.T
	began time.Time

	mu             sync.Mutex
	older, watched bool
	asked          int
	posts          []simulatedPost
}

type simulatedPost struct {
	at       time.Duration
	header   http.Header
	readings []telemetry.Reading
}

func (s *simulation) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	var answer any
	switch r.URL.Path {
	case "/v1/watched":
		s.asked++
		if s.older {
			w.WriteHeader(http.StatusNotFound)
			return w.Result(), nil
		}
		answer = telemetry.Look{Watched: s.watched}
	case "/v2/readings":
		body, err := io.ReadAll(r.Body)
		var batch telemetry.Batch
		if err == nil {
			err = wire.Unmarshal(body, &batch)
		}
		if err != nil {
			s.t.Error(err)
		}
		s.posts = append(s.posts, simulatedPost{time.Since(s.began), r.Header, batch.Readings})
		answer = telemetry.Receipt{Stored: len(batch.Readings), Watched: s.watched && !s.older}
	default:
		s.t.Errorf("%s %s", r.Method, r.URL)
	}
	body, err := json.Marshal(answer)
	if err == nil {
		_, err = w.Write(body)
	}
	return w.Result(), err
}

func (s *simulation) set(older, watched bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.older, s.watched = older, watched
}

// between returns the posts of a span of time.
func (s *simulation) between(from, to time.Duration) (posts []simulatedPost) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.posts {
		if p.at >= from && p.at < to {
			posts = append(posts, p)
		}
	}
	return posts
}

// simulate runs an agent while test runs. At the end each sample must have been posted once.
func simulate(t *testing.T, options Options, test func(t *testing.T, s *simulation)) {
	synctest.Test(t, func(t *testing.T) {
		s := &simulation{t: t, began: time.Now()}
		options.Host, options.Servers, options.Log = "here", []string{"http://server"}, slog.New(slog.NewTextHandler(t.Output(), nil))
		a, err := New(options)
		if err != nil {
			t.Fatal(err)
		}
		a.poster.http.Transport.(*http.Transport).RegisterProtocol("http", s)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		done := make(chan int)
		go func() { done <- a.Run(ctx) }()
		test(t, s)
		ran := time.Since(s.began)
		stop()
		if lost := <-done; lost != 0 {
			t.Errorf("%d readings lost", lost)
		}
		var all []time.Time
		for _, p := range s.posts {
			all = append(all, timesOf(p.readings)...)
		}
		if n := int(ran/options.Interval) + 1; len(all) < n-1 || len(all) > n {
			t.Errorf("%d readings of %s", len(all), ran)
		}
		if !slices.IsSortedFunc(all, time.Time.Compare) || len(slices.CompactFunc(slices.Clone(all), time.Time.Equal)) != len(all) {
			t.Errorf("readings are out of order, or were posted twice: %v", all)
		}
	})
}

func timesOf(readings []telemetry.Reading) []time.Time {
	return times([]telemetry.Batch{{Readings: readings}})
}

// TestLooks: an agent posts every 15 seconds while nobody looks, and each sample while somebody does. It
// always announces 15 seconds, so the host is never silent between.
func TestLooks(t *testing.T) {
	simulate(t, Options{Interval: time.Second, Report: Report, Tags: []string{"a=b", "c"}}, func(t *testing.T, s *simulation) {
		time.Sleep(62 * time.Second)
		posts := s.between(5*time.Second, time.Minute)
		for _, p := range posts {
			if len(p.readings) != 15 || p.header.Get("Pulse-Every") != "15000000000" {
				t.Errorf("after %s: %d readings, %v", p.at, len(p.readings), p.header)
			}
		}
		if len(posts) < 3 || len(posts) > 4 {
			t.Errorf("%d posts while nobody looks", len(posts))
		}
		if h := posts[0].header; h.Get("Pulse-Tag") != "a=b, c" || h.Get("Pulse-Agent") == "" || h.Get("Pulse-Clock") == "" {
			t.Errorf("the header fields are %v", h)
		}

		s.set(false, true)
		looked := time.Since(s.began)
		time.Sleep(30 * time.Second)
		posts = s.between(looked, looked+30*time.Second)
		if len(posts) < 20 || posts[0].at-looked > askEvery+time.Second {
			t.Fatalf("%d posts while somebody looks, the first after %s", len(posts), posts[0].at-looked)
		}
		for _, p := range posts[1:] {
			if len(p.readings) != 1 || p.header.Get("Pulse-Every") != "15000000000" {
				t.Errorf("after %s: %d readings, %v", p.at, len(p.readings), p.header)
			}
		}
		asked := s.asked
		time.Sleep(30 * time.Second)
		if s.asked != asked {
			t.Errorf("%d questions although the receipts have the answer", s.asked-asked)
		}

		s.set(false, false)
		gone := time.Since(s.began)
		time.Sleep(time.Minute)
		if posts := s.between(gone, gone+time.Minute); len(posts) < 4 || len(posts) > 6 {
			t.Errorf("%d posts in a minute after the look", len(posts))
		}
	})
}

// TestOlderServerDoesNotKnow: an older server may judge hosts as silent after ten seconds, and its page cannot ask
// for more posts. So it gets each sample at once, until it has been replaced.
func TestOlderServerDoesNotKnow(t *testing.T) {
	simulate(t, Options{Interval: 5 * time.Second, Report: time.Minute}, func(t *testing.T, s *simulation) {
		s.set(true, true)
		time.Sleep(time.Minute)
		if posts := s.between(0, time.Minute); len(posts) < 11 {
			t.Errorf("an older server gets %d posts in a minute", len(posts))
		}
		s.set(false, false)
		time.Sleep(olderFor)
		from := time.Since(s.began)
		time.Sleep(3 * time.Minute)
		if posts := s.between(from, from+3*time.Minute); len(posts) < 2 || len(posts) > 4 {
			t.Errorf("its successor gets %d posts in three minutes", len(posts))
		}
	})
}

// TestAgentOfTheServer: the agent in the process of the server knows at once that somebody looks, and asks nothing.
func TestAgentOfTheServer(t *testing.T) {
	var mu sync.Mutex
	looked := false
	watched := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return looked
	}
	simulate(t, Options{Interval: time.Second, Report: Report, Watched: watched}, func(t *testing.T, s *simulation) {
		time.Sleep(20 * time.Second)
		mu.Lock()
		looked = true
		mu.Unlock()
		at := time.Since(s.began)
		time.Sleep(10 * time.Second)
		if posts := s.between(at, at+10*time.Second); len(posts) < 9 || posts[0].at-at > time.Second || s.asked != 0 {
			t.Errorf("%d posts, %d questions", len(posts), s.asked)
		}
		mu.Lock()
		looked = false
		mu.Unlock()
	})
}

// TestHalfFullBufferIsPosted: an agent with a small buffer does not wait for its report until readings are lost.
func TestHalfFullBufferIsPosted(t *testing.T) {
	simulate(t, Options{Interval: time.Second, Report: time.Hour, Buffer: 20}, func(t *testing.T, s *simulation) {
		time.Sleep(time.Minute)
		posts := s.between(time.Second, time.Minute)
		for _, p := range posts {
			if len(p.readings) != 10 {
				t.Errorf("after %s: %d readings", p.at, len(p.readings))
			}
		}
		if len(posts) < 5 {
			t.Errorf("%d posts", len(posts))
		}
	})
}

package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// TestPagesAtTheSameTime: requests beyond the limit of pages get the status 503, and pages are
// available again later.
func TestPagesAtTheSameTime(t *testing.T) {
	const n = 3
	entered, leave := make(chan struct{}), make(chan struct{})
	s := httptest.NewServer(limitPages(n, 50*time.Millisecond, time.Minute)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		<-leave
	})))
	t.Cleanup(s.Close)
	statuses := make(chan int, n)
	get := func() (int, string) {
		a, err := s.Client().Get(s.URL)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		a.Body.Close()
		return a.StatusCode, a.Header.Get("Retry-After")
	}
	for round := range 2 {
		for range n {
			go func() {
				status, _ := get()
				statuses <- status
			}()
			<-entered
		}
		if status, retry := get(); status != 503 || retry != "1" {
			t.Errorf("round %d, beyond the limit: %d, Retry-After %q", round, status, retry)
		}
		for range n {
			leave <- struct{}{}
			if status := <-statuses; status != 200 {
				t.Errorf("round %d, within the limit: %d", round, status)
			}
		}
	}
}

// TestSlowReaderOfAPage: a client that does not read its page is disconnected, and the next one gets
// its turn.
func TestSlowReaderOfAPage(t *testing.T) {
	t.Parallel()
	page := bytes.Repeat([]byte("x"), 64<<20)
	s := httptest.NewServer(limitPages(1, 20*time.Second, 300*time.Millisecond)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/large" {
			_, _ = w.Write(page)
		}
	})))
	t.Cleanup(s.Close)
	slow, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slow.Close() })
	fmt.Fprintf(slow, "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if _, err := io.ReadFull(slow, make([]byte, 15)); err != nil { // the page has its turn
		t.Fatal(err)
	}
	for range 2 { // the second request reuses the connection of the first one, whose deadline has passed
		a, err := s.Client().Get(s.URL + "/small")
		if err != nil || a.StatusCode != 200 {
			t.Fatal(a, err)
		}
		_, _ = io.Copy(io.Discard, a.Body)
		a.Body.Close()
		time.Sleep(400 * time.Millisecond)
	}
}

// A stuckPages is a store whose pages wait until leave is closed.
type stuckPages struct {
	store.Store
	entered, leave chan struct{}
}

func (s stuckPages) Readings(ctx context.Context, q store.Query) ([]telemetry.Reading, mo.Option[string], error) {
	s.entered <- struct{}{}
	<-s.leave
	return s.Store.Readings(ctx, q)
}

// TestPagesAreLimited: the server limits pages of readings.
func TestPagesAreLimited(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}, 100), make(chan struct{})
	s := serveWith(t, queue.Options{}, func(o *Options) { o.Store = stuckPages{o.Store, entered, leave} })
	for range maxPages {
		go func() {
			if a, err := s.Client().Get(s.URL + "/v1/readings"); err == nil {
				a.Body.Close()
			}
		}()
		<-entered
	}
	a := s.get("/v1/readings")
	close(leave)
	if a.StatusCode != 503 || a.Header.Get("Retry-After") != "1" {
		t.Errorf("%s %s", a.Status, a.body)
	}
}

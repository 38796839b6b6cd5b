package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// An answering queue returns the same result for every batch.
type answering struct {
	receipt    queue.Receipt
	put, check error
}

func (q answering) Put(context.Context, []telemetry.Reading) (queue.Receipt, error) {
	return q.receipt, q.put
}
func (q answering) Check(context.Context) error { return q.check }
func (q answering) Look()                       {}
func (q answering) Close() error                { return nil }

// healthy is a store that can be written and read.
type healthy struct{ store.Store }

func (healthy) Check(context.Context) error { return nil }

func (healthy) Admit(context.Context, store.Owner, []string) error { return nil }

// TestAnswersOfTheQueue: each result of the queue is answered with the right status. Failures that
// may pass also have Retry-After.
func TestAnswersOfTheQueue(t *testing.T) {
	for _, test := range []struct {
		queue  answering
		status int
		body   string
		retry  bool
	}{
		{answering{receipt: queue.Receipt{Stored: 1}}, http.StatusOK, `{"stored":1,"repeated":0}`, false},
		{answering{receipt: queue.Receipt{Queued: 1}}, http.StatusAccepted, `{"stored":0,"repeated":0,"queued":1}`, false},
		{answering{put: queue.ErrBusy}, http.StatusServiceUnavailable, "waiting", true},
		{answering{put: queue.ErrClosed}, http.StatusServiceUnavailable, "shutting down", true},
		{answering{put: queue.ErrUnavailable}, http.StatusServiceUnavailable, "broker", true},
		{answering{put: store.ErrUnavailable}, http.StatusServiceUnavailable, "database", true},
		{answering{put: store.ErrFull}, http.StatusInsufficientStorage, "disk is full", true},
		{answering{put: queue.ErrTooLarge}, http.StatusRequestEntityTooLarge, "larger", false},
		{answering{put: errors.New("password")}, http.StatusInternalServerError, "", false},
	} {
		if test.queue.put != nil {
			test.queue.put = fmt.Errorf("injected: %w", test.queue.put)
		}
		h := New(Options{Store: healthy{}, Queue: test.queue, Live: NewLive(), Log: slog.New(slog.DiscardHandler)})
		r := httptest.NewRequest("POST", "http://127.0.0.1/v1/readings", bytes.NewReader(jsonOf(t, telemetry.Batch{Readings: []telemetry.Reading{reading("a", 0)}})))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if body := w.Body.String(); w.Code != test.status || !strings.Contains(body, test.body) || strings.Contains(body, "password") || (w.Header().Get("Retry-After") != "") != test.retry {
			t.Errorf("%+v: %d, Retry-After %q: %s", test.queue, w.Code, w.Header().Get("Retry-After"), body)
		}
	}
	for _, fault := range []error{nil, queue.ErrUnavailable} {
		h := New(Options{Store: healthy{}, Queue: answering{check: fault}, Live: NewLive(), Log: slog.New(slog.DiscardHandler)})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/healthz", nil))
		if (w.Code == http.StatusOK) != (fault == nil) || fault != nil && w.Header().Get("Retry-After") == "" {
			t.Errorf("healthz with %v: %d", fault, w.Code)
		}
	}
}

// checked is a store that counts the calls of its Check method.
type checked struct {
	store.Store
	times atomic.Int64
}

func (c *checked) Check(context.Context) error {
	c.times.Add(1)
	return nil
}

// TestHealthIsCheckedSeldom sends many requests at once, and cancels one of them. The store is
// checked at most once in healthAge, and every request gets the result.
func TestHealthIsCheckedSeldom(t *testing.T) {
	c := &checked{}
	h := New(Options{Store: c, Queue: answering{}, Live: NewLive()})
	began := time.Now()
	var group sync.WaitGroup
	for i := range 100 {
		group.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i == 0 {
				cancel()
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "http://127.0.0.1/healthz", nil))
			if w.Code != http.StatusOK {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	group.Wait()
	if n, most := c.times.Load(), 1+int64(time.Since(began)/healthAge); n < 1 || n > most {
		t.Errorf("checked %d times in %s", n, time.Since(began))
	}
}

// TestQuietUnderOverload refuses thousands of posts. The log has a line at once, and then a line a
// second with the number of refusals.
func TestQuietUnderOverload(t *testing.T) {
	t.Parallel()
	var text lockedText
	h := New(Options{Store: healthy{}, Queue: answering{put: queue.ErrBusy}, Live: NewLive(), Log: slog.New(slog.NewTextHandler(&text, nil))})
	body := jsonOf(t, telemetry.Batch{Readings: []telemetry.Reading{reading("a", 0)}})
	began, n := time.Now(), 0
	for ; time.Since(began) < 1500*time.Millisecond; n++ {
		w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "http://127.0.0.1/v1/readings", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		h.ServeHTTP(w, r)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "1" {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	time.Sleep(time.Until(began.Add(2500 * time.Millisecond)))
	counted := 1
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	for _, line := range lines[1:] {
		var times int
		_, after, _ := strings.Cut(line, "times=")
		if _, err := fmt.Sscan(after, &times); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		counted += times
	}
	if len(lines) != 3 || counted != n {
		t.Errorf("%d lines count %d of %d refusals:\n%s", len(lines), counted, n, text.String())
	}
}

// A lockedText keeps a log.
type lockedText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

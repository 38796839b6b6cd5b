package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// TestHostLimits posts to a server with two tokens. Each token has its own limit, and there is a
// limit for both tokens together. A batch loses only the readings of refused hosts.
func TestHostLimits(t *testing.T) {
	keep := store.Options{Hosts: 5, HostsPerToken: 3}
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pulse.db"), keep)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	batches := queue.NewLocal(db, queue.Options{})
	t.Cleanup(func() { batches.Close() })
	s := serveWith(t, queue.Options{}, func(o *Options) {
		o.Store, o.Queue, o.Keep, o.Access = db, batches, keep, Access{WriteTokens: []string{"one", "two"}}
	})
	ago := 10 * time.Minute
	for i, test := range []struct {
		token, hosts string
		status       int
		refused      string // the indexes of the refused readings
		detail       string
	}{
		{"one", "a b a", 200, "", ""},
		{"one", "a x c y x", 403, "[2][3]", "3 hosts for each token; start pulse with a larger -max-hosts-per-token to raise it. Readings refused: 2 of 5."},
		{"one", "y", 403, "[0]", "Readings refused: 1 of 1."},
		{"two", "a x d e f d", 403, "[4]", "5 hosts in all; start pulse with a larger -max-hosts to raise it. Readings refused: 1 of 6."},
		{"two", "a b x d e", 200, "", ""},
		{"one", "d e", 200, "", ""},
	} {
		var readings []telemetry.Reading
		for _, host := range strings.Fields(test.hosts) {
			ago -= time.Second
			readings = append(readings, reading(host, ago))
		}
		a := s.ask("POST", "/v1/readings", jsonOf(t, telemetry.Batch{Readings: readings}), "Authorization", "Bearer "+test.token, "Content-Type", "application/json")
		var problem api.Problem
		if err := json.Unmarshal(a.body, &problem); err != nil {
			t.Fatal(err)
		}
		var refused string
		for _, p := range problem.Errors {
			refused += strings.TrimSuffix(strings.TrimPrefix(p.Name, ".readings"), ".host")
		}
		if a.StatusCode != test.status || refused != test.refused || !strings.Contains(problem.Detail, test.detail) {
			t.Errorf("%d: %s %s", i, a.Status, a.body)
		}
	}
	got := string(s.get("/v1/readings?limit=1000").body)
	for host, want := range map[string]int{"a": 5, "b": 2, "x": 4, "c": 0, "y": 0, "d": 4, "e": 3, "f": 0} {
		if n := strings.Count(got, `"host":"`+host+`"`); n != want {
			t.Errorf("%d readings of %s are stored, want %d", n, host, want)
		}
	}
}

// TestHostPages reads the hosts and the overview page by page, and all at once.
func TestHostPages(t *testing.T) {
	s := serve(t, queue.Options{})
	var batch []telemetry.Reading
	for i := range 25 {
		batch = append(batch, reading(fmt.Sprintf("h%02d", i), 0))
	}
	s.post(batch...)
	for _, path := range []string{"/v1/hosts", "/v1/overview"} {
		for _, limit := range []int{0, 1, 10, 25, 10000} {
			got, pages, cursor := "", 0, ""
			for {
				query := "?"
				if limit > 0 {
					query += fmt.Sprintf("limit=%d&", limit)
				}
				if cursor != "" {
					query += "cursor=" + cursor
				}
				var page struct {
					Hosts []struct{ Host string }
					Next  *string
				}
				if a := s.get(path + query); a.StatusCode != 200 || json.Unmarshal(a.body, &page) != nil {
					t.Fatalf("%s%s: %s %s", path, query, a.Status, a.body)
				}
				for _, h := range page.Hosts {
					got += h.Host + " "
				}
				if pages++; page.Next == nil {
					break
				}
				cursor = *page.Next
			}
			want, wantPages := "", 1
			for _, r := range batch {
				want += r.Host + " "
			}
			if limit > 0 {
				wantPages = (len(batch) + limit - 1) / limit
			}
			if got != want || pages != wantPages {
				t.Errorf("%s with limit %d: %d pages with %s", path, limit, pages, got)
			}
		}
		for _, query := range []string{"?limit=0", "?limit=10001", "?cursor=x", "?cursor=%00"} {
			if a := s.get(path + query); a.StatusCode != 422 {
				t.Errorf("%s%s: %s %s", path, query, a.Status, a.body)
			}
		}
	}
}

// A slowStore counts queries of the hosts. They take some time, and can fail.
type slowStore struct {
	store.Store
	queries atomic.Int64
	fail    atomic.Bool
	hosts   []store.Host
}

func (s *slowStore) Hosts(context.Context, store.HostQuery) ([]store.Host, mo.Option[string], error) {
	s.queries.Add(1)
	time.Sleep(20 * time.Millisecond)
	if s.fail.Load() {
		return nil, mo.None[string](), store.ErrUnavailable
	}
	return s.hosts, mo.None[string](), nil
}

func (s *slowStore) Alerts(context.Context) ([]store.Alert, error) { return nil, nil }

func (s *slowStore) FindToken(context.Context, string) (store.Token, error) {
	return store.Token{}, store.ErrUnknownToken
}

func (s *slowStore) Buckets(context.Context, store.Tier, store.HostRange, time.Time, time.Time, func(string, time.Time, *telemetry.Bucket) error) error {
	return nil
}

// TestSharedAnswers: many requests at once cost one query for each format. Failures are not kept.
func TestSharedAnswers(t *testing.T) {
	slow := &slowStore{}
	for i := range 100 {
		slow.hosts = append(slow.hosts, store.Host{Name: fmt.Sprint("host ", i)})
	}
	s := serveWith(t, queue.Options{}, func(o *Options) { o.Store, o.Access = slow, Access{ReadToken: "look"} })
	ask := func(path, accept string) answer {
		return s.ask("GET", path, nil, "Accept", accept, "Authorization", "Bearer look")
	}
	began := time.Now()
	var group sync.WaitGroup
	for i := range 60 {
		group.Go(func() {
			if i%2 == 0 {
				var got overviewOutput
				if a := ask("/v1/overview", "application/json"); a.StatusCode != 200 || json.Unmarshal(a.body, &got) != nil || len(got.Hosts) != 100 || a.Header.Get("Content-Type") != "application/json" {
					t.Errorf("JSON: %s %.100s", a.Status, a.body)
				}
				return
			}
			var got overviewOutput
			if a := ask("/v1/overview", api.MediaTypeWire); a.StatusCode != 200 || wire.Unmarshal(a.body, &got) != nil || len(got.Hosts) != 100 || a.Header.Get("Content-Type") != api.MediaTypeWire {
				t.Errorf("binary: %s %.100s", a.Status, a.body)
			}
		})
	}
	group.Wait()
	if n, most := slow.queries.Load(), 2+2*int64(time.Since(began)/sharedFor); n < 2 || n > most {
		t.Errorf("%d queries for two formats", n)
	}
	// A request without the token does not get the shared answer.
	for _, token := range []string{"", "Bearer loo"} {
		if a := s.ask("GET", "/v1/overview", nil, "Accept", "application/json", "Authorization", token); a.StatusCode != 401 || a.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("with the token %q: %s", token, a.Status)
		}
	}
	if a := ask("/v1/overview", "text/html"); a.StatusCode != 406 {
		t.Errorf("a format that does not exist: %s", a.Status)
	}

	// Only the requests that wait for the failed answer get the failure.
	slow.fail.Store(true)
	for range 3 {
		if a := ask("/v1/hosts", ""); a.StatusCode != 503 || a.Header.Get("Retry-After") == "" {
			t.Errorf("without a database: %s", a.Status)
		}
	}
	slow.fail.Store(false)
	if a := ask("/v1/hosts", ""); a.StatusCode != 200 {
		t.Errorf("a failure was kept: %s", a.Status)
	}
	// The answer is computed again when it is a second old, but not sooner.
	before := slow.queries.Load()
	for until := time.Now().Add(3 * sharedFor); slow.queries.Load() == before && time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		ask("/v1/hosts", "")
	}
	if slow.queries.Load() == before {
		t.Error("the answer was never computed again")
	}
}

// A stuckWriter is a client that reads nothing until it is released.
type stuckWriter struct {
	*httptest.ResponseRecorder
	release chan struct{}
}

func (w stuckWriter) Write(b []byte) (int, error) {
	<-w.release
	return len(b), nil
}

// TestSharedMemory: clients request many different pages of 20 MB and do not read them. When the
// limit is reached, new pages are refused, and a page that is being sent is still shared. When the
// clients have gone, all memory is free.
func TestSharedMemory(t *testing.T) {
	var computed atomic.Int64
	s := newSharing(nil)
	h := s.middleware(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		computed.Add(1)
		_, _ = w.Write(make([]byte, 20<<20))
	}))
	w := stuckWriter{httptest.NewRecorder(), make(chan struct{})}
	var group sync.WaitGroup
	for i := range 4 { // 80 MB
		group.Go(func() {
			h.ServeHTTP(stuckWriter{httptest.NewRecorder(), w.release}, httptest.NewRequest("GET", fmt.Sprint("/?cursor=", i), nil))
		})
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
			s.mu.Lock()
			size := s.size
			s.mu.Unlock()
			if size >= (i+1)*20<<20 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("size %d after %d answers", size, i+1)
			}
		}
	}
	time.Sleep(sharedFor + 50*time.Millisecond)
	for range 50 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/?cursor=new", nil))
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Fatalf("a page beyond the limit: %d", w.Code)
		}
	}
	old := httptest.NewRecorder()
	h.ServeHTTP(old, httptest.NewRequest("GET", "/?cursor=2", nil))
	if old.Code != 200 || old.Body.Len() != 20<<20 || computed.Load() != 4 {
		t.Errorf("a page that is being sent: %d, %d bytes; %d computed", old.Code, old.Body.Len(), computed.Load())
	}
	close(w.release)
	group.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size != 0 || len(s.answers) != 0 {
		t.Errorf("%d bytes in %d answers are left", s.size, len(s.answers))
	}
}

// TestSharedByDisconnected: the client that has started the computation disconnects, or the handler
// panics. Other clients get an answer.
func TestSharedByDisconnected(t *testing.T) {
	s := newSharing(nil)
	started := make(chan struct{})
	h := s.middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/panic" {
			panic("in the handler")
		}
		close(started)
		time.Sleep(50 * time.Millisecond)
		if err := r.Context().Err(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = io.WriteString(w, "whole")
	}))
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	group.Go(func() {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/", nil))
	})
	<-started
	cancel()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	group.Wait()
	if w.Code != 200 || w.Body.String() != "whole" {
		t.Errorf("the other client got %d %s", w.Code, w.Body)
	}

	func() {
		defer func() { _ = recover() }()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/panic", nil))
		t.Error("the panic was lost")
	}()
	size := func() int { s.mu.Lock(); defer s.mu.Unlock(); return s.size }
	for deadline := time.Now().Add(10 * sharedFor); size() != 0 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
	}
	if size() != 0 || len(s.computing) != 0 {
		t.Errorf("%d bytes are never released, and %d answers are being computed", size(), len(s.computing))
	}
}

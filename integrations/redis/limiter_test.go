package redis_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	honeredis "github.com/hone-go/hone/integrations/redis"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

func limiter(t testing.TB, client redis.UniversalClient, config honeredis.LimiterConfig) *honeredis.Limiter {
	t.Helper()
	l, err := honeredis.NewLimiter(client, config)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLimiterShared sends requests of one visitor to several servers at the same time. Together the servers allow
// exactly the burst.
func TestLimiterShared(t *testing.T) {
	_, prefix := connect(t)
	const burst = 50
	var allowed atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		client, _ := connect(t)
		l := limiter(t, client, honeredis.LimiterConfig{Rate: 0.001, Burst: burst, Prefix: prefix, Timeout: 5 * time.Second})
		for range 4 {
			wg.Go(func() {
				for range 20 {
					ok, err := l.Allow("visitor")
					if err != nil {
						t.Error(err)
					}
					if ok {
						allowed.Add(1)
					}
				}
			})
		}
	}
	wg.Wait()
	if n := allowed.Load(); n != burst {
		t.Errorf("%d requests passed, but the burst is %d", n, burst)
	}
}

// TestLimiterRate checks that tokens become available at the configured rate, by the clock of the Redis
// server.
func TestLimiterRate(t *testing.T) {
	client, prefix := connect(t)
	l := limiter(t, client, honeredis.LimiterConfig{Rate: 10, Burst: 2, Prefix: prefix})
	ask := func() bool {
		ok, err := l.Allow("visitor")
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	start := time.Now()
	for range 2 {
		if !ask() {
			t.Error("the burst was refused")
		}
	}
	if ask() && time.Since(start) < 90*time.Millisecond {
		t.Error("more than the burst passed")
	}
	time.Sleep(120 * time.Millisecond)
	if !ask() {
		t.Error("a request was refused although a token was available")
	}
	time.Sleep(300 * time.Millisecond)
	if n := client.Exists(t.Context(), prefix+"visitor").Val(); n != 0 {
		t.Error("the key of a full bucket did not expire")
	}
	// After the clock was set back, the time in a key is far in the future. This must not delay
	// requests for longer than it takes to fill the bucket.
	future := fmt.Sprint((time.Now().Unix() + 1_000_000) * 1_000_000)
	if err := client.Set(t.Context(), prefix+"visitor", future, time.Minute).Err(); err != nil {
		t.Fatal(err)
	}
	if ask() {
		t.Error("a request passed before its time")
	}
	time.Sleep(50 * time.Millisecond)
	if ask() { // the value in Redis is unchanged until a request passes
		t.Error("a request passed before its time")
	}
}

func TestLimiterVisitors(t *testing.T) {
	client, prefix := connect(t)
	l := limiter(t, client, honeredis.LimiterConfig{Rate: 0.001, Burst: 1, Prefix: prefix})
	long := strings.Repeat("x", 1<<16)
	for _, c := range []struct {
		identifier string
		allowed    bool
	}{
		{"2001:db8::1", true}, {"2001:db8::2", false}, {"2001:db8:0:1::1", true}, {"2001:db8::3%eth0", false},
		{"192.0.2.1", true}, {"::ffff:192.0.2.1", false}, {"192.0.2.2", true},
		{"", true}, {"", false}, {"key with spaces\r\n", true}, {long, true}, {long, false}, {long + "y", true},
	} {
		if ok, err := l.Allow(c.identifier); ok != c.allowed || err != nil {
			t.Errorf("%.30q: %v, %v; want %v", c.identifier, ok, err, c.allowed)
		}
	}
	keys, err := client.Keys(t.Context(), prefix+"*").Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if len(k) > len(prefix)+71 {
			t.Errorf("a key has %d bytes: %q", len(k), k)
		}
	}
}

func TestLimiterMiddleware(t *testing.T) {
	client, prefix := connect(t)
	e := web.New()
	e.Use(middleware.RateLimiter(limiter(t, client, honeredis.LimiterConfig{Rate: 0.5, Burst: 2, Prefix: prefix})))
	e.GET("/", func(c *web.Context) error { return c.NoContent(http.StatusNoContent) })
	for i, want := range []int{204, 204, 429} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/", nil)
		ctx, cancel := context.WithCancel(r.Context())
		cancel() // a client that disconnects is counted too
		e.ServeHTTP(w, r.WithContext(ctx))
		h := w.Header()
		if w.Code != want || h.Get(middleware.HeaderXRateLimitLimit) != "2" || h.Get(middleware.HeaderXRateLimitRemaining) != fmt.Sprint(max(0, 1-i)) {
			t.Errorf("request %d: %d %v", i, w.Code, h)
		}
		if want == 429 && h.Get("Retry-After") != "2" {
			t.Errorf("request %d: Retry-After %q", i, h.Get("Retry-After"))
		}
	}
}

// TestLimiterFast: at the highest possible rate, a visitor gets the whole burst.
func TestLimiterFast(t *testing.T) {
	client, prefix := connect(t)
	l := limiter(t, client, honeredis.LimiterConfig{Rate: 1e6, Burst: 100, Prefix: prefix})
	for range 100 {
		if ok, err := l.Allow("visitor"); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
}

// TestLimiterWithout uses an address without a server, and a server that does not respond. A request is refused with an
// error, or with FailOpen allowed, after a short time.
func TestLimiterWithout(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for _, addr := range []string{silent.Addr().String(), closed.Addr().String()} {
		client := redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true})
		defer client.Close()
		for _, open := range []bool{false, true} {
			var told error
			l := limiter(t, client, honeredis.LimiterConfig{Rate: 1, FailOpen: open, Timeout: 50 * time.Millisecond, OnError: func(err error) { told = err }})
			start := time.Now()
			ok, err := l.Allow("visitor")
			if ok != open || (err == nil) != open || told == nil {
				t.Errorf("FailOpen %v: %v, %v; OnError was called with %v", open, ok, err, told)
			}
			if d := time.Since(start); d > 2*time.Second {
				t.Errorf("a request waited for %v", d)
			}
			e := web.New()
			e.Use(middleware.RateLimiter(l))
			e.GET("/", func(c *web.Context) error { return c.NoContent(http.StatusNoContent) })
			w := httptest.NewRecorder()
			e.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			if want := map[bool]int{false: 429, true: 204}[open]; w.Code != want {
				t.Errorf("FailOpen %v: status %d", open, w.Code)
			}
		}
	}
}

// TestLimiterWrongKey: if the value of a visitor's key was not written by a Limiter, the request is refused with an
// error.
func TestLimiterWrongKey(t *testing.T) {
	client, prefix := connect(t)
	if err := errors.Join(client.RPush(t.Context(), prefix+"list", "x").Err(), client.Set(t.Context(), prefix+"text", "x", 0).Err()); err != nil {
		t.Fatal(err)
	}
	l := limiter(t, client, honeredis.LimiterConfig{Rate: 1, Prefix: prefix})
	for _, visitor := range []string{"list", "text"} {
		if ok, err := l.Allow(visitor); ok || err == nil {
			t.Errorf("%s: %v, %v", visitor, ok, err)
		}
	}
}

func TestLimiterConfig(t *testing.T) {
	for _, c := range []honeredis.LimiterConfig{
		{}, {Rate: -1}, {Rate: math.NaN()}, {Rate: math.Inf(1)}, {Rate: 1, Burst: -1}, {Rate: 1e-12, Burst: 1}, {Rate: 1e9, Burst: 10},
	} {
		if _, err := honeredis.NewLimiter(nil, c); err == nil {
			t.Errorf("no error for the configuration %+v", c)
		}
	}
}

func BenchmarkLimiter(b *testing.B) {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:6379"})
	defer client.Close()
	l := limiter(b, client, honeredis.LimiterConfig{Rate: 1e6, Burst: 10, Prefix: "hone:bench:"})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Allow("visitor"); err != nil {
			b.Skip(err)
		}
	}
}

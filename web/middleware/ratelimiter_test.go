package middleware

import (
	"fmt"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/web"
)

func TestBuckets(t *testing.T) {
	var b buckets
	b.init(10, 3, time.Hour) // a token each 100 ms
	var one bucket
	now := int64(0)
	take := func() bool { ok, _ := b.takeFrom(&one, now); return ok }
	for i, want := range []bool{true, true, true, false, false} {
		if take() != want {
			t.Errorf("request %d", i)
		}
	}
	now = 100e6 - 1
	if take() {
		t.Error("just before the next token")
	}
	now = 100e6
	if !take() || take() {
		t.Error("one token, at its time")
	}
	now = 10e9
	for range 3 {
		if !take() {
			t.Error("full again")
		}
	}
	if take() {
		t.Error("more than the burst")
	}
	if _, ahead := b.takeFrom(&one, now); b.remaining(ahead) != 0 || b.wait(ahead) != 1 {
		t.Errorf("remaining %d, wait %d", b.remaining(ahead), b.wait(ahead))
	}
	var none buckets
	none.init(0, 2, time.Hour)
	var two bucket
	for i, want := range []bool{true, true, false} {
		if ok, _ := none.takeFrom(&two, 1e18); ok != want {
			t.Errorf("rate 0, request %d", i)
		}
	}
}

func TestRateLimiter(t *testing.T) {
	e, _ := logged()
	e.Use(RateLimiter(NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 0.001, Burst: 2})))
	e.GET("/", func(c *web.Context) error { return c.NoContent(200) })
	for i, want := range []int{200, 200, 429} {
		w := serve(e, "GET", "/", "")
		if w.Code != want || w.Header().Get(HeaderXRateLimitLimit) != "2" || w.Header().Get(HeaderXRateLimitRemaining) != fmt.Sprint(max(1-i, 0)) {
			t.Errorf("request %d: %d %v", i, w.Code, w.Header())
		}
		if (w.Header().Get("Retry-After") != "") != (want == 429) {
			t.Errorf("request %d: Retry-After %q", i, w.Header().Get("Retry-After"))
		}
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "198.51.100.1:1"
	w := httptest.NewRecorder()
	if e.ServeHTTP(w, r); w.Code != 200 {
		t.Errorf("somebody else: %d", w.Code)
	}
	if _, err := (RateLimiterConfig{}).ToMiddleware(); err == nil {
		t.Error("no store: no error")
	}
}

// Whatever the number of visitors, the store stays small, and many at once do
// not get more than their share.
func TestRateLimiterBounded(t *testing.T) {
	store := NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e-6, Burst: 1})
	n, visitors := 0, 3*shards*perShard
	if os.Getenv("HONE_VARIANT") != "" {
		visitors = shards * perShard / 10 // the race detector takes minutes for all of them
	}
	for i := range visitors {
		_, _ = store.Allow(fmt.Sprint(i))
	}
	for i := range store.buckets.shards {
		n += len(store.buckets.shards[i].visitors)
	}
	if n > shards*perShard {
		t.Errorf("%d visitors", n)
	}
	store = NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e-6, Burst: 50})
	var mu sync.Mutex
	var wg sync.WaitGroup
	allowed := 0
	for range 100 {
		wg.Go(func() {
			for range 10 {
				if ok, _ := store.Allow("one"); ok {
					mu.Lock()
					allowed++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if allowed != 50 {
		t.Errorf("%d requests of a burst of 50", allowed)
	}
}

package middleware

import (
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/web"
)

func TestBuckets(t *testing.T) {
	var b buckets
	b.init(10, 3) // a token each 100 ms
	var one Visitor
	now := int64(0)
	take := func() bool { ok, _ := b.takeFrom(&one, now); return ok }
	for i, want := range []bool{true, true, true, false, false} {
		if take() != want {
			t.Errorf("request %d", i)
		}
	}
	now = 100e6 - 1
	if take() {
		t.Error("admitted just before the next token")
	}
	now = 100e6
	if !take() || take() {
		t.Error("want exactly one token at that time")
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
	none.init(0, 2)
	var two Visitor
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

// TestRateLimiterFull fills the store with visitors. A new visitor still gets its burst and no
// more, and the store does not grow.
func TestRateLimiterFull(t *testing.T) {
	testkit.SkipInVariant(t)
	flood := func(n int, id func(i int) string) func(*RateLimiterMemoryStore) {
		return func(store *RateLimiterMemoryStore) {
			for i := range n {
				_, _ = store.Allow(id(i))
			}
		}
	}
	for _, test := range []struct {
		name   string
		before func(store *RateLimiterMemoryStore)
	}{
		{name: "nobody", before: func(*RateLimiterMemoryStore) {}},
		{name: "one network of IPv6", before: flood(200_000, func(i int) string { return fmt.Sprintf("2001:db8:1:2::%x:%x", i>>16, i&0xffff) })},
		{name: "as many networks as there are places", before: flood(bucketRows*bucketPlaces, func(i int) string { return fmt.Sprintf("2001:db8:%x:%x::1", i>>16, i&0xffff) })},
		{name: "three times as many", before: flood(3*bucketRows*bucketPlaces, func(i int) string { return fmt.Sprint(i) })},
		{name: "long identifiers", before: flood(1000, func(i int) string { return strings.Repeat("x", 1<<16) + fmt.Sprint(i) })},
	} {
		t.Run(test.name, func(t *testing.T) {
			store := NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e-6, Burst: 2})
			test.before(store)
			for i := range 1000 {
				for request, want := range []bool{true, true, false} {
					if ok, _ := store.Allow(fmt.Sprintf("newcomer %d", i)); ok != want {
						t.Fatalf("new visitor %d, request %d: %v", i, request, ok)
					}
				}
			}
			id := strings.Repeat("x", 1<<16)
			if n := testing.AllocsPerRun(100, func() { id = id[1:]; _, _ = store.Allow(id) }); n > 0 {
				t.Errorf("%v allocations for a new visitor", n)
			}
		})
	}
}

// The store takes as much memory as its comment states.
func TestRateLimiterMemory(t *testing.T) {
	if n := reflect.TypeFor[bucketRow]().Size() * bucketRows; n > 2_200_000 {
		t.Errorf("%d bytes", n)
	}
}

// A flood of new visitors does not make the store forget visitors that have used up their burst.
func TestRateLimiterRemembers(t *testing.T) {
	testkit.SkipInVariant(t)
	store := NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e-6, Burst: 3})
	for range 3 {
		_, _ = store.Allow("greedy")
	}
	for i := range 3 * bucketRows * bucketPlaces {
		_, _ = store.Allow(fmt.Sprint(i))
	}
	if ok, _ := store.Allow("greedy"); ok {
		t.Error("a visitor without tokens was admitted after a flood of new visitors")
	}
}

// TestRateLimiterKeys checks which identifiers count as one visitor.
func TestRateLimiterKeys(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		same       bool
	}{
		{name: "itself", a: "192.0.2.1", b: "192.0.2.1", same: true},
		{name: "IPv4", a: "192.0.2.1", b: "192.0.2.2"},
		{name: "one network", a: "2001:db8:0:1::1", b: "2001:db8:0:1:ffff:ffff:ffff:ffff", same: true},
		{name: "two spellings", a: "2001:db8::1", b: "2001:0DB8:0:0:0:0:0:2", same: true},
		{name: "two networks", a: "2001:db8:0:1::1", b: "2001:db8:0:2::1"},
		{name: "zones", a: "fe80::1%eth0", b: "fe80::2%eth1", same: true},
		{name: "IPv4 in IPv6", a: "::ffff:192.0.2.1", b: "::ffff:192.0.2.2"},
		{name: "names", a: "user:1", b: "user:2"},
	} {
		store := NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e-6, Burst: 1})
		first, _ := store.Allow(test.a)
		second, _ := store.Allow(test.b)
		if !first || second == test.same {
			t.Errorf("%s: %s and %s: %v, %v", test.name, test.a, test.b, first, second)
		}
	}
}

// Concurrent requests of one visitor get no more than the visitor's burst.
func TestRateLimiterConcurrent(t *testing.T) {
	store := NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e-6, Burst: 50})
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
		t.Errorf("%d requests were admitted, want the burst of 50", allowed)
	}
}

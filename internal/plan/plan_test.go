package plan

import (
	"reflect"
	"runtime"
	"sync"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

func types(n int) []reflect.Type {
	list := make([]reflect.Type, n)
	for i := range list {
		list[i] = reflect.ArrayOf(i, reflect.TypeFor[int]())
	}
	return list
}

func TestCache(t *testing.T) {
	var c Cache[int]
	if c.Get(reflect.TypeFor[int]()) != nil {
		t.Error("an empty cache has a program")
	}
	for i, typ := range types(1000) {
		if c.Get(typ) != nil {
			t.Fatalf("the cache has a program for %v before Put", typ)
		}
		n := i
		if got := c.Put(typ, &n); got != &n {
			t.Fatalf("Put keeps another program")
		}
		if again := i + 1; c.Put(typ, &again) != &n {
			t.Fatalf("a second Put replaced the first program")
		}
	}
	for i, typ := range types(1000) {
		if got := c.Get(typ); got == nil || *got != i {
			t.Fatalf("%v is lost", typ)
		}
	}
}

// TestCacheGrows checks the memory of many types against a budget: each entry is written once, and
// copied no more than twice on average.
func TestCacheGrows(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	all := types(5000)
	var c Cache[int]
	n := 0
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, typ := range all {
		c.Put(typ, &n)
	}
	runtime.ReadMemStats(&after)
	const budget = 150 // bytes for a type
	if got := (after.TotalAlloc - before.TotalAlloc) / uint64(len(all)); got > budget {
		t.Errorf("%d bytes for a type, budget %d", got, budget)
	}
}

func TestCacheConcurrent(t *testing.T) {
	var c Cache[reflect.Type]
	var wg sync.WaitGroup
	all := types(200)
	for w := range 8 {
		wg.Go(func() {
			for i := range all {
				typ := all[(i+w*25)%len(all)]
				if c.Get(typ) == nil {
					c.Put(typ, &typ)
				}
				if got := c.Get(typ); got == nil || *got != typ {
					t.Errorf("%v maps to %v", typ, got)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkGet(b *testing.B) {
	var c Cache[int]
	n := 0
	for _, typ := range types(100) {
		c.Put(typ, &n)
	}
	typ := types(51)[50]
	for b.Loop() {
		if c.Get(typ) == nil {
			b.Fatal("lost")
		}
	}
}

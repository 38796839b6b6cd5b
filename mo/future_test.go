package mo

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
)

// testTimeout limits the time for which a test waits for an expected event.
const testTimeout = 10 * time.Second

var errBoom = errors.New("boom")

// within fails the test if f does not return within testTimeout.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(testTimeout):
		t.Fatalf("%s hangs", what)
	}
}

func collect[T any](t *testing.T, f *Future[T]) Result[T] {
	t.Helper()
	var r Result[T]
	within(t, "Collect", func() { r = f.Result() })
	return r
}

// settled fails the test if goroutines are running at the end of the test that were not running at
// its start.
func settled(t *testing.T) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for end := time.Now().Add(testTimeout); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				stacks := make([]byte, 1<<16)
				t.Errorf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
				return
			}
		}
	})
}

// promise returns a Future and the functions that complete it.
func promise[T any]() (f *Future[T], resolve func(T), reject func(error)) {
	ready := make(chan struct{})
	f = NewFuture(func(res func(T), rej func(error)) {
		resolve, reject = res, rej
		close(ready)
	})
	<-ready
	return f, resolve, reject
}

func double(v int) (int, error) { return 2 * v, nil }

func TestFutureCompletes(t *testing.T) {
	settled(t)
	for _, test := range []struct {
		name string
		make func() *Future[int]
		want string
	}{
		{name: "resolve", make: func() *Future[int] { return NewFuture(func(resolve func(int), _ func(error)) { resolve(1) }) }, want: "Ok(1)"},
		{name: "reject", make: func() *Future[int] { return NewFuture(func(_ func(int), reject func(error)) { reject(errBoom) }) }, want: "Err(boom)"},
		{name: "reject nil", make: func() *Future[int] { return NewFuture(func(_ func(int), reject func(error)) { reject(nil) }) }, want: "Err(" + ErrNil.Error() + ")"},
		{name: "resolve twice", make: func() *Future[int] {
			return NewFuture(func(resolve func(int), reject func(error)) { resolve(1); resolve(2); reject(errBoom) })
		}, want: "Ok(1)"},
		{name: "reject, then resolve", make: func() *Future[int] {
			return NewFuture(func(resolve func(int), reject func(error)) { reject(errBoom); resolve(2) })
		}, want: "Err(boom)"},
		{name: "panic after resolve", make: func() *Future[int] {
			return NewFuture(func(resolve func(int), _ func(error)) { resolve(1); panic("late") })
		}, want: "Ok(1)"},
		{name: "panic", make: func() *Future[int] { return NewFuture(func(func(int), func(error)) { panic("at once") }) }, want: "Err(at once)"},
		{name: "goexit", make: func() *Future[int] { return NewFuture(func(func(int), func(error)) { runtime.Goexit() }) }, want: "Err(" + errExited.Error() + ")"},
		{name: "then", make: func() *Future[int] { return resolved(1).Then(double) }, want: "Ok(2)"},
		{name: "then fails", make: func() *Future[int] { return resolved(1).Then(func(int) (int, error) { return 5, errBoom }) }, want: "Err(boom)"},
		{name: "then of an error", make: func() *Future[int] { return rejected[int](errBoom).Then(double) }, want: "Err(boom)"},
		{name: "then panics", make: func() *Future[int] { return resolved(1).Then(func(int) (int, error) { panic("then") }) }, want: "Err(then)"},
		{name: "then exits", make: func() *Future[int] {
			return resolved(1).Then(func(int) (int, error) { runtime.Goexit(); return 0, nil }).Catch(func(err error) (int, error) {
				if err != errExited {
					return 0, err
				}
				return 7, nil
			})
		}, want: "Ok(7)"},
		{name: "catch", make: func() *Future[int] {
			return rejected[int](errBoom).Catch(func(err error) (int, error) { return len(err.Error()), nil })
		}, want: "Ok(4)"},
		{name: "catch of a value", make: func() *Future[int] { return resolved(1).Catch(func(error) (int, error) { return 9, nil }) }, want: "Ok(1)"},
		{name: "catch of reject nil", make: func() *Future[int] {
			return NewFuture(func(_ func(int), reject func(error)) { reject(nil) }).Catch(func(err error) (int, error) { return 3, nil })
		}, want: "Ok(3)"},
		{name: "catch panics", make: func() *Future[int] {
			return rejected[int](errBoom).Catch(func(error) (int, error) { panic("catch") })
		}, want: "Err(catch)"},
		{name: "finally", make: func() *Future[int] {
			return resolved(1).Finally(func(v int, err error) (int, error) { return v + 5, err })
		}, want: "Ok(6)"},
		{name: "finally of an error", make: func() *Future[int] {
			return rejected[int](errBoom).Finally(func(v int, err error) (int, error) { return v, fmt.Errorf("after all: %w", err) })
		}, want: "Err(after all: boom)"},
		{name: "finally panics", make: func() *Future[int] {
			return resolved(1).Finally(func(int, error) (int, error) { panic("finally") })
		}, want: "Err(finally)"},
		{name: "chain", make: func() *Future[int] {
			return resolved(1).Then(double).Then(func(int) (int, error) { return 0, errBoom }).Then(double).
				Catch(func(error) (int, error) { return 10, nil }).Then(double).Finally(func(v int, err error) (int, error) { return v + 1, err })
		}, want: "Ok(21)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := test.make()
			if got := collect(t, f).String(); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if again := f.Result().String(); again != test.want {
				t.Errorf("a second call of Collect: %s, want %s", again, test.want)
			}
			if e := f.Either(); e.IsRight() != strings.HasPrefix(test.want, "Ok") {
				t.Errorf("Either returned %v", e)
			}
			// A callback that is added after completion must get the same result.
			if got := collect(t, f.Finally(func(v int, err error) (int, error) { return v, err })).String(); got != test.want {
				t.Errorf("a later Finally: %s, want %s", got, test.want)
			}
		})
	}
}

func resolved[T any](v T) *Future[T] {
	return NewFuture(func(resolve func(T), _ func(error)) { resolve(v) })
}

func rejected[T any](err error) *Future[T] {
	return NewFuture(func(_ func(T), reject func(error)) { reject(err) })
}

// TestFutureManyDependents calls Then many times on one Future. All callbacks must run. In
// samber/mo a second call of Then replaces the first callback, and Collect of the first one never
// returns.
func TestFutureManyDependents(t *testing.T) {
	settled(t)
	for _, when := range []string{"before completion", "after completion", "meanwhile"} {
		t.Run(when, func(t *testing.T) {
			f, resolve, _ := promise[int]()
			if when == "after completion" {
				resolve(1)
				collect(t, f)
			}
			if when == "meanwhile" {
				go resolve(1)
			}
			var ran atomic.Int32
			var all []*Future[int]
			for i := range 30 {
				var next *Future[int]
				switch i % 3 {
				case 0:
					next = f.Then(func(v int) (int, error) { ran.Add(1); return v + i, nil })
				case 1:
					next = f.Catch(func(error) (int, error) { t.Error("the callback of Catch ran for a value"); return 0, nil })
				case 2:
					next = f.Finally(func(v int, err error) (int, error) { ran.Add(1); return v + i, err })
				}
				all = append(all, next)
			}
			if when == "before completion" {
				resolve(1)
			}
			for i, next := range all {
				want := 1 + i
				if i%3 == 1 {
					want = 1
				}
				if got := collect(t, next); got != Ok(want) {
					t.Errorf("dependent %d: %v, want %d", i, got, want)
				}
			}
			if ran.Load() != 20 {
				t.Errorf("%d callbacks ran, want 20", ran.Load())
			}
		})
	}
}

// TestFutureCallbacksHoldNoLock checks that callbacks can use their own Future and its parent.
func TestFutureCallbacksHoldNoLock(t *testing.T) {
	settled(t)
	f, resolve, _ := promise[int]()
	var child *Future[int]
	child = f.Then(func(v int) (int, error) {
		got, err := f.Collect() // the parent has completed
		if err != nil || got != v {
			t.Errorf("Collect of the parent in its callback: %v, %v", got, err)
		}
		child.Done()
		child.Then(double)
		return f.Then(double).Collect()
	})
	resolve(4)
	if got := collect(t, child); got != Ok(8) {
		t.Error(got)
	}

	// Callbacks in two chains of one Future may wait for each other.
	f, resolve, _ = promise[int]()
	first, second := make(chan struct{}), make(chan struct{})
	a := f.Then(func(v int) (int, error) { close(first); <-second; return v, nil })
	b := f.Then(func(v int) (int, error) { close(second); <-first; return v, nil })
	within(t, "resolve", func() { resolve(1) })
	if collect(t, a) != Ok(1) || collect(t, b) != Ok(1) {
		t.Error(a.Result(), b.Result())
	}
}

func TestFuturePanics(t *testing.T) {
	settled(t)
	wild := func() int {
		var none []int
		return none[len(none)]
	}
	for name, f := range map[string]*Future[int]{
		"NewFuture": NewFuture(func(resolve func(int), _ func(error)) { resolve(wild()) }),
		"Then":      resolved(1).Then(func(int) (int, error) { return wild(), nil }),
		"Catch":     rejected[int](errBoom).Catch(func(error) (int, error) { return wild(), nil }),
		"Finally":   resolved(1).Finally(func(int, error) (int, error) { return wild(), nil }),
		"context":   NewFutureContext(t.Context(), func(context.Context) (int, error) { return wild(), nil }),
		"passed on": resolved(1).Then(func(int) (int, error) { return wild(), nil }).Then(double),
	} {
		r := collect(t, f)
		var pe *PanicError
		var re runtime.Error
		if !r.As(&pe) || !r.As(&re) {
			t.Errorf("%s: %v is not a PanicError of a runtime.Error", name, r)
			continue
		}
		if !strings.Contains(string(pe.Stack), "TestFuturePanics") || !strings.Contains(pe.Error(), "index out of range") {
			t.Errorf("%s: %v\n%s", name, pe, pe.Stack)
		}
	}
	r := collect(t, resolved(1).Then(func(int) (int, error) { panic(errBoom) }))
	if !r.Is(errBoom) {
		t.Errorf("a panic with an error: %v", r)
	}
	if pe := (*PanicError)(nil); !r.As(&pe) || pe.Value != any(errBoom) {
		t.Errorf("a panic with an error: %v", r)
	}
}

func TestFutureLongChain(t *testing.T) {
	settled(t)
	const links = 100_000
	for _, cancel := range []string{"", "top", "bottom"} {
		f, resolve, _ := promise[int]()
		last := f
		for range links {
			last = last.Then(func(v int) (int, error) { return v + 1, nil })
		}
		switch cancel {
		case "top":
			f.Cancel()
		case "bottom":
			last.Cancel()
		}
		resolve(0)
		if r := collect(t, last); cancel == "" && r != Ok(links) || cancel != "" && !r.Is(ErrCanceled) {
			t.Error(cancel, r)
		}
		if cancel == "bottom" && !f.isCompleted() {
			t.Error("the first Future of the chain was not canceled")
		}
	}
}

func TestFutureContext(t *testing.T) {
	settled(t)
	errCause := errors.New("the cause")
	t.Run("result", func(t *testing.T) {
		f := NewFutureContext(t.Context(), func(context.Context) (int, error) { return 1, nil })
		if r := collect(t, f.Then(double)); r != Ok(2) {
			t.Error(r)
		}
		f = NewFutureContext(t.Context(), func(context.Context) (int, error) { return 1, errBoom })
		if r := collect(t, f); !r.Is(errBoom) {
			t.Error(r)
		}
	})
	t.Run("context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		stopped := make(chan struct{})
		f := NewFutureContext(ctx, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			close(stopped)
			return 1, nil
		})
		child := f.Then(double)
		cancel(errCause)
		if r := collect(t, child); r.IsOk() && r != Ok(2) || r.IsError() && !r.Is(errCause) {
			t.Error(r)
		}
		within(t, "the work", func() { <-stopped })
	})
	t.Run("work does not listen", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		release := make(chan struct{})
		defer close(release)
		f := NewFutureContext(ctx, func(context.Context) (int, error) { <-release; return 1, nil })
		cancel(errCause)
		if r := collect(t, f); !r.Is(errCause) {
			t.Error(r)
		}
	})
	t.Run("ended before", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errCause)
		f := NewFutureContext(ctx, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
		if r := collect(t, f); !r.Is(errCause) && !r.Is(context.Canceled) {
			t.Error(r)
		}
	})
	t.Run("Cancel", func(t *testing.T) {
		stopped := make(chan struct{})
		f := NewFutureContext(t.Context(), func(ctx context.Context) (int, error) {
			<-ctx.Done()
			close(stopped)
			return 1, nil
		})
		f.Then(double).Cancel() // cancels the only dependent of f
		within(t, "the work", func() { <-stopped })
		if r := collect(t, f); !r.Is(ErrCanceled) {
			t.Error(r)
		}
	})
	t.Run("exits", func(t *testing.T) {
		f := NewFutureContext(t.Context(), func(context.Context) (int, error) { runtime.Goexit(); return 0, nil })
		if r := collect(t, f); !r.Is(errExited) {
			t.Error(r)
		}
	})
	t.Run("CollectContext", func(t *testing.T) {
		f, resolve, _ := promise[int]()
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errCause)
		within(t, "CollectContext", func() {
			if v, err := f.CollectContext(ctx); v != 0 || !errors.Is(err, errCause) {
				t.Error(v, err)
			}
		})
		resolve(3) // the Future was not canceled
		if v, err := f.CollectContext(t.Context()); v != 3 || err != nil {
			t.Error(v, err)
		}
		if v, err := f.CollectContext(ctx); v != 3 || err != nil {
			t.Errorf("CollectContext of a completed Future with an ended context: %v, %v", v, err)
		}
	})
}

func TestFutureDone(t *testing.T) {
	settled(t)
	f, resolve, _ := promise[int]()
	select {
	case <-f.Done():
		t.Error("Done is closed before the Future completes")
	default:
	}
	var w sync.WaitGroup
	for range 10 {
		w.Go(func() { <-f.Done() })
		w.Go(func() { _, _ = f.Collect() })
	}
	resolve(1)
	within(t, "a waiter", w.Wait)
	<-f.Done()
}

func TestFutureAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	one := func(resolve func(int), _ func(error)) { resolve(1) }
	// The allocations are the Future, resolve, reject and the function of the goroutine.
	if n := testing.AllocsPerRun(100, func() { _, _ = NewFuture(one).Collect() }); n > 4 {
		t.Errorf("create and collect: %v allocs, budget 4", n)
	}
	// A chain also allocates each Future, and the function of the goroutine that runs the
	// callbacks.
	if n := testing.AllocsPerRun(100, func() {
		_, _ = NewFuture(one).Then(double).Then(double).Then(double).Then(double).Then(double).Collect()
	}); n > 10 {
		t.Errorf("a chain of five: %v allocs, budget 10", n)
	}
}

//go:build go1.27

package mo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

func text(v int) (string, error) { return strconv.Itoa(v), nil }

func TestFutureSteps(t *testing.T) {
	settled(t)
	never := func(int) (string, error) { t.Error("the callback runs"); return "", nil }
	neverFuture := func(int) *Future[string] { t.Error("the callback runs"); return nil }
	for _, test := range []struct {
		name string
		make func() *Future[string]
		want string
	}{
		{name: "then", make: func() *Future[string] { return resolved(1).ThenTo(text) }, want: "Ok(1)"},
		{name: "then fails", make: func() *Future[string] {
			return resolved(1).ThenTo(func(int) (string, error) { return "value", errBoom })
		}, want: "Err(boom)"},
		{name: "then of an error", make: func() *Future[string] { return rejected[int](errBoom).ThenTo(never) }, want: "Err(boom)"},
		{name: "then nil of an error", make: func() *Future[string] { return rejected[int](errBoom).ThenTo[string](nil) }, want: "Err(boom)"},
		{name: "then of reject nil", make: func() *Future[string] { return rejected[int](nil).ThenTo(never) }, want: "Err(" + ErrNil.Error() + ")"},
		{name: "then panics", make: func() *Future[string] {
			return resolved(1).ThenTo(func(int) (string, error) { panic("then") })
		}, want: "Err(then)"},
		{name: "then exits", make: func() *Future[string] {
			return resolved(1).ThenTo(func(int) (string, error) { runtime.Goexit(); return "", nil })
		}, want: "Err(" + errExited.Error() + ")"},
		{name: "then, caught", make: func() *Future[string] {
			return rejected[int](errBoom).ThenTo(never).Catch(func(err error) (string, error) { return err.Error(), nil })
		}, want: "Ok(boom)"},
		{name: "finally", make: func() *Future[string] {
			return resolved(1).FinallyTo(func(v int, err error) (string, error) { return fmt.Sprint(v, err), nil })
		}, want: "Ok(1 <nil>)"},
		{name: "finally of an error", make: func() *Future[string] {
			return rejected[int](errBoom).FinallyTo(func(v int, err error) (string, error) { return fmt.Sprint(v, err), nil })
		}, want: "Ok(0 boom)"},
		{name: "finally keeps an error", make: func() *Future[string] {
			return rejected[int](errBoom).FinallyTo(func(v int, err error) (string, error) { return "value", fmt.Errorf("after all: %w", err) })
		}, want: "Err(after all: boom)"},
		{name: "finally panics", make: func() *Future[string] {
			return resolved(1).FinallyTo(func(int, error) (string, error) { panic("finally") })
		}, want: "Err(finally)"},
		{name: "flat", make: func() *Future[string] {
			return resolved(1).FlatMapTo(func(v int) *Future[string] { return resolved("v" + strconv.Itoa(v)) })
		}, want: "Ok(v1)"},
		{name: "flat to an error", make: func() *Future[string] {
			return resolved(1).FlatMapTo(func(int) *Future[string] { return rejected[string](errBoom) })
		}, want: "Err(boom)"},
		{name: "flat of an error", make: func() *Future[string] { return rejected[int](errBoom).FlatMapTo(neverFuture) }, want: "Err(boom)"},
		{name: "flat panics", make: func() *Future[string] {
			return resolved(1).FlatMapTo(func(int) *Future[string] { panic("flat") })
		}, want: "Err(flat)"},
		{name: "flat exits", make: func() *Future[string] {
			return resolved(1).FlatMapTo(func(int) *Future[string] { runtime.Goexit(); return nil })
		}, want: "Err(" + errExited.Error() + ")"},
		{name: "flat to nil", make: func() *Future[string] {
			return resolved(1).FlatMapTo(func(int) *Future[string] { return nil })
		}, want: "Err(runtime error: invalid memory address or nil pointer dereference)"},
		{name: "flat to a completed Future", make: func() *Future[string] {
			done := resolved("done")
			collect(t, done)
			return resolved(1).FlatMapTo(func(int) *Future[string] { return done })
		}, want: "Ok(done)"},
		{name: "flat to a canceled Future", make: func() *Future[string] {
			done, _, _ := promise[string]()
			done.Cancel()
			return resolved(1).FlatMapTo(func(int) *Future[string] { return done })
		}, want: "Err(" + ErrCanceled.Error() + ")"},
		{name: "chain", make: func() *Future[string] {
			return resolved("12").ThenTo(strconv.Atoi).Then(double).
				FlatMapTo(func(v int) *Future[[]byte] { return resolved(make([]byte, v)) }).
				ThenTo(func(b []byte) (string, error) { return fmt.Sprint(len(b)), nil })
		}, want: "Ok(24)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := test.make()
			if got := collect(t, f).String(); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			// A callback that is added after completion must get the same result.
			later := f.FinallyTo(func(v string, err error) (Result[string], error) { return TupleToResult(v, err), nil })
			if got := collect(t, later).OrEmpty().String(); got != test.want {
				t.Errorf("a later FinallyTo: %s, want %s", got, test.want)
			}
		})
	}
	var p *PanicError
	if r := collect(t, resolved(1).ThenTo(func(int) (string, error) { panic(errBoom) })); !errors.As(r.Error(), &p) || !r.Is(errBoom) {
		t.Error(r)
	} else if !strings.Contains(string(p.Stack), "TestFutureSteps") {
		t.Errorf("the stack does not have the callback:\n%s", p.Stack)
	}
}

// A forest is a tree of Futures that have not completed, by the indexes of their parents. made[0] is the root.
func forest(parents []int, generic bool) (made []*Future[int], resolve func(int)) {
	root, resolve, _ := promise[int]()
	made = append(made, root)
	both := func(v int, err error) (int, error) { return 3*v + 1, err }
	for i, parent := range parents {
		f := made[parent]
		switch {
		case i%3 == 0 && generic:
			f = f.FinallyTo(both)
		case i%3 == 0:
			f = f.Finally(both)
		case generic && i%3 == 1:
			f = f.ThenTo(double)
		default: // with generic, every third Future is made by Then
			f = f.Then(double)
		}
		made = append(made, f)
	}
	return made, resolve
}

// TestFutureStepsTwins compares ThenTo and FinallyTo with Then and Finally: in a random tree, a random
// sequence of calls of Cancel must cancel the same Futures, and the other Futures must get the same
// results.
func TestFutureStepsTwins(t *testing.T) {
	settled(t)
	rounds := 300
	if testkit.IsSlow() {
		rounds = 5000
	}
	for seed := range rounds {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		var parents []int
		for i := range 1 + random.IntN(20) {
			parents = append(parents, random.IntN(i+1))
		}
		plain, resolvePlain := forest(parents, false)
		generic, resolveGeneric := forest(parents, true)
		var calls []int
		for range random.IntN(6) {
			i := random.IntN(len(plain))
			calls = append(calls, i)
			plain[i].Cancel()
			generic[i].Cancel()
			for j := range plain {
				if a, b := plain[j].isCompleted(), generic[j].isCompleted(); a != b {
					t.Fatalf("parents %v, Cancel of %v: Future %d is canceled: %v with ThenTo, %v with Then", parents, calls, j, b, a)
				}
			}
		}
		resolvePlain(1)
		resolveGeneric(1)
		for j := range plain {
			if a, b := collect(t, plain[j]), collect(t, generic[j]); a != b {
				t.Fatalf("parents %v, Cancel of %v: Future %d has %v with ThenTo, %v with Then", parents, calls, j, b, a)
			}
		}
	}
}

func TestFutureStepsCancel(t *testing.T) {
	settled(t)
	never := func(int) (string, error) { t.Error("the callback of a canceled Future runs"); return "", nil }
	isCanceled := func(what string, f interface{ Collect() (string, error) }) {
		t.Helper()
		if _, err := f.Collect(); !errors.Is(err, ErrCanceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	t.Run("the context of the work", func(t *testing.T) {
		ended := make(chan error, 1)
		work := NewFutureContext(context.Background(), func(ctx context.Context) (int, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return 1, nil
		})
		last := work.ThenTo(never).ThenTo(strconv.Atoi).ThenTo(never)
		last.Cancel()
		within(t, "the work", func() { <-ended })
		isCanceled("the last Future", last)
		if r := collect(t, work); !r.Is(ErrCanceled) {
			t.Error(r)
		}
	})
	t.Run("the Future of the function", func(t *testing.T) {
		inner, resolve, _ := promise[string]()
		running := make(chan bool)
		f := resolved(1).FlatMapTo(func(int) *Future[string] { close(running); return inner })
		<-running
		for dependents(inner) == 0 {
			runtime.Gosched()
		}
		f.Cancel()
		isCanceled("f", f)
		// FlatMapTo may have added its dependent without having stored it yet: then it cancels it.
		within(t, "Collect", func() { isCanceled("inner", inner) })
		resolve("late")
	})
	t.Run("the Future of the function, with another dependent", func(t *testing.T) {
		inner, resolve, _ := promise[string]()
		other := inner.ThenTo(strconv.Atoi)
		f := resolved(1).FlatMapTo(func(int) *Future[string] { return inner })
		for dependents(inner) < 2 {
			runtime.Gosched()
		}
		f.Cancel()
		resolve("5")
		isCanceled("f", f)
		if r := collect(t, other); r != Ok(5) {
			t.Error(r)
		}
	})
	t.Run("the Future of the function cancels", func(t *testing.T) {
		inner, _, _ := promise[string]()
		f := resolved(1).FlatMapTo(func(int) *Future[string] { return inner })
		for dependents(inner) == 0 {
			runtime.Gosched()
		}
		inner.Cancel()
		isCanceled("f", f)
	})
	t.Run("while the function runs", func(t *testing.T) {
		inner, _, _ := promise[string]()
		running, goOn := make(chan bool), make(chan bool)
		f := resolved(1).FlatMapTo(func(int) *Future[string] { close(running); <-goOn; return inner })
		<-running
		f.Cancel()
		isCanceled("f", f)
		close(goOn)
		within(t, "Collect", func() { isCanceled("inner", inner) })
	})
	t.Run("before the function runs", func(t *testing.T) {
		first, resolve, _ := promise[int]()
		f := first.FlatMapTo(func(int) *Future[string] { t.Error("the function runs"); return nil })
		f.Cancel()
		resolve(1)
		isCanceled("f", f)
		if r := collect(t, first); !r.Is(ErrCanceled) {
			t.Error(r)
		}
	})
	t.Run("in a callback", func(t *testing.T) {
		ready := make(chan *Future[string], 1)
		f := resolved(1).ThenTo(func(int) (string, error) { (<-ready).Cancel(); return "x", nil })
		ready <- f
		within(t, "Collect", func() { isCanceled("f", f) })
	})
}

// TestFutureStepsDeep cancels and completes long chains. Cancel must not need a stack as deep as the chain.
func TestFutureStepsDeep(t *testing.T) {
	settled(t)
	depth := 20_000
	chain := func() (first *Future[int], last *Future[string], resolve func(int)) {
		first, resolve, _ = promise[int]()
		last = first.ThenTo(text)
		for range depth {
			last = last.ThenTo(strconv.Atoi).ThenTo(text)
		}
		return first, last, resolve
	}
	first, last, resolve := chain()
	resolve(7)
	if r := collect(t, last); r != Ok("7") {
		t.Error(r)
	}
	first, last, _ = chain()
	deepest := 0
	first.stop = contextCanceler(func() { // the last one to be canceled
		pc := make([]uintptr, 1000)
		deepest = runtime.Callers(0, pc)
	})
	last.Cancel()
	if deepest == 0 || deepest > 50 {
		t.Errorf("the stack of Cancel is %d deep", deepest)
	}
	if r := collect(t, first); !r.Is(ErrCanceled) {
		t.Error(r)
	}
	first, last, _ = chain()
	first.Cancel()
	if r := collect(t, last); !r.Is(ErrCanceled) {
		t.Error(r)
	}
}

// TestFutureStepsForgetCanceled adds many dependents and cancels them. The Future must not retain them.
func TestFutureStepsForgetCanceled(t *testing.T) {
	f, resolve, _ := promise[int]()
	kept := f.ThenTo(text)
	for range 10_000 {
		f.ThenTo(text).Cancel()
		f.FlatMapTo(func(int) *Future[string] { return nil }).Cancel()
	}
	if n := dependents(f); n != 1 {
		t.Errorf("the Future retains %d dependents, want 1", n)
	}
	resolve(1)
	if r := collect(t, kept); r != Ok("1") {
		t.Error(r)
	}
	if f.first != nil || kept.stop != nil {
		t.Error("a completed Future retains other Futures")
	}
}

// TestFutureStepsCancelConcurrently completes and cancels Futures while dependents are added. In any order, all
// Futures must complete.
func TestFutureStepsCancelConcurrently(t *testing.T) {
	settled(t)
	for range 300 {
		f, resolve, reject := promise[int]()
		inner, resolveInner, _ := promise[string]()
		var mu sync.Mutex
		ints, texts := []*Future[int]{f}, []*Future[string]{inner}
		var w sync.WaitGroup
		for i := range 8 {
			w.Go(func() {
				mu.Lock()
				from := ints[i%len(ints)]
				mu.Unlock()
				a := from.ThenTo(text)
				b := a.FinallyTo(func(v string, err error) (int, error) { return len(v), err })
				c := from.FlatMapTo(func(int) *Future[string] { return inner })
				mu.Lock()
				ints, texts = append(ints, b), append(texts, a, c)
				mu.Unlock()
				switch i {
				case 0:
					a.Cancel()
				case 1:
					b.Cancel()
				case 2:
					resolve(1)
				case 3:
					reject(errBoom)
				case 4:
					f.Cancel()
				case 5:
					c.Cancel()
				case 6:
					resolveInner("inner")
				case 7:
					inner.Cancel()
				}
			})
		}
		w.Wait()
		for _, f := range ints {
			collect(t, f)
		}
		for _, f := range texts {
			collect(t, f)
		}
	}
}

func TestFutureStepsAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	f, _, _ := promise[int]()
	both := func(v int, err error) (string, error) { return "", err }
	flat := func(int) *Future[string] { return nil }
	for name, test := range map[string]struct {
		call func()
		want float64
	}{
		"ThenTo":    {func() { f.ThenTo(text) }, 5},
		"FinallyTo": {func() { f.FinallyTo(both) }, 4},
		"FlatMapTo": {func() { f.FlatMapTo(flat) }, 4},
	} {
		if n := testing.AllocsPerRun(100, test.call); n != test.want {
			t.Errorf("%s: %v allocs, its comment says %v", name, n, test.want)
		}
	}
}

package mo

import (
	"slices"
	"sync"
	"testing"
)

// TestFutureCancel cancels Futures before, during and after their callbacks. Every Collect must
// return. samber/mo has two deadlocks here: Collect of a canceled child, and Cancel in a callback,
// which waits for a lock that its caller holds.
func TestFutureCancel(t *testing.T) {
	settled(t)
	never := func(int) (int, error) { t.Error("the callback of a canceled Future runs"); return 0, nil }
	t.Run("parent", func(t *testing.T) {
		f, resolve, _ := promise[int]()
		child := f.Then(never)
		grandchild, other := child.Then(never), f.Finally(func(int, error) (int, error) { return never(0) })
		f.Cancel()
		resolve(1)
		for _, f := range []*Future[int]{f, child, grandchild, other} {
			if r := collect(t, f); !r.Is(ErrCanceled) {
				t.Error(r)
			}
		}
		// A dependent that is added after the cancellation gets the error.
		if r := collect(t, f.Catch(func(err error) (int, error) { return 5, nil })); r != Ok(5) {
			t.Error(r)
		}
	})
	t.Run("only child", func(t *testing.T) {
		f, resolve, _ := promise[int]()
		child := f.Then(never)
		child.Cancel()
		child.Cancel()
		resolve(1)
		if r := collect(t, child); !r.Is(ErrCanceled) {
			t.Error(r)
		}
		if r := collect(t, f); !r.Is(ErrCanceled) {
			t.Errorf("the parent, whose only dependent was canceled, has the result %v", r)
		}
	})
	t.Run("one of two children", func(t *testing.T) {
		f, resolve, _ := promise[int]()
		child, other := f.Then(never), f.Then(double)
		child.Cancel()
		resolve(1)
		if r := collect(t, other); r != Ok(2) {
			t.Error(r)
		}
		if r := collect(t, child); !r.Is(ErrCanceled) {
			t.Error(r)
		}
	})
	t.Run("all children", func(t *testing.T) {
		root, resolve, _ := promise[int]()
		f := root.Then(never)
		var all []*Future[int]
		for range 5 {
			all = append(all, f.Then(never))
		}
		for i, n := range []int{2, 4, 0, 3} {
			all[n].Cancel()
			if f.isCompleted() {
				t.Fatalf("the parent was canceled although only %d of its 5 dependents were canceled", i+1)
			}
		}
		all[1].Cancel()
		resolve(1)
		if r := collect(t, root); !r.Is(ErrCanceled) {
			t.Error(r)
		}
	})
	t.Run("completed", func(t *testing.T) {
		f := resolved(1)
		child := f.Then(double)
		collect(t, child)
		child.Cancel()
		f.Cancel()
		if f.Result() != Ok(1) || child.Result() != Ok(2) {
			t.Error(f.Result(), child.Result())
		}
	})
	t.Run("in a callback", func(t *testing.T) {
		for _, target := range []string{"itself", "parent", "child"} {
			f, resolve, _ := promise[int]()
			ready := make(chan *Future[int], 3)
			child := f.Then(func(v int) (int, error) {
				self := <-ready
				switch target {
				case "itself":
					self.Cancel()
				case "parent":
					f.Cancel()
				case "child":
					(<-ready).Cancel()
				}
				return v, nil
			})
			below := child.Then(double)
			ready <- child
			ready <- below
			within(t, "resolve", func() { resolve(1) })
			want := "Err(" + ErrCanceled.Error() + ")"
			if target == "parent" {
				want = "Ok(1)" // it has completed, so Cancel has no effect
			}
			if r := collect(t, child); r.String() != want {
				t.Errorf("Cancel of %s: %v, want %s", target, r, want)
			}
			if r := collect(t, below); r.IsOk() != (target == "parent") {
				t.Errorf("Cancel of %s: the dependent of child has the result %v", target, r)
			}
		}
	})
	t.Run("in the work", func(t *testing.T) {
		ready := make(chan *Future[int], 1)
		f := NewFuture(func(resolve func(int), _ func(error)) {
			(<-ready).Cancel()
			resolve(1)
		})
		ready <- f
		if r := collect(t, f); !r.Is(ErrCanceled) {
			t.Error(r)
		}
	})
}

// TestFutureCancelConcurrently completes and cancels Futures while dependents are added. In any
// order, all Futures must complete.
func TestFutureCancelConcurrently(t *testing.T) {
	settled(t)
	for range 300 {
		f, resolve, reject := promise[int]()
		var mu sync.Mutex
		all := []*Future[int]{f}
		var w sync.WaitGroup
		for i := range 6 {
			w.Go(func() {
				mu.Lock()
				from := all[i%len(all)]
				mu.Unlock()
				a := from.Then(double)
				b := a.Finally(func(v int, err error) (int, error) { return v, err })
				mu.Lock()
				all = append(all, a, b)
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
				}
			})
		}
		w.Wait()
		for _, f := range all {
			collect(t, f)
		}
	}
}

// TestFutureNewDependentKeepsParent cancels the only dependent while a new one is added. The new
// dependent must get the parent's value, or ErrCanceled if it was added too late. It must not wait
// forever.
func TestFutureNewDependentKeepsParent(t *testing.T) {
	settled(t)
	for range 300 {
		f, resolve, _ := promise[int]()
		child := f.Then(double)
		var other *Future[int]
		var w sync.WaitGroup
		w.Go(child.Cancel)
		w.Go(func() { other = f.Then(double) })
		w.Wait()
		canceled := f.isCompleted()
		resolve(1)
		if r := collect(t, other); r.IsOk() == canceled {
			t.Fatalf("parent canceled: %v; the new dependent: %v", canceled, r)
		}
	}
}

// TestFutureForgetsCanceled adds many dependents to one Future and cancels all but one. The Future must
// not retain the canceled ones.
func TestFutureForgetsCanceled(t *testing.T) {
	f, resolve, _ := promise[int]()
	kept := f.Then(double)
	for range 10_000 {
		f.Then(double).Cancel()
	}
	if n := dependents(f); n != 1 {
		t.Errorf("the Future retains %d dependents, want 1", n)
	}
	// Dependents may be canceled in any order.
	var some []*Future[int]
	for range 100 {
		some = append(some, f.Then(double))
	}
	slices.Reverse(some[20:70])
	for _, child := range some {
		child.Cancel()
	}
	if dependents(f) != 1 || f.first != kept {
		t.Errorf("the Future retains %d dependents, want 1", dependents(f))
	}
	resolve(1)
	if r := collect(t, kept); r != Ok(2) {
		t.Error(r)
	}
	if f.first != nil || kept.parent != nil {
		t.Error("a completed Future retains other Futures")
	}
}

func dependents[T any](f *Future[T]) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for next := f.first; next != nil; next = next.after {
		n++
	}
	return n
}

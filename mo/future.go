package mo

import (
	"context"
	"errors"
	"sync"
)

// ErrCanceled is the error of a Future that was canceled.
var ErrCanceled = errors.New("mo: future canceled")

// A Future is the result of a computation that may still be running: a T or an error. A Future
// completes once, and ignores later results.
//
// Then, Catch and Finally may be called many times on one Future, before or after it completes.
// Each call returns a new Future with its own callback. Callbacks are called without a lock held,
// and never in the goroutine that calls resolve or reject. In a chain of Futures the callbacks are
// called in order. Callbacks of the same Future are called in any order. If a callback panics, its
// Future fails with a [*PanicError].
type Future[T any] struct {
	mu        sync.Mutex
	completed bool
	result    Result[T]
	wait      sync.WaitGroup // released on completion; Collect waits for it, because a channel would cost more
	done      chan struct{}  // closed on completion; created by the first call of Done
	first     *Future[T]     // the first dependent; nil after completion
	parent    *Future[T]     // the Future that this one depends on; nil after completion

	// The fields before and after link the parent's list of dependents. The parent's lock guards
	// both.
	before, after *Future[T]

	then    func(T) (T, error)
	catch   func(error) (T, error)
	finally func(T, error) (T, error)
	stop    canceler // is canceled with this Future: the context of its work, or a Future of another type; may be nil
}

// A canceler is canceled with a Future.
type canceler interface {
	// cancelAll appends to pending the cancelers that have to be canceled too. The caller cancels
	// them, so that a long chain of Futures of several types needs no recursion.
	cancelAll(pending []canceler) []canceler
}

// A contextCanceler cancels a context.
type contextCanceler context.CancelFunc

func (c contextCanceler) cancelAll(pending []canceler) []canceler {
	c()
	return pending
}

// NewFuture calls cb in a new goroutine, and returns a Future. The Future completes when resolve or
// reject is called, which may happen after cb has returned. If cb panics, the Future fails.
// NewFuture allocates four times: the Future, the function of the goroutine, resolve and reject.
func NewFuture[T any](cb func(resolve func(T), reject func(error))) *Future[T] {
	f := newFuture[T]()
	go func() {
		returned := false
		defer func() {
			if !returned {
				f.complete(Err[T](cutShort(recover())))
			}
		}()
		cb(f.resolve, f.reject)
		returned = true
	}()
	return f
}

func newFuture[T any]() *Future[T] {
	f := &Future[T]{}
	f.wait.Add(1)
	return f
}

// NewFutureContext calls work in a new goroutine, and returns a Future of its result. If ctx ends
// before work returns, the Future fails with the cause of ctx. The context that is passed to work
// ends when ctx ends or the Future is canceled; work should then return. NewFutureContext allocates
// as NewFuture does, and also this context and its registration with ctx.
func NewFutureContext[T any](ctx context.Context, work func(context.Context) (T, error)) *Future[T] {
	ctx, cancel := context.WithCancel(ctx)
	f := newFuture[T]()
	f.stop = contextCanceler(cancel)
	unwatch := context.AfterFunc(ctx, func() { f.complete(Err[T](context.Cause(ctx))) })
	go func() {
		defer cancel()
		result := Err[T](errExited)
		defer func() {
			unwatch()
			f.complete(result)
		}()
		result = guard(func() (T, error) { return work(ctx) })
	}()
	return f
}

var errExited = errors.New("mo: a callback ended its goroutine by runtime.Goexit")

// cutShort returns the error of a callback that did not return. value is the result of recover in a
// deferred function. It is nil if the callback called runtime.Goexit.
func cutShort(value any) error {
	if value == nil {
		return errExited
	}
	return caught(value)
}

// guard calls f and returns its result. If f panics, the result is an error.
func guard[T any](f func() (T, error)) (result Result[T]) {
	defer func() {
		if value := recover(); value != nil {
			result = Err[T](caught(value))
		}
	}()
	return TupleToResult(f())
}

func (f *Future[T]) resolve(value T) { f.complete(Ok(value)) }

func (f *Future[T]) reject(err error) { f.complete(Err[T](err)) }

// complete sets the result unless f has completed, and then completes the dependents of f.
func (f *Future[T]) complete(result Result[T]) {
	if first := f.settle(result); first != nil {
		go run(first, result)
	}
}

// settle sets the result unless f has completed, and returns the first dependent.
func (f *Future[T]) settle(result Result[T]) (first *Future[T]) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.completed {
		return nil
	}
	return f.settleLocked(result)
}

func (f *Future[T]) settleLocked(result Result[T]) (first *Future[T]) {
	f.completed, f.result = true, result
	first = f.first
	// A completed Future only retains its result.
	f.first, f.parent, f.stop = nil, nil, nil
	f.wait.Done()
	if f.done != nil {
		close(f.done)
	}
	return first
}

// run completes f, the Futures after f in the same list of dependents, and all Futures that depend
// on these. result is the result of their parent. run calls the callbacks of f's chain in this
// goroutine, and starts a goroutine for each other Future in the list, so that callbacks of
// different chains may wait for each other.
func run[T any](f *Future[T], result Result[T]) {
	for f != nil {
		for other := f.leave(); other != nil; {
			// leave removes other from the list. Otherwise run(other) would process the following
			// dependents again.
			next := other.leave()
			go run(other, result)
			other = next
		}
		if f.isCompleted() {
			return // f was canceled, so its callback is not called
		}
		result = f.react(result)
		f = f.settle(result)
	}
}

// leave removes f from the list of dependents and returns the next dependent. It needs no lock,
// because the parent has completed.
func (f *Future[T]) leave() (after *Future[T]) {
	after = f.after
	f.before, f.after = nil, nil
	return after
}

func (f *Future[T]) isCompleted() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.completed
}

// react returns the result of f, given the result of its parent. If the callback calls
// runtime.Goexit, react does not return, and its deferred function completes f.
func (f *Future[T]) react(parent Result[T]) (result Result[T]) {
	returned := false
	defer func() {
		if returned {
			return
		}
		value := recover()
		result = Err[T](cutShort(value))
		if value == nil {
			f.complete(result)
		}
	}()
	result = TupleToResult(f.call(parent))
	returned = true
	return result
}

// call returns the result of f's callback. For an error it does not call a callback of Then, and
// for a value it does not call a callback of Catch. In these two cases it returns the parent's
// result.
func (f *Future[T]) call(result Result[T]) (T, error) {
	value, err := result.Get()
	switch {
	case f.finally != nil:
		return f.finally(value, err)
	case f.then != nil && err == nil:
		return f.then(value)
	case f.catch != nil && err != nil:
		return f.catch(err)
	}
	return value, err
}

// follow adds dependent to the dependents of f.
func (f *Future[T]) follow(dependent *Future[T]) *Future[T] {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.completed {
		go run(dependent, f.result)
		return dependent
	}
	dependent.parent, dependent.after = f, f.first
	if f.first != nil {
		f.first.before = dependent
	}
	f.first = dependent
	return dependent
}

// Then returns a Future of the result of cb for f's value. If f fails, this Future fails with the
// same error, and cb is not called. Then allocates only the Future.
func (f *Future[T]) Then(cb func(T) (T, error)) *Future[T] {
	next := newFuture[T]()
	next.then = cb
	return f.follow(next)
}

// Catch returns a Future of the result of cb for f's error. If f has a value, this Future has the
// same value, and cb is not called. Catch allocates only the Future.
func (f *Future[T]) Catch(cb func(error) (T, error)) *Future[T] {
	next := newFuture[T]()
	next.catch = cb
	return f.follow(next)
}

// Finally returns a Future of the result of cb for f's value or error. It allocates only the
// Future.
func (f *Future[T]) Finally(cb func(T, error) (T, error)) *Future[T] {
	next := newFuture[T]()
	next.finally = cb
	return f.follow(next)
}

// Cancel fails f and all its dependents with [ErrCanceled], unless f has completed. Their callbacks
// are not called. If all dependents of f's parent are canceled, the parent is canceled too, even if
// goroutines wait for it with Collect. Running work is not interrupted, but its context ends, and
// its result is ignored. Cancel may be called from a callback. If f has dependents or a context,
// Cancel allocates a list of them.
func (f *Future[T]) Cancel() {
	for pending := f.cancelAll(nil); len(pending) > 0; {
		last := len(pending) - 1
		pending = pending[last].cancelAll(pending[:last])
	}
}

// cancelAll cancels f, its dependents, and each of its parents that has no other dependents.
func (f *Future[T]) cancelAll(pending []canceler) []canceler {
	for dependent, parent := (*Future[T])(nil), f; parent != nil; {
		f = parent
		parent, pending = f.cancel(dependent, pending)
		dependent = f
	}
	return pending
}

// cancel cancels f if dependent is nil or the only remaining dependent of f. It returns f's parent,
// which is the receiver of the next call of cancel. It checks the dependents and completes f under
// one lock, so that no dependent can be added in between.
func (f *Future[T]) cancel(dependent *Future[T], pending []canceler) (parent *Future[T], _ []canceler) {
	f.mu.Lock()
	if f.completed {
		f.mu.Unlock()
		return nil, pending
	}
	if dependent != nil && !f.drop(dependent) {
		f.mu.Unlock()
		return nil, pending
	}
	parent = f.parent
	first, pending := f.abortLocked(pending)
	f.mu.Unlock()
	var dependents []*Future[T]
	for first != nil || len(dependents) > 0 {
		for ; first != nil; first = first.leave() {
			dependents = append(dependents, first)
		}
		last := len(dependents) - 1
		first, pending = dependents[last].abort(pending)
		dependents = dependents[:last]
	}
	return parent, pending
}

// abort fails f with ErrCanceled unless f has completed. It returns the first dependent, and
// appends f's canceler to pending.
func (f *Future[T]) abort(pending []canceler) (first *Future[T], _ []canceler) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.completed {
		return nil, pending
	}
	return f.abortLocked(pending)
}

func (f *Future[T]) abortLocked(pending []canceler) (first *Future[T], _ []canceler) {
	if f.stop != nil {
		pending = append(pending, f.stop)
	}
	return f.settleLocked(Err[T](ErrCanceled)), pending
}

// drop removes a canceled dependent from the list, so that a long-lived Future does not accumulate
// canceled dependents. It reports whether the list is then empty.
func (f *Future[T]) drop(next *Future[T]) bool {
	if next.before == nil {
		f.first = next.after
	} else {
		next.before.after = next.after
	}
	if next.after != nil {
		next.after.before = next.before
	}
	next.leave()
	return f.first == nil
}

// Done returns a channel that is closed when the Future completes. The first call allocates the
// channel.
func (f *Future[T]) Done() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done == nil {
		f.done = make(chan struct{})
		if f.completed {
			close(f.done)
		}
	}
	return f.done
}

// Collect waits until the Future completes and returns its value or error.
func (f *Future[T]) Collect() (T, error) {
	f.wait.Wait()
	return f.result.Get()
}

// CollectContext is like Collect, but returns the cause of ctx if ctx ends first. It does not
// cancel the Future. If the Future has completed and ctx has ended, it returns the result of the
// Future.
func (f *Future[T]) CollectContext(ctx context.Context) (T, error) {
	if !f.isCompleted() {
		select {
		case <-f.Done():
		case <-ctx.Done():
			var zero T
			return zero, context.Cause(ctx)
		}
	}
	return f.result.Get()
}

// Result waits until the Future completes and returns its result.
func (f *Future[T]) Result() Result[T] { return TupleToResult(f.Collect()) }

// Either waits until the Future completes and returns its error as Left, or its
// value as Right.
func (f *Future[T]) Either() Either[error, T] { return f.Result().ToEither() }

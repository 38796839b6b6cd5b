package mo

import (
	"context"
	"errors"
	"sync"
)

// ErrCanceled is the error of a Future that was canceled.
var ErrCanceled = errors.New("mo: future canceled")

// A Future is a T, or an error, that may still be on its way. It completes
// once; later results are ignored.
//
// Any number of Then, Catch and Finally may be called on one Future, before or
// after it completes: each returns a Future of its own, and all of their
// callbacks run. They run outside of any lock, in a goroutine that is not the
// one that completed the Future, one after the other along a chain; the order
// among the callbacks of one Future is not set. A callback that panics fails its Future
// with a [*PanicError].
type Future[T any] struct {
	mu        sync.Mutex
	completed bool
	result    Result[T]
	wait      sync.WaitGroup // for completion, without a channel
	done      chan struct{}  // closed on completion; made when it is asked for
	first     *Future[T]     // the first dependent, until this one completes
	parent    *Future[T]     // the Future that this one depends on, until it completes

	// Neighbours among the dependents of the parent, whose lock guards them.
	before, after *Future[T]

	then    func(T) (T, error)
	catch   func(error) (T, error)
	finally func(T, error) (T, error)
	stop    context.CancelFunc // of the context that the work was given
}

// NewFuture returns a Future that cb completes, by calling resolve or reject,
// then or later. Cb runs in a goroutine of its own; if it panics, the Future
// fails. It allocates the Future, the goroutine's start, and resolve and
// reject: four allocations.
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

// NewFutureContext returns a Future of the result of work, in a goroutine of
// its own. If ctx ends first, the Future fails with ctx's cause. Work's context
// ends with ctx, and when the Future is canceled; work should return then.
// It also allocates a context of its own and the watch of ctx.
func NewFutureContext[T any](ctx context.Context, work func(context.Context) (T, error)) *Future[T] {
	ctx, cancel := context.WithCancel(ctx)
	f := newFuture[T]()
	f.stop = cancel
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

// cutShort returns the error of a callback that has not returned, given what
// recover returned in a deferred call: nothing, if it ended its goroutine.
func cutShort(value any) error {
	if value == nil {
		return errExited
	}
	return caught(value)
}

// guard returns the result of f, or its panic as an error.
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

// complete sets the result, unless there is one, and starts the Futures that
// depend on it.
func (f *Future[T]) complete(result Result[T]) {
	if first := f.settle(result); first != nil {
		go run(first, result)
	}
}

// settle sets the result, unless there is one, and returns the first of what
// depends on it.
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
	// A future that is done keeps its result and nothing else.
	f.first, f.parent, f.stop = nil, nil, nil
	f.wait.Done()
	if f.done != nil {
		close(f.done)
	}
	return first
}

// run completes the dependents of a Future that has completed: the first of
// them here, down its chain, and each other in a goroutine of its own, so that
// callbacks of different chains may wait for one another.
func run[T any](f *Future[T], result Result[T]) {
	for f != nil {
		for other := f.leave(); other != nil; {
			// Taken out of the list before it runs, it is the last of its own.
			next := other.leave()
			go run(other, result)
			other = next
		}
		if f.isCompleted() {
			return // canceled: its callback does not run
		}
		result = f.react(result)
		f = f.settle(result)
	}
}

// leave removes f from the list of dependents and returns the next one. No lock is needed, since
// the Future that they depend on has completed.
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

// react returns the Future's result, given its parent's. If the callback ends
// the goroutine it never returns, so it completes the Future itself.
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

// call runs the callback that applies to the parent's result, or passes the
// result on.
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

// follow makes next depend on f.
func (f *Future[T]) follow(next *Future[T]) *Future[T] {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.completed {
		go run(next, f.result)
		return next
	}
	next.parent, next.after = f, f.first
	if f.first != nil {
		f.first.before = next
	}
	f.first = next
	return next
}

// Then returns a Future of the result of cb for the value. An error is passed
// on and cb is not called. It allocates that Future and nothing else.
func (f *Future[T]) Then(cb func(T) (T, error)) *Future[T] {
	next := newFuture[T]()
	next.then = cb
	return f.follow(next)
}

// Catch returns a Future of the result of cb for the error. A value is passed
// on and cb is not called. It allocates that Future and nothing else.
func (f *Future[T]) Catch(cb func(error) (T, error)) *Future[T] {
	next := newFuture[T]()
	next.catch = cb
	return f.follow(next)
}

// Finally returns a Future of the result of cb for the value or the error. It
// allocates that Future and nothing else.
func (f *Future[T]) Finally(cb func(T, error) (T, error)) *Future[T] {
	next := newFuture[T]()
	next.finally = cb
	return f.follow(next)
}

// Cancel fails the Future with [ErrCanceled], unless it has completed, and with
// it all its dependents; their callbacks do not run. The work that the Future itself
// depends on is canceled too, unless something else depends on it that has not
// been canceled; one who merely waits for it does not count. Work in progress
// is not interrupted, but its context ends and its result is ignored. Cancel
// may be called from a callback. It allocates a list of the dependents of the
// Future, if anything does.
func (f *Future[T]) Cancel() {
	for next := (*Future[T])(nil); f != nil; {
		f, next = f.cancel(next), f
	}
}

// cancel cancels f if next, which depends on it, is nil or the last that does.
// It returns the Future that f depends on, if f has been canceled, and that may
// have to be too. Whether next is the last is decided under the same lock that
// completes f, so that no new dependent comes between.
func (f *Future[T]) cancel(next *Future[T]) (parent *Future[T]) {
	f.mu.Lock()
	if f.completed {
		f.mu.Unlock()
		return nil
	}
	if next != nil && !f.drop(next) {
		f.mu.Unlock()
		return nil
	}
	parent, stop := f.parent, f.stop
	first := f.settleLocked(Err[T](ErrCanceled))
	f.mu.Unlock()
	var pending []*Future[T]
	for first != nil || len(pending) > 0 {
		for ; first != nil; first = first.leave() {
			pending = append(pending, first)
		}
		last := len(pending) - 1
		first = pending[last].settle(Err[T](ErrCanceled))
		pending = pending[:last]
	}
	if stop != nil {
		stop()
	}
	return parent
}

// drop forgets a dependent that was canceled, so that a Future which lives long
// does not gather them. It reports whether none is left.
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

// Done returns a channel that is closed when the Future completes. It
// allocates the channel when it is first called.
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

// CollectContext is Collect, but returns ctx's cause if ctx ends first. The
// Future goes on. One that has completed counts before a ctx that has ended.
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

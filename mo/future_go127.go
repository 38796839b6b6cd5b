//go:build go1.27

package mo

// ThenTo returns a Future of the result of cb for f's value. If f fails, this Future fails with the
// same error, and cb is not called. ThenTo is [Future.Then] with another type: Cancel concerns f and
// this Future alike. It allocates five times: this Future, a Future of f's type that links the two,
// and functions.
func (f *Future[T]) ThenTo[U any](cb func(T) (U, error)) *Future[U] {
	return f.FinallyTo(func(value T, err error) (U, error) {
		if err != nil {
			var zero U
			return zero, err
		}
		return cb(value)
	})
}

// FinallyTo returns a Future of the result of cb for f's value or error. It is [Future.Finally] with
// another type: Cancel concerns f and this Future alike. It allocates four times: this Future, a
// Future of f's type that links the two, and functions.
func (f *Future[T]) FinallyTo[U any](cb func(T, error) (U, error)) *Future[U] {
	next := newFuture[U]()
	link := linkTo(next, func(value T, err error) { next.complete(TupleToResult(cb(value, err))) })
	next.stop = link
	f.follow(link)
	return next
}

// FlatMapTo returns a Future of the result of the Future that mapper returns for f's value. If f
// fails, this Future fails with the same error, and mapper is not called. Cancel of this Future
// cancels f, or the Future that mapper has returned, as Cancel does with a parent. No goroutine
// waits for a Future. FlatMapTo allocates four times, and when mapper has returned three times.
func (f *Future[T]) FlatMapTo[U any](mapper func(T) *Future[U]) *Future[U] {
	next := newFuture[U]()
	link := linkTo(next, func(value T, err error) {
		if err != nil {
			next.complete(Err[U](err))
			return
		}
		mapped := mapper(value)
		second := linkTo(next, func(value U, err error) { next.complete(TupleToResult(value, err)) })
		mapped.follow(second)
		if !next.stopBy(second) {
			second.Cancel() // next was canceled while mapper was running
		}
	})
	next.stop = link
	f.follow(link)
	return next
}

// linkTo returns a Future for the list of dependents of a Future[T]. It passes the result of its
// parent to complete, which completes next. If complete panics, next fails. If next or the returned
// Future is canceled, the other one is canceled too.
func linkTo[T, U any](next *Future[U], complete func(T, error)) *Future[T] {
	link := newFuture[T]()
	link.stop = next
	link.finally = func(value T, err error) (T, error) {
		returned := false
		defer func() {
			if !returned {
				next.complete(Err[U](cutShort(recover())))
			}
		}()
		complete(value, err)
		returned = true
		return value, err
	}
	return link
}

// stopBy sets the canceler of f and returns true, unless f has completed.
func (f *Future[T]) stopBy(stop canceler) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.completed {
		return false
	}
	f.stop = stop
	return true
}

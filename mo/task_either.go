package mo

// TaskEither is a Task that may fail.
type TaskEither[R any] struct {
	Task[R]
}

// NewTaskEither returns the TaskEither that runs f.
func NewTaskEither[R any](f ff0[R]) TaskEither[R] { return TaskEither[R]{NewTask(f)} }

// NewTaskEitherFromIO returns the TaskEither that runs io in a new goroutine.
func NewTaskEitherFromIO[R any](io IO[R]) TaskEither[R] { return TaskEither[R]{NewTaskFromIO(io)} }

// OrElse runs the task, waits for it, and returns its value, or fallback if it fails.
func (t TaskEither[R]) OrElse(fallback R) R { return t.Run().Result().OrElse(fallback) }

// Match runs the task, waits for it, and returns the result of onLeft for its error or of onRight
// for its value.
func (t TaskEither[R]) Match(onLeft func(error) Either[error, R], onRight func(R) Either[error, R]) Either[error, R] {
	return t.Run().Either().Match(onLeft, onRight)
}

// TryCatch calls Match.
func (t TaskEither[R]) TryCatch(onLeft func(error) Either[error, R], onRight func(R) Either[error, R]) Either[error, R] {
	return t.Match(onLeft, onRight)
}

// ToTask returns a Task with the same value. If t fails, the value is fallback.
func (t TaskEither[R]) ToTask(fallback R) Task[R] {
	return NewTask(func() *Future[R] {
		return t.Run().Catch(func(error) (R, error) { return fallback, nil })
	})
}

// ToEither runs the task, waits for it, and returns Left with its error or Right with its value.
func (t TaskEither[R]) ToEither() Either[error, R] { return t.Run().Either() }

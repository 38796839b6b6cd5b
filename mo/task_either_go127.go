//go:build go1.27

package mo

// ThenTo is like [Task.ThenTo], but returns a TaskEither.
func (t TaskEither[R]) ThenTo[U any](cb func(R) (U, error)) TaskEither[U] {
	return TaskEither[U]{t.Task.ThenTo(cb)}
}

// FlatMapTo is like [Task.FlatMapTo], but takes and returns a TaskEither.
func (t TaskEither[R]) FlatMapTo[U any](mapper func(R) TaskEither[U]) TaskEither[U] {
	return TaskEither[U]{t.Task.FlatMapTo(func(result R) Task[U] { return mapper(result).Task })}
}

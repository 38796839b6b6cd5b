// Package drain lets the parts of a server that stream without end know that it
// shuts down.
package drain

import "context"

type key struct{}

// With returns a context whose [Done] is ch.
func With(ctx context.Context, ch <-chan struct{}) context.Context {
	return context.WithValue(ctx, key{}, ch)
}

// Done returns a channel that is closed when the server that a request came
// through begins to shut down. It is nil, and so blocks for ever, if the server
// does not say.
func Done(ctx context.Context) <-chan struct{} {
	ch, _ := ctx.Value(key{}).(<-chan struct{})
	return ch
}

// Package drain notifies the handlers of endless streams when the server begins to shut down.
package drain

import "context"

type key struct{}

// With returns a context whose [Done] is ch.
func With(ctx context.Context, ch <-chan struct{}) context.Context {
	return context.WithValue(ctx, key{}, ch)
}

// Done returns a channel that is closed when the server of a request begins to shut down. If the
// server does not report shutdowns, the channel is nil and blocks forever.
func Done(ctx context.Context) <-chan struct{} {
	ch, _ := ctx.Value(key{}).(<-chan struct{})
	return ch
}

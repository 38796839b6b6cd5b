package web

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/hone-go/hone/internal/http/drain"
)

// afterCancel is the time between cancelling the handlers' contexts, at the end
// of the grace period, and closing their connections.
const afterCancel = time.Second

// A ShutdownError reports requests that were interrupted because they had not
// ended within the grace period.
type ShutdownError struct {
	Grace time.Duration
	Err   error // the cause; never nil
}

func (e *ShutdownError) Error() string {
	return fmt.Sprintf("web: requests were cut off %v after shutdown began: %v", e.Grace, e.Err)
}

// Unwrap returns the cause.
func (e *ShutdownError) Unwrap() error { return e.Err }

// Draining returns a channel that is closed when the server of a request begins
// to shut down. A handler that streams without end returns then; other handlers
// finish their work. The channel is nil, and so blocks for ever, if the server was
// not started by StartConfig.
func Draining(ctx context.Context) <-chan struct{} {
	return drain.Done(ctx)
}

func (sc StartConfig) shutdown(server *http.Server, cancelRequests func()) error {
	grace := sc.GracefulTimeout
	if grace <= 0 {
		grace = DefaultGracefulTimeout
	}
	within := func(d time.Duration) error {
		ctx, cancel := context.WithTimeout(context.Background(), d)
		defer cancel()
		return server.Shutdown(ctx)
	}
	err := within(grace)
	if err == nil {
		return nil
	}
	cancelRequests()
	sc.report(err)
	if within(afterCancel) != nil {
		_ = server.Close()
	}
	return &ShutdownError{Grace: grace, Err: err}
}

func (sc StartConfig) report(err error) {
	if err != nil && sc.OnShutdownError != nil {
		sc.OnShutdownError(err)
	}
}

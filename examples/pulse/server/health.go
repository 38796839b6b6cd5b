package server

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/store"
)

// healthAge is the time for which a result is reused. Everybody may request the health, and each
// check writes to the disk, so not every request makes a check.
const healthAge = time.Second

// health is the result of the last check.
type health struct {
	mu            sync.Mutex
	at            time.Time
	store, broker error
}

type healthInput struct{}

type healthOutput struct {
	Status string `json:"status"`
}

// checkHealth writes a row to the database and reads it. If that succeeds, it checks the broker, if
// there is one. Requests during a check wait for its result, and requests within healthAge after it
// get the same result.
func (h *handlers) checkHealth(ctx context.Context, _ *healthInput) (*healthOutput, error) {
	last := &h.health
	last.mu.Lock()
	defer last.mu.Unlock()
	if last.at.IsZero() || time.Since(last.at) > healthAge {
		// The context of the first request must not end the check, since other requests wait for
		// the result too.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), queryTimeout)
		defer cancel()
		last.broker = nil
		if last.store = h.Store.Check(ctx); last.store == nil {
			last.broker = h.Queue.Check(ctx)
		}
		last.at = time.Now()
	}
	switch {
	case errors.Is(last.store, store.ErrFull):
		return nil, h.problem(last.store)
	case last.store != nil:
		h.away.error("the database does not respond", last.store)
		return nil, api.NewProblem(http.StatusServiceUnavailable, "The database does not respond.")
	case last.broker != nil:
		h.away.error("the broker does not respond", last.broker)
		return nil, api.NewProblem(http.StatusServiceUnavailable, "The broker does not respond.")
	}
	return &healthOutput{"ok"}, nil
}

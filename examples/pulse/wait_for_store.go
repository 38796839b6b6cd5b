package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/sethvargo/go-retry"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/web"
)

const (
	firstWait = 250 * time.Millisecond
	lastWait  = 10 * time.Second
	tellEvery = time.Minute
)

// waitForStore opens the database. If the database cannot be reached, it tries again until ctx is
// done, and then returns an error. It returns any other error at once.
func waitForStore(ctx context.Context, f *flags, log *slog.Logger) (store.Store, error) {
	var told time.Time
	return retry.DoValue(ctx, retry.WithCappedDuration(lastWait, retry.NewExponential(firstWait)), func(ctx context.Context) (store.Store, error) {
		db, err := openStore(ctx, f.db, f.keep)
		switch {
		case err == nil && !told.IsZero():
			log.Info("the database is reachable", "database", f.place())
		case errors.Is(err, store.ErrUnavailable) && !store.Refused(err):
			if time.Since(told) > tellEvery {
				log.Warn("waiting for the database", "database", f.place(), "error", err)
				told = time.Now()
			}
			err = retry.RetryableError(err)
		}
		return db, err
	})
}

// A door answers requests with 503 until the server is ready.
type door struct {
	server atomic.Pointer[web.Echo]
}

func (d *door) open(server *web.Echo) { d.server.Store(server) }

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if server := d.server.Load(); server != nil {
		server.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Retry-After", "1")
	api.WriteError(w, r, api.NewProblem(http.StatusServiceUnavailable, "The server is waiting for its database. Send this again."))
}

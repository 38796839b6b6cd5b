package store

import (
	"context"
	"log/slog"
	"time"
)

// KeepPruned deletes old readings of a store until ctx is done. It deletes some readings every
// minute, or more often if there are more to delete.
func KeepPruned(ctx context.Context, s Store) {
	for wait := time.Duration(0); ; {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		more, err := s.Prune(ctx)
		if err != nil && ctx.Err() == nil {
			slog.Error("cannot delete old readings", "error", err)
		}
		if wait = time.Minute; more && err == nil {
			wait = 100 * time.Millisecond
		}
	}
}

package store

import (
	"context"
	"fmt"
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

// pruneSize is the maximum number of rows that Prune deletes with one statement, so that batches do
// not wait while Prune deletes a week of old readings.
const pruneSize = 500

// prune deletes some expired rows of each tier, and reports whether there are more. The texts of
// statements have the table as %[1]s and the maximum number of rows as %[2]d. Their parameter is a
// time: rows before it are expired.
func (b *base) prune(ctx context.Context, db session, oldReadings, oldSums string) (more bool, err error) {
	now := b.Now()
	remove := func(tier Tier, text, table string) {
		keep := b.options.Keep(tier)
		if keep == 0 || err != nil {
			return
		}
		var deleted int64
		deleted, err = db.exec(ctx, fmt.Sprintf(text, table, pruneSize), now.Add(-keep).UnixMilli())
		more = more || deleted == pruneSize
	}
	remove(Seconds, oldReadings, "readings")
	for tier, table := range tables {
		remove(tier, oldSums, table)
	}
	remove(Hours, "DELETE FROM %[1]s WHERE host IN (SELECT host FROM %[1]s WHERE heard < ? AND NOT EXISTS (SELECT 1 FROM hours WHERE hours.host = hosts.host) LIMIT %[2]d)", "hosts")
	if err == nil {
		_, err = db.exec(ctx, abandonedSQL, time.Now().Add(-abandonedAfter).UnixMilli())
	}
	return more, err
}

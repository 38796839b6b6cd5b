package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// Now is documented at [Store].
func (b *base) Now() time.Time {
	now := time.Now()
	if newest := time.UnixMilli(b.newestAt.Load()); newest.UnixMilli() != 0 && newest.Before(now) {
		return newest
	}
	return now
}

// raiseNewest sets newestAt to the latest time of new readings if that is later.
func (b *base) raiseNewest(fresh [][]telemetry.Reading) {
	for _, h := range newest(fresh) {
		for at := b.newestAt.Load(); h.Last.UnixMilli() > at && !b.newestAt.CompareAndSwap(at, h.Last.UnixMilli()); at = b.newestAt.Load() {
		}
	}
}

// loadNewest sets newestAt to the time of the newest stored reading, which another server may have
// stored.
func (b *base) loadNewest(ctx context.Context) error {
	at, err := first(rows(ctx, b.reading(), single[sql.NullInt64], "SELECT max(newest) FROM hosts"))
	if err == nil {
		b.newestAt.Store(at.Int64)
	}
	return err
}

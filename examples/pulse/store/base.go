package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// A base has the methods that SQLite and PostgreSQL share.
type base struct {
	dialect
	options Options
	read    *sql.DB
	search  *sql.DB // connections for slow queries by metric, so that other queries need not wait for them
	write   *sql.DB // connections for transactions that store readings
	control *sql.DB // connections for short transactions that write a few rows

	// storedHosts has hosts with stored readings. Batches of these hosts need no query, and can be
	// queued while the database is away. (A host that is deleted stays in the cache. Its next batch is
	// accepted, and then counts like an imported one.)
	storedHosts *lru.Cache[string, struct{}]

	found    sync.Map     // tokens that were found in the database, by their hashes
	newestAt atomic.Int64 // the time of the newest stored reading, in milliseconds since 1970; see Now
}

func newBase(d dialect, options Options) base {
	stored, _ := lru.New[string, struct{}](maxStoredHosts) // New fails only if the size is not positive
	return base{dialect: d, options: options, storedHosts: stored}
}

func (b *base) reading() session { return session{&b.dialect, b.read} }

// exec runs a statement that writes a few rows, and returns the number of rows that it has changed.
func (b *base) exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	return session{&b.dialect, b.control}.exec(ctx, statement, args...)
}

// Check tests that the database can be written and read. It overwrites the only row of the table
// health. The row is as large as a batch: on a nearly full disk, there might be room for a small row
// but not for a batch.
func (b *base) Check(ctx context.Context) error {
	now := time.Now().UnixNano()
	if _, err := b.exec(ctx, "INSERT INTO health (id, at, room) VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at, room = excluded.room", now, make([]byte, 1<<16)); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	at, err := first(rows(ctx, b.reading(), single[int64], "SELECT at FROM health"))
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	if at < now-int64(time.Hour) { // at may differ from now: another server's check may have written the row, and clocks may be set back
		return errors.New("store: the row that was read differs from the row that was written")
	}
	return nil
}

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

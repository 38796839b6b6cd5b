package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const dayMillis = int64(24 * time.Hour / time.Millisecond)

// maxDays is the number of days, up to today, that have their own partitions. Tomorrow has a
// partition too. Readings of other days are in the partition readings_other, because invented times
// must not create tables.
const maxDays = 366

// day returns the number of the day of a time.
func day(ms int64) int64 { return floor(ms, dayMillis) / dayMillis }

// partitionOf returns the name of a day's partition.
func partitionOf(day int64) string {
	return "readings_" + time.UnixMilli(day*dayMillis).UTC().Format("20060102")
}

// needed returns the days of the readings, without the days that may not have a partition. The last
// maxDays days and tomorrow may have one.
func (s *Postgres) needed(batches [][]telemetry.Reading) (days []int64) {
	today := day(time.Now().UnixMilli())
	for _, readings := range batches {
		for i := range readings {
			if d := day(readings[i].At.UnixMilli()); d <= today+1 && d > today-maxDays && (len(days) == 0 || days[len(days)-1] != d) {
				days = append(days, d)
			}
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// partition creates partitions for days. It blocks other transactions, so it must not be called
// in a transaction. [Postgres.Prune] creates the partitions of today and tomorrow in advance.
func (s *Postgres) partition(ctx context.Context, days ...int64) error {
	for _, d := range days {
		if _, known := s.days.Load(d); known {
			continue
		}
		err := s.transact(ctx, s.write, fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", int64(lockLayout)), func(tx session) error {
			_, err := tx.exec(ctx, fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s PARTITION OF readings FOR VALUES FROM (%d) TO (%d)", partitionOf(d), d*dayMillis, (d+1)*dayMillis))
			return err
		})
		if e := (*pgconn.PgError)(nil); errors.As(err, &e) && e.Code == "23514" {
			slog.Warn("the readings of this day are already in the table readings_other, and stay there", "day", partitionOf(d))
		} else if err != nil {
			return err
		}
		s.days.Store(d, true)
	}
	return nil
}

// Prune drops the partitions of days that are entirely older than the retention, and deletes some of
// the old sums. A reading is kept until its whole day is too old. If another server is pruning, Prune
// does nothing.
func (s *Postgres) Prune(ctx context.Context) (more bool, err error) {
	today := day(time.Now().UnixMilli())
	if err := s.partition(ctx, today, today+1); err != nil {
		return false, err
	}
	if err := s.loadNewest(ctx); err != nil {
		return false, err
	}
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return false, s.failed(err)
	}
	defer conn.Close()
	db := session{&s.dialect, conn}
	mine, err := first(rows(ctx, db, single[bool], "SELECT pg_try_advisory_lock(?)", int64(lockPrune)))
	if err != nil || !mine {
		return false, err
	}
	defer func() {
		// If this fails, the lock may still be held until the connection is closed.
		if _, e := db.exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(?)", int64(lockPrune)); e != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // closes the connection
		}
	}()
	if keep := s.options.Keep(Seconds); keep > 0 {
		if err := dropDays(ctx, db, day(s.Now().Add(-keep).UnixMilli())); err != nil {
			return false, err
		}
	}
	return s.prune(ctx, db,
		"DELETE FROM %[1]s_other WHERE (host, at) IN (SELECT host, at FROM %[1]s_other WHERE at < ? ORDER BY at LIMIT %[2]d)",
		"DELETE FROM %[1]s WHERE (host, at) IN (SELECT t.host, t.at FROM hosts CROSS JOIN LATERAL (SELECT host, at FROM %[1]s WHERE host = hosts.host AND at < ? LIMIT %[2]d) t LIMIT %[2]d)")
}

// dropDays drops the tables of the days before the given day, one at a time: a drop waits for all
// current readers, and new readers wait for the drop.
func dropDays(ctx context.Context, db session, before int64) error {
	old, err := list(rows(ctx, db, single[string], `SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = 'readings'::regclass AND c.relname ~ '^readings_[0-9]{8}$' AND c.relname < ? ORDER BY 1`, partitionOf(before)))
	for _, table := range old {
		if _, err := db.exec(ctx, "DROP TABLE "+table); err != nil {
			return err
		}
	}
	return err
}

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
	"github.com/hone-go/hone/mo"
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

const selectHosts = "SELECT host, oldest, newest, heard, reading FROM hosts"

// hostFields returns the targets for scanning the row of a host. Scanning adds the length of the reading to size.
func hostFields(h *Host, size *int) []any {
	return []any{&h.Name, millis{&h.First}, millis{&h.Last}, millis{&h.Heard}, asJSON{&h.Reading, size}}
}

// host returns a host, or [sql.ErrNoRows].
func (s session) host(ctx context.Context, name string) (Host, error) {
	return first(rows(ctx, s, func(h *Host) []any { return hostFields(h, new(int)) }, selectHosts+" WHERE host = ?", name))
}

// Hosts is documented at [Store]. It requests one row more than the limit, to find out whether there
// is another page.
func (b *base) Hosts(ctx context.Context, q HostQuery) (hosts []Host, next mo.Option[string], err error) {
	where, args := "", []any{}
	if cursor, ok := q.Cursor.Get(); ok {
		after, err := parseCursor(cursor)
		if err != nil {
			return nil, next, err
		}
		where, args = " WHERE host > ?", append(args, after.Host)
	}
	hosts = []Host{}
	size, scanned := 0, 0
	columns := func(h *Host) []any { return hostFields(h, &scanned) }
	for h, err := range rows(ctx, b.reading(), columns, selectHosts+where+" ORDER BY host LIMIT ?", append(args, q.Limit+1)...) {
		if err != nil {
			return nil, next, err
		}
		if len(hosts) == q.Limit || size > maxPage {
			cursor, err := position{Host: hosts[len(hosts)-1].Name}.cursor()
			if err != nil {
				return nil, next, err
			}
			next = mo.Some(cursor)
			break
		}
		hosts, size = append(hosts, h), scanned
	}
	if err := b.addAgents(ctx, hosts); err != nil {
		return nil, mo.None[string](), err
	}
	return hosts, next, nil
}

// Latest returns the host's reading that arrived last.
func (b *base) Latest(ctx context.Context, host string) (telemetry.Reading, error) {
	h, err := b.reading().host(ctx, host)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrUnknownHost
	}
	return h.Reading, err
}

// A storedSum is a row of a table of sums, or of the table of readings.
type storedSum struct {
	reading telemetry.Reading // for a row of sums, only Host and At are set
	bucket  telemetry.Bucket
}

func sumFields(s *storedSum) []any {
	return []any{&s.reading.Host, millis{&s.reading.At}, encodedBucket{&s.bucket}}
}

// Buckets is documented at [Store]. The buckets are in the order of hosts and times.
func (b *base) Buckets(ctx context.Context, tier Tier, hosts HostRange, from, to time.Time, yield func(host string, at time.Time, b *telemetry.Bucket) error) error {
	table, what, columns := "readings", names("t.", ""), func(s *storedSum) []any { return allFields(&s.reading) }
	if tier != Seconds {
		table, what, columns = tables[tier], "t.host, t.at, t.summary", sumFields
	}
	// This reads a range of the index for each host, even if all hosts are requested.
	text := "SELECT " + what + " FROM hosts CROSS JOIN " + table + " t WHERE t.host = hosts.host AND t.at >= ? AND t.at < ?"
	args := []any{ceilMilli(from), ceilMilli(to)}
	if hosts.First != "" {
		text, args = text+" AND hosts.host >= ?", append(args, hosts.First)
	}
	if hosts.Last != "" {
		text, args = text+" AND hosts.host <= ?", append(args, hosts.Last)
	}
	for s, err := range rows(ctx, b.reading(), columns, text+" ORDER BY hosts.host, t.at", args...) {
		if err != nil {
			return err
		}
		if tier == Seconds {
			s.bucket.Add(&s.reading)
		}
		if err := yield(s.reading.Host, s.reading.At, &s.bucket); err != nil {
			return err
		}
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

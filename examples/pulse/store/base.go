package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// A base has the queries that are the same for both databases.
type base struct {
	options Options
	read    *sql.DB
	search  *sql.DB // connections for slow queries by metric, so that other queries need not wait

	control      *sql.DB // connections for short transactions that write a few rows
	lockAdmitted string  // a statement that makes other transactions of Admit wait; "" if the database does so by itself
	lockNames    string  // a statement that makes transactions that write readings wait; "" if the database does so by itself
	elements     string  // a query whose parameter is a JSON array of strings; it returns them in the column host
	storedHosts  hostSet
	found        sync.Map     // tokens that were found, by their hashes
	newestAt     atomic.Int64 // the time of the newest stored reading, in milliseconds since 1970; see Now

	bind   func(query string) string // turns each ? into the driver's placeholder
	failed func(err error) error     // converts an error of the database to an error of this package, and nil to nil
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
	size := 0
	err = b.hosts(ctx, where+" ORDER BY host LIMIT ?", append(args, q.Limit+1), func(h *Host) (more bool, err error) {
		if len(hosts) == q.Limit || size > maxPage {
			cursor, err := position{Host: hosts[len(hosts)-1].Name}.cursor()
			next = mo.Some(cursor)
			return false, err
		}
		size += weight(&h.Reading)
		hosts = append(hosts, *h)
		return true, nil
	})
	if err == nil {
		err = b.addAgents(ctx, hosts)
	}
	if err != nil {
		return nil, mo.None[string](), err
	}
	return hosts, next, nil
}

// Latest returns the reading of a host that arrived last.
func (b *base) Latest(ctx context.Context, host string) (r telemetry.Reading, err error) {
	found := false
	err = b.hosts(ctx, " WHERE host = ?", []any{host}, func(h *Host) (bool, error) {
		r, found = h.Reading, true
		return true, nil
	})
	if err == nil && !found {
		err = ErrUnknownHost
	}
	return r, err
}

// hosts calls yield with rows of the table of hosts until yield returns false or an error. rest is
// the end of the query.
func (b *base) hosts(ctx context.Context, rest string, args []any, yield func(*Host) (more bool, err error)) error {
	rows, err := b.read.QueryContext(ctx, b.bind("SELECT host, oldest, newest, heard, reading FROM hosts"+rest), args...)
	if err != nil {
		return b.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		var h Host
		if err := rows.Scan(&h.Name, millis{&h.First}, millis{&h.Last}, millis{&h.Heard}, asJSON[telemetry.Reading]{&h.Reading}); err != nil {
			return b.failed(err)
		}
		if more, err := yield(&h); err != nil || !more {
			return err
		}
	}
	return b.failed(rows.Err())
}

// Buckets is documented at [Store]. The buckets are in the order of hosts and times.
func (b *base) Buckets(ctx context.Context, tier Tier, hosts HostRange, from, to time.Time, yield func(host string, at time.Time, b *telemetry.Bucket) error) error {
	table, what := "readings", names("t.", "")
	if tier != Seconds {
		table, what = tables[tier], "t.host, t.at, t.summary"
	}
	// For each host a range of the index is read, also if all hosts are requested.
	text := "SELECT " + what + " FROM hosts CROSS JOIN " + table + " t WHERE t.host = hosts.host AND t.at >= ? AND t.at < ?"
	args := []any{ceilMilli(from), ceilMilli(to)}
	if hosts.First != "" {
		text, args = text+" AND hosts.host >= ?", append(args, hosts.First)
	}
	if hosts.Last != "" {
		text, args = text+" AND hosts.host <= ?", append(args, hosts.Last)
	}
	rows, err := b.read.QueryContext(ctx, b.bind(text+" ORDER BY hosts.host, t.at"), args...)
	if err != nil {
		return b.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r telemetry.Reading
		var bucket telemetry.Bucket
		if tier == Seconds {
			if err := rows.Scan(fields(&r, "")...); err != nil {
				return b.failed(err)
			}
			bucket.Add(&r)
		} else if err := rows.Scan(&r.Host, millis{&r.At}, encoded{&bucket}); err != nil {
			return b.failed(err)
		}
		if err := yield(r.Host, r.At, &bucket); err != nil {
			return err
		}
	}
	return b.failed(rows.Err())
}

// rows calls one with the Scan method of each row of a query, until one returns an error.
func (b *base) rows(ctx context.Context, query string, args []any, one func(scan func(...any) error) error) error {
	rows, err := b.read.QueryContext(ctx, b.bind(query), args...)
	if err != nil {
		return b.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := one(rows.Scan); err != nil {
			return b.failed(err)
		}
	}
	return b.failed(rows.Err())
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
	var at sql.NullInt64
	err := b.read.QueryRowContext(ctx, "SELECT max(newest) FROM hosts").Scan(&at)
	if err == nil {
		b.newestAt.Store(at.Int64)
	}
	return b.failed(err)
}

// tables are the tables of sums, one for each tier.
var tables = map[Tier]string{Minutes: "minutes", Hours: "hours"}

// A slot identifies a stored bucket.
type slot struct {
	host string
	at   int64 // the start of the bucket, in milliseconds since 1970
}

// summed returns the sums of readings, one for each host and step of a tier.
func summed(batches [][]telemetry.Reading, tier Tier) map[slot]*telemetry.Bucket {
	sums, step := map[slot]*telemetry.Bucket{}, tier.Step().Milliseconds()
	for _, readings := range batches {
		for i := range readings {
			r := &readings[i]
			s := slot{r.Host, floor(r.At.UnixMilli(), step)}
			if sums[s] == nil {
				sums[s] = &telemetry.Bucket{}
			}
			sums[s].Add(r)
		}
	}
	return sums
}

// floor returns the largest multiple of step that is not above ms, which may be before 1970.
func floor(ms, step int64) int64 {
	if rest := ms % step; rest < 0 {
		return ms - rest - step
	} else {
		return ms - rest
	}
}

// newest returns the new row of each host for the table of hosts, without the time at which the server
// received its readings.
func newest(batches [][]telemetry.Reading) map[string]*Host {
	hosts := map[string]*Host{}
	for _, readings := range batches {
		for i := range readings {
			r := &readings[i]
			h := hosts[r.Host]
			if h == nil {
				h = &Host{Name: r.Host, First: r.At, Last: r.At}
				hosts[r.Host] = h
			}
			// This is the reading that arrived last, not the one with the latest time: a clock
			// may have been set back.
			h.Reading = *r
			if r.At.Before(h.First) {
				h.First = r.At
			}
			if r.At.After(h.Last) {
				h.Last = r.At
			}
		}
	}
	return hosts
}

// heard returns the time at which the server received the new readings of a host, in milliseconds
// since 1970.
func (o Options) heard(h *Host) int64 {
	now := time.Now()
	if o.History && h.Last.Before(now) {
		return h.Last.UnixMilli()
	}
	return now.UnixMilli()
}

// encoded reads a bucket from a column.
type encoded struct{ *telemetry.Bucket }

func (e encoded) Scan(src any) error {
	data, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("the stored sum is a %T, not bytes", src)
	}
	return wire.Unmarshal(data, e.Bucket)
}

// judge returns the result of Check: an error if err, the error of reading, is not nil, or if the
// row is not the row that was written. at is the time in the row, and now the time that was
// written.
func judge(at, now int64, err error) error {
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	if at < now-int64(time.Hour) { // not at != now: another check may have written the row, and clocks may be set back
		return errors.New("store: the row that was read differs from the row that was written")
	}
	return nil
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// A base answers the queries that both databases answer alike.
type base struct {
	options Options
	read    *sql.DB
	search  *sql.DB // for queries that look for a metric, so that they make no other wait

	bind   func(query string) string // turns each ? into the driver's placeholder
	failed func(err error) error     // turns an error of the database into one of this package, nil into nil
}

// Hosts reads the table of hosts.
func (b *base) Hosts(ctx context.Context) ([]Host, error) {
	return b.hosts(ctx, "", nil)
}

// Latest returns the reading of a host that arrived last.
func (b *base) Latest(ctx context.Context, host string) (r telemetry.Reading, err error) {
	hosts, err := b.hosts(ctx, " WHERE host = ?", []any{host})
	if err == nil && len(hosts) == 0 {
		err = ErrUnknownHost
	}
	if err != nil {
		return r, err
	}
	return hosts[0].Reading, nil
}

func (b *base) hosts(ctx context.Context, where string, args []any) ([]Host, error) {
	rows, err := b.read.QueryContext(ctx, b.bind("SELECT host, oldest, newest, heard, reading FROM hosts"+where+" ORDER BY host"), args...)
	if err != nil {
		return nil, b.failed(err)
	}
	defer rows.Close()
	hosts := []Host{}
	for rows.Next() {
		var h Host
		var reading []byte
		if err := rows.Scan(&h.Name, millis{&h.First}, millis{&h.Last}, millis{&h.Heard}, &reading); err != nil {
			return nil, b.failed(err)
		}
		if err := json.Unmarshal(reading, &h.Reading); err != nil {
			return nil, fmt.Errorf("store: the last reading of %q: %w", h.Name, err)
		}
		hosts = append(hosts, h)
	}
	return hosts, b.failed(rows.Err())
}

// Buckets goes through a tier in the order of hosts and times.
func (b *base) Buckets(ctx context.Context, tier Tier, host string, from, to time.Time, yield func(host string, at time.Time, b *telemetry.Bucket) error) error {
	table, what := "readings", names("t.", "")
	if tier != Seconds {
		table, what = tables[tier], "t.host, t.at, t.summary"
	}
	// Of each host a stretch of the index is read, also where all are asked for.
	text := "SELECT " + what + " FROM hosts CROSS JOIN " + table + " t WHERE t.host = hosts.host AND t.at >= ? AND t.at < ?"
	args := []any{ceilMilli(from), ceilMilli(to)}
	if host != "" {
		text, args = text+" AND hosts.host = ?", append(args, host)
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

// tables are the tables of sums, one for each tier.
var tables = map[Tier]string{Minutes: "minutes", Hours: "hours"}

// A slot is where a bucket is kept.
type slot struct {
	host string
	at   int64 // of its start, in milliseconds since 1970
}

// summed sums up readings by the steps of a tier.
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
			// Not the reading with the latest time, since a clock may have stepped back.
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

// heard returns when a host was heard that has sent new readings, in milliseconds since 1970.
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
		return fmt.Errorf("sum is a %T in the database, not bytes", src)
	}
	return wire.Unmarshal(data, e.Bucket)
}

// judge returns the result of Check, which has written a row with the time now.
func judge(at, now int64, err error) error {
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	if at < now-int64(time.Hour) { // another check may have come between, and clocks may step
		return errors.New("store: the row of checks is not the one that was written")
	}
	return nil
}

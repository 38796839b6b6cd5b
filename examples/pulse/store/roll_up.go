package store

import (
	"context"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
)

// tables are the tables of sums, one for each tier.
var tables = map[Tier]string{Minutes: "minutes", Hours: "hours"}

// rollUp adds new readings to the sums of their minutes and hours, and changes the rows of their hosts.
func rollUp(ctx context.Context, tx session, fresh [][]telemetry.Reading, o Options) error {
	hosts := newest(fresh)
	if len(hosts) == 0 {
		return nil
	}
	// Sums are read, changed and written. The locks keep other servers from changing these sums
	// meanwhile.
	if tx.lockSums != "" {
		if _, err := tx.exec(ctx, tx.lockSums, hostLocks(hosts)); err != nil {
			return err
		}
	}
	for tier, table := range tables {
		if err := addSums(ctx, tx, table, summed(fresh, tier)); err != nil {
			return err
		}
	}
	var values [][]any
	for name, h := range hosts {
		text, err := json.Marshal(&h.Reading)
		if err != nil {
			return err
		}
		values = append(values, []any{name, millis{&h.First}, millis{&h.Last}, o.heard(h), text})
	}
	set := latestHost
	if o.History {
		set = newestHost
	}
	_, err := insert(ctx, tx, "INSERT INTO hosts", []column{{"host", "text"}, {"oldest", "bigint"}, {"newest", "bigint"}, {"heard", "bigint"}, {"reading", "bytea"}}, values, set)
	return err
}

const (
	spanOfHost = `ON CONFLICT (host) DO UPDATE SET
		oldest = CASE WHEN excluded.oldest < hosts.oldest THEN excluded.oldest ELSE hosts.oldest END,
		newest = CASE WHEN excluded.newest > hosts.newest THEN excluded.newest ELSE hosts.newest END,`
	latestHost = spanOfHost + " heard = excluded.heard, reading = excluded.reading"
	// See [Options.History].
	newestHost = spanOfHost + `
		heard = CASE WHEN excluded.heard > hosts.heard THEN excluded.heard ELSE hosts.heard END,
		reading = CASE WHEN excluded.heard > hosts.heard THEN excluded.reading ELSE hosts.reading END`
)

// addSums adds sums to the stored sums of their slots.
func addSums(ctx context.Context, tx session, table string, sums map[slot]*telemetry.Bucket) error {
	var slots [][2]any
	var values [][]any
	for s, bucket := range sums {
		slots, values = append(slots, [2]any{s.host, s.at}), append(values, []any{s.host, s.at, encodedBucket{bucket}})
	}
	keys, err := json.Marshal(slots)
	if err != nil {
		return err
	}
	for stored, err := range rows(ctx, tx, sumFields, "SELECT t.host, t.at, t.summary FROM ("+tx.slots+") AS u CROSS JOIN "+table+" t WHERE t.host = u.host AND t.at = u.at", string(keys)) {
		if err != nil {
			return err
		}
		sums[slot{stored.reading.Host, stored.reading.At.UnixMilli()}].Merge(&stored.bucket)
	}
	_, err = insert(ctx, tx, "INSERT INTO "+table, []column{{"host", "text"}, {"at", "bigint"}, {"summary", "bytea"}}, values, "ON CONFLICT (host, at) DO UPDATE SET summary = excluded.summary")
	return err
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

// floor returns the largest multiple of step that is not above ms. ms may be before 1970, and thus
// negative.
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

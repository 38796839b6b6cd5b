package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// A Query selects readings. The zero value selects all of them.
type Query struct {
	Host   mo.Option[string]
	Metric mo.Option[string]    // one of Metrics(): only readings that have it, with nothing else filled in
	From   mo.Option[time.Time] // at or after
	To     mo.Option[time.Time] // before
	Cursor mo.Option[string]    // what the page before returned
	Limit  int                  // at least 1
}

// ErrBadCursor means that a cursor did not come from [Store.Readings].
var ErrBadCursor = errors.New("store: not a cursor of this server")

// A position is the last row of a page. A page starts after it, so that rows
// which are added or pruned meanwhile move no other row to another page.
type position struct {
	At   int64
	Host string
}

func (p position) cursor() (string, error) {
	b, err := wire.Marshal(&p)
	return base64.RawURLEncoding.EncodeToString(b), err
}

func parseCursor(cursor string) (p position, err error) {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = wire.Unmarshal(b, &p)
	}
	if err != nil {
		return p, ErrBadCursor
	}
	return p, nil
}

// Readings returns up to q.Limit readings in the order of time, then host, and
// the cursor of the page that follows: None on the last page.
func (s *Store) Readings(ctx context.Context, q Query) (readings []telemetry.Reading, next mo.Option[string], err error) {
	text, args, err := q.sql()
	if err != nil {
		return nil, next, err
	}
	rows, err := s.read.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, next, fmt.Errorf("store: %w", err)
	}
	defer rows.Close()
	metric := q.Metric.OrEmpty()
	readings = []telemetry.Reading{}
	for rows.Next() {
		if len(readings) == q.Limit { // the row too many: there is another page
			last := readings[len(readings)-1]
			cursor, err := position{last.At.UnixMilli(), last.Host}.cursor()
			if err != nil {
				return nil, next, err
			}
			next = mo.Some(cursor)
			break
		}
		var r telemetry.Reading
		if err := rows.Scan(fields(&r, metric)...); err != nil {
			return nil, next, fmt.Errorf("store: %w", err)
		}
		readings = append(readings, r)
	}
	if err := rows.Err(); err != nil {
		return nil, mo.None[string](), fmt.Errorf("store: %w", err)
	}
	return readings, next, nil
}

// sql returns the query's text and arguments. It asks for one row more than the
// limit, which tells whether there is another page.
func (q Query) sql() (string, []any, error) {
	var where []string
	var args []any
	and := func(condition string, values ...any) {
		where = append(where, condition)
		args = append(args, values...)
	}
	if metric, ok := q.Metric.Get(); ok {
		var present []string
		for _, c := range columns {
			if c.metric == metric {
				present = append(present, c.name+" IS NOT NULL")
			}
		}
		if present == nil {
			return "", nil, fmt.Errorf("store: unknown metric %q", metric)
		}
		and("(" + strings.Join(present, " OR ") + ")")
	}
	if host, ok := q.Host.Get(); ok {
		and("host = ?", host)
	}
	if from, ok := q.From.Get(); ok {
		and("at >= ?", ceilMilli(from))
	}
	if to, ok := q.To.Get(); ok {
		and("at < ?", ceilMilli(to))
	}
	if cursor, ok := q.Cursor.Get(); ok {
		p, err := parseCursor(cursor)
		if err != nil {
			return "", nil, err
		}
		and("(at, host) > (?, ?)", p.At, p.Host)
	}
	text := "SELECT " + names(q.Metric.OrEmpty()) + " FROM readings"
	if len(where) > 0 {
		text += " WHERE " + strings.Join(where, " AND ")
	}
	return text + " ORDER BY at, host LIMIT ?", append(args, q.Limit+1), nil
}

// ceilMilli rounds up: a bound between two milliseconds excludes the first.
func ceilMilli(t time.Time) int64 {
	ms := t.UnixMilli()
	if t.After(time.UnixMilli(ms)) {
		ms++
	}
	return ms
}

// A Host is a machine that has readings stored.
type Host struct {
	Name  string    `json:"host"`
	First time.Time `json:"first"` // its oldest reading
	Last  time.Time `json:"last"`  // its newest
}

// hostsSQL hops from one host to the next through the index, one look-up each,
// where GROUP BY would walk over every reading.
const hostsSQL = `
WITH RECURSIVE hosts (host) AS (
	SELECT min(host) FROM readings
	UNION ALL
	SELECT (SELECT min(r.host) FROM readings r WHERE r.host > hosts.host) FROM hosts WHERE hosts.host IS NOT NULL
)
SELECT host,
	(SELECT min(r.at) FROM readings r WHERE r.host = hosts.host),
	(SELECT max(r.at) FROM readings r WHERE r.host = hosts.host)
FROM hosts WHERE host IS NOT NULL`

// Hosts returns every host, ordered by name.
func (s *Store) Hosts(ctx context.Context) ([]Host, error) {
	rows, err := s.read.QueryContext(ctx, hostsSQL)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	defer rows.Close()
	hosts := []Host{}
	for rows.Next() {
		var h Host
		if err := rows.Scan(&h.Name, millis{&h.First}, millis{&h.Last}); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		hosts = append(hosts, h)
	}
	return hosts, rows.Err()
}

// Latest returns host's newest reading, or [ErrUnknownHost].
func (s *Store) Latest(ctx context.Context, host string) (r telemetry.Reading, err error) {
	err = s.read.QueryRowContext(ctx, latestSQL, host).Scan(fields(&r, "")...)
	if errors.Is(err, sql.ErrNoRows) {
		return r, ErrUnknownHost
	}
	return r, err
}

var latestSQL = "SELECT " + names("") + " FROM readings WHERE host = ? ORDER BY at DESC LIMIT 1"

// Check reports whether the database can be read and the writer still writes.
func (s *Store) Check(ctx context.Context) error {
	var n int
	if err := s.read.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM readings LIMIT 1)").Scan(&n); err != nil {
		return fmt.Errorf("store: reading: %w", err)
	}
	// An empty batch takes every step of a real one: queue, lock, commit.
	if _, err := s.Append(ctx, nil); err != nil {
		return fmt.Errorf("store: writing: %w", err)
	}
	return nil
}

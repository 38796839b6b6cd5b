package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// A Query selects readings. The zero value selects all of them.
type Query struct {
	Host   mo.Option[string]
	Metric mo.Option[string]    // one of Metrics(): only readings with this metric, and only its fields
	From   mo.Option[time.Time] // only readings at or after this time
	To     mo.Option[time.Time] // only readings before this time
	Cursor mo.Option[string]    // the cursor that the previous page returned
	Limit  int                  // at least 1; a page of large readings has fewer
}

const (
	// maxPage is the approximate maximum size of a page in bytes, measured as JSON, which is larger
	// than in memory. The number of readings does not bound the size: a reading can have thousands of
	// disks.
	maxPage = 16 << 20

	// readingSize is the approximate size of a reading without its lists.
	readingSize = 400
)

// Readings returns up to q.Limit readings, or fewer if they are large, sorted by time and then
// host. It also returns the cursor of the next page, which is None on the last page.
func (b *base) Readings(ctx context.Context, q Query) (readings []telemetry.Reading, next mo.Option[string], err error) {
	db, has := b.read, []int64(nil)
	if metric, ok := q.Metric.Get(); ok {
		db = b.search
		if has, err = b.valuesWith(ctx, metric, q.Host); err != nil {
			return nil, next, err
		}
		if len(has) == 0 {
			return []telemetry.Reading{}, next, nil
		}
	}
	text, args, err := q.sql(has)
	if err != nil {
		return nil, next, err
	}
	lists, size := 0, 0
	columns := func(r *telemetry.Reading) []any { return fields(r, q.Metric.OrEmpty(), &lists) }
	readings = []telemetry.Reading{}
	for r, err := range rows(ctx, session{&b.dialect, db}, columns, text, args...) {
		if err != nil {
			return nil, next, err
		}
		if len(readings) == q.Limit || size > maxPage { // there is another page
			last := readings[len(readings)-1]
			cursor, err := position{last.At.UnixMilli(), last.Host}.cursor()
			if err != nil {
				return nil, next, err
			}
			next = mo.Some(cursor)
			break
		}
		readings = append(readings, r)
		size = lists + readingSize*len(readings)
	}
	return readings, next, nil
}

// valuesWith returns the values of the column "has" that include a metric. A value of this column is
// a set of bits: the metrics of a reading. valuesWith searches the readings of a host, or all
// readings if host is None. It finds each value through an index. There are few values, because
// similar machines measure the same metrics.
func (b *base) valuesWith(ctx context.Context, metric string, host mo.Option[string]) (has []int64, err error) {
	bit := slices.Index(Metrics(), metric)
	if bit < 0 {
		return nil, fmt.Errorf("store: unknown metric %q", metric)
	}
	of, args := "", []any{}
	if host, ok := host.Get(); ok {
		of, args = "host = ? AND ", []any{host, host}
	}
	return list(rows(ctx, session{&b.dialect, b.search}, single[int64], `
WITH RECURSIVE kinds (has) AS (
	SELECT min(has) FROM readings WHERE `+of+`has >= 0
	UNION ALL
	SELECT (SELECT min(r.has) FROM readings r WHERE `+of+`r.has > kinds.has) FROM kinds WHERE kinds.has IS NOT NULL
)
SELECT has FROM kinds WHERE (has & ?) <> 0`, append(args, int64(1)<<bit)...))
}

// sql returns the query's text and arguments. It requests one row more than the limit, to find
// out whether there is another page. The parameter has lists the values of the column "has" in
// which the bit of the query's metric is set. The rows of each value are read through an index, so that rows without the
// metric are not read.
func (q Query) sql(has []int64) (string, []any, error) {
	var where []string
	var args []any
	and := func(condition string, values ...any) {
		where = append(where, condition)
		args = append(args, values...)
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
	const order = " ORDER BY at, host LIMIT ?"
	args = append(args, q.Limit+1)
	if q.Metric.IsNone() {
		condition := ""
		if len(where) > 0 {
			condition = " WHERE " + strings.Join(where, " AND ")
		}
		return "SELECT " + names("", "") + " FROM readings" + condition + order, args, nil
	}
	var kinds []string
	var all []any
	for _, one := range has {
		kinds = append(kinds, "SELECT host, at FROM (SELECT host, at FROM readings WHERE "+strings.Join(append([]string{"has = ?"}, where...), " AND ")+order+") AS kind")
		all = append(append(all, one), args...)
	}
	text := "SELECT " + names("", q.Metric.OrEmpty()) + " FROM readings WHERE (host, at) IN (" + strings.Join(kinds, " UNION ALL ") + ")" + order
	return text, append(all, q.Limit+1), nil
}

// ceilMilli returns a time in milliseconds since 1970, rounded up: a bound between two milliseconds
// excludes the first one.
func ceilMilli(t time.Time) int64 {
	ms := t.UnixMilli()
	if t.After(time.UnixMilli(ms)) {
		ms++
	}
	return ms
}

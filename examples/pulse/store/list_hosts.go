package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

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

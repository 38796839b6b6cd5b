package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hone-go/hone/json"
)

// An Owner identifies the token with which the first reading of a host was posted. Imported hosts
// have the owner 0, and do not count for any token.
type Owner int64

// A HostLimitError reports new hosts that would exceed a limit of [Options], so their readings must
// not be stored. The other hosts of the call are admitted.
type HostLimitError struct {
	Hosts    []string // the new hosts beyond the limit
	Limit    int
	PerToken bool // the exceeded limit is Options.HostsPerToken; if false, it is Options.Hosts
}

func (e *HostLimitError) Error() string {
	scope := "in all"
	if e.PerToken {
		scope = "for each token"
	}
	return fmt.Sprintf("store: %d new hosts exceed the limit of %d hosts %s", len(e.Hosts), e.Limit, scope)
}

// abandonedAfter is the time after which an admitted host without a reading loses its place.
const abandonedAfter = 24 * time.Hour

// maxStoredHosts limits the memory of base.storedHosts.
const maxStoredHosts = 20000

// Admit reserves a place for each new host of a batch, up to the limits.
//
// The table "admitted" has a row for each host with readings. Triggers on the table "hosts" insert
// and delete these rows. The table "admitted" also has a row for each host whose first readings still
// wait in a queue. Only one transaction at a time counts the rows and adds new ones. So concurrent batches
// and servers cannot exceed a limit together, and the readings of an admitted host are never refused
// later.
func (b *base) Admit(ctx context.Context, owner Owner, hosts []string) error {
	if b.options.Hosts <= 0 && b.options.HostsPerToken <= 0 {
		return nil
	}
	seen := map[string]bool{}
	hosts = slices.DeleteFunc(slices.Clone(hosts), func(host string) bool {
		repeated := seen[host]
		seen[host] = true
		return repeated || b.storedHosts.Contains(host)
	})
	if len(hosts) == 0 {
		return nil
	}
	// Without new hosts, or without a free place, no transaction is needed.
	unknown, free, err := b.places(ctx, b.reading(), owner, hosts)
	if err != nil {
		return err
	}
	if len(unknown) == 0 || free.hosts == 0 {
		return free.refuse(unknown)
	}
	err = b.transact(ctx, b.control, b.lockAdmitted, func(tx session) (err error) {
		if unknown, free, err = b.places(ctx, tx, owner, unknown); err != nil {
			return err
		}
		names, err := json.Marshal(unknown[:min(free.hosts, len(unknown))])
		if err != nil {
			return err
		}
		// Without "WHERE true" SQLite parses ON as a part of a join.
		_, err = tx.exec(ctx, "INSERT INTO admitted (host, owner, at) SELECT host, CAST(? AS bigint), CAST(? AS bigint) FROM ("+b.elements+") AS names WHERE true ON CONFLICT (host) DO NOTHING",
			int64(owner), time.Now().UnixMilli(), string(names))
		return err
	})
	if err != nil {
		return err
	}
	return free.refuse(unknown)
}

// A vacancy is the number of hosts that may still be admitted, and the limit that determines it.
type vacancy struct {
	hosts, limit int
	perToken     bool
}

// refuse returns the error for the hosts that have no place, if there are any.
func (v vacancy) refuse(hosts []string) error {
	if len(hosts) <= v.hosts {
		return nil
	}
	return &HostLimitError{Hosts: hosts[v.hosts:], Limit: v.limit, PerToken: v.perToken}
}

// places returns the hosts that are not admitted, in the order of hosts, and the number of free
// places.
func (b *base) places(ctx context.Context, db session, owner Owner, hosts []string) (unknown []string, free vacancy, err error) {
	names, err := json.Marshal(hosts)
	if err != nil {
		return nil, free, err
	}
	type row struct {
		host   string
		stored bool
	}
	known := map[string]bool{}
	for r, err := range rows(ctx, db, func(r *row) []any { return []any{&r.host, &r.stored} }, `SELECT admitted.host, CASE WHEN hosts.host IS NULL THEN 0 ELSE 1 END
		FROM admitted LEFT JOIN hosts ON hosts.host = admitted.host WHERE admitted.host IN (`+b.elements+`)
		UNION ALL SELECT old, 1 FROM renames WHERE old IN (`+b.elements+`)`, string(names), string(names)) {
		if err != nil {
			return nil, free, err
		}
		if known[r.host] = true; r.stored {
			b.storedHosts.Add(r.host, struct{}{})
		}
	}
	unknown = slices.DeleteFunc(slices.Clone(hosts), func(host string) bool { return known[host] })
	if len(unknown) == 0 {
		return nil, free, nil
	}
	free.hosts = math.MaxInt
	for _, l := range []struct {
		limit    int
		perToken bool
		where    string
		args     []any
	}{{b.options.Hosts, false, "", nil}, {b.options.HostsPerToken, true, " WHERE owner = ?", []any{int64(owner)}}} {
		if l.limit <= 0 {
			continue
		}
		n, err := first(rows(ctx, db, single[int], "SELECT count(*) FROM admitted"+l.where, l.args...))
		if err != nil {
			return nil, free, err
		}
		if left := max(0, l.limit-n); left < free.hosts {
			free = vacancy{left, l.limit, l.perToken}
		}
	}
	return unknown, free, nil
}

// abandonedSQL deletes hosts that were admitted before a time and have no readings.
const abandonedSQL = "DELETE FROM admitted WHERE at < ? AND NOT EXISTS (SELECT 1 FROM hosts WHERE hosts.host = admitted.host)"

// Package store keeps readings: in a SQLite file, or in PostgreSQL for several servers.
// Both keep each reading for as long as [Options] say, and what became of it by minutes
// and hours for longer, rolled up in the transaction that stores it.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

var (
	// ErrFull means that the disk is full: nothing was stored.
	ErrFull = errors.New("store: the disk is full")
	// ErrUnavailable means that the database cannot be reached now: try again.
	ErrUnavailable = errors.New("store: the database cannot be reached")
	// ErrUnknownHost means that no reading of that host is stored.
	ErrUnknownHost = errors.New("store: unknown host")
	// ErrBadCursor means that a query's cursor did not come from this package.
	ErrBadCursor = errors.New("store: not a cursor of this server")
)

// A Store keeps readings. Its methods may be called concurrently, also by several processes if the
// database allows it.
type Store interface {
	// Write stores batches in one transaction: all of them or, with an error, none. It
	// returns of each batch the readings that were new. A reading whose host and time are
	// stored already is a repeat, which changes nothing.
	Write(ctx context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error)

	// Readings returns a page of readings, and the cursor of the next if there is one.
	Readings(ctx context.Context, q Query) (page []telemetry.Reading, next mo.Option[string], err error)
	// Hosts returns every host that has stored anything, in the order of their names.
	Hosts(ctx context.Context) ([]Host, error)
	// Latest returns the reading of a host that came last, or [ErrUnknownHost].
	Latest(ctx context.Context, host string) (telemetry.Reading, error)
	// Buckets calls yield with the sums of a host in steps of a tier, in order,
	// each with when it began. Where there were no readings there is none. With a host of
	// "" it goes through all hosts, one after the other.
	Buckets(ctx context.Context, tier Tier, host string, from, to time.Time, yield func(host string, at time.Time, b *telemetry.Bucket) error) error

	// Check writes a row as large as a batch and reads it.
	Check(ctx context.Context) error
	// Prune deletes some of the old readings and reports whether there are more.
	Prune(ctx context.Context) (more bool, err error)
	Close() error
}

// Options are of every store.
type Options struct {
	// Retention is how long readings are kept, 0 for ever. Minutes and hours are kept for
	// longer, see [Keep].
	Retention time.Duration
	// History says that the readings were measured some time ago, as in an import: a host
	// does not count as heard, and its last reading stays, unless that is older.
	History bool
}

// A Tier is a resolution in which readings are kept.
type Tier int

// The tiers: readings as they came, and their sums by minutes and hours.
const (
	Seconds Tier = iota
	Minutes
	Hours
)

// Step returns how long a bucket of the tier is. A reading is taken for a second.
func (t Tier) Step() time.Duration { return [...]time.Duration{time.Second, time.Minute, time.Hour}[t] }

// Keep returns how long a tier is kept: readings as long as the options say, minutes for
// 31 days and hours for two years, or as long as readings if that is longer. 0 is for ever.
func (o Options) Keep(t Tier) time.Duration {
	const day = 24 * time.Hour
	if t == Seconds || o.Retention == 0 {
		return o.Retention
	}
	return max(o.Retention, [...]time.Duration{Minutes: 31 * day, Hours: 2 * 366 * day}[t])
}

// A Host is a machine that has posted readings.
type Host struct {
	Name    string            `json:"host"`
	First   time.Time         `json:"first"`   // its oldest reading ever
	Last    time.Time         `json:"last"`    // its newest, by its own clock
	Heard   time.Time         `json:"heard"`   // when a reading was last stored, by the clock of the server
	Reading telemetry.Reading `json:"reading"` // which came last
}

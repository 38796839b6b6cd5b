// Package store keeps readings: in a SQLite file, or in PostgreSQL for several servers. Both keep
// each reading for the time in [Options]. They keep sums of minutes and hours for longer. The
// transaction that stores a reading also adds it to the sums.
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
	ErrBadCursor = errors.New("store: the cursor is not from this server")
)

// Temporary reports whether err concerns the database or the context, and not the written rows.
func Temporary(err error) bool {
	return errors.Is(err, ErrUnavailable) || errors.Is(err, ErrFull) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// A Store keeps readings. Its methods may be called concurrently, also by several processes if the
// database allows it.
type Store interface {
	// Admit reserves a place for each new host of a batch that is about to be written. If the
	// limits in [Options] leave no place for some of these hosts, it returns a [*HostLimitError],
	// and still reserves places for the other hosts. No query is needed if all hosts are known to
	// have stored readings.
	Admit(ctx context.Context, owner Owner, hosts []string) error
	// Write stores batches in one transaction: all of them or, after an error, none. It returns the
	// new readings of each batch. A reading is a repeat if a reading with its host and time is
	// stored already. A repeat changes nothing.
	Write(ctx context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error)

	// Describe stores data about the agents of hosts.
	Describe(ctx context.Context, agents []Agent) error

	// AddToken, RemoveToken, Tokens and FindToken manage the tokens of agents and readers.
	AddToken(ctx context.Context, t Token, token string) error
	RemoveToken(ctx context.Context, name string) error
	Tokens(ctx context.Context) ([]Token, error)
	FindToken(ctx context.Context, token string) (Token, error)

	// RenameHost and RemoveHost change all rows of a host. Their error may be [ErrUnknownHost] or
	// [ErrHostExists]. The argument who is the person or the token for the record, which Changes
	// returns.
	RenameHost(ctx context.Context, from, to, who string) error
	RemoveHost(ctx context.Context, host, who string) error
	Changes(ctx context.Context, limit int) ([]Change, error)

	// Only one server at a time changes alerts: the holder of a lease. LeaseAlerts takes or extends
	// the lease, ReleaseAlerts ends it, and ChangeAlerts needs it. LeaseAlerts and ChangeAlerts
	// return [ErrNotHeld] to other servers.
	LeaseAlerts(ctx context.Context, holder string, term time.Duration) error
	ReleaseAlerts(ctx context.Context, holder string) error
	ChangeAlerts(ctx context.Context, holder string, began, silenced, ended []Alert, receivers []Receiver) error
	// Alerts and Incidents return what holds now, and AlertChanges the newest changes of alerts.
	Alerts(ctx context.Context) ([]Alert, error)
	Incidents(ctx context.Context) ([]Incident, error)
	AlertChanges(ctx context.Context, limit int) ([]AlertChange, error)
	// ClaimDeliveries, FinishDelivery and RepeatDelivery share the reports about incidents among the
	// servers: after a server has claimed a report, no other server can claim it until a time.
	ClaimDeliveries(ctx context.Context, target string, limit int, until time.Time) ([]Delivery, error)
	FinishDelivery(ctx context.Context, d Delivery, repeat time.Duration) error
	RepeatDelivery(ctx context.Context, d Delivery, next time.Time, repeat time.Duration) (expired bool, err error)
	// Targets returns the states of the targets of alerts.
	Targets(ctx context.Context) ([]TargetState, error)
	// Silences, AddSilence and EndSilence manage the silences of alerts.
	Silences(ctx context.Context) ([]Silence, error)
	AddSilence(ctx context.Context, s Silence) error
	EndSilence(ctx context.Context, id string) error
	// PruneAlerts deletes old changes of alerts, incidents and reports.
	PruneAlerts(ctx context.Context) error

	// Readings returns a page of readings, and the cursor of the next page if there is one.
	Readings(ctx context.Context, q Query) (page []telemetry.Reading, next mo.Option[string], err error)
	// Hosts returns a page of the hosts that have stored readings, in the order of their names,
	// and the cursor of the next page if there is one.
	Hosts(ctx context.Context, q HostQuery) (page []Host, next mo.Option[string], err error)
	// Latest returns the host's reading that arrived last, or [ErrUnknownHost].
	Latest(ctx context.Context, host string) (telemetry.Reading, error)
	// Buckets calls yield for one host after another, and for each step of the tier with readings
	// of the host. The arguments of yield are the host, the start of the step, and the sums of the
	// readings.
	Buckets(ctx context.Context, tier Tier, hosts HostRange, from, to time.Time, yield func(host string, at time.Time, b *telemetry.Bucket) error) error

	// Now returns the time from which the ages of readings are counted: the earlier of two times, the
	// present by this machine's clock, and the time of the newest stored reading that this process
	// has seen. If the clock jumps ahead, no reading becomes too old.
	Now() time.Time

	// Check writes a row as large as a batch and reads it.
	Check(ctx context.Context) error
	// Prune deletes some of the old readings and reports whether there are more.
	Prune(ctx context.Context) (more bool, err error)
	Close() error
}

// Options configure every store.
type Options struct {
	// Retention is the time for which readings are kept; 0 means for ever. Minutes and hours are
	// kept for longer, see [Keep].
	Retention time.Duration
	// History is set if the readings were measured some time ago, as in an import. Writing then does
	// not change the time of a host's last report, and replaces the host's last reading only by a
	// newer reading.
	History bool
	// Hosts is the maximum number of hosts, and HostsPerToken the maximum for each token; 0 means no
	// limit. [Store.Admit] enforces them. Write does not, since an operator who imports readings may
	// exceed them.
	Hosts, HostsPerToken int
}

// A HostQuery selects a page of hosts.
type HostQuery struct {
	Cursor mo.Option[string] // the cursor that the previous page returned
	Limit  int               // at least 1; a page of hosts with large readings has fewer
}

// A HostRange selects hosts by their names. The zero value selects all of them.
type HostRange struct {
	First, Last string // the range includes both names; "" means no bound
}

// OneHost selects the host with a name. All hosts are selected if it is "".
func OneHost(name string) HostRange { return HostRange{name, name} }

// A Tier is a resolution at which readings are kept.
type Tier int

// Readings are kept in three tiers: as single readings, as sums of minutes, and as sums of hours.
const (
	Seconds Tier = iota
	Minutes
	Hours
)

// Step returns the duration of a bucket of the tier. A reading counts as a second.
func (t Tier) Step() time.Duration { return [...]time.Duration{time.Second, time.Minute, time.Hour}[t] }

// Keep returns the time for which a tier is kept; 0 is for ever. Readings are kept for Options.Retention. Sums of
// minutes are kept for 31 days and sums of hours for two years, or for Options.Retention if that is longer.
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
	First   time.Time         `json:"first"`   // the time of its oldest reading
	Last    time.Time         `json:"last"`    // the time of its newest reading, by its own clock
	Heard   time.Time         `json:"heard"`   // the time at which a reading was last stored, by the clock of the server
	Reading telemetry.Reading `json:"reading"` // the reading that arrived last
	Agent   Agent             `json:"agent"`   // the agent that was seen last; Seen is zero if none has described itself
	Agents  int               `json:"agents"`  // the number of agents that post at the same time; 0 if none has described itself
}

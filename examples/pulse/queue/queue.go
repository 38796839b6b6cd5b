// Package queue passes batches from the HTTP handlers to the store: within this process, or
// through NATS JetStream between several servers.
package queue

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

var (
	// ErrBusy means that the maximum number of batches is waiting. Nothing was accepted; try again
	// soon.
	ErrBusy = errors.New("queue: too many batches are waiting")
	// ErrClosed means that the queue is closing. Nothing was accepted.
	ErrClosed = errors.New("queue: closed")
	// ErrUnavailable means that the broker cannot be reached now. The batch may have been accepted;
	// if it was, repeating the Put has no effect.
	ErrUnavailable = errors.New("queue: the broker cannot be reached")
	// ErrTooLarge means that one of the readings is larger than the maximum size of a message at the
	// broker.
	ErrTooLarge = errors.New("queue: a reading is too large")
)

// A Queue accepts batches and passes them to a [Writer], several together if several are waiting.
type Queue interface {
	// Put returns nil when the readings are certain to be stored, even if this process dies.
	// After an error the readings may be stored or not; repeating the Put is safe. If ctx is done
	// first, Put returns ctx's error. The caller must not change the readings any more.
	Put(ctx context.Context, readings []telemetry.Reading) (Receipt, error)
	// Look tells the other servers of this queue that somebody looks at readings: they call their
	// Options.Looked.
	Look()
	// Check returns nil if Put is likely to succeed.
	Check(ctx context.Context) error
	// Close stops accepting batches, and returns when all batches of this process are stored.
	Close() error
}

// A Receipt counts a batch's readings by their outcome.
type Receipt struct {
	Stored   int // new, and stored in the database
	Repeated int // stored before
	Queued   int // stored by the broker; it is not known whether they are new
}

// A Writer stores batches; see store.Store. A caller may pass a batch to Write again, even if an
// earlier call has stored the batch.
type Writer interface {
	Write(ctx context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error)
}

// Options configure every kind of queue.
type Options struct {
	// Waiting is the maximum number of batches that wait in this process; 0 means 256.
	Waiting int
	// Wait is the maximum time for which a batch waits for others before a transaction begins, so
	// that several share it. If Waiting batches or groupSize readings are there, it begins earlier.
	Wait time.Duration
	// Stored is called with the new readings after each transaction. It must not block, and must
	// not retain the slice.
	Stored func([]telemetry.Reading)
	// Looked is called when another server has called Look. It must not block.
	Looked func()
	// Name is the name of the stream and the prefix of its subjects at the broker; "" means
	// "pulse". Servers with the same name share the work. Separate pulses with one broker need
	// different names.
	Name string
	// Log receives messages; nil means slog.Default().
	Log *slog.Logger
}

func (o Options) filled() Options {
	o.Waiting = cmp.Or(o.Waiting, 256)
	o.Name = cmp.Or(o.Name, "pulse")
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Stored == nil {
		o.Stored = func([]telemetry.Reading) {}
	}
	if o.Looked == nil {
		o.Looked = func() {}
	}
	return o
}

// next returns the next element of c, or false if c is closed or the time over is sent first. An
// element that has arrived already is returned in any case.
func next[T any](c <-chan T, over <-chan time.Time) (element T, ok bool) {
	select {
	case element, ok = <-c:
		return element, ok
	default:
	}
	select {
	case element, ok = <-c:
	case <-over:
	}
	return element, ok
}

// groupSize is the approximate maximum of readings in one transaction. It limits how long the first
// batch of a group waits for the group's last one.
const groupSize = 4000

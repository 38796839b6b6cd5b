// Package queue carries batches from the handlers that take them to the store: within this
// process, or through NATS JetStream between several servers.
package queue

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

var (
	// ErrBusy means that as much waits as may: nothing was taken, try again soon.
	ErrBusy = errors.New("queue: too many batches are waiting")
	// ErrClosed means that the queue is closing: nothing was taken.
	ErrClosed = errors.New("queue: closed")
	// ErrUnavailable means that the broker cannot be reached now. The batch may have been
	// taken: putting it again changes nothing.
	ErrUnavailable = errors.New("queue: the broker cannot be reached")
	// ErrTooLarge means that the broker carries no message as large as one of the readings.
	ErrTooLarge = errors.New("queue: a reading is too large")
)

// A Queue takes batches and hands them to a [Writer], several at once when several wait.
type Queue interface {
	// Put returns nil when the readings will be stored whatever becomes of this process.
	// With an error they may be or not: putting them again changes nothing. If ctx is done
	// first it returns its error. The readings must not be changed from then on.
	Put(ctx context.Context, readings []telemetry.Reading) (Receipt, error)
	// Check returns nil if a batch can be put, as far as that is known without putting one.
	Check(ctx context.Context) error
	// Close takes no more, and returns when all batches of this process are stored.
	Close() error
}

// A Receipt says what became of a batch's readings.
type Receipt struct {
	Stored   int // new, and in the database now
	Repeated int // there before
	Queued   int // kept by the broker, and not known to be new
}

// A Writer stores batches, see store.Store. A batch that it has stored already it may be
// given again.
type Writer interface {
	Write(ctx context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error)
}

// Options are of every queue.
type Options struct {
	// Waiting is how many batches may wait in this process, 256 if it is 0.
	Waiting int
	// Stored is called with the new readings of a transaction after it. It must not block,
	// and must not keep the slice.
	Stored func([]telemetry.Reading)
	// Name is the name of the stream and the prefix of its subjects at the broker; "" means "pulse".
	// Servers of one name share the work; pulses that share only the broker need several.
	Name string
	// Log is slog.Default() if it is nil.
	Log *slog.Logger
}

func (o Options) filled() Options {
	o.Waiting = cmp.Or(o.Waiting, 256)
	o.Name = cmp.Or(o.Name, "pulse")
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Stored == nil {
		o.Stored = func([]telemetry.Reading) {}
	}
	return o
}

// groupSize is about how many readings one transaction may hold. It bounds how long the
// first batch of a group waits for the last.
const groupSize = 4000

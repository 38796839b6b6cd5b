package queue

import (
	"context"
	"sync"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// Local is a queue within this process. A batch is accepted when it is in the database. It waits for
// others for a time, and while another group is being written, so that a batch costs less.
type Local struct {
	options Options
	writer  Writer
	waiting chan *submission
	done    chan struct{} // closed when the last batch has been written

	mu     sync.RWMutex // guards closed; held while sending to waiting, so that it is not closed then
	closed bool
}

// A submission is one batch that waits for the store.
type submission struct {
	readings []telemetry.Reading
	done     chan outcome // buffered, so that the writer never waits
}

type outcome struct {
	stored int
	err    error
}

// NewLocal returns a queue that writes with w.
func NewLocal(w Writer, options Options) *Local {
	options = options.filled()
	q := &Local{options: options, writer: w, waiting: make(chan *submission, options.Waiting), done: make(chan struct{})}
	go q.run()
	return q
}

// Put returns when the readings are in the database. If too many batches are waiting, it fails at
// once with [ErrBusy].
func (q *Local) Put(ctx context.Context, readings []telemetry.Reading) (Receipt, error) {
	batch := &submission{readings: readings, done: make(chan outcome, 1)}
	if err := q.enqueue(batch); err != nil {
		return Receipt{}, err
	}
	select {
	case o := <-batch.done:
		if o.err != nil {
			return Receipt{}, o.err
		}
		return Receipt{Stored: o.stored, Repeated: len(readings) - o.stored}, nil
	case <-ctx.Done():
		return Receipt{}, ctx.Err()
	}
}

func (q *Local) enqueue(batch *submission) error {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return ErrClosed
	}
	select {
	case q.waiting <- batch:
		return nil
	default:
		return ErrBusy
	}
}

// Look does nothing, since a queue within a process has no other servers.
func (q *Local) Look() {}

// Check returns nil, since only the store can fail.
func (q *Local) Check(context.Context) error { return nil }

// Close writes the waiting batches. Put fails with [ErrClosed] from then on.
func (q *Local) Close() error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.waiting)
	}
	q.mu.Unlock()
	<-q.done
	return nil
}

func (q *Local) run() {
	defer close(q.done)
	for batch := range q.waiting {
		q.write(q.gather(batch))
	}
}

// gather returns the batch oldest and the batches that arrive within Options.Wait, up to groupSize
// readings. The time ends early if the queue is closed, or if there are as many batches as may wait.
func (q *Local) gather(oldest *submission) []*submission {
	over := time.NewTimer(q.options.Wait)
	defer over.Stop()
	group, readings := []*submission{oldest}, len(oldest.readings)
	for readings < groupSize && len(group) < q.options.Waiting {
		batch, ok := next(q.waiting, over.C)
		if !ok {
			break
		}
		group = append(group, batch)
		readings += len(batch.readings)
	}
	return group
}

// write stores a group and reports the result to each batch's sender. If the database refuses the
// group, each batch is written alone, since a single batch may be the cause.
func (q *Local) write(group []*submission) {
	batches := make([][]telemetry.Reading, len(group))
	for i, batch := range group {
		batches[i] = batch.readings
	}
	// This is not the context of a request, since a sender that gives up must not undo the batches
	// of others.
	fresh, err := q.writer.Write(context.Background(), batches)
	switch {
	case err == nil:
		tell(q.options.Stored, fresh)
	case len(group) > 1 && !store.Temporary(err):
		for i := range group {
			q.write(group[i : i+1])
		}
		return
	}
	for i, batch := range group {
		if err != nil {
			batch.done <- outcome{err: err}
			continue
		}
		batch.done <- outcome{stored: len(fresh[i])}
	}
}

// tell calls stored with the readings of all batches, if there are any readings.
func tell(stored func([]telemetry.Reading), fresh [][]telemetry.Reading) {
	var all []telemetry.Reading
	for _, readings := range fresh {
		all = append(all, readings...)
	}
	if len(all) > 0 {
		stored(all)
	}
}

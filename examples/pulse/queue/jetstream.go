package queue

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	// putTimeout is the maximum time for which a sender waits for the broker.
	putTimeout = 5 * time.Second

	// A full stream refuses batches, and does not drop confirmed ones. To choose other limits or
	// replicas, create the stream before the first server starts.
	streamBytes    = 1 << 30
	streamMessages = 1 << 20
)

// JetStream is a queue in a NATS server that several processes share. A batch is accepted when the
// broker has stored it on disk. Any one of the processes then writes it to the database. The broker
// drops the batch when the database has committed it. If a process dies before the database has
// committed its batches, other processes write them. If a batch is written twice, the second write
// has no effect.
type JetStream struct {
	options Options
	writer  Writer
	conn    *nats.Conn
	js      jetstream.JetStream
	live    *nats.Subscription

	slots   chan struct{} // has an element for each running Put
	closing atomic.Bool
	closed  chan struct{} // closed when the connection is closed

	ctx  context.Context // done when fetching must stop
	stop context.CancelFunc
	done chan struct{} // closed when the last group has been written
	end  sync.Once

	// The following fields belong to the goroutine that writes.
	pause   time.Duration  // the time between two attempts
	refused map[uint64]int // how often the store has refused a message, by its sequence number
}

// Dial returns a queue at the NATS server of a URL, or of several URLs separated by commas. The
// servers need not be reachable yet: Put fails with [ErrUnavailable] until one is. An error of Dial
// is about the URL or the options.
func Dial(servers string, w Writer, options Options) (*JetStream, error) {
	q := &JetStream{options: options.filled(), writer: w, closed: make(chan struct{}), done: make(chan struct{}), pause: minPause, refused: map[uint64]int{}}
	q.slots = make(chan struct{}, q.options.Waiting)
	q.ctx, q.stop = context.WithCancel(context.Background())
	if err := q.connect(servers); err != nil {
		q.stop()
		if q.conn != nil {
			q.conn.Close()
		}
		if e := (*url.Error)(nil); errors.As(err, &e) {
			err = e.Err // without the URL, which may have a password
		}
		return nil, fmt.Errorf("queue: %w", err)
	}
	go q.run()
	return q, nil
}

func (q *JetStream) connect(servers string) (err error) {
	log := q.options.Log
	q.conn, err = nats.Connect(servers,
		nats.Name("pulse"),
		nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(), nats.ReconnectWait(500*time.Millisecond),
		nats.ReconnectBufSize(-1), // fail at once instead of buffering messages
		nats.Timeout(2*time.Second), nats.FlusherTimeout(putTimeout), nats.DrainTimeout(putTimeout),
		nats.PingInterval(3*time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if !q.closing.Load() {
				log.Warn("lost the connection to the broker", "error", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { log.Info("connected to the broker", "server", c.ConnectedAddr()) }),
		nats.ClosedHandler(func(*nats.Conn) { close(q.closed) }),
		nats.ErrorHandler(func(_ *nats.Conn, sub *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrSlowConsumer) {
				log.Warn("this process does not keep up: live readings are dropped", "messages dropped so far", q.Dropped())
				return
			}
			log.Warn("the broker reports an error", "error", err)
		}))
	if err != nil {
		return err
	}
	if q.js, err = jetstream.New(q.conn, jetstream.WithDefaultTimeout(putTimeout)); err != nil {
		return err
	}
	if _, err = q.conn.Subscribe(q.lookSubject(), func(*nats.Msg) { q.options.Looked() }); err != nil {
		return err
	}
	q.live, err = q.conn.Subscribe(q.liveSubject(), q.receive)
	if err != nil {
		return err
	}
	return q.live.SetPendingLimits(liveMessages, liveBytes)
}

func (q *JetStream) batchSubject() string { return q.options.Name + ".batches" }
func (q *JetStream) liveSubject() string  { return q.options.Name + ".live" }
func (q *JetStream) lookSubject() string  { return q.options.Name + ".looks" }

// Put returns when the broker has stored the readings. It fails within five seconds: with [ErrBusy]
// if the stream or this process is full, with [ErrUnavailable] if the broker does not respond, or
// with [ErrTooLarge].
func (q *JetStream) Put(ctx context.Context, readings []telemetry.Reading) (Receipt, error) {
	if q.closing.Load() {
		return Receipt{}, ErrClosed
	}
	select {
	case q.slots <- struct{}{}:
		defer func() { <-q.slots }()
	default:
		return Receipt{}, ErrBusy
	}
	messages, err := q.encode(readings)
	if err != nil {
		return Receipt{}, err
	}
	limited, cancel := context.WithTimeout(ctx, putTimeout)
	defer cancel()
	for _, data := range messages {
		// The hash of a batch's content identifies it. The broker drops a batch that is repeated
		// within minutes. The database drops readings that are repeated later.
		sum := sha256.Sum256(data)
		id := base64.RawURLEncoding.EncodeToString(sum[:16])
		if _, err := q.js.PublishMsg(limited, message(q.batchSubject(), data), jetstream.WithMsgID(id)); err != nil {
			if ctx.Err() != nil {
				return Receipt{}, ctx.Err()
			}
			return Receipt{}, refusal(err)
		}
	}
	return Receipt{Queued: len(readings)}, nil
}

// storageExceeded is JetStream's error code if the broker's storage is full.
const storageExceeded = 10047

// refusal converts an error of the broker to an error of this package.
func refusal(err error) error {
	kind := ErrUnavailable
	var api *jetstream.APIError
	switch {
	case errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, jetstream.ErrStreamMessageExceedsMaximum):
		kind = ErrTooLarge
	case errors.As(err, &api):
		switch api.ErrorCode {
		case 10023, 10028, storageExceeded, 10077: // no resources, memory; a limit of the stream
			kind = ErrBusy
		}
	}
	return fmt.Errorf("%w: %w", kind, err)
}

// Check asks the broker whether the stream exists.
func (q *JetStream) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, putTimeout)
	defer cancel()
	if _, err := q.js.Stream(ctx, q.options.Name); err != nil {
		return refusal(err)
	}
	return nil
}

// Close waits until the current group is written. Other servers write the remaining batches, or this server does
// after a restart.
func (q *JetStream) Close() error {
	q.end.Do(func() {
		q.closing.Store(true)
		for range cap(q.slots) {
			q.slots <- struct{}{} // wait until every Put has returned
		}
		q.stop()
		<-q.done
		if q.conn.Drain() != nil { // it fails without a connection
			q.conn.Close()
		}
	})
	<-q.closed
	return nil
}

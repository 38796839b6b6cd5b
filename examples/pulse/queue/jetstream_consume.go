package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	// ackWait is the time without an acknowledgement after which the broker delivers a message to
	// another server.
	ackWait = 10 * time.Second

	// The first two limit the messages that one server fetches at a time: their number, and their
	// size in bytes. maxAckPending limits the number of messages that all servers together have
	// fetched but not acknowledged.
	fetchMessages = 512
	fetchBytes    = 4 << 20
	maxAckPending = 16 * fetchMessages

	// fetchTime is the maximum time of one fetch. A broken connection is noticed within this time.
	fetchTime = 2 * time.Second

	writeTimeout = time.Minute

	// maxAttempts is the number of attempts for a batch that the database refuses even when the
	// batch is written alone.
	maxAttempts = 5

	minPause, maxPause = 250 * time.Millisecond, 2 * time.Second
)

// A delivery is a message with its decoded batch.
type delivery struct {
	jetstream.Msg
	readings []telemetry.Reading
}

// run fetches and writes messages until the queue is closed.
func (q *JetStream) run() {
	defer close(q.done)
	ready := true // whether the last attempt could read the stream; each change is logged
	for q.ctx.Err() == nil {
		consumer, err := q.consumer()
		if err == nil {
			if !ready {
				q.options.Log.Info("the stream can be read again")
			}
			ready = true
			err = q.consume(consumer)
		}
		if err == nil || q.ctx.Err() != nil {
			continue
		}
		if ready {
			q.options.Log.Warn("the stream cannot be read", "error", err)
		}
		ready = false
		q.sleep()
	}
}

// sleep waits for q.pause, or until the queue is closed, and doubles q.pause, up to maxPause.
func (q *JetStream) sleep() {
	select {
	case <-time.After(q.pause):
	case <-q.ctx.Done():
	}
	q.pause = min(2*q.pause, maxPause)
}

// consumer returns the consumer that all servers share. It creates the consumer and the stream if
// they do not exist.
func (q *JetStream) consumer() (jetstream.Consumer, error) {
	if !q.conn.IsConnected() {
		return nil, nats.ErrDisconnected
	}
	ctx, cancel := context.WithTimeout(q.ctx, putTimeout)
	defer cancel()
	stream, err := q.js.Stream(ctx, q.options.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = q.makeStream(ctx)
	}
	if err != nil {
		return nil, err
	}
	return stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "writers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxAckPending: maxAckPending,
	})
}

// makeStream creates the stream. The broker reserves the size of a stream, so a broker with less
// room gets a smaller stream.
func (q *JetStream) makeStream(ctx context.Context) (stream jetstream.Stream, err error) {
	for size := int64(streamBytes); size >= 4*maxMessage; size /= 2 {
		stream, err = q.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: q.options.Name, Subjects: []string{q.batchSubject()}, Description: "Batches that pulse has accepted and not stored yet.",
			Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
			MaxBytes: size, MaxMsgs: streamMessages, Discard: jetstream.DiscardNew,
		})
		if err == nil {
			q.options.Log.Info("created the stream", "name", q.options.Name, "bytes", size)
		}
		if api := (*jetstream.APIError)(nil); !errors.As(err, &api) || api.ErrorCode != storageExceeded {
			break
		}
	}
	return stream, err
}

// consume writes the batches from consumer until fetching fails.
func (q *JetStream) consume(consumer jetstream.Consumer) error {
	for q.ctx.Err() == nil {
		if !q.conn.IsConnected() {
			return nats.ErrDisconnected
		}
		ctx, cancel := context.WithTimeout(q.ctx, fetchTime)
		fetched, err := consumer.Fetch(fetchMessages, jetstream.FetchContext(ctx), jetstream.FetchMaxBytes(fetchBytes))
		if err != nil {
			cancel()
			return err
		}
		ok := true
		for first := range fetched.Messages() {
			if ok = ok && q.ctx.Err() == nil; !ok {
				cancel()
				_ = first.NakWithDelay(q.pause) // if this fails, the message is delivered again after ackWait
				continue
			}
			if ok = q.write(q.gather(first, fetched.Messages())); ok {
				q.pause = minPause
			}
		}
		cancel()
		if !ok {
			q.sleep()
		}
		if err := fetched.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return nil
}

// gather returns the message oldest and the messages that arrive within Options.Wait, up to groupSize
// readings. It terminates messages that cannot be decoded. Messages in the format of another version
// of pulse go back to the broker, which delivers them again later.
func (q *JetStream) gather(oldest jetstream.Msg, more <-chan jetstream.Msg) (group []delivery) {
	over := time.NewTimer(q.options.Wait)
	defer over.Stop()
	readings := 0
	for m := oldest; m != nil; {
		batch, err := decode(m.Headers(), m.Data())
		switch {
		case errors.Is(err, errFormat) && m.Headers().Get(formatHeader) != "":
			q.options.Log.Warn("a batch has the format of another version of pulse and waits for it", "error", err)
			_ = m.NakWithDelay(maxPause)
		case err != nil:
			q.terminate(m, err)
		default:
			group = append(group, delivery{m, batch})
			readings += len(batch)
		}
		m = nil
		if readings < groupSize {
			m, _ = next(more, over.C) // nil if the time is over, or the channel is closed
		}
	}
	return group
}

// terminate makes the broker drop a message that can never be stored.
func (q *JetStream) terminate(m jetstream.Msg, err error) {
	q.options.Log.Error("a batch that cannot be stored is dropped", "error", err, "id", m.Headers().Get(jetstream.MsgIDHeader), "bytes", len(m.Data()))
	_ = m.Term() // if this fails, the message is delivered again after ackWait
}

// write stores a group in one transaction and acknowledges it. If the database refuses the group,
// write stores each batch alone. It returns false if the store is not available now; the broker then
// delivers the batches again. If an acknowledgement is lost, the broker also delivers the batch
// again, and the store recognizes it as stored.
func (q *JetStream) write(group []delivery) bool {
	if len(group) == 0 {
		return true
	}
	batches := make([][]telemetry.Reading, len(group))
	for i, d := range group {
		batches[i] = d.readings
	}
	fresh, err := q.transact(group, batches)
	switch {
	case err == nil:
		q.announce(fresh)
		for _, d := range group {
			_ = d.Ack()
		}
		return true
	case store.Temporary(err):
		q.options.Log.Warn("the store is not available; batches wait at the broker", "batches", len(group), "error", err)
		for _, d := range group {
			_ = d.NakWithDelay(q.pause)
		}
		return false
	case len(group) > 1: // one batch may be the cause
		for i := range group {
			if !q.write(group[i : i+1]) {
				for _, d := range group[i+1:] {
					_ = d.NakWithDelay(q.pause)
				}
				return false
			}
		}
		return true
	}
	q.refuse(group[0], err)
	return true
}

// refuse handles a batch that the store refuses even in its own transaction. The broker delivers the
// batch again, up to maxAttempts times. Only attempts of this server count, because attempts of other
// servers may have failed for other reasons.
func (q *JetStream) refuse(m jetstream.Msg, err error) {
	data, broken := m.Metadata()
	if broken != nil {
		q.terminate(m, broken)
		return
	}
	if len(q.refused) > maxAckPending { // other servers have terminated these messages
		clear(q.refused)
	}
	sequence := data.Sequence.Stream
	q.refused[sequence]++
	if n := q.refused[sequence]; n < maxAttempts {
		_ = m.NakWithDelay(time.Duration(n) * minPause)
		return
	}
	delete(q.refused, sequence)
	q.terminate(m, err)
}

// transact writes batches. Meanwhile it tells the broker that the messages are in progress.
func (q *JetStream) transact(group []delivery, batches [][]telemetry.Reading) ([][]telemetry.Reading, error) {
	// This is not the context of the queue, since closing the queue waits for the transaction.
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	working := make(chan struct{})
	go func() {
		defer close(working)
		tick := time.NewTicker(ackWait / 4)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				for _, d := range group {
					_ = d.InProgress()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	fresh, err := q.writer.Write(ctx, batches)
	cancel()
	<-working
	if err != nil {
		err = fmt.Errorf("queue: %w", err)
	}
	return fresh, err
}

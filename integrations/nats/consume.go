package nats

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrTerminate means that a message must not be delivered again. A handler of Consume returns an
// error that wraps it:
//
//	return fmt.Errorf("no such customer: %w", honenats.ErrTerminate)
var ErrTerminate = errors.New("the message must not be delivered again")

// A Consumption configures Consume. The zero value is the default.
type Consumption struct {
	// Bad is called with a message that cannot be decoded, and may store it elsewhere. If it returns
	// nil, the message is terminated. If it returns an error, the message is delivered again. If Bad
	// is nil, the message is logged and terminated.
	Bad func(ctx context.Context, msg jetstream.Msg, err error) error
	// Delay returns the delay before the next delivery of a message that was delivered n times and
	// failed. By default it is one second, then two, four and so on up to a minute.
	Delay func(n uint64) time.Duration
	// Logger logs errors of handlers, bad messages if Bad is nil, and acknowledgements that
	// could not be sent. Nil means slog.Default().
	Logger *slog.Logger
	// Pull has the options for fetching messages. By default at most 32 messages are fetched ahead.
	// Their AckWait runs while they wait.
	Pull []jetstream.PullMessagesOpt
}

// Consume calls handle for each message, one after the other, until ctx is done or the consumer is
// deleted. Call it several times to handle messages concurrently. It returns ctx's error, or the
// error of the client. Messages that were fetched but not handled are delivered again after 50 ms.
//
// Handle gets ctx, a new value, and the message, which Consume acknowledges. The package comment
// describes the acknowledgement. A handler that panics ends the program, and its message is
// delivered again.
func (m *Messages[T]) Consume(ctx context.Context, consumer jetstream.Consumer, handle func(ctx context.Context, v *T, msg jetstream.Msg) error, options ...Consumption) error {
	var o Consumption
	if len(options) > 1 {
		panic("nats: more than one Consumption")
	}
	if len(options) == 1 {
		o = options[0]
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Delay == nil {
		o.Delay = func(n uint64) time.Duration { return min(time.Second<<min(max(n, 1)-1, 6), time.Minute) }
	}
	if o.Pull == nil {
		o.Pull = []jetstream.PullMessagesOpt{jetstream.PullMaxMessages(32)}
	}
	messages, err := consumer.Messages(o.Pull...)
	if err != nil {
		return err
	}
	var back []jetstream.Msg // messages to return to the server
	defer func() {
		messages.Drain()
		for {
			msg, err := messages.Next()
			if err != nil {
				break
			}
			back = append(back, msg)
		}
		// The subscription has ended, so the server will not send these messages to it again. The
		// delay is needed because NATS 2.9 otherwise sometimes delivers a message only after AckWait.
		for _, msg := range back {
			o.logUnsent(msg, msg.NakWithDelay(50*time.Millisecond))
		}
	}()
	for {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		switch {
		case ctx.Err() != nil:
			if err == nil {
				back = append(back, msg)
			}
			return ctx.Err()
		case errors.Is(err, jetstream.ErrNoHeartbeat): // the server may become reachable again
			o.Logger.LogAttrs(ctx, slog.LevelWarn, "nats: the server does not respond")
		case err != nil:
			return err
		default:
			settle := m.handle(ctx, msg, handle, &o)
			if settle == nil {
				back = append(back, msg)
				return ctx.Err()
			}
			o.logUnsent(msg, settle())
		}
	}
}

// handle returns the function that acknowledges a message. It returns nil if the handler failed
// because ctx is done.
func (m *Messages[T]) handle(ctx context.Context, msg jetstream.Msg, handle func(context.Context, *T, jetstream.Msg) error, o *Consumption) (settle func() error) {
	v, err := m.Decode(msg)
	bad := err != nil
	if bad {
		if o.Bad == nil {
			o.Logger.LogAttrs(ctx, slog.LevelError, "nats: a message is terminated because it cannot be decoded", about(msg, err)...)
		} else if failed := o.Bad(ctx, msg, err); failed != nil {
			err, bad = fmt.Errorf("the message cannot be decoded, and Consumption.Bad returned: %w", failed), false
		}
	} else if err = handle(ctx, v, msg); err == nil {
		return msg.Ack
	}
	if bad || errors.Is(err, ErrTerminate) {
		if !bad {
			o.Logger.LogAttrs(ctx, slog.LevelError, "nats: a message is terminated because its handler returned ErrTerminate", about(msg, err)...)
		}
		return msg.Term // TermWithReason has no effect before NATS 2.10.4
	}
	if ctx.Err() != nil {
		return nil
	}
	n := uint64(1)
	if meta, err := msg.Metadata(); err == nil {
		n = meta.NumDelivered
	}
	o.Logger.LogAttrs(ctx, slog.LevelWarn, "nats: handling a message failed, and it will be delivered again", about(msg, err)...)
	delay := o.Delay(n)
	return func() error { return msg.NakWithDelay(delay) }
}

// logUnsent logs err, if it is not nil, as the error of sending an acknowledgement. The message will be
// delivered again.
func (o *Consumption) logUnsent(msg jetstream.Msg, err error) {
	if err != nil {
		o.Logger.LogAttrs(context.Background(), slog.LevelWarn, "nats: an acknowledgement could not be sent", about(msg, err)...)
	}
}

// about returns the attributes of a log record about a message and an error.
func about(msg jetstream.Msg, err error) []slog.Attr {
	attrs := []slog.Attr{slog.String("subject", msg.Subject()), slog.Any("error", err)}
	if meta, err := msg.Metadata(); err == nil {
		attrs = append(attrs, slog.String("stream", meta.Stream), slog.Uint64("sequence", meta.Sequence.Stream), slog.Uint64("deliveries", meta.NumDelivered))
	}
	return attrs
}

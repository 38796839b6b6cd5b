package nats

import (
	"context"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Messages publishes and consumes messages that are values of T. It is safe for
// concurrent use.
type Messages[T any] struct{ codec Codec }

// New returns Messages that are encoded by codec.
func New[T any](codec Codec) *Messages[T] { return &Messages[T]{codec} }

// Message returns a message with v and its Content-Type. Use it instead of Publish to set other headers
// of the message. A nil v is an error. Message does not retain v.
func (m *Messages[T]) Message(subject string, v *T) (*nats.Msg, error) {
	data, err := encode(m.codec, subject, v)
	if err != nil {
		return nil, err
	}
	return &nats.Msg{Subject: subject, Data: data, Header: nats.Header{"Content-Type": {m.codec.ContentType}}}, nil
}

// Publish publishes v and waits until a stream has stored it. Even if it returns an error, the stream
// may have stored the message. With jetstream.WithMsgID it can be published again without causing a
// duplicate.
func (m *Messages[T]) Publish(ctx context.Context, js jetstream.Publisher, subject string, v *T, options ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	msg, err := m.Message(subject, v)
	if err != nil {
		return nil, err
	}
	return js.PublishMsg(ctx, msg, options...)
}

// Decode returns the value of a message that was not received by Consume. If the message cannot be
// decoded, the error is a [*DecodeError].
func (m *Messages[T]) Decode(msg jetstream.Msg) (*T, error) {
	return decode[T](m.codec, msg.Subject(), msg.Headers(), msg.Data())
}

// Package nats sends and receives Go values over JetStream, and stores them in JetStream's key-value
// buckets.
//
//	orders := honenats.New[Order](honenats.Wire())
//	_, err := orders.Publish(ctx, js, "orders.new", &order, jetstream.WithMsgID(order.ID))
//	err = orders.Consume(ctx, consumer, func(ctx context.Context, o *Order, _ jetstream.Msg) error {
//		return store(ctx, o)
//	})
//
//	settings := honenats.NewBucket[Settings](kv, honenats.JSON())
//	entry, err := settings.Get(ctx, "host.1") // a mo.Option: None if there is none
//
// # Delivery
//
// A message is delivered at least once, so handlers must accept repeated messages.
//
//   - The handler returns nil: the message is acknowledged.
//   - It returns an error: the message is delivered again, after one second, then two, four and so on
//     up to a minute. After MaxDeliver deliveries the server does not deliver it again, but keeps the
//     message in its stream unless the stream is a work queue.
//   - It returns an error that wraps [ErrTerminate]: the message is not delivered again.
//   - The message cannot be decoded, or its header Content-Type has another format: it is passed to
//     [Consumption.Bad], and terminated when Bad returns nil. Without Bad it is logged and
//     terminated. The server also sends an advisory, and a stream that is not a work queue keeps
//     the message.
//   - The process dies, or the handler takes longer than the consumer's AckWait: the message is
//     delivered again. A slow handler calls InProgress of its message.
//
// # Versions
//
// A value of the wire format has no names of fields and types. Without fingerprints, a value of another
// type or version is decoded by the positions of its fields: two fields of the same type that have changed
// places are exchanged without an error. [Fingerprinted] returns a codec that refuses such a value.
// docs/wire-versions.md lists the changes of a type that a value survives.
//
// # Limits
//
// The server's max_payload limits the size of a message, 1 MB by default. A decoded value takes
// more memory than its encoding: in the wire format up to 256 times as much, unless [wire.Limits] sets
// a lower limit.
package nats

import (
	"fmt"
	"mime"
	"strconv"

	"github.com/nats-io/nats.go"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// A Codec determines the format of values.
type Codec struct {
	// ContentType is the media type that messages have in their header Content-Type.
	ContentType string
	Format      Format

	plainType string // another media type that Format accepts, or ""
}

// A Format encodes and decodes. A json.Config is a Format, and so is the result of wire.ForAny.
type Format interface {
	// Append appends the encoding of the value that v points to.
	Append(dst []byte, v any) ([]byte, error)
	// Unmarshal decodes data into the value that v points to. It may retain data.
	Unmarshal(data []byte, v any) error
}

// JSON returns a codec for JSON.
func JSON(config ...json.Config) Codec {
	var c json.Config
	if len(config) > 1 {
		panic("nats: more than one Config")
	}
	if len(config) == 1 {
		c = config[0]
	}
	return Codec{ContentType: "application/json", Format: c}
}

// Wire returns a codec for the wire format.
func Wire(options ...wire.Options) Codec {
	return Codec{ContentType: wireType, Format: wire.ForAny(options...)}
}

const wireType = "application/vnd.hone.wire"

// Fingerprinted returns a codec for the wire format with a fingerprint of 8 bytes before each value, so
// that a value of another type or version is refused: see [wire.FingerprintCodec]. Messages have the
// Content-Type "application/vnd.hone.wire.fingerprint". If f.Plain is set, messages of the codec [Wire] are
// accepted too. The error is the error of [wire.AnyCodec.WithFingerprint].
func Fingerprinted(f wire.Fingerprints, options ...wire.Options) (Codec, error) {
	format, err := wire.ForAny(options...).WithFingerprint(f)
	if err != nil {
		return Codec{}, err
	}
	c := Codec{ContentType: wireType + ".fingerprint", Format: format}
	if f.Plain {
		c.plainType = wireType
	}
	return c, nil
}

// accepted lists the media types that accepts returns true for, for errors.
func (c *Codec) accepted() string {
	if c.plainType == "" {
		return strconv.Quote(c.ContentType)
	}
	return strconv.Quote(c.ContentType) + " and " + strconv.Quote(c.plainType)
}

// accepts reports whether the codec decodes messages with the Content-Type given.
func (c *Codec) accepts(given string) bool {
	if given == "" || given == c.ContentType { // messages from other programs may lack the header
		return true
	}
	media, _, err := mime.ParseMediaType(given)
	return err == nil && (media == c.ContentType || c.plainType != "" && media == c.plainType)
}

// A DecodeError reports a message, or an entry of a bucket, that cannot be decoded into the type.
type DecodeError struct {
	Subject string // the subject of the message, or the key of the entry
	Err     error  // the error of the codec, or an error about the Content-Type
}

func (e *DecodeError) Error() string { return fmt.Sprintf("nats: %q: %v", e.Subject, e.Err) }

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// encode returns the encoding of v. It returns an error if v is nil or cannot be encoded. subject is
// the subject of the message or the key of the entry, for the error.
func encode[T any](c Codec, subject string, v *T) ([]byte, error) {
	if v == nil {
		return nil, fmt.Errorf("nats: the value for %q is nil", subject)
	}
	data, err := c.Format.Append(nil, v)
	if err != nil {
		return nil, fmt.Errorf("nats: cannot encode the value for %q: %w", subject, err)
	}
	return data, nil
}

// decode decodes data into a new value. The error is a [*DecodeError].
func decode[T any](c Codec, subject string, header nats.Header, data []byte) (*T, error) {
	if given := header.Get("Content-Type"); !c.accepts(given) {
		return nil, &DecodeError{subject, fmt.Errorf("the message has the Content-Type %q, but the codec accepts %s", given, c.accepted())}
	}
	v := new(T)
	if err := c.Format.Unmarshal(data, v); err != nil {
		return nil, &DecodeError{subject, err}
	}
	return v, nil
}

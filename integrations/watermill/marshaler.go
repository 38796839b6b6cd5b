// Package watermill encodes Go values as Watermill's messages, in JSON or the wire format, for its
// CQRS component and for plain handlers.
//
//	cqrs.EventBusConfig{Marshaler: honewatermill.Wire(), …}
//
//	msg, err := honewatermill.Wire().Marshal(&order)
//	router.AddConsumerHandler("store", "orders", subscriber, honewatermill.Handle(honewatermill.Wire(), store))
//
// # Bad messages
//
// For a message that cannot be decoded, or has the Content-Type of another format, the error is a
// [*DecodeError]. If a handler returns an error, the router rejects the message and receives it
// again, immediately and without end unless the subscriber has another policy. So send bad messages
// to another topic:
//
//	poison, err := middleware.PoisonQueueWithFilter(publisher, "orders.bad", honewatermill.IsBad)
//	router.AddMiddleware(poison)
//
// In that topic, the metadata of a message contains the reason, and the original message is
// acknowledged. If a bad message cannot be published there, the original message is rejected.
//
// # Versions
//
// A value of the wire format has no names of fields and types. Without fingerprints, a value of another
// type or version is decoded by the positions of its fields: two fields of the same type that have changed
// places are exchanged without an error. [Fingerprinted] returns a marshaler that refuses such a value.
// docs/wire-versions.md lists the changes of a type that a value survives.
//
// # Limits
//
// The broker limits the size of a message. A decoded value takes more memory: in the wire format up to
// 256 times as much, unless [wire.Limits] sets a lower limit.
package watermill

import (
	"context"
	"fmt"
	"mime"
	"reflect"
	"strconv"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// Keys of the metadata of messages that a Marshaler returns.
const (
	MetadataName        = "name" // the same key as in cqrs.JSONMarshaler
	MetadataContentType = "Content-Type"
)

// A Format encodes and decodes. A json.Config is a Format, and so is the result of wire.ForAny.
type Format interface {
	// Append appends the encoding of the value that v points to.
	Append(dst []byte, v any) ([]byte, error)
	// Unmarshal decodes data into the value that v points to. It must not change data, which
	// subscribers may share.
	Unmarshal(data []byte, v any) error
}

// A Marshaler is a cqrs.CommandEventMarshaler. JSON and Wire return one. Its zero fields have
// defaults.
type Marshaler struct {
	// ContentType is the media type in the metadata of messages.
	ContentType string
	Format      Format
	// NewUUID returns the identifier of a message; nil means watermill.NewUUID.
	NewUUID func() string
	// GenerateName returns the name of a value's type; nil means cqrs.FullyQualifiedStructName.
	GenerateName func(v any) string

	plainType string // another media type that Format accepts, or ""
}

// JSON returns a marshaler for JSON. It also reads the messages of cqrs.JSONMarshaler.
func JSON(config ...json.Config) *Marshaler {
	var c json.Config
	if len(config) > 1 {
		panic("watermill: more than one Config")
	}
	if len(config) == 1 {
		c = config[0]
	}
	return &Marshaler{ContentType: "application/json", Format: c}
}

// Wire returns a marshaler for the wire format.
func Wire(options ...wire.Options) *Marshaler {
	return &Marshaler{ContentType: wireType, Format: wire.ForAny(options...)}
}

const wireType = "application/vnd.hone.wire"

// Fingerprinted returns a marshaler for the wire format with a fingerprint of 8 bytes before each value, so
// that a value of another type or version is refused: see [wire.FingerprintCodec]. Messages have the
// Content-Type "application/vnd.hone.wire.fingerprint". If f.Plain is set, messages of the marshaler [Wire]
// are accepted too. The error is the error of [wire.AnyCodec.WithFingerprint].
func Fingerprinted(f wire.Fingerprints, options ...wire.Options) (*Marshaler, error) {
	format, err := wire.ForAny(options...).WithFingerprint(f)
	if err != nil {
		return nil, err
	}
	m := &Marshaler{ContentType: wireType + ".fingerprint", Format: format}
	if f.Plain {
		m.plainType = wireType
	}
	return m, nil
}

// accepted lists the media types that accepts returns true for, for errors.
func (m *Marshaler) accepted() string {
	if m.plainType == "" {
		return strconv.Quote(m.ContentType)
	}
	return strconv.Quote(m.ContentType) + " and " + strconv.Quote(m.plainType)
}

// accepts reports whether the marshaler decodes messages with the Content-Type given.
func (m *Marshaler) accepts(given string) bool {
	if given == "" || given == m.ContentType {
		return true
	}
	media, _, err := mime.ParseMediaType(given)
	return err == nil && (media == m.ContentType || m.plainType != "" && media == m.plainType)
}

var _ cqrs.CommandEventMarshaler = (*Marshaler)(nil)

// Marshal returns a message with v, or with the value that v points to. A nil pointer is an error.
// Marshal does not retain v.
func (m *Marshaler) Marshal(v any) (*message.Message, error) {
	if r := reflect.ValueOf(v); !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		return nil, fmt.Errorf("watermill: the value is nil (%T)", v)
	}
	data, err := m.Format.Append(nil, v)
	if err != nil {
		return nil, fmt.Errorf("watermill: %w", err)
	}
	newUUID := m.NewUUID
	if newUUID == nil {
		newUUID = watermill.NewUUID
	}
	msg := message.NewMessage(newUUID(), data)
	msg.Metadata.Set(MetadataName, m.Name(v))
	msg.Metadata.Set(MetadataContentType, m.ContentType)
	return msg, nil
}

// Unmarshal decodes a message into the value that v points to. A message without a Content-Type is
// assumed to have the marshaler's format. If the message cannot be decoded, or has another
// Content-Type, the error is a [*DecodeError].
func (m *Marshaler) Unmarshal(msg *message.Message, v any) error {
	if given := msg.Metadata.Get(MetadataContentType); !m.accepts(given) {
		return &DecodeError{msg.UUID, fmt.Errorf("the message has the Content-Type %q, but the marshaler accepts %s", given, m.accepted())}
	}
	if err := m.Format.Unmarshal(msg.Payload, v); err != nil {
		return &DecodeError{msg.UUID, err}
	}
	return nil
}

// Name returns the name of a command's or an event's type.
func (m *Marshaler) Name(v any) string {
	if m.GenerateName != nil {
		return m.GenerateName(v)
	}
	return cqrs.FullyQualifiedStructName(v)
}

// NameFromMessage returns the name that Marshal gave a message, or "" if it has none.
func (m *Marshaler) NameFromMessage(msg *message.Message) string {
	return msg.Metadata.Get(MetadataName)
}

// Handle returns a handler of messages that calls h with decoded values, for a router without the
// CQRS component. Each message is decoded into a new value, and h gets the message's context.
func Handle[T any](m *Marshaler, h func(ctx context.Context, v *T) error) message.NoPublishHandlerFunc {
	return func(msg *message.Message) error {
		v := new(T)
		if err := m.Unmarshal(msg, v); err != nil {
			return err
		}
		return h(msg.Context(), v)
	}
}

// Package watermill makes Watermill's messages of Go values, in JSON or the wire format, for
// its CQRS component and for plain handlers.
//
//	cqrs.EventBusConfig{Marshaler: honewatermill.Wire(), …}
//
//	msg, err := honewatermill.Wire().Marshal(&order)
//	router.AddConsumerHandler("store", "orders", subscriber, honewatermill.Handle(honewatermill.Wire(), store))
//
// # Bad messages
//
// What cannot be decoded, or whose Content-Type is of another format, is a [*DecodeError].
// The router hands a message back whose handler returns an error, and gets it again: at once
// and for ever, unless its subscriber says otherwise. So send bad messages elsewhere:
//
//	poison, err := middleware.PoisonQueueWithFilter(publisher, "orders.bad", honewatermill.IsBad)
//	router.AddMiddleware(poison)
//
// There they have the reason in their metadata, and are acknowledged where they came from. If
// they cannot be published, they are handed back.
//
// # Limits
//
// The broker bounds the bytes of a message. A decoded value takes more memory: in the wire
// format up to 256 times as much, unless [wire.Limits] say less.
package watermill

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"reflect"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// Metadata of the messages that a Marshaler makes.
const (
	MetadataName        = "name" // as in cqrs.JSONMarshaler
	MetadataContentType = "Content-Type"
)

// A Format encodes and decodes values, such as a json.Config or the result of wire.ForAny.
type Format interface {
	// Append appends the encoding of the value that v points to.
	Append(dst []byte, v any) ([]byte, error)
	// Unmarshal decodes data into the value that v points to. Subscribers may share data, so it
	// must not be changed.
	Unmarshal(data []byte, v any) error
}

// A Marshaler is a cqrs.CommandEventMarshaler. JSON and Wire return a Marshaler, whose zero fields
// mean the defaults.
type Marshaler struct {
	// ContentType is the media type in the metadata of messages.
	ContentType string
	Format      Format
	// NewUUID returns the identifier of a message; nil means watermill.NewUUID.
	NewUUID func() string
	// GenerateName returns the name of a value's type; nil means cqrs.FullyQualifiedStructName.
	GenerateName func(v any) string
}

// JSON returns a marshaler for JSON, which reads the messages of cqrs.JSONMarshaler, too.
func JSON(config ...json.Config) *Marshaler {
	var c json.Config
	if len(config) > 0 {
		c = config[len(config)-1]
	}
	return &Marshaler{ContentType: "application/json", Format: c}
}

// Wire returns a marshaler for the wire format.
func Wire(options ...wire.Options) *Marshaler {
	return &Marshaler{ContentType: "application/vnd.hone.wire", Format: wire.ForAny(options...)}
}

var _ cqrs.CommandEventMarshaler = (*Marshaler)(nil)

// A DecodeError reports a message that is not a value of the type.
type DecodeError struct {
	UUID string // of the message
	Err  error
}

func (e *DecodeError) Error() string { return fmt.Sprintf("watermill: message %q: %v", e.UUID, e.Err) }

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// IsBad reports whether a handler failed because its message could not be decoded. It is for
// middleware.PoisonQueueWithFilter.
func IsBad(err error) bool {
	var bad *DecodeError
	return errors.As(err, &bad)
}

// Marshal returns a message with v, or with the value that v points to. A nil v is an error.
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
// assumed to have the marshaler's format. The error is a [*DecodeError].
func (m *Marshaler) Unmarshal(msg *message.Message, v any) error {
	if given := msg.Metadata.Get(MetadataContentType); given != "" && given != m.ContentType {
		if media, _, err := mime.ParseMediaType(given); err != nil || media != m.ContentType {
			return &DecodeError{msg.UUID, fmt.Errorf("the content is %q, and not %s", given, m.ContentType)}
		}
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

// NameFromMessage returns the name in a message's metadata.
func (m *Marshaler) NameFromMessage(msg *message.Message) string {
	return msg.Metadata.Get(MetadataName)
}

// Handle returns a handler of messages that calls h, for a router without the CQRS component. Each
// message is decoded into a new value; h gets the message's context.
func Handle[T any](m *Marshaler, h func(ctx context.Context, v *T) error) message.NoPublishHandlerFunc {
	return func(msg *message.Message) error {
		v := new(T)
		if err := m.Unmarshal(msg, v); err != nil {
			return err
		}
		return h(msg.Context(), v)
	}
}

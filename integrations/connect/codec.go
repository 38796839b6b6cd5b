// Package connect lets Connect carry Go structs in the wire format or in JSON, by the
// protocols Connect, gRPC and gRPC-Web. Nothing is generated:
//
//	mux.Handle("/prices.Prices/Get", connect.NewUnaryHandler("/prices.Prices/Get", get, honeconnect.JSON(), honeconnect.Wire()))
//
//	client := connect.NewClient[GetPrice, Price](http.DefaultClient, url+"/prices.Prices/Get", honeconnect.Wire())
//
// A handler answers in the format of the request, of all that it was given. A client has
// one; of several the last counts. The names of the formats are "json" and "vnd.hone.wire",
// so a unary request has the Content-Type that package api takes as well.
//
// # Protocol buffers
//
// [JSON] takes the place of Connect's codec for JSON. Messages that are protocol buffers
// still have their own JSON, by package protojson. [Wire] refuses them.
//
// # Guarantees
//
//   - Decoded values share no memory with Connect's buffers, which are used again. That
//     includes the arguments of methods UnmarshalJSON. Methods UnmarshalBinary and
//     UnmarshalText must copy the bytes that they keep, as their contract says.
//   - A message that is decoded has nothing left of an older one: it is set to zero first.
//   - A nil message is an error.
//   - Requests by GET, for procedures without side effects, have the same URL for the same
//     value: maps are sorted. JSON is readable in it, and so in logs of URLs.
//
// # Limits
//
// Connect takes messages of any size unless [connect.WithReadMaxBytes] says otherwise. A
// decoded value takes more memory than its bytes: in the wire format up to 256 times as
// much, unless [wire.Limits] say less; in JSON by a factor that the types set. A handler
// for strangers sets both:
//
//	connect.WithReadMaxBytes(1<<20), honeconnect.Wire(wire.Options{Limits: wire.Limits{Bytes: 16 << 20}})
//
// # Errors
//
// A request that cannot be decoded is answered with the code InvalidArgument, an answer that
// cannot be encoded with Internal. The text of the error reaches the client. It names types
// and fields of Go, and may quote a part of the client's request.
package connect

import (
	"fmt"
	"reflect"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// Names of formats. The Content-Type of a unary request is "application/json" or
// "application/vnd.hone.wire", the Content-Type of a stream is "application/connect+json" and so
// on.
const (
	JSONName = "json"
	WireName = "vnd.hone.wire"
)

// JSON makes a client send JSON, and a handler accept it. AliasInput is ignored, since Connect
// reuses its buffers, and CopyInput is always set.
func JSON(config ...json.Config) connect.Option {
	var c json.Config
	if len(config) > 0 {
		c = config[len(config)-1]
	}
	c.AliasInput, c.CopyInput = false, true
	// Connect finds a codec by the text after "application/". A client uses the last codec.
	return connect.WithOptions(
		connect.WithCodec(&codec{name: JSONName + "; charset=utf-8", format: c, stable: c, text: true}),
		connect.WithCodec(&codec{name: JSONName, format: c, stable: c, text: true}),
	)
}

// Wire makes a client send the wire format, and a handler accept it. AliasInput is ignored, since
// Connect reuses its buffers.
func Wire(options ...wire.Options) connect.Option { return connect.WithCodec(wireCodec(options...)) }

func wireCodec(options ...wire.Options) *codec {
	var o wire.Options
	if len(options) > 0 {
		o = options[len(options)-1]
	}
	o.AliasInput = false
	c := &codec{name: WireName, format: wire.ForAny(o)}
	o.Canonical = true
	c.stable = wire.ForAny(o)
	return c
}

type format interface {
	Append(dst []byte, v any) ([]byte, error)
	Unmarshal(data []byte, v any) error
}

// A codec implements connect.Codec and the optional methods that Connect looks for.
type codec struct {
	name           string
	format, stable format
	text           bool // JSON, which is protojson for protocol buffers
}

func (c *codec) Name() string   { return c.name }
func (c *codec) IsBinary() bool { return !c.text }

func (c *codec) Marshal(v any) ([]byte, error)       { return c.append(nil, v, c.format) }
func (c *codec) MarshalStable(v any) ([]byte, error) { return c.append(nil, v, c.stable) }

func (c *codec) MarshalAppend(dst []byte, v any) ([]byte, error) { return c.append(dst, v, c.format) }

func (c *codec) append(dst []byte, v any, f format) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		if !c.text {
			return nil, c.refused(v)
		}
		data, err := protojson.Marshal(m)
		if err == nil {
			// The output of protojson has random spaces.
			data, err = json.Config{NoEscapeHTML: true}.Append(dst, json.RawMessage(data))
		}
		return data, err
	}
	if r := reflect.ValueOf(v); !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		return nil, fmt.Errorf("%s: the message is nil (%T)", c.name, v)
	}
	data, err := f.Append(dst, v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return data, nil
}

// Unmarshal sets the value that v points to to zero, and decodes data into it.
func (c *codec) Unmarshal(data []byte, v any) error {
	if m, ok := v.(proto.Message); ok {
		if !c.text {
			return c.refused(v)
		}
		return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, m)
	}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Pointer || r.IsNil() {
		return fmt.Errorf("%s: cannot decode into %T, which must be a pointer and not nil", c.name, v)
	}
	r.Elem().SetZero()
	if err := c.format.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

func (c *codec) refused(v any) error {
	return fmt.Errorf("%s: %T is a protocol buffer, which has an encoding of its own", c.name, v)
}

// Package connect provides codecs for Connect that encode Go structs in the wire format or in JSON,
// with the protocols Connect, gRPC and gRPC-Web. It needs no generated code:
//
//	mux.Handle("/prices.Prices/Get", connect.NewUnaryHandler("/prices.Prices/Get", get, honeconnect.JSON(), honeconnect.Wire()))
//
//	client := connect.NewClient[GetPrice, Price](http.DefaultClient, url+"/prices.Prices/Get", honeconnect.Wire())
//
// A handler supports several formats, and responds in the format of the request. A client has one
// format: if several options select one, the last option wins. The names of the formats are "json" and
// "vnd.hone.wire", so package api accepts the Content-Type of a unary request too.
//
// # Versions
//
// A message of the wire format has no names of fields and types. Without fingerprints, a message of another
// type or version is decoded by the positions of its fields: two fields of the same type that have changed
// places are exchanged without an error. With [Fingerprinted] such a message is refused.
// docs/wire-versions.md lists the changes of a type that a message survives.
//
// # Protocol buffers
//
// [JSON] replaces Connect's codec for JSON. Protocol buffers are still encoded by package
// protojson. [Wire] refuses them.
//
// # Guarantees
//
//   - Decoded values share no memory with Connect's buffers, which are reused. UnmarshalJSON methods
//     receive copies too. UnmarshalBinary and UnmarshalText methods must copy the bytes that they
//     retain, as their interfaces require.
//   - The target is set to zero before a message is decoded, so it contains nothing of an earlier
//     message.
//   - A nil message is an error.
//   - A procedure without side effects can be called with GET, which has the message in the URL. Equal
//     messages have equal URLs, because maps are sorted. JSON in a URL is readable in logs.
//
// # Limits
//
// Connect accepts messages of any size unless [connect.WithReadMaxBytes] sets a limit. A decoded value
// takes more memory than its encoding: in the wire format up to 256 times as much, unless
// [wire.Limits] sets a lower limit, and in JSON a multiple that depends on the types. A handler for
// untrusted clients sets both limits:
//
//	connect.WithReadMaxBytes(1<<20), honeconnect.Wire(wire.Options{Limits: wire.Limits{Bytes: 16 << 20}})
//
// # Errors
//
// If a request cannot be decoded, the client gets the code InvalidArgument. If a response cannot be
// encoded, it gets the code Internal. The client also gets the text of the error, which contains names
// of Go types and fields, and may quote a part of the request.
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

// These are the names of formats. The Content-Type is "application/json" or "application/vnd.hone.wire" for a unary
// request, and "application/connect+json" or similar for a stream.
const (
	JSONName        = "json"
	WireName        = "vnd.hone.wire"
	FingerprintName = "vnd.hone.wire.fingerprint"
)

// JSON makes a client send JSON, and a handler accept it. Because Connect reuses its buffers,
// AliasInput of config is ignored, and CopyInput is always set.
func JSON(config ...json.Config) connect.Option {
	var c json.Config
	if len(config) > 1 {
		panic("connect: more than one Config")
	}
	if len(config) == 1 {
		c = config[0]
	}
	c.AliasInput, c.CopyInput = false, true
	// Connect looks up a codec by the Content-Type after "application/". A client uses the last codec.
	return connect.WithOptions(
		connect.WithCodec(&codec{name: JSONName + "; charset=utf-8", format: c, stable: c, text: true}),
		connect.WithCodec(&codec{name: JSONName, format: c, stable: c, text: true}),
	)
}

// Wire makes a client send the wire format, and a handler accept it. Because Connect reuses its
// buffers, AliasInput of options is ignored.
func Wire(options ...wire.Options) connect.Option { return connect.WithCodec(wireCodec(options...)) }

func wireCodec(options ...wire.Options) *codec {
	var o wire.Options
	if len(options) > 1 {
		panic("connect: more than one Options")
	}
	if len(options) == 1 {
		o = options[0]
	}
	o.AliasInput = false
	c := &codec{name: WireName, format: wire.ForAny(o)}
	o.Canonical = true
	c.stable = wire.ForAny(o)
	return c
}

// Fingerprinted makes a client send the wire format with a fingerprint of 8 bytes before each message,
// and a handler accept it, under the name [FingerprintName]: see [wire.FingerprintCodec]. A handler that
// also has the option [Wire] serves clients without fingerprints, and checks nothing for them. It has the
// options of Wire. The error is the error of [wire.AnyCodec.WithFingerprint].
func Fingerprinted(f wire.Fingerprints, options ...wire.Options) (connect.Option, error) {
	c := wireCodec(options...)
	format, err := c.format.(*wire.AnyCodec).WithFingerprint(f)
	if err != nil {
		return nil, err
	}
	stable := format.WithEncoder(c.stable.(*wire.AnyCodec))
	return connect.WithCodec(&codec{name: FingerprintName, format: format, stable: stable}), nil
}

type format interface {
	Append(dst []byte, v any) ([]byte, error)
	Unmarshal(data []byte, v any) error
}

// A codec implements connect.Codec and its optional methods.
type codec struct {
	name           string
	format, stable format
	text           bool // the format is JSON; protocol buffers use protojson
}

func (c *codec) Name() string   { return c.name }
func (c *codec) IsBinary() bool { return !c.text }

func (c *codec) Marshal(v any) ([]byte, error)       { return c.append(nil, v, c.format) }
func (c *codec) MarshalStable(v any) ([]byte, error) { return c.append(nil, v, c.stable) }

func (c *codec) MarshalAppend(dst []byte, v any) ([]byte, error) { return c.append(dst, v, c.format) }

// append appends the encoding of v in f to dst. It returns an error if v is nil, or is a protocol
// buffer and the format is not JSON.
func (c *codec) append(dst []byte, v any, f format) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		if !c.text {
			return nil, c.refused(v)
		}
		data, err := protojson.Marshal(m)
		if err == nil {
			// The output of protojson has random spaces, which Append removes.
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

// refused returns the error for a protocol buffer.
func (c *codec) refused(v any) error {
	return fmt.Errorf("%s: cannot encode or decode the protocol buffer %T", c.name, v)
}

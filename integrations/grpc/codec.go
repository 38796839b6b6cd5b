// Package grpc provides codecs for gRPC that encode Go structs in the wire format or in JSON, instead
// of protocol buffers.
//
// Client and server register a codec once, before the first call:
//
//	func init() {
//		encoding.RegisterCodecV2(honegrpc.Wire())
//		encoding.RegisterCodecV2(honegrpc.JSON())
//	}
//
// The client selects a codec by its content-subtype, and the server responds in the same format:
//
//	err := conn.Invoke(ctx, "/prices.Prices/Get", &in, &out, grpc.CallContentSubtype(honegrpc.WireName))
//
// [Unary] returns the entry of a grpc.ServiceDesc for a Go function, so a service needs no generated
// code. [ServerStreaming], [ClientStreaming] and [BidiStreaming] do the same for streams. A client
// opens a stream with [OpenServerStream], [OpenClientStream] or [OpenBidiStream]. [Received] ranges
// over the messages of a stream.
//
// # Versions
//
// A message of the wire format has no names of fields and types. Without fingerprints, a message of another
// type or version is decoded by the positions of its fields: two fields of the same type that have changed
// places are exchanged without an error. [Fingerprinted] returns a codec that refuses such a message.
// docs/wire-versions.md lists the changes of a type that a message survives.
//
// # Protocol buffers
//
// The JSON codec replaces any codec that was registered as "json". It encodes protocol buffers,
// such as the messages of the health service, by package protojson. The wire codec refuses them.
//
// # Guarantees
//
//   - Decoded values share no memory with gRPC's buffers, which are reused. UnmarshalJSON methods
//     receive copies too. UnmarshalBinary and UnmarshalText methods must copy the bytes that they
//     retain, as their interfaces require.
//   - The target is set to zero before a message is decoded, so it contains nothing of an earlier
//     message.
//   - A nil message is an error.
//   - Messages are encoded into pooled buffers, which are reused after gRPC has freed them. A buffer
//     larger than 64 KiB is not pooled.
//
// # Limits
//
// gRPC limits the size of a received message by MaxRecvMsgSize, 4 MiB by default. A decoded value takes
// more memory than its encoding: in the wire format up to 256 times as much, unless [wire.Limits] sets
// a lower limit, and in JSON a multiple that depends on the types. A server for untrusted clients sets
// both limits:
//
//	encoding.RegisterCodecV2(honegrpc.Wire(wire.Options{Limits: wire.Limits{Bytes: 16 << 20}}))
//	s := grpc.NewServer(grpc.MaxRecvMsgSize(1 << 20))
//
// # Errors
//
// Client and server convert an error of a codec to the code Internal. The server also sends the text of
// the error to the client. The text contains names of Go types and fields, and may quote a part of the
// client's message.
package grpc

import (
	"fmt"
	"reflect"
	"sync"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// These are the names of codecs. They are content-subtypes, as in "application/grpc+json".
const (
	JSONName        = "json"
	WireName        = "vnd.hone.wire"
	FingerprintName = "vnd.hone.wire.fingerprint"
)

// JSON returns a codec for JSON, named [JSONName]. Because gRPC reuses its buffers, AliasInput of
// config is ignored, and CopyInput is always set.
func JSON(config ...json.Config) encoding.CodecV2 {
	var c json.Config
	if len(config) > 1 {
		panic("grpc: more than one Config")
	}
	if len(config) == 1 {
		c = config[0]
	}
	c.AliasInput, c.CopyInput = false, true
	return &codec{name: JSONName, format: c, proto: true}
}

// Wire returns a codec for the wire format, named [WireName]. Because gRPC reuses its buffers,
// AliasInput of options is ignored.
func Wire(options ...wire.Options) encoding.CodecV2 {
	var o wire.Options
	if len(options) > 1 {
		panic("grpc: more than one Options")
	}
	if len(options) == 1 {
		o = options[0]
	}
	o.AliasInput = false
	return &codec{name: WireName, format: wire.ForAny(o)}
}

// Fingerprinted returns a codec for the wire format, named [FingerprintName], with a fingerprint of 8
// bytes before each message: see [wire.FingerprintCodec]. A server that also registers [Wire] serves
// clients without fingerprints, and checks nothing for them. It has the options of Wire. The error is
// the error of [wire.AnyCodec.WithFingerprint].
func Fingerprinted(f wire.Fingerprints, options ...wire.Options) (encoding.CodecV2, error) {
	var o wire.Options
	if len(options) > 1 {
		panic("grpc: more than one Options")
	}
	if len(options) == 1 {
		o = options[0]
	}
	o.AliasInput = false
	c, err := wire.ForAny(o).WithFingerprint(f)
	if err != nil {
		return nil, err
	}
	return &codec{name: FingerprintName, format: c}, nil
}

type codec struct {
	name   string
	format interface {
		Append(dst []byte, v any) ([]byte, error)
		Unmarshal(data []byte, v any) error
	}
	proto bool // encode protocol buffers with protojson
}

func (c *codec) Name() string { return c.name }

// Marshal encodes v, or the value that v points to. gRPC owns the returned buffer until gRPC frees
// the buffer.
func (c *codec) Marshal(v any) (mem.BufferSlice, error) {
	if m, ok := v.(proto.Message); ok {
		if !c.proto {
			return nil, c.refused(v)
		}
		data, err := protojson.Marshal(m)
		return mem.BufferSlice{mem.SliceBuffer(data)}, err
	}
	if r := reflect.ValueOf(v); !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		return nil, fmt.Errorf("%s: the message is nil (%T)", c.name, v)
	}
	buf := buffers.Get(0)
	data, err := c.format.Append((*buf)[:0], v)
	if err != nil {
		buffers.Put(buf)
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	*buf = data
	return mem.BufferSlice{mem.NewBuffer(buf, buffers)}, nil
}

// Unmarshal zeroes the value that v points to, and then decodes data into it. It does not retain
// data.
func (c *codec) Unmarshal(data mem.BufferSlice, v any) error {
	m, isProto := v.(proto.Message)
	if isProto && !c.proto {
		return c.refused(v)
	}
	buf := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer buf.Free()
	if isProto {
		return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(buf.ReadOnlyData(), m)
	}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Pointer || r.IsNil() {
		return fmt.Errorf("%s: cannot decode into %T, which must be a pointer and not nil", c.name, v)
	}
	r.Elem().SetZero()
	if err := c.format.Unmarshal(buf.ReadOnlyData(), v); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

// refused returns the error for a protocol buffer.
func (c *codec) refused(v any) error {
	return fmt.Errorf("%s: cannot encode or decode the protocol buffer %T", c.name, v)
}

// Sizes of pooled buffers, in bytes. gRPC does not return buffers of at most 1 KiB to the pool.
const (
	bufferSize    = 4 << 10
	maxBufferSize = 64 << 10
)

// A pool contains buffers into which messages are encoded. gRPC puts a buffer back when the last
// reference to it is freed.
type pool struct{ sync.Pool }

var buffers mem.BufferPool = &pool{sync.Pool{New: func() any {
	b := make([]byte, 0, bufferSize)
	return &b
}}}

// Get returns an empty buffer. It ignores the requested length, because the size of a message is not
// known before it is encoded.
func (p *pool) Get(int) *[]byte { return p.Pool.Get().(*[]byte) }

// Put makes a buffer available to Get, unless it is larger than maxBufferSize.
func (p *pool) Put(buf *[]byte) {
	if cap(*buf) <= maxBufferSize {
		*buf = (*buf)[:0]
		p.Pool.Put(buf)
	}
}

// Package kafka tests franz-go's sr.Serde with packages json and wire, using franz-go's broker for
// tests. It exports nothing, because a Serde accepts the functions of both packages.
//
//	var serde sr.Serde
//	serde.Register(1, Order{}, sr.AppendEncodeFn(wire.AppendAny), sr.DecodeFn(wire.UnmarshalAny))
//	serde.Register(2, Invoice{}, sr.AppendEncodeFn(json.Append), sr.DecodeFn(json.Unmarshal))
//
// The first argument is the number of the schema. A record starts with a header of five bytes that
// contains this number, so several types may share a topic. Pass values to Encode, not pointers.
//
// The broker limits the size of a record by max.message.bytes, 1 MiB by default. A decoded value takes
// more memory. To limit this memory, call wire.ForAny with wire.Limits, and pass the methods Append and
// Unmarshal of the result to the Serde. Do not set AliasInput, because a client may reuse its buffers.
//
// If a record cannot be decoded, Decode returns an error. To keep the record, the consumer must store
// it, for example in another topic, before it commits the offset.
package kafka

// Package kafka tests franz-go's sr.Serde with packages json and wire, against franz-go's broker
// for tests. It exports nothing: a Serde accepts the functions of both packages.
//
//	var serde sr.Serde
//	serde.Register(1, Order{}, sr.AppendEncodeFn(wire.AppendAny), sr.DecodeFn(wire.UnmarshalAny))
//	serde.Register(2, Invoice{}, sr.AppendEncodeFn(json.Append), sr.DecodeFn(json.Unmarshal))
//
// The first argument is the number of the schema. It precedes the value in five bytes, so several
// types may share a topic. Pass values to Encode, not pointers.
//
// The broker limits a record by max.message.bytes, 1 MiB by default. A decoded value takes more
// memory: to limit it, pass to the Serde the methods Append and Unmarshal of wire.ForAny with
// wire.Limits. Do not set AliasInput: a client may reuse its buffers.
//
// For a record that cannot be decoded, Decode returns an error. The consumer has to keep the
// record, for example in another topic, before it commits the offset.
package kafka

// Package kafka tests franz-go's sr.Serde with packages json and wire, against franz-go's broker
// for tests. It exports nothing: a Serde accepts the functions of both packages.
//
//	var serde sr.Serde
//	serde.Register(1, Order{}, sr.AppendEncodeFn(wire.AppendAny), sr.DecodeFn(wire.UnmarshalAny))
//	serde.Register(2, Invoice{}, sr.AppendEncodeFn(json.Append), sr.DecodeFn(json.Unmarshal))
//
// The first argument is the number of the schema, which goes before the value in five bytes,
// so several types may share a topic. Values are given to Encode as they are, not by pointer.
//
// The broker bounds a record by max.message.bytes, 1 MiB by default. A decoded value takes more
// memory: to bound it, give the Serde the methods Append and Unmarshal of wire.ForAny with
// wire.Limits. Do not set AliasInput: a client may use its buffers again.
//
// A record that cannot be decoded is an error of Decode, and nothing else: it is up to the
// consumer to keep it, for example in a topic of its own, before it commits the offset.
package kafka

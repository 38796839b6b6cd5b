// Package call encodes by the rules of version 2. It adds to package encode the parts that version
// 1 does not need: options, functions of a call, methods that get a stream, and errors with a JSON
// pointer. A program that imports version 1 alone does not link it.
//
// A [Call] has the options of one call. It takes an encoder from a pool. The encoder embeds an
// [encode.Encoder], implements [encode.Version2], and runs the same kinds of programs as version 1.
// The programs are compiled by a compiler that implements [encode.Rules]: it sees each type first,
// and emits the instructions of version 2.
//
// # Methods with streams
//
// A method such as MarshalJSONTo gets a stream that appends to the buffer of the call. The next
// method of the same call uses the same stream. After the call the stream goes back to a pool,
// except after a panic, since the method may still hold it. A method may decline the value. Then
// its output is removed, and the next way to encode the value is tried.
//
// # Errors
//
// An error is made as an [encode.Fault], without an offset and a JSON pointer. They are computed at
// the end of a call that failed, by reading the text that was written before the fault. So a call
// that succeeds pays nothing for them.
package call

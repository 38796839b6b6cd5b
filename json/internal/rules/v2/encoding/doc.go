// Package encoding encodes by the rules of version 2. It adds to package encode the features that
// version 1 does not need: options, functions of a call, methods that take a stream, and errors
// with a JSON pointer. A program that imports only version 1 does not link it.
//
// A [Call] holds the options of one call, and takes an encoder from a pool. The encoder embeds an
// [encode.Encoder], which runs the programs. The type compiler implements [encode.Rules]. It is called
// first for each type, and emits the rows of version 2: methodsRow, functionsRow, namedMap and failure.
// A row finds the encoder of its call with the function of.
//
// # Methods with streams
//
// A method such as MarshalJSONTo receives a stream that appends to the output of the call. All
// methods of a call use the same stream, one after the other. After the call the stream returns to
// a pool. After a panic it does not, because the method may have retained it. If a method declines
// the value, its output is removed, and the next method or function is called.
//
// # Errors
//
// An error is created as an [encode.Fault], without an offset and a JSON pointer. At the end of a
// call that fails, the offset and the pointer are computed by reading the output before the fault.
// So they cost nothing if a call succeeds.
package encoding

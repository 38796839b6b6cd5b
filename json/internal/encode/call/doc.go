// Package call encodes by the rules of version 2. It adds to package encode the parts that
// version 1 does not need: options, functions of a call, methods that get a stream, and errors
// that name their place. A program that imports version 1 alone does not link it.
//
// A [Call] has the options of one call. It takes a state from a pool, which embeds an
// [encode.Encoder] and implements [encode.Version2], and runs the same programs as version 1
// does. The programs are compiled by a compiler that implements [encode.Rules]: it sees each
// type first, and emits the instructions of version 2.
//
// # Methods with streams
//
// A method such as MarshalJSONTo gets a stream that writes into the buffer of the call, after
// the text that is there. The stream is kept for the next method of the same call, and goes
// back to a pool after the call, but not after a panic: the method may still hold it. A method
// may decline. Then the text is cut off where it began, and the next way to write the value is
// tried.
//
// # Errors
//
// An error is made as an [encode.Fault], without a place. Only at the end of a call that failed
// is the place worked out, by reading the text that was written before the fault. So a call
// that succeeds pays nothing for offsets and JSON pointers.
package call

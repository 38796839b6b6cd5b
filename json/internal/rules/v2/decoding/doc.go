// Package decoding contains the rules of version 2 for decoding. It adds to package decode the features
// that only version 2 has: options, functions of a call, methods that share the stream of the call, and
// errors with a JSON pointer. A program that imports only version 1 does not link it.
//
// A [Call] holds the options of one call, and takes a decoder from a pool. The decoder embeds a
// [decode.Decoder], and implements [decode.Faults] and [decode.Checks]. The type compiler implements
// [decode.Rules].
//
// # Syntax errors
//
// Version 2 guarantees that all values before the first error are decoded. If the input has a
// syntax error, the index therefore ends in one more word, at the position of the error:
//
//	{"a":1,"b":[2,]     words: { "a" 1 "b" [ 2, and the position of ]
//
// The word counts as the last element of all arrays and objects that are open there. Data is a copy
// of the input with a zero byte at this position. Code that reads the zero byte lets a
// [stream.Decoder] read the input again, and returns its error. So all syntax errors come from one
// package, and decoding valid input is not slower.
//
// # Methods with streams
//
// A method such as UnmarshalJSONFrom receives a stream of the value's tokens. If the method calls
// UnmarshalDecode for a part of the value, the inner call looks up the part in the existing index
// (stream.go). Nested methods therefore index the input only once. The path to the value is
// computed only if the method calls StackPointer.
package decoding

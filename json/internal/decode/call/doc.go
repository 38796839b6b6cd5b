// Package call decodes by the rules of version 2. It adds to package decode the parts that version
// 1 does not need: options, functions of a call, methods that get a stream, and errors with a JSON
// pointer. A program that imports version 1 alone does not link it.
//
// A [Call] has the options of one call. It takes a decoder from a pool. The decoder embeds a
// [decode.Decoder], implements [decode.Version2], and uses the same kinds of nodes and the same
// index as version 1. The nodes are compiled by a compiler that implements [decode.Rules]: it sees
// each type first, and makes the nodes of version 2.
//
// # Text that is not valid
//
// Version 2 promises that all values before the first error are decoded. So the index of a
// broken text ends in one more word, at the place where the text breaks:
//
//	{"a":1,"b":[2,]     words: { "a" 1 "b" [ 2 and the place of ]
//
// That word is the last element of all arrays and objects that are open there. The copy of the
// text has a zero byte at its position. Code that meets the zero byte asks a stream of tokens,
// which reads the text again and returns the error. There is one source of errors about text,
// and valid text pays nothing for it.
//
// # Methods with streams
//
// A method such as UnmarshalJSONFrom gets a stream over the text of its value. If the method calls
// UnmarshalDecode for a part of the value, the inner call finds the words of the part in the
// existing index (stream.go). Nested methods therefore index the text once, however deep they are.
// The path to the value is computed only if the method asks for it.
package call

// Package decode decodes JSON into Go values by the rules of version 1, and has the parts that
// version 2 shares with it. Package decode/call adds the rest of version 2.
//
// # Three ways to decode
//
// [Decoder.Unmarshal] chooses between them, and nothing else does.
//
// One pass (direct.go) reads the text from left to right, and stores each value as soon as it
// has read it. It is for a target that is zero and for types without methods that could see how
// they are decoded. It knows no errors and no rare rules. On anything unusual, such as a name
// with escapes, a member that comes twice, a value of another type, or text that is not JSON,
// it gives up: the target becomes zero again, and the index takes over from the beginning. A
// type on which it gave up is not tried for the next 16 decodes.
//
// An index of the text comes first in the usual way. It has one word for each value and each
// name, in the order of the text:
//
//	{"a":[1,2],"b":"x"}
//
//	words 0-2  {   position 0, the end in the index and in the text, two members
//	      3    "a" position 1, plain
//	      4-6  [   position 5, its ends, two elements
//	      7    1   position 6
//	      8    2   position 8
//	      9    "b" position 11, plain
//	      10   "x" position 15, plain
//
// Building it checks the syntax of the whole text. Decoding then walks the words and the type
// together; a value that is not wanted is passed in one step. See package internal/syntax for
// the layout of a word.
//
// Text with many more values than bytes of data, such as [[],[],…, would have an index of many
// times its length. Such text is decoded by encoding/json.
//
// # Nodes
//
// A type is compiled once into a tree of [Node] values, one for each place that takes a value.
// A node has the operation, the nodes of its elements and fields, and the names of its fields
// in a form that is compared eight bytes at a time. Nodes are kept in a [Mode] with all others
// that are compiled by the same rules. They do not change once they are made, except for the
// count of decodes that skip the one pass, which is atomic.
//
// # Errors
//
// A method returns an error that ends the decode, or saves one that does not. As encoding/json
// does, decoding goes on after a value of the wrong type, and the first error is returned at
// the end. Paths to values are worked out only when an error is returned.
//
// # Memory
//
// Decoding allocates the memory that the decoded value keeps. Short strings are cut from
// blocks of 512 bytes, and strings that were met lately are not made again (intern.go). The
// index, the scratch memory for strings with escapes and the rooms for slices belong to the
// [Decoder], which goes back to a pool. A Decoder that has used more than a bounded amount of
// them drops them first.
//
// # Invariants
//
//   - Every position in the index is inside of the text, and every word of an array or an object
//     leads to a word after it. So a walk over the index ends, whatever the text is.
//   - Memory that a decoded value may hold is never written again: blocks are only appended to,
//     and a room is cleared before it is used again.
//   - A map and a slice get room for as many elements as the text has, up to a bound, so a short
//     text cannot ask for much memory.
//   - A method that may keep its argument gets memory of its own, or a part of the caller's
//     input, which Borrowed reports.
//
// # Reading the code
//
// Begin with node.go and compile.go, then decoder.go and value.go, which dispatches on the
// operation of a node. struct.go, slice.go and map.go decode the containers, scalar.go and
// any.go the leaves. members.go checks the tags of package api, and cut.go applies their limits
// to text without an index.
//
// # Releases of Go
//
// Version 1 follows one of two engines of encoding/json, and version 2 has the rules of the second
// one. release.go has the points in which they differ, and leads to first.go and second.go where a
// difference is long. The flags of the call say which one it is:
//
//   - A type is compiled once for each release, since the releases disagree on the members of a
//     struct, on the types whose methods are called, and on the keys of maps.
//   - While a value is decoded, the flag is looked at on an error, in a field with the tag option
//     string, and for times, bytes and the keys of maps. Numbers, strings, structs and slices are
//     decoded alike, so one pass (direct.go) knows no releases.
//
// The first engine names the place of an error by the fields that are being decoded. The second
// one names it by a path through the whole text, which is worked out at the end.
//
// The files standard_go126.go and standard_go127.go have the parts that only the encoding/json of
// one release can do.
package decode

// Package decode decodes JSON into Go values by the rules of version 1, and has the parts that
// version 2 shares with it. Package decode/call adds the rest of version 2.
//
// # Three ways to decode
//
// [Decoder.Unmarshal] alone chooses between them.
//
// One pass (direct.go) reads the text from left to right, and stores each value as soon as it has
// read it. It is for a target that is zero and for types without methods that could see how they
// are decoded. It has no code for errors and rare rules. On anything unusual, such as a name with
// escapes, a member that comes twice, a value of another type, or text that is not JSON, it gives
// up: the target becomes zero again, and the index takes over from the beginning. After the pass
// gave up on a type, the next 16 decodes of the type do not try it.
//
// Usually an index of the text is built first. It has one word for each value and each name, in the
// order of the text:
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
// together; an unwanted value is skipped in one step. See package internal/syntax for the layout of
// a word.
//
// Text with many more values than bytes of data, such as [[],[],…, would have an index of many
// times its length. Such text is decoded by encoding/json.
//
// # Nodes
//
// A type is compiled once into a tree of [Node] values, one for each place that takes a value. A
// node has an operation, the nodes of its elements and fields, and the names of its fields in a
// form that is compared eight bytes at a time. A [Mode] holds all nodes that are compiled by the
// same rules. Nodes are immutable, except for the atomic count of decodes that skip the one pass.
//
// # Errors
//
// A method returns an error that ends the decode, or saves one that does not. As encoding/json
// does, decoding goes on after a value of the wrong type, and the first error is returned at the
// end. Paths to values are computed only when an error is returned.
//
// # Memory
//
// Decoding allocates only memory that becomes part of the decoded value. Short strings are cut from
// blocks of 512 bytes, and a string that was decoded recently is shared instead of allocated again
// (intern.go). The index, the scratch memory for strings with escapes and the rooms for slices
// belong to the [Decoder], which goes back to a pool. Memory beyond a fixed size is dropped first.
//
// # Terms
//
//   - A word is an entry of the index. Methods take the index t of a value's first word and return
//     the index of the next value's word.
//   - A room is a slice of the Decoder into which one pass reads elements before it knows their
//     number.
//   - The rest is the struct field that holds the members without a field of their own.
//   - A method declines a value if it reads nothing and returns errors.ErrUnsupported.
//
// # Invariants
//
//   - Every position in the index is inside of the text, and an array or an object always ends at a
//     later word. So every walk over the index ends, even if the text is invalid.
//   - Memory that a decoded value may hold is never written again: blocks are only appended to,
//     and a room is cleared before it is used again.
//   - A map and a slice get room for as many elements as the text has, up to a bound, so a short
//     text cannot cause a large allocation.
//   - A method that may keep its argument gets memory of its own, or a part of the caller's input,
//     and then Borrowed is set.
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
// one. release.go has all differences between the engines, and calls first.go and second.go for the
// long ones. The flags of the call select the engine:
//
//   - A type is compiled once for each engine, since the engines disagree on the members of a
//     struct, on the types whose methods are called, and on the keys of maps.
//   - During decoding, the flags matter for errors, for fields with the tag option string, and for
//     times, bytes and the keys of maps. Both engines decode numbers, strings, structs and slices
//     alike, so the one pass (direct.go) does not distinguish them.
//
// In an error of the first engine, the path consists of the fields that are being decoded. In an
// error of the second one, it is a path through the whole text, which is computed at the end.
//
// The files standard_go126.go and standard_go127.go have the code that needs the encoding/json of
// one release of Go.
package decode

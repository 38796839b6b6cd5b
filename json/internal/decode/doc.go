// Package decode decodes JSON into Go values. It does not know the versions and the releases of
// encoding/json. Each of them has a package below json/internal/rules, which compiles the types about
// which they differ.
//
// # Three ways to decode
//
// A call tries them in this order.
//
// One pass (one_pass.go) reads the text from left to right and stores each value immediately. It
// requires a zero target, and types without methods that could observe the decoding. It contains no
// code for errors and rare cases: on a field name with escapes, a duplicate member, a value of another
// type or a syntax error it gives up. Then the target is cleared and decoded with an index, and the
// next 16 decodes of this type skip the pass.
//
// In all other cases an index of the text is built first. It has words for each value and each
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
// Building the index checks the syntax of the whole text. Decoding then reads the words in order,
// and skips an unwanted value in one step. Package internal/syntax describes the layout of a word.
//
// For some texts, such as [[],[],…, the index would be many times as large as the text. Version 1 decodes
// these texts with encoding/json instead.
//
// # Nodes
//
// A type is compiled once into a tree of [Node] values. A node decodes values of one type in one
// place, such as a field or an element. It contains an operation, the nodes of its elements and
// fields, and the names of its fields, prepared for comparing eight bytes at a time. A [Mode]
// caches all nodes that are compiled by the same rules. Nodes are immutable, except for an atomic
// counter of the decodes that still skip the pass, and for a map of field names that is built when
// a call first ignores case.
//
// # Rules
//
// All rules agree on numbers, strings, members, arrays and white space. These are cases of the loops.
// What differs is chosen in three places:
//
//   - when a type is compiled: [Rules] choose the members of a struct, and fill in the nodes of types
//     with methods, times, bytes, maps, interfaces and quoted scalars. Such a node contains a [Row], a
//     function that decodes the value. The loops call it and never ask whose it is;
//   - by the options of the call, which a user may change: case and duplicates of names, UTF-8,
//     merging, unknown members, numbers in interfaces, the length of arrays, and base64 of bytes.
//     Version 1 is version 2 with all options for compatibility;
//   - in errors: [Faults] refuse a value, and [Checks] find the errors of a text whose values before
//     the error must be decoded.
//
// # Errors
//
// A method of the Decoder returns an error if decoding must end, as for a syntax error. It saves an
// error, such as a value of the wrong type, if decoding continues. The first saved error is returned
// at the end, as in encoding/json. The path to a value is computed only for an error.
//
// # Memory
//
// For most types decoding allocates only memory that becomes part of the decoded value. Short strings are
// allocated from blocks of 256 or 512 bytes, and a string that was decoded recently is reused (shared_strings.go).
// The index, the buffer for strings with escapes, the staging slices, and the stack of names
// belong to the [Decoder], which returns to a pool without its large parts.
//
// # Terms
//
//   - A word is an element of the index. Most methods take the index t of a value's first word, and
//     return the index of the word after the value.
//   - A staging slice belongs to the Decoder. One pass decodes the elements of an array or a map
//     into it, because their number is not known before its end, and then copies them.
//   - The rest is a field of a struct. It stores the members that match none of the other fields.
//   - A method declines a value by reading nothing and returning errors.ErrUnsupported.
//   - A row decodes values of one type by the rules of a version or a release.
//
// # Invariants
//
//   - Each position in the index is within the text, and an array or an object always ends at a
//     later word. So each loop over the index ends, even if the text is invalid.
//   - Memory that a decoded value may reference is never overwritten: blocks are only appended to,
//     and a staging slice is cleared before it is reused.
//   - The initial capacity of a map or slice is the number of elements in the text, up to a bound,
//     so that a short text cannot cause a large allocation.
//   - A method that may retain its argument gets newly allocated memory or a part of the caller's
//     input. In the second case Borrowed is set.
//
// # Reading the code
//
// Start with node.go and compile.go, then decoder.go and value.go, which selects the code for a node's operation.
// struct.go, slice.go and map.go decode containers, and scalar.go decodes scalars. one_pass.go and the files whose
// names start like it do the same without an index. unknown_members.go refuses, skips or stores members that
// match no field. check_members.go checks members against the tags of package api, and
// limit_lengths.go applies the limits in these tags to text without an index.
package decode

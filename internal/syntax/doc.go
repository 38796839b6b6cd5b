// Package syntax reads and writes the syntax of JSON (RFC 8259) without Go types: it quotes and
// unquotes strings, writes and parses numbers, checks texts, and walks valid ones. It writes the
// same bytes as encoding/json.
//
// Begin with index.go: an [Index] lists the values of a text, and [Index.Build] checks the text
// while it makes the list. index_pieces.go does the same for a text that arrives in pieces, and
// check.go only checks. read.go reads tokens for decoders that work from left to right, skip.go
// skips values of valid text, compact_indent.go and indent_valid.go change the white space,
// quote.go and append.go write strings and numbers, float.go converts floats in both directions,
// and fault.go finds the position of a syntax error.
//
// Loops examine eight bytes at once where possible (SWAR, SIMD within a register), with the functions
// in word.go. Long texts are handled by the vector instructions of package vector. The tests compare
// each such loop with a simple loop, for every byte at every position in a word.
package syntax

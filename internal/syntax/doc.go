// Package syntax reads and writes the syntax of JSON (RFC 8259) without Go types: it quotes and
// unquotes strings, writes and parses numbers, checks texts, and walks valid ones. It writes the
// same bytes as encoding/json.
//
// Two state machines know the grammar. [Index.scan] checks a text and lists its values in an [Index];
// index_pieces.go lets it continue when more of the text arrives. run in rewrite.go checks a text
// without listing its values; it can copy the text with other white space, and find the first error.
// Both read usual tokens themselves. token.go reads tokens that may be incomplete or invalid, and
// returns their problem; fault.go counts the position of an error as encoding/json does.
//
// read.go reads valid tokens for decoders that work from left to right, skip.go skips values of valid
// text, indent_valid.go indents valid text, quote.go and append.go write strings and numbers, and
// float.go converts floats in both directions.
//
// Loops examine eight bytes at once where possible (SWAR, SIMD within a register), with the functions
// in word.go. Long texts are handled by the vector instructions of package vector. The tests compare
// each such loop with a simple loop, for every byte at every position in a word.
package syntax

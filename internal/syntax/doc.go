// Package syntax knows the syntax of JSON (RFC 8259) and nothing of Go
// types: it quotes and unquotes strings, writes numbers, tells whether text is
// one valid value, and walks text that is known to be. What it writes is byte
// for byte what encoding/json writes.
package syntax

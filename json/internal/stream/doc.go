// Package stream reads and writes JSON as a stream of tokens and values. Package jsontext exports
// its types, and the engine passes its streams to methods and functions.
//
// # The stack
//
// A [Decoder] and an [Encoder] use the same state machine, the stack. It has a level for each open
// array and object, and one for the stream itself at the bottom. A level counts its values, and
// names count too, so in an object the count is odd between a name and its value:
//
//	{"a":1,"b":[true,
//
//	level 0  the stream, 1 value
//	level 1  an object, 4 values, last name b
//	level 2  an array, 1 value
//
// The count of a level increases when a value starts. The kind and the count of the innermost level
// determine which delimiter and which token may follow; see delimiter in stack.go. A JSON pointer
// is built from the levels only when an error needs it. The stack stores only the last name of each
// object, or all names if duplicates are not allowed.
//
// # Reading
//
// A Decoder reads from a buffer, or from a reader in pieces. Its buffer contains the last token and
// the unread input, so a token is valid until the next read. There is a fast path for valid tokens
// that are completely in the buffer (nextHere, syntax.PlainRun, syntax.ReadNumber), and a slow path
// that fetches more input and creates errors.
//
// A whole value is indexed by package syntax, which is much faster than checking it token by token.
// If indexing finds an error, or the options do not allow the value, the value is read again token
// by token (walkValue), which finds the position of the first error.
//
// # Parts of a text
//
// An unmarshal method gets a Decoder for its part of the text. Offsets and pointers of this Decoder
// are relative to the whole text. For this purpose [Decoder.SetPart] sets the number of bytes
// before the part, and a [Place], which can compute the enclosing levels. They are computed only if
// the method asks for its position or returns an error. Parts may be nested up to 10,000 levels
// deep, so the levels of all of them are collected in one pass.
//
// # Invariants
//
//   - After an error a Decoder or an Encoder is unchanged, except that a Decoder may have read more
//     input.
//   - Each fetch may move the buffer, so positions in the buffer become invalid. Every function
//     that fetches returns the new position.
//   - An Encoder writes to its writer only after a complete value or after some kilobytes. It never
//     writes a token that it may have to remove.
//
// # Reading the code
//
// Start with stack.go, then decoder.go and encoder.go, which read and write tokens.
// decoder_value.go and encoder_value.go handle whole values, token.go contains [Token], and
// enclosing_position.go handles parts of a larger text. duplicate_names.go finds names that an
// object repeats. Package syntax scans tokens that are incomplete or invalid.
package stream

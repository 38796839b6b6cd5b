// Package stream reads and writes JSON as a stream of tokens and values. Package jsontext exports
// its types, and the engine passes such streams to methods and functions.
//
// # The stack
//
// A [Decoder] and an [Encoder] share one state machine, the stack. It has a level for each open
// array and object, and the outermost level is the stream itself. A level counts its values, and
// names count too. So an object has an odd count between a name and its value:
//
//	{"a":1,"b":[true,
//
//	level 0  the stream, 1 value
//	level 1  an object, 4 values, last name b
//	level 2  an array, 1 value
//
// The count of a level grows when a value starts. The kind and the count of the innermost level
// decide which delimiter and which token may come next; see delimiter in stack.go. JSON Pointers
// are made from the levels, so they cost nothing until an error needs one. The stack keeps only the
// last name of each object, or all names if duplicates are refused.
//
// # Reading
//
// A Decoder reads from a text, or from a reader in pieces. Its buffer holds the last token and the
// unread input, so a token is valid until the next read. Reading has a fast path for valid tokens
// that are complete in the buffer (nextHere, syntax.PlainRun, syntax.NumberRun), and a slow path
// that fetches more input and creates errors.
//
// A whole value is indexed by package syntax, which is much faster than checking token by token. If
// the index finds an error, or the options forbid something in the value, the value is read again
// token by token (walkValue), which finds the first error with its position.
//
// # Parts of a text
//
// A method that decodes itself gets a Decoder over its part of the text. Offsets and pointers of
// that Decoder count from the start of the whole text: [Decoder.SetPart] gives it the number of
// bytes before the part, and a [Place], from which the enclosing levels can be found. This is done
// only if the method asks for its position or fails. Parts may be nested, up to 10,000 levels deep,
// so one step collects the levels of all of them.
//
// # Invariants
//
//   - An error leaves a Decoder or an Encoder unchanged, except that a Decoder may have more input
//     in its buffer.
//   - A position in the buffer becomes invalid with each fetch, which may move the buffer. Every
//     function that fetches returns the new position.
//   - An Encoder writes to its writer only after complete values or after some kilobytes, and never
//     writes a token that it may have to remove.
//
// # Reading the code
//
// Begin with stack.go, then decoder.go and encoder.go, which read and write tokens.
// decoder_value.go and encoder_value.go handle whole values, text.go scans strings and numbers
// that are incomplete or invalid, token.go has [Token], and place.go the parts of a text.
package stream

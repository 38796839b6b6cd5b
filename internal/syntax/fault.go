package syntax

import "unicode/utf8"

// A Fault is the position of the first error in a text, as each of the two engines of encoding/json
// counts it.
type Fault struct {
	// Read is the number of bytes up to and including the first invalid byte. If the text ends too
	// early, it is the length of the text. Errors before Go 1.27 contain this offset.
	Read int
	// After is the offset after the invalid character or escape. If a number, an escape or a
	// character is incomplete at the end of the text, it is the start of that part. Errors from Go
	// 1.27 on contain this offset.
	After int
	// Ends is set if the text ends too early.
	Ends bool
}

// FaultOf returns the fault of data, which must not be valid. It takes one bit of memory for each
// open array and object.
func FaultOf(data []byte) Fault {
	at, expected := run[[checks]struct{}](&rewriter{}, data)
	if at == len(data) {
		return Fault{at, at, true}
	}
	var (
		n       int
		problem Problem
		token   = data[at:]
		partial = at // the start of the part that is incomplete at the end of the text
	)
	switch c := token[0]; {
	case c == '"' && expected != expectDelimiter:
		n, _, problem = ScanString(token, 0, 0, false)
		partial += n
	case expected != expectValue:
		problem.Kind = BadCharacter
	case c == '{' || c == '[': // nested too deeply
		return Fault{Read: at + 1, After: at + 1}
	case c == 't' || c == 'f' || c == 'n':
		_, n, problem = ScanLiteral(token)
		partial += n
	default:
		n, _, problem = ScanNumber(token, 0, 0)
	}
	switch at += n; problem.Kind {
	case NeedsMore:
		return Fault{len(data), partial, true}
	case BadEscape:
		read := at + 2
		if data[at+1] == 'u' {
			for hexDigits[data[read]] >= 0 {
				read++
			}
			read++
		}
		return Fault{Read: read, After: at + problem.Size}
	}
	_, size := utf8.DecodeRune(data[at:])
	return Fault{Read: at + 1, After: at + size}
}

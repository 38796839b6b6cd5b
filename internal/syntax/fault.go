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

// FaultOf returns the fault of data, which must not be valid. It is slow, because it reads the text
// byte by byte, so call it only to create an error. It takes one byte of memory for each open array
// and object.
func FaultOf(data []byte) Fault {
	var open []byte
	state, i := faultValue, 0
	for {
		if i = SkipSpace(data, i); i == len(data) {
			return Fault{i, i, true}
		}
		c := data[i]
		switch {
		case state == faultColon:
			if c != ':' {
				return faultAt(data, i)
			}
			state = faultValue
			i++
		case state == faultAfter && len(open) > 0 && c == ',':
			if state = faultValue; open[len(open)-1] == '{' {
				state = faultName
			}
			i++
		case (c == ']' || c == '}') && state <= faultAfter && len(open) > 0 && open[len(open)-1] == c-2:
			open = open[:len(open)-1]
			state = faultAfter
			i++
		case state == faultAfter:
			return faultAt(data, i)
		case c == '"':
			end, fault := faultString(data, i)
			if end < 0 {
				return fault
			}
			if i = end; state == faultName || state == faultOpened && open[len(open)-1] == '{' {
				state = faultColon
			} else {
				state = faultAfter
			}
		case state == faultName, state == faultOpened && open[len(open)-1] == '{':
			return faultAt(data, i)
		case c == '{' || c == '[':
			if i++; len(open) == MaxDepth {
				return Fault{Read: i, After: i}
			}
			open = append(open, c)
			state = faultOpened
		default:
			end, fault := faultScalar(data, i)
			if end < 0 {
				return fault
			}
			state, i = faultAfter, end
		}
	}
}

// The states of FaultOf between two tokens. A closing bracket is allowed in the first
// two.
const (
	faultOpened = iota // after an opening bracket
	faultAfter         // after a value
	faultValue         // a value must follow
	faultName
	faultColon
)

// faultAt returns the fault of the character at position i.
func faultAt(data []byte, i int) Fault {
	_, size := utf8.DecodeRune(data[i:])
	return Fault{Read: i + 1, After: i + size}
}

// faultString returns the end of the string at start, or a negative number and its fault.
func faultString(data []byte, start int) (end int, _ Fault) {
	for i := start + 1; i < len(data); {
		switch c := data[i]; {
		case c == '"':
			return i + 1, Fault{}
		case c < ' ':
			return -1, faultAt(data, i)
		case c != '\\':
			if !utf8.FullRune(data[i:]) {
				return -1, Fault{len(data), i, true}
			}
			_, size := utf8.DecodeRune(data[i:])
			i += size
			continue
		case i+1 == len(data):
			return -1, Fault{len(data), i, true}
		case data[i+1] != 'u':
			switch data[i+1] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				i += 2
				continue
			}
			return -1, Fault{Read: i + 2, After: i + 2}
		}
		const unit = len(`\u0000`)
		stop := i + 2
		for stop < len(data) && stop < i+unit && isHex(data[stop]) {
			stop++
		}
		switch {
		case stop == i+unit:
			i = stop
		case stop == len(data):
			return -1, Fault{stop, i, true}
		default:
			return -1, Fault{Read: stop + 1, After: min(i+unit, len(data))}
		}
	}
	return -1, Fault{len(data), len(data), true}
}

func isHex(c byte) bool { return c-'0' <= 9 || c|0x20-'a' <= 5 }

// faultScalar is like faultString, for a number or a literal.
func faultScalar(data []byte, start int) (end int, _ Fault) {
	literal := ""
	switch c := data[start]; {
	case c == 't':
		literal = "true"
	case c == 'f':
		literal = "false"
	case c == 'n':
		literal = "null"
	case c != '-' && c-'0' > 9:
		return -1, faultAt(data, start)
	}
	for i := range len(literal) {
		switch at := start + i; {
		case at == len(data):
			return -1, Fault{at, at, true}
		case data[at] != literal[i]:
			return -1, faultAt(data, at)
		}
	}
	if literal != "" {
		return start + len(literal), Fault{}
	}
	state := BeforeNumber
	for i := start; i < len(data); i++ {
		next, ok := state.After(data[i])
		switch {
		case !ok:
			return -1, faultAt(data, i)
		case next == AfterNumber:
			return i, Fault{}
		}
		state = next
	}
	if !state.MayEnd() {
		return -1, Fault{len(data), start, true}
	}
	return len(data), Fault{}
}

package syntax

// A pause is the state of a scan that needs more text.
type pause struct {
	state  scanState
	start  int // where to continue: at the start of the incomplete token
	read   int // the number of bytes of this token that have been read
	number NumberState

	open   int // the first word of the enclosing container; -1 for none
	object bool
	key    bool
	count  Word
	depth  int
}

// A scanState is the state in which a scan was paused.
type scanState uint8

const (
	atToken  scanState = iota // a value, or a name if key is set, comes next
	atColon                   // a colon comes next
	atOpened                  // after an opening bracket
	atAfter                   // after a value
	inString                  // within a string
	inNumber
	atEnd // at the end of a value, before the next byte is known
)

// BuildFirst indexes the first value in data, and returns its length, including the white space
// before it. If ends is false, the text continues after data, and a value is Incomplete if more
// bytes could change it. It does not report the position of an error.
func (x *Index) BuildFirst(data []byte, ends bool) (int, Status) {
	x.undo()
	return x.buildFirst(data, ends, &pause{open: -1})
}

// BuildNested indexes the first value in data, which must be complete. depth is the number of
// arrays and objects around it. The result is the length of the value, including the white space
// before it.
func (x *Index) BuildNested(data []byte, depth int) (int, Status) {
	x.undo()
	return x.scan(data, true, &pause{open: -1, depth: depth})
}

// CheckNested is like BuildNested, but only checks the value. It needs memory only for the open arrays
// and objects.
func (x *Index) CheckNested(data []byte, depth int) (int, Status) {
	x.undo()
	x.check = true
	end, status := x.scan(data, true, &pause{open: -1, depth: depth})
	x.check, x.words = false, x.words[:0]
	return end, status
}

// BuildMore continues with an Incomplete value. data must contain the bytes of the previous call, and
// more bytes after them unless ends is set. Each byte is read a few times at most, even if the text
// arrives in many pieces.
func (x *Index) BuildMore(data []byte, ends bool) (int, Status) {
	at := x.at
	return x.buildFirst(data, ends, &at)
}

// buildFirst implements BuildFirst and BuildMore. It continues in the state *at.
func (x *Index) buildFirst(data []byte, ends bool, at *pause) (int, Status) {
	ready := true // scan can continue
	switch at.state {
	case atEnd:
		if len(data) > at.start || ends {
			return at.start, Complete
		}
		ready = false
	case inString, inNumber:
		ready = at.rest(data)
	case atColon, atOpened:
		if at.start = SkipSpace(data, at.start); at.start == len(data) {
			ready = false
			break
		}
		switch c := data[at.start]; {
		case at.state == atOpened && c == data[x.words[at.open].Pos()]+2:
			at.state = atAfter // this state also accepts the closing bracket
		case at.state == atOpened:
			at.state = atToken
		case c != ':':
			return at.start, Invalid
		default:
			at.start++
			at.count--
			at.state, at.key = atToken, false
		}
	}
	if !ready && !ends {
		x.at = *at
		return len(data), Incomplete
	}
	n, status := x.scan(data, ends, at)
	if status == Complete && !ends && n == len(data) && x.Waits && data[n-1] != ']' && data[n-1] != '}' {
		x.at = pause{state: atEnd, start: n, open: -1}
		return n, Incomplete
	}
	return n, status
}

// rest reads on in an incomplete string or number. It reports whether the token is now complete or
// invalid, so that scan can read it again from its start.
func (at *pause) rest(data []byte) bool {
	var problem Problem
	token := data[at.start:]
	if at.state == inString {
		// Bytes that are not UTF-8 are allowed. A string that is known to have some is not checked.
		at.read, _, problem = ScanString(token, at.read, Broken, false)
	} else {
		at.read, at.number, problem = ScanNumber(token, at.read, at.number)
	}
	return problem.Kind != NeedsMore
}

// begin reads the incomplete token at the end of data, and sets the state in *at for rest.
func (at *pause) begin(data []byte) {
	if at.start == len(data) {
		return
	}
	switch c := data[at.start]; {
	case c == '"':
		at.state = inString
		at.rest(data)
	case c == '-' || c-'0' <= 9:
		at.state = inNumber
		at.rest(data)
	}
}

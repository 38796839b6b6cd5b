package syntax

// A pause is the state of a scan that needs more text.
type pause struct {
	state  scanState
	start  int // where to continue: at the start of the incomplete token
	read   int // the position up to which this token has been read
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
	case inString:
		ready = at.restOfString(data)
	case inNumber:
		ready = at.restOfNumber(data)
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

// restOfString reads on in an incomplete string. It reports whether the string is now complete or
// invalid, so that scan can read it again from its start.
func (at *pause) restOfString(data []byte) bool {
	for {
		at.read = PlainRun(data, at.read)
		rest := data[at.read:]
		switch {
		case len(rest) == 0:
			return false
		case rest[0] != '\\': // a quote, or an invalid byte
			return true
		case len(rest) == 1:
			return false
		case rest[1] != 'u':
			if c := rest[1]; unescaped[c] == 0 || c == '\'' {
				return true
			}
			at.read += 2
			continue
		}
		for _, c := range rest[2:min(6, len(rest))] {
			if c-'0' > 9 && c|0x20-'a' > 5 {
				return true
			}
		}
		if len(rest) < 6 {
			return false
		}
		at.read += 6
	}
}

// restOfNumber is like restOfString, for a number.
func (at *pause) restOfNumber(data []byte) bool {
	for ; at.read < len(data); at.read++ {
		next, ok := number(at.number, data[at.read])
		if !ok || next == AfterNumber {
			return true
		}
		at.number = next
	}
	return false
}

// begin reads the incomplete token at the end of data, and sets the state in *at for restOfString and
// restOfNumber.
func (at *pause) begin(data []byte) {
	if at.read = at.start; at.start == len(data) {
		return
	}
	switch c := data[at.start]; {
	case c == '"':
		at.state = inString
		at.read++
		at.restOfString(data)
	case c == '-' || c-'0' <= 9:
		at.state, at.number = inNumber, BeforeNumber
		at.restOfNumber(data)
	}
}

package syntax

// A pause is where a scan stopped for want of text, and goes on from.
type pause struct {
	state  scanState
	start  int // where to go on reading: at a token that is not complete, from its start
	read   int // how far that token has been read
	number NumberState

	open   int // the word of the container around; -1 for none
	object bool
	key    bool
	count  Word
	depth  int
}

// A scanState is a place between two tokens.
type scanState uint8

const (
	atToken  scanState = iota // a value, or a name if key is set, comes next
	atColon                   // a colon
	atOpened                  // what follows an opening bracket
	atAfter                   // what follows a value
	inString                  // the rest of a string
	inNumber
	atEnd // of a value, but for the byte behind it
)

// BuildFirst indexes the first value in data and returns how many bytes it
// takes with the space before it. Unless the text ends with data, anything that
// more bytes might complete is Incomplete, and so is a value other than an array
// or object that has no byte behind it, as encoding/json has it. Where the text
// is Invalid is not told.
func (x *Index) BuildFirst(data []byte, ends bool) (int, Status) {
	x.undo()
	return x.first(data, ends, &pause{open: -1})
}

// BuildNested indexes the first value in data, all of which is there, as one that stands
// inside so many arrays and objects. It returns how many bytes the value takes with the space
// before it.
func (x *Index) BuildNested(data []byte, depth int) (int, Status) {
	x.undo()
	return x.scan(data, true, &pause{open: -1, depth: depth})
}

// BuildMore goes on with the value that was Incomplete. Data has the same bytes
// as before, and more behind them, unless the text ends with it. Each byte is
// looked at a few times at most, in however many pieces the text comes.
func (x *Index) BuildMore(data []byte, ends bool) (int, Status) {
	at := x.at
	return x.first(data, ends, &at)
}

func (x *Index) first(data []byte, ends bool, at *pause) (int, Status) {
	ready := true // for scan
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
			at.state = atAfter // which takes the closing bracket
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
	if status == Complete && !ends && n == len(data) && waits(data[n-1]) {
		x.at = pause{state: atEnd, start: n}
		return n, Incomplete
	}
	return n, status
}

// restOfString reads on in a string and reports whether scan may read it, from
// its start: it has come to an end, or is not valid.
func (at *pause) restOfString(data []byte) bool {
	for {
		at.read = PlainRun(data, at.read)
		rest := data[at.read:]
		switch {
		case len(rest) == 0:
			return false
		case rest[0] != '\\': // a quote, or what may not be there
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

// restOfNumber is restOfString for a number.
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

// begin reads the token that the data ends in.
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

package jsontext

// MaxDepth is the deepest nesting of arrays and objects that a Scanner takes.
const MaxDepth = 10000

// A Status is what a Scanner knows of its value so far.
type Status uint8

const (
	Incomplete Status = iota // more bytes are needed
	Complete                 // the value has ended
	Invalid                  // it is not JSON
)

// A Scanner checks that text is one JSON value. The text may come in pieces. The
// zero value is ready to use.
type Scanner struct {
	state state
	depth int
	rest  string // of a literal that has begun
	inKey bool   // the string that has begun is a key

	// A bit for each open container, 1 for an object: the outermost here, the
	// rest in more.
	outer [4]uint64
	more  []uint64
}

type state uint8

const (
	atValue    state = iota
	atFirst          // a value or ]
	atFirstKey       // a key or }
	atKey
	atColon
	afterValue // , or the end of the container
	inString
	inEscape
	inHex1 // four hexadecimal digits are to come
	inHex2
	inHex3
	inHex4
	inLiteral
	afterMinus
	afterZero
	inDigits
	afterPoint
	inFraction
	afterE
	afterSign
	inExponent
)

// Reset makes the scanner ready for another value. It keeps its memory.
func (s *Scanner) Reset() { *s = Scanner{more: s.more[:0]} }

// Scan reads on in data and returns how many bytes it took. A number that is
// the whole value is Complete when the byte after it is seen, which is not
// taken; at the end of the text ask [Scanner.End]. If the value is Invalid, n
// is the position of the byte at fault.
func (s *Scanner) Scan(data []byte) (n int, status Status) {
	st := s.state
	i := 0
	for i < len(data) {
		c := data[i]
		switch st {
		case inString:
			i = plainRun(data, i)
			if i == len(data) {
				s.state = st
				return i, Incomplete
			}
			switch c = data[i]; {
			case c == '"':
				st = afterValue
				if s.inKey {
					st = atColon
				}
			case c == '\\':
				st = inEscape
			case c < ' ':
				return i, Invalid
			}
		case atValue, atFirst:
			switch {
			case isSpace(c):
			case c == '"':
				st, s.inKey = inString, false
			case c == '{' || c == '[':
				if !s.push(c == '{') {
					return i, Invalid
				}
				st = atFirst
				if c == '{' {
					st = atFirstKey
				}
			case c == '-':
				st = afterMinus
			case c == '0':
				st = afterZero
			case '1' <= c && c <= '9':
				st = inDigits
			case c == 't':
				st, s.rest = inLiteral, "rue"
			case c == 'f':
				st, s.rest = inLiteral, "alse"
			case c == 'n':
				st, s.rest = inLiteral, "ull"
			case c == ']' && st == atFirst:
				s.depth--
				st = afterValue
			default:
				return i, Invalid
			}
		case atFirstKey, atKey:
			switch {
			case isSpace(c):
			case c == '"':
				st, s.inKey = inString, true
			case c == '}' && st == atFirstKey:
				s.depth--
				st = afterValue
			default:
				return i, Invalid
			}
		case atColon:
			switch {
			case isSpace(c):
			case c == ':':
				st = atValue
			default:
				return i, Invalid
			}
		case afterValue:
			switch {
			case isSpace(c):
			case c == ',':
				st = atValue
				if s.inObject() {
					st = atKey
				}
			case c == '}' && s.inObject() || c == ']' && !s.inObject():
				s.depth--
			default:
				return i, Invalid
			}
		case inEscape:
			if c == 'u' {
				st = inHex1
			} else if unescaped[c] != 0 && c != '\'' {
				st = inString
			} else {
				return i, Invalid
			}
		case inHex1, inHex2, inHex3, inHex4:
			if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
				return i, Invalid
			}
			if st++; st > inHex4 {
				st = inString
			}
		case inLiteral:
			if c != s.rest[0] {
				return i, Invalid
			}
			if s.rest = s.rest[1:]; s.rest == "" {
				st = afterValue
			}
		default: // in a number
			next, ok := number(st, c)
			if !ok {
				return i, Invalid
			}
			if st = next; st == afterValue {
				// The byte after a number belongs to what comes next.
				if s.depth == 0 {
					s.state = st
					return i, Complete
				}
				continue
			}
		}
		i++
		if st == afterValue && s.depth == 0 {
			s.state = st
			return i, Complete
		}
	}
	s.state = st
	return i, Incomplete
}

// number returns the state after the byte c in a number; afterValue if c is not
// part of it.
func number(st state, c byte) (next state, ok bool) {
	digit := '0' <= c && c <= '9'
	switch st {
	case afterMinus:
		if c == '0' {
			return afterZero, true
		}
		return inDigits, digit
	case inDigits:
		if digit {
			return inDigits, true
		}
		fallthrough
	case afterZero:
		if c == '.' {
			return afterPoint, true
		}
		if c|0x20 == 'e' {
			return afterE, true
		}
	case afterPoint:
		return inFraction, digit
	case inFraction:
		if digit {
			return inFraction, true
		}
		if c|0x20 == 'e' {
			return afterE, true
		}
	case afterE:
		if c == '+' || c == '-' {
			return afterSign, true
		}
		return inExponent, digit
	case afterSign:
		return inExponent, digit
	case inExponent:
		if digit {
			return inExponent, true
		}
	}
	return afterValue, true
}

// End reports whether the text may end here: the value is complete, or a
// number that needs no more.
func (s *Scanner) End() bool {
	switch s.state {
	case afterValue, afterZero, inDigits, inFraction, inExponent:
		return s.depth == 0
	}
	return false
}

// Begun reports whether anything but white space has been seen.
func (s *Scanner) Begun() bool { return s.state != atValue || s.depth > 0 }

func (s *Scanner) push(object bool) bool {
	if s.depth == MaxDepth {
		return false
	}
	i := s.depth / 64
	if i-len(s.outer) == len(s.more) {
		s.more = append(s.more, 0)
	}
	word, bit := s.word(i), uint64(1)<<(s.depth%64)
	if object {
		*word |= bit
	} else {
		*word &^= bit
	}
	s.depth++
	return true
}

func (s *Scanner) word(i int) *uint64 {
	if i < len(s.outer) {
		return &s.outer[i]
	}
	return &s.more[i-len(s.outer)]
}

func (s *Scanner) inObject() bool {
	if s.depth == 0 {
		return false
	}
	i := s.depth - 1
	return *s.word(i / 64)>>(i%64)&1 != 0
}

func isSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r') }

// SkipSpace returns the position of the first byte from pos on that is not
// white space.
func SkipSpace(data []byte, pos int) int {
	for pos < len(data) && isSpace(data[pos]) {
		pos++
	}
	return pos
}

// TrimSpace returns data without the white space around it. White space is
// JSON's four bytes, not Unicode's.
func TrimSpace(data []byte) []byte {
	data = data[SkipSpace(data, 0):]
	for len(data) > 0 && isSpace(data[len(data)-1]) {
		data = data[:len(data)-1]
	}
	return data
}

// SkipNumber returns the position after the valid number at pos.
func SkipNumber(data []byte, pos int) int {
	for pos < len(data) {
		switch c := data[pos]; {
		case '0' <= c && c <= '9', c == '.', c == '-', c == '+', c|0x20 == 'e':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// SkipValue returns the position after the valid value at pos, where it starts.
func SkipValue(data []byte, pos int) int {
	depth := 0
	for {
		switch c := data[pos]; c {
		case '"':
			pos, _ = SkipString(data, pos)
		case '{', '[':
			depth++
			pos++
		case '}', ']':
			depth--
			pos++
		case 't', 'n':
			pos += 4
		case 'f':
			pos += 5
		case ' ', '\n', '\t', '\r', ',', ':':
			pos++
			continue
		default:
			pos = SkipNumber(data, pos)
		}
		if depth == 0 {
			return pos
		}
	}
}

package syntax

import "regexp"

// A scanner checks byte by byte that text is one JSON value. The text may come in pieces. It is
// the oracle of the Index, which reads eight bytes at once. The zero value is ready to use.
type scanner struct {
	state place
	depth int
	rest  string // the unread part of the current literal
	inKey bool   // the current string is a key

	number []byte // the current number so far

	// One bit for each open array or object, set for an object. outer has the bits of the outermost
	// 256, and more has the bits of the others.
	outer [4]uint64
	more  []uint64
}

type place uint8

const (
	atValue    place = iota
	atFirst          // a value or ]
	atFirstKey       // a key or }
	atKey
	atKeyEnd   // a colon
	afterValue // , or the end of the container
	inText
	inEscape
	inHex1 // four hexadecimal digits must follow
	inHex2
	inHex3
	inHex4
	inLiteral
	inFigure
)

// Scan reads data, and returns the number of bytes that it has read. If the value is Invalid, n is
// the position of the invalid byte.
//
// A number ends at the first byte that does not belong to it. Scan does not count this byte as
// read. At the end of the text there is no such byte, so call [scanner.End].
func (s *scanner) Scan(data []byte) (n int, status Status) {
	st := s.state
	i := 0
	for i < len(data) {
		c := data[i]
		switch st {
		case inText:
			i = PlainRun(data, i)
			if i == len(data) {
				s.state = st
				return i, Incomplete
			}
			switch c = data[i]; {
			case c == '"':
				st = afterValue
				if s.inKey {
					st = atKeyEnd
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
				st, s.inKey = inText, false
			case c == '{' || c == '[':
				if !s.push(c == '{') {
					return i, Invalid
				}
				st = atFirst
				if c == '{' {
					st = atFirstKey
				}
			case c == '-' || '0' <= c && c <= '9':
				st, s.number = inFigure, nil
				continue
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
				st, s.inKey = inText, true
			case c == '}' && st == atFirstKey:
				s.depth--
				st = afterValue
			default:
				return i, Invalid
			}
		case atKeyEnd:
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
				st = inText
			} else {
				return i, Invalid
			}
		case inHex1, inHex2, inHex3, inHex4:
			if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
				return i, Invalid
			}
			if st++; st > inHex4 {
				st = inText
			}
		case inLiteral:
			if c != s.rest[0] {
				return i, Invalid
			}
			if s.rest = s.rest[1:]; s.rest == "" {
				st = afterValue
			}
		case inFigure:
			if s.number = append(s.number, c); !numberStart.Match(s.number) {
				s.number = s.number[:len(s.number)-1]
				if !ValidNumber(string(s.number)) {
					return i, Invalid
				}
				// The byte after a number belongs to the next token.
				st = afterValue
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

// End reports whether the text may end here: the value is complete, or is a number to which
// more digits could be added.
func (s *scanner) End() bool {
	return s.depth == 0 && (s.state == afterValue || s.state == inFigure && ValidNumber(string(s.number)))
}

// numberStart matches the start of a JSON number (RFC 8259, section 6).
var numberStart = regexp.MustCompile(`^-?((0|[1-9][0-9]*)((\.[0-9]*)?|(\.[0-9]+)?[eE][-+]?[0-9]*))?$`)

func (s *scanner) push(object bool) bool {
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

func (s *scanner) word(i int) *uint64 {
	if i < len(s.outer) {
		return &s.outer[i]
	}
	return &s.more[i-len(s.outer)]
}

func (s *scanner) inObject() bool {
	if s.depth == 0 {
		return false
	}
	i := s.depth - 1
	return *s.word(i / 64)>>(i%64)&1 != 0
}

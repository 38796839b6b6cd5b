package schema

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/wire/internal/fault"
)

// next skips white space and returns the next byte, or 0 at the end.
func (p *jsonParser) next() byte {
	if p.pos = syntax.SkipSpace(p.in, p.pos); p.pos < len(p.in) {
		return p.in[p.pos]
	}
	return 0
}

// expect reads one byte of punctuation.
func (p *jsonParser) expect(c byte) {
	if got := p.next(); got != c {
		p.wanted(strconv.QuoteRune(rune(c)))
	}
	p.pos++
}

// wanted fails because the next token is not the expected one.
func (p *jsonParser) wanted(expected string) {
	if p.pos >= len(p.in) {
		p.fail(len(p.in), fmt.Errorf("%w: %w; %s was expected", errSyntax, fault.ErrTruncated, expected))
	}
	p.fail(p.pos, fmt.Errorf("%w of this schema: %s was expected", errSyntax, expected))
}

// literal consumes word and reports true if the text continues with it.
func (p *jsonParser) literal(word string) bool {
	if p.next(); bytes.HasPrefix(p.in[p.pos:], []byte(word)) {
		p.pos += len(word)
		return true
	}
	return false
}

// list reads an array. It calls read at each element; read must consume the element.
func (p *jsonParser) list(read func(i int)) {
	p.expect('[')
	for i := 0; ; i++ {
		if p.next() == ']' && i == 0 {
			break
		}
		read(i)
		if p.next() != ',' {
			break
		}
		p.pos++
	}
	p.expect(']')
}

// object reads an object. It calls read with each name and the offset of the name; read must
// consume the value.
func (p *jsonParser) object(read func(name string, at int)) {
	p.expect('{')
	for first := true; ; first = false {
		if p.next() == '}' && first {
			break
		}
		at := p.pos
		name := p.string()
		p.expect(':')
		read(name, at)
		if p.next() != ',' {
			break
		}
		p.pos++
		p.next()
	}
	p.expect('}')
}

// string reads a string. It refuses strings that a writer could not reproduce: bytes that are not
// UTF-8, and halves of surrogate pairs.
func (p *jsonParser) string() string {
	if p.next() != '"' {
		p.wanted("a string")
	}
	start := p.pos + 1
	end := start
	for end < len(p.in) && p.in[end] != '"' {
		if p.in[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(p.in) {
		p.fail(len(p.in), fault.ErrTruncated)
	}
	p.pos = end + 1
	s, fault := unquote(p.in[start:end])
	if fault >= 0 {
		p.fail(start+fault, errText)
	}
	return s
}

var plainEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquote returns the text between the quotes of a JSON string, and the offset of a fault or -1.
func unquote(b []byte) (s string, fault int) {
	var out strings.Builder
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c < ' ':
			return "", i
		case c != '\\':
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				return "", i
			}
			out.Write(b[i : i+n])
			i += n
		case i+1 < len(b) && b[i+1] != 'u':
			plain, ok := plainEscapes[b[i+1]]
			if !ok {
				return "", i
			}
			out.WriteByte(plain)
			i += 2
		default:
			r, ok := escapedUnit(b[i:])
			if !ok {
				return "", i
			}
			n := 6
			if utf16.IsSurrogate(r) {
				low, ok := escapedUnit(b[i+6:])
				if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
					return "", i
				}
				n = 12
			}
			out.WriteRune(r)
			i += n
		}
	}
	return out.String(), -1
}

// escapedUnit returns the UTF-16 unit of the \uXXXX at the start of b.
func escapedUnit(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var unit [2]byte
	if _, err := hex.Decode(unit[:], b[2:6]); err != nil {
		return 0, false
	}
	return rune(unit[0])<<8 | rune(unit[1]), true
}

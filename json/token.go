package json

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// fault returns the error that encoding/json returns for the byte c at the position of d. If decode
// is set, it is the error of Decode, otherwise of Token.
func (d *Decoder) fault(c byte, decode bool) error {
	to := reach[d.place]
	err := linkedError(strings.NewReader(to.text+string([]byte{c})), to.calls, decode)
	s, ok := err.(*SyntaxError)
	if !ok && !option.FollowsLinked(d.options.release()) {
		// At this byte the linked encoding/json returns another kind of error.
		s, ok = rules.SyntaxErrorOf([]byte{c}, option.Linked).(*SyntaxError)
		err = s
	}
	if ok {
		s.Offset = d.InputOffset()
	}
	return err
}

// linkedError returns the error of a *json.Decoder that reads from r: the error of Decode or of
// Token, after the given number of calls of Token.
func linkedError(r io.Reader, calls int, decode bool) error {
	std := json.NewDecoder(r)
	passTokens(std, calls)
	if decode {
		return std.Decode(new(RawMessage))
	}
	_, err := std.Token()
	return err
}

// peek skips white space, and returns the next byte without reading it.
func (d *Decoder) peek() (byte, error) {
	var err error
	for blanks := 0; ; { // the number of white space bytes after d.pos that are already checked
		i := syntax.SkipSpace(d.buf, d.pos+blanks)
		if i < len(d.buf) {
			d.pos = i
			return d.buf[i], nil
		}
		if err != nil {
			return 0, err
		}
		blanks = i - d.pos
		err = d.fill()
	}
}

// More reports whether the current array or object has another element.
func (d *Decoder) More() bool {
	if d.std != nil {
		return d.std.More()
	}
	start := d.start()
	if d.err == io.EOF && d.handsOver() {
		d.handOver(start)
		_ = d.std.More() // The first call moves d.std to the end of the stream, where d already is.
		return d.std.More()
	}
	more, err := d.more()
	if d.err != nil && d.handsOver() {
		// From Go 1.27 on, the error of an earlier call remains.
		return d.err != io.EOF && (more || err != nil || !d.elementFollows())
	}
	if d.handsOver() && !start.atEnd(err) && (err != nil || !d.elementFollows()) {
		d.handOver(start)
		return d.std.More()
	}
	if start.atEnd(err) && d.handsOver() {
		d.err = err // from Go 1.27 on, d does not read again after the end of the stream
	}
	return more
}

// elementFollows reports whether the next element can be read. It returns false if the next token
// is a colon, or if a comma is not followed by the start of an element.
func (d *Decoder) elementFollows() bool {
	comma := d.InputOffset()
	if c := d.buf[d.pos]; c != ',' {
		return c != ':' && d.place != afterName
	}
	d.pos++
	c, err := d.peek()
	d.pos = int(comma - d.before)
	return err == nil && strings.IndexByte("]}:,", c) < 0
}

func (d *Decoder) more() (bool, error) {
	if d.std != nil {
		return d.std.More(), nil
	}
	c, err := d.peek()
	return err == nil && c != ']' && c != '}', err
}

// beforeValue reads the comma or colon before a value.
func (d *Decoder) beforeValue() error {
	if p := d.place; p == afterElem || p == afterName {
		c, err := d.peek()
		if err != nil {
			return err
		}
		if c != p.delimiter() {
			return d.fault('0', true)
		}
		d.pos++
		d.place = p.delimited()
	}
	if !d.place.takesValue() {
		return d.fault('0', true)
	}
	return nil
}

func (d *Decoder) open(first place) Token {
	delim := Delim(d.buf[d.pos])
	d.pos++
	d.enter(first)
	return delim
}

func (d *Decoder) close() Token {
	delim := Delim(d.buf[d.pos])
	d.pos++
	d.leave()
	return delim
}

// Token returns the next token: a [Delim] for a bracket or brace, a bool, a string, a float64 or
// [Number], or nil for null. It checks commas and colons but does not return them. At the end of
// the stream it returns io.EOF.
//
// It checks at every depth that brackets match and that values are allowed.
func (d *Decoder) Token() (Token, error) {
	if d.std != nil {
		token, err := d.std.Token()
		if e, ok := err.(*UnmarshalTypeError); ok {
			e.Offset += d.shift
		}
		return token, d.shifted(err)
	}
	if d.err != nil && d.handsOver() {
		return nil, d.err
	}
	start := d.start()
	token, err := d.token()
	if _, isTypeError := err.(*UnmarshalTypeError); err != nil && !isTypeError && !start.atEnd(err) && d.handsOver() {
		d.handOver(start)
		return d.Token()
	}
	return token, err
}

// errDepth makes Token hand over to a decoder that returns the error of encoding/json.
var errDepth = errors.New("json: exceeded max depth")

func (d *Decoder) token() (Token, error) {
	if d.std != nil {
		return d.std.Token()
	}
	for {
		c, err := d.peek()
		if err != nil {
			return nil, err
		}
		p := d.place
		switch {
		case (c == '[' || c == '{') && p.takesValue() && len(d.outer) == syntax.MaxDepth && d.handsOver():
			return nil, errDepth // before Go 1.27 the depth of tokens has no limit
		case c == '[' && p.takesValue():
			return d.open(atFirstElem), nil
		case c == '{' && p.takesValue():
			return d.open(atFirstName), nil
		case c == ']' && (p == atFirstElem || p == afterElem), c == '}' && (p == atFirstName || p == afterMember):
			return d.close(), nil
		case c != 0 && c == p.delimiter():
			d.pos++
			d.place = p.delimited()
		case c == '"' && (p == atFirstName || p == atName):
			var name string
			if _, err := d.decode(&name); err != nil {
				return nil, err
			}
			d.place = afterName
			return name, nil
		case strings.IndexByte("[]{}:,", c) >= 0 || !p.takesValue():
			return nil, d.fault(c, false)
		default:
			var v any
			if _, err := d.element(&v); err != nil {
				return nil, d.tokenError(err)
			}
			return v, nil
		}
	}
}

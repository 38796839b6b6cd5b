package json

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// A place is a position in the grammar. It determines which tokens may come next.
type place uint8

const (
	atTop       place = iota // a value
	atFirstElem              // a value or ]
	atElem                   // a value
	afterElem                // a comma or ]
	atFirstName              // a name or }
	atName                   // a name
	afterName                // a colon
	atMember                 // a value
	afterMember              // a comma or }
)

// reach has a text that leads to each place, and the number of calls of Token by which a decoder of
// encoding/json reads it. Only encoding/json can create some errors, so it has to be brought to the
// same place.
var reach = [...]struct {
	text  string
	calls int
}{
	atTop: {"", 0}, atFirstElem: {"[", 1}, atElem: {`["",`, 2}, afterElem: {`[""`, 2}, atFirstName: {"{", 1},
	atName: {`{"":"",`, 3}, afterName: {`{""`, 2}, atMember: {`{"":`, 2}, afterMember: {`{"":""`, 3},
}

// takesValue reports whether a value may come at p.
func (p place) takesValue() bool {
	return p == atTop || p == atFirstElem || p == atElem || p == atMember
}

// fault returns the error of encoding/json for the byte c at d's place, from a call of Decode or
// Token.
func (d *Decoder) fault(c byte, decode bool) error {
	to := reach[d.place]
	std := json.NewDecoder(strings.NewReader(to.text + string([]byte{c})))
	var err error
	for range to.calls {
		if _, err = std.Token(); err != nil {
			return err
		}
	}
	if decode {
		err = std.Decode(new(RawMessage))
	} else {
		_, err = std.Token()
	}
	s, ok := err.(*SyntaxError)
	if !ok && !option.FollowsLinked(d.options.release()) {
		// The linked encoding/json does not return a SyntaxError at this place.
		s, ok = rules.SyntaxErrorOf([]byte{c}, option.Linked).(*SyntaxError)
		err = s
	}
	if ok {
		s.Offset = d.InputOffset()
	}
	return err
}

// peek moves to the next byte that is not white space and returns it.
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

// More reports whether the array or object that is being read has another
// element.
func (d *Decoder) More() bool {
	if d.std != nil {
		return d.std.More()
	}
	start := d.start()
	if d.err == io.EOF && d.handsOver() {
		d.handOver(start)
		_ = d.std.More() // meets the end again
		return d.std.More()
	}
	more, err := d.more()
	if d.handsOver() && !start.atEnd(err) && (err != nil || !d.elementFollows()) {
		d.handOver(start)
		return d.std.More()
	}
	if start.atEnd(err) && d.handsOver() {
		d.err = err // from Go 1.27 on, the end that More meets is final
	}
	return more
}

// elementFollows reports whether the next element can be read: the next token is not a colon, and a
// comma is followed by the start of an element.
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
	switch d.place {
	case afterElem, afterName:
		c, err := d.peek()
		if err != nil {
			return err
		}
		switch {
		case d.place == afterElem && c == ',':
			d.pos++
			d.place = atElem
		case d.place == afterName && c == ':':
			d.pos++
			d.place = atMember
		default:
			return d.fault('0', true)
		}
	}
	if !d.place.takesValue() {
		return d.fault('0', true)
	}
	return nil
}

func (d *Decoder) afterValue() {
	switch d.place {
	case atFirstElem, atElem:
		d.place = afterElem
	case atMember:
		d.place = afterMember
	}
}

func (d *Decoder) open(first place) Token {
	delim := Delim(d.buf[d.pos])
	d.pos++
	d.outer = append(d.outer, d.place)
	d.place = first
	return delim
}

func (d *Decoder) close() Token {
	delim := Delim(d.buf[d.pos])
	d.pos++
	last := len(d.outer) - 1
	d.place, d.outer = d.outer[last], d.outer[:last]
	d.afterValue()
	return delim
}

// Token returns the next token: a [Delim] for a bracket or brace, a bool, a string, a float64 or
// [Number], or nil for null. It checks commas and colons, and does not return them. At the end of
// the stream it returns io.EOF.
//
// It checks that brackets match and that values are in valid positions, at any depth.
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
	if _, misfit := err.(*UnmarshalTypeError); err != nil && !misfit && !start.atEnd(err) && d.handsOver() {
		d.handOver(start)
		return d.Token()
	}
	return token, err
}

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
		case c == '[' && p.takesValue():
			return d.open(atFirstElem), nil
		case c == '{' && p.takesValue():
			return d.open(atFirstName), nil
		case c == ']' && (p == atFirstElem || p == afterElem), c == '}' && (p == atFirstName || p == afterMember):
			return d.close(), nil
		case c == ':' && p == afterName:
			d.pos++
			d.place = atMember
		case c == ',' && p == afterElem:
			d.pos++
			d.place = atElem
		case c == ',' && p == afterMember:
			d.pos++
			d.place = atName
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

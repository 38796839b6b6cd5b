package go126

import (
	"encoding/json"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
)

// peek skips white space, and returns the next byte without reading it.
func (d *Reader) peek() (byte, error) {
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

// More implements [v1.Reader].
func (d *Reader) More() bool {
	c, err := d.peek()
	return err == nil && c != ']' && c != '}'
}

// beforeValue reads the comma or colon before a value.
func (d *Reader) beforeValue() error {
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

// bracket reads the bracket at the position of d.
func (d *Reader) bracket() json.Delim {
	d.pos++
	return json.Delim(d.buf[d.pos-1])
}

// Token implements [v1.Reader]. The depth of tokens has no limit.
func (d *Reader) Token() (json.Token, error) {
	for {
		c, err := d.peek()
		if err != nil {
			return nil, err
		}
		p := d.place
		switch {
		case c == '[' && p.takesValue():
			d.enter(atFirstElem)
			return d.bracket(), nil
		case c == '{' && p.takesValue():
			d.enter(atFirstName)
			return d.bracket(), nil
		case c == ']' && (p == atFirstElem || p == afterElem), c == '}' && (p == atFirstName || p == afterMember):
			d.leave()
			return d.bracket(), nil
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
			if _, err := d.Element(&v); err != nil {
				return nil, err
			}
			return v, nil
		}
	}
}

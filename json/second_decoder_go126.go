//go:build !(go1.27 && goexperiment.jsonv2)

package json

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// successor returns the decoder that continues after a syntax error, by the rules from Go 1.27 on.
func (d *Decoder) successor() standard {
	return &secondDecoder{r: d.unread(), grammar: d.grammar, useNumber: d.options.UseNumber}
}

// A secondDecoder reads values and tokens like the Decoder of encoding/json from Go 1.27 on. It is
// for builds whose encoding/json follows the rules before Go 1.27. Its Decode method supports only
// a RawMessage. After a failed read its position is unchanged.
//
// It is used only after an error, so it is simple and not fast. A Decoder of package stream could
// do the same, but would add 120 KB to each program that decodes a stream.
type secondDecoder struct {
	r *resumed
	grammar
	buf       []byte
	pos       int   // the end of the last token
	before    int64 // the number of bytes of the stream before buf
	err       error // the error that all further calls return
	useNumber bool
	// afterMore is set after a call of More, and atEnd after a call of Token that reached the end
	// of the stream.
	afterMore, atEnd bool
}

// errEnds means that the input ends within a value.
var errEnds = io.ErrUnexpectedEOF

// A secondFault is a syntax error. Offset is the position after the invalid byte.
type secondFault struct{ offset int64 }

func (*secondFault) Error() string { return "invalid character" }

func (d *secondDecoder) UseNumber()             { d.useNumber = true }
func (d *secondDecoder) DisallowUnknownFields() {}

// Buffered returns the input that has been read but not decoded.
func (d *secondDecoder) Buffered() io.Reader { return bytes.NewReader(d.buf[d.pos:]) }

// more reads more input. At the end it returns io.EOF, and otherwise a stream.IOError.
func (d *secondDecoder) more() error {
	d.buf = slices.Grow(d.buf, minRead)
	n, err := stream.Read(d.r, d.buf[len(d.buf):cap(d.buf)])
	if d.buf = d.buf[:len(d.buf)+n]; n > 0 {
		return nil // an error that comes with bytes does not count
	}
	if err != io.EOF {
		err = &stream.IOError{Action: "read", Err: err}
	}
	return err
}

// skipBlanks returns the position of the next byte that is not white space, starting at pos.
func (d *secondDecoder) skipBlanks(pos int) (int, error) {
	for {
		if pos = syntax.SkipSpace(d.buf, pos); pos < len(d.buf) {
			return pos, nil
		}
		if err := d.more(); err != nil {
			return pos, err
		}
	}
}

// fault returns a syntax error. The invalid text ends at position end of the buffer.
func (d *secondDecoder) fault(end int) error { return &secondFault{d.before + int64(end)} }

// next returns the start of the next token, after checking the delimiter before it.
func (d *secondDecoder) next() (int, error) {
	first, err := d.skipBlanks(d.pos)
	if err != nil {
		if err == io.EOF && len(d.outer) > 0 {
			err = errEnds
		}
		return 0, err
	}
	pos, delimiter := first, byte(0)
	if c := d.buf[first]; c == ',' || c == ':' {
		delimiter = c
		if pos, err = d.skipBlanks(first + 1); err != nil {
			if d.place.delimiter() != delimiter {
				return 0, d.faultAt(first)
			}
			if err == io.EOF {
				err = errEnds
			}
			return 0, err
		}
	}
	wanted := d.place.delimiter()
	if c := d.buf[pos]; wanted == ',' && (c == ']' || c == '}') {
		wanted = 0
	}
	if wanted != delimiter {
		return 0, d.faultAt(first)
	}
	return pos, nil
}

// faultAt returns the error for the invalid character at pos.
func (d *secondDecoder) faultAt(pos int) error {
	_, size := utf8.DecodeRune(d.buf[pos:])
	return d.fault(pos + size)
}

// read returns the end of the value or token at pos. It calls scan to find the end, and reads more
// input if necessary.
func (d *secondDecoder) read(pos int, scan func([]byte) (int, syntax.Fault)) (int, error) {
	for {
		end, f := scan(d.buf[pos:])
		number := end > 0 && pos+end == len(d.buf) && d.buf[len(d.buf)-1]-'0' <= 9
		switch {
		case end > 0 && !number:
		case end < 0 && !f.Ends:
			return 0, d.fault(pos + f.After)
		default:
			last := len(d.buf)
			err := d.more()
			if err == io.EOF && !number && endsInNumber(d.buf[pos:]) {
				if err = d.more(); err == nil && strings.IndexByte("+-.eE0123456789", d.buf[last]) >= 0 {
					return 0, d.fault(last + 1)
				}
			}
			if err == nil {
				continue
			}
			if err != io.EOF || !number {
				if err == io.EOF {
					err = errEnds
				}
				return 0, err
			}
		}
		if d.place.takesName() && d.buf[pos] != '"' {
			return 0, d.fault(pos + 1)
		}
		return pos + end, nil
	}
}

// consume returns a copy of buf[pos:end], a token or a value, and moves d to its end.
func (d *secondDecoder) consume(pos, end int) []byte {
	text := slices.Clone(d.buf[pos:end])
	d.before += int64(end)
	d.buf = d.buf[:copy(d.buf, d.buf[end:])]
	d.pos, d.afterMore, d.atEnd = 0, false, false
	return text
}

// Decode decodes the next value into v, which must be a *RawMessage.
func (d *secondDecoder) Decode(v any) error {
	if d.err != nil {
		return d.err
	}
	pos, err := d.next()
	end := 0
	if err == nil {
		end, err = d.read(pos, syntax.FirstValue)
	}
	if err != nil {
		if d.err = err; err != errEnds {
			d.err = d.legacy(err)
		}
		return d.err
	}
	d.afterToken()
	*v.(*RawMessage) = d.consume(pos, end)
	return nil
}

// Token returns the next token.
func (d *secondDecoder) Token() (Token, error) {
	if d.err != nil {
		return nil, d.err
	}
	pos, end, err := d.token()
	switch {
	case err == errEnds && d.endsAfterToken():
		// The stream ends after a complete token.
		d.atEnd = true
		return nil, io.EOF
	case err == errEnds:
		return nil, err
	case err != nil:
		return nil, d.legacy(err)
	}
	text := d.consume(pos, end)
	switch c := text[0]; c {
	case 'n':
		return nil, nil
	case 't', 'f':
		return c == 't', nil
	case '"':
		unquoted, _ := syntax.AppendUnquoted(nil, text)
		return string(unquoted), nil
	case '[', ']', '{', '}':
		return Delim(c), nil
	}
	if d.useNumber {
		return Number(text), nil
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return nil, &UnmarshalTypeError{Value: "number " + string(text), Type: reflect.TypeFor[float64](), Offset: d.InputOffset()}
	}
	return f, nil
}

// afterToken moves past a name or a value. If the value is an array or object, it must be complete.
func (d *secondDecoder) afterToken() {
	if d.place.takesName() {
		d.place = afterName
		return
	}
	d.place = d.place.delimited()
	d.afterValue()
}

// endsAfterToken reports whether only white space and delimiters follow the last token.
func (d *secondDecoder) endsAfterToken() bool {
	for _, c := range d.buf[d.pos:] {
		if strings.IndexByte(" \r\n\t,:", c) < 0 {
			return false
		}
	}
	return true
}

// token returns the start and the end of the next token. A bracket opens or closes a level.
func (d *secondDecoder) token() (pos, end int, err error) {
	if pos, err = d.next(); err != nil {
		return 0, 0, err
	}
	c := d.buf[pos]
	switch p := d.place; {
	case c == ']' && (p == atFirstElem || p == afterElem), c == '}' && (p == atFirstName || p == afterMember):
		d.leave()
		return pos, pos + 1, nil
	case c == ']' || c == '}':
		return 0, 0, d.fault(pos + 1)
	}
	if end, err = d.read(pos, syntax.FirstToken); err != nil {
		return 0, 0, err
	}
	if c != '[' && c != '{' {
		d.afterToken()
		return pos, end, nil
	}
	if len(d.outer) >= syntax.MaxDepth {
		return 0, 0, d.fault(pos + 1)
	}
	d.place = d.place.delimited()
	if c == '[' {
		d.enter(atFirstElem)
	} else {
		d.enter(atFirstName)
	}
	return pos, end, nil
}

// More reports whether the current array or object has another element.
func (d *secondDecoder) More() bool {
	d.afterMore = true
	pos, err := d.next()
	if err == nil && strings.IndexByte(`]}[{"tfn-0123456789`, d.buf[pos]) >= 0 {
		return d.buf[pos] != ']' && d.buf[pos] != '}'
	}
	if d.err == nil {
		if err == nil {
			err = d.faultAt(pos)
		}
		d.err = d.legacy(err)
	}
	return d.err != io.EOF
}

// InputOffset returns the offset in the stream at which the last value or token ends. After a call
// of More it returns the start of the next token. At the end of the stream it may return the end of
// a comma or colon.
func (d *secondDecoder) InputOffset() int64 {
	pos := d.pos
	if d.afterMore || d.atEnd {
		if first := syntax.SkipSpace(d.buf, pos); first < len(d.buf) {
			pos = first
			if c := d.buf[pos]; d.atEnd && (c == ',' || c == ':') {
				pos++
			}
		}
	}
	return d.before + int64(pos)
}

// legacy converts err to the error of encoding/json. Only encoding/json can set the message of a
// SyntaxError, so it decodes a text with the same error at the same position in the grammar.
func (d *secondDecoder) legacy(err error) error {
	made, _ := rules.SyntaxErrorOf(nil, option.Linked).(*SyntaxError)
	switch f, ok := err.(*secondFault); {
	case ok:
		to := reach[d.place]
		failed := linkedError(strings.NewReader(to.text+string(d.buf[d.pos:])), to.calls, false)
		if s, is := failed.(*SyntaxError); is {
			made = s
		}
		made.Offset = f.offset
	case err == errEnds:
		made.Offset = d.before + int64(len(d.buf))
	default:
		return rules.LegacySyntax(err)
	}
	return made
}

// std implements [Decoder.Std].
func (d *secondDecoder) std(options *Config) *json.Decoder {
	in := &resumed{string(d.buf[d.pos:]), nil, d.r}
	return options.stdDecoder(&d.grammar, in)
}
